// Cartesian communicators, and the collectives among neighbours.
#include <algorithm>

#include "error.h"
#include "mpi/communicator.h"
#include "mpi/exchange.h"

using namespace mpijit::rt;

namespace {

constexpr int most_axes = 64;

struct Ints {
  int count = 0;
  int values[most_axes];
};

// A one-dimensional array of integers or bools, as C ints.
bool read_ints(Call& call, const char* name, const mpijit_array* array, Ints& out) {
  if (!call.in(name, array))
    return false;
  const Dtype& dtype = dtypes[array->dtype];
  if (array->ndim != 1 || (dtype.kind != 'i' && dtype.kind != 'u' && dtype.kind != 'b'))
    return call.passed(raise(call.site, call.routine, MPIJIT_TypeError, "%s must be a row of integers", name));
  if (array->shape[0] > most_axes)
    return call.passed(raise(call.site, call.routine, MPIJIT_ValueError, "%s has %lld items, but at most %d axes work",
                             name, static_cast<long long>(array->shape[0]), most_axes));
  out.count = static_cast<int>(array->shape[0]);
  const auto* at = static_cast<const char*>(array->data);
  for (int k = 0; k < out.count; ++k, at += array->strides[0]) {
    const int64_t value = load_integer(at, dtype);
    if (value != static_cast<int>(value))
      return call.passed(no_int(call.site, call.routine, name, value));
    out.values[k] = static_cast<int>(value);
  }
  return true;
}

bool same_length(Call& call, const char* name, const Ints& ints, int wanted) {
  return call.counts(name, ints.count, wanted, "one for each axis");
}

// The number of axes of a Cartesian communicator.
bool axes_of(Call& call, int64_t comm, int* count) {
  if (!call.comm(comm))
    return false;
  int kind = MPI_UNDEFINED;
  MPI_Topo_test(call.on->mpi, &kind);
  if (kind != MPI_CART)
    return call.passed(
        raise(call.site, call.routine, MPIJIT_MpiError, "comm is not Cartesian; cart_create makes one that is"));
  return call.mpi(MPI_Cartdim_get(call.on->mpi, count));
}

struct Grid {
  int axes = 0;
  int dims[most_axes], periods[most_axes], coords[most_axes];
};

bool grid_of(Call& call, int64_t comm, Grid& grid) {
  return axes_of(call, comm, &grid.axes) &&
         call.mpi(MPI_Cart_get(call.on->mpi, most_axes, grid.dims, grid.periods, grid.coords));
}

// How many neighbours send to this process, and how many it sends to.
bool neighbours(Call& call, int64_t comm, int64_t* in, int64_t* out) {
  if (!call.comm(comm))
    return false;
  int kind = MPI_UNDEFINED, axes = 0, sources = 0, targets = 0, weighted = 0;
  MPI_Topo_test(call.on->mpi, &kind);
  switch (kind) {
  case MPI_CART:
    MPI_Cartdim_get(call.on->mpi, &axes);
    sources = targets = 2 * axes;
    break;
  case MPI_DIST_GRAPH: MPI_Dist_graph_neighbors_count(call.on->mpi, &sources, &targets, &weighted); break;
  case MPI_GRAPH:
    MPI_Graph_neighbors_count(call.on->mpi, call.on->rank, &sources);
    targets = sources;
    break;
  default:
    return call.passed(raise(call.site, call.routine, MPIJIT_MpiError,
                             "comm has no neighbourhood; cart_create makes a communicator that has one"));
  }
  *in = sources;
  *out = targets;
  return true;
}

} // namespace

int32_t mpijit_comm_cart_create(const mpijit_site* site, const mpijit_array* dims, const mpijit_array* periods,
                                int64_t reorder, int64_t comm, int64_t* result) {
  Call call(site, "cart_create");
  Ints lengths, wraps;
  if (!(call.comm(comm) && read_ints(call, "dims", dims, lengths) && read_ints(call, "periods", periods, wraps) &&
        same_length(call, "periods", wraps, lengths.count)))
    return call.status;
  int64_t processes = 1;
  for (int k = 0; k < lengths.count; ++k) {
    if (lengths.values[k] < 1) {
      call.passed(
          raise(site, call.routine, MPIJIT_ValueError, "dims[%d] is %d, but must be 1 or more", k, lengths.values[k]));
      return call.status;
    }
    processes = std::min<int64_t>(processes * lengths.values[k], INT32_MAX);
  }
  if (processes > call.on->size) {
    call.passed(raise(site, call.routine, MPIJIT_ValueError, "dims ask for %lld processes, but comm has %d",
                      static_cast<long long>(processes), call.on->size));
    return call.status;
  }
  MPI_Comm made = MPI_COMM_NULL;
  if (call.mpi(MPI_Cart_create(call.on->mpi, lengths.count, lengths.values, wraps.values, reorder != 0, &made)))
    register_ours(call, made, result);
  return call.status;
}

int32_t mpijit_comm_cart_dim(const mpijit_site* site, int64_t comm, int64_t* result) {
  Call call(site, "cart_dim");
  int count = 0;
  if (axes_of(call, comm, &count))
    *result = count;
  return call.status;
}

int32_t mpijit_comm_cart_coords(const mpijit_site* site, int64_t rank, const mpijit_array* coords, int64_t comm) {
  Call call(site, "cart_coords");
  int count = 0, places[most_axes];
  if (!(axes_of(call, comm, &count) && call.root("rank", rank) && call.out("coords", coords) &&
        call.counts("coords", element_count(*coords), count, "one for each axis")))
    return call.status;
  if (coords->dtype != MPIJIT_Int64 || coords->ndim != 1) {
    call.passed(raise(site, call.routine, MPIJIT_TypeError, "coords must be a row of int64"));
    return call.status;
  }
  if (call.mpi(MPI_Cart_coords(call.on->mpi, static_cast<int>(rank), count, places)))
    for (int k = 0; k < count; ++k)
      *reinterpret_cast<int64_t*>(static_cast<char*>(coords->data) + k * coords->strides[0]) = places[k];
  return call.status;
}

int32_t mpijit_comm_cart_rank(const mpijit_site* site, const mpijit_array* coords, int64_t comm, int64_t* result) {
  Call call(site, "cart_rank");
  Grid grid;
  Ints places;
  if (!(grid_of(call, comm, grid) && read_ints(call, "coords", coords, places) &&
        same_length(call, "coords", places, grid.axes)))
    return call.status;
  for (int k = 0; k < grid.axes; ++k) {
    if (grid.periods[k] || (places.values[k] >= 0 && places.values[k] < grid.dims[k]))
      continue;
    call.passed(raise(site, call.routine, MPIJIT_ValueError,
                      "coords[%d] is %d, but the axis has %d processes and is not periodic", k, places.values[k],
                      grid.dims[k]));
    return call.status;
  }
  int rank = 0;
  if (call.mpi(MPI_Cart_rank(call.on->mpi, places.values, &rank)))
    *result = rank;
  return call.status;
}

int32_t mpijit_comm_cart_shift(const mpijit_site* site, int64_t direction, int64_t disp, int64_t comm,
                               int64_t* result) {
  Call call(site, "cart_shift");
  int count = 0, source = MPI_PROC_NULL, dest = MPI_PROC_NULL;
  if (!(axes_of(call, comm, &count) && call.fits_int("disp", disp)))
    return call.status;
  if (direction < 0 || direction >= count) {
    call.passed(raise(site, call.routine, MPIJIT_ValueError, "direction is %lld, but comm has %d axes",
                      static_cast<long long>(direction), count));
    return call.status;
  }
  if (call.mpi(MPI_Cart_shift(call.on->mpi, static_cast<int>(direction), static_cast<int>(disp), &source, &dest))) {
    result[0] = source;
    result[1] = dest;
  }
  return call.status;
}

int32_t mpijit_comm_cart_sub(const mpijit_site* site, const mpijit_array* remain_dims, int64_t comm, int64_t* result) {
  Call call(site, "cart_sub");
  int count = 0;
  Ints remain;
  MPI_Comm made = MPI_COMM_NULL;
  if (axes_of(call, comm, &count) && read_ints(call, "remain_dims", remain_dims, remain) &&
      same_length(call, "remain_dims", remain, count) && call.mpi(MPI_Cart_sub(call.on->mpi, remain.values, &made)))
    register_ours(call, made, result);
  return call.status;
}

// A neighbour that is PROC_NULL sends nothing: its block stays as it is.
int32_t mpijit_comm_neighbor_allgather(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                                       int64_t comm) {
  Call call(site, "neighbor_allgather");
  Exchange x;
  int64_t in = 0, out = 0;
  if (!(neighbours(call, comm, &in, &out) && x.sends(call, send) && x.receives_some(call, recv) && x.apart(call) &&
        call.counts("recv", x.received.count, x.sent.count * in, "as many as are sent, for each neighbour")))
    return call.status;
  return x.finish(call, MPI_Neighbor_allgather_c(x.from(), x.sent.count, x.sent.type, x.to(), x.sent.count,
                                                 x.received.type, call.on->mpi));
}

int32_t mpijit_comm_neighbor_alltoall(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                                      int64_t comm) {
  Call call(site, "neighbor_alltoall");
  Exchange x;
  int64_t in = 0, out = 0;
  if (!(neighbours(call, comm, &in, &out) && x.sends(call, send) && x.receives_some(call, recv) && x.apart(call)))
    return call.status;
  const int64_t each = out ? x.sent.count / out : in ? x.received.count / in : 0;
  if (!(call.counts("send", x.sent.count, each * out, "a block for each neighbour") &&
        call.counts("recv", x.received.count, each * in, "a block for each neighbour")))
    return call.status;
  return x.finish(call,
                  MPI_Neighbor_alltoall_c(x.from(), each, x.sent.type, x.to(), each, x.received.type, call.on->mpi));
}
