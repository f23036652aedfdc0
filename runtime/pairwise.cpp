// NumPy's pairwise summation, driven from outside: compiled code computes the terms of one leaf after the other, and
// the tree of partial sums above the leaves is kept here. The recursion it stands for:
//
//   sum(n) = leaf(n) if n <= 128 reals, else sum(h) + sum(n - h), h the multiple of 8 at or below n / 2
//
// as a stack of left halves that wait for their right halves. Knows neither arrays nor what the terms are.
#include "pairwise.h"

#include "array.h"

namespace mpijit::rt {
namespace {

bool is_complex(const mpijit_pairwise& state) { return dtypes[state.dtype].kind == 'c'; }
bool is_single(const mpijit_pairwise& state) {
  return state.dtype == MPIJIT_Float32 || state.dtype == MPIJIT_Complex64;
}

// Joins a sum with the left halves that waited for it. In the dtype's own arithmetic: the stack holds doubles, which
// hold every float32.
template <class Real> void put(mpijit_pairwise& state, Real re, Real im) {
  while (state.depth > 0) {
    auto& top = state.stack[state.depth - 1];
    if (top.right) {
      state.pending = top.right;
      top = {0, re, im};
      return;
    }
    re = static_cast<Real>(top.re) + re;
    im = static_cast<Real>(top.im) + im;
    --state.depth;
  }
  state.pending = 0;
  state.re = re;
  state.im = im;
}

template <class Real> void put_terms(mpijit_pairwise& state, const Real* terms) {
  if (is_complex(state)) {
    const Pair<Real> sum = sum_complex_leaf(terms, state.pending);
    put(state, sum.re, sum.im);
  } else {
    put(state, sum_leaf(terms, state.pending), Real(0));
  }
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

void mpijit_pairwise_begin(mpijit_pairwise* state, int64_t count, int32_t dtype) {
  state->re = state->im = -0.0;
  state->dtype = dtype;
  state->depth = 0;
  state->pending = is_complex(*state) ? 2 * count : count;
}

int64_t mpijit_pairwise_next(mpijit_pairwise* state) {
  while (state->pending > leaf_reals) {
    const int64_t half = state->pending / 2 / 8 * 8;
    state->stack[state->depth++] = {state->pending - half, 0.0, 0.0};
    state->pending = half;
  }
  return is_complex(*state) ? state->pending / 2 : state->pending;
}

void mpijit_pairwise_put(mpijit_pairwise* state, double re, double im) {
  if (is_single(*state))
    put(*state, static_cast<float>(re), static_cast<float>(im));
  else
    put(*state, re, im);
}

void mpijit_pairwise_put_terms(mpijit_pairwise* state, const void* terms) {
  if (is_single(*state))
    put_terms(*state, static_cast<const float*>(terms));
  else
    put_terms(*state, static_cast<const double*>(terms));
}
