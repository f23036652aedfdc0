// Counted blocks: the memory of arrays that kernels make. A block's header and data are one allocation. Knows
// nothing of arrays; blocks that Python or another program makes bring their own destroy.
#include <atomic>
#include <cstdlib>

#include "error.h"
#include "mpijit/runtime.h"

namespace mpijit::rt {
namespace {

constexpr int64_t alignment = 64; // a cache line, and the widest vector register

std::atomic<int64_t> live_blocks{0};

void destroy(mpijit_block* block) {
  live_blocks.fetch_sub(1, std::memory_order_relaxed);
  std::free(block->context);
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_alloc(const mpijit_site* site, int64_t count, int64_t size, int32_t fill, mpijit_block** out) {
  static_assert(sizeof(mpijit_block) <= alignment);
  int64_t bytes = 0, total = 0;
  if (count < 0)
    return raise(site, nullptr, MPIJIT_ValueError, "negative dimensions are not allowed");
  if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, 2 * alignment, &total))
    return raise(site, nullptr, MPIJIT_ValueError, "array is too big: %lld elements of %lld bytes",
                 static_cast<long long>(count), static_cast<long long>(size));
  // calloc, not memset: large zero-filled memory then comes from the kernel untouched.
  void* raw = fill == MPIJIT_FILL_ZERO ? std::calloc(1, total) : std::malloc(total);
  if (!raw)
    return raise(site, nullptr, MPIJIT_MemoryError, "unable to allocate %lld bytes", static_cast<long long>(bytes));
  auto start = (reinterpret_cast<uintptr_t>(raw) + alignment - 1) & ~uintptr_t{alignment - 1};
  auto* block = reinterpret_cast<mpijit_block*>(start);
  *block = {1, destroy, reinterpret_cast<char*>(start) + alignment, raw};
  live_blocks.fetch_add(1, std::memory_order_relaxed);
  *out = block;
  return MPIJIT_OK;
}

void mpijit_retain(mpijit_block* block) {
  if (block)
    std::atomic_ref(block->count).fetch_add(1, std::memory_order_relaxed);
}

void mpijit_release(mpijit_block* block) {
  // acquire-release: whoever frees the block must see what the other owners wrote to it.
  if (block && std::atomic_ref(block->count).fetch_sub(1, std::memory_order_acq_rel) == 1)
    block->destroy(block);
}

int64_t mpijit_live_blocks() { return live_blocks.load(std::memory_order_relaxed); }
