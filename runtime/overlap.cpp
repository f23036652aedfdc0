// Whether elements of strided arrays coincide: exact, not by intervals, so that the interleaved columns of a
// halo exchange pass and a window onto itself does not. Knows shapes and strides only.
//
// Both questions are one: has  f1*x1 + ... + fn*xn = target  a solution in integers 0 <= xi <= most_i, all fi
// > 0? (NumPy's np.shares_memory asks the same; its mem_overlap.c cites the literature.) Depth-first over the
// factors, largest first; a branch is entered only if the smaller factors can reach the rest and their
// greatest common divisor divides it. For arrays whose strides dominate one another, i.e. slices, transposes
// and reshapes of ordinary arrays, two or three candidates remain per factor. In general the problem is
// NP-hard, so the work is bounded.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "array.h"

namespace mpijit::rt {
namespace {

constexpr int max_steps = 100'000; // about 0.3 ms

struct Term {
  int64_t factor;
  int64_t most;
};

struct Equation {
  int count = 0;
  int64_t target = 0;
  Term terms[2 * max_dimensions + 2];
  int64_t reach[2 * max_dimensions + 3];   // the largest sum of the terms from here on
  int64_t divisor[2 * max_dimensions + 3]; // their greatest common divisor, 0 for none
  int steps = 0;

  void add(int64_t factor, int64_t most) {
    if (factor > 0 && most > 0)
      terms[count++] = {factor, most};
  }

  bool has_solution() {
    if (target < 0)
      return false;
    std::sort(terms, terms + count, [](const Term& a, const Term& b) { return a.factor > b.factor; });
    int merged = 0;
    for (int i = 0; i < count; ++i) {
      if (merged && terms[merged - 1].factor == terms[i].factor) {
        terms[merged - 1].most += terms[i].most;
      } else {
        terms[merged++] = terms[i];
      }
    }
    count = merged;
    reach[count] = divisor[count] = 0;
    for (int i = count - 1; i >= 0; --i) {
      reach[i] = reach[i + 1] + terms[i].factor * terms[i].most;
      divisor[i] = std::gcd(divisor[i + 1], terms[i].factor);
    }
    return reachable(0, target) && search(0, target);
  }

private:
  bool reachable(int from, int64_t rest) const {
    return rest <= reach[from] && (divisor[from] ? rest % divisor[from] == 0 : rest == 0);
  }

  bool search(int from, int64_t rest) {
    if (from == count)
      return true; // reachable() said that rest is 0
    const Term& term = terms[from];
    const int64_t excess = rest - reach[from + 1];
    const int64_t least = excess > 0 ? (excess + term.factor - 1) / term.factor : 0;
    const int64_t most = std::min(term.most, rest / term.factor);
    for (int64_t x = least; x <= most; ++x) {
      if (++steps > max_steps)
        return true;
      const int64_t left = rest - term.factor * x;
      if (reachable(from + 1, left) && search(from + 1, left))
        return true;
    }
    return false;
  }
};

} // namespace

bool strides_dominate(const mpijit_array& array) {
  Term axes[max_dimensions];
  int count = 0;
  for (int32_t axis = 0; axis < array.ndim; ++axis)
    if (array.shape[axis] > 1)
      axes[count++] = {std::abs(array.strides[axis]), array.shape[axis] - 1};
  std::sort(axes, axes + count, [](const Term& a, const Term& b) { return a.factor < b.factor; });
  int64_t span = dtypes[array.dtype].size;
  for (int i = 0; i < count; ++i) {
    if (axes[i].factor < span)
      return false;
    span += axes[i].factor * axes[i].most;
  }
  return true;
}

bool overlaps_itself(const mpijit_array& array) {
  const int64_t size = dtypes[array.dtype].size;
  if (element_count(array) < 2 || (array.ndim > 1 && strides_dominate(array)))
    return false;
  if (array.ndim == 1)
    return std::abs(array.strides[0]) < size;
  // Two indices differ first on some axis, there by 1 .. n-1, on later axes by -(n-1) .. n-1, and their
  // elements are less than size bytes apart. Signs of strides do not matter: the ranges of the differences
  // are symmetric.
  for (int32_t first = 0; first < array.ndim; ++first) {
    if (array.shape[first] < 2)
      continue;
    Equation equation;
    equation.target = size - 1 - std::abs(array.strides[first]);
    equation.add(std::abs(array.strides[first]), array.shape[first] - 2);
    equation.add(1, 2 * size - 2);
    for (int32_t axis = first + 1; axis < array.ndim; ++axis) {
      const int64_t stride = std::abs(array.strides[axis]), most = array.shape[axis] - 1;
      equation.target += stride * most;
      equation.add(stride, 2 * most);
    }
    if (equation.has_solution())
      return true;
  }
  return false;
}

bool elements_coincide(const mpijit_array& a, const mpijit_array& b) {
  // Count a's offsets from its lowest byte upwards and b's from its highest downwards: all factors are then
  // positive.
  Equation equation;
  equation.target = interval(b).end - 1 - interval(a).begin;
  for (const mpijit_array* array : {&a, &b}) {
    equation.add(1, dtypes[array->dtype].size - 1);
    for (int32_t axis = 0; axis < array->ndim; ++axis)
      equation.add(std::abs(array->strides[axis]), array->shape[axis] - 1);
  }
  return equation.has_solution();
}

} // namespace mpijit::rt
