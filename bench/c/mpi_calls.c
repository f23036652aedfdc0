/* What one MPI call costs in C, and, compiled with -DWITH_MPIJIT, what the same call costs through the mpijit
 * runtime. One process (run it alone or under mpiexec -n 1). Prints a JSON line per call: the best of many batches,
 * in nanoseconds.
 *
 *   mpicc -O2 mpi_calls.c -o mpi_calls && ./mpi_calls [single|funneled|serialized|multiple]
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef WITH_MPIJIT
#include "mpijit/runtime.h"
#endif

enum { BATCHES = 400, CALLS = 1000, COLUMN = 64 };

static double left[1] = {1}, right[1];
static double grid[COLUMN][COLUMN], other[COLUMN][COLUMN];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static void measure(const char* way, const char* name, void (*call)(void)) {
  double best = 1e99;
  for (int batch = 0; batch < BATCHES; ++batch) {
    const double start = now();
    for (int i = 0; i < CALLS; ++i)
      call();
    const double each = (now() - start) / CALLS;
    if (each < best)
      best = each;
  }
  printf("{\"way\": \"%s\", \"call\": \"%s\", \"ns\": %.1f}\n", way, name, best);
}

/* ---- C ------------------------------------------------------------------------------------------------------ */

static MPI_Datatype column;

static void c_nothing(void) { __asm__ volatile("" ::: "memory"); }
static void c_wtime(void) { (void)MPI_Wtime(); }
static void c_barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void c_bcast(void) { MPI_Bcast(left, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }
static void c_allreduce(void) { MPI_Allreduce(left, right, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }

static void c_sendrecv(void) {
  MPI_Sendrecv(left, 1, MPI_DOUBLE, 0, 0, right, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void c_halo(void) {
  MPI_Request requests[2];
  MPI_Irecv(right, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(left, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void c_column(void) {
  MPI_Request requests[2];
  MPI_Irecv(&other[0][1], 1, column, 0, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&grid[0][1], 1, column, 0, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void measure_c(void) {
  MPI_Type_vector(COLUMN, 1, COLUMN, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  measure("c", "nothing", c_nothing);
  measure("c", "wtime", c_wtime);
  measure("c", "barrier", c_barrier);
  measure("c", "bcast", c_bcast);
  measure("c", "allreduce", c_allreduce);
  measure("c", "sendrecv", c_sendrecv);
  measure("c", "isend+irecv+waitall", c_halo);
  measure("c", "column isend+irecv+waitall", c_column);
  MPI_Type_free(&column);
}

/* ---- the runtime, called as compiled kernels call it: descriptors are built on the stack for each call --------- */

#ifdef WITH_MPIJIT
static const mpijit_site site = {"mpi_calls.c", "bench", 1, 1};

static void check(int32_t status) {
  if (!status)
    return;
  mpijit_error error;
  mpijit_error_take(&error);
  fprintf(stderr, "%s\n", error.message);
  exit(1);
}

static mpijit_array scalar(double* value) {
  return (mpijit_array){value, NULL, NULL, NULL, MPIJIT_Float64, 0, MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS};
}

static void rt_wtime(void) {
  double seconds;
  check(mpijit_wtime(&site, &seconds));
}

static void rt_barrier(void) { check(mpijit_barrier(&site, MPIJIT_COMM_WORLD)); }

static void rt_bcast(void) {
  const mpijit_array data = scalar(left);
  check(mpijit_bcast(&site, &data, 0, MPIJIT_COMM_WORLD));
}

static void rt_allreduce(void) {
  const mpijit_array send = scalar(left), recv = scalar(right);
  check(mpijit_allreduce(&site, &send, &recv, MPIJIT_SUM, MPIJIT_COMM_WORLD));
}

static void rt_sendrecv(void) {
  const mpijit_array send = scalar(left), recv = scalar(right);
  check(mpijit_sendrecv(&site, &send, 0, &recv, 0, 0, 0, MPIJIT_COMM_WORLD, NULL));
}

static void exchange(const mpijit_array* send, const mpijit_array* recv) {
  uint64_t requests[2];
  check(mpijit_irecv(&site, recv, 0, 0, MPIJIT_COMM_WORLD, &requests[0]));
  check(mpijit_isend(&site, send, 0, 0, MPIJIT_COMM_WORLD, &requests[1]));
  check(mpijit_waitall(&site, requests, 2));
}

static void rt_halo(void) {
  const mpijit_array send = scalar(left), recv = scalar(right);
  exchange(&send, &recv);
}

static void rt_column(void) {
  const int64_t shape[1] = {COLUMN}, strides[1] = {sizeof grid[0]};
  const mpijit_array send = {&grid[0][1], shape, strides, NULL, MPIJIT_Float64, 1, MPIJIT_WRITEABLE};
  const mpijit_array recv = {&other[0][1], shape, strides, NULL, MPIJIT_Float64, 1, MPIJIT_WRITEABLE};
  exchange(&send, &recv);
}

static void lock_unlock(void) {
  mpijit_lock();
  mpijit_unlock();
}

static void check_stack(void) { check(mpijit_check_stack(&site)); }

static void measure_runtime(void) {
  check(mpijit_begin(&site));
  measure("mpijit", "wtime", rt_wtime);
  measure("mpijit", "barrier", rt_barrier);
  measure("mpijit", "bcast", rt_bcast);
  measure("mpijit", "allreduce", rt_allreduce);
  measure("mpijit", "sendrecv", rt_sendrecv);
  measure("mpijit", "isend+irecv+waitall", rt_halo);
  measure("mpijit", "column isend+irecv+waitall", rt_column);
  measure("mpijit", "lock+unlock", lock_unlock);
  measure("mpijit", "check_stack", check_stack);
}
#endif

int main(int argc, char** argv) {
  static const char* const names[] = {"single", "funneled", "serialized", "multiple"};
  static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE};
  int level = MPI_THREAD_SERIALIZED, provided;
  for (int i = 0; argc > 1 && i < 4; ++i)
    if (strcmp(argv[1], names[i]) == 0)
      level = levels[i];
  MPI_Init_thread(&argc, &argv, level, &provided);
  measure_c();
#ifdef WITH_MPIJIT
  measure_runtime();
#endif
  MPI_Finalize();
  return 0;
}
