// The one address of MPI that compiled code is given as it is. Free of mpi.h, for symbols.cpp.
#pragma once

namespace mpijit::rt {

void* clock_function(); // MPI_Wtime

} // namespace mpijit::rt
