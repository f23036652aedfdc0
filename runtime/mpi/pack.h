// Packing of strided arrays into consecutive elements in logical (C) order, and the buffers for it, which are
// kept and used again. Knows nothing of MPI, although only MPI calls need it.
#pragma once

#include <cstddef>

#include "mpijit/runtime.h"

namespace mpijit::rt {

// A header of one cache line; the packed elements follow it.
struct alignas(64) PackBuffer {
  PackBuffer* next;   // in the cache
  mpijit_array array; // where a receive that completes later is to be unpacked
  int32_t size_class;

  void* data() { return this + 1; }
};
static_assert(sizeof(PackBuffer) == 64);

// A buffer with room for bytes, from the cache when it has one; null when there is no memory.
PackBuffer* take_pack_buffer(size_t bytes);
void give_back(PackBuffer* buffer);

// A buffer for array's elements that also remembers the array itself, shape and strides included.
PackBuffer* take_pack_buffer_for(const mpijit_array& array, size_t bytes);

void pack(const mpijit_array& array, void* to);
// Writes the first count elements only: the tail of array stays as it is.
void unpack(const mpijit_array& array, const void* from, int64_t count);

} // namespace mpijit::rt
