// Who, how many, when, and what the session says of itself.
#include "support.h"

using namespace mpijit::test;

TEST(Environment, RankAndSizeAreTheWorlds) {
  int64_t rank = -1, size = -1;
  ok(mpijit_rank(&site, world, &rank));
  ok(mpijit_size(&site, world, &size));
  EXPECT_EQ(rank, mpijit_world.rank);
  EXPECT_EQ(size, mpijit_world.size);
  EXPECT_LT(rank, size);
}

TEST(Environment, RanksAreDistinct) {
  int64_t bit = int64_t{1} << mpijit_world.rank, all = 0;
  const mpijit_array mine = scalar(bit, MPIJIT_Int64), sum = scalar(all, MPIJIT_Int64);
  ok(mpijit_allreduce(&site, &mine, &sum, MPIJIT_SUM, world));
  EXPECT_EQ(all, (int64_t{1} << mpijit_world.size) - 1);
}

TEST(Environment, TimeGoesOn) {
  double first = 0, second = 0;
  ok(mpijit_wtime(&site, &first));
  do
    ok(mpijit_wtime(&site, &second));
  while (second == first);
  EXPECT_GT(second, first);
}

TEST(Environment, TheSessionDescribesItself) {
  EXPECT_EQ(mpijit_is_initialized(), 1);
  EXPECT_EQ(mpijit_is_finalized(), 0);
  const char* wanted = std::getenv("MPIJIT_THREAD_LEVEL");
  EXPECT_STREQ(mpijit_thread_level(), wanted ? wanted : "serialized");
  EXPECT_NE(std::string(mpijit_library_version()).find("MPICH"), std::string::npos);
  EXPECT_NE(std::string(mpijit_library_path()).find("libmpi"), std::string::npos);
  ok(mpijit_begin(&site));
}

TEST(Environment, ConstantsDiffer) {
  EXPECT_NE(any_source(), proc_null());
  EXPECT_LT(any_source(), 0);
  EXPECT_LT(any_tag(), 0);
  EXPECT_LT(mpijit_constant(MPIJIT_UNDEFINED), 0);
}

TEST(Environment, TheLockMayBeTakenAgain) {
  mpijit_lock();
  mpijit_lock();
  mpijit_unlock();
  mpijit_unlock();
  mpijit_unlock(); // one too many is harmless
}
