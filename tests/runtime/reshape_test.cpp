// Shapes of the same elements: the open length, and views against the definition.
#include <random>

#include "support.h"

using namespace mpijit::test;

namespace {

std::string completed(std::vector<int64_t> old, std::vector<int64_t> shape) {
  std::string out;
  if (mpijit_complete_shape(&site, old.data(), std::ssize(old), shape.data(), std::ssize(shape))) {
    mpijit_error error;
    mpijit_error_take(&error);
    return error.message;
  }
  for (int64_t n : shape)
    out += std::to_string(n) + " ";
  return out;
}

} // namespace

TEST(Reshape, CompletesShapes) {
  EXPECT_EQ(completed({2, 3}, {6}), "6 ");
  EXPECT_EQ(completed({2, 3}, {3, -1}), "3 2 ");
  EXPECT_EQ(completed({}, {1, -1}), "1 1 ");
  EXPECT_EQ(completed({0, 3}, {-1, 3}), "0 3 ");
  EXPECT_EQ(completed({2, 3}, {4}), "cannot reshape array of size 6 into shape (4,)");
  EXPECT_EQ(completed({2, 3}, {4, -1}), "cannot reshape array of size 6 into shape (4,newaxis)");
  EXPECT_EQ(completed({0}, {0, -1}), "cannot reshape array of size 0 into shape (0,newaxis)");
  EXPECT_EQ(completed({2, 3}, {-1, -1}), "can only specify one unknown dimension");
  EXPECT_EQ(completed({1}, {int64_t{1} << 62, 4}), "cannot reshape array of size 1 into shape (4611686018427387904,4)");
}

// Every view found has the elements in order; none is missed: with the old strides C-like, any shape is a view.
TEST(Reshape, ViewsHaveTheElementsInOrder) {
  std::mt19937 random(7);
  auto below = [&](int n) { return static_cast<int64_t>(random() % static_cast<unsigned>(n)); };
  int found = 0;
  for (int round = 0; round < 4000; ++round) {
    std::vector<int64_t> shape, strides;
    int64_t count = 1, step = 8;
    for (int64_t k = below(4); k-- > 0;)
      shape.push_back(1 + below(4));
    strides.resize(shape.size());
    const bool dense = below(2);
    for (size_t k = shape.size(); k-- > 0;) {
      strides[k] = below(5) ? step : -step;
      if (dense)
        strides[k] = step;
      step *= shape[k] + (dense ? 0 : below(2));
      count *= shape[k];
    }
    std::vector<int64_t> other;
    for (int64_t rest = count; rest > 1 || other.empty();) {
      int64_t n = 1 + below(6);
      while (rest % n)
        --n;
      other.push_back(n);
      rest /= n;
      if (other.size() > 6)
        other.back() *= rest, rest = 1;
    }
    mpijit_array a{reinterpret_cast<void*>(int64_t{1} << 30),
                   shape.data(),
                   strides.data(),
                   nullptr,
                   MPIJIT_Float64,
                   static_cast<int32_t>(shape.size()),
                   0};
    std::vector<int64_t> made(other.size());
    const bool is_view = mpijit_view_as(&a, other.data(), std::ssize(other), made.data());
    EXPECT_TRUE(is_view || !dense);
    found += is_view;
    for (int64_t k = 0; is_view && k < count; ++k) {
      auto offset = [&](const std::vector<int64_t>& n, const std::vector<int64_t>& s) {
        int64_t rest = k, sum = 0;
        for (size_t axis = n.size(); axis-- > 0; rest /= n[axis])
          sum += rest % n[axis] * s[axis];
        return sum;
      };
      ASSERT_EQ(offset(shape, strides), offset(other, made));
    }
  }
  EXPECT_GT(found, 2500);
}
