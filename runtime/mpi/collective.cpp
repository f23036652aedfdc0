// Collectives: each routine is its checks, the messages, and the call.
#include "mpi/checks.h"

using namespace mpijit::rt;

namespace {

// allreduce(u, u) means in place, as long as both are the same view of the same memory.
bool same_view(const mpijit_array& a, const mpijit_array& b) {
  if (a.data != b.data || a.dtype != b.dtype || a.ndim != b.ndim)
    return false;
  for (int32_t axis = 0; axis < a.ndim; ++axis)
    if (a.shape[axis] != b.shape[axis] || a.strides[axis] != b.strides[axis])
      return false;
  return true;
}

} // namespace

int32_t mpijit_barrier(const mpijit_site* site, int64_t comm) {
  Call call(site, "barrier");
  if (call.comm(comm))
    call.mpi(MPI_Barrier(call.on->mpi));
  return call.status;
}

int32_t mpijit_bcast(const mpijit_site* site, const mpijit_array* data, int64_t root, int64_t comm) {
  Call call(site, "bcast");
  if (!(call.comm(comm) && call.root("root", root)))
    return call.status;
  const bool sends = call.on->rank == root;
  Message message;
  if (!(sends ? call.in("data", data) && call.outgoing(*data, message)
              : call.out("data", data) && call.incoming(*data, message)))
    return call.status;
  if (call.mpi(MPI_Bcast_c(message.data, message.count, message.type, static_cast<int>(root), call.on->mpi)) && !sends)
    call.deliver(*data, message, message.count);
  return call.status;
}

int32_t mpijit_allreduce(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                         int64_t comm) {
  Call call(site, "allreduce");
  Message sent, received;
  if (!(call.comm(comm) && call.out("recv", recv) && call.op(op, recv->dtype)))
    return call.status;
  const bool in_place = !send || same_view(*send, *recv);
  // In place the received message starts as a copy of what recv holds, packed or not.
  if (!(in_place
            ? call.outgoing(*recv, received)
            : call.in("send", send) && call.outgoing(*send, sent) && call.incoming(*recv, received) &&
                  call.like(*send, sent, *recv, received) && call.apart("send", *send, sent, "recv", *recv, received)))
    return call.status;
  if (call.mpi(MPI_Allreduce_c(in_place ? MPI_IN_PLACE : sent.data, received.data, received.count, received.type,
                               operators[op].mpi, call.on->mpi)))
    call.deliver(*recv, received, received.count);
  return call.status;
}
