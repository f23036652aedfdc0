// Requests: a table of slots that outlives the kernels which posted them. A request's value names a slot and
// its generation, so a copy is free and a stale one is harmless. Knows messages, not single routines.
#pragma once

#include <mpi.h>

#include "mpi/checks.h"
#include "mpi/session.h"

namespace mpijit::rt {

enum class Hand : uint8_t { Nobody, Waiter, Reaper };

struct Slot {
  static constexpr uint64_t unused = ~uint64_t{0}; // names no slot

  uint64_t handle;     // the value that names it now
  uint32_t index;      // its place in the table: the low half of every such value
  uint32_t generation; // the high half of the present or the next one, never 0
  Slot* next;          // in the free list
  // The buffer: its extent, and the block that is kept for it. A packed send needs neither.
  const char* begin;
  const char* end;
  mpijit_block* owner;
  PackBuffer* packed;
  const mpijit_site* site;
  const char* routine;
  MPI_Request mpi;
  int32_t dtype;
  bool receives;
  bool reaped; // complete and its buffer let go; code and result are for a wait still to come
  Hand hand;   // who is completing it
  int code;
  mpijit_status result;

  bool is_borrowed() const { return !owner && begin != end; }
};

// The process's requests. Chunks double in size and never move, so a slot keeps its address while MPI writes
// to it.
struct SlotTable {
  static constexpr int max_chunks = 25; // 2^31 slots
  Slot* chunks[max_chunks] = {};
  uint32_t size = 0;
  Slot* free = nullptr;
  int64_t live = 0;
  int64_t borrowed = 0; // of these, on buffers that nobody keeps

  Slot* pop() {
    Guard guard;
    Slot* slot = free;
    if (slot) [[likely]]
      free = slot->next;
    return slot;
  }

  void push(Slot* slot) {
    slot->next = free;
    free = slot;
  }
};
extern SlotTable slots;

// What take_slot() does when no slot is free.
Slot* find_slot();

// A slot for a request about to be posted; null when there is no memory. Before the table grows, requests
// that have completed are reaped: a loop that drops its sends stays within the table it has.
inline Slot* take_slot() {
  Slot* slot = slots.pop();
  return slot ? slot : find_slot();
}

// Puts back a slot whose request could not be posted.
inline void put_back(Slot* slot) {
  Guard guard;
  slots.push(slot);
}

// Fills the slot of a request that MPI has accepted, and gives its value. The slot takes over packed, if any,
// and keeps the array's block.
inline uint64_t publish(Slot* slot, const Call& call, bool receives, const mpijit_array& array, Message& message) {
  slot->site = call.site;
  slot->routine = call.routine;
  slot->dtype = array.dtype;
  slot->receives = receives;
  slot->reaped = false;
  slot->hand = Hand::Nobody;
  slot->packed = message.detach();
  slot->owner = array.owner;
  if (!slot->packed) [[likely]] {
    slot->begin = static_cast<const char*>(message.data);
    slot->end = slot->begin + message.count * dtypes[array.dtype].size;
  } else if (receives) {
    const Interval extent = interval(array);
    slot->begin = extent.begin;
    slot->end = extent.end;
  } else {
    slot->begin = slot->end = nullptr;
    slot->owner = nullptr;
  }
  if (slot->owner)
    mpijit_retain(slot->owner);
  Guard guard;
  ++slots.live;
  slots.borrowed += slot->is_borrowed();
  return slot->handle = uint64_t{slot->generation} << 32 | slot->index;
}

// Lists on stderr the requests that nobody waited for.
void report_pending_requests();

} // namespace mpijit::rt
