// The error record: what is in it, how frames are added, that each thread has its own.
#include <thread>

#include "support.h"

using namespace mpijit::test;

TEST(Error, IsTakenOnce) {
  mpijit_error error;
  EXPECT_EQ(mpijit_error_take(&error), 0);
  EXPECT_EQ(mpijit_raise(&site, MPIJIT_KeyError, "100% of it"), MPIJIT_KeyError);
  EXPECT_EQ(mpijit_error_take(&error), MPIJIT_KeyError);
  EXPECT_EQ(error.code, MPIJIT_KeyError);
  EXPECT_STREQ(error.message, "100% of it");
  EXPECT_EQ(error.routine, nullptr);
  EXPECT_EQ(error.mpi_class, 0);
  ASSERT_EQ(error.frame_count, 1);
  EXPECT_STREQ(error.frames[0].file, "test.py");
  EXPECT_EQ(mpijit_error_take(&error), 0);
  EXPECT_EQ(error.frame_count, 0);
}

TEST(Error, IndexUsesNumPysWords) {
  fails(mpijit_raise_index(&site, -9, 1, 4), MPIJIT_IndexError, "index -9 is out of bounds for axis 1 with size 4");
}

TEST(Error, FitUsesNumPysWords) {
  fails(mpijit_raise_fit(&site, -1, "uint64"), MPIJIT_OverflowError, "Python integer -1 out of bounds for uint64");
}

TEST(Error, GathersFramesUpToItsLimit) {
  int32_t status = mpijit_raise(&site, MPIJIT_ValueError, "deep");
  for (int i = 0; i < 2 * MPIJIT_MAX_FRAMES; ++i) {
    const mpijit_site caller = {"caller.py", "caller", 100 + i, 1};
    EXPECT_EQ(mpijit_frame(&caller, status), status);
  }
  mpijit_error error;
  mpijit_error_take(&error);
  EXPECT_EQ(error.frame_count, MPIJIT_MAX_FRAMES);
  EXPECT_EQ(error.frames[1].line, 100);
  EXPECT_EQ(mpijit_frame(&site, MPIJIT_OK), MPIJIT_OK);
}

TEST(Error, CutsLongMessages) {
  mpijit_raise(nullptr, MPIJIT_ValueError, std::string(5000, 'x').c_str());
  mpijit_error error;
  mpijit_error_take(&error);
  EXPECT_EQ(std::strlen(error.message), MPIJIT_MESSAGE_SIZE - 1u);
  EXPECT_EQ(error.frame_count, 0);
}

TEST(Error, BelongsToItsThread) {
  mpijit_raise(&site, MPIJIT_ValueError, "mine");
  std::thread([] {
    mpijit_error error;
    EXPECT_EQ(mpijit_error_take(&error), 0);
  }).join();
  mpijit_error error;
  EXPECT_EQ(mpijit_error_take(&error), MPIJIT_ValueError);
}
