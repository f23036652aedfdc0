// The table of communicators: which are known, which are ours, what becomes of one that is freed.
#pragma once

#include "mpi/checks.h"

namespace mpijit::rt {

// The handle of an MPI communicator, which gets a row when it has none; COMM_NULL's is 0. An intercommunicator and a
// full table are errors (false).
bool register_communicator(Call& call, MPI_Comm comm, int64_t* handle);

// A communicator that we made: errors on it return, and it is registered.
bool register_ours(Call& call, MPI_Comm comm, int64_t* handle);

void begin_communicators();  // the world and COMM_SELF; once MPI is initialised
void forget_communicators(); // from then on no handle is valid

} // namespace mpijit::rt
