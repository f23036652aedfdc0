/* The loops of MPI calls of bench/kernels.py written in C: what the compiled kernels are compared with. Built as a
 * shared library with mpicc -O2 and called through ctypes, so that both sides run in one process, on one MPI library
 * at one thread level. */
#include <mpi.h>
#include <stdint.h>

#define WORLD MPI_COMM_WORLD

double wtime(int64_t n) {
  double total = 0;
  for (int64_t k = 0; k < n; ++k)
    total += MPI_Wtime();
  return total;
}

void barrier(int64_t n) {
  for (int64_t k = 0; k < n; ++k)
    MPI_Barrier(WORLD);
}

void bcast(int64_t n, double* a) {
  for (int64_t k = 0; k < n; ++k)
    MPI_Bcast(a, 1, MPI_DOUBLE, 0, WORLD);
}

double allreduce(int64_t n, double x) {
  for (int64_t k = 0; k < n; ++k) {
    double sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, WORLD);
    x = sum;
  }
  return x;
}

void sendrecv(int64_t n, const double* a, double* b) {
  for (int64_t k = 0; k < n; ++k)
    MPI_Sendrecv(a, 1, MPI_DOUBLE, 0, 0, b, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, WORLD, MPI_STATUS_IGNORE);
}

static void exchange_type(int64_t n, const double* a, double* b, MPI_Datatype type) {
  for (int64_t k = 0; k < n; ++k) {
    MPI_Request requests[2];
    MPI_Irecv(b, 1, type, 0, MPI_ANY_TAG, WORLD, &requests[0]);
    MPI_Isend(a, 1, type, 0, 0, WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

void exchange(int64_t n, const double* a, double* b) { exchange_type(n, a, b, MPI_DOUBLE); }

/* Column 1 of C-contiguous arrays of 64 x 64. */
void exchange_column(int64_t n, const double* a, double* b) {
  static MPI_Datatype column = MPI_DATATYPE_NULL;
  if (column == MPI_DATATYPE_NULL) {
    MPI_Type_vector(64, 1, 64, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
  }
  exchange_type(n, a + 1, b + 1, column);
}
