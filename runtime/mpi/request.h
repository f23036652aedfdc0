// Requests: a table of slots that outlives the kernels which posted them. A request's value names a slot and
// its generation, so a copy is free and a stale one is harmless. Knows messages, not single routines.
//
// The life of a slot: free -> posted (active) -> seen complete by a wait, a test or a reaper -> free. A persistent one
// goes between inactive and active until it is freed.
#pragma once

#include <mpi.h>

#include "mpi/checks.h"
#include "mpi/session.h"

namespace mpijit::rt {

enum class Hand : uint8_t { Nobody, Waiter, Reaper };

// One buffer of a request: its extent, and the block that is kept for it. A packed send needs neither.
struct Hold {
  const char* begin;
  const char* end;
  mpijit_block* owner;
  PackBuffer* packed;
  bool receives;

  bool is_borrowed() const { return !owner && begin != end; }
};

struct Slot {
  static constexpr uint64_t unused = ~uint64_t{0}; // names no slot

  uint64_t handle;     // the value that names it now
  uint32_t index;      // its place in the table: the low half of every such value
  uint32_t generation; // the high half of the present or the next one, never 0
  Slot* next;          // in the free list
  Hold holds[2];       // point to point has the first only
  const mpijit_site* site;
  const char* routine;
  MPI_Request mpi;
  int32_t dtype;
  int8_t hold_count;
  bool has_status; // a receive: its message has a length, which limits what is unpacked
  bool persistent; // stays when it completes, and may be started again
  bool active;     // started, and not seen to be complete
  bool reaped;     // complete and its buffer let go; code and result are for a wait still to come
  Hand hand;       // who is completing it
  int code;
  mpijit_status result;
};

// The process's requests. Chunks double in size and never move, so a slot keeps its address while MPI writes
// to it.
struct SlotTable {
  static constexpr int max_chunks = 25; // 2^31 slots
  Slot* chunks[max_chunks] = {};
  uint32_t size = 0;
  Slot* free = nullptr;
  int64_t live = 0;
  int64_t borrowed = 0; // their buffers that nobody keeps

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

// Keeps an array's buffer: takes over the packed copy, if any, and retains the block.
inline void keep(Hold& hold, bool receives, const mpijit_array& array, Message& message) {
  hold.receives = receives;
  hold.packed = message.detach();
  hold.owner = array.owner;
  if (!hold.packed) [[likely]] {
    hold.begin = static_cast<const char*>(message.data);
    hold.end = hold.begin + message.count * dtypes[array.dtype].size;
  } else if (receives) {
    const Interval extent = interval(array);
    hold.begin = extent.begin;
    hold.end = extent.end;
  } else {
    hold.begin = hold.end = nullptr;
    hold.owner = nullptr;
  }
  if (hold.owner)
    mpijit_retain(hold.owner);
}

// Gives a slot whose buffers are kept its value.
inline uint64_t publish(Slot* slot, const Call& call, int32_t dtype, bool has_status, int hold_count) {
  slot->site = call.site;
  slot->routine = call.routine;
  slot->dtype = dtype;
  slot->has_status = has_status;
  slot->hold_count = static_cast<int8_t>(hold_count);
  slot->persistent = false;
  slot->active = true;
  slot->reaped = false;
  slot->hand = Hand::Nobody;
  Guard guard;
  ++slots.live;
  for (int k = 0; k < hold_count; ++k)
    slots.borrowed += slot->holds[k].is_borrowed();
  return slot->handle = uint64_t{slot->generation} << 32 | slot->index;
}

// A request just published that is not started yet and may be started often. A packed send keeps its array, to be
// packed anew at each start.
inline void make_persistent(Slot& slot, const mpijit_array& array) {
  slot.persistent = true;
  slot.active = false;
  Hold& hold = slot.holds[0];
  if (!hold.packed || hold.receives)
    return;
  const Interval extent = interval(array);
  hold.begin = extent.begin;
  hold.end = extent.end;
  hold.owner = array.owner;
  if (hold.owner)
    mpijit_retain(hold.owner);
  Guard guard;
  slots.borrowed += hold.is_borrowed();
}

// Of a message that MPI has accepted.
inline uint64_t publish(Slot* slot, const Call& call, bool receives, const mpijit_array& array, Message& message) {
  keep(slot->holds[0], receives, array, message);
  return publish(slot, call, array.dtype, receives, 1);
}

// Lists on stderr the requests that nobody waited for; frees persistent ones that are not active.
void report_pending_requests();

} // namespace mpijit::rt
