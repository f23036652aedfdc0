#include "mpi/operator.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "error.h"
#include "mpi/checks.h"
#include "mpi/session.h"

namespace mpijit::rt {
namespace {

std::mutex making;
thread_local std::unique_ptr<mpijit_error> failure;

} // namespace

int32_t take_operator_failure() {
  if (!failure) [[likely]]
    return MPIJIT_OK;
  error_record() = *failure;
  failure.reset();
  return error_record().code;
}

void free_operators() {
  for (uint32_t k = MPIJIT_OPERATOR_COUNT; k < operator_count; ++k)
    for (MPI_Op& op : operators[k].mpi)
      if (op != MPI_OP_NULL)
        MPI_Op_free(&op);
}

} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_operator_new(const char* name, int64_t* result) {
  const std::scoped_lock only(making);
  if (operator_count == operator_capacity)
    return raise(nullptr, "op", MPIJIT_RuntimeError, "there are %u operators already", operator_capacity);
  Operator& made = operators[operator_count];
  std::fill(std::begin(made.mpi), std::end(made.mpi), MPI_OP_NULL);
  made.dtypes = 0;
  made.name = strdup(name); // for messages, to the end of the process
  *result = operator_count++;
  return MPIJIT_OK;
}

int32_t mpijit_operator_define(int64_t op, int32_t dtype, mpijit_combine function, int32_t commute) {
  Call call(nullptr, "op");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  const std::scoped_lock only(making);
  Operator& row = operators[op];
  if (row.dtypes >> dtype & 1)
    return MPIJIT_OK;
  auto* user = reinterpret_cast<MPI_User_function_c*>(reinterpret_cast<void*>(function));
  if (call.mpi(MPI_Op_create_c(user, commute, &row.mpi[dtype])))
    row.dtypes |= 1u << dtype;
  return call.status;
}

int32_t mpijit_operator_defined(int64_t op, int32_t dtype) { return operators[op].dtypes >> dtype & 1; }

void mpijit_operator_failed(int32_t status) {
  if (status == MPIJIT_OK || failure) // the first one is kept
    return;
  failure = std::make_unique<mpijit_error>(error_record());
  failure->code = status;
}
