// Large allocations that were freed a moment ago, kept for the next ones of about their size: a kernel that makes the
// same temporaries on every step would otherwise have the system map, clear and unmap them each time. Knows sizes only.
#pragma once

#include <cstdint>

namespace mpijit::rt {

struct Memory {
  void* start; // from malloc
  int64_t size;
};

/// Memory of at least that size, with any contents; a null start when none is kept.
Memory take_kept(int64_t size);
/// Frees it, now or later.
void keep_or_free(Memory memory);
/// Frees all that is kept; was there any?
bool free_kept();
int64_t kept_bytes();

} // namespace mpijit::rt
