// The process's BLAS: the one that NumPy has loaded if there is any, so that products have NumPy's bits and one pool of
// threads serves both. Knows the C interface of BLAS and how to find it; nothing of arrays.
#pragma once

#include <cstdint>
#include <type_traits>

namespace mpijit::rt {

template <class Real> struct Complex { Real re = 0, im = 0; };

template <class T> inline constexpr int blas_letter = -1; // -1: not an element of BLAS
template <> inline constexpr int blas_letter<float> = 0;
template <> inline constexpr int blas_letter<double> = 1;
template <> inline constexpr int blas_letter<Complex<float>> = 2;
template <> inline constexpr int blas_letter<Complex<double>> = 3;

} // namespace mpijit::rt

namespace mpijit::rt::blas {

// The values of CBLAS.
enum Order : int { RowMajor = 101, ColumnMajor = 102 };
enum Transpose : int { Plain = 111, Transposed = 112 };
inline constexpr int upper = 121;

struct Library {
  bool wide;    // are its integers 64 bits?
  void* dot[4]; // by blas_letter; the complex ones are dotu_sub
  void* axpy[4];
  void* gemv[4];
  void* syrk[4];
  void* gemm[4];
};

// Found at the first call and kept; all null when there is none.
const Library& library();
// Lengths and steps up to this many fit; 0 without a library, so that nothing does.
int64_t largest();

// ---- the routines, for matrices of elements T; steps and leading dimensions count elements ----

template <class T> inline constexpr bool is_complex = blas_letter<T> >= 2;
template <class T> using Scalar = std::conditional_t<is_complex<T>, const T*, T>;

template <class T> Scalar<T> scalar(const T& value) {
  if constexpr (is_complex<T>)
    return &value;
  else
    return value;
}

template <class T> inline constexpr T one = {1};
template <class T> inline constexpr T zero = {};

// Calls run with a zero of the library's integer type.
template <class Run> void with_integers(Run run) {
  if (library().wide)
    run(int64_t{0});
  else
    run(int32_t{0});
}

template <class T> T dot(int64_t count, const T* x, int64_t x_step, const T* y, int64_t y_step) {
  T result;
  with_integers([&]<class Int>(Int) {
    void* routine = library().dot[blas_letter<T>];
    if constexpr (is_complex<T>)
      reinterpret_cast<void (*)(Int, const T*, Int, const T*, Int, T*)>(routine)(
          static_cast<Int>(count), x, static_cast<Int>(x_step), y, static_cast<Int>(y_step), &result);
    else
      result = reinterpret_cast<T (*)(Int, const T*, Int, const T*, Int)>(routine)(
          static_cast<Int>(count), x, static_cast<Int>(x_step), y, static_cast<Int>(y_step));
  });
  return result;
}

// y += factor * x
template <class T> void axpy(int64_t count, const T& factor, const T* x, int64_t x_step, T* y, int64_t y_step) {
  with_integers([&]<class Int>(Int) {
    reinterpret_cast<void (*)(Int, Scalar<T>, const T*, Int, T*, Int)>(library().axpy[blas_letter<T>])(
        static_cast<Int>(count), scalar(factor), x, static_cast<Int>(x_step), y, static_cast<Int>(y_step));
  });
}

// y = a @ x, or a.T @ x
template <class T>
void gemv(Order order, Transpose transpose, int64_t rows, int64_t columns, const T* a, int64_t lda, const T* x,
          int64_t x_step, T* y) {
  with_integers([&]<class Int>(Int) {
    reinterpret_cast<void (*)(int, int, Int, Int, Scalar<T>, const T*, Int, const T*, Int, Scalar<T>, T*, Int)>(
        library().gemv[blas_letter<T>])(order, transpose, static_cast<Int>(rows), static_cast<Int>(columns),
                                        scalar(one<T>), a, static_cast<Int>(lda), x, static_cast<Int>(x_step),
                                        scalar(zero<T>), y, Int{1});
  });
}

// c = a @ b of row-major matrices, either of them possibly stored transposed; c has m rows and n columns.
template <class T>
void gemm(Transpose a_stored, Transpose b_stored, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b,
          int64_t ldb, T* c, int64_t ldc) {
  with_integers([&]<class Int>(Int) {
    reinterpret_cast<void (*)(int, int, int, Int, Int, Int, Scalar<T>, const T*, Int, const T*, Int, Scalar<T>, T*,
                              Int)>(library().gemm[blas_letter<T>])(
        RowMajor, a_stored, b_stored, static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k), scalar(one<T>), a,
        static_cast<Int>(lda), b, static_cast<Int>(ldb), scalar(zero<T>), c, static_cast<Int>(ldc));
  });
}

// The upper triangle of c = a @ a.T (Plain) or a.T @ a (Transposed), a row-major as stored; c has n rows.
template <class T> void syrk(Transpose transpose, int64_t n, int64_t k, const T* a, int64_t lda, T* c, int64_t ldc) {
  with_integers([&]<class Int>(Int) {
    reinterpret_cast<void (*)(int, int, int, Int, Int, Scalar<T>, const T*, Int, Scalar<T>, T*, Int)>(
        library().syrk[blas_letter<T>])(RowMajor, upper, transpose, static_cast<Int>(n), static_cast<Int>(k),
                                        scalar(one<T>), a, static_cast<Int>(lda), scalar(zero<T>), c,
                                        static_cast<Int>(ldc));
  });
}

} // namespace mpijit::rt::blas
