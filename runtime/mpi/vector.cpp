// Vector forms: blocks of different lengths, at places of their own. Counts and displacements are integer arrays, in
// elements. A buffer that receives may have gaps, which stay as they are.
#include <algorithm>
#include <cstring>

#include "error.h"
#include "mpi/exchange.h"

using namespace mpijit::rt;

namespace {

// The blocks of one side, as MPI takes them: a count and a displacement for each process.
class Blocks {
public:
  Blocks() = default;
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() {
    if (memory_)
      give_back(memory_);
  }

  const MPI_Count* counts() const { return counts_; }
  const MPI_Aint* displs() const { return displs_; }
  int64_t count(int rank) const { return counts_ ? counts_[rank] : 0; }
  int64_t total() const { return total_; }
  explicit operator bool() const { return counts_; }

  // Reads counts and, unless it is null, displs; by default the blocks follow each other. extent: as many elements as
  // the buffer has. written: no two blocks may overlap.
  bool read(Call& call, const char* counts_name, const mpijit_array* counts, const char* displs_name,
            const mpijit_array* displs, const char* buffer, int64_t extent, bool written) {
    const int size = call.on->size;
    static_assert(sizeof(MPI_Count) == 8 && sizeof(MPI_Aint) == 8);
    memory_ = take_pack_buffer(static_cast<size_t>(size) * 3 * sizeof(int64_t));
    if (!memory_)
      return call.passed(no_memory(call.site, call.routine, size * 24));
    auto* words = static_cast<int64_t*>(memory_->data());
    if (!integers(call, counts_name, counts, words))
      return false;
    int64_t* places = words + size;
    if (displs) {
      if (!integers(call, displs_name, displs, places))
        return false;
    } else {
      int64_t next = 0;
      for (int k = 0; k < size; ++k) {
        places[k] = next;
        next += std::max<int64_t>(words[k], 0);
      }
    }
    for (int k = 0; k < size; ++k) {
      if (words[k] < 0 || places[k] < 0 || words[k] > extent || places[k] > extent - words[k])
        return call.passed(raise(call.site, call.routine, MPIJIT_ValueError,
                                 "%s[%d] is %lld at %lld, but %s has %lld elements", counts_name, k,
                                 static_cast<long long>(words[k]), static_cast<long long>(places[k]), buffer,
                                 static_cast<long long>(extent)));
      total_ += words[k];
    }
    if (written && displs && !disjoint(call, displs_name, words, places, places + size))
      return false;
    counts_ = reinterpret_cast<MPI_Count*>(words);
    displs_ = reinterpret_cast<MPI_Aint*>(places);
    return true;
  }

private:
  // The values of a one-dimensional integer array with an element for each process.
  static bool integers(Call& call, const char* name, const mpijit_array* array, int64_t* out) {
    if (!call.in(name, array))
      return false;
    const Dtype& dtype = dtypes[array->dtype];
    if (dtype.kind != 'i' && dtype.kind != 'u')
      return call.passed(
          raise(call.site, call.routine, MPIJIT_TypeError, "%s is %s, but must hold integers", name, dtype.name));
    const int size = call.on->size;
    if (!call.counts(name, element_count(*array), size, "one for each process"))
      return false;
    const auto* at = static_cast<const char*>(array->data);
    const int64_t step = array->ndim == 1 ? array->strides[0] : dtype.size;
    if (array->ndim != 1 && !is_contiguous(*array))
      return call.passed(raise(call.site, call.routine, MPIJIT_ValueError, "%s must have one axis", name));
    for (int k = 0; k < size; ++k, at += step)
      out[k] = load_integer(at, dtype);
    return true;
  }

  static bool disjoint(Call& call, const char* name, const int64_t* counts, const int64_t* places, int64_t* order) {
    const int size = call.on->size;
    for (int k = 0; k < size; ++k)
      order[k] = k;
    std::sort(order, order + size, [&](int64_t a, int64_t b) { return places[a] < places[b]; });
    int64_t end = 0;
    for (int k = 0; k < size; ++k) {
      const int64_t at = order[k];
      if (counts[at] == 0)
        continue;
      if (places[at] < end)
        return call.passed(raise(call.site, call.routine, MPIJIT_ValueError,
                                 "%s[%lld] is %lld, inside the block of another process", name,
                                 static_cast<long long>(at), static_cast<long long>(places[at])));
      end = places[at] + counts[at];
    }
    return true;
  }

  PackBuffer* memory_ = nullptr;
  MPI_Count* counts_ = nullptr;
  MPI_Aint* displs_ = nullptr;
  int64_t total_ = 0;
};

const char* const own_count = "counts[rank]";

bool fits_own(Call& call, const char* name, int64_t count, const Blocks& blocks) {
  return call.counts(name, count, blocks.count(call.on->rank), own_count);
}

} // namespace

// counts and displs belong to the root; elsewhere recv says how much comes.
int32_t mpijit_scatterv(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                        const mpijit_array* counts, const mpijit_array* displs, int64_t root, int64_t comm) {
  Call call(site, "scatterv");
  Exchange x;
  Blocks blocks;
  if (!(call.comm(comm) && call.root("root", root)))
    return call.status;
  const bool is_root = call.on->rank == root;
  if (is_root &&
      !(x.sends(call, send) && blocks.read(call, "counts", counts, "displs", displs, "send", x.sent.count, false)))
    return call.status;
  x.in_place = is_root && !recv;
  if (!x.in_place &&
      !(x.receives(call, recv) && (!is_root || (x.apart(call) && fits_own(call, "recv", x.received.count, blocks)))))
    return call.status;
  return x.finish(call, MPI_Scatterv_c(x.send ? x.sent.data : nullptr, blocks.counts(), blocks.displs(), x.type_sent(),
                                       x.in_place ? MPI_IN_PLACE : x.to(), x.count_received(), x.type_received(),
                                       static_cast<int>(root), call.on->mpi));
}

int32_t mpijit_gatherv(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                       const mpijit_array* counts, const mpijit_array* displs, int64_t root, int64_t comm) {
  Call call(site, "gatherv");
  Exchange x;
  Blocks blocks;
  if (!(call.comm(comm) && call.root("root", root)))
    return call.status;
  if (call.on->rank != root) {
    if (!x.sends(call, send))
      return call.status;
  } else {
    if (!(x.both_some(call, send, recv) &&
          blocks.read(call, "counts", counts, "displs", displs, "recv", x.received.count, true) &&
          (x.in_place || fits_own(call, "send", x.sent.count, blocks))))
      return call.status;
  }
  return x.finish(call, MPI_Gatherv_c(x.from(), x.count_sent(), x.type_sent(), x.to(), blocks.counts(), blocks.displs(),
                                      x.type_received(), static_cast<int>(root), call.on->mpi));
}

int32_t mpijit_allgatherv(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                          const mpijit_array* counts, const mpijit_array* displs, int64_t comm) {
  Call call(site, "allgatherv");
  Exchange x;
  Blocks blocks;
  if (!(call.comm(comm) && x.both_some(call, send, recv) &&
        blocks.read(call, "counts", counts, "displs", displs, "recv", x.received.count, true) &&
        (x.in_place || fits_own(call, "send", x.sent.count, blocks))))
    return call.status;
  return x.finish(call, MPI_Allgatherv_c(x.from(), x.count_sent(), x.type_sent(), x.to(), blocks.counts(),
                                         blocks.displs(), x.type_received(), call.on->mpi));
}

int32_t mpijit_alltoallv(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                         const mpijit_array* sendcounts, const mpijit_array* recvcounts, const mpijit_array* senddispls,
                         const mpijit_array* recvdispls, int64_t comm) {
  Call call(site, "alltoallv");
  Exchange x;
  Blocks out, in;
  if (!(call.comm(comm) && x.both_some(call, send, recv) &&
        (x.in_place ||
         out.read(call, "sendcounts", sendcounts, "senddispls", senddispls, "send", x.sent.count, false)) &&
        in.read(call, "recvcounts", recvcounts, "recvdispls", recvdispls, "recv", x.received.count, true)))
    return call.status;
  return x.finish(call, MPI_Alltoallv_c(x.from(), out.counts(), out.displs(), x.type_sent(), x.to(), in.counts(),
                                        in.displs(), x.type_received(), call.on->mpi));
}

int32_t mpijit_reduce_scatter(const mpijit_site* site, const mpijit_array* send, const mpijit_array* recv,
                              const mpijit_array* counts, int64_t op, int64_t comm) {
  Call call(site, "reduce_scatter");
  Exchange x;
  Blocks blocks;
  x.in_place = !send;
  if (!(call.comm(comm) && call.out("recv", recv) && call.op(op, recv->dtype) &&
        (x.in_place ? x.receives_some(call, recv) : x.sends(call, send) && x.receives(call, recv) && x.apart(call)) &&
        blocks.read(call, "counts", counts, "", nullptr, x.in_place ? "recv" : "send",
                    x.in_place ? x.received.count : x.sent.count, false) &&
        call.counts(x.in_place ? "recv" : "send", x.in_place ? x.received.count : x.sent.count, blocks.total(),
                    "the sum of counts") &&
        (x.in_place || fits_own(call, "recv", x.received.count, blocks))))
    return call.status;
  return x.finish(call, MPI_Reduce_scatter_c(x.from(), x.to(), blocks.counts(), x.received.type,
                                             operators[op].mpi[recv->dtype], call.on->mpi));
}
