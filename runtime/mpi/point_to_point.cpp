// Point to point. A send is its checks, the message and one of MPI's functions, at once or as a request; so is a
// receive. What differs between the routines of a group is that function.
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

bool is_send(Call& call, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm) {
  return call.comm(comm) && call.dest("dest", dest) && call.send_tag("tag", tag) && call.in("data", data);
}

bool is_receive(Call& call, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm) {
  return call.comm(comm) && call.source("source", source) && call.recv_tag("tag", tag) && call.out("data", data);
}

template <auto function>
int32_t send_now(Call call, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm) {
  Message message;
  if (is_send(call, data, dest, tag, comm) && call.outgoing(*data, message))
    call.mpi(function(message.data, message.count, message.type, static_cast<int>(dest), static_cast<int>(tag),
                      call.on->mpi));
  return call.status;
}

// A request for one message. MPI's function has made it; a persistent one is to be started.
template <auto function, bool receives, bool persistent>
int32_t post(Call& call, const mpijit_array& data, Message& message, int64_t peer, int64_t tag, uint64_t* result) {
  Slot* slot = take_slot();
  if (!slot)
    return no_memory(call.site, call.routine, sizeof(Slot));
  if (!call.mpi(function(message.data, message.count, message.type, static_cast<int>(peer), static_cast<int>(tag),
                         call.on->mpi, &slot->mpi))) {
    put_back(slot);
    return call.status;
  }
  *result = publish(slot, call, receives, data, message);
  if constexpr (persistent)
    make_persistent(*slot, data);
  return call.status;
}

template <auto function, bool persistent = false>
int32_t start_send(Call call, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm, uint64_t* result) {
  Message message;
  return is_send(call, data, dest, tag, comm) && call.outgoing(*data, message)
             ? post<function, false, persistent>(call, *data, message, dest, tag, result)
             : call.status;
}

template <auto function, bool persistent = false>
int32_t start_receive(Call call, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                      uint64_t* result) {
  Message message;
  return is_receive(call, data, source, tag, comm) && call.incoming(*data, message)
             ? post<function, true, persistent>(call, *data, message, source, tag, result)
             : call.status;
}

} // namespace

int32_t mpijit_send(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm) {
  return send_now<MPI_Send_c>({site, "send"}, data, dest, tag, comm);
}
int32_t mpijit_ssend(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm) {
  return send_now<MPI_Ssend_c>({site, "ssend"}, data, dest, tag, comm);
}
int32_t mpijit_isend(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm,
                     uint64_t* result) {
  return start_send<MPI_Isend_c>({site, "isend"}, data, dest, tag, comm, result);
}
int32_t mpijit_issend(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm,
                      uint64_t* result) {
  return start_send<MPI_Issend_c>({site, "issend"}, data, dest, tag, comm, result);
}
int32_t mpijit_irecv(const mpijit_site* site, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                     uint64_t* result) {
  return start_receive<MPI_Irecv_c>({site, "irecv"}, data, source, tag, comm, result);
}
int32_t mpijit_send_init(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm,
                         uint64_t* result) {
  return start_send<MPI_Send_init_c, true>({site, "send_init"}, data, dest, tag, comm, result);
}
int32_t mpijit_recv_init(const mpijit_site* site, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                         uint64_t* result) {
  return start_receive<MPI_Recv_init_c, true>({site, "recv_init"}, data, source, tag, comm, result);
}

int32_t mpijit_recv(const mpijit_site* site, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                    mpijit_status* result) {
  Call call(site, "recv");
  Message message;
  MPI_Status status;
  if (!(is_receive(call, data, source, tag, comm) && call.incoming(*data, message)))
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

int32_t mpijit_sendrecv_replace(const mpijit_site* site, const mpijit_array* data, int64_t dest, int64_t source,
                                int64_t sendtag, int64_t recvtag, int64_t comm, mpijit_status* result) {
  Call call(site, "sendrecv_replace");
  Message message;
  MPI_Status status;
  if (!(call.comm(comm) && call.dest("dest", dest) && call.source("source", source) &&
        call.send_tag("sendtag", sendtag) && call.recv_tag("recvtag", recvtag) && call.out("data", data) &&
        call.outgoing(*data, message)))
    return call.status;
  if (call.mpi(MPI_Sendrecv_replace_c(message.data, message.count, message.type, static_cast<int>(dest),
                                      static_cast<int>(sendtag), static_cast<int>(source), static_cast<int>(recvtag),
                                      call.on->mpi, wanted(status, result, message))))
    deliver(call, *data, message, status, result);
  return call.status;
}

// There is no buffer yet, so no dtype: bytes.
int32_t mpijit_probe(const mpijit_site* site, int64_t source, int64_t tag, int64_t comm, mpijit_status* result) {
  Call call(site, "probe");
  MPI_Status status;
  if (call.comm(comm) && call.source("source", source) && call.recv_tag("tag", tag) &&
      call.mpi(MPI_Probe(static_cast<int>(source), static_cast<int>(tag), call.on->mpi, &status)) && result)
    *result = translate(status, MPIJIT_UInt8);
  return call.status;
}

int32_t mpijit_iprobe(const mpijit_site* site, int64_t source, int64_t tag, int64_t comm, int64_t* result) {
  Call call(site, "iprobe");
  MPI_Status status;
  int found = 0;
  if (!(call.comm(comm) && call.source("source", source) && call.recv_tag("tag", tag) &&
        call.mpi(MPI_Iprobe(static_cast<int>(source), static_cast<int>(tag), call.on->mpi, &found, &status))))
    return call.status;
  const mpijit_status seen = found ? translate(status, MPIJIT_UInt8) : empty_status;
  result[0] = found;
  result[1] = seen.source;
  result[2] = seen.tag;
  result[3] = seen.count;
  result[4] = seen.nbytes;
  return call.status;
}
