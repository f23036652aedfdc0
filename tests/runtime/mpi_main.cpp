// Runs the tests on every rank. Rank 0 tells of successes, every rank of its failures, and all fail together.
#include <cstdio>

#include "support.h"

namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo& test) override { test_ = &test; }

  // GoogleTest holds its lock here: the current test cannot be asked for.
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed())
      return;
    std::printf("rank %lld, %s.%s, %s:%d\n%s\n", static_cast<long long>(mpijit_world.rank),
                test_ ? test_->test_suite_name() : "", test_ ? test_->name() : "",
                result.file_name() ? result.file_name() : "", result.line_number(), result.message());
    std::fflush(stdout);
  }

  const testing::TestInfo* test_ = nullptr;
};

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (mpijit_begin(nullptr))
    return 1;
  if (mpijit_world.rank) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly);
  }
  int64_t failed = RUN_ALL_TESTS(), anywhere = 0;
  const mpijit_array mine = mpijit::test::scalar(failed, MPIJIT_Int64);
  const mpijit_array all = mpijit::test::scalar(anywhere, MPIJIT_Int64);
  if (mpijit_allreduce(nullptr, &mine, &all, MPIJIT_MAX, MPIJIT_COMM_WORLD))
    return 1;
  mpijit_end();
  return anywhere ? 1 : 0;
}
