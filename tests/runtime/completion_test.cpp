// Tests and waits for one of several requests, persistent requests, cancelling, probing, synchronous sends.
#include "support.h"

using namespace mpijit::test;

namespace {

int64_t undefined() { return mpijit_constant(MPIJIT_UNDEFINED); }

class Completion : public testing::Test {
protected:
  int64_t out = mpijit_world.rank, in = -1;
  mpijit_array sent = scalar(out, MPIJIT_Int64), received = scalar(in, MPIJIT_Int64);

  uint64_t irecv(int64_t tag) {
    uint64_t request = 0;
    ok(mpijit_irecv(&site, &received, previous_rank(), tag, world, &request));
    return request;
  }
  void send(int64_t tag) { ok(mpijit_send(&site, &sent, next_rank(), tag, world)); }
  void TearDown() override {
    ok(mpijit_barrier(&site, world));
    EXPECT_EQ(mpijit_live_requests(), 0);
    EXPECT_EQ(mpijit_borrowed_requests(), 0);
  }
};

} // namespace

TEST_F(Completion, TestBecomesTrue) {
  const uint64_t request = irecv(3);
  int64_t done = 1;
  ok(mpijit_barrier(&site, world)); // nobody has sent yet
  ok(mpijit_test(&site, request, &done));
  EXPECT_EQ(done, 0);
  ok(mpijit_barrier(&site, world));
  send(3);
  do
    ok(mpijit_test(&site, request, &done));
  while (!done);
  EXPECT_EQ(in, previous_rank());
  ok(mpijit_test(&site, request, &done));
  EXPECT_EQ(done, 1); // harmless
  ok(mpijit_test(&site, MPIJIT_REQUEST_NULL, &done));
  EXPECT_EQ(done, 1);
}

TEST_F(Completion, WaitanyNamesTheOne) {
  const uint64_t requests[] = {MPIJIT_REQUEST_NULL, irecv(1), irecv(2)};
  int64_t at = -5;
  send(2);
  ok(mpijit_waitany(&site, requests, 3, &at));
  EXPECT_EQ(at, 2);
  ok(mpijit_barrier(&site, world)); // nobody sends the other one before
  send(1);
  ok(mpijit_waitany(&site, requests, 3, &at));
  EXPECT_EQ(at, 1);
  ok(mpijit_waitany(&site, requests, 3, &at));
  EXPECT_EQ(at, undefined());
  ok(mpijit_waitany(&site, nullptr, 0, &at));
  EXPECT_EQ(at, undefined());
}

TEST_F(Completion, TestallIsAllOrNone) {
  const uint64_t requests[] = {irecv(1), irecv(2)};
  int64_t done = 1;
  send(1);
  ok(mpijit_barrier(&site, world));
  ok(mpijit_testall(&site, requests, 2, &done));
  EXPECT_EQ(done, 0);
  EXPECT_EQ(mpijit_live_requests(), 2);
  ok(mpijit_barrier(&site, world));
  send(2);
  do
    ok(mpijit_testall(&site, requests, 2, &done));
  while (!done);
  EXPECT_EQ(mpijit_live_requests(), 0);
  ok(mpijit_testall(&site, nullptr, 0, &done));
  EXPECT_EQ(done, 1);
}

TEST_F(Completion, TestanyTellsNoneFromNotYet) {
  const uint64_t requests[] = {irecv(1), MPIJIT_REQUEST_NULL};
  int64_t seen[2];
  ok(mpijit_barrier(&site, world));
  ok(mpijit_testany(&site, requests, 2, seen));
  EXPECT_EQ(seen[0], 0);
  EXPECT_EQ(seen[1], undefined());
  ok(mpijit_barrier(&site, world));
  send(1);
  do
    ok(mpijit_testany(&site, requests, 2, seen));
  while (!seen[0]);
  EXPECT_EQ(seen[1], 0);
  ok(mpijit_testany(&site, requests, 2, seen));
  EXPECT_EQ(seen[0], 1);
  EXPECT_EQ(seen[1], undefined());
}

TEST_F(Completion, PersistentRequestsOfAllLayouts) {
  for (const Layout layout : all_layouts) {
    Array from(MPIJIT_Float32, layout), to(MPIJIT_Float32, layout);
    uint64_t requests[2];
    ok(mpijit_recv_init(&site, &to, previous_rank(), 5, world, &requests[0]));
    ok(mpijit_send_init(&site, &from, next_rank(), 5, world, &requests[1]));
    mpijit_status status;
    ok(mpijit_wait(&site, requests[0], &status)); // not active
    EXPECT_EQ(status.count, 0);
    for (int64_t round = 0; round < 3; ++round) {
      from.fill(round + mpijit_world.rank);
      ok(mpijit_startall(&site, requests, 2));
      fails(mpijit_start(&site, requests[0]), MPIJIT_MpiError, "is active already");
      ok(mpijit_wait(&site, requests[0], &status));
      EXPECT_EQ(status.count, to.count());
      ok(mpijit_wait(&site, requests[1], nullptr));
      to.expect(round + previous_rank(), to.count());
    }
    ok(mpijit_request_free(&site, requests[0]));
    ok(mpijit_request_free(&site, requests[1]));
    ok(mpijit_request_free(&site, requests[1]));
    fails(mpijit_start(&site, requests[1]), MPIJIT_MpiError, "is not a persistent request");
  }
}

TEST_F(Completion, PersistentRequestsKeepTheirBlocks) {
  const int64_t blocks = mpijit_live_blocks(), shape[] = {4}, strides[] = {16};
  mpijit_block* block = nullptr;
  ok(mpijit_alloc(&site, 8, 8, MPIJIT_FILL_ZERO, &block));
  const mpijit_array strided = {block->data, shape, strides, block, MPIJIT_Int64, 1, MPIJIT_WRITEABLE};
  uint64_t requests[2];
  ok(mpijit_send_init(&site, &strided, next_rank(), 6, world, &requests[0]));
  ok(mpijit_recv_init(&site, &received, previous_rank(), 7, world, &requests[1]));
  mpijit_release(block);
  EXPECT_EQ(mpijit_live_blocks(), blocks + 1);
  ok(mpijit_request_free(&site, requests[0]));
  EXPECT_EQ(mpijit_live_blocks(), blocks);
  ok(mpijit_request_free(&site, requests[1]));
}

TEST_F(Completion, Cancelled) {
  const uint64_t request = irecv(8);
  ok(mpijit_cancel(&site, request));
  ok(mpijit_wait(&site, request, nullptr));
  EXPECT_EQ(in, -1);
  ok(mpijit_cancel(&site, request)); // harmless
}

TEST_F(Completion, ProbeThenReceive) {
  Array data(MPIJIT_Int16, Layout::C);
  data.fill(1);
  uint64_t request = 0;
  ok(mpijit_isend(&site, &data, next_rank(), 4, world, &request));
  mpijit_status status;
  ok(mpijit_probe(&site, previous_rank(), 4, world, &status));
  EXPECT_EQ(status.nbytes, 24);
  EXPECT_EQ(status.count, 24); // no buffer, no dtype
  int64_t found[5] = {};
  ok(mpijit_iprobe(&site, previous_rank(), 4, world, found));
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[4], 24);
  Array into(MPIJIT_Int16, Layout::EveryOther);
  ok(mpijit_recv(&site, &into, status.source, status.tag, world, nullptr));
  into.expect(1, 12);
  ok(mpijit_wait(&site, request, nullptr));
  ok(mpijit_iprobe(&site, previous_rank(), 4, world, found));
  EXPECT_EQ(found[0], 0);
}

TEST_F(Completion, SynchronousSends) {
  uint64_t request = 0;
  int64_t done = 1;
  ok(mpijit_issend(&site, &sent, next_rank(), 2, world, &request));
  ok(mpijit_barrier(&site, world));
  ok(mpijit_test(&site, request, &done));
  EXPECT_EQ(done, 0); // nobody receives it yet
  ok(mpijit_barrier(&site, world));
  ok(mpijit_recv(&site, &received, previous_rank(), 2, world, nullptr));
  ok(mpijit_wait(&site, request, nullptr));
  const uint64_t receive = irecv(2);
  ok(mpijit_ssend(&site, &sent, next_rank(), 2, world));
  ok(mpijit_wait(&site, receive, nullptr));
  EXPECT_EQ(in, previous_rank());
}

TEST_F(Completion, SendrecvReplace) {
  for (const Layout layout : all_layouts) {
    Array data(MPIJIT_Complex128, layout);
    data.fill(mpijit_world.rank);
    ok(mpijit_sendrecv_replace(&site, &data, next_rank(), previous_rank(), 1, 1, world, nullptr));
    data.expect(previous_rank(), data.count());
  }
}

namespace {

void larger_magnitude(void* in, void* inout, int64_t* count, void*) {
  const auto* a = static_cast<const int64_t*>(in);
  auto* b = static_cast<int64_t*>(inout);
  for (int64_t i = 0; i < *count; ++i) {
    if (a[i] == 13)
      mpijit_operator_failed(mpijit_raise(&site, MPIJIT_ValueError, "thirteen"));
    b[i] = std::abs(a[i]) > std::abs(b[i]) ? a[i] : b[i];
  }
}

} // namespace

TEST_F(Completion, OperatorsFromFunctions) {
  int64_t op = -1;
  ok(mpijit_operator_new("larger_magnitude", &op));
  fails(mpijit_allreduce(&site, &sent, &received, op, world), MPIJIT_TypeError, "larger_magnitude does not combine");
  ok(mpijit_operator_define(op, MPIJIT_Int64, larger_magnitude, 1));
  EXPECT_TRUE(mpijit_operator_defined(op, MPIJIT_Int64));
  EXPECT_FALSE(mpijit_operator_defined(op, MPIJIT_Int32));
  out = mpijit_world.rank % 2 ? -100 - mpijit_world.rank : mpijit_world.rank;
  ok(mpijit_allreduce(&site, &sent, &received, op, world));
  EXPECT_EQ(in, mpijit_world.size == 1 ? 0 : -101);
  if (mpijit_world.size == 1)
    return;
  out = 13;
  mpijit_error error = {};
  int64_t failed = mpijit_allreduce(&site, &sent, &received, op, world) != MPIJIT_OK, anywhere = 0;
  if (failed) {
    mpijit_error_take(&error);
    EXPECT_EQ(error.code, MPIJIT_ValueError);
    EXPECT_STREQ(error.message, "thirteen");
  }
  const mpijit_array mine = scalar(failed, MPIJIT_Int64), all = scalar(anywhere, MPIJIT_Int64);
  ok(mpijit_allreduce(&site, &mine, &all, MPIJIT_MAX, world));
  EXPECT_EQ(anywhere, 1);
}

TEST_F(Completion, TestsTellOfOperatorsThatFail) {
  int64_t op = -1;
  ok(mpijit_operator_new("larger_magnitude", &op));
  ok(mpijit_operator_define(op, MPIJIT_Int64, larger_magnitude, 1));
  out = 13;
  uint64_t request = 0;
  ok(mpijit_iallreduce(&site, &sent, &received, op, world, &request));
  int64_t done = 0, failed = 0, anywhere = 0;
  while (!done && !failed)
    failed = mpijit_test(&site, request, &done) != MPIJIT_OK;
  if (failed) {
    mpijit_error error = {};
    mpijit_error_take(&error);
    EXPECT_STREQ(error.message, "thirteen");
  }
  const mpijit_array mine = scalar(failed, MPIJIT_Int64), all = scalar(anywhere, MPIJIT_Int64);
  ok(mpijit_allreduce(&site, &mine, &all, MPIJIT_MAX, world));
  EXPECT_EQ(anywhere, mpijit_world.size > 1);
}
