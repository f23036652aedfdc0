// The calling thread's error record, and the one way to fill it. Knows nothing of MPI; mpi/checks.cpp adds
// what MPI says about its own failures.
#pragma once

#include "mpijit/runtime.h"

namespace mpijit::rt {

// Records an error at site, replacing an older one, and returns code. The message is "routine: " (when
// routine is not null) and the formatted text. Cold by design: every check calls it and nothing else.
[[gnu::cold, gnu::noinline, gnu::format(printf, 4, 5)]] int32_t raise(const mpijit_site* site, const char* routine,
                                                                      int32_t code, const char* format, ...);

// The record itself, for a caller that has more to say about the error it just raised.
mpijit_error& error_record();

} // namespace mpijit::rt
