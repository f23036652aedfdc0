// The life of a request: completion, stale and null values, buffers kept, dropped requests, adoption.
#include <map>

#include "support.h"

using namespace mpijit::test;

namespace {

uint64_t isend(const mpijit_array& data, int64_t tag = 0) {
  uint64_t request = 0;
  ok(mpijit_isend(&site, &data, next_rank(), tag, world, &request));
  return request;
}

uint64_t irecv(const mpijit_array& data, int64_t tag = 0) {
  uint64_t request = 0;
  ok(mpijit_irecv(&site, &data, previous_rank(), tag, world, &request));
  return request;
}

void expect_empty(const mpijit_status& status) {
  EXPECT_EQ(status.source, any_source());
  EXPECT_EQ(status.tag, any_tag());
  EXPECT_EQ(status.count, 0);
  EXPECT_EQ(status.nbytes, 0);
}

// An array in a block of its own, which the test gives up at once: the requests alone keep it.
mpijit_array in_block(int64_t count, const int64_t* shape, const int64_t* strides) {
  mpijit_block* block = nullptr;
  ok(mpijit_alloc(&site, count, 8, MPIJIT_FILL_ZERO, &block));
  const uint32_t in_order = *strides == 8 ? MPIJIT_C_CONTIGUOUS : 0;
  return {block->data, shape, strides, block, MPIJIT_Int64, 1, MPIJIT_WRITEABLE | in_order};
}

class Request : public testing::Test {
protected:
  const int64_t blocks = mpijit_live_blocks();

  void TearDown() override {
    ok(mpijit_barrier(&site, world));
    EXPECT_EQ(mpijit_live_requests(), 0);
    EXPECT_EQ(mpijit_borrowed_requests(), 0);
    EXPECT_EQ(mpijit_live_blocks(), blocks);
  }
};

} // namespace

TEST_F(Request, NullIsHarmless) {
  mpijit_status status = {};
  ok(mpijit_wait(&site, MPIJIT_REQUEST_NULL, &status));
  expect_empty(status);
  const uint64_t nulls[3] = {};
  ok(mpijit_waitall(&site, nulls, 3));
  ok(mpijit_waitall(&site, nullptr, 0));
}

TEST_F(Request, WaitingTwiceIsHarmless) {
  int64_t sent = 5, received = 0;
  const uint64_t r = irecv(scalar(received, MPIJIT_Int64), 9), s = isend(scalar(sent, MPIJIT_Int64), 9);
  EXPECT_NE(r, s);
  EXPECT_EQ(mpijit_live_requests(), 2);
  EXPECT_EQ(mpijit_borrowed_requests(), 2);
  mpijit_status status = {};
  ok(mpijit_wait(&site, r, &status));
  EXPECT_EQ(status.source, previous_rank());
  EXPECT_EQ(status.tag, 9);
  EXPECT_EQ(status.count, 1);
  EXPECT_EQ(status.nbytes, 8);
  EXPECT_EQ(received, 5);
  ok(mpijit_wait(&site, r, &status));
  expect_empty(status);
  ok(mpijit_wait(&site, s, &status));
  expect_empty(status); // of a send nothing can be said
  ok(mpijit_wait(&site, s, nullptr));
}

TEST_F(Request, ValuesThatWereNeverRequestsAreNull) {
  mpijit_status status = {};
  for (const uint64_t value : {uint64_t{1}, uint64_t{63}, ~uint64_t{0}, uint64_t{1} << 63, uint64_t{1000} << 32,
                               uint64_t{1} << 32 | 0xffffffff, uint64_t{77} << 32 | 5}) {
    ok(mpijit_wait(&site, value, &status));
    expect_empty(status);
  }
}

TEST_F(Request, StaleValueDoesNotTouchTheSlotsNextRequest) {
  int64_t sent = 1, received = 0;
  const uint64_t old = irecv(scalar(received, MPIJIT_Int64));
  ok(mpijit_wait(&site, isend(scalar(sent, MPIJIT_Int64)), nullptr));
  ok(mpijit_wait(&site, old, nullptr));
  const uint64_t fresh = irecv(scalar(received, MPIJIT_Int64));
  ok(mpijit_wait(&site, old, nullptr)); // would hang if it meant the fresh one
  EXPECT_EQ(mpijit_live_requests(), 1);
  ok(mpijit_wait(&site, isend(scalar(sent, MPIJIT_Int64)), nullptr));
  ok(mpijit_wait(&site, fresh, nullptr));
}

TEST_F(Request, WaitallTakesAnyNumber) {
  constexpr int n = 300;
  int64_t sent[n], received[n] = {};
  uint64_t requests[2 * n + 3] = {};
  for (int i = 0; i < n; ++i) {
    sent[i] = 1000 * mpijit_world.rank + i;
    requests[i] = irecv(scalar(received[i], MPIJIT_Int64), i);
    requests[n + i] = isend(scalar(sent[i], MPIJIT_Int64), i);
  }
  requests[2 * n + 1] = requests[7];    // a copy
  EXPECT_GE(mpijit_live_requests(), n); // sends that have completed may have been reaped
  ok(mpijit_waitall(&site, requests, 2 * n + 3));
  for (int i = 0; i < n; ++i)
    EXPECT_EQ(received[i], 1000 * previous_rank() + i);
}

TEST_F(Request, OwnersAreKeptUntilCompletion) {
  for (const int64_t stride : {8, 16}) {
    const int64_t shape[] = {4}, strides[] = {stride};
    const mpijit_array from = in_block(8, shape, strides), to = in_block(8, shape, strides);
    static_cast<int64_t*>(from.data)[0] = 11;
    const uint64_t r = irecv(to), s = isend(from);
    EXPECT_EQ(mpijit_borrowed_requests(), 0);
    mpijit_retain(to.owner); // to look at afterwards
    mpijit_release(from.owner);
    mpijit_release(to.owner);
    EXPECT_EQ(to.owner->count, 2);
    // A packed copy of what is sent needs the array no more.
    EXPECT_EQ(mpijit_live_blocks(), blocks + (stride == 8 ? 2 : 1));
    const uint64_t both[] = {r, s};
    ok(mpijit_waitall(&site, both, 2));
    EXPECT_EQ(static_cast<int64_t*>(to.data)[0], 11);
    EXPECT_EQ(to.owner->count, 1);
    mpijit_release(to.owner);
    EXPECT_EQ(mpijit_live_blocks(), blocks);
  }
}

TEST_F(Request, WhatIsBorrowed) {
  Array contiguous(MPIJIT_Int64, Layout::C), strided(MPIJIT_Int64, Layout::EveryOther),
      empty(MPIJIT_Int64, Layout::Empty);
  std::vector<uint64_t> requests;
  requests.push_back(irecv(*&strided, 1)); // will be unpacked into
  EXPECT_EQ(mpijit_borrowed_requests(), 1);
  requests.push_back(isend(*&contiguous, 1));
  EXPECT_EQ(mpijit_borrowed_requests(), 2);
  requests.push_back(irecv(*&empty, 2));
  requests.push_back(isend(*&empty, 2));
  Array packed(MPIJIT_Int64, Layout::Reversed), into(MPIJIT_Int64, Layout::C);
  requests.push_back(isend(*&packed, 3)); // travels as a copy
  EXPECT_EQ(mpijit_borrowed_requests(), 2);
  requests.push_back(irecv(*&into, 3));
  EXPECT_EQ(mpijit_borrowed_requests(), 3);
  ok(mpijit_waitall(&site, requests.data(), static_cast<int64_t>(requests.size())));
}

TEST_F(Request, AdoptionGivesBorrowedBuffersAnOwner) {
  Array sent(MPIJIT_Int64, Layout::C), received(MPIJIT_Int64, Layout::EveryOther);
  sent.fill(mpijit_world.rank);
  const int64_t shape[] = {4}, strides[] = {8};
  const mpijit_array owned = in_block(4, shape, strides);
  const uint64_t requests[] = {irecv(*&received), isend(*&sent), irecv(owned, 5)};
  mpijit_release(owned.owner);
  struct Seen {
    std::map<const void*, const void*> buffers;
    mpijit_block* block = nullptr;
  } seen;
  ok(mpijit_alloc(&site, 1, 8, 0, &seen.block));
  const auto refuse = [](void*, const void*, const void*) -> mpijit_block* { return nullptr; };
  mpijit_adopt_requests(refuse, nullptr);
  EXPECT_EQ(mpijit_borrowed_requests(), 2);
  const auto keep = [](void* context, const void* begin, const void* end) {
    auto* all = static_cast<Seen*>(context);
    all->buffers[begin] = end;
    mpijit_retain(all->block);
    return all->block;
  };
  mpijit_adopt_requests(keep, &seen);
  EXPECT_EQ(mpijit_borrowed_requests(), 0);
  ASSERT_EQ(seen.buffers.size(), 2u);
  EXPECT_EQ(seen.buffers[sent.at(0)], sent.at(0) + 96);
  EXPECT_EQ(seen.buffers[received.at(0)], received.at(11) + 8);
  EXPECT_EQ(seen.block->count, 3);
  int64_t last = 6;
  ok(mpijit_wait(&site, isend(scalar(last, MPIJIT_Int64), 5), nullptr));
  ok(mpijit_waitall(&site, requests, 3));
  EXPECT_EQ(seen.block->count, 1);
  received.expect(previous_rank(), 12);
  mpijit_release(seen.block);
}

// Sends that nobody waits for: completed ones are reaped, so the table does not grow with them.
TEST_F(Request, DroppedSendsDoNotPileUp) {
  int64_t sent = 3, received = 0, most = 0;
  const int drops = mpijit_world.size == 1 ? 100'000 : 5'000; // ranks may have to share a core
  for (int i = 0; i < drops; ++i) {
    isend(scalar(sent, MPIJIT_Int64));
    const mpijit_array to = scalar(received, MPIJIT_Int64);
    ok(mpijit_recv(&site, &to, previous_rank(), 0, world, nullptr));
    most = std::max(most, mpijit_live_requests());
    if (HasFatalFailure())
      return;
  }
  EXPECT_LE(most, 1000);
  // The rest completes too; filling the table makes room by reaping it.
  ok(mpijit_barrier(&site, world));
  std::vector<uint64_t> fillers;
  for (int i = 0; i < 4000; ++i)
    fillers.push_back(irecv(scalar(received, MPIJIT_Int64), 1));
  for (int i = 0; i < 4000; ++i)
    ok(mpijit_wait(&site, isend(scalar(sent, MPIJIT_Int64), 1), nullptr));
  ok(mpijit_waitall(&site, fillers.data(), 4000));
}

// A receive that was reaped still gives its status, and has delivered its message.
TEST_F(Request, ReapedReceivesKeepTheirStatus) {
  constexpr int n = 500;
  std::vector<int64_t> received(2 * n), sent(n);
  const int64_t shape[] = {1}, strides[] = {16};
  std::vector<uint64_t> receives, sends;
  for (int i = 0; i < n; ++i) {
    sent[i] = i;
    mpijit_array to = scalar(received[2 * i], MPIJIT_Int64);
    to.ndim = 1, to.shape = shape, to.strides = strides, to.flags = MPIJIT_WRITEABLE;
    receives.push_back(irecv(to, i));
    sends.push_back(isend(scalar(sent[i], MPIJIT_Int64), i));
  }
  ok(mpijit_waitall(&site, sends.data(), n));
  for (int i = 0; i < n; ++i) {
    mpijit_status status = {};
    ok(mpijit_wait(&site, receives[i], &status));
    EXPECT_EQ(status.tag, i);
    EXPECT_EQ(status.source, previous_rank());
    EXPECT_EQ(status.count, 1);
    EXPECT_EQ(received[2 * i], i);
  }
}

TEST_F(Request, WaitallTellsWhichOneFailed) {
  int64_t one = 0, more[3] = {1, 2, 3};
  const int64_t shape[] = {3}, strides[] = {8};
  const mpijit_array three = {more, shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_C_CONTIGUOUS};
  const uint64_t s = isend(three, 4);
  const uint64_t requests[] = {0, 0, irecv(scalar(one, MPIJIT_Int64), 4)};
  const int32_t status = mpijit_waitall(&site, requests, 3);
  mpijit_error error = {};
  mpijit_error_take(&error);
  EXPECT_EQ(status, MPIJIT_MpiError);
  EXPECT_NE(std::string(error.message).find("waitall: requests[2], irecv at test.py:7: "), std::string::npos)
      << error.message;
  EXPECT_NE(std::string(error.message).find("truncated"), std::string::npos) << error.message;
  EXPECT_GT(error.mpi_class, 0);
  ok(mpijit_waitall(&site, requests, 3)); // it is over
  mpijit_wait(&site, s, nullptr);
  mpijit_error_take(&error);
}

TEST_F(Request, LongMessageIntoAStridedArrayWritesNothing) {
  Array received(MPIJIT_Int64, Layout::EveryOther);
  std::vector<int64_t> many(50, 1);
  const int64_t shape[] = {50}, strides[] = {8};
  const mpijit_array sent = {many.data(), shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_C_CONTIGUOUS};
  const uint64_t r = irecv(*&received), s = isend(sent);
  const int32_t status = mpijit_wait(&site, r, nullptr);
  mpijit_error error = {};
  mpijit_error_take(&error);
  EXPECT_EQ(status, MPIJIT_MpiError);
  EXPECT_NE(std::string(error.message).find("wait: irecv at test.py:7: "), std::string::npos) << error.message;
  received.expect(0, 0);
  mpijit_wait(&site, s, nullptr);
  mpijit_error_take(&error);
}
