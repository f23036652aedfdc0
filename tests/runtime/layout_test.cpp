// Every routine that moves data, for every dtype and every pair of layouts: elements arrive in C order, and
// no byte outside them changes.
#include "support.h"

using namespace mpijit::test;

namespace {

// Passes `sent` on to the next rank, and fills `received` from the previous one.
using Exchange = void (*)(Array& sent, Array& received);

void by_sendrecv(Array& sent, Array& received) {
  ok(mpijit_sendrecv(&site, &sent, next_rank(), &received, previous_rank(), 4, 4, world, nullptr));
}

void by_isend_and_recv(Array& sent, Array& received) {
  uint64_t request;
  ok(mpijit_isend(&site, &sent, next_rank(), 4, world, &request));
  ok(mpijit_recv(&site, &received, previous_rank(), 4, world, nullptr));
  ok(mpijit_wait(&site, request, nullptr));
}

void by_irecv_and_send(Array& sent, Array& received) {
  uint64_t request;
  ok(mpijit_irecv(&site, &received, previous_rank(), 4, world, &request));
  ok(mpijit_send(&site, &sent, next_rank(), 4, world));
  ok(mpijit_wait(&site, request, nullptr));
}

void by_waitall(Array& sent, Array& received) {
  uint64_t requests[2];
  ok(mpijit_irecv(&site, &received, previous_rank(), 4, world, &requests[0]));
  ok(mpijit_isend(&site, &sent, next_rank(), 4, world, &requests[1]));
  ok(mpijit_waitall(&site, requests, 2));
}

struct Case {
  const char* name;
  Exchange exchange;
};

class Passing : public testing::TestWithParam<Case> {};

} // namespace

TEST_P(Passing, EveryDtypeInEveryLayout) {
  for (int32_t dtype = 0; dtype < MPIJIT_DTYPE_COUNT; ++dtype) {
    for (const Layout from : all_layouts) {
      for (const Layout to : all_layouts) {
        Array sent(dtype, from), received(dtype, to);
        if (sent.count() > received.count())
          continue; // a truncation, see point_to_point_test.cpp
        sent.fill(mpijit_world.rank);
        GetParam().exchange(sent, received);
        received.expect(previous_rank(), sent.count());
        sent.expect(mpijit_world.rank, sent.count());
        ASSERT_FALSE(HasFailure()) << "dtype " << dtype << ", layouts " << int(from) << " and " << int(to);
      }
    }
  }
  EXPECT_EQ(mpijit_live_requests(), 0);
  EXPECT_EQ(mpijit_borrowed_requests(), 0);
}

INSTANTIATE_TEST_SUITE_P(, Passing,
                         testing::Values(Case{"sendrecv", by_sendrecv}, Case{"isend_recv", by_isend_and_recv},
                                         Case{"irecv_send", by_irecv_and_send}, Case{"waitall", by_waitall}),
                         [](const auto& info) { return info.param.name; });

TEST(Layouts, BcastEveryDtypeInEveryLayout) {
  for (int32_t dtype = 0; dtype < MPIJIT_DTYPE_COUNT; ++dtype) {
    for (const Layout layout : all_layouts) {
      const bool small = layout == Layout::Scalar || layout == Layout::Empty;
      for (const bool strided_root : {true, false}) {
        const int64_t root = strided_root ? 0 : mpijit_world.size - 1;
        const bool sends = mpijit_world.rank == root;
        Array data(dtype, small || sends == strided_root ? layout : Layout::C);
        if (sends)
          data.fill(root);
        ok(mpijit_bcast(&site, &data, root, world));
        data.expect(root, data.count());
        ASSERT_FALSE(HasFailure()) << "dtype " << dtype << ", layout " << int(layout);
      }
    }
  }
}

// Messages beyond what MPI sends eagerly, packed on both sides.
TEST(Layouts, LongStridedMessages) {
  const int64_t n = 300'000;
  std::vector<double> from(2 * n), to(3 * n, -1.0);
  for (int64_t i = 0; i < n; ++i)
    from[2 * i] = static_cast<double>(i * 10 + mpijit_world.rank);
  const int64_t shape[] = {n}, from_strides[] = {16}, to_strides[] = {-24};
  const mpijit_array sent = {from.data(), shape, from_strides, nullptr, MPIJIT_Float64, 1, 0};
  const mpijit_array received = {to.data() + 3 * (n - 1), shape, to_strides,      nullptr,
                                 MPIJIT_Float64,          1,     MPIJIT_WRITEABLE};
  for (int round = 0; round < 3; ++round) {
    uint64_t requests[2];
    ok(mpijit_irecv(&site, &received, previous_rank(), 1, world, &requests[0]));
    ok(mpijit_isend(&site, &sent, next_rank(), 1, world, &requests[1]));
    ok(mpijit_waitall(&site, requests, 2));
    for (int64_t i = 0; i < n; ++i)
      ASSERT_EQ(to[3 * (n - 1 - i)], static_cast<double>(i * 10 + previous_rank())) << i;
    ASSERT_EQ(to[1], -1.0);
    std::fill(to.begin(), to.end(), -1.0);
  }
}
