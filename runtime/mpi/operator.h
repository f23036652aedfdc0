// Operators made from functions. MPI passes a function nothing of its caller's, so there is one function, and one
// MPI_Op, for each operator and dtype.
#pragma once

#include "mpijit/runtime.h"

namespace mpijit::rt {

// The status of an operator's function that failed on this thread since the last call, with its error recorded again;
// MPIJIT_OK when none did.
int32_t take_operator_failure();

void free_operators(); // before MPI is finalised

} // namespace mpijit::rt
