// Counted blocks: alignment, filling, counting, and what cannot be allocated.
#include <cstring>
#include <thread>

#include "support.h"

using namespace mpijit::test;

TEST(Block, IsAlignedFilledAndCounted) {
  const int64_t before = mpijit_live_blocks();
  for (int64_t count : {0, 1, 7, 1000, 1000000}) {
    mpijit_block* block = nullptr;
    ok(mpijit_alloc(&site, count, 8, MPIJIT_FILL_ZERO, &block));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block->data) % 64, 0u);
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(static_cast<int64_t*>(block->data)[i], 0);
    std::memset(block->data, 1, count * 8);
    EXPECT_EQ(mpijit_live_blocks(), before + 1);
    mpijit_retain(block);
    mpijit_release(block);
    EXPECT_EQ(mpijit_live_blocks(), before + 1);
    mpijit_release(block);
    EXPECT_EQ(mpijit_live_blocks(), before);
  }
}

TEST(Block, NullIsAllowed) {
  mpijit_retain(nullptr);
  mpijit_release(nullptr);
}

TEST(Block, BringsItsOwnDestroy) {
  static int destroyed = 0;
  mpijit_block block = {1, [](mpijit_block*) { ++destroyed; }, nullptr, nullptr};
  mpijit_retain(&block);
  mpijit_release(&block);
  EXPECT_EQ(destroyed, 0);
  mpijit_release(&block);
  EXPECT_EQ(destroyed, 1);
}

TEST(Block, CountsFromSeveralThreads) {
  mpijit_block* block = nullptr;
  ok(mpijit_alloc(&site, 1, 8, MPIJIT_FILL_NONE, &block));
  const auto work = [block] {
    for (int i = 0; i < 10000; ++i) {
      mpijit_retain(block);
      mpijit_release(block);
    }
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  EXPECT_EQ(block->count, 1);
  mpijit_release(block);
}

TEST(Block, RefusesWhatCannotBe) {
  mpijit_block* block = nullptr;
  fails(mpijit_alloc(&site, -1, 8, 0, &block), MPIJIT_ValueError, "negative dimensions are not allowed");
  fails(mpijit_alloc(&site, INT64_MAX / 4, 8, 0, &block), MPIJIT_ValueError, "array is too big");
  fails(mpijit_alloc(&site, INT64_MAX, 1, 0, &block), MPIJIT_ValueError, "array is too big");
  EXPECT_EQ(block, nullptr);
}

TEST(Block, SaysWhenThereIsNoMemory) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's allocator ends the process instead";
#endif
  mpijit_block* block = nullptr;
  fails(mpijit_alloc(&site, int64_t{1} << 60, 1, 0, &block), MPIJIT_MemoryError, "unable to allocate");
}
