// One process, one MPI. Two MPI libraries in a process are two complete worlds that do not know of each
// other; a launcher of one MPI makes every process of another "rank 0 of 1". Both are found out here and said
// plainly.
#include "mpi/library.h"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "error.h"

namespace mpijit::rt {
namespace {

// A profiler's MPI_Comm_rank is a layer over the library's; PMPI_Comm_rank only the library itself has.
constexpr char telltale[] = "PMPI_Comm_rank";

int collect_name(dl_phdr_info* info, size_t, void* names) {
  static_cast<std::vector<std::string>*>(names)->push_back(info->dlpi_name);
  return 0;
}

// The file of every loaded MPI library. Asked after the walk over the loaded objects, not within it: the
// loader's lock is held there.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names, found;
  dl_iterate_phdr(collect_name, &names);
  std::vector<void*> bases;
  for (const std::string& name : names) {
    void* object = dlopen(name.empty() ? nullptr : name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!object)
      continue; // the kernel's own, which is no file
    Dl_info info;
    // The lookup also searches what the object depends on, so ask who defines what it finds.
    if (void* symbol = dlsym(object, telltale); symbol && dladdr(symbol, &info)) {
      if (std::find(bases.begin(), bases.end(), info.dli_fbase) == bases.end()) {
        bases.push_back(info.dli_fbase);
        found.push_back(info.dli_fname);
      }
    }
    dlclose(object);
  }
  return found;
}

struct Launcher {
  const char* name;
  const char* tasks; // the variable with the number of processes
  const char* rank;  // and that with this one's
};
constexpr Launcher launchers[] = {{"PMI", "PMI_SIZE", "PMI_RANK"},
                                  {"Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                  {"SLURM", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

int number_in(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}

void warn(const char* launcher, const char* variable, int value) {
  const char* version = mpijit_library_version();
  std::fprintf(stderr,
               "mpijit: a launcher (of %s, %s=%d) started several processes, but each is alone in the MPI it uses, %s "
               "(%.*s): launcher and library belong to different MPIs. Use the mpiexec that comes with that "
               "library.\n",
               launcher, variable, value, mpijit_library_path(), static_cast<int>(std::strcspn(version, "\n")),
               version);
}

} // namespace

int32_t require_one_library(const mpijit_site* site, const char* routine) {
  const std::vector<std::string> found = loaded_libraries();
  if (found.size() < 2)
    return MPIJIT_OK;
  return raise(site, routine, MPIJIT_RuntimeError,
               "the process has loaded two MPI libraries, %s and %s, which cannot work together; "
               "MPIJIT_LIBMPI chooses the one mpijit uses",
               found[0].c_str(), found[1].c_str());
}

void warn_of_other_launcher() {
  for (const Launcher& launcher : launchers) {
    const int tasks = number_in(launcher.tasks, 1);
    if (tasks > 1 && number_in(launcher.rank, 0) == 0)
      return warn(launcher.name, launcher.tasks, tasks);
  }
  // PMIx tells the rank only: the second process knows that it is not alone, and speaks.
  if (std::getenv("PMIX_NAMESPACE") && number_in("PMIX_RANK", 0) == 1)
    warn("PMIx", "PMIX_RANK", 1);
}

} // namespace mpijit::rt

using namespace mpijit::rt;

const char* mpijit_library_version() {
  static const std::string version = [] {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    return std::string(text);
  }();
  return version.c_str();
}

const char* mpijit_library_path() {
  static const std::string path = [] {
    Dl_info info;
    const bool known = dladdr(reinterpret_cast<void*>(&PMPI_Comm_rank), &info) && info.dli_fname;
    return std::string(known ? info.dli_fname : "");
  }();
  return path.c_str();
}
