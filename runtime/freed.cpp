// See freed.h. At most kept_most allocations, of at most limit() bytes together; the ones kept longest go first. A
// thread that finds another one here does not wait: it allocates and frees as if nothing were kept.
#include "freed.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <unistd.h>

namespace mpijit::rt {
namespace {

constexpr int64_t mebibyte = 1 << 20;
constexpr int64_t least = mebibyte / 4; // below, malloc itself keeps what is freed
constexpr int kept_most = 16;

// Memory that is kept hides use after free from the sanitizer.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool is_on = false;
#else
constexpr bool is_on = true;
#endif

// An eighth of this core's share of the memory, so that a process on every core keeps an eighth of the machine.
int64_t default_limit() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (pages <= 0 || page <= 0 || cores <= 0)
    return 0;
  return std::min(256 * mebibyte, pages / cores * page / 8);
}

int64_t limit() {
  static const int64_t bytes = [] {
    const char* wanted = std::getenv("MPIJIT_KEEP_MB");
    if (!wanted || !*wanted)
      return default_limit();
    const int64_t number = std::strtoll(wanted, nullptr, 10);
    return std::clamp<int64_t>(number, 0, INT64_MAX / mebibyte) * mebibyte;
  }();
  return bytes;
}

struct Kept {
  std::mutex mutex;
  Memory entries[kept_most]; // the one kept longest first
  int count = 0;
  int64_t bytes = 0;

  Memory remove(int k) {
    const Memory out = entries[k];
    std::copy(entries + k + 1, entries + count--, entries + k);
    bytes -= out.size;
    return out;
  }
};

Kept kept;

} // namespace

Memory take_kept(int64_t size) {
  if (!is_on || size < least)
    return {nullptr, 0};
  const std::unique_lock lock(kept.mutex, std::try_to_lock);
  if (!lock)
    return {nullptr, 0};
  int best = -1;
  for (int k = 0; k < kept.count; ++k) {
    const int64_t has = kept.entries[k].size;
    if (has >= size && has - size <= size / 4 && (best < 0 || has <= kept.entries[best].size))
      best = k; // of equal ones the last freed, whose pages are warm
  }
  return best < 0 ? Memory{nullptr, 0} : kept.remove(best);
}

void keep_or_free(Memory memory) {
  std::unique_lock lock(kept.mutex, std::defer_lock);
  if (!is_on || memory.size < least || memory.size > limit() || !lock.try_lock())
    return std::free(memory.start);
  while (kept.count == kept_most || kept.bytes + memory.size > limit())
    std::free(kept.remove(0).start);
  kept.entries[kept.count++] = memory;
  kept.bytes += memory.size;
}

bool free_kept() {
  const std::unique_lock lock(kept.mutex, std::try_to_lock);
  if (!lock || kept.count == 0)
    return false;
  while (kept.count > 0)
    std::free(kept.remove(0).start);
  return true;
}

int64_t kept_bytes() {
  const std::lock_guard lock(kept.mutex);
  return kept.bytes;
}

} // namespace mpijit::rt
