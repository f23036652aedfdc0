// The closed table: every routine, support function and datum once, the math that LLVM emits, and nothing
// else.
#include <dlfcn.h>

#include <set>

#include "support.h"

namespace {

void* find(const std::string& name) {
  for (const mpijit_symbol* symbol = mpijit_symbols(); symbol->name; ++symbol)
    if (name == symbol->name)
      return symbol->address;
  return nullptr;
}

} // namespace

TEST(Symbols, NamesAreUniqueAndHaveAddresses) {
  std::set<std::string> names;
  for (const mpijit_symbol* symbol = mpijit_symbols(); symbol->name; ++symbol) {
    EXPECT_TRUE(names.insert(symbol->name).second) << symbol->name;
    EXPECT_NE(symbol->address, nullptr) << symbol->name;
  }
  EXPECT_GT(names.size(), 100u);
}

TEST(Symbols, HoldEveryRow) {
  const char* const rows[] = {
#define ROUTINE(name, ...) "mpijit_" #name,
#define C_ROUTINE(name, ...) "mpijit_" #name,
#define C_METHOD(name, ...) "mpijit_comm_" #name,
#define OPERATOR(...)
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
#define SUPPORT(symbol, ...) #symbol,
#include "mpijit/support.inc"
#undef SUPPORT
      "mpijit_world", "mpijit_interrupt", "memcpy", "memmove", "memset", "roundeven", "roundevenf", "fma", "fmaf"};
  for (const char* name : rows)
    EXPECT_NE(find(name), nullptr) << name;
}

TEST(Symbols, AreTheOnesOfTheirName) {
  EXPECT_EQ(find("mpijit_send"), reinterpret_cast<void*>(&mpijit_send));
  EXPECT_EQ(find("mpijit_world"), &mpijit_world);
  using Unary = double(double);
  using UnaryFloat = float(float);
  EXPECT_EQ(reinterpret_cast<Unary*>(find("exp"))(0.0), 1.0);
  EXPECT_EQ(reinterpret_cast<Unary*>(find("roundeven"))(2.5), 2.0);
  EXPECT_EQ(reinterpret_cast<UnaryFloat*>(find("sqrtf"))(9.0f), 3.0f);
  using Binary = double(double, double);
  EXPECT_EQ(reinterpret_cast<Binary*>(find("fmod"))(7.0, 4.0), 3.0);
  using Complex = std::complex<double>(std::complex<double>); // passed and returned as C's complex double
  EXPECT_EQ(reinterpret_cast<Complex*>(find("csqrt"))({-4.0, 0.0}), std::complex<double>(0.0, 2.0));
}

TEST(Symbols, AreClosed) {
  for (const char* name : {"system", "malloc", "printf", "MPI_Send", "mpijit_begin", "dlopen"})
    EXPECT_EQ(find(name), nullptr) << name;
}
