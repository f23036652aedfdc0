// The checks that every routine makes before it enters MPI, about a nanosecond each, and the message that MPI
// is then given. A routine's body is a chain of them: each returns false after recording the error, so
//
//   if (!(call.comm(comm) && call.dest("dest", dest) && ...)) return call.status;
//
// reads as the list of what must hold. What a failed check says lives out of line in checks.cpp.
#pragma once

#include <utility>

#include "array.h"
#include "mpi/handles.h"
#include "mpi/pack.h"

namespace mpijit::rt {

// ---- out of line: each records an error and returns its code; open_communicator may succeed ----

[[gnu::cold]] int32_t open_communicator(const mpijit_site* site, const char* routine, int64_t handle);
[[gnu::cold]] int32_t bad_rank(const mpijit_site* site, const char* routine, const char* name, int64_t value, int size,
                               const char* or_else);
[[gnu::cold]] int32_t bad_tag(const mpijit_site* site, const char* routine, const char* name, int64_t value, int limit,
                              const char* or_else);
[[gnu::cold]] int32_t bad_color(const mpijit_site* site, const char* routine, const char* name, int64_t value);
[[gnu::cold]] int32_t no_int(const mpijit_site* site, const char* routine, const char* name, int64_t value);
[[gnu::cold]] int32_t bad_array(const mpijit_site* site, const char* routine, const char* name,
                                const mpijit_array* array);
[[gnu::cold]] int32_t bad_operator(const mpijit_site* site, const char* routine, int64_t op, int32_t dtype);
[[gnu::cold]] int32_t read_only(const mpijit_site* site, const char* routine, const char* name);
[[gnu::cold]] int32_t self_overlap(const mpijit_site* site, const char* routine, const char* name);
// Records an error unless a and b, whose memory may meet, have no element in common.
int32_t no_shared_element(const mpijit_site* site, const char* routine, const char* one, const mpijit_array& a,
                          const char* other, const mpijit_array& b);
[[gnu::cold]] int32_t unlike_arrays(const mpijit_site* site, const char* routine, const mpijit_array& send,
                                    const mpijit_array& recv);
// As many elements as there are, or a multiple of them: what `count` elements of name ought to be.
[[gnu::cold]] int32_t bad_count(const mpijit_site* site, const char* routine, const char* name, int64_t count,
                                int64_t wanted, const char* why);
[[gnu::cold]] int32_t no_multiple(const mpijit_site* site, const char* routine, const char* name, int64_t count,
                                  int64_t of);
[[gnu::cold]] int32_t no_memory(const mpijit_site* site, const char* routine, int64_t bytes);
// Room for count packed elements of array; null after recording a MemoryError.
PackBuffer* room_for(const mpijit_site* site, const char* routine, const mpijit_array& array, int64_t count);
// MPI's own failure: its class and text. detail, such as "requests[3]", comes first when it is not empty.
[[gnu::cold]] int32_t mpi_failure(const mpijit_site* site, const char* routine, int code, const char* detail);

// ---- messages ----

// What MPI is given for an array: consecutive elements of one datatype, the array's own memory or a packed
// copy.
struct Message {
  void* data; // set, with count and type, by incoming() or outgoing()
  int64_t count;
  MPI_Datatype type;
  PackBuffer* packed = nullptr;

  Message() = default;
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  ~Message() {
    if (packed) [[unlikely]]
      give_back(packed);
  }

  PackBuffer* detach() { return std::exchange(packed, nullptr); }
};

// Routines call the functions of MPI 4 with 64-bit counts (..._c) throughout: measured on MPICH 5 they cost
// the same as the ordinary ones, and large messages then take the path that small ones have tested.

inline int64_t received_bytes(const MPI_Status& status) {
  MPI_Count bytes = 0;
  MPI_Get_count_c(&status, MPI_BYTE, &bytes);
  return bytes;
}

constexpr mpijit_status empty_status = {MPI_ANY_SOURCE, MPI_ANY_TAG, 0, 0};

inline mpijit_status translate(const MPI_Status& status, int32_t dtype) {
  const int64_t bytes = received_bytes(status);
  return {status.MPI_SOURCE, status.MPI_TAG, bytes / dtypes[dtype].size, bytes};
}

// ---- one call ----

class Call {
public:
  Call(const mpijit_site* site, const char* routine) : site(site), routine(routine) {}

  const mpijit_site* const site;
  const char* const routine;
  int32_t status = MPIJIT_OK;
  const Communicator* on = nullptr; // set by comm()

  bool comm(int64_t handle) {
    on = find_communicator(handle);
    if (on) [[likely]]
      return true;
    // Not begun yet (begin, and find it), or not a communicator.
    return passed(open_communicator(site, routine, handle)) && (on = find_communicator(handle));
  }

  bool dest(const char* name, int64_t value) {
    return is_rank(value) || value == MPI_PROC_NULL ||
           passed(bad_rank(site, routine, name, value, on->size, ", or PROC_NULL"));
  }

  bool source(const char* name, int64_t value) {
    return is_rank(value) || value == MPI_ANY_SOURCE || value == MPI_PROC_NULL ||
           passed(bad_rank(site, routine, name, value, on->size, ", ANY_SOURCE or PROC_NULL"));
  }

  bool root(const char* name, int64_t value) {
    return is_rank(value) || passed(bad_rank(site, routine, name, value, on->size, ""));
  }

  bool send_tag(const char* name, int64_t value) {
    return is_tag(value) || passed(bad_tag(site, routine, name, value, on->tag_limit, ""));
  }

  bool recv_tag(const char* name, int64_t value) {
    return is_tag(value) || value == MPI_ANY_TAG ||
           passed(bad_tag(site, routine, name, value, on->tag_limit, ", or ANY_TAG"));
  }

  bool color(const char* name, int64_t value) {
    return (value >= 0 && value <= INT32_MAX) || value == MPI_UNDEFINED ||
           passed(bad_color(site, routine, name, value));
  }

  // A value that MPI takes as a C int.
  bool fits_int(const char* name, int64_t value) {
    return value == static_cast<int>(value) || passed(no_int(site, routine, name, value));
  }

  // An array that is read.
  bool in(const char* name, const mpijit_array* array) {
    return (array && static_cast<uint32_t>(array->dtype) < MPIJIT_DTYPE_COUNT &&
            static_cast<uint32_t>(array->ndim) <= max_dimensions) ||
           passed(bad_array(site, routine, name, array));
  }

  // An array that is written.
  bool out(const char* name, const mpijit_array* array) {
    if (!in(name, array))
      return false;
    if (!(array->flags & MPIJIT_WRITEABLE)) [[unlikely]]
      return passed(read_only(site, routine, name));
    return (array->flags & MPIJIT_C_CONTIGUOUS) || !overlaps_itself(*array) ||
           passed(self_overlap(site, routine, name));
  }

  bool op(int64_t value, int32_t dtype) {
    return (static_cast<uint64_t>(value) < operator_count && (operators[value].dtypes >> dtype & 1)) ||
           passed(bad_operator(site, routine, value, dtype));
  }

  // The message for an array whose elements are sent: packed now unless they are in order.
  bool outgoing(const mpijit_array& array, Message& message) {
    if (!incoming(array, message))
      return false;
    if (message.packed) [[unlikely]]
      pack(array, message.data);
    return true;
  }

  // The message for an array that MPI fills; deliver() then moves packed elements to their places.
  bool incoming(const mpijit_array& array, Message& message) {
    message.data = array.data;
    message.count = element_count(array);
    message.type = datatypes[array.dtype];
    if (is_contiguous(array)) [[likely]]
      return true;
    message.packed = room_for(site, routine, array, message.count);
    if (!message.packed)
      return passed(MPIJIT_MemoryError);
    message.data = message.packed->data();
    return true;
  }

  // Buffers of one call that must not have an element in common. Their messages are at hand, so the usual pair,
  // each in order and nowhere near the other, is told apart by two comparisons.
  bool apart(const char* one, const mpijit_array& a, const Message& as, const char* other, const mpijit_array& b,
             const Message& bs) {
    if (!as.packed && !bs.packed) [[likely]] {
      auto* first = static_cast<const char*>(as.data);
      auto* second = static_cast<const char*>(bs.data);
      if (first + as.count * dtypes[a.dtype].size <= second || second + bs.count * dtypes[b.dtype].size <= first)
        return true;
    }
    return passed(no_shared_element(site, routine, one, a, other, b));
  }

  // As many elements of the same dtype on both sides.
  bool like(const mpijit_array& send, const Message& sent, const mpijit_array& recv, const Message& received) {
    return (send.dtype == recv.dtype && sent.count == received.count) ||
           passed(unlike_arrays(site, routine, send, recv));
  }

  bool same_dtype(const mpijit_array& send, const mpijit_array& recv) {
    return send.dtype == recv.dtype || passed(unlike_arrays(site, routine, send, recv));
  }

  // name has `wanted` elements; `why` says what they are.
  bool counts(const char* name, int64_t count, int64_t wanted, const char* why) {
    return count == wanted || passed(bad_count(site, routine, name, count, wanted, why));
  }

  // name's elements divide evenly among `of` processes.
  bool divides(const char* name, int64_t count, int64_t of) {
    return (of > 0 && count % of == 0) || passed(no_multiple(site, routine, name, count, of));
  }

  void deliver(const mpijit_array& array, const Message& message, int64_t count) {
    if (message.packed) [[unlikely]]
      unpack(array, message.data, count);
  }

  bool mpi(int code) { return code == MPI_SUCCESS || passed(mpi_failure(site, routine, code, "")); }

  bool passed(int32_t code) {
    status = code;
    return code == MPIJIT_OK;
  }

private:
  bool is_rank(int64_t value) const { return static_cast<uint64_t>(value) < static_cast<uint64_t>(on->size); }
  bool is_tag(int64_t value) const { return static_cast<uint64_t>(value) <= static_cast<uint64_t>(on->tag_limit); }
};

} // namespace mpijit::rt
