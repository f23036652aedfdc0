// The slot table and everything that completes a request. The table's chunks double in size and never move,
// so a slot keeps its address while MPI writes to it.
#include "mpi/request.h"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>

#include "error.h"
#include "mpi/checks.h"
#include "mpi/operator.h"
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

// Moves what arrived in packed copies to its places.
inline void unpack_buffers(Slot& slot, int64_t count) {
  for (int k = 0; k < slot.hold_count; ++k)
    if (PackBuffer* packed = slot.holds[k].packed; packed && slot.holds[k].receives) [[unlikely]]
      unpack(packed->array, packed->data(), count);
}

// Releases the packed copies and the blocks.
inline void release_buffers(Slot& slot) {
  for (int k = 0; k < slot.hold_count; ++k) {
    Hold& hold = slot.holds[k];
    if (hold.packed) [[unlikely]]
      give_back(hold.packed);
    if (hold.is_borrowed()) {
      Guard guard;
      --slots.borrowed;
    }
    if (hold.owner)
      mpijit_release(hold.owner);
  }
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

// Does completing the slot need MPI's status?
inline bool wants_status(const Slot& slot, const mpijit_status* result) {
  return slot.has_status && (result || slot.holds[0].packed);
}

// A request that MPI has just completed, with `code`: unpacks, and releases the buffers unless they are to be used
// again. status is read only if wants_status().
inline void complete(Slot& slot, int code, const MPI_Status& status, mpijit_status* result) {
  int64_t arrived = slot.has_status ? 0 : INT64_MAX; // a collective fills its buffer
  if (code == MPI_SUCCESS && wants_status(slot, result)) {
    const mpijit_status seen = translate(status, slot.dtype);
    arrived = seen.count;
    if (result)
      *result = seen;
  }
  if (code == MPI_SUCCESS)
    unpack_buffers(slot, arrived);
  slot.active = false;
  if (!slot.persistent) [[likely]]
    release_buffers(slot);
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
    const int code = slot->reaped || slot->persistent ? MPI_SUCCESS : MPI_Test(&slot->mpi, &done, &status);
    if (!done && code == MPI_SUCCESS) {
      let_go(*slot);
      continue;
    }
    slot->code = code;
    slot->result = empty_status;
    complete(*slot, code, status, &slot->result);
    if (code == MPI_SUCCESS && !slot->has_status) {
      retire(*slot);
      ++freed;
    } else {
      slot->reaped = true;
      let_go(*slot);
    }
  }
  return freed;
}

// Says what went wrong with a request that is dealt with, and gives its slot up; a persistent one stays.
inline bool settle(Call& call, Slot& slot, int code, int64_t position) {
  if (code != MPI_SUCCESS) [[unlikely]]
    call.passed(request_failure(call, slot, code, position));
  else if (!slot.has_status)
    call.passed(take_operator_failure());
  if (slot.persistent) [[unlikely]]
    let_go(slot);
  else
    retire(slot);
  return call.status == MPIJIT_OK;
}

// Waits for one request; position is its place in a waitall, or -1.
bool wait_for(Call& call, uint64_t request, int64_t position, mpijit_status* result) {
  int code = MPI_SUCCESS;
  if (result)
    *result = empty_status;
  Slot* slot = hold(request, Hand::Waiter);
  if (!slot)
    return true;
  if (slot->reaped) [[unlikely]] {
    code = slot->code;
    if (result)
      *result = slot->result;
  } else if (slot->active) {
    MPI_Status status;
    code = MPI_Wait(&slot->mpi, wants_status(*slot, result) ? &status : MPI_STATUS_IGNORE);
    complete(*slot, code, status, result);
  }
  return settle(call, *slot, code, position);
}

enum class Seen : uint8_t { Null, Pending, Complete, Failed };

// Has a request completed? Then it is dealt with as by a wait. Null: nothing is active under that value.
Seen try_one(Call& call, uint64_t request, int64_t position) {
  Slot* slot = hold(request, Hand::Waiter);
  if (!slot)
    return Seen::Null;
  int code = MPI_SUCCESS, done = 1;
  bool was_active = true;
  if (slot->reaped) [[unlikely]] {
    code = slot->code;
  } else if (!slot->active) {
    was_active = false;
  } else {
    MPI_Status status;
    code = MPI_Test(&slot->mpi, &done, &status);
    if (code == MPI_SUCCESS && !done) {
      let_go(*slot);
      return Seen::Pending;
    }
    complete(*slot, code, status, nullptr);
  }
  return !settle(call, *slot, code, position) ? Seen::Failed : was_active ? Seen::Complete : Seen::Null;
}

// Would a wait for it return at once? Changes nothing.
bool is_complete(Call& call, uint64_t request) {
  Slot* slot = hold(request, Hand::Waiter);
  if (!slot)
    return true;
  int done = 1;
  if (!slot->reaped && slot->active)
    call.mpi(MPI_Request_get_status(slot->mpi, &done, MPI_STATUS_IGNORE));
  let_go(*slot);
  return done;
}

// One pass over the requests; the place of the first that has completed, count when some are active and none has, -1
// when none is active. A failure counts as completed, with its error recorded.
int64_t try_any(Call& call, const uint64_t* requests, int64_t count) {
  bool active = false;
  for (int64_t i = 0; i < count; ++i) {
    const Seen seen = try_one(call, requests[i], i);
    if (seen == Seen::Complete || seen == Seen::Failed)
      return i;
    active |= seen == Seen::Pending;
  }
  return active ? count : -1;
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
  for (uint32_t index = 0; index < slots.size; ++index) {
    Slot& slot = slot_at(index);
    if (slot.handle == Slot::unused || !slot.persistent || slot.active)
      continue;
    if (find_communicator(MPIJIT_COMM_WORLD)) // not after MPI_Finalize
      MPI_Request_free(&slot.mpi);
    release_buffers(slot);
    retire(slot);
  }
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

int32_t mpijit_waitany(const mpijit_site* site, const uint64_t* requests, int64_t count, int64_t* result) {
  Call call(site, "waitany");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  int64_t at;
  while ((at = try_any(call, requests, count)) == count)
    continue;
  *result = at < 0 ? MPI_UNDEFINED : at;
  return call.status;
}

int32_t mpijit_test(const mpijit_site* site, uint64_t request, int64_t* result) {
  Call call(site, "test");
  if (call.comm(MPIJIT_COMM_WORLD))
    *result = try_one(call, request, -1) != Seen::Pending;
  return call.status;
}

// All or none: while one is pending, none is dealt with.
int32_t mpijit_testall(const mpijit_site* site, const uint64_t* requests, int64_t count, int64_t* result) {
  Call call(site, "testall");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  *result = 1;
  for (int64_t i = 0; i < count && *result; ++i)
    *result = is_complete(call, requests[i]) && call.status == MPIJIT_OK;
  for (int64_t i = 0; i < count && *result; ++i)
    if (!wait_for(call, requests[i], i, nullptr))
      break;
  return call.status;
}

int32_t mpijit_testany(const mpijit_site* site, const uint64_t* requests, int64_t count, int64_t* result) {
  Call call(site, "testany");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  const int64_t at = try_any(call, requests, count);
  result[0] = at < count;
  result[1] = at >= 0 && at < count ? at : MPI_UNDEFINED;
  return call.status;
}

int32_t mpijit_cancel(const mpijit_site* site, uint64_t request) {
  Call call(site, "cancel");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  if (Slot* slot = hold(request, Hand::Waiter)) {
    if (!slot->reaped && slot->active)
      call.mpi(MPI_Cancel(&slot->mpi));
    let_go(*slot);
  }
  return call.status;
}

// ---- persistent requests ----

namespace {

bool start_one(Call& call, uint64_t request, int64_t position) {
  Slot* slot = hold(request, Hand::Waiter);
  const char* wrong = !slot || !slot->persistent ? "is not a persistent request, or one that was freed"
                      : slot->active             ? "is active already; wait for it first"
                                                 : nullptr;
  if (wrong) {
    if (slot)
      let_go(*slot);
    char place[32] = "request";
    if (position >= 0)
      std::snprintf(place, sizeof place, "requests[%lld]", static_cast<long long>(position));
    return call.passed(raise(call.site, call.routine, MPIJIT_MpiError, "%s %s", place, wrong));
  }
  if (const Hold& buffer = slot->holds[0]; buffer.packed && !buffer.receives)
    pack(buffer.packed->array, buffer.packed->data());
  slot->active = call.mpi(MPI_Start(&slot->mpi));
  let_go(*slot);
  return slot->active;
}

} // namespace

int32_t mpijit_start(const mpijit_site* site, uint64_t request) {
  Call call(site, "start");
  if (call.comm(MPIJIT_COMM_WORLD))
    start_one(call, request, -1);
  return call.status;
}

int32_t mpijit_startall(const mpijit_site* site, const uint64_t* requests, int64_t count) {
  Call call(site, "startall");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  for (int64_t i = 0; i < count; ++i)
    if (!start_one(call, requests[i], i))
      break;
  return call.status;
}

int32_t mpijit_request_free(const mpijit_site* site, uint64_t request) {
  Call call(site, "request_free");
  if (!call.comm(MPIJIT_COMM_WORLD))
    return call.status;
  Slot* slot = hold(request, Hand::Waiter);
  if (!slot)
    return call.status;
  if (!slot->persistent || slot->active) {
    let_go(*slot);
    call.passed(raise(site, call.routine, MPIJIT_MpiError, "request is %s; wait for it instead",
                      slot->active ? "active" : "not a persistent one"));
    return call.status;
  }
  call.mpi(MPI_Request_free(&slot->mpi));
  release_buffers(*slot);
  retire(*slot);
  return call.status;
}

// ---- what is pending ----

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
    Slot* held = slot.reaped ? nullptr : hold(slot.handle, Hand::Reaper);
    if (!held)
      continue;
    for (int k = 0; k < held->hold_count; ++k) {
      Hold& buffer = held->holds[k];
      mpijit_block* block = buffer.is_borrowed() ? keep(context, buffer.begin, buffer.end) : nullptr;
      if (!block)
        continue;
      Guard guard;
      buffer.owner = block;
      --slots.borrowed;
    }
    let_go(*held);
  }
}
