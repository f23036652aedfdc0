/* The C boundary of the mpijit runtime: what compiled kernels, the Python package and any other program
 * that generates code call. Pointers and fixed-width integers only. It knows nothing of Python or LLVM,
 * and nothing of mpi.h: handles stand for communicators, operators and requests.
 *
 * Functions that can fail return an int32_t status: 0, or a code of errors.inc after which the calling
 * thread's error record (mpijit_error_take) says what happened and where. */
#ifndef MPIJIT_RUNTIME_H
#define MPIJIT_RUNTIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPIJIT_API __attribute__((visibility("default")))

/* ---- call sites ------------------------------------------------------------------------------------- */

/* Where in the kernel's source a call stands. Constant data in the compiled object; never freed. */
typedef struct mpijit_site {
  const char* file;
  const char* kernel;
  int32_t line;   /* from 1 */
  int32_t column; /* from 1 */
} mpijit_site;

/* ---- errors ------------------------------------------------------------------------------------------ */

enum mpijit_status_code {
  MPIJIT_OK = 0,
#define ERROR(name, python) MPIJIT_##name,
#include "mpijit/errors.inc"
#undef ERROR
};

enum { MPIJIT_MESSAGE_SIZE = 1024, MPIJIT_MAX_FRAMES = 32 };

/* One error, as recorded by the thread that met it. frames[0] is where it happened, then its callers. */
typedef struct mpijit_error {
  int32_t code;
  int32_t frame_count;
  int32_t mpi_class;   /* MPI's error class, 0 when the error is not MPI's own */
  const char* routine; /* "send", ..., or null */
  char message[MPIJIT_MESSAGE_SIZE];
  mpijit_site frames[MPIJIT_MAX_FRAMES];
} mpijit_error;

/* Copies the calling thread's error record to out, clears it, and returns its code (0: there was none). */
MPIJIT_API int32_t mpijit_error_take(mpijit_error* out);

MPIJIT_API int32_t mpijit_raise(const mpijit_site* site, int32_t code, const char* message);
MPIJIT_API int32_t mpijit_raise_index(const mpijit_site* site, int64_t index, int64_t axis, int64_t size);
MPIJIT_API int32_t mpijit_raise_fit(const mpijit_site* site, int64_t value, const char* dtype);
MPIJIT_API int32_t mpijit_frame(const mpijit_site* site, int32_t status);

/* ValueErrors of shapes that do not fit, in NumPy's words. A shape is its lengths; raise_broadcast takes those of all
 * operands one after the other. raise_output is for an output smaller than what the operands (itself included)
 * broadcast to; raise_assign for a store to a target of that shape. */
MPIJIT_API int32_t mpijit_raise_broadcast(const mpijit_site* site, const int64_t* shapes, const int64_t* ndims,
                                          int64_t count);
MPIJIT_API int32_t mpijit_raise_output(const mpijit_site* site, const int64_t* output, int64_t output_ndim,
                                       const int64_t* shape, int64_t ndim);
MPIJIT_API int32_t mpijit_raise_assign(const mpijit_site* site, const int64_t* target, int64_t target_ndim,
                                       const int64_t* source, int64_t source_ndim);

/* ---- blocks and arrays ------------------------------------------------------------------------------- */

/* A counted block of memory. destroy frees the block itself; data is 64-byte aligned. */
typedef struct mpijit_block {
  int64_t count; /* changed atomically */
  void (*destroy)(struct mpijit_block*);
  void* data;
  void* context; /* for destroy */
} mpijit_block;

enum { MPIJIT_FILL_NONE = 0, MPIJIT_FILL_ZERO = 1 };

/* A block for count elements of size bytes; negative or overflowing counts raise ValueError, no memory
 * MemoryError. The caller owns the one reference in *out. */
MPIJIT_API int32_t mpijit_alloc(const mpijit_site* site, int64_t count, int64_t size, int32_t fill, mpijit_block** out);
MPIJIT_API void mpijit_retain(mpijit_block* block);
MPIJIT_API void mpijit_release(mpijit_block* block);
/* Blocks made by mpijit_alloc and not yet freed, over all threads. For leak tests. */
MPIJIT_API int64_t mpijit_live_blocks(void);
/* Bytes of large blocks that were freed and are kept for the next ones of their size. At most MPIJIT_KEEP_MB mebibytes,
 * an environment variable that is read once, 0 for none; without it an eighth of the machine's memory divided by its
 * cores, and no more than 256. Builds with the address sanitizer keep none. */
MPIJIT_API int64_t mpijit_kept_bytes(void);

enum mpijit_dtype {
#define DTYPE(name, numpy, kind, size, c_type, mpi) MPIJIT_##name,
#include "mpijit/dtypes.inc"
#undef DTYPE
  MPIJIT_DTYPE_COUNT
};

enum mpijit_array_flags { MPIJIT_WRITEABLE = 1, MPIJIT_C_CONTIGUOUS = 2 };

/* A strided array. shape counts elements, strides bytes; both have ndim entries and may be null when
 * ndim is 0. owner keeps data alive, or is null when the caller does. */
typedef struct mpijit_array {
  void* data;
  const int64_t* shape;
  const int64_t* strides;
  mpijit_block* owner;
  int32_t dtype;
  int32_t ndim;
  uint32_t flags;
} mpijit_array;

/* How a statement that computes target[i] from leaves[..][i] in one pass may run. Ascending: a nest over the target's
 * axes, the largest absolute stride outermost, each axis in the direction in which its addresses grow; descending:
 * that nest backwards. */
enum mpijit_order { MPIJIT_ANY_ORDER = 0, MPIJIT_ASCENDING = 1, MPIJIT_DESCENDING = 2, MPIJIT_TEMPORARY = 3 };

/* The order in which no element is read after it was written; MPIJIT_TEMPORARY when there is none, or when it would
 * take too much work to tell. All arrays have the target's shape, by strides of 0 where a leaf is broadcast. An
 * element's leaves are read before it is written, so a leaf that is the target itself allows any order. */
MPIJIT_API int32_t mpijit_overlap(const mpijit_array* target, const mpijit_array* const* leaves, int64_t count);
/* The same of a table of words, which it puts in that order unless MPIJIT_TEMPORARY: ndim lengths; for each of count
 * walks, of which the target is the last, its address and ndim strides; and the index of a row, ndim words. */
MPIJIT_API int32_t mpijit_arrange(int64_t* words, int64_t ndim, int64_t count, const int32_t* dtypes);
/* The careful way into a statement that computes one element of an array from those of others: for shapes that differ
 * and memory that meets. plan is constant: an mpijit_plan_kind, the ndim of the result (not 0), the number of operands;
 * and for each operand its dtype, its ndim, and 1 if it is C-contiguous. The last operand is the target, of a new array
 * its dtype alone counts. The words behind plain are each operand's address, lengths, and strides unless it is
 * C-contiguous; a new array has none. Returns an error's code, recorded, or
 *   MPIJIT_ROWS: the table is as mpijit_arrange leaves it, at its first row, all lengths positive;
 *   MPIJIT_WHOLE, if plain: the table names a C-contiguous target that meets nothing, to be filled in any order;
 *   MPIJIT_EMPTY: there are no elements.
 * plain says that no operand is broadcast. *waiting becomes the new array's block, or that of a temporary to be filled
 * in the target's place; else it stays null. A null waiting promises that nothing but the target itself meets it. An
 * output is what is not broadcast itself. */
enum mpijit_plan_kind { MPIJIT_NEW = 0, MPIJIT_ASSIGN = 1, MPIJIT_OUTPUT = 2 };
enum mpijit_preparation { MPIJIT_ROWS = 0, MPIJIT_WHOLE = -1, MPIJIT_EMPTY = -2 };
MPIJIT_API int32_t mpijit_prepare(const mpijit_site* site, const int32_t* plan, int64_t* words, mpijit_block** waiting,
                                  int32_t plain, ...);
/* Copies the filled temporary of mpijit_prepare to its target, and releases it; *waiting becomes null. */
MPIJIT_API void mpijit_finish(mpijit_block** waiting);
/* Moves all walks to the next row along the last axis and returns 1; after the last row, 0, and to the first one. The
 * index is all 0 before the first call. */
MPIJIT_API int32_t mpijit_next_row(int64_t* words, int64_t ndim, int64_t count);
/* Copies element by element. Equal dtypes and shapes, any strides; no byte in common. */
MPIJIT_API void mpijit_copy(const mpijit_array* target, const mpijit_array* source);

/* ---- shapes -------------------------------------------------------------------------------------------- */

/* Replaces one negative length of shape by what the elements of an array of shape old leave for it; ValueError in
 * NumPy's words when they do not fit. */
MPIJIT_API int32_t mpijit_complete_shape(const mpijit_site* site, const int64_t* old, int64_t old_ndim, int64_t* shape,
                                         int64_t ndim);
/* 1, and the strides, if the array's elements in C order are those of some strides of that shape in the same memory;
 * else 0. The shape has as many elements as the array. */
MPIJIT_API int32_t mpijit_view_as(const mpijit_array* array, const int64_t* shape, int64_t ndim, int64_t* strides);

/* ---- sums --------------------------------------------------------------------------------------------- */

/* out = np.sum(a) over the axes whose bits are set in reduced (bit 0 for axis 0), bit for bit. out has the axes that
 * are kept, is C-contiguous and apart from a. Its dtype is what the terms are added as: a's own, float32, float64 or a
 * complex one, or for integers and bools int64 or uint64; complex numbers need a complex one, floats no integer. */
MPIJIT_API void mpijit_sum(const mpijit_array* a, int64_t reduced, const mpijit_array* out);

/* NumPy's pairwise sum of count terms of a floating or complex dtype, of which the caller computes one block after the
 * other:
 *
 *   for (n = mpijit_pairwise_begin(&state, count, dtype); n; n = mpijit_pairwise_add(&state, terms))
 *     compute the next n terms;
 *
 * and the sum is in re and im (of reals any number), -0.0 if there was no term. A complex term is two reals. */
enum { MPIJIT_PAIRWISE_REALS = 1024 }; /* in a block, at most */
typedef struct mpijit_pairwise {
  double re, im;
  int64_t pending; /* reals in the block that comes next */
  int32_t dtype;
  int32_t depth;
  struct {
    int64_t right; /* reals in a right half to come, 0 when it is under way */
    double re, im; /* the sum of its left half */
  } stack[64];
} mpijit_pairwise;

MPIJIT_API int64_t mpijit_pairwise_begin(mpijit_pairwise* state, int64_t count, int32_t dtype);
/* The block's terms, one after the other in memory; returns how many come next. */
MPIJIT_API int64_t mpijit_pairwise_add(mpijit_pairwise* state, const void* terms);

/* ---- products of matrices ---------------------------------------------------------------------------- */

/* out = a @ b and out = np.dot(a, b), for a and b of one or two dimensions and any strides. All three have one dtype;
 * out has the product's shape, is C-contiguous and apart from a and b. Lengths that do not fit raise ValueError in
 * NumPy's words, no memory for a copy MemoryError. Floats and complex numbers go to the BLAS that NumPy has loaded, by
 * the routine that NumPy's function of that name chooses, and so give the same bits; without a BLAS, terms are added in
 * order. */
MPIJIT_API int32_t mpijit_matmul(const mpijit_site* site, const mpijit_array* a, const mpijit_array* b,
                                 const mpijit_array* out);
MPIJIT_API int32_t mpijit_dot(const mpijit_site* site, const mpijit_array* a, const mpijit_array* b,
                              const mpijit_array* out);
/* The file of the BLAS in use: one that the process has loaded, NumPy's before others; the system's; or the file that
 * the environment variable MPIJIT_BLAS names. Empty if there is none, or if MPIJIT_BLAS is "none". */
MPIJIT_API const char* mpijit_blas_path(void);

/* ---- MPI --------------------------------------------------------------------------------------------- */

/* Handles: index in the low 32 bits, generation in the high 32. 0 is the null request. */
#define MPIJIT_COMM_WORLD ((int64_t)(1ll << 32))
#define MPIJIT_COMM_SELF ((int64_t)(1ll << 32 | 1))
#define MPIJIT_COMM_NULL ((int64_t)0)
#define MPIJIT_REQUEST_NULL ((uint64_t)0)

enum mpijit_operator {
#define ROUTINE(...)
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(name, mpi, kinds) MPIJIT_##name,
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
  MPIJIT_OPERATOR_COUNT
};

enum mpijit_constant_id {
  MPIJIT_ANY_SOURCE,
  MPIJIT_ANY_TAG,
  MPIJIT_PROC_NULL,
  MPIJIT_UNDEFINED,
  MPIJIT_IDENT,
  MPIJIT_CONGRUENT,
  MPIJIT_SIMILAR,
  MPIJIT_UNEQUAL,
};
/* The MPI library's value of a constant. Does not initialise MPI. */
MPIJIT_API int64_t mpijit_constant(int32_t id);

typedef struct mpijit_status {
  int64_t source;
  int64_t tag;
  int64_t count; /* elements of the buffer's dtype */
  int64_t nbytes;
} mpijit_status;

/* rank and size of COMM_WORLD; compiled code loads from it. Valid once the session began. */
typedef struct mpijit_world_record {
  int64_t rank;
  int64_t size;
} mpijit_world_record;
MPIJIT_API extern mpijit_world_record mpijit_world;

/* Every routine of routines.inc; documentation, parameter kinds and defaults stand there. */
MPIJIT_API int32_t mpijit_rank(const mpijit_site*, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_size(const mpijit_site*, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_wtime(const mpijit_site*, double* result);
MPIJIT_API int32_t mpijit_wtick(const mpijit_site*, double* result);
MPIJIT_API int32_t mpijit_initialized(const mpijit_site*, int64_t* result);
MPIJIT_API int32_t mpijit_finalized(const mpijit_site*, int64_t* result);
MPIJIT_API int32_t mpijit_query_thread(const mpijit_site*, int64_t* result);
MPIJIT_API int32_t mpijit_abort(const mpijit_site*, int64_t code);
MPIJIT_API int32_t mpijit_send(const mpijit_site*, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm);
MPIJIT_API int32_t mpijit_ssend(const mpijit_site*, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm);
MPIJIT_API int32_t mpijit_recv(const mpijit_site*, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                               mpijit_status* result);
MPIJIT_API int32_t mpijit_sendrecv(const mpijit_site*, const mpijit_array* senddata, int64_t dest,
                                   const mpijit_array* recvdata, int64_t source, int64_t sendtag, int64_t recvtag,
                                   int64_t comm, mpijit_status* result);
MPIJIT_API int32_t mpijit_sendrecv_replace(const mpijit_site*, const mpijit_array* data, int64_t dest, int64_t source,
                                           int64_t sendtag, int64_t recvtag, int64_t comm, mpijit_status* result);
MPIJIT_API int32_t mpijit_probe(const mpijit_site*, int64_t source, int64_t tag, int64_t comm, mpijit_status* result);
MPIJIT_API int32_t mpijit_iprobe(const mpijit_site*, int64_t source, int64_t tag, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_isend(const mpijit_site*, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm,
                                uint64_t* result);
MPIJIT_API int32_t mpijit_issend(const mpijit_site*, const mpijit_array* data, int64_t dest, int64_t tag, int64_t comm,
                                 uint64_t* result);
MPIJIT_API int32_t mpijit_irecv(const mpijit_site*, const mpijit_array* data, int64_t source, int64_t tag, int64_t comm,
                                uint64_t* result);
MPIJIT_API int32_t mpijit_send_init(const mpijit_site*, const mpijit_array* data, int64_t dest, int64_t tag,
                                    int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_recv_init(const mpijit_site*, const mpijit_array* data, int64_t source, int64_t tag,
                                    int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_start(const mpijit_site*, uint64_t request);
MPIJIT_API int32_t mpijit_startall(const mpijit_site*, const uint64_t* requests, int64_t count);
MPIJIT_API int32_t mpijit_request_free(const mpijit_site*, uint64_t request);
MPIJIT_API int32_t mpijit_wait(const mpijit_site*, uint64_t request, mpijit_status* result);
MPIJIT_API int32_t mpijit_waitall(const mpijit_site*, const uint64_t* requests, int64_t count);
MPIJIT_API int32_t mpijit_waitany(const mpijit_site*, const uint64_t* requests, int64_t count, int64_t* result);
MPIJIT_API int32_t mpijit_test(const mpijit_site*, uint64_t request, int64_t* result);
MPIJIT_API int32_t mpijit_testall(const mpijit_site*, const uint64_t* requests, int64_t count, int64_t* result);
MPIJIT_API int32_t mpijit_testany(const mpijit_site*, const uint64_t* requests, int64_t count, int64_t* result);
MPIJIT_API int32_t mpijit_cancel(const mpijit_site*, uint64_t request);
MPIJIT_API int32_t mpijit_barrier(const mpijit_site*, int64_t comm);
MPIJIT_API int32_t mpijit_bcast(const mpijit_site*, const mpijit_array* data, int64_t root, int64_t comm);
MPIJIT_API int32_t mpijit_reduce(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                                 int64_t root, int64_t comm);
MPIJIT_API int32_t mpijit_allreduce(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                                    int64_t comm);
MPIJIT_API int32_t mpijit_scan(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                               int64_t comm);
MPIJIT_API int32_t mpijit_exscan(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                                 int64_t comm);
MPIJIT_API int32_t mpijit_reduce_scatter_block(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                               int64_t op, int64_t comm);
MPIJIT_API int32_t mpijit_scatter(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                                  int64_t comm);
MPIJIT_API int32_t mpijit_gather(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                                 int64_t comm);
MPIJIT_API int32_t mpijit_allgather(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                    int64_t comm);
MPIJIT_API int32_t mpijit_alltoall(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                   int64_t comm);
MPIJIT_API int32_t mpijit_scatterv(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                   const mpijit_array* counts, const mpijit_array* displs, int64_t root, int64_t comm);
MPIJIT_API int32_t mpijit_gatherv(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                  const mpijit_array* counts, const mpijit_array* displs, int64_t root, int64_t comm);
MPIJIT_API int32_t mpijit_allgatherv(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                     const mpijit_array* counts, const mpijit_array* displs, int64_t comm);
MPIJIT_API int32_t mpijit_alltoallv(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                    const mpijit_array* sendcounts, const mpijit_array* recvcounts,
                                    const mpijit_array* senddispls, const mpijit_array* recvdispls, int64_t comm);
MPIJIT_API int32_t mpijit_reduce_scatter(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                         const mpijit_array* counts, int64_t op, int64_t comm);
MPIJIT_API int32_t mpijit_ibarrier(const mpijit_site*, int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_ibcast(const mpijit_site*, const mpijit_array* data, int64_t root, int64_t comm,
                                 uint64_t* result);
MPIJIT_API int32_t mpijit_ireduce(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                                  int64_t root, int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_iallreduce(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t op,
                                     int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_igather(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                                  int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_iscatter(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv, int64_t root,
                                   int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_iallgather(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                     int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_ialltoall(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                    int64_t comm, uint64_t* result);
MPIJIT_API int32_t mpijit_comm_split(const mpijit_site*, int64_t color, int64_t key, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_comm_dup(const mpijit_site*, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_comm_free(const mpijit_site*, int64_t comm);
MPIJIT_API int32_t mpijit_comm_compare(const mpijit_site*, int64_t other, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_comm_cart_create(const mpijit_site*, const mpijit_array* dims, const mpijit_array* periods,
                                           int64_t reorder, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_comm_cart_dim(const mpijit_site*, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_comm_cart_coords(const mpijit_site*, int64_t rank, const mpijit_array* coords, int64_t comm);
MPIJIT_API int32_t mpijit_comm_cart_rank(const mpijit_site*, const mpijit_array* coords, int64_t comm, int64_t* result);
MPIJIT_API int32_t mpijit_comm_cart_shift(const mpijit_site*, int64_t direction, int64_t disp, int64_t comm,
                                          int64_t* result);
MPIJIT_API int32_t mpijit_comm_cart_sub(const mpijit_site*, const mpijit_array* remain_dims, int64_t comm,
                                        int64_t* result);
MPIJIT_API int32_t mpijit_comm_neighbor_allgather(const mpijit_site*, const mpijit_array* send,
                                                  const mpijit_array* recv, int64_t comm);
MPIJIT_API int32_t mpijit_comm_neighbor_alltoall(const mpijit_site*, const mpijit_array* send, const mpijit_array* recv,
                                                 int64_t comm);
/* A Status result may be null when the caller does not look at it. */

/* Communicators of other users of MPI: the handle of an MPI_Comm (its value, or the address it is, as an integer), and
 * the MPI_Comm of a handle (MPI_COMM_NULL's value when there is none). Such a communicator keeps its error handler. */
MPIJIT_API int32_t mpijit_comm_from_mpi(const mpijit_site*, int64_t mpi, int64_t* result);
MPIJIT_API int64_t mpijit_comm_to_mpi(int64_t comm);

/* Operators made from functions, one for each dtype: inout[i] = f(in[i], inout[i]) for *count elements. An operator is
 * new without any; a reduction of a dtype that it is not defined for is refused. What a function that fails wants to
 * say is its thread's error record and mpijit_operator_failed(status); the call that completes the reduction returns
 * it. */
typedef void (*mpijit_combine)(void* in, void* inout, int64_t* count, void* datatype);
MPIJIT_API int32_t mpijit_operator_new(const char* name, int64_t* result);
MPIJIT_API int32_t mpijit_operator_define(int64_t op, int32_t dtype, mpijit_combine function, int32_t commute);
MPIJIT_API int32_t mpijit_operator_defined(int64_t op, int32_t dtype);
MPIJIT_API void mpijit_operator_failed(int32_t status);

/* ---- session ----------------------------------------------------------------------------------------- */

/* Initialises MPI unless somebody did; called before a kernel that uses MPI runs, and by every routine. */
MPIJIT_API int32_t mpijit_begin(const mpijit_site* site);
/* Finalises MPI if we initialised it; reports pending requests on stderr. Called once, at exit. */
MPIJIT_API void mpijit_end(void);
/* The process-wide lock that serialises communicating code below MPI_THREAD_MULTIPLE; no-ops there. */
MPIJIT_API void mpijit_lock(void);
MPIJIT_API void mpijit_unlock(void);
MPIJIT_API int32_t mpijit_is_initialized(void); /* has MPI been initialised, by anybody? never initialises */
MPIJIT_API int32_t mpijit_is_finalized(void);
/* "single", "funneled", "serialized", "multiple", or "not initialised". */
MPIJIT_API const char* mpijit_thread_level(void);
MPIJIT_API const char* mpijit_library_version(void); /* MPI_Get_library_version's text */
MPIJIT_API const char* mpijit_library_path(void);    /* the file that provides MPI_Comm_rank */
/* MPI_Abort on COMM_WORLD; initialises first if need be, so that the others do not hang. No return. */
MPIJIT_API void mpijit_end_job(int32_t exit_code);

/* ---- requests and their buffers ---------------------------------------------------------------------- */

/* Requests posted since the session began that are not complete and whose buffer nobody owns. */
MPIJIT_API int64_t mpijit_borrowed_requests(void);
/* Calls keep(context, first byte, last byte + 1) for each such buffer. A block that it returns is
 * attached to the request and released when it completes; null leaves the request borrowed. */
MPIJIT_API void mpijit_adopt_requests(mpijit_block* (*keep)(void* context, const void* begin, const void* end),
                                      void* context);
MPIJIT_API int64_t mpijit_live_requests(void);

/* ---- host hooks: printing and signals ------------------------------------------------------------------ */

/* Set by a signal handler to make running kernels call mpijit_poll; cleared by mpijit_poll. */
MPIJIT_API extern volatile int32_t mpijit_interrupt;
MPIJIT_API int32_t mpijit_poll(const mpijit_site* site);
MPIJIT_API int32_t mpijit_check_stack(const mpijit_site* site);

/* Print values: types is the text of a tuple type, words its wire words (see jit/types/wire.h), sep and
 * end the strings between and after. Without a host the text goes to stdout. */
MPIJIT_API int32_t mpijit_print(const mpijit_site* site, const char* types, const int64_t* words, const char* sep,
                                const char* end);

typedef struct mpijit_host {
  /* Returns 0, or a code to raise (the host then keeps its own exception). */
  int32_t (*print)(const char* types, const int64_t* words, const char* sep, const char* end);
  int32_t (*poll)(void);
} mpijit_host;
/* Replaces the hooks; null members fall back to stdout and to KeyboardInterrupt. */
MPIJIT_API void mpijit_set_host(const mpijit_host* host);

/* ---- symbols ------------------------------------------------------------------------------------------- */

typedef struct mpijit_symbol {
  const char* name;
  void* address;
} mpijit_symbol;
/* Everything compiled code may refer to: mpijit_clock (MPI_Wtime itself, for code that runs after
 * mpijit_begin), routines, support functions, data, and the libc and libm names
 * that LLVM emits. Ends with a null name. */
MPIJIT_API const mpijit_symbol* mpijit_symbols(void);

#ifdef __cplusplus
}
#endif
#endif
