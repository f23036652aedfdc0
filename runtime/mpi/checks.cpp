// What a failed check says: the routine, the argument, its value and what would have been right.
#include "mpi/checks.h"

#include <cstdio>

#include "error.h"
#include "mpi/session.h"

namespace mpijit::rt {

int32_t open_communicator(const mpijit_site* site, const char* routine, int64_t handle) {
  if (const int32_t failed = begin_session(site, routine))
    return failed;
  if (find_communicator(handle))
    return MPIJIT_OK;
  if (handle == 0)
    return raise(site, routine, MPIJIT_MpiError, "comm is COMM_NULL");
  return raise(site, routine, MPIJIT_MpiError, "comm is no communicator, or one that was freed (handle 0x%llx)",
               static_cast<unsigned long long>(handle));
}

int32_t bad_rank(const mpijit_site* site, const char* routine, const char* name, int64_t value, int size,
                 const char* or_else) {
  return raise(site, routine, MPIJIT_ValueError, "%s is %lld, but comm has %d process%s (0 <= %s < %d%s)", name,
               static_cast<long long>(value), size, size == 1 ? "" : "es", name, size, or_else);
}

int32_t bad_tag(const mpijit_site* site, const char* routine, const char* name, int64_t value, int limit,
                const char* or_else) {
  return raise(site, routine, MPIJIT_ValueError, "%s is %lld, but must be in 0 <= %s <= %d%s", name,
               static_cast<long long>(value), name, limit, or_else);
}

int32_t bad_color(const mpijit_site* site, const char* routine, const char* name, int64_t value) {
  return raise(site, routine, MPIJIT_ValueError, "%s is %lld, but must be in 0 <= %s <= %d, or UNDEFINED", name,
               static_cast<long long>(value), name, INT32_MAX);
}

int32_t no_int(const mpijit_site* site, const char* routine, const char* name, int64_t value) {
  return raise(site, routine, MPIJIT_ValueError, "%s is %lld, but must fit 32 bits", name,
               static_cast<long long>(value));
}

int32_t bad_array(const mpijit_site* site, const char* routine, const char* name, const mpijit_array* array) {
  if (!array)
    return raise(site, routine, MPIJIT_TypeError, "%s is missing; an array is needed", name);
  if (static_cast<uint32_t>(array->dtype) >= MPIJIT_DTYPE_COUNT)
    return raise(site, routine, MPIJIT_TypeError, "%s has an unknown dtype (number %d)", name, array->dtype);
  return raise(site, routine, MPIJIT_ValueError, "%s has %d dimensions, but at most %d are supported", name,
               array->ndim, max_dimensions);
}

int32_t bad_operator(const mpijit_site* site, const char* routine, int64_t op, int32_t dtype) {
  if (static_cast<uint64_t>(op) >= operator_count)
    return raise(site, routine, MPIJIT_ValueError, "op is no operator (number %lld)", static_cast<long long>(op));
  if (op == MPIJIT_SUM && dtypes[dtype].kind == 'b')
    return raise(site, routine, MPIJIT_TypeError,
                 "SUM does not combine bool: use LOR to ask whether any is true, or .astype(np.int64) to count");
  return raise(site, routine, MPIJIT_TypeError, "%s does not combine %s", operators[op].name, dtypes[dtype].name);
}

int32_t read_only(const mpijit_site* site, const char* routine, const char* name) {
  return raise(site, routine, MPIJIT_TypeError, "%s is read-only, but is to be written", name);
}

int32_t self_overlap(const mpijit_site* site, const char* routine, const char* name) {
  return raise(site, routine, MPIJIT_ValueError,
               "%s overlaps itself (a stride of 0, or a window onto itself), so it cannot be written", name);
}

int32_t no_shared_element(const mpijit_site* site, const char* routine, const char* one, const mpijit_array& a,
                          const char* other, const mpijit_array& b) {
  if (!share_element(a, b))
    return MPIJIT_OK;
  return raise(site, routine, MPIJIT_ValueError, "%s and %s share memory, but must not have an element in common", one,
               other);
}

int32_t unlike_arrays(const mpijit_site* site, const char* routine, const mpijit_array& send,
                      const mpijit_array& recv) {
  if (send.dtype != recv.dtype)
    return raise(site, routine, MPIJIT_TypeError, "send is %s, but recv is %s; the dtypes must be the same",
                 dtypes[send.dtype].name, dtypes[recv.dtype].name);
  return raise(site, routine, MPIJIT_ValueError, "send has %lld elements, but recv has %lld; they must be as many",
               static_cast<long long>(element_count(send)), static_cast<long long>(element_count(recv)));
}

int32_t bad_count(const mpijit_site* site, const char* routine, const char* name, int64_t count, int64_t wanted,
                  const char* why) {
  return raise(site, routine, MPIJIT_ValueError, "%s has %lld element%s, but must have %lld: %s", name,
               static_cast<long long>(count), count == 1 ? "" : "s", static_cast<long long>(wanted), why);
}

int32_t no_multiple(const mpijit_site* site, const char* routine, const char* name, int64_t count, int64_t of) {
  return raise(site, routine, MPIJIT_ValueError, "%s has %lld element%s, which %lld blocks do not share evenly", name,
               static_cast<long long>(count), count == 1 ? "" : "s", static_cast<long long>(of));
}

int32_t no_memory(const mpijit_site* site, const char* routine, int64_t bytes) {
  return raise(site, routine, MPIJIT_MemoryError, "unable to allocate %lld bytes", static_cast<long long>(bytes));
}

PackBuffer* room_for(const mpijit_site* site, const char* routine, const mpijit_array& array, int64_t count) {
  const int64_t bytes = count * dtypes[array.dtype].size;
  PackBuffer* buffer = take_pack_buffer_for(array, bytes);
  if (!buffer)
    no_memory(site, routine, bytes);
  return buffer;
}

int32_t mpi_failure(const mpijit_site* site, const char* routine, int code, const char* detail) {
  char text[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0, error_class = MPI_ERR_UNKNOWN;
  MPI_Error_class(code, &error_class);
  MPI_Error_string(code, text, &length);
  raise(site, routine, MPIJIT_MpiError, "%s%s%s", detail, detail[0] ? ": " : "", text);
  error_record().mpi_class = error_class;
  return MPIJIT_MpiError;
}

} // namespace mpijit::rt
