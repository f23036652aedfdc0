// The loops of bench/run written in C++ as one would by hand: what the compiled kernels are compared with.
// Built as a shared library with g++ -O3 -march=native -ffp-contract=off and called through ctypes.
#include <cstdint>
#include <utility>

extern "C" {

// `sweeps` Jacobi sweeps over the inner points of a C-contiguous rows x columns array, u and v in turn.
void five_point(double* u, double* v, int64_t rows, int64_t columns, int64_t sweeps) {
  for (int64_t sweep = 0; sweep < sweeps; ++sweep) {
    for (int64_t i = 1; i < rows - 1; ++i)
      for (int64_t j = 1; j < columns - 1; ++j)
        v[i * columns + j] = 0.25 * (u[(i - 1) * columns + j] + u[(i + 1) * columns + j] + u[i * columns + j - 1] +
                                     u[i * columns + j + 1]);
    std::swap(u, v);
  }
}
}
