// The environment: who am I, how many are we, what time is it, and the values of MPI's constants.
#include "mpi/checks.h"
#include "mpi/clock.h"

using namespace mpijit::rt;

int32_t mpijit_rank(const mpijit_site* site, int64_t comm, int64_t* result) {
  Call call(site, "rank");
  if (call.comm(comm))
    *result = call.on->rank;
  return call.status;
}

int32_t mpijit_size(const mpijit_site* site, int64_t comm, int64_t* result) {
  Call call(site, "size");
  if (call.comm(comm))
    *result = call.on->size;
  return call.status;
}

int32_t mpijit_wtime(const mpijit_site* site, double* result) {
  Call call(site, "wtime");
  if (call.comm(MPIJIT_COMM_WORLD))
    *result = MPI_Wtime();
  return call.status;
}

void* mpijit::rt::clock_function() { return reinterpret_cast<void*>(&MPI_Wtime); }

int64_t mpijit_constant(int32_t id) {
  static constexpr int64_t values[] = {MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, MPI_UNDEFINED};
  return values[id];
}
