// The tables behind the handles: dtypes.inc and the operators of routines.inc in MPI's terms.
#include "mpi/handles.h"

#include <algorithm>
#include <iterator>
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

Operator builtin(MPI_Op mpi, std::string_view kinds, const char* name) {
  Operator out{{}, combines(kinds), name};
  std::fill(std::begin(out.mpi), std::end(out.mpi), mpi);
  return out;
}

} // namespace

Communicator communicators[communicator_capacity];

Operator operators[operator_capacity] = {
#define ROUTINE(...)
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(name, mpi, kinds) builtin(mpi, kinds, #name),
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
};
uint32_t operator_count = MPIJIT_OPERATOR_COUNT;

const MPI_Datatype datatypes[MPIJIT_DTYPE_COUNT] = {
#define DTYPE(id, numpy, kind, size, c_type, mpi) mpi,
#include "mpijit/dtypes.inc"
#undef DTYPE
};

} // namespace mpijit::rt
