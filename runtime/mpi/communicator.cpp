// Communicators come from MPI's constants, from other users of MPI (mpi4py) and from here. Each known one carries an
// attribute that names its row: so it is found again, and MPI tells when anybody frees it. Then the row's generation
// moves on, and old handles stay invalid although MPI reuses its own.
#include "mpi/communicator.h"

#include <algorithm>
#include <type_traits>

#include "error.h"
#include "mpi/session.h"

namespace mpijit::rt {
namespace {

int key = MPI_KEYVAL_INVALID;
uint32_t rows_used = 0;

Communicator* free_row() {
  for (uint32_t k = 2; k < rows_used; ++k)
    if (communicators[k].handle == Communicator::none)
      return &communicators[k];
  return rows_used < communicator_capacity ? &communicators[rows_used++] : nullptr;
}

int on_free(MPI_Comm, int, void* row, void*) {
  Guard guard;
  auto* freed = static_cast<Communicator*>(row);
  freed->handle = Communicator::none;
  freed->mpi = MPI_COMM_NULL;
  ++freed->generation;
  return MPI_SUCCESS;
}

void fill(Communicator& row, MPI_Comm comm) {
  row.mpi = comm;
  MPI_Comm_rank(comm, &row.rank);
  MPI_Comm_size(comm, &row.size);
  int* limit = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
  row.tag_limit = found ? *limit : 32767; // the least the standard allows
  row.handle = static_cast<int64_t>(row.generation) << 32 | (&row - communicators);
}

} // namespace

bool register_communicator(Call& call, MPI_Comm comm, int64_t* handle) {
  *handle = 0;
  if (comm == MPI_COMM_NULL)
    return true;
  if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF) {
    *handle = communicators[comm == MPI_COMM_SELF].handle;
    return true;
  }
  Communicator* row = nullptr;
  int found = 0, inter = 0;
  if (!call.mpi(MPI_Comm_get_attr(comm, key, &row, &found)))
    return false;
  if (!found) {
    MPI_Comm_test_inter(comm, &inter);
    if (inter)
      return call.passed(raise(call.site, call.routine, MPIJIT_TypeError,
                               "comm is an intercommunicator; only intracommunicators work"));
    {
      Guard guard;
      row = free_row();
      if (row)
        fill(*row, comm);
    }
    if (!row)
      return call.passed(
          raise(call.site, call.routine, MPIJIT_MpiError, "there are %u communicators already", communicator_capacity));
    MPI_Comm_set_attr(comm, key, row);
  }
  *handle = row->handle;
  return true;
}

bool register_ours(Call& call, MPI_Comm comm, int64_t* handle) {
  if (comm != MPI_COMM_NULL)
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return register_communicator(call, comm, handle);
}

void begin_communicators() {
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_free, &key, nullptr);
  fill(communicators[1], MPI_COMM_SELF);
  rows_used = std::max(rows_used, 2u);
  fill(communicators[0], MPI_COMM_WORLD); // last: its handle says that the session has begun
  mpijit_world = {communicators[0].rank, communicators[0].size};
}

void forget_communicators() {
  for (uint32_t k = 0; k < rows_used; ++k)
    communicators[k].handle = Communicator::none;
}

} // namespace mpijit::rt

using namespace mpijit::rt;

namespace {

// MPI_Comm is an integer in MPICH, a pointer in others.
template <class Handle> Handle from_word(int64_t word) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<Handle>(word);
  else
    return static_cast<Handle>(word);
}

template <class Handle> int64_t to_word(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<int64_t>(handle);
  else
    return static_cast<int64_t>(handle);
}

} // namespace

int32_t mpijit_comm_from_mpi(const mpijit_site* site, int64_t mpi, int64_t* result) {
  Call call(site, "comm");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  const auto comm = from_word<MPI_Comm>(mpi);
  register_communicator(call, comm, result);
  return call.status;
}

int64_t mpijit_comm_to_mpi(int64_t comm) {
  const Communicator* row = find_communicator(comm);
  const MPI_Comm mpi = row ? row->mpi : MPI_COMM_NULL;
  return to_word(mpi);
}

int32_t mpijit_comm_split(const mpijit_site* site, int64_t color, int64_t key, int64_t comm, int64_t* result) {
  Call call(site, "split");
  MPI_Comm made = MPI_COMM_NULL;
  if (call.comm(comm) && call.color("color", color) && call.fits_int("key", key) &&
      call.mpi(MPI_Comm_split(call.on->mpi, static_cast<int>(color), static_cast<int>(key), &made)))
    register_ours(call, made, result);
  return call.status;
}

int32_t mpijit_comm_dup(const mpijit_site* site, int64_t comm, int64_t* result) {
  Call call(site, "dup");
  MPI_Comm made = MPI_COMM_NULL;
  if (call.comm(comm) && call.mpi(MPI_Comm_dup(call.on->mpi, &made)))
    register_ours(call, made, result);
  return call.status;
}

int32_t mpijit_comm_free(const mpijit_site* site, int64_t comm) {
  Call call(site, "free");
  if (!call.comm(comm))
    return call.status;
  MPI_Comm mpi = call.on->mpi;
  if (mpi == MPI_COMM_WORLD || mpi == MPI_COMM_SELF) {
    call.passed(raise(site, call.routine, MPIJIT_ValueError, "comm is %s, which cannot be freed",
                      mpi == MPI_COMM_WORLD ? "COMM_WORLD" : "COMM_SELF"));
    return call.status;
  }
  call.mpi(MPI_Comm_free(&mpi)); // the attribute's callback retires the row
  return call.status;
}

int32_t mpijit_comm_compare(const mpijit_site* site, int64_t other, int64_t comm, int64_t* result) {
  Call call(site, "compare");
  if (!call.comm(comm))
    return call.status;
  const MPI_Comm first = call.on->mpi;
  int answer = MPI_UNEQUAL;
  if (call.comm(other) && call.mpi(MPI_Comm_compare(first, call.on->mpi, &answer)))
    *result = answer;
  return call.status;
}
