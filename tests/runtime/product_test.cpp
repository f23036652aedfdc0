// Products of matrices of every dtype, rank and layout, of small whole numbers: any order of addition is exact. Run
// with and without a BLAS (see CMakeLists.txt); tests/python/test_products.py compares the last bits with NumPy.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "support.h"

using namespace mpijit::test;

namespace {

using Product = int32_t (*)(const mpijit_site*, const mpijit_array*, const mpijit_array*, const mpijit_array*);

// An array of one or two dimensions whose steps are multiples of the element's size, with its memory around it.
struct Operand {
  std::vector<int64_t> shape, strides;
  std::vector<unsigned char> memory;
  mpijit_array array;

  Operand(int32_t dtype, std::vector<int64_t> lengths, std::vector<int64_t> steps)
      : shape(std::move(lengths)), strides(std::move(steps)) {
    const int64_t size = size_of(dtype);
    int64_t lowest = 0, highest = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      strides[axis] *= size;
      (strides[axis] < 0 ? lowest : highest) += std::max(shape[axis] - 1, int64_t{0}) * strides[axis];
    }
    memory.resize(highest - lowest + size);
    array = {memory.data() - lowest, shape.data(), strides.data(), nullptr, dtype, static_cast<int32_t>(shape.size()),
             MPIJIT_WRITEABLE};
  }
  Operand(const Operand&) = delete;

  char* at(int64_t row, int64_t column) {
    return static_cast<char*>(array.data) + row * strides[0] + (shape.size() == 2 ? column * strides[1] : 0);
  }
};

template <class T> void set(char* place, int64_t re, int64_t) {
  const T value = static_cast<T>(re);
  std::memcpy(place, &value, sizeof value);
}
template <> void set<std::complex<float>>(char* place, int64_t re, int64_t im) {
  const std::complex<float> value(static_cast<float>(re), static_cast<float>(im));
  std::memcpy(place, &value, sizeof value);
}
template <> void set<std::complex<double>>(char* place, int64_t re, int64_t im) {
  const std::complex<double> value(static_cast<double>(re), static_cast<double>(im));
  std::memcpy(place, &value, sizeof value);
}

template <class T> T plus(T a, T b) { return static_cast<T>(a + b); }
template <class T> T times(T a, T b) { return static_cast<T>(a * b); }
template <> bool plus(bool a, bool b) { return a || b; }
template <> bool times(bool a, bool b) { return a && b; }

// The six ways a matrix may lie in memory: by rows, by columns, with gaps, backwards, broadcast.
std::vector<int64_t> matrix_steps(int layout, int64_t rows, int64_t columns) {
  switch (layout) {
  case 0: return {columns, 1};
  case 1: return {1, rows};
  case 2: return {columns + 3, 1};
  case 3: return {3 * columns, 2};
  case 4: return {-columns, -1};
  default: return {0, 1};
  }
}

template <class T> T value(char* place) {
  T result;
  std::memcpy(&result, place, sizeof result);
  return result;
}

template <class T> void check(Product product, int32_t dtype, const int64_t (&sizes)[3], int a_layout, int b_layout) {
  const auto [m, n, p] = sizes;
  // A layout of 6 or 7: one dimension, forwards or backwards.
  const auto make = [&](int64_t rows, int64_t columns, int layout, int64_t length) {
    if (layout < 6)
      return std::make_unique<Operand>(dtype, std::vector{rows, columns}, matrix_steps(layout, rows, columns));
    return std::make_unique<Operand>(dtype, std::vector{length}, std::vector<int64_t>{layout == 6 ? 2 : -1});
  };
  const auto a = make(m, n, a_layout, n), b = make(n, p, b_layout, n);
  const int64_t rows = a_layout < 6 ? m : 1, columns = b_layout < 6 ? p : 1;
  const auto a_at = [&](int64_t i, int64_t k) { return a_layout < 6 ? a->at(i, k) : a->at(k, 0); };
  const auto b_at = [&](int64_t k, int64_t j) { return b->at(k, j); };
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = 0; i < rows; ++i)
      set<T>(a_at(i, k), (3 * i + 5 * k) % 4 % 3, (i + k) % 3 - 1);
    for (int64_t j = 0; j < columns; ++j)
      set<T>(b_at(k, j), (2 * j + 7 * k) % 5 % 2, (j + 2 * k) % 4 - 2);
  }
  std::vector<int64_t> shape, strides;
  if (a_layout < 6)
    shape.push_back(m), strides.push_back(columns * sizeof(T));
  if (b_layout < 6)
    shape.push_back(p), strides.push_back(sizeof(T));
  std::vector<unsigned char> memory((rows * columns + 1) * sizeof(T), 0x7E);
  const mpijit_array out = {memory.data(),
                            shape.data(),
                            strides.data(),
                            nullptr,
                            dtype,
                            static_cast<int32_t>(shape.size()),
                            MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS};
  ok(product(&site, &a->array, &b->array, &out));
  const auto element = [&](int64_t place) { return reinterpret_cast<char*>(memory.data()) + place * sizeof(T); };
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      T sum{};
      for (int64_t k = 0; k < n; ++k)
        sum = plus<T>(sum, times<T>(value<T>(a_at(i, k)), value<T>(b_at(k, j))));
      ASSERT_EQ(value<T>(element(i * columns + j)), sum) << "at " << i << ", " << j;
    }
  for (size_t byte = 0; byte < sizeof(T); ++byte)
    ASSERT_EQ(memory[rows * columns * sizeof(T) + byte], 0x7E) << "behind the result";
}

template <class T> void check_all(Product product, int32_t dtype) {
  const int64_t cases[][3] = {{3, 4, 5}, {1, 4, 5}, {3, 1, 5}, {3, 4, 1}, {1, 4, 1}, {1, 1, 5}, {3, 1, 1},
                              {1, 1, 1}, {0, 4, 5}, {3, 0, 5}, {3, 4, 0}, {0, 0, 0}, {4, 4, 4}, {9, 70, 33}};
  for (const auto& sizes : cases)
    for (int a_layout = 0; a_layout < 8; ++a_layout)
      for (int b_layout = 0; b_layout < 8; ++b_layout) {
        check<T>(product, dtype, sizes, a_layout, b_layout);
        ASSERT_FALSE(testing::Test::HasFailure()) << "dtype " << dtype << ", sizes " << sizes[0] << " " << sizes[1]
                                                  << " " << sizes[2] << ", layouts " << a_layout << " and " << b_layout;
      }
}

struct Case {
  const char* name;
  Product product;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
class Products : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(Products, EveryDtypeInEveryLayout) {
#define DTYPE(name, numpy, kind, size, c_type, mpi) check_all<c_type>(GetParam().product, MPIJIT_##name);
#include "mpijit/dtypes.inc"
#undef DTYPE
}

// A matrix times its own transpose is computed by halves.
TEST_P(Products, OfAMatrixWithItself) {
  for (const int64_t rows : {1, 2, 5, 40}) {
    Operand a(MPIJIT_Float64, {rows, 7}, {8, 1});
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < 7; ++k)
        set<double>(a.at(i, k), (5 * i + 3 * k) % 11 - 4, 0);
    Operand turned(MPIJIT_Float64, {7, rows}, {1, 8}), by_rows(MPIJIT_Float64, {rows, rows}, {rows, 1}),
        by_columns(MPIJIT_Float64, {7, 7}, {7, 1});
    turned.array.data = a.array.data;
    ok(GetParam().product(&site, &a.array, &turned.array, &by_rows.array));
    ok(GetParam().product(&site, &turned.array, &a.array, &by_columns.array));
    const auto expect = [](Operand& result, Operand& left, int64_t terms) {
      for (int64_t i = 0; i < result.shape[0]; ++i)
        for (int64_t j = 0; j < result.shape[0]; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < terms; ++k)
            sum += value<double>(left.at(i, k)) * value<double>(left.at(j, k));
          ASSERT_EQ(value<double>(result.at(i, j)), sum) << i << ", " << j;
        }
    };
    expect(by_rows, a, 7);
    Operand view(MPIJIT_Float64, {7, rows}, {1, 8});
    view.array.data = a.array.data;
    expect(by_columns, view, rows);
  }
}

INSTANTIATE_TEST_SUITE_P(, Products, testing::Values(Case{"matmul", mpijit_matmul}, Case{"dot", mpijit_dot}),
                         [](const auto& info) { return info.param.name; });

TEST(Product, LengthsThatDoNotFitUseNumPysWords) {
  Operand a(MPIJIT_Float64, {3, 4}, {4, 1}), b(MPIJIT_Float64, {5}, {1}), out(MPIJIT_Float64, {3}, {1});
  fails(mpijit_matmul(&site, &a.array, &b.array, &out.array), MPIJIT_ValueError,
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
        "(size 5 is different from 4)");
  fails(mpijit_dot(&site, &a.array, &b.array, &out.array), MPIJIT_ValueError,
        "shapes (3,4) and (5,) not aligned: 4 (dim 1) != 5 (dim 0)");
  fails(mpijit_dot(&site, &b.array, &a.array, &out.array), MPIJIT_ValueError,
        "shapes (5,) and (3,4) not aligned: 5 (dim 0) != 3 (dim 0)");
}

TEST(Product, UsesTheLibraryAskedFor) {
  const char* wanted = std::getenv("MPIJIT_BLAS");
  if (!wanted)
    GTEST_SKIP() << "MPIJIT_BLAS is not set: whatever the system has";
  EXPECT_STREQ(mpijit_blas_path(), std::strcmp(wanted, "none") == 0 ? "" : wanted);
}
