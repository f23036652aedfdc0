// Sums of whole numbers, exact in any order, over every set of axes of every layout. tests/python/test_sums.py compares
// the last bits with NumPy.
#include "support.h"

using namespace mpijit::test;

namespace {

template <class From, class To> void check(int32_t dtype, int32_t sum_dtype) {
  for (const Layout layout : all_layouts) {
    Array array(dtype, layout);
    for (int64_t i = 0; i < array.count(); ++i)
      array.set<From>(i, static_cast<From>((3 * i + 1) % 5));
    for (int64_t reduced = 0; reduced < int64_t{1} << array->ndim; ++reduced) {
      std::vector<int64_t> shape, strides;
      for (int32_t axis = 0; axis < array->ndim; ++axis)
        if (!(reduced >> axis & 1))
          shape.push_back(array->shape[axis]);
      int64_t count = 1;
      for (size_t axis = shape.size(); axis-- > 0; count *= shape[axis])
        strides.insert(strides.begin(), count * static_cast<int64_t>(sizeof(To)));
      std::vector<To> expected(count, To(0)), sums(count + 1, To(77));
      for (int64_t i = 0; i < array.count(); ++i) {
        int64_t place = 0, rest = i, weight = 1;
        for (int32_t axis = array->ndim - 1; axis >= 0; rest /= array->shape[axis--])
          if (!(reduced >> axis & 1)) {
            place += rest % array->shape[axis] * weight;
            weight *= array->shape[axis];
          }
        expected[place] += static_cast<To>(array.get<From>(i));
      }
      expected.push_back(To(77)); // behind the result
      const mpijit_array out = {sums.data(),
                                shape.data(),
                                strides.data(),
                                nullptr,
                                sum_dtype,
                                static_cast<int32_t>(shape.size()),
                                MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS};
      mpijit_sum(&array, reduced, &out);
      ASSERT_EQ(sums, expected) << "layout " << int(layout) << ", axes " << reduced;
    }
  }
}

} // namespace

TEST(Sum, OverAnyAxesInEveryLayout) {
  check<bool, int64_t>(MPIJIT_Bool, MPIJIT_Int64);
  check<int8_t, int64_t>(MPIJIT_Int8, MPIJIT_Int64);
  check<uint16_t, uint64_t>(MPIJIT_UInt16, MPIJIT_UInt64);
  check<int32_t, double>(MPIJIT_Int32, MPIJIT_Float64);
  check<uint64_t, float>(MPIJIT_UInt64, MPIJIT_Float32);
  check<float, float>(MPIJIT_Float32, MPIJIT_Float32);
  check<float, double>(MPIJIT_Float32, MPIJIT_Float64);
  check<double, double>(MPIJIT_Float64, MPIJIT_Float64);
  check<double, std::complex<double>>(MPIJIT_Float64, MPIJIT_Complex128);
  check<std::complex<float>, std::complex<float>>(MPIJIT_Complex64, MPIJIT_Complex64);
  check<std::complex<float>, std::complex<double>>(MPIJIT_Complex64, MPIJIT_Complex128);
  check<std::complex<double>, std::complex<double>>(MPIJIT_Complex128, MPIJIT_Complex128);
}

TEST(Sum, WrapsIntegers) {
  const int64_t shape[] = {3}, strides[] = {8};
  int64_t terms[] = {INT64_MAX, 1, -7}, sum = 0;
  const mpijit_array a = {terms, shape, strides, nullptr, MPIJIT_Int64, 1, 0};
  const mpijit_array out = scalar(sum, MPIJIT_Int64);
  mpijit_sum(&a, 1, &out);
  EXPECT_EQ(sum, static_cast<int64_t>(uint64_t{INT64_MAX} - 6));
}
