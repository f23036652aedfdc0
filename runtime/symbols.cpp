// The closed table of names that compiled code may refer to, built from the tables of routines and support
// functions. A name that is not here does not link, whatever else the process has loaded. Knows no addresses
// of its own.
#include <math.h>
#include <string.h>

#include <type_traits>

#include "mpi/clock.h"
#include "mpijit/runtime.h"

// C's <complex.h>, which C++ replaces by its own.
using complex = double _Complex;
#define MATH(...)
#define LIBC(...)
#define COMPLEX(name, ...) extern "C" std::type_identity_t<__VA_ARGS__> name;
#include "libm.inc"
#undef COMPLEX
#undef LIBC
#undef MATH

namespace {

void* address_of(auto* function) { return reinterpret_cast<void*>(function); }

// Picks the float64 overload; a name with the suffix f has no other.
template <typename Signature> constexpr Signature* pick(Signature* function) { return function; }

} // namespace

const mpijit_symbol* mpijit_symbols() {
  static const mpijit_symbol table[] = {
#define ROUTINE(name, ...) {"mpijit_" #name, address_of(&mpijit_##name)},
#define C_ROUTINE(name, ...) {"mpijit_" #name, address_of(&mpijit_##name)},
#define C_METHOD(name, ...) {"mpijit_comm_" #name, address_of(&mpijit_comm_##name)},
#define OPERATOR(...)
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
#define SUPPORT(symbol, ...) {#symbol, address_of(&symbol)},
#include "mpijit/support.inc"
#undef SUPPORT
      {"mpijit_clock", mpijit::rt::clock_function()}, // MPI's own, without a hop through ours
      {"mpijit_world", &mpijit_world},
      {"mpijit_interrupt", const_cast<int32_t*>(&mpijit_interrupt)},
#define MATH(name, ...) {#name, address_of(pick<__VA_ARGS__>(&::name))}, {#name "f", address_of(&::name##f)},
#define COMPLEX(name, ...) {#name, address_of(&::name)},
#define LIBC(name) {#name, address_of(&::name)},
#include "libm.inc"
#undef LIBC
#undef COMPLEX
#undef MATH
      {nullptr, nullptr},
  };
  return table;
}
