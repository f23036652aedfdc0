// Collectives whose sides follow from one count: for each, the checks that fill its Exchange, then the blocking and the
// nonblocking call of MPI. Vector forms are in vector.cpp, neighbourhoods in topology.cpp.
#include "mpi/exchange.h"

using namespace mpijit::rt;

namespace {

const char* const one_block_each = "as many as every process contributes, for each process";

int rank_of(int64_t rank) { return static_cast<int>(rank); }
MPI_Op op_of(int64_t op, const Exchange& x) { return operators[op].mpi[x.recv ? x.recv->dtype : x.send->dtype]; }

// ---- what each rank contributes and gets ----

bool broadcasts(Call& call, Exchange& x, const mpijit_array* data, int64_t root, int64_t comm) {
  if (!(call.comm(comm) && call.root("root", root)))
    return false;
  if (call.on->rank != root) {
    x.recv = data;
    return call.out("data", data) && call.incoming(*data, x.received);
  }
  x.send = data;
  return call.in("data", data) && call.outgoing(*data, x.sent);
}
const Message& only(const Exchange& x) { return x.send ? x.sent : x.received; }

// allreduce, scan, exscan: like on both sides.
bool reduces(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t op, int64_t comm) {
  return call.comm(comm) && call.out("recv", recv) && call.op(op, recv->dtype) && x.both(call, send, recv, true) &&
         (x.in_place || call.like(*send, x.sent, *recv, x.received));
}

// The result is the root's alone; the others' recv is not looked at.
bool reduces_to_root(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                     int64_t root, int64_t comm) {
  if (!(call.comm(comm) && call.root("root", root)))
    return false;
  if (call.on->rank != root) {
    const mpijit_array* from = send ? send : recv; // IN_PLACE takes it from recv
    return call.in("send", from) && call.op(op, from->dtype) && x.sends(call, from);
  }
  return call.out("recv", recv) && call.op(op, recv->dtype) && x.both(call, send, recv, true) &&
         (x.in_place || call.like(*send, x.sent, *recv, x.received));
}

bool gathers(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t root, int64_t comm) {
  if (!(call.comm(comm) && call.root("root", root)))
    return false;
  if (call.on->rank != root)
    return send ? x.sends(call, send) : call.in("send", send);
  return x.both(call, send, recv, false) &&
         (x.in_place ? call.divides("recv", x.received.count, call.on->size)
                     : call.counts("recv", x.received.count, x.sent.count * call.on->size, one_block_each));
}

bool gathers_to_all(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t comm) {
  return call.comm(comm) && x.both(call, send, recv, false) &&
         (x.in_place ? call.divides("recv", x.received.count, call.on->size)
                     : call.counts("recv", x.received.count, x.sent.count * call.on->size, one_block_each));
}

bool scatters(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t root, int64_t comm) {
  if (!(call.comm(comm) && call.root("root", root)))
    return false;
  if (call.on->rank != root)
    return x.receives(call, recv);
  if (!(x.sends(call, send) && call.divides("send", x.sent.count, call.on->size)))
    return false;
  x.in_place = !recv;
  return x.in_place ||
         (x.receives(call, recv) && x.apart(call) &&
          call.counts("send", x.sent.count, x.received.count * call.on->size, "a block like recv for each process"));
}

bool exchanges_blocks(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t comm) {
  return call.comm(comm) && x.both(call, send, recv, true) &&
         (x.in_place || call.like(*send, x.sent, *recv, x.received)) &&
         call.divides("recv", x.received.count, call.on->size);
}

bool reduces_blocks(Call& call, Exchange& x, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                    int64_t comm) {
  if (!(call.comm(comm) && call.out("recv", recv) && call.op(op, recv->dtype) && x.both(call, send, recv, false)))
    return false;
  return x.in_place ? call.divides("recv", x.received.count, call.on->size)
                    : call.counts("send", x.sent.count, x.received.count * call.on->size,
                                  "a block like recv for each process");
}

int64_t block(const Exchange& x, const Call& call, int64_t count) { return x.in_place ? count / call.on->size : count; }

} // namespace

// ---- barrier and broadcast ----

int32_t mpijit_barrier(const mpijit_site* site, int64_t comm) {
  Call call(site, "barrier");
  if (call.comm(comm))
    call.mpi(MPI_Barrier(call.on->mpi));
  return call.status;
}

int32_t mpijit_ibarrier(const mpijit_site* site, int64_t comm, uint64_t* result) {
  Call call(site, "ibarrier");
  Exchange nothing;
  if (!call.comm(comm))
    return call.status;
  return nothing.post(call, result, [&](MPI_Request* request) { return MPI_Ibarrier(call.on->mpi, request); });
}

int32_t mpijit_bcast(const mpijit_site* site, const mpijit_array* data, int64_t root, int64_t comm) {
  Call call(site, "bcast");
  Exchange x;
  if (!broadcasts(call, x, data, root, comm))
    return call.status;
  const Message& m = only(x);
  return x.finish(call, MPI_Bcast_c(m.data, m.count, m.type, rank_of(root), call.on->mpi));
}

int32_t mpijit_ibcast(const mpijit_site* site, const mpijit_array* data, int64_t root, int64_t comm, uint64_t* result) {
  Call call(site, "ibcast");
  Exchange x;
  if (!broadcasts(call, x, data, root, comm))
    return call.status;
  return x.post(call, result, [&](MPI_Request* request) {
    const Message& m = only(x);
    return MPI_Ibcast_c(m.data, m.count, m.type, rank_of(root), call.on->mpi, request);
  });
}

// ---- reductions ----

int32_t mpijit_allreduce(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                         int64_t comm) {
  Call call(site, "allreduce");
  Exchange x;
  if (!reduces(call, x, send, recv, op, comm))
    return call.status;
  return x.finish(call,
                  MPI_Allreduce_c(x.from(), x.to(), x.received.count, x.received.type, op_of(op, x), call.on->mpi));
}

int32_t mpijit_iallreduce(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                          int64_t comm, uint64_t* result) {
  Call call(site, "iallreduce");
  Exchange x;
  if (!reduces(call, x, send, recv, op, comm))
    return call.status;
  return x.post(call, result, [&](MPI_Request* request) {
    return MPI_Iallreduce_c(x.from(), x.to(), x.received.count, x.received.type, op_of(op, x), call.on->mpi, request);
  });
}

int32_t mpijit_scan(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                    int64_t comm) {
  Call call(site, "scan");
  Exchange x;
  if (!reduces(call, x, send, recv, op, comm))
    return call.status;
  return x.finish(call, MPI_Scan_c(x.from(), x.to(), x.received.count, x.received.type, op_of(op, x), call.on->mpi));
}

// Rank 0 gets nothing, so its recv stays as it is.
int32_t mpijit_exscan(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                      int64_t comm) {
  Call call(site, "exscan");
  Exchange x;
  if (!reduces(call, x, send, recv, op, comm))
    return call.status;
  if (call.mpi(MPI_Exscan_c(x.from(), x.to(), x.received.count, x.received.type, op_of(op, x), call.on->mpi)) &&
      call.on->rank > 0)
    call.deliver(*recv, x.received, x.received.count);
  return call.status;
}

int32_t mpijit_reduce(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                      int64_t root, int64_t comm) {
  Call call(site, "reduce");
  Exchange x;
  if (!reduces_to_root(call, x, send, recv, op, root, comm))
    return call.status;
  return x.finish(call, MPI_Reduce_c(x.from(), x.to(), x.recv ? x.received.count : x.sent.count, x.type_received(),
                                     op_of(op, x), rank_of(root), call.on->mpi));
}

int32_t mpijit_ireduce(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                       int64_t root, int64_t comm, uint64_t* result) {
  Call call(site, "ireduce");
  Exchange x;
  if (!reduces_to_root(call, x, send, recv, op, root, comm))
    return call.status;
  return x.post(call, result, [&](MPI_Request* request) {
    return MPI_Ireduce_c(x.from(), x.to(), x.recv ? x.received.count : x.sent.count, x.type_received(), op_of(op, x),
                         rank_of(root), call.on->mpi, request);
  });
}

int32_t mpijit_reduce_scatter_block(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                                    int64_t op, int64_t comm) {
  Call call(site, "reduce_scatter_block");
  Exchange x;
  if (!reduces_blocks(call, x, send, recv, op, comm))
    return call.status;
  return x.finish(call, MPI_Reduce_scatter_block_c(x.from(), x.to(), block(x, call, x.received.count), x.received.type,
                                                   op_of(op, x), call.on->mpi));
}

// ---- blocks ----

int32_t mpijit_gather(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                      int64_t comm) {
  Call call(site, "gather");
  Exchange x;
  if (!gathers(call, x, send, recv, root, comm))
    return call.status;
  return x.finish(call,
                  MPI_Gather_c(x.from(), x.count_sent(), x.type_sent(), x.to(), x.count_received() / call.on->size,
                               x.type_received(), rank_of(root), call.on->mpi));
}

int32_t mpijit_igather(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                       int64_t comm, uint64_t* result) {
  Call call(site, "igather");
  Exchange x;
  if (!gathers(call, x, send, recv, root, comm))
    return call.status;
  return x.post(call, result, [&](MPI_Request* request) {
    return MPI_Igather_c(x.from(), x.count_sent(), x.type_sent(), x.to(), x.count_received() / call.on->size,
                         x.type_received(), rank_of(root), call.on->mpi, request);
  });
}

int32_t mpijit_allgather(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t comm) {
  Call call(site, "allgather");
  Exchange x;
  if (!gathers_to_all(call, x, send, recv, comm))
    return call.status;
  return x.finish(call, MPI_Allgather_c(x.from(), x.count_sent(), x.type_sent(), x.to(),
                                        x.count_received() / call.on->size, x.type_received(), call.on->mpi));
}

int32_t mpijit_iallgather(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t comm,
                          uint64_t* result) {
  Call call(site, "iallgather");
  Exchange x;
  if (!gathers_to_all(call, x, send, recv, comm))
    return call.status;
  return x.post(call, result, [&](MPI_Request* request) {
    return MPI_Iallgather_c(x.from(), x.count_sent(), x.type_sent(), x.to(), x.count_received() / call.on->size,
                            x.type_received(), call.on->mpi, request);
  });
}

int32_t mpijit_scatter(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                       int64_t comm) {
  Call call(site, "scatter");
  Exchange x;
  if (!scatters(call, x, send, recv, root, comm))
    return call.status;
  return x.finish(call, MPI_Scatter_c(x.send ? x.sent.data : nullptr, x.count_sent() / call.on->size, x.type_sent(),
                                      x.in_place ? MPI_IN_PLACE : x.to(), x.count_received(), x.type_received(),
                                      rank_of(root), call.on->mpi));
}

int32_t mpijit_iscatter(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                        int64_t comm, uint64_t* result) {
  Call call(site, "iscatter");
  Exchange x;
  if (!scatters(call, x, send, recv, root, comm))
    return call.status;
  return x.post(call, result, [&](MPI_Request* request) {
    return MPI_Iscatter_c(x.send ? x.sent.data : nullptr, x.count_sent() / call.on->size, x.type_sent(),
                          x.in_place ? MPI_IN_PLACE : x.to(), x.count_received(), x.type_received(), rank_of(root),
                          call.on->mpi, request);
  });
}

int32_t mpijit_alltoall(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t comm) {
  Call call(site, "alltoall");
  Exchange x;
  if (!exchanges_blocks(call, x, send, recv, comm))
    return call.status;
  const int64_t count = x.received.count / call.on->size;
  return x.finish(call, MPI_Alltoall_c(x.from(), count, x.received.type, x.to(), count, x.received.type, call.on->mpi));
}

int32_t mpijit_ialltoall(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv, int64_t comm,
                         uint64_t* result) {
  Call call(site, "ialltoall");
  Exchange x;
  if (!exchanges_blocks(call, x, send, recv, comm))
    return call.status;
  const int64_t count = x.received.count / call.on->size;
  return x.post(call, result, [&](MPI_Request* request) {
    return MPI_Ialltoall_c(x.from(), count, x.received.type, x.to(), count, x.received.type, call.on->mpi, request);
  });
}
