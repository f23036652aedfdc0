// A matrix in memory, and the products that need no BLAS. Knows neither BLAS nor NumPy's choice of routine.
#pragma once

#include <cstring>
#include <memory>

#include "array.h"
#include "linalg/blas.h"

namespace mpijit::rt {

// Steps in bytes. An operand of one dimension is a row on the left of a product and a column on its right.
struct Matrix {
  char* data;
  int64_t rows, columns;
  int64_t row_step, column_step;

  Matrix transposed() const { return {data, columns, rows, column_step, row_step}; }
  template <class T> T get(int64_t row, int64_t column) const {
    T value;
    std::memcpy(&value, data + row * row_step + column * column_step, sizeof value);
    return value;
  }
};

inline Matrix left_operand(const mpijit_array& a) {
  char* data = static_cast<char*>(a.data);
  if (a.ndim == 1)
    return {data, 1, a.shape[0], 0, a.strides[0]};
  return {data, a.shape[0], a.shape[1], a.strides[0], a.strides[1]};
}

inline Matrix right_operand(const mpijit_array& b) {
  return b.ndim == 1 ? left_operand(b).transposed() : left_operand(b);
}

// A copy of a matrix by rows, or by columns, and its memory.
struct Packed {
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, Free> memory;

  // Points matrix at the copy; false when there is no memory.
  bool pack(Matrix& matrix, int32_t dtype, bool by_columns);
};

// sum += x * y: of complex numbers as NumPy's own loops do it, of integers modulo 2^n (T is then unsigned).
template <class T> void add_product(T& sum, const T& x, const T& y) {
  if constexpr (blas::is_complex<T>) {
    sum.re += x.re * y.re - x.im * y.im;
    sum.im += x.re * y.im + x.im * y.re;
  } else if constexpr (blas_letter<T> >= 0) {
    sum += x * y;
  } else {
    sum = static_cast<T>(sum + (x + 0u) * y); // 0u: two 16-bit factors would become signed
  }
}
inline void add_product(bool& sum, bool x, bool y) { sum |= x && y; }

// One element of a product, its terms added one after the other.
template <class T> T inner_product(const char* x, int64_t x_step, const char* y, int64_t y_step, int64_t count) {
  T sum = {};
  for (int64_t i = 0; i < count; ++i)
    add_product(sum, *reinterpret_cast<const T*>(x + i * x_step), *reinterpret_cast<const T*>(y + i * y_step));
  return sum;
}

// out = a @ b, out by rows. Each element's terms are added in order, whichever way the loops run.
template <class T> void plain_product(const Matrix& a, const Matrix& b, T* out) {
  if (b.columns == 1) {
    for (int64_t i = 0; i < a.rows; ++i)
      out[i] = inner_product<T>(a.data + i * a.row_step, a.column_step, b.data, b.row_step, a.columns);
    return;
  }
  for (int64_t i = 0; i < a.rows; ++i, out += b.columns) {
    std::fill_n(out, b.columns, T{});
    for (int64_t k = 0; k < a.columns; ++k) {
      const T factor = a.get<T>(i, k);
      const char* row = b.data + k * b.row_step;
      if (b.column_step == sizeof(T)) {
        for (int64_t j = 0; j < b.columns; ++j)
          add_product(out[j], factor, reinterpret_cast<const T*>(row)[j]);
      } else {
        for (int64_t j = 0; j < b.columns; ++j)
          add_product(out[j], factor, *reinterpret_cast<const T*>(row + j * b.column_step));
      }
    }
  }
}

// The product of two vectors: by BLAS when it takes their steps, which must be positive.
template <class T> T vector_product(const char* x, int64_t x_step, const char* y, int64_t y_step, int64_t count) {
  const auto fits = [](int64_t step) {
    return step > 0 && step % sizeof(T) == 0 && step / static_cast<int64_t>(sizeof(T)) <= blas::largest();
  };
  if (!fits(x_step) || !fits(y_step) || count > blas::largest())
    return inner_product<T>(x, x_step, y, y_step, count);
  return blas::dot(count, reinterpret_cast<const T*>(x), x_step / sizeof(T), reinterpret_cast<const T*>(y),
                   y_step / sizeof(T));
}

// After blas::syrk: the lower triangle from the upper.
template <class T> void mirror(T* c, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = i + 1; j < n; ++j)
      c[j * n + i] = c[i * n + j];
}

} // namespace mpijit::rt
