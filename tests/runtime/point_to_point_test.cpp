// Statuses, wildcards, PROC_NULL, short and long messages.
#include "support.h"

using namespace mpijit::test;

namespace {

// Sends value to the next rank from a request that the caller waits for.
uint64_t post(const mpijit_array& data, int64_t tag) {
  uint64_t request = 0;
  ok(mpijit_isend(&site, &data, next_rank(), tag, world, &request));
  return request;
}

} // namespace

TEST(Recv, StatusTellsSourceTagAndCount) {
  Array sent(MPIJIT_Int32, Layout::C), received(MPIJIT_Int32, Layout::Fortran);
  sent.fill(1);
  const uint64_t request = post(*&sent, 42);
  mpijit_status status = {};
  ok(mpijit_recv(&site, &received, any_source(), any_tag(), world, &status));
  EXPECT_EQ(status.source, previous_rank());
  EXPECT_EQ(status.tag, 42);
  EXPECT_EQ(status.count, 12);
  EXPECT_EQ(status.nbytes, 48);
  ok(mpijit_wait(&site, request, nullptr));
}

TEST(Recv, CountsInElementsOfTheBuffer) {
  double sent[3] = {1, 2, 3};
  const int64_t shape[] = {3}, strides[] = {8};
  const mpijit_array data = {sent, shape, strides, nullptr, MPIJIT_Float64, 1, MPIJIT_C_CONTIGUOUS};
  Array received(MPIJIT_Int16, Layout::C);
  const uint64_t request = post(data, 0);
  mpijit_status status = {};
  ok(mpijit_recv(&site, &received, previous_rank(), 0, world, &status));
  EXPECT_EQ(status.count, 12);
  EXPECT_EQ(status.nbytes, 24);
  ok(mpijit_wait(&site, request, nullptr));
}

TEST(Recv, ShortMessageLeavesTheTail) {
  for (const Layout layout : {Layout::C, Layout::Fortran, Layout::Reversed, Layout::Blocks, Layout::Column}) {
    double sent[5];
    const int64_t shape[] = {5}, strides[] = {8};
    const mpijit_array data = {sent, shape, strides, nullptr, MPIJIT_Float64, 1, MPIJIT_C_CONTIGUOUS};
    Array model(MPIJIT_Float64, Layout::C), received(MPIJIT_Float64, layout);
    model.fill(previous_rank());
    Array mine(MPIJIT_Float64, Layout::C);
    mine.fill(mpijit_world.rank);
    for (int i = 0; i < 5; ++i)
      sent[i] = mine.get<double>(i);
    const uint64_t request = post(data, 3);
    mpijit_status status = {};
    ok(mpijit_recv(&site, &received, previous_rank(), 3, world, &status));
    EXPECT_EQ(status.count, 5);
    received.expect(previous_rank(), 5);
    ok(mpijit_wait(&site, request, nullptr));
  }
}

// A message that is too long is MPI's error, and writes nothing beyond the buffer.
TEST(Recv, LongMessageRaisesAndStaysInside) {
  for (const Layout layout : {Layout::C, Layout::Fortran, Layout::EveryOther}) {
    std::vector<double> sent(20, 3.0);
    const int64_t shape[] = {20}, strides[] = {8};
    const mpijit_array data = {sent.data(), shape, strides, nullptr, MPIJIT_Float64, 1, MPIJIT_C_CONTIGUOUS};
    Array received(MPIJIT_Float64, layout);
    for (int i = 0; i < 12; ++i)
      received.set(i, 0.0);
    const uint64_t request = post(data, 3);
    const int32_t status = mpijit_recv(&site, &received, previous_rank(), 3, world, nullptr);
    mpijit_error error = {};
    mpijit_error_take(&error);
    EXPECT_EQ(status, MPIJIT_MpiError);
    EXPECT_STREQ(error.routine, "recv");
    EXPECT_GT(error.mpi_class, 0);
    EXPECT_NE(std::string(error.message).find("truncated"), std::string::npos) << error.message;
    received.expect_outside_untouched();
    mpijit_wait(&site, request, nullptr); // the sender may learn of it or not
    mpijit_error_take(&error);
  }
}

TEST(ProcNull, TakesNoPart) {
  Array data(MPIJIT_Float32, Layout::Column);
  ok(mpijit_send(&site, &data, proc_null(), 0, world));
  mpijit_status status = {};
  ok(mpijit_recv(&site, &data, proc_null(), 0, world, &status));
  EXPECT_EQ(status.source, proc_null());
  EXPECT_EQ(status.tag, any_tag());
  EXPECT_EQ(status.count, 0);
  Array other(MPIJIT_Float32, Layout::C);
  ok(mpijit_sendrecv(&site, &other, proc_null(), &data, proc_null(), 0, any_tag(), world, nullptr));
  uint64_t requests[2];
  ok(mpijit_isend(&site, &other, proc_null(), 0, world, &requests[0]));
  ok(mpijit_irecv(&site, &data, proc_null(), any_tag(), world, &requests[1]));
  ok(mpijit_wait(&site, requests[1], &status));
  EXPECT_EQ(status.source, proc_null());
  ok(mpijit_waitall(&site, requests, 2));
  data.expect(0, 0);
}

TEST(Sendrecv, MayReceiveAnotherType) {
  Array sent(MPIJIT_Int32, Layout::C), received(MPIJIT_Float64, Layout::C);
  for (int i = 0; i < 12; ++i)
    sent.set(i, i);
  mpijit_status status = {};
  ok(mpijit_sendrecv(&site, &sent, next_rank(), &received, any_source(), 5, any_tag(), world, &status));
  EXPECT_EQ(status.source, previous_rank());
  EXPECT_EQ(status.tag, 5);
  EXPECT_EQ(status.nbytes, 48);
  EXPECT_EQ(status.count, 6);
}

TEST(Sendrecv, TakesInterleavedColumns) {
  double v[4][2];
  for (int i = 0; i < 4; ++i)
    v[i][0] = 10.0 * static_cast<double>(mpijit_world.rank) + i, v[i][1] = -1;
  const int64_t shape[] = {4}, strides[] = {16};
  const mpijit_array left = {&v[0][0], shape, strides, nullptr, MPIJIT_Float64, 1, MPIJIT_WRITEABLE};
  const mpijit_array right = {&v[0][1], shape, strides, nullptr, MPIJIT_Float64, 1, MPIJIT_WRITEABLE};
  ok(mpijit_sendrecv(&site, &left, next_rank(), &right, previous_rank(), 0, 0, world, nullptr));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(v[i][0], 10.0 * static_cast<double>(mpijit_world.rank) + i);
    EXPECT_EQ(v[i][1], 10.0 * static_cast<double>(previous_rank()) + i);
  }
}
