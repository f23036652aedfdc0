// The driven sum against the recursion it stands for, bit by bit. That NumPy's is this recursion, the Python tests of
// sums show.
#include <cmath>
#include <random>

#include "support.h"

using namespace mpijit::test;

namespace {

template <class Real> struct Sum { Real re, im; };

// The definition. Terms are reals, or complex numbers as pairs of reals; count counts reals.
template <class Real> Sum<Real> recursive(const Real* terms, int64_t count, bool complex) {
  const int step = complex ? 2 : 1;
  if (count < 8) {
    Sum<Real> sum = {Real(-0.0), Real(-0.0)};
    for (int64_t i = 0; i < count; i += step) {
      sum.re = sum.re + terms[i];
      sum.im = complex ? sum.im + terms[i + 1] : sum.im;
    }
    return sum;
  }
  if (count <= 128) {
    std::vector<Real> r(terms, terms + 8);
    int64_t i = 8;
    for (; i + 8 <= count; i += 8)
      for (int k = 0; k < 8; ++k)
        r[k] = r[k] + terms[i + k];
    Sum<Real> sum = {((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7])), Real(-0.0)};
    if (complex)
      sum = {(r[0] + r[2]) + (r[4] + r[6]), (r[1] + r[3]) + (r[5] + r[7])};
    for (; i < count; i += step) {
      sum.re = sum.re + terms[i];
      sum.im = complex ? sum.im + terms[i + 1] : sum.im;
    }
    return sum;
  }
  const int64_t half = count / 2 - count / 2 % 8;
  const Sum<Real> left = recursive(terms, half, complex), right = recursive(terms + half, count - half, complex);
  return {left.re + right.re, left.im + right.im};
}

// Each block in a buffer of its own, so that a sanitizer sees what is read behind it.
template <class Real> Sum<Real> driven(const Real* terms, int64_t count, int32_t dtype, bool complex) {
  mpijit_pairwise state;
  int64_t done = 0;
  for (int64_t n = mpijit_pairwise_begin(&state, count, dtype); n;) {
    const int64_t reals = complex ? 2 * n : n;
    EXPECT_LE(reals, MPIJIT_PAIRWISE_REALS);
    const std::vector<Real> block(terms + done, terms + done + reals);
    n = mpijit_pairwise_add(&state, block.data());
    done += reals;
  }
  EXPECT_EQ(done, complex ? 2 * count : count);
  return {static_cast<Real>(state.re), static_cast<Real>(state.im)};
}

template <class Real> void compare(int32_t dtype, bool complex) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-8, 8);
  std::vector<Real> terms(300'000);
  for (Real& term : terms)
    term = static_cast<Real>(mantissa(random) * std::pow(10, exponent(random)));
  std::vector<int64_t> counts;
  for (int64_t n = 0; n < 2100; ++n)
    counts.push_back(n);
  for (const int64_t n : {2047, 2048, 2049, 8191, 8192, 8193, 99'999, 150'000})
    counts.push_back(n);
  int differ_from_plain = 0;
  for (const int64_t n : counts) {
    const Sum<Real> expected = recursive(terms.data(), complex ? 2 * n : n, complex);
    const Sum<Real> sum = driven(terms.data(), n, dtype, complex);
    ASSERT_EQ(sum.re, expected.re) << n << " terms";
    ASSERT_EQ(std::signbit(sum.re), std::signbit(expected.re));
    if (complex) {
      ASSERT_EQ(sum.im, expected.im) << n << " terms";
    }
    Real plain = 0;
    for (int64_t i = 0; i < n; ++i)
      plain += terms[complex ? 2 * i : i];
    differ_from_plain += plain != expected.re;
  }
  EXPECT_GT(differ_from_plain, 500); // else the order would not matter and this test show nothing
}

} // namespace

TEST(Pairwise, Float32) { compare<float>(MPIJIT_Float32, false); }
TEST(Pairwise, Float64) { compare<double>(MPIJIT_Float64, false); }
TEST(Pairwise, Complex64) { compare<float>(MPIJIT_Complex64, true); }
TEST(Pairwise, Complex128) { compare<double>(MPIJIT_Complex128, true); }

TEST(Pairwise, OfNothingIsTheNeutralElement) {
  mpijit_pairwise state;
  EXPECT_EQ(mpijit_pairwise_begin(&state, 0, MPIJIT_Float64), 0);
  EXPECT_TRUE(std::signbit(state.re) && state.re == 0.0);
}

TEST(Pairwise, HasRoomForAnyLength) {
  mpijit_pairwise state;
  EXPECT_GT(mpijit_pairwise_begin(&state, INT64_MAX / 2, MPIJIT_Complex128), 0);
  EXPECT_LE(state.depth, static_cast<int32_t>(std::size(state.stack)));
}
