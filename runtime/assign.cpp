// What an array statement needs before and beside its loop: whether it may read what it writes, and the plain copy.
// Knows layouts only; the loop itself is compiled code.
#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "array.h"

namespace mpijit::rt {
namespace {

// ---- overlap ----

// Do both visit the same places for the same index? A stride counts only where there is a second index.
bool same_steps(const mpijit_array& a, const mpijit_array& b) {
  for (int32_t axis = 0; axis < a.ndim; ++axis)
    if (a.shape[axis] > 1 && a.strides[axis] != b.strides[axis])
      return false;
  return dtypes[a.dtype].size == dtypes[b.dtype].size;
}

// ---- copy ----

// The axes of a copy, outermost first, so that the target's addresses grow: sorted by its strides, negative ones
// turned round (in both arrays), those of length 1 dropped, neighbours that are regular in both joined.
struct CopyNest {
  struct Axis {
    int64_t length, to, from;
  };

  char* to;
  const char* from;
  int count = 0;
  Axis axes[max_dimensions];

  CopyNest(const mpijit_array& target, const mpijit_array& source)
      : to(static_cast<char*>(target.data)), from(static_cast<const char*>(source.data)) {
    for (int32_t i = 0; i < target.ndim; ++i) {
      Axis axis = {target.shape[i], target.strides[i], source.strides[i]};
      if (axis.length == 1)
        continue;
      if (axis.to < 0) {
        to += (axis.length - 1) * axis.to;
        from += (axis.length - 1) * axis.from;
        axis.to = -axis.to;
        axis.from = -axis.from;
      }
      axes[count++] = axis;
    }
    std::stable_sort(axes, axes + count, [](const Axis& a, const Axis& b) { return a.to > b.to; });
    int joined = 0;
    for (int i = 0; i < count; ++i) {
      Axis& outer = axes[std::max(joined - 1, 0)];
      const Axis inner = axes[i];
      if (joined && outer.to == inner.length * inner.to && outer.from == inner.length * inner.from) {
        outer = {outer.length * inner.length, inner.to, inner.from};
      } else {
        axes[joined++] = inner;
      }
    }
    count = joined;
    if (count == 0)
      axes[count++] = {1, 0, 0};
  }
};

struct Pair64 {
  uint64_t low, high;
};

// Elements may lie at any address, so they move by memcpy of a constant size, which compiles to a move.
template <typename Element> void copy_row(char* to, const char* from, const CopyNest::Axis& axis) {
  if (axis.to == sizeof(Element) && axis.from == sizeof(Element)) {
    std::memcpy(to, from, axis.length * sizeof(Element));
    return;
  }
  for (int64_t i = 0; i < axis.length; ++i)
    std::memcpy(to + i * axis.to, from + i * axis.from, sizeof(Element));
}

template <typename Element> void copy_all(CopyNest& nest) {
  const int inner = nest.count - 1;
  int64_t index[max_dimensions];
  std::fill_n(index, inner, int64_t{0});
  for (;;) {
    copy_row<Element>(nest.to, nest.from, nest.axes[inner]);
    int i = inner - 1;
    for (; i >= 0; --i) {
      const CopyNest::Axis& axis = nest.axes[i];
      nest.to += axis.to;
      nest.from += axis.from;
      if (++index[i] < axis.length)
        break;
      nest.to -= axis.to * axis.length;
      nest.from -= axis.from * axis.length;
      index[i] = 0;
    }
    if (i < 0)
      return;
  }
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_overlap(const mpijit_array* target, const mpijit_array* const* leaves, int64_t count) {
  if (element_count(*target) < 2)
    return MPIJIT_ANY_ORDER; // one element is read whole before it is written
  const Interval written = interval(*target);
  int32_t order = MPIJIT_ANY_ORDER;
  for (int64_t i = 0; i < count; ++i) {
    const mpijit_array& leaf = *leaves[i];
    if (!meet(written, interval(leaf)))
      continue;
    const bool in_step = same_steps(*target, leaf);
    if (in_step && leaf.data == target->data && !overlaps_itself(*target))
      continue;
    if (!elements_coincide(*target, leaf))
      continue;
    // Domination makes the address grow in the ascending nest, and keeps the target off itself. A leaf in step
    // then lies ahead of, or behind, every element by the same distance.
    if (!in_step || !strides_dominate(*target))
      return MPIJIT_TEMPORARY;
    const int32_t needed = leaf.data > target->data ? MPIJIT_ASCENDING : MPIJIT_DESCENDING;
    if (order != MPIJIT_ANY_ORDER && order != needed)
      return MPIJIT_TEMPORARY;
    order = needed;
  }
  return order;
}

void mpijit_copy(const mpijit_array* target, const mpijit_array* source) {
  if (element_count(*target) == 0)
    return;
  CopyNest nest(*target, *source);
  switch (dtypes[target->dtype].size) {
  case 1: return copy_all<uint8_t>(nest);
  case 2: return copy_all<uint16_t>(nest);
  case 4: return copy_all<uint32_t>(nest);
  case 8: return copy_all<uint64_t>(nest);
  default: return copy_all<Pair64>(nest); // pack.cpp asserts that there is no other size
  }
}
