// Counted blocks: the memory of arrays that kernels make. A block's header and data are one allocation. Knows
// nothing of arrays; blocks that Python or another program makes bring their own destroy.
#include <atomic>
#include <cstdlib>
#include <cstring>

#include "error.h"
#include "freed.h"
#include "mpijit/runtime.h"

namespace mpijit::rt {
namespace {

constexpr int64_t alignment = 64; // a cache line, and the widest vector register

// Ours, with the size of the allocation that context points to.
struct OwnBlock : mpijit_block {
  int64_t size;
};
static_assert(sizeof(OwnBlock) <= alignment);

std::atomic<int64_t> live_blocks{0};

void destroy(mpijit_block* block) {
  live_blocks.fetch_sub(1, std::memory_order_relaxed);
  keep_or_free({block->context, static_cast<OwnBlock*>(block)->size});
}

Memory allocate(int64_t size, bool zero) {
  if (const Memory kept = take_kept(size); kept.start) {
    if (zero)
      std::memset(kept.start, 0, static_cast<size_t>(size));
    return kept;
  }
  // calloc, not memset: large zero-filled memory then comes from the kernel untouched.
  const auto get = [&] {
    return zero ? std::calloc(1, static_cast<size_t>(size)) : std::malloc(static_cast<size_t>(size));
  };
  void* start = get();
  if (!start && free_kept())
    start = get();
  return {start, size};
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_alloc(const mpijit_site* site, int64_t count, int64_t size, int32_t fill, mpijit_block** out) {
  int64_t bytes = 0, total = 0;
  if (count < 0)
    return raise(site, nullptr, MPIJIT_ValueError, "negative dimensions are not allowed");
  if (__builtin_mul_overflow(count, size, &bytes) || __builtin_add_overflow(bytes, 2 * alignment, &total))
    return raise(site, nullptr, MPIJIT_ValueError, "array is too big: %lld elements of %lld bytes",
                 static_cast<long long>(count), static_cast<long long>(size));
  const Memory memory = allocate(total, fill == MPIJIT_FILL_ZERO);
  if (!memory.start)
    return raise(site, nullptr, MPIJIT_MemoryError, "unable to allocate %lld bytes", static_cast<long long>(bytes));
  auto start = (reinterpret_cast<uintptr_t>(memory.start) + alignment - 1) & ~uintptr_t{alignment - 1};
  auto* block = reinterpret_cast<OwnBlock*>(start);
  *block = {{1, destroy, reinterpret_cast<char*>(start) + alignment, memory.start}, memory.size};
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

int64_t mpijit_kept_bytes() { return kept_bytes(); }
