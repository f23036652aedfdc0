// Signals and the stack, with and without a host.
#include <thread>

#include "support.h"

using namespace mpijit::test;

namespace {

// Recurses until the runtime says stop; returns the depth.
[[gnu::noinline]] int descend(int depth, int32_t& status) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  status = mpijit_check_stack(&site);
  const int deepest = status || depth > 10'000'000 ? depth : descend(depth + 1, status);
  return deepest + frame[0] * 0;
}

} // namespace

TEST(Host, StackRunsOutAsAnError) {
  int32_t status = MPIJIT_OK;
  EXPECT_GT(descend(0, status), 1000);
  fails(status, MPIJIT_RecursionError, "maximum recursion depth exceeded");
  ok(mpijit_check_stack(&site));
}

TEST(Host, EveryThreadHasItsStack) {
  std::thread([] {
    int32_t status = MPIJIT_OK;
    descend(0, status);
    fails(status, MPIJIT_RecursionError, "maximum recursion depth exceeded");
  }).join();
}

TEST(Host, AnInterruptIsKeyboardInterrupt) {
  mpijit_interrupt = 1;
  fails(mpijit_poll(&site), MPIJIT_KeyboardInterrupt, "");
  EXPECT_EQ(mpijit_interrupt, 0);
}

TEST(Host, MayHandleAnInterrupt) {
  static int32_t answer = 0;
  const mpijit_host host = {nullptr, [] { return answer; }};
  mpijit_set_host(&host);
  mpijit_interrupt = 1;
  ok(mpijit_poll(&site));
  EXPECT_EQ(mpijit_interrupt, 0);
  answer = MPIJIT_RuntimeError;
  fails(mpijit_poll(&site), MPIJIT_RuntimeError, "");
  mpijit_set_host(nullptr);
}

TEST(Host, MayPrint) {
  static std::string seen;
  const mpijit_host host = {[](const char* types, const int64_t* words, const char* sep, const char* end) {
                              seen = std::string(types) + std::to_string(words[0]) + sep + end;
                              return int32_t{words[0] < 0 ? MPIJIT_Exception : 0};
                            },
                            nullptr};
  mpijit_set_host(&host);
  int64_t words[] = {42};
  ok(mpijit_print(&site, "(int)", words, " ", "!\n"));
  EXPECT_EQ(seen, "(int)42 !\n");
  words[0] = -1;
  fails(mpijit_print(&site, "(int)", words, " ", "\n"), MPIJIT_Exception, "");
  mpijit_set_host(nullptr);
}
