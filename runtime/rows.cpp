// The slow way through an array statement: its arrays as a table of addresses and strides, put in an order in which
// nothing is read after it was written, and walked row by row. Knows layouts only; the row is compiled code.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "array.h"

namespace mpijit::rt {
namespace {

struct Rows {
  int64_t* words;
  int64_t ndim, count;

  int64_t& length(int64_t axis) const { return words[axis]; }
  int64_t& data(int64_t walk) const { return words[ndim + walk * (ndim + 1)]; }
  int64_t& stride(int64_t walk, int64_t axis) const { return words[ndim + walk * (ndim + 1) + 1 + axis]; }
  int64_t& index(int64_t axis) const { return words[ndim + count * (ndim + 1) + axis]; }

  mpijit_array array(int64_t walk, int32_t dtype) const {
    return {reinterpret_cast<void*>(data(walk)), words,           &stride(walk, 0), nullptr, dtype,
            static_cast<int32_t>(ndim),          MPIJIT_WRITEABLE};
  }

  void swap(int64_t a, int64_t b) const {
    std::swap(length(a), length(b));
    for (int64_t walk = 0; walk < count; ++walk)
      std::swap(stride(walk, a), stride(walk, b));
  }
  void turn(int64_t axis) const {
    for (int64_t walk = 0; walk < count; ++walk) {
      data(walk) += (length(axis) - 1) * stride(walk, axis);
      stride(walk, axis) = -stride(walk, axis);
    }
  }
};

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_arrange(int64_t* words, int64_t ndim, int64_t count, const int32_t* dtypes) {
  const Rows rows{words, ndim, count};
  const int64_t target = count - 1;
  std::vector<mpijit_array> leaves;
  std::vector<const mpijit_array*> pointers;
  leaves.reserve(static_cast<size_t>(count));
  for (int64_t walk = 0; walk < count; ++walk)
    leaves.push_back(rows.array(walk, dtypes[walk]));
  for (int64_t walk = 0; walk < target; ++walk)
    pointers.push_back(&leaves[static_cast<size_t>(walk)]);
  const int32_t order = mpijit_overlap(&leaves.back(), pointers.data(), target);
  if (order == MPIJIT_TEMPORARY)
    return order;
  for (int64_t last = ndim - 1; last > 0; --last)
    for (int64_t axis = 0; axis < last; ++axis)
      if (std::abs(rows.stride(target, axis)) < std::abs(rows.stride(target, axis + 1)))
        rows.swap(axis, axis + 1);
  for (int64_t axis = 0; axis < ndim; ++axis)
    if ((rows.stride(target, axis) < 0) != (order == MPIJIT_DESCENDING))
      rows.turn(axis);
  return order;
}

int32_t mpijit_next_row(int64_t* words, int64_t ndim, int64_t count) {
  const Rows rows{words, ndim, count};
  for (int64_t axis = ndim - 2; axis >= 0; --axis) {
    const bool more = ++rows.index(axis) < rows.length(axis);
    const int64_t steps = more ? 1 : 1 - rows.length(axis);
    for (int64_t walk = 0; walk < count; ++walk)
      rows.data(walk) += steps * rows.stride(walk, axis);
    if (more)
      return 1;
    rows.index(axis) = 0;
  }
  return 0;
}
