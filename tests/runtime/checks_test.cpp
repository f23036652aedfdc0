// Every check, with its code and its words. None of them enters MPI: after each, the ranks still meet.
#include "support.h"

using namespace mpijit::test;

namespace {

const int64_t nobody = 1000;

std::string processes() {
  return "but comm has " + std::to_string(mpijit_world.size) + (mpijit_world.size == 1 ? " process" : " processes");
}

class Check : public testing::Test {
protected:
  Array good{MPIJIT_Float64, Layout::C};
  Array other{MPIJIT_Float64, Layout::C};
  uint64_t request = 0;

  void TearDown() override {
    ok(mpijit_barrier(&site, world));
    EXPECT_EQ(mpijit_live_requests(), 0);
  }
};

} // namespace

TEST_F(Check, Communicators) {
  int64_t number = 0;
  const int64_t stale = world + (int64_t{1} << 32), outside = world + 5;
  fails(mpijit_barrier(&site, 0), MPIJIT_MpiError, "barrier: comm is COMM_NULL");
  fails(mpijit_barrier(&site, stale), MPIJIT_MpiError, "barrier: comm is no communicator, or one that was freed");
  fails(mpijit_barrier(&site, outside), MPIJIT_MpiError, "comm is no communicator");
  fails(mpijit_barrier(&site, -1), MPIJIT_MpiError, "comm is no communicator");
  fails(mpijit_rank(&site, 0, &number), MPIJIT_MpiError, "rank: comm is COMM_NULL");
  fails(mpijit_size(&site, 0, &number), MPIJIT_MpiError, "size: comm is COMM_NULL");
  fails(mpijit_send(&site, &good, 0, 0, 0), MPIJIT_MpiError, "send: comm is COMM_NULL");
  fails(mpijit_recv(&site, &good, 0, 0, 0, nullptr), MPIJIT_MpiError, "recv: comm is COMM_NULL");
  fails(mpijit_sendrecv(&site, &good, 0, &other, 0, 0, 0, 0, nullptr), MPIJIT_MpiError, "sendrecv: comm is COMM_NULL");
  fails(mpijit_isend(&site, &good, 0, 0, 0, &request), MPIJIT_MpiError, "isend: comm is COMM_NULL");
  fails(mpijit_irecv(&site, &good, 0, 0, 0, &request), MPIJIT_MpiError, "irecv: comm is COMM_NULL");
  fails(mpijit_bcast(&site, &good, 0, 0), MPIJIT_MpiError, "bcast: comm is COMM_NULL");
  fails(mpijit_allreduce(&site, &good, &other, 0, 0), MPIJIT_MpiError, "allreduce: comm is COMM_NULL");
}

TEST_F(Check, Ranks) {
  fails(mpijit_send(&site, &good, nobody, 0, world), MPIJIT_ValueError, "send: dest is 1000, " + processes());
  fails(mpijit_send(&site, &good, mpijit_world.size, 0, world), MPIJIT_ValueError,
        "(0 <= dest < " + std::to_string(mpijit_world.size) + ", or PROC_NULL)");
  fails(mpijit_send(&site, &good, any_source(), 0, world), MPIJIT_ValueError, "send: dest is -2");
  fails(mpijit_send(&site, &good, int64_t{1} << 32, 0, world), MPIJIT_ValueError, "send: dest is 4294967296");
  fails(mpijit_isend(&site, &good, nobody, 0, world, &request), MPIJIT_ValueError, "isend: dest is 1000");
  fails(mpijit_recv(&site, &good, nobody, 0, world, nullptr), MPIJIT_ValueError,
        "recv: source is 1000, " + processes());
  fails(mpijit_recv(&site, &good, -5, 0, world, nullptr), MPIJIT_ValueError, ", ANY_SOURCE or PROC_NULL)");
  fails(mpijit_irecv(&site, &good, nobody, 0, world, &request), MPIJIT_ValueError, "irecv: source is 1000");
  fails(mpijit_sendrecv(&site, &good, nobody, &other, 0, 0, 0, world, nullptr), MPIJIT_ValueError, "sendrecv: dest is");
  fails(mpijit_sendrecv(&site, &good, 0, &other, nobody, 0, 0, world, nullptr), MPIJIT_ValueError,
        "sendrecv: source is");
  fails(mpijit_bcast(&site, &good, nobody, world), MPIJIT_ValueError, "bcast: root is 1000, " + processes());
  fails(mpijit_bcast(&site, &good, proc_null(), world), MPIJIT_ValueError, "bcast: root is -1");
}

TEST_F(Check, Tags) {
  const int64_t too_big = int64_t{1} << 40;
  fails(mpijit_send(&site, &good, 0, -1, world), MPIJIT_ValueError, "send: tag is -1, but must be in 0 <= tag <= ");
  fails(mpijit_send(&site, &good, 0, too_big, world), MPIJIT_ValueError, "send: tag is 1099511627776");
  fails(mpijit_isend(&site, &good, 0, -1, world, &request), MPIJIT_ValueError, "isend: tag is -1");
  fails(mpijit_recv(&site, &good, 0, -7, world, nullptr), MPIJIT_ValueError, ", or ANY_TAG");
  fails(mpijit_irecv(&site, &good, 0, too_big, world, &request), MPIJIT_ValueError, "irecv: tag is 1099511627776");
  fails(mpijit_sendrecv(&site, &good, 0, &other, 0, -1, 0, world, nullptr), MPIJIT_ValueError,
        "sendrecv: sendtag is -1");
  fails(mpijit_sendrecv(&site, &good, 0, &other, 0, 0, -9, world, nullptr), MPIJIT_ValueError,
        "sendrecv: recvtag is -9");
}

TEST_F(Check, Arrays) {
  Array odd(MPIJIT_Float64, Layout::C);
  odd->dtype = 99;
  fails(mpijit_send(&site, &odd, 0, 0, world), MPIJIT_TypeError, "send: data has an unknown dtype (number 99)");
  fails(mpijit_recv(&site, &odd, 0, 0, world, nullptr), MPIJIT_TypeError, "recv: data has an unknown dtype");
  odd->dtype = -1;
  fails(mpijit_bcast(&site, &odd, 0, world), MPIJIT_TypeError, "bcast: data has an unknown dtype (number -1)");
  odd->dtype = MPIJIT_Float64;
  odd->ndim = 65;
  fails(mpijit_send(&site, &odd, 0, 0, world), MPIJIT_ValueError, "send: data has 65 dimensions, but at most 64");
  fails(mpijit_allreduce(&site, &good, nullptr, 0, world), MPIJIT_TypeError, "allreduce: recv is missing");
}

TEST_F(Check, ReadOnly) {
  Array fixed(MPIJIT_Float64, Layout::C);
  fixed->flags = MPIJIT_C_CONTIGUOUS;
  const std::string words = " is read-only, but is to be written";
  fails(mpijit_recv(&site, &fixed, 0, 0, world, nullptr), MPIJIT_TypeError, "recv: data" + words);
  fails(mpijit_irecv(&site, &fixed, 0, 0, world, &request), MPIJIT_TypeError, "irecv: data" + words);
  fails(mpijit_sendrecv(&site, &good, 0, &fixed, 0, 0, 0, world, nullptr), MPIJIT_TypeError,
        "sendrecv: recvdata" + words);
  fails(mpijit_allreduce(&site, &good, &fixed, 0, world), MPIJIT_TypeError, "allreduce: recv" + words);
  // A root only reads; the others raise before they enter MPI, so nobody may wait for them.
  if (mpijit_world.size == 1) {
    ok(mpijit_bcast(&site, &fixed, 0, world));
  } else if (mpijit_world.rank) {
    fails(mpijit_bcast(&site, &fixed, 0, world), MPIJIT_TypeError, "bcast: data" + words);
  }
}

TEST_F(Check, SelfOverlap) {
  double memory[16] = {};
  const int64_t shape[] = {4}, none[] = {0}, windows_shape[] = {4, 3}, windows[] = {8, 8};
  const mpijit_array repeated = {memory, shape, none, nullptr, MPIJIT_Float64, 1, MPIJIT_WRITEABLE};
  const mpijit_array window = {memory, windows_shape, windows, nullptr, MPIJIT_Float64, 2, MPIJIT_WRITEABLE};
  for (const mpijit_array* bad : {&repeated, &window}) {
    fails(mpijit_recv(&site, bad, 0, 0, world, nullptr), MPIJIT_ValueError, "recv: data overlaps itself");
    fails(mpijit_irecv(&site, bad, 0, 0, world, &request), MPIJIT_ValueError, "irecv: data overlaps itself");
    fails(mpijit_sendrecv(&site, &good, 0, bad, 0, 0, 0, world, nullptr), MPIJIT_ValueError,
          "recvdata overlaps itself");
    fails(mpijit_allreduce(&site, &good, bad, 0, world), MPIJIT_ValueError, "allreduce: recv overlaps itself");
    ok(mpijit_send(&site, bad, proc_null(), 0, world)); // reading is fine
  }
}

TEST_F(Check, SharedElements) {
  double v[8][2] = {};
  const int64_t shape[] = {8}, strides[] = {16}, half[] = {4}, ones[] = {8};
  const auto view = [](double* data, const int64_t* lengths, const int64_t* steps) {
    return mpijit_array{data, lengths, steps, nullptr, MPIJIT_Float64, 1, MPIJIT_WRITEABLE};
  };
  const mpijit_array column = view(&v[0][0], shape, strides), next = view(&v[0][1], shape, strides);
  const mpijit_array row = view(&v[1][0], half, ones);
  const std::string words = "share memory, but must not have an element in common";
  fails(mpijit_sendrecv(&site, &column, proc_null(), &row, proc_null(), 0, 0, world, nullptr), MPIJIT_ValueError,
        "sendrecv: senddata and recvdata " + words);
  fails(mpijit_sendrecv(&site, &column, proc_null(), &column, proc_null(), 0, 0, world, nullptr), MPIJIT_ValueError,
        "sendrecv: senddata and recvdata " + words);
  ok(mpijit_sendrecv(&site, &column, proc_null(), &next, proc_null(), 0, 0, world, nullptr));
  const mpijit_array later = view(&v[1][0], half, strides), first = view(&v[0][0], half, strides);
  fails(mpijit_allreduce(&site, &first, &later, 0, world), MPIJIT_ValueError, "allreduce: send and recv " + words);
  const mpijit_array backwards = {&v[7][0],       shape, (const int64_t[]){-16}, nullptr,
                                  MPIJIT_Float64, 1,     MPIJIT_WRITEABLE};
  fails(mpijit_allreduce(&site, &column, &backwards, 0, world), MPIJIT_ValueError, "allreduce: send and recv " + words);
}

TEST_F(Check, ReductionsAgree) {
  Array single(MPIJIT_Float32, Layout::C), point(MPIJIT_Float64, Layout::Scalar);
  fails(mpijit_allreduce(&site, &single, &good, 0, world), MPIJIT_TypeError,
        "allreduce: send is float32, but recv is float64; the dtypes must be the same");
  fails(mpijit_allreduce(&site, &point, &good, 0, world), MPIJIT_ValueError,
        "allreduce: send has 1 elements, but recv has 12; they must be as many");
}

TEST_F(Check, Operators) {
  Array flag(MPIJIT_Bool, Layout::C), complex(MPIJIT_Complex64, Layout::C);
  fails(mpijit_allreduce(&site, nullptr, &good, 99, world), MPIJIT_ValueError,
        "allreduce: op is no operator (number 99)");
  fails(mpijit_allreduce(&site, nullptr, &good, -1, world), MPIJIT_ValueError,
        "allreduce: op is no operator (number -1)");
  fails(mpijit_allreduce(&site, nullptr, &flag, MPIJIT_SUM, world), MPIJIT_TypeError,
        "SUM does not combine bool: use LOR");
  fails(mpijit_allreduce(&site, nullptr, &flag, MPIJIT_SUM, world), MPIJIT_TypeError, ".astype(np.int64)");
  fails(mpijit_allreduce(&site, nullptr, &complex, MPIJIT_MAX, world), MPIJIT_TypeError,
        "MAX does not combine complex64");
  fails(mpijit_allreduce(&site, nullptr, &good, MPIJIT_BAND, world), MPIJIT_TypeError, "BAND does not combine float64");
}

// The routine and MPI's class are in the record, for the Python exception.
TEST_F(Check, RecordNamesTheRoutine) {
  mpijit_error error;
  EXPECT_EQ(mpijit_send(&site, &good, nobody, 0, world), MPIJIT_ValueError);
  mpijit_error_take(&error);
  EXPECT_STREQ(error.routine, "send");
  EXPECT_EQ(error.mpi_class, 0);
  EXPECT_STREQ(error.frames[0].kernel, "kernel");
}
