// The sum of at most 128 reals, the leaf of NumPy's pairwise summation. Knows nothing of the tree above it.
#pragma once

#include <cstdint>

namespace mpijit::rt {

inline constexpr int64_t leaf_reals = 128;

template <class Real> struct Pair { Real re, im; };

// Of count reals, of which term(i) is the i-th: eight accumulators, then the rest in order.
template <class Real, class Term> Real sum_leaf_of(Term term, int64_t count) {
  if (count < 8) {
    Real sum = Real(-0.0); // the one number that changes no other, not even -0.0
    for (int64_t i = 0; i < count; ++i)
      sum += term(i);
    return sum;
  }
  Real r[8];
  for (int k = 0; k < 8; ++k)
    r[k] = term(k);
  int64_t i = 8;
  for (; i < count - count % 8; i += 8)
    for (int k = 0; k < 8; ++k)
      r[k] += term(i + k);
  Real sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < count; ++i)
    sum += term(i);
  return sum;
}

template <class Real> Real sum_leaf(const Real* terms, int64_t count) {
  return sum_leaf_of<Real>([terms](int64_t i) { return terms[i]; }, count);
}

// Of complex numbers: count reals, real and imaginary parts in turn.
template <class Real> Pair<Real> sum_complex_leaf(const Real* terms, int64_t count) {
  Pair<Real> sum = {Real(-0.0), Real(-0.0)};
  int64_t i = 0;
  if (count >= 8) {
    Real r[8];
    for (int k = 0; k < 8; ++k)
      r[k] = terms[k];
    for (i = 8; i < count - count % 8; i += 8)
      for (int k = 0; k < 8; ++k)
        r[k] += terms[i + k];
    sum = {(r[0] + r[2]) + (r[4] + r[6]), (r[1] + r[3]) + (r[5] + r[7])};
  }
  for (; i < count; i += 2) {
    sum.re += terms[i];
    sum.im += terms[i + 1];
  }
  return sum;
}

} // namespace mpijit::rt
