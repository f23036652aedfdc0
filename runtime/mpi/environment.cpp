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

int32_t mpijit_wtick(const mpijit_site* site, double* result) {
  Call call(site, "wtick");
  if (call.comm(MPIJIT_COMM_WORLD))
    *result = MPI_Wtick();
  return call.status;
}

int32_t mpijit_initialized(const mpijit_site*, int64_t* result) {
  *result = mpijit_is_initialized();
  return MPIJIT_OK;
}

int32_t mpijit_finalized(const mpijit_site*, int64_t* result) {
  *result = mpijit_is_finalized();
  return MPIJIT_OK;
}

// The order of MPI's levels, whose values differ between libraries.
int32_t mpijit_query_thread(const mpijit_site* site, int64_t* result) {
  Call call(site, "query_thread");
  int level = MPI_THREAD_SINGLE;
  if (call.comm(MPIJIT_COMM_WORLD) && call.mpi(MPI_Query_thread(&level)))
    *result = (level >= MPI_THREAD_FUNNELED) + (level >= MPI_THREAD_SERIALIZED) + (level >= MPI_THREAD_MULTIPLE);
  return call.status;
}

int32_t mpijit_abort(const mpijit_site*, int64_t code) {
  mpijit_end_job(static_cast<int32_t>(code));
  return MPIJIT_OK;
}

void* mpijit::rt::clock_function() { return reinterpret_cast<void*>(&MPI_Wtime); }

int64_t mpijit_constant(int32_t id) {
  static constexpr int64_t values[] = {MPI_ANY_SOURCE, MPI_ANY_TAG,   MPI_PROC_NULL, MPI_UNDEFINED,
                                       MPI_IDENT,      MPI_CONGRUENT, MPI_SIMILAR,   MPI_UNEQUAL};
  return values[id];
}
