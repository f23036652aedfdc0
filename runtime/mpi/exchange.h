// The two sides of a collective on this rank: what it contributes and what it gets. A routine's checks fill it; then
// the blocking form calls MPI and delivers, and the nonblocking form posts a request that delivers when it completes.
#pragma once

#include "mpi/operator.h"
#include "mpi/request.h"

namespace mpijit::rt {

// May b's memory take the place of a's, as in allreduce(u, u)?
bool same_view(const mpijit_array& a, const mpijit_array& b);

struct Exchange;
uint64_t publish(Slot* slot, const Call& call, Exchange& x);

struct Exchange {
  // Null: this rank has no such side. In place, the one side is the other too.
  const mpijit_array* send = nullptr;
  const mpijit_array* recv = nullptr;
  bool in_place = false;
  Message sent, received;

  const void* from() const { return in_place ? MPI_IN_PLACE : send ? sent.data : nullptr; }
  void* to() const { return recv ? received.data : nullptr; }
  int64_t count_sent() const { return send ? sent.count : 0; }
  int64_t count_received() const { return recv ? received.count : 0; }
  MPI_Datatype type_sent() const { return send ? sent.type : received.type; }
  MPI_Datatype type_received() const { return recv ? received.type : sent.type; }

  // ---- the sides, one after the other ----

  bool sends(Call& call, const mpijit_array* array) {
    send = array;
    return call.in("send", array) && call.outgoing(*array, sent);
  }

  bool receives(Call& call, const mpijit_array* array) {
    recv = array;
    return call.out("recv", array) && call.incoming(*array, received);
  }

  // Like receives(), where some elements may stay as they are: a packed copy starts with all of them.
  bool receives_some(Call& call, const mpijit_array* array) {
    recv = array;
    return call.out("recv", array) && call.outgoing(*array, received);
  }

  // Both sides: in place when send is IN_PLACE, or the very view that recv is.
  bool both(Call& call, const mpijit_array* from, const mpijit_array* into, bool alike) {
    if (!call.out("recv", into))
      return false;
    in_place = !from || (alike && call.in("send", from) && same_view(*from, *into));
    return in_place ? receives_some(call, into) : sends(call, from) && receives(call, into) && apart(call);
  }

  // Both sides, where some elements of recv may stay as they are: in place when send is IN_PLACE.
  bool both_some(Call& call, const mpijit_array* from, const mpijit_array* into) {
    in_place = !from;
    return (in_place || sends(call, from)) && receives_some(call, into) && (in_place || apart(call));
  }

  bool apart(Call& call) {
    return call.same_dtype(*send, *recv) && call.apart("send", *send, sent, "recv", *recv, received);
  }

  // ---- the call ----

  // What MPI answered; then what arrived goes to its places.
  int32_t finish(Call& call, int code) {
    if (call.mpi(code) && call.passed(take_operator_failure()) && recv)
      call.deliver(*recv, received, received.count);
    return call.status;
  }

  template <class Start> int32_t post(Call& call, uint64_t* result, Start start) {
    Slot* slot = take_slot();
    if (!slot)
      return no_memory(call.site, call.routine, sizeof(Slot));
    if (call.mpi(start(&slot->mpi)))
      *result = publish(slot, call, *this);
    else
      put_back(slot);
    return call.status;
  }
};

} // namespace mpijit::rt
