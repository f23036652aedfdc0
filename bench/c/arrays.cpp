// The array statements of arrays.py as loops written by hand, one nest a statement, over C-contiguous arrays. Built as
// a shared library with g++ -O3 -march=native -ffp-contract=off and called through ctypes.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

namespace {

void jacobi(const double* __restrict u, double* __restrict v, int64_t n, int64_t m) {
  for (int64_t i = 1; i < n - 1; ++i)
    for (int64_t j = 1; j < m - 1; ++j) {
      const double* p = u + i * m + j;
      v[i * m + j] = 0.2 * (p[0] + p[-1] + p[1] + p[m] + p[-m]);
    }
}

void heat(const double* __restrict u, double* __restrict v, int64_t n) {
  const int64_t row = n, plane = n * n;
  for (int64_t i = 1; i < n - 1; ++i)
    for (int64_t j = 1; j < n - 1; ++j)
      for (int64_t k = 1; k < n - 1; ++k) {
        const double* p = u + i * plane + j * row + k;
        v[i * plane + j * row + k] = 0.125 * (p[plane] - 2.0 * p[0] + p[-plane]) +
                                     0.125 * (p[row] - 2.0 * p[0] + p[-row]) + 0.125 * (p[1] - 2.0 * p[0] + p[-1]) +
                                     p[0];
      }
}

// NumPy's pairwise sum: eight partial sums in a leaf, halves above it.
template <class Term> double pairwise(const Term& term, int64_t first, int64_t count) {
  if (count > 128) {
    const int64_t half = count / 2 / 8 * 8;
    const double left = pairwise(term, first, half);
    return left + pairwise(term, first + half, count - half);
  }
  int64_t i = 0;
  double sum = -0.0;
  if (count >= 8) {
    double r[8];
    for (int k = 0; k < 8; ++k)
      r[k] = term(first + k);
    for (i = 8; i < count - count % 8; i += 8)
      for (int k = 0; k < 8; ++k)
        r[k] += term(first + i + k);
    sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  }
  for (; i < count; ++i)
    sum += term(first + i);
  return sum;
}

// The greatest of the terms, in sixteen lanes; NaN if one is.
template <class Term> double greatest(const Term& term, int64_t count) {
  double lanes[16], nans[16] = {}; // nans: how many
  for (double& lane : lanes)
    lane = term(0);
  const auto take = [&](int64_t i, int k) {
    const double x = term(i);
    lanes[k] = x > lanes[k] ? x : lanes[k];
    nans[k] += x == x ? 0.0 : 1.0;
  };
  int64_t i = 0;
  for (; i + 16 <= count; i += 16)
    for (int k = 0; k < 16; ++k)
      take(i + k, k);
  for (; i < count; ++i)
    take(i, 0);
  for (int k = 1; k < 16; ++k) {
    lanes[0] = lanes[k] > lanes[0] ? lanes[k] : lanes[0];
    nans[0] += nans[k];
  }
  return nans[0] > 0.0 ? std::numeric_limits<double>::quiet_NaN() : lanes[0];
}

} // namespace

extern "C" {

void distance(double* __restrict a, const double* __restrict b, double* __restrict out, int64_t n, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    out[0] = 0.0 + pairwise([=](int64_t i) { return (a[i] - b[i]) * (a[i] - b[i]); }, 0, n);
    a[step] = 1.0 / out[0];
  }
}

void extremes(double* __restrict a, const double* __restrict b, double* __restrict out, int64_t n, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    out[0] = greatest([=](int64_t i) { return std::fabs(a[i] - b[i]); }, n);
    out[1] = -greatest([=](int64_t i) { return -a[i]; }, n);
    a[step] = 0.5 * (out[0] + out[1]);
  }
}

void jacobi_2d(double* u, double* v, int64_t n, int64_t m, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    jacobi(u, v, n, m);
    jacobi(v, u, n, m);
  }
}

void heat_3d(double* u, double* v, int64_t n, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    heat(u, v, n);
    heat(v, u, n);
  }
}

void fdtd_2d(double* __restrict ex, double* __restrict ey, double* __restrict hz, int64_t n, int64_t m, int64_t steps) {
  for (int64_t step = 0; step < steps; ++step) {
    for (int64_t j = 0; j < m; ++j)
      ey[j] = static_cast<double>(step);
    for (int64_t i = 1; i < n; ++i)
      for (int64_t j = 0; j < m; ++j)
        ey[i * m + j] -= 0.5 * (hz[i * m + j] - hz[(i - 1) * m + j]);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 1; j < m; ++j)
        ex[i * m + j] -= 0.5 * (hz[i * m + j] - hz[i * m + j - 1]);
    for (int64_t i = 0; i < n - 1; ++i)
      for (int64_t j = 0; j < m - 1; ++j)
        hz[i * m + j] -= 0.7 * (ex[i * m + j + 1] - ex[i * m + j] + ey[(i + 1) * m + j] - ey[i * m + j]);
  }
}

// field is (n + 4) x (m + 4) x depth; weight and out n x m x depth. The temporaries are of this call.
void diffuse(const double* __restrict field, const double* __restrict weight, double* __restrict out, int64_t n,
             int64_t m, int64_t depth) {
  const int64_t row = depth, plane = (m + 4) * depth; // of field
  const int64_t lap_plane = (m + 2) * depth;          // of lap
  const int64_t x_plane = m * depth;                  // of flux_x, weight and out
  const int64_t y_plane = (m + 1) * depth;            // of flux_y
  const std::unique_ptr<double[]> laps(new double[(n + 2) * lap_plane]), xs(new double[(n + 1) * x_plane]),
      ys(new double[n * y_plane]);
  double* __restrict lap = laps.get(), * __restrict flux_x = xs.get(), * __restrict flux_y = ys.get();
  for (int64_t i = 0; i < n + 2; ++i)
    for (int64_t j = 0; j < m + 2; ++j)
      for (int64_t k = 0; k < depth; ++k) {
        const double* f = field + (i + 1) * plane + (j + 1) * row + k;
        lap[i * lap_plane + j * row + k] = 4.0 * f[0] - (f[plane] + f[-plane] + f[row] + f[-row]);
      }
  for (int64_t i = 0; i < n + 1; ++i)
    for (int64_t j = 0; j < m; ++j)
      for (int64_t k = 0; k < depth; ++k) {
        const double* f = field + (i + 1) * plane + (j + 2) * row + k;
        const double* l = lap + i * lap_plane + (j + 1) * row + k;
        const double along = l[lap_plane] - l[0];
        flux_x[i * x_plane + j * row + k] = along * (f[plane] - f[0]) > 0.0 ? 0.0 : along;
      }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m + 1; ++j)
      for (int64_t k = 0; k < depth; ++k) {
        const double* f = field + (i + 2) * plane + (j + 1) * row + k;
        const double* l = lap + (i + 1) * lap_plane + j * row + k;
        const double across = l[row] - l[0];
        flux_y[i * y_plane + j * row + k] = across * (f[row] - f[0]) > 0.0 ? 0.0 : across;
      }
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      for (int64_t k = 0; k < depth; ++k) {
        const int64_t at = i * x_plane + j * row + k;
        const double* y = flux_y + i * y_plane + j * row + k;
        out[at] = field[(i + 2) * plane + (j + 2) * row + k] -
                  weight[at] * (flux_x[at + x_plane] - flux_x[at] + y[row] - y[0]);
      }
}
}
