// NumPy's pairwise summation, driven from outside: compiled code computes a block of terms after the other, and the
// tree of partial sums above the blocks is kept here. The recursion it stands for:
//
//   sum(n) = leaf(n) if n <= 128 reals, else sum(h) + sum(n - h), h the multiple of 8 at or below n / 2
//
// as a stack of left halves that wait for their right halves. A block is the largest part of the tree that a buffer
// holds. Knows neither arrays nor what the terms are.
#include "pairwise.h"

#include "array.h"

namespace mpijit::rt {
namespace {

bool is_complex(int32_t dtype) { return dtypes[dtype].kind == 'c'; }

int64_t left_half(int64_t reals) { return reals / 2 / 8 * 8; }

template <class Real> Pair<Real> sum_reals(const Real* terms, int64_t count) {
  if (count <= leaf_reals)
    return {sum_leaf(terms, count), Real(0)};
  const int64_t half = left_half(count);
  const Real left = sum_reals(terms, half).re;
  return {left + sum_reals(terms + half, count - half).re, Real(0)};
}

template <class Real> Pair<Real> sum_complex(const Real* terms, int64_t count) {
  if (count <= leaf_reals)
    return sum_complex_leaf(terms, count);
  const int64_t half = left_half(count);
  const Pair<Real> left = sum_complex(terms, half), right = sum_complex(terms + half, count - half);
  return {left.re + right.re, left.im + right.im};
}

// Goes down to the next block; how many terms that has.
int64_t descend(mpijit_pairwise& state) {
  while (state.pending > MPIJIT_PAIRWISE_REALS) {
    const int64_t half = left_half(state.pending);
    state.stack[state.depth++] = {state.pending - half, 0.0, 0.0};
    state.pending = half;
  }
  return is_complex(state.dtype) ? state.pending / 2 : state.pending;
}

// Joins a sum with the left halves that waited for it. In the dtype's own arithmetic: the stack holds doubles, which
// hold every float32.
template <class Real> int64_t put(mpijit_pairwise& state, Pair<Real> sum) {
  while (state.depth > 0) {
    auto& top = state.stack[state.depth - 1];
    if (top.right) {
      state.pending = top.right;
      top = {0, sum.re, sum.im};
      return descend(state);
    }
    sum = {static_cast<Real>(top.re) + sum.re, static_cast<Real>(top.im) + sum.im};
    --state.depth;
  }
  state.pending = 0;
  state.re = sum.re;
  state.im = sum.im;
  return 0;
}

template <class Real> int64_t add(mpijit_pairwise& state, const void* block) {
  const Real* terms = static_cast<const Real*>(block);
  return put(state, is_complex(state.dtype) ? sum_complex(terms, state.pending) : sum_reals(terms, state.pending));
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int64_t mpijit_pairwise_begin(mpijit_pairwise* state, int64_t count, int32_t dtype) {
  state->re = state->im = -0.0;
  state->dtype = dtype;
  state->depth = 0;
  state->pending = is_complex(dtype) ? 2 * count : count;
  return descend(*state);
}

int64_t mpijit_pairwise_add(mpijit_pairwise* state, const void* terms) {
  const bool is_single = state->dtype == MPIJIT_Float32 || state->dtype == MPIJIT_Complex64;
  return is_single ? add<float>(*state, terms) : add<double>(*state, terms);
}
