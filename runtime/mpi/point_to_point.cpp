// Point to point: each routine is its checks, the message, and the call.
#include "mpi/checks.h"
#include "mpi/request.h"

using namespace mpijit::rt;

namespace {

// A status is asked of MPI only by a caller that looks at it, or to know how much to unpack.
MPI_Status* wanted(MPI_Status& status, const mpijit_status* result, const Message& message) {
  return result || message.packed ? &status : MPI_STATUS_IGNORE;
}

void deliver(Call& call, const mpijit_array& array, const Message& message, const MPI_Status& status,
             mpijit_status* result) {
  if (!result && !message.packed)
    return;
  const mpijit_status seen = translate(status, array.dtype);
  call.deliver(array, message, seen.count);
  if (result)
    *result = seen;
}

} // namespace

int32_t mpijit_send(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm) {
  Call call(site, "send");
  Message message;
  if (!(call.comm(comm) && call.dest("dest", dest) && call.send_tag("tag", tag) && call.in("data", data) &&
        call.outgoing(*data, message)))
    return call.status;
  call.mpi(MPI_Send_c(message.data, message.count, message.type, static_cast<int>(dest), static_cast<int>(tag),
                      call.on->mpi));
  return call.status;
}

int32_t mpijit_recv(const mpijit_site* site, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                    mpijit_status* result) {
  Call call(site, "recv");
  Message message;
  MPI_Status status;
  if (!(call.comm(comm) && call.source("source", source) && call.recv_tag("tag", tag) && call.out("data", data) &&
        call.incoming(*data, message)))
    return call.status;
  if (call.mpi(MPI_Recv_c(message.data, message.count, message.type, static_cast<int>(source), static_cast<int>(tag),
                          call.on->mpi, wanted(status, result, message))))
    deliver(call, *data, message, status, result);
  return call.status;
}

int32_t mpijit_sendrecv(const mpijit_site* site, const mpijit_array* senddata, int64_t dest,
                        const mpijit_array* recvdata, int64_t source, int64_t sendtag, int64_t recvtag, int64_t comm,
                        mpijit_status* result) {
  Call call(site, "sendrecv");
  Message sent, received;
  MPI_Status status;
  if (!(call.comm(comm) && call.dest("dest", dest) && call.source("source", source) &&
        call.send_tag("sendtag", sendtag) && call.recv_tag("recvtag", recvtag) && call.in("senddata", senddata) &&
        call.out("recvdata", recvdata) && call.outgoing(*senddata, sent) && call.incoming(*recvdata, received) &&
        call.apart("senddata", *senddata, sent, "recvdata", *recvdata, received)))
    return call.status;
  if (call.mpi(MPI_Sendrecv_c(sent.data, sent.count, sent.type, static_cast<int>(dest), static_cast<int>(sendtag),
                              received.data, received.count, received.type, static_cast<int>(source),
                              static_cast<int>(recvtag), call.on->mpi, wanted(status, result, received))))
    deliver(call, *recvdata, received, status, result);
  return call.status;
}

int32_t mpijit_isend(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm,
                     uint64_t* result) {
  Call call(site, "isend");
  Message message;
  if (!(call.comm(comm) && call.dest("dest", dest) && call.send_tag("tag", tag) && call.in("data", data) &&
        call.outgoing(*data, message)))
    return call.status;
  Slot* slot = take_slot();
  if (!slot)
    return no_memory(site, call.routine, sizeof(Slot));
  if (call.mpi(MPI_Isend_c(message.data, message.count, message.type, static_cast<int>(dest), static_cast<int>(tag),
                           call.on->mpi, &slot->mpi))) {
    *result = publish(slot, call, false, *data, message);
  } else {
    put_back(slot);
  }
  return call.status;
}

int32_t mpijit_irecv(const mpijit_site* site, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                     uint64_t* result) {
  Call call(site, "irecv");
  Message message;
  if (!(call.comm(comm) && call.source("source", source) && call.recv_tag("tag", tag) && call.out("data", data) &&
        call.incoming(*data, message)))
    return call.status;
  Slot* slot = take_slot();
  if (!slot)
    return no_memory(site, call.routine, sizeof(Slot));
  if (call.mpi(MPI_Irecv_c(message.data, message.count, message.type, static_cast<int>(source), static_cast<int>(tag),
                           call.on->mpi, &slot->mpi))) {
    *result = publish(slot, call, true, *data, message);
  } else {
    put_back(slot);
  }
  return call.status;
}
