// What can be asked of an array descriptor: its elements, its extent in memory, and whether elements
// coincide. Knows neither MPI nor who owns the memory.
#pragma once

#include "mpijit/runtime.h"

namespace mpijit::rt {

constexpr int max_dimensions = 64; // NumPy's own limit

struct Dtype {
  const char* name; // NumPy's
  char kind;        // of dtypes.inc
  int32_t size;     // bytes
};

inline constexpr Dtype dtypes[] = {
#define DTYPE(id, numpy, kind, size, c_type, mpi) {#numpy, #kind[0], size},
#include "mpijit/dtypes.inc"
#undef DTYPE
};

inline int64_t element_count(const mpijit_array& array) {
  if (array.ndim == 1) [[likely]]
    return array.shape[0];
  int64_t count = 1;
  for (int32_t axis = 0; axis < array.ndim; ++axis)
    count *= array.shape[axis];
  return count;
}

// The value of an element of an integer dtype or of bool; a uint64 beyond int64 comes out negative.
int64_t load_integer(const char* at, const Dtype& dtype);

// Are the elements one after the other in C order, whatever the flag says?
bool elements_in_order(const mpijit_array& array);

inline bool is_contiguous(const mpijit_array& array) {
  return (array.flags & MPIJIT_C_CONTIGUOUS) || elements_in_order(array);
}

// The bytes from the first to the last element; begin == end when there is none.
struct Interval {
  const char* begin;
  const char* end;
};

inline Interval interval(const mpijit_array& array) {
  const char* begin = static_cast<const char*>(array.data);
  const char* end = begin + dtypes[array.dtype].size;
  for (int32_t axis = 0; axis < array.ndim; ++axis) {
    if (array.shape[axis] == 0)
      return {begin, begin};
    const int64_t reach = (array.shape[axis] - 1) * array.strides[axis];
    (reach < 0 ? begin : end) += reach;
  }
  return {begin, end};
}

inline bool meet(const Interval& a, const Interval& b) {
  return a.begin < b.end && b.begin < a.end && a.begin < a.end && b.begin < b.end;
}

// Does each stride span at least everything below it? True of every slice and transpose of an ordinary array. Such an
// array does not overlap itself, and a nest ordered by its strides visits it in the order of addresses.
bool strides_dominate(const mpijit_array& array);
// Do two different indices of array name the same byte (stride 0, windows, ...)?
bool overlaps_itself(const mpijit_array& array);
// Do a and b, whose intervals meet, have a byte of an element in common? Interleaved views do not.
bool elements_coincide(const mpijit_array& a, const mpijit_array& b);
// Both tests are exact up to a fixed amount of work (see overlap.cpp); layouts that need more count as overlapping.

inline bool share_element(const mpijit_array& a, const mpijit_array& b) {
  return meet(interval(a), interval(b)) && elements_coincide(a, b);
}

} // namespace mpijit::rt
