// Counted blocks: alignment, filling, counting, and what cannot be allocated.
#include <cstring>
#include <thread>
#include <vector>

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

// ---- memory kept for reuse ----

namespace {

mpijit_block* block_of(int64_t bytes, int32_t fill = MPIJIT_FILL_NONE) {
  mpijit_block* block = nullptr;
  ok(mpijit_alloc(&site, bytes, 1, fill, &block));
  return block;
}

bool keeps() {
#if defined(__SANITIZE_ADDRESS__)
  return false;
#else
  return true;
#endif
}

constexpr int64_t large = 3 << 20;

} // namespace

TEST(Block, IsReusedWhenLarge) {
  mpijit_block* first = block_of(large);
  std::memset(first->data, 7, large);
  const void* const place = first;
  const int64_t live = mpijit_live_blocks();
  mpijit_release(first);
  EXPECT_EQ(mpijit_live_blocks(), live - 1);
  EXPECT_EQ(mpijit_kept_bytes() >= large, keeps());
  if (!keeps())
    return;
  mpijit_block* second = block_of(large - large / 8, MPIJIT_FILL_ZERO); // what is kept may be a little larger
  EXPECT_EQ(second, place);
  EXPECT_EQ(second->count, 1);
  for (int64_t i = 0; i < large - large / 8; ++i)
    ASSERT_EQ(static_cast<char*>(second->data)[i], 0);
  mpijit_release(second);
  mpijit_block* third = block_of(large); // and is as large as it was
  EXPECT_EQ(third, place);
  mpijit_block* fourth = block_of(large / 2); // not half of what is kept
  EXPECT_NE(fourth, place);
  mpijit_release(third);
  mpijit_release(fourth);
}

TEST(Block, KeepsNeitherSmallOnesNorMoreThanItsLimit) {
  const int64_t before = mpijit_kept_bytes();
  mpijit_release(block_of(1000));
  EXPECT_EQ(mpijit_kept_bytes(), before);
  mpijit_release(block_of(int64_t{1} << 33)); // untouched, so that it costs nothing
  EXPECT_EQ(mpijit_kept_bytes(), before);
  std::vector<mpijit_block*> blocks;
  for (int k = 0; k < 40; ++k)
    blocks.push_back(block_of(large + k * (large / 2)));
  for (mpijit_block* block : blocks) {
    mpijit_release(block);
    EXPECT_LE(mpijit_kept_bytes(), 256 << 20);
  }
  EXPECT_EQ(mpijit_kept_bytes() > 0, keeps());
  if (keeps()) { // the last of them
    mpijit_block* block = block_of(large + 39 * (large / 2));
    EXPECT_EQ(block, blocks.back());
    mpijit_release(block);
  }
}

TEST(Block, IsKeptAndTakenByManyThreads) {
  const int64_t live = mpijit_live_blocks();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int k = 0; k < 300; ++k) {
        mpijit_block* block = block_of(large / 4 + (k % 3) * large);
        auto* words = static_cast<int64_t*>(block->data);
        words[0] = words[large / 64] = t * 1000 + k;
        std::this_thread::yield();
        ASSERT_EQ(words[0], t * 1000 + k); // nobody else has it
        ASSERT_EQ(words[large / 64], t * 1000 + k);
        mpijit_release(block);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(mpijit_live_blocks(), live);
}
