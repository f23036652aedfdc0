// The slot table and everything that completes a request. The table's chunks double in size and never move,
// so a slot keeps its address while MPI writes to it.
#include "mpi/request.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>

#include "mpi/checks.h"
#include "mpi/session.h"

namespace mpijit::rt {
namespace {

constexpr uint32_t first_chunk = 64;
constexpr int places_shown = 5; // in the report of pending requests

// Chunk k has first_chunk * 2^k slots; those before it are first_chunk * (2^k - 1).
Slot& slot_at(uint32_t index) {
  const uint64_t shifted = uint64_t{index} + first_chunk;
  const int chunk = std::bit_width(shifted) - std::bit_width(first_chunk);
  return slots.chunks[chunk][shifted - (first_chunk << chunk)];
}

// Adds a chunk, unless another thread just did; without memory the table stays as it is.
void grow() {
  const uint32_t size = slots.size;
  const int chunk = std::bit_width(size + first_chunk) - std::bit_width(first_chunk);
  const uint32_t count = first_chunk << chunk;
  if (chunk == SlotTable::max_chunks)
    return;
  auto* added = static_cast<Slot*>(std::calloc(count, sizeof(Slot)));
  if (!added)
    return;
  Guard guard;
  if (slots.size != size)
    return std::free(added);
  for (uint32_t i = count; i-- > 0;) {
    added[i].handle = Slot::unused;
    added[i].index = size + i;
    added[i].generation = 1;
    slots.push(&added[i]);
  }
  slots.chunks[chunk] = added;
  slots.size += count;
}

// The slot that handle names, for the caller alone; null when handle is null or stale, or a wait has it
// already (the same request twice in one waitall). A reaper lets go of what it holds at once, so a wait waits
// for it.
inline Slot* hold(uint64_t handle, Hand hand) {
  for (;;) {
    {
      Guard guard;
      const auto index = static_cast<uint32_t>(handle);
      if (index >= slots.size)
        return nullptr;
      Slot& slot = slot_at(index);
      if (slot.handle != handle || slot.hand == Hand::Waiter)
        return nullptr;
      if (slot.hand == Hand::Nobody) [[likely]] {
        slot.hand = hand;
        return &slot;
      }
    }
    if (hand == Hand::Reaper)
      return nullptr;
    sched_yield();
  }
}

void let_go(Slot& slot) {
  Guard guard;
  slot.hand = Hand::Nobody;
}

// Unpacks what arrived, and releases the packed copy and the block.
inline void release_buffer(Slot& slot, int64_t bytes_received) {
  if (slot.packed) {
    if (slot.receives)
      unpack(slot.packed->array, slot.packed->data(), bytes_received / dtypes[slot.dtype].size);
    give_back(slot.packed);
  }
  if (slot.is_borrowed()) {
    Guard guard;
    --slots.borrowed;
  }
  if (slot.owner)
    mpijit_release(slot.owner);
}

inline void retire(Slot& slot) {
  Guard guard;
  slot.handle = Slot::unused;
  if (++slot.generation == 0)
    slot.generation = 1;
  --slots.live;
  slots.push(&slot);
}

// Records MPI's failure to complete a request, and where it was posted.
[[gnu::cold]] int32_t request_failure(const Call& call, const Slot& slot, int code, int64_t position) {
  char detail[512];
  int used = 0;
  if (position >= 0)
    used = std::snprintf(detail, sizeof detail, "requests[%lld], ", static_cast<long long>(position));
  used += std::snprintf(detail + used, sizeof detail - used, "%s", slot.routine);
  if (slot.site)
    std::snprintf(detail + used, sizeof detail - used, " at %s:%d", slot.site->file, slot.site->line);
  return mpi_failure(call.site, call.routine, code, detail);
}

// Lets go of the buffers of all requests that have completed. A good send's slot is free again: a wait that
// still comes finds it stale and gets the same empty status. A receive's slot stays, with its status. Returns
// the number of slots freed.
uint32_t reap() {
  uint32_t freed = 0;
  for (uint32_t index = 0; index < slots.size; ++index) {
    const uint64_t handle = slot_at(index).handle;
    Slot* slot = hold(handle, Hand::Reaper);
    if (!slot)
      continue;
    int done = 0;
    MPI_Status status;
    const int code = slot->reaped ? MPI_SUCCESS : MPI_Test(&slot->mpi, &done, &status);
    if (!done && code == MPI_SUCCESS) {
      let_go(*slot);
      continue;
    }
    slot->code = code;
    slot->result = code == MPI_SUCCESS && slot->receives ? translate(status, slot->dtype) : empty_status;
    release_buffer(*slot, slot->result.nbytes);
    if (code == MPI_SUCCESS && !slot->receives) {
      retire(*slot);
      ++freed;
    } else {
      slot->reaped = true;
      let_go(*slot);
    }
  }
  return freed;
}

// Waits for one request; position is its place in a waitall, or -1.
bool wait_for(Call& call, uint64_t request, int64_t position, mpijit_status* result) {
  mpijit_status seen = empty_status;
  int code = MPI_SUCCESS;
  if (Slot* slot = hold(request, Hand::Waiter)) {
    if (slot->reaped) [[unlikely]] {
      seen = slot->result;
      code = slot->code;
    } else if (slot->receives && (result || slot->packed)) {
      MPI_Status status;
      code = MPI_Wait(&slot->mpi, &status);
      if (code == MPI_SUCCESS)
        seen = translate(status, slot->dtype);
      release_buffer(*slot, seen.nbytes);
    } else {
      code = MPI_Wait(&slot->mpi, MPI_STATUS_IGNORE);
      release_buffer(*slot, 0);
    }
    if (code != MPI_SUCCESS) [[unlikely]]
      call.passed(request_failure(call, *slot, code, position));
    retire(*slot);
  }
  if (result)
    *result = seen;
  return code == MPI_SUCCESS;
}

} // namespace

SlotTable slots;

Slot* find_slot() {
  // Reaping looks at every slot; it must free a good part of them to be worth doing again.
  if (reap() < slots.size / 2 + 1)
    grow();
  return slots.pop();
}

void report_pending_requests() {
  if (slots.live == 0)
    return;
  struct Place {
    const mpijit_site* site;
    const char* routine;
    int64_t times;
  };
  Place places[places_shown] = {};
  int known = 0;
  bool more = false;
  for (uint32_t index = 0; index < slots.size; ++index) {
    const Slot& slot = slot_at(index);
    if (slot.handle == Slot::unused)
      continue;
    Place* place = std::find_if(places, places + known, [&](const Place& seen) {
      return seen.site == slot.site && seen.routine == slot.routine;
    });
    if (place == places + places_shown) {
      more = true;
    } else {
      if (place == places + known)
        places[known++] = {slot.site, slot.routine, 0};
      ++place->times;
    }
  }
  const auto total = static_cast<long long>(slots.live);
  std::fprintf(stderr, "mpijit: %lld request%s never waited for: ", total, total == 1 ? " was" : "s were");
  for (int i = 0; i < known; ++i) {
    std::fprintf(stderr, "%s%s", i ? ", " : "", places[i].routine);
    if (places[i].site)
      std::fprintf(stderr, " at %s:%d", places[i].site->file, places[i].site->line);
    if (places[i].times > 1)
      std::fprintf(stderr, " (%lld times)", static_cast<long long>(places[i].times));
  }
  std::fprintf(stderr, "%s\n", more ? ", ..." : "");
}

} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_wait(const mpijit_site* site, uint64_t request, mpijit_status* result) {
  Call call(site, "wait");
  if (call.comm(MPIJIT_COMM_WORLD))
    wait_for(call, request, -1, result);
  return call.status;
}

// One MPI_Wait after the other: every wait makes progress on all requests, MPICH 5 takes less time for it
// than for one MPI_Waitall (59 against 66 ns for a pair), it needs no arrays of requests, and it tells which
// request failed.
int32_t mpijit_waitall(const mpijit_site* site, const uint64_t* requests, int64_t count) {
  Call call(site, "waitall");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  for (int64_t i = 0; i < count; ++i)
    if (!wait_for(call, requests[i], i, nullptr))
      break;
  return call.status;
}

int64_t mpijit_live_requests() {
  Guard guard;
  return slots.live;
}

int64_t mpijit_borrowed_requests() {
  Guard guard;
  return slots.borrowed;
}

void mpijit_adopt_requests(mpijit_block* (*keep)(void* context, const void* begin, const void* end), void* context) {
  for (uint32_t index = 0; index < slots.size; ++index) {
    Slot& slot = slot_at(index);
    Slot* held = slot.reaped || !slot.is_borrowed() ? nullptr : hold(slot.handle, Hand::Reaper);
    if (!held)
      continue;
    if (mpijit_block* block = keep(context, held->begin, held->end)) {
      Guard guard;
      held->owner = block;
      --slots.borrowed;
    }
    let_go(*held);
  }
}
