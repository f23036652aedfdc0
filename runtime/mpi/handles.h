// What a handle of the C boundary stands for in MPI: communicators, datatypes, operators. A handle carries a
// generation, so one that is stale, null or too early is found out by a comparison that every call makes
// anyway.
#pragma once

#include <mpi.h>

#include "mpijit/runtime.h"

namespace mpijit::rt {

// A communicator and what the checks need to know about it. A row is in use while `handle` is the handle that
// names it; before MPI is initialised, after it is finalised and in a forked child no handle matches.
struct Communicator {
  static constexpr int64_t none = -1;
  int64_t handle = none;
  MPI_Comm mpi = MPI_COMM_NULL;
  int32_t rank = 0;
  int32_t size = 0;
  int32_t tag_limit = 0;   // MPI_TAG_UB
  uint32_t generation = 1; // of the present handle, or of the next one
};

// MPICH has contexts for no more than 2048 communicators in a process.
constexpr uint32_t communicator_capacity = 4096;
extern Communicator communicators[communicator_capacity]; // the world, COMM_SELF, then the others

// Null unless handle names a communicator now.
inline const Communicator* find_communicator(int64_t handle) {
  const auto index = static_cast<uint32_t>(handle);
  if (index >= communicator_capacity || communicators[index].handle != handle) [[unlikely]]
    return nullptr;
  return &communicators[index];
}

// An operator: MPI's own, one for all dtypes, or one made from functions, one for each.
struct Operator {
  MPI_Op mpi[MPIJIT_DTYPE_COUNT];
  uint32_t dtypes; // a bit for each dtype it combines
  const char* name;
};

constexpr uint32_t operator_capacity = 1024;
extern Operator operators[operator_capacity]; // MPI's own come first
extern uint32_t operator_count;
extern const MPI_Datatype datatypes[MPIJIT_DTYPE_COUNT];

} // namespace mpijit::rt
