// The tables behind the handles: dtypes.inc and the operators of routines.inc in MPI's terms.
#include "mpi/handles.h"

#include <string_view>

#include "array.h"

namespace mpijit::rt {
namespace {

constexpr uint32_t combines(std::string_view kinds) {
  uint32_t mask = 0;
  for (int dtype = 0; dtype < MPIJIT_DTYPE_COUNT; ++dtype)
    if (kinds.find(dtypes[dtype].kind) != kinds.npos)
      mask |= 1u << dtype;
  return mask;
}

} // namespace

Communicator communicators[communicator_capacity];

const Operator operators[MPIJIT_OPERATOR_COUNT] = {
#define ROUTINE(...)
#define OPERATOR(name, mpi, kinds) {mpi, combines(kinds), #name},
#include "mpijit/routines.inc"
#undef OPERATOR
#undef ROUTINE
};

const MPI_Datatype datatypes[MPIJIT_DTYPE_COUNT] = {
#define DTYPE(id, numpy, kind, size, c_type, mpi) mpi,
#include "mpijit/dtypes.inc"
#undef DTYPE
};

} // namespace mpijit::rt
