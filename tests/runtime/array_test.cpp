// The overlap tests against brute force: all bytes of all elements, compared.
#include "array.h"

#include <random>
#include <set>

#include "support.h"

using namespace mpijit::rt;

namespace {

struct View {
  std::vector<int64_t> shape, strides;
  mpijit_array array;

  View(int64_t offset, std::vector<int64_t> lengths, std::vector<int64_t> steps, int32_t dtype)
      : shape(std::move(lengths)), strides(std::move(steps)), array{memory + 4096 + offset,
                                                                    shape.data(),
                                                                    strides.data(),
                                                                    nullptr,
                                                                    dtype,
                                                                    static_cast<int32_t>(shape.size()),
                                                                    1} {}
  View(const View&) = delete;

  static char memory[8192];
};
char View::memory[8192];

// The bytes of each element, in turn.
std::vector<const char*> bytes_of(const mpijit_array& array) {
  std::vector<const char*> bytes;
  const int64_t count = element_count(array);
  for (int64_t i = 0; i < count; ++i) {
    const char* address = static_cast<const char*>(array.data);
    int64_t place = i;
    for (int32_t axis = array.ndim - 1; axis >= 0; place /= array.shape[axis--])
      address += place % array.shape[axis] * array.strides[axis];
    for (int b = 0; b < dtypes[array.dtype].size; ++b)
      bytes.push_back(address + b);
  }
  return bytes;
}

bool collides(const std::vector<const char*>& bytes) {
  return std::set<const char*>(bytes.begin(), bytes.end()).size() != bytes.size();
}

bool intersects(const std::vector<const char*>& a, const std::vector<const char*>& b) {
  const std::set<const char*> in_a(a.begin(), a.end());
  for (const char* byte : b)
    if (in_a.count(byte))
      return true;
  return false;
}

} // namespace

TEST(Overlap, AgreesWithBruteForce) {
  std::mt19937 random(12345);
  const auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  int apart = 0, together = 0, regular = 0, windows = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const auto make = [&] {
      std::vector<int64_t> shape, strides;
      const int64_t rank = between(0, 4), unit = between(0, 3) ? 8 : 1;
      for (int64_t axis = 0; axis < rank; ++axis) {
        shape.push_back(between(0, 4) ? between(1, 4) : between(0, 6));
        strides.push_back(between(-20, 20) * unit);
      }
      return std::make_unique<View>(between(-30, 30) * unit, shape, strides,
                                    between(0, 1) ? MPIJIT_Float64 : MPIJIT_Int16);
    };
    const auto a = make(), b = make();
    const auto in_a = bytes_of(a->array), in_b = bytes_of(b->array);
    ASSERT_EQ(overlaps_itself(a->array), collides(in_a)) << "trial " << trial;
    ASSERT_EQ(share_element(a->array, b->array), intersects(in_a, in_b)) << "trial " << trial;
    ++(intersects(in_a, in_b) ? together : apart);
    ++(collides(in_a) ? windows : regular);
    const Interval extent = interval(a->array);
    if (!in_a.empty()) {
      ASSERT_EQ(extent.begin, *std::min_element(in_a.begin(), in_a.end()));
      ASSERT_EQ(extent.end, *std::max_element(in_a.begin(), in_a.end()) + 1);
    } else {
      ASSERT_EQ(extent.begin, extent.end);
    }
  }
  EXPECT_GT(std::min({apart, together, regular, windows}), 1000);
}

// Layouts of real programs at real sizes, where enumeration would take for ever. Only addresses are computed.
TEST(Overlap, IsExactForLargeOrdinaryLayouts) {
  const int64_t n = 1'000'000, row = 8 * 1000;
  const auto view = [](int64_t offset, std::vector<int64_t> shape, std::vector<int64_t> strides) {
    auto made = std::make_unique<View>(0, shape, strides, MPIJIT_Float64);
    made->array.data = reinterpret_cast<void*>(uintptr_t{1} << 40 | static_cast<uintptr_t>(offset));
    return made;
  };
  const auto left = view(0, {n}, {row}), right = view(8, {n}, {row}), same = view(5 * row, {n - 5}, {row});
  EXPECT_FALSE(share_element(left->array, right->array));
  EXPECT_TRUE(share_element(left->array, same->array));
  const auto even = view(0, {n}, {16}), odd = view(8 + 16 * 1000, {n}, {16});
  EXPECT_FALSE(share_element(even->array, odd->array));
  const auto cube = view(0, {100, 100, 100}, {80000, 800, 8}), turned = view(0, {100, 100, 100}, {8, 800, 80000});
  EXPECT_TRUE(share_element(cube->array, turned->array));
  EXPECT_FALSE(overlaps_itself(cube->array));
  EXPECT_FALSE(overlaps_itself(turned->array));
  const auto red = view(0, {500, 500}, {2 * row, 16}), black = view(row + 8, {500, 500}, {2 * row, 16});
  EXPECT_FALSE(share_element(red->array, black->array));
  const auto window = view(0, {n, 3}, {8, 8}), repeated = view(0, {n, 5}, {8, 0});
  EXPECT_TRUE(overlaps_itself(window->array));
  EXPECT_TRUE(overlaps_itself(repeated->array));
}

TEST(Contiguity, IsComputedWhenTheFlagIsNotSet) {
  EXPECT_TRUE(is_contiguous(View(0, {}, {}, MPIJIT_Float64).array));
  EXPECT_TRUE(is_contiguous(View(0, {2, 3}, {24, 8}, MPIJIT_Float64).array));
  EXPECT_TRUE(is_contiguous(View(0, {2, 1, 3}, {24, 999, 8}, MPIJIT_Float64).array));
  EXPECT_TRUE(is_contiguous(View(0, {0, 3}, {1, 1}, MPIJIT_Float64).array));
  EXPECT_FALSE(is_contiguous(View(0, {2, 3}, {8, 16}, MPIJIT_Float64).array));
  EXPECT_FALSE(is_contiguous(View(0, {2}, {-8}, MPIJIT_Float64).array));
}
