// What a running kernel asks of the program around it: has the user interrupted, is there stack left. Knows
// nothing of Python; the host's functions come in through mpijit_set_host.
#include "host.h"

#include <pthread.h>

#include "error.h"

volatile int32_t mpijit_interrupt = 0;

namespace mpijit::rt {
namespace {

mpijit_host hooks = {nullptr, nullptr};

// Left for the runtime, for MPI and for whatever handles the error.
constexpr uintptr_t stack_margin = uintptr_t{256} << 10;

// Eight bytes, so they fit the static TLS that a dlopened library may use: an access is one load.
[[gnu::tls_model("initial-exec")]] thread_local uintptr_t lowest_frame = 0;

[[gnu::cold, gnu::noinline]] uintptr_t find_lowest_frame() {
  pthread_attr_t attributes;
  void* base = nullptr;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 1;
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  // A stack smaller than two margins gives up half of itself.
  return reinterpret_cast<uintptr_t>(base) + (size < 2 * stack_margin ? size / 2 : stack_margin);
}

} // namespace

const mpijit_host& host() { return hooks; }

} // namespace mpijit::rt

using namespace mpijit::rt;

void mpijit_set_host(const mpijit_host* host) { hooks = host ? *host : mpijit_host{nullptr, nullptr}; }

int32_t mpijit_poll(const mpijit_site* site) {
  mpijit_interrupt = 0;
  const int32_t code = hooks.poll ? hooks.poll() : MPIJIT_KeyboardInterrupt;
  return code ? mpijit_raise(site, code, "") : MPIJIT_OK;
}

int32_t mpijit_check_stack(const mpijit_site* site) {
  if (lowest_frame == 0) [[unlikely]]
    lowest_frame = find_lowest_frame();
  if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) > lowest_frame) [[likely]]
    return MPIJIT_OK;
  return mpijit_raise(site, MPIJIT_RecursionError, "maximum recursion depth exceeded");
}
