// Collectives that move blocks, blocking and as requests, for every dtype and layout: each element arrives where it
// belongs, and no byte outside changes.
#include "support.h"

using namespace mpijit::test;

namespace {

constexpr int64_t whole = 12; // elements of an array of every layout but the last two; 1, 2 and 3 ranks share them

int64_t rank() { return mpijit_world.rank; }
int64_t size() { return mpijit_world.size; }
int64_t block() { return whole / size(); }

bool is_whole(Layout layout) { return layout != Layout::Scalar && layout != Layout::Empty; }

// The same routine, blocking and started.
struct Form {
  const char* name;
  bool started;
};
constexpr Form forms[] = {{"blocking", false}, {"started", true}};

void wait(uint64_t request) { ok(mpijit_wait(&site, request, nullptr)); }

// body(started, dtype, layout, step): the step of the smaller side changes along, so that all pairs occur in few calls.
template <class Body> void for_all(Body body) {
  constexpr int64_t steps[] = {1, 2, -1};
  for (const Form& form : forms)
    for (int32_t dtype = 0; dtype < MPIJIT_DTYPE_COUNT; ++dtype)
      for (const Layout layout : all_layouts) {
        if (!is_whole(layout))
          continue;
        const int64_t step = steps[(dtype + static_cast<int>(layout)) % 3];
        body(form.started, dtype, layout, step);
        ASSERT_FALSE(testing::Test::HasFailure())
            << form.name << ", dtype " << dtype << ", layout " << int(layout) << ", step " << step;
      }
  EXPECT_EQ(mpijit_live_requests(), 0);
  EXPECT_EQ(mpijit_borrowed_requests(), 0);
}

} // namespace

TEST(Blocks, Gather) {
  for_all([](bool started, int32_t dtype, Layout layout, int64_t step) {
    for (int64_t root = 0; root < size(); ++root) {
      Array sent = Array::row(dtype, block(), step), received(dtype, layout);
      sent.fill(rank());
      mpijit_array* into = rank() == root ? &received : nullptr;
      uint64_t request = 0;
      ok(started ? mpijit_igather(&site, &sent, into, root, world, &request)
                 : mpijit_gather(&site, &sent, into, root, world));
      wait(request);
      for (int64_t i = 0; i < whole; ++i)
        rank() == root ? received.expect_one(i, i % block(), i / block()) : received.expect_one_untouched(i);
      received.expect_outside_untouched();
    }
  });
}

TEST(Blocks, GatherInPlace) {
  for_all([](bool started, int32_t dtype, Layout layout, int64_t step) {
    Array sent = Array::row(dtype, block(), step), received(dtype, layout);
    sent.fill(rank());
    uint64_t request = 0;
    if (rank() == 0) { // its own block is there already
      Array mine = Array::row(dtype, block(), 1);
      mine.fill(0);
      for (int64_t i = 0; i < block(); ++i)
        std::memcpy(received.at(i), mine.at(i), size_of(dtype));
    }
    mpijit_array* from = rank() == 0 ? nullptr : &sent;
    ok(started ? mpijit_igather(&site, from, &received, 0, world, &request)
               : mpijit_gather(&site, from, &received, 0, world));
    wait(request);
    for (int64_t i = 0; i < whole && rank() == 0; ++i)
      received.expect_one(i, i % block(), i / block());
  });
}

TEST(Blocks, Allgather) {
  for_all([](bool started, int32_t dtype, Layout layout, int64_t step) {
    Array sent = Array::row(dtype, block(), step), received(dtype, layout);
    sent.fill(rank());
    uint64_t request = 0;
    ok(started ? mpijit_iallgather(&site, &sent, &received, world, &request)
               : mpijit_allgather(&site, &sent, &received, world));
    wait(request);
    for (int64_t i = 0; i < whole; ++i)
      received.expect_one(i, i % block(), i / block());
    received.expect_outside_untouched();
  });
}

TEST(Blocks, Scatter) {
  for_all([](bool started, int32_t dtype, Layout layout, int64_t step) {
    const int64_t root = size() - 1;
    Array sent(dtype, layout), received = Array::row(dtype, block(), step);
    sent.fill(7);
    uint64_t request = 0;
    mpijit_array* from = rank() == root ? &sent : nullptr;
    ok(started ? mpijit_iscatter(&site, from, &received, root, world, &request)
               : mpijit_scatter(&site, from, &received, root, world));
    wait(request);
    for (int64_t i = 0; i < block(); ++i)
      received.expect_one(i, rank() * block() + i, 7);
    received.expect_outside_untouched();
    sent.expect(7, whole);
  });
}

TEST(Blocks, Alltoall) {
  for_all([](bool started, int32_t dtype, Layout layout, int64_t step) {
    for (const bool in_place : {false, true}) {
      Array sent = Array::row(dtype, whole, step), received(dtype, layout);
      (in_place ? received : sent).fill(rank());
      mpijit_array* from = in_place ? nullptr : &sent;
      uint64_t request = 0;
      ok(started ? mpijit_ialltoall(&site, from, &received, world, &request)
                 : mpijit_alltoall(&site, from, &received, world));
      wait(request);
      for (int64_t i = 0; i < whole; ++i)
        received.expect_one(i, rank() * block() + i % block(), i / block());
      received.expect_outside_untouched();
    }
  });
}

TEST(Blocks, BcastStarted) {
  for_all([](bool, int32_t dtype, Layout layout, int64_t) {
    Array data(dtype, layout);
    if (rank() == 0)
      data.fill(3);
    uint64_t request = 0;
    ok(mpijit_ibcast(&site, &data, 0, world, &request));
    wait(request);
    data.expect(3, whole);
  });
}

// Blocks of different lengths, in reverse order with gaps between them.
namespace {

struct Lengths {
  std::vector<int64_t> counts, displs;
  int64_t extent = 0;
  int64_t shape[1];
  int64_t strides[1] = {8};

  explicit Lengths(int64_t shift = 0) : counts(size()), displs(size()), shape{size()} {
    for (int64_t k = size(); k-- > 0;) {
      counts[k] = (k + shift) % size() + 1;
      displs[k] = extent + 1;
      extent += counts[k] + 1;
    }
  }
  mpijit_array array(std::vector<int64_t>& of) {
    return {of.data(), shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_C_CONTIGUOUS};
  }
};

} // namespace

TEST(Blocks, VectorForms) {
  for (int32_t dtype = 0; dtype < MPIJIT_DTYPE_COUNT; ++dtype) {
    for (const int64_t step : {1, 3, -2}) {
      Lengths lengths;
      const mpijit_array counts = lengths.array(lengths.counts), displs = lengths.array(lengths.displs);
      const int64_t mine = lengths.counts[rank()];
      {
        Array sent = Array::row(dtype, mine, step), received = Array::row(dtype, lengths.extent, step);
        sent.fill(rank());
        ok(mpijit_gatherv(&site, &sent, &received, &counts, &displs, 0, world));
        if (rank() == 0)
          for (int64_t k = 0; k < size(); ++k) {
            received.expect_one_untouched(lengths.displs[k] - 1);
            for (int64_t i = 0; i < lengths.counts[k]; ++i)
              received.expect_one(lengths.displs[k] + i, i, k);
          }
      }
      {
        Array sent = Array::row(dtype, mine, step), received = Array::row(dtype, lengths.extent, step);
        sent.fill(rank());
        ok(mpijit_allgatherv(&site, &sent, &received, &counts, &displs, world));
        for (int64_t k = 0; k < size(); ++k) {
          received.expect_one_untouched(lengths.displs[k] - 1);
          for (int64_t i = 0; i < lengths.counts[k]; ++i)
            received.expect_one(lengths.displs[k] + i, i, k);
        }
        received.expect_outside_untouched();
      }
      {
        Array sent = Array::row(dtype, lengths.extent, step), received = Array::row(dtype, mine, step);
        sent.fill(5);
        const bool is_root = rank() == size() - 1;
        ok(mpijit_scatterv(&site, is_root ? &sent : nullptr, &received, is_root ? &counts : nullptr,
                           is_root ? &displs : nullptr, size() - 1, world));
        for (int64_t i = 0; i < mine; ++i)
          received.expect_one(i, lengths.displs[rank()] + i, 5);
        received.expect_outside_untouched();
      }
      { // rank r sends (k + r) % size + 1 elements to k
        Lengths out(rank()), in(rank());
        Array sent = Array::row(dtype, out.extent, step), received = Array::row(dtype, in.extent, step);
        const mpijit_array sendcounts = out.array(out.counts), senddispls = out.array(out.displs);
        const mpijit_array recvcounts = in.array(in.counts), recvdispls = in.array(in.displs);
        sent.fill(rank());
        ok(mpijit_alltoallv(&site, &sent, &received, &sendcounts, &recvcounts, &senddispls, &recvdispls, world));
        for (int64_t k = 0; k < size(); ++k) {
          const Lengths theirs(k);
          received.expect_one_untouched(in.displs[k] - 1);
          for (int64_t i = 0; i < in.counts[k]; ++i)
            received.expect_one(in.displs[k] + i, theirs.displs[rank()] + i, k);
        }
        received.expect_outside_untouched();
      }
      ASSERT_FALSE(HasFailure()) << "dtype " << dtype << ", step " << step;
    }
  }
}

TEST(Blocks, ReductionsOfBlocks) {
  Lengths lengths;
  const mpijit_array counts = lengths.array(lengths.counts);
  int64_t total = 0, before = 0;
  for (int64_t k = 0; k < size(); ++k) {
    before += k < rank() ? lengths.counts[k] : 0;
    total += lengths.counts[k];
  }
  for (const int64_t step : {1, 2, -3}) {
    Array sent = Array::row(MPIJIT_Int32, total, step);
    Array received = Array::row(MPIJIT_Int32, lengths.counts[rank()], step);
    for (int64_t i = 0; i < total; ++i)
      sent.set<int32_t>(i, static_cast<int32_t>(10 * i + rank()));
    ok(mpijit_reduce_scatter(&site, &sent, &received, &counts, MPIJIT_SUM, world));
    for (int64_t i = 0; i < lengths.counts[rank()]; ++i)
      ASSERT_EQ(received.get<int32_t>(i), size() * 10 * (before + i) + size() * (size() - 1) / 2);

    Array all = Array::row(MPIJIT_Float64, whole, step), part = Array::row(MPIJIT_Float64, block(), step);
    for (int64_t i = 0; i < whole; ++i)
      all.set<double>(i, static_cast<double>(i + rank()));
    ok(mpijit_reduce_scatter_block(&site, &all, &part, MPIJIT_MAX, world));
    for (int64_t i = 0; i < block(); ++i)
      ASSERT_EQ(part.get<double>(i), static_cast<double>(rank() * block() + i + size() - 1));
  }
}

TEST(Blocks, ReduceScanExscan) {
  for (const bool started : {false, true})
    for (const int64_t step : {1, 2, -1})
      for (int64_t root = 0; root < size(); ++root) {
        Array sent = Array::row(MPIJIT_Int64, whole, step), received = Array::row(MPIJIT_Int64, whole, step);
        for (int64_t i = 0; i < whole; ++i)
          sent.set<int64_t>(i, i + 1 + rank());
        uint64_t request = 0;
        mpijit_array* into = rank() == root ? &received : nullptr;
        ok(started ? mpijit_ireduce(&site, &sent, into, MPIJIT_SUM, root, world, &request)
                   : mpijit_reduce(&site, &sent, into, MPIJIT_SUM, root, world));
        wait(request);
        for (int64_t i = 0; i < whole && rank() == root; ++i)
          ASSERT_EQ(received.get<int64_t>(i), size() * (i + 1) + size() * (size() - 1) / 2);
      }
  for (const Layout layout : all_layouts) {
    Array sent(MPIJIT_Int64, layout), scanned(MPIJIT_Int64, layout), before(MPIJIT_Int64, layout);
    for (int64_t i = 0; i < sent.count(); ++i)
      sent.set<int64_t>(i, i + 1 + rank());
    ok(mpijit_scan(&site, &sent, &scanned, MPIJIT_SUM, world));
    ok(mpijit_exscan(&site, &sent, &before, MPIJIT_SUM, world));
    for (int64_t i = 0; i < sent.count(); ++i) {
      ASSERT_EQ(scanned.get<int64_t>(i), (rank() + 1) * (i + 1) + rank() * (rank() + 1) / 2);
      if (rank() == 0)
        before.expect_one_untouched(i);
      else
        ASSERT_EQ(before.get<int64_t>(i), rank() * (i + 1) + rank() * (rank() - 1) / 2);
    }
  }
}

TEST(Blocks, IallreduceInPlaceAndIbarrier) {
  for (const Layout layout : all_layouts) {
    Array data(MPIJIT_Float64, layout);
    for (int64_t i = 0; i < data.count(); ++i)
      data.set<double>(i, static_cast<double>(i));
    uint64_t requests[2] = {};
    ok(mpijit_iallreduce(&site, nullptr, &data, MPIJIT_SUM, world, &requests[0]));
    ok(mpijit_ibarrier(&site, world, &requests[1]));
    ok(mpijit_waitall(&site, requests, 2));
    for (int64_t i = 0; i < data.count(); ++i)
      ASSERT_EQ(data.get<double>(i), static_cast<double>(i * size()));
  }
}

TEST(Blocks, WhatDoesNotFitIsRefusedBeforeMpi) {
  Array one = Array::row(MPIJIT_Int32, 1, 1), many = Array::row(MPIJIT_Int32, size() + 1, 1);
  Array other = Array::row(MPIJIT_Float32, size(), 1);
  fails(mpijit_allgather(&site, &one, &many, world), MPIJIT_ValueError, "elements, but must have");
  fails(mpijit_allgather(&site, &one, &other, world), MPIJIT_TypeError, "the dtypes must be the same");
  fails(mpijit_gather(&site, &one, nullptr, rank(), world), MPIJIT_TypeError, "recv is missing");
  fails(mpijit_scatter(&site, nullptr, &one, rank(), world), MPIJIT_TypeError, "send is missing");
  fails(mpijit_gather(&site, &one, &many, size(), world), MPIJIT_ValueError, "root is");
  fails(mpijit_allgather(&site, &many, &many, world), MPIJIT_ValueError, "share memory");
  fails(mpijit_reduce_scatter_block(&site, &many, &many, MPIJIT_SUM, world), MPIJIT_ValueError, "share memory");
  if (size() > 1)
    fails(mpijit_alltoall(&site, nullptr, &many, world), MPIJIT_ValueError, "do not share evenly");

  Lengths lengths;
  const mpijit_array counts = lengths.array(lengths.counts), displs = lengths.array(lengths.displs);
  Array room = Array::row(MPIJIT_Int32, lengths.extent, 1);
  Array mine = Array::row(MPIJIT_Int32, lengths.counts[rank()], 1);
  Array short_one = Array::row(MPIJIT_Int32, lengths.extent - 1, 1);
  fails(mpijit_allgatherv(&site, &mine, &short_one, &counts, &displs, world), MPIJIT_ValueError, "counts[0] is");
  Array wrong = Array::row(MPIJIT_Int32, lengths.counts[rank()] + 1, 1);
  fails(mpijit_allgatherv(&site, &wrong, &room, &counts, &displs, world), MPIJIT_ValueError, "counts[rank]");
  lengths.counts[0] = -1;
  fails(mpijit_allgatherv(&site, &mine, &room, &counts, &displs, world), MPIJIT_ValueError, "counts[0] is -1");
  lengths.counts[0] = Lengths().counts[0];
  if (size() > 1) {
    lengths.displs[0] = lengths.displs[1];
    fails(mpijit_allgatherv(&site, &mine, &room, &counts, &displs, world), MPIJIT_ValueError,
          "inside the block of another process");
  }
  Array floats = Array::row(MPIJIT_Float64, size(), 1);
  fails(mpijit_allgatherv(&site, &mine, &room, &floats, nullptr, world), MPIJIT_TypeError, "must hold integers");
  ok(mpijit_barrier(&site, world)); // nobody has entered MPI, so everybody can go on
}
