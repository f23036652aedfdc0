// Messages of shapes that do not fit: NumPy 2.4's, to the last space.
#include "support.h"

using namespace mpijit::test;

namespace {

std::string message() {
  mpijit_error error;
  EXPECT_EQ(mpijit_error_take(&error), MPIJIT_ValueError);
  EXPECT_EQ(error.frame_count, 1);
  return error.message;
}

} // namespace

TEST(Shapes, OfOperands) {
  const int64_t shapes[] = {3, 4, 5, 0, 2, 1}, ndims[] = {2, 1, 0, 3};
  EXPECT_EQ(mpijit_raise_broadcast(&site, shapes, ndims, 2), MPIJIT_ValueError);
  EXPECT_EQ(message(), "operands could not be broadcast together with shapes (3,4) (5,) ");
  mpijit_raise_broadcast(&site, shapes, ndims, 4);
  EXPECT_EQ(message(), "operands could not be broadcast together with shapes (3,4) (5,) () (0,2,1) ");
}

TEST(Shapes, OfAnOutput) {
  const int64_t output[] = {4}, shape[] = {3, 4};
  mpijit_raise_output(&site, output, 1, shape, 2);
  EXPECT_EQ(message(), "non-broadcastable output operand with shape (4,) doesn't match the broadcast shape (3,4)");
  mpijit_raise_output(&site, nullptr, 0, shape, 2);
  EXPECT_EQ(message(), "non-broadcastable output operand with shape () doesn't match the broadcast shape (3,4)");
}

TEST(Shapes, OfAStore) {
  const int64_t four[] = {4}, three_four[] = {3, 4}, deep[] = {1, 1, 5}, two[] = {2, 1, 3, 4};
  const auto store = [](const auto& target, const auto& source) {
    mpijit_raise_assign(&site, target, std::size(target), source, std::size(source));
    return message();
  };
  const int64_t three[] = {3};
  EXPECT_EQ(store(four, three), "could not broadcast input array from shape (3,) into shape (4,)");
  EXPECT_EQ(store(three_four, deep), "could not broadcast input array from shape (1,5) into shape (3,4)");
  EXPECT_EQ(store(three_four, two), "could not broadcast input array from shape (2,1,3,4) into shape (3,4)");
  mpijit_raise_assign(&site, nullptr, 0, deep, 3);
  EXPECT_EQ(message(), "could not broadcast input array from shape (5,) into shape ()");
}

TEST(Shapes, AreCutLikeEveryMessage) {
  const std::vector<int64_t> shapes(640, 123456), ndims(10, 64);
  mpijit_raise_broadcast(&site, shapes.data(), ndims.data(), 10);
  EXPECT_EQ(message().size(), MPIJIT_MESSAGE_SIZE - 1u);
}
