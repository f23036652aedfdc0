// a @ b and np.dot. Which routine of BLAS computes a product, and which operands are copied before it, decides the last
// bits of the result; both functions therefore choose as NumPy 2.4's do, which choose differently. Other dtypes, and
// everything when there is no BLAS, take the plain loops.
#include <cstdlib>

#include "error.h"
#include "linalg/matrix.h"
#include "shapes.h"

namespace mpijit::rt {

bool Packed::pack(Matrix& matrix, int32_t dtype, bool by_columns) {
  const int64_t size = dtypes[dtype].size;
  memory.reset(static_cast<char*>(std::malloc(matrix.rows * matrix.columns * size)));
  if (!memory)
    return false;
  Matrix copy = {memory.get(), matrix.rows, matrix.columns, matrix.columns * size, size};
  if (by_columns)
    copy.row_step = size, copy.column_step = matrix.rows * size;
  const int64_t shape[] = {matrix.rows, matrix.columns};
  const int64_t from[] = {matrix.row_step, matrix.column_step}, to[] = {copy.row_step, copy.column_step};
  const mpijit_array source = {matrix.data, shape, from, nullptr, dtype, 2, 0};
  const mpijit_array target = {copy.data, shape, to, nullptr, dtype, 2, MPIJIT_WRITEABLE};
  mpijit_copy(&target, &source);
  matrix = copy;
  return true;
}

namespace {

template <class T> const T* elements(const Matrix& matrix) { return reinterpret_cast<const T*>(matrix.data); }

// ---- matmul ----

// Are the rows consecutive elements, whole elements apart and apart from each other?
template <class T> bool rows_for_blas(const Matrix& m) {
  constexpr int64_t size = sizeof(T);
  const int64_t step = m.row_step / size;
  return m.column_step == size && m.row_step % size == 0 && step >= m.columns && step <= blas::largest();
}

template <class T> bool columns_for_blas(const Matrix& m) { return rows_for_blas<T>(m.transposed()); }
template <class T> bool for_blas(const Matrix& m) { return rows_for_blas<T>(m) || columns_for_blas<T>(m); }

template <class T> bool vector_for_blas(int64_t step) {
  constexpr int64_t size = sizeof(T);
  return step % size == 0 && step / size >= 1 && step / size <= blas::largest();
}

template <class T> void matrix_vector(const Matrix& a, const char* x, int64_t x_step, T* out) {
  const bool by_rows = rows_for_blas<T>(a);
  const int64_t lda = (by_rows ? a.row_step : a.column_step) / static_cast<int64_t>(sizeof(T));
  blas::gemv(by_rows ? blas::ColumnMajor : blas::RowMajor, blas::Transposed, a.columns, a.rows, elements<T>(a), lda,
             reinterpret_cast<const T*>(x), x_step / static_cast<int64_t>(sizeof(T)), out);
}

template <class T> bool matrix_matrix(Matrix a, Matrix b, int32_t dtype, T* out) {
  Packed packed_a, packed_b;
  if (!for_blas<T>(a) && !packed_a.pack(a, dtype, std::abs(a.row_step) < std::abs(a.column_step)))
    return false;
  if (!for_blas<T>(b) && !packed_b.pack(b, dtype, std::abs(b.row_step) < std::abs(b.column_step)))
    return false;
  constexpr int64_t size = sizeof(T);
  const blas::Transpose a_stored = rows_for_blas<T>(a) ? blas::Plain : blas::Transposed;
  const blas::Transpose b_stored = rows_for_blas<T>(b) ? blas::Plain : blas::Transposed;
  const int64_t lda = (a_stored == blas::Plain ? a.row_step : a.column_step) / size;
  const int64_t ldb = (b_stored == blas::Plain ? b.row_step : b.column_step) / size;
  const bool own_transpose = a.data == b.data && a.rows == b.columns && a.row_step == b.column_step &&
                             a.column_step == b.row_step && a_stored != b_stored;
  if (own_transpose) {
    blas::syrk(a_stored, a.rows, a.columns, elements<T>(a), lda, out, b.columns);
    mirror(out, a.rows);
  } else {
    blas::gemm(a_stored, b_stored, a.rows, b.columns, a.columns, elements<T>(a), lda, elements<T>(b), ldb, out,
               b.columns);
  }
  return true;
}

struct Matmul {
  // False when there is no memory for a copy.
  template <class T> static bool product(const Matrix& a, const Matrix& b, int32_t dtype, T* out) {
    if constexpr (blas_letter<T> >= 0) {
      const int64_t m = a.rows, n = a.columns, p = b.columns;
      const bool fits = m <= blas::largest() && n <= blas::largest() && p <= blas::largest();
      if (!fits || m == 0 || n == 0 || p == 0) {
        plain_product(a, b, out);
      } else if (m == 1 && p == 1) {
        *out = vector_product<T>(a.data, a.column_step, b.data, b.row_step, n);
      } else if (n == 1) {
        plain_product(a, b, out);
      } else if (m == 1 && for_blas<T>(b) && vector_for_blas<T>(a.column_step)) {
        matrix_vector<T>(b.transposed(), a.data, a.column_step, out);
      } else if (p == 1 && for_blas<T>(a) && vector_for_blas<T>(b.row_step)) {
        matrix_vector<T>(a, b.data, b.row_step, out);
      } else if (m == 1 || p == 1) {
        plain_product(a, b, out);
      } else {
        return matrix_matrix(a, b, dtype, out);
      }
    } else {
      plain_product(a, b, out);
    }
    return true;
  }
};

// ---- dot ----

bool by_rows(const Matrix& m, int64_t size) {
  return (m.columns == 1 || m.column_step == size) && (m.rows == 1 || m.row_step == m.columns * size);
}

bool by_columns(const Matrix& m, int64_t size) { return by_rows(m.transposed(), size); }

bool bad_step(int64_t length, int64_t step, int64_t size) {
  return step < 0 || step % size || (step == 0 && length > 1);
}

// An operand of np.dot, which copies those whose steps BLAS cannot take before it looks at anything else.
struct DotOperand {
  Matrix matrix;
  Packed packed;
  bool is_vector; // has a length of 1, or one dimension

  int64_t count() const { return matrix.rows * matrix.columns; }
  // Of a vector: the step from element to element.
  int64_t step() const { return matrix.rows == 1 ? matrix.column_step : matrix.row_step; }
};

template <class T> bool prepare(DotOperand& operand, int32_t dtype, bool whole_matrix) {
  Matrix& m = operand.matrix;
  constexpr int64_t size = sizeof(T);
  const bool segment = by_rows(m, size) || by_columns(m, size);
  if (bad_step(m.rows, m.row_step, size) || bad_step(m.columns, m.column_step, size))
    return operand.packed.pack(m, dtype, !by_rows(m, size) && by_columns(m, size));
  return !whole_matrix || segment || operand.packed.pack(m, dtype, false);
}

template <class T> T scaled(const T& x, const T& y) {
  if constexpr (blas::is_complex<T>)
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  else
    return x * y;
}

template <class T> void vector_by_scalar(const DotOperand& vector, const T& factor, T* out) {
  const int64_t count = vector.count();
  if (count == 1) {
    *out = scaled(factor, *elements<T>(vector.matrix));
    return;
  }
  std::fill_n(out, count, T{});
  blas::axpy(count, factor, elements<T>(vector.matrix), vector.step() / static_cast<int64_t>(sizeof(T)), out, 1);
}

template <class T> void dot_matrix_vector(const Matrix& a, blas::Transpose transpose, const DotOperand& x, T* out) {
  const bool rows = by_rows(a, sizeof(T));
  blas::gemv(rows ? blas::RowMajor : blas::ColumnMajor, transpose, a.rows, a.columns, elements<T>(a),
             rows ? a.columns : a.rows, elements<T>(x.matrix), x.step() / static_cast<int64_t>(sizeof(T)), out);
}

template <class T> void dot_matrix_matrix(const Matrix& a, const Matrix& b, T* out) {
  const bool a_turned = by_columns(a, sizeof(T)), b_turned = by_columns(b, sizeof(T));
  const int64_t lda = a_turned ? a.rows : a.columns, ldb = b_turned ? b.rows : b.columns;
  const bool own_transpose = a.data == b.data && a.rows == b.columns && a.row_step == b.column_step &&
                             a.column_step == b.row_step && a_turned != b_turned;
  if (own_transpose) {
    blas::syrk(a_turned ? blas::Transposed : blas::Plain, a.rows, a.columns, elements<T>(a), a_turned ? ldb : lda, out,
               b.columns);
    mirror(out, a.rows);
  } else {
    blas::gemm(a_turned ? blas::Transposed : blas::Plain, b_turned ? blas::Transposed : blas::Plain, a.rows, b.columns,
               a.columns, elements<T>(a), lda, elements<T>(b), ldb, out, b.columns);
  }
}

struct Dot {
  template <class T> static bool product(const Matrix& left, const Matrix& right, int32_t dtype, T* out) {
    if constexpr (blas_letter<T> >= 0) {
      const auto fits = [](const Matrix& m) { return std::max(m.rows, m.columns) <= blas::largest(); };
      const auto empty = [](const Matrix& m) { return m.rows == 0 || m.columns == 0; };
      if (!fits(left) || !fits(right) || empty(left) || empty(right)) {
        plain_product(left, right, out);
        return true;
      }
      const auto is_vector = [](const Matrix& m) { return m.rows == 1 || m.columns == 1; };
      DotOperand a = {left, {}, is_vector(left)}, b = {right, {}, is_vector(right)};
      const bool with_scalar = a.count() == 1 || b.count() == 1;
      const bool outer = !with_scalar && a.is_vector && b.is_vector && a.matrix.columns == 1;
      const bool level3 = outer || (!a.is_vector && !b.is_vector);
      if (!prepare<T>(a, dtype, level3 || !a.is_vector) || !prepare<T>(b, dtype, level3 || !b.is_vector))
        return false;
      if (a.count() == 1) {
        vector_by_scalar(b, *elements<T>(a.matrix), out);
      } else if (b.count() == 1) {
        vector_by_scalar(a, *elements<T>(b.matrix), out);
      } else if (level3) {
        dot_matrix_matrix(a.matrix, b.matrix, out);
      } else if (a.is_vector && b.is_vector) {
        *out = vector_product<T>(a.matrix.data, a.step(), b.matrix.data, b.step(), a.count());
      } else if (b.is_vector) {
        dot_matrix_vector(a.matrix, blas::Plain, b, out);
      } else {
        dot_matrix_vector(b.matrix, blas::Transposed, a, out);
      }
    } else {
      plain_product(left, right, out);
    }
    return true;
  }
};

// ---- dtypes ----

template <class Rule, class T> bool product_of(const mpijit_array& a, const mpijit_array& b, const mpijit_array& out) {
  return Rule::product(left_operand(a), right_operand(b), out.dtype, static_cast<T*>(out.data));
}

// Integers are multiplied modulo 2^n, signed or not.
template <class Rule> bool product(const mpijit_array& a, const mpijit_array& b, const mpijit_array& out) {
  const Dtype& dtype = dtypes[out.dtype];
  if (dtype.kind == 'b')
    return product_of<Rule, bool>(a, b, out);
  if (dtype.kind == 'f')
    return dtype.size == 4 ? product_of<Rule, float>(a, b, out) : product_of<Rule, double>(a, b, out);
  if (dtype.kind == 'c')
    return dtype.size == 8 ? product_of<Rule, Complex<float>>(a, b, out) : product_of<Rule, Complex<double>>(a, b, out);
  switch (dtype.size) {
  case 1: return product_of<Rule, uint8_t>(a, b, out);
  case 2: return product_of<Rule, uint16_t>(a, b, out);
  case 4: return product_of<Rule, uint32_t>(a, b, out);
  default: return product_of<Rule, uint64_t>(a, b, out);
  }
}

int32_t no_memory(const mpijit_site* site) {
  return mpijit_raise(site, MPIJIT_MemoryError, "unable to allocate a copy of an operand");
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_matmul(const mpijit_site* site, const mpijit_array* a, const mpijit_array* b, const mpijit_array* out) {
  const int64_t inner = a->shape[a->ndim - 1];
  if (inner != b->shape[0])
    return raise(site, nullptr, MPIJIT_ValueError,
                 "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
                 "(n?,k),(k,m?)->(n?,m?) (size %lld is different from %lld)",
                 static_cast<long long>(b->shape[0]), static_cast<long long>(inner));
  return product<Matmul>(*a, *b, *out) ? MPIJIT_OK : no_memory(site);
}

int32_t mpijit_dot(const mpijit_site* site, const mpijit_array* a, const mpijit_array* b, const mpijit_array* out) {
  const int64_t inner = a->shape[a->ndim - 1];
  if (inner != b->shape[0]) {
    Text text;
    text.add("shapes ").shape(a->shape, a->ndim).add(" and ").shape(b->shape, b->ndim).add(" not aligned: ");
    text.add(inner).add(" (dim ").add(int64_t{a->ndim - 1}).add(") != ").add(b->shape[0]).add(" (dim 0)");
    return mpijit_raise(site, MPIJIT_ValueError, text.c_str());
  }
  return product<Dot>(*a, *b, *out) ? MPIJIT_OK : no_memory(site);
}
