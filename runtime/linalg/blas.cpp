// Finds the BLAS. Builds differ in the names of their routines: SciPy's builds of OpenBLAS, which NumPy's wheels carry,
// put scipy_ before them; those with 64-bit integers put 64_ behind.
#include "linalg/blas.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mpijit/runtime.h"

namespace mpijit::rt::blas {
namespace {

struct Spelling {
  const char* before;
  const char* behind;
  bool wide;
};
// NumPy's wheels first: another package's BLAS may be loaded too.
constexpr Spelling spellings[] = {{"scipy_", "64_", true}, {"", "64_", true}, {"scipy_", "", false}, {"", "", false}};

// For a program that has loaded none.
constexpr const char* system_libraries[] = {"libopenblas64_.so.0", "libopenblas.so.0", "libcblas.so.3", "libblas.so.3"};

struct Found {
  Library library = {};
  std::string path;
};

// Fills found with all routines of object in one spelling, or leaves it.
bool take(void* object, const Spelling& spelling, Found& found) {
  const auto find = [&](const std::string& routine) {
    return dlsym(object, (spelling.before + ("cblas_" + routine) + spelling.behind).c_str());
  };
  Library library = {.wide = spelling.wide, .dot = {}, .axpy = {}, .gemv = {}, .syrk = {}, .gemm = {}};
  constexpr const char* letters = "sdcz";
  for (int i = 0; i < 4; ++i) {
    const std::string letter(1, letters[i]);
    library.dot[i] = find(letter + (i < 2 ? "dot" : "dotu_sub"));
    library.axpy[i] = find(letter + "axpy");
    library.gemv[i] = find(letter + "gemv");
    library.syrk[i] = find(letter + "syrk");
    library.gemm[i] = find(letter + "gemm");
    if (!library.dot[i] || !library.axpy[i] || !library.gemv[i] || !library.syrk[i] || !library.gemm[i])
      return false;
  }
  found.library = library;
  Dl_info info; // the lookup also searches what the object depends on
  found.path = dladdr(library.gemm[0], &info) ? info.dli_fname : "";
  return true;
}

bool take_any_spelling(void* object, Found& found) {
  for (const Spelling& spelling : spellings)
    if (take(object, spelling, found))
      return true;
  return false;
}

int collect_name(dl_phdr_info* info, size_t, void* names) {
  static_cast<std::vector<std::string>*>(names)->push_back(info->dlpi_name);
  return 0;
}

bool may_be_blas(const std::string& path) {
  const char* name = std::strrchr(path.c_str(), '/');
  name = name ? name + 1 : path.c_str();
  return std::strstr(name, "blas") || std::strstr(name, "mkl");
}

bool take_loaded(Found& found) {
  std::vector<std::string> names;
  dl_iterate_phdr(collect_name, &names);
  std::vector<void*> objects;
  for (const std::string& name : names)
    if (may_be_blas(name))
      if (void* object = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD))
        objects.push_back(object); // never closed: its routines are kept
  for (const Spelling& spelling : spellings)
    for (void* object : objects)
      if (take(object, spelling, found))
        return true;
  return false;
}

bool take_file(const char* name, Found& found) {
  void* object = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  return object && take_any_spelling(object, found);
}

Found search() {
  Found found;
  if (const char* wanted = std::getenv("MPIJIT_BLAS"); wanted && *wanted) {
    if (std::strcmp(wanted, "none") != 0 && !take_file(wanted, found))
      std::fprintf(stderr, "mpijit: MPIJIT_BLAS names %s, which is no library with the C interface of BLAS\n", wanted);
    return found;
  }
  if (take_loaded(found))
    return found;
  for (const char* name : system_libraries)
    if (take_file(name, found))
      break;
  return found;
}

const Found& found() {
  static const Found result = search();
  return result;
}

} // namespace

const Library& library() { return found().library; }

int64_t largest() {
  static const int64_t limit = found().path.empty() ? 0 : library().wide ? INT64_MAX - 1 : INT32_MAX - 1;
  return limit;
}

} // namespace mpijit::rt::blas

const char* mpijit_blas_path() { return mpijit::rt::blas::found().path.c_str(); }
