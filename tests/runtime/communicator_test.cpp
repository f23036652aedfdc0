// Communicators: their making, their handles, grids and neighbours.
#include "support.h"

using namespace mpijit::test;

namespace {

int64_t rank() { return mpijit_world.rank; }
int64_t size() { return mpijit_world.size; }

int64_t rank_in(int64_t comm) {
  int64_t result = -1;
  ok(mpijit_rank(&site, comm, &result));
  return result;
}
int64_t size_of_comm(int64_t comm) {
  int64_t result = -1;
  ok(mpijit_size(&site, comm, &result));
  return result;
}
int64_t compare(int64_t a, int64_t b) {
  int64_t result = -1;
  ok(mpijit_comm_compare(&site, a, b, &result));
  return result;
}
int64_t constant(int32_t id) { return mpijit_constant(id); }

struct Row {
  std::vector<int64_t> values;
  int64_t shape[1], strides[1] = {8};
  mpijit_array array;
  Row(std::initializer_list<int64_t> list) : Row(std::vector<int64_t>(list)) {}
  explicit Row(std::vector<int64_t> list)
      : values(std::move(list)), shape{static_cast<int64_t>(values.size())},
        array{values.data(), shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS} {}
  Row(const Row&) = delete;
  mpijit_array* operator&() { return &array; }
};

} // namespace

TEST(Communicators, SplitByParity) {
  int64_t half = 0;
  ok(mpijit_comm_split(&site, rank() % 2, -rank(), world, &half));
  const int64_t members = (size() + 1 - rank() % 2) / 2;
  EXPECT_EQ(size_of_comm(half), members);
  EXPECT_EQ(rank_in(half), members - 1 - rank() / 2); // the key turns the order round
  int64_t mine = rank(), total = 0;
  const mpijit_array send = scalar(mine, MPIJIT_Int64), recv = scalar(total, MPIJIT_Int64);
  ok(mpijit_allreduce(&site, &send, &recv, MPIJIT_SUM, half));
  int64_t expected = 0;
  for (int64_t r = rank() % 2; r < size(); r += 2)
    expected += r;
  EXPECT_EQ(total, expected);
  ok(mpijit_comm_free(&site, half));
  fails(mpijit_barrier(&site, half), MPIJIT_MpiError, "one that was freed");
  fails(mpijit_comm_free(&site, half), MPIJIT_MpiError, "one that was freed");
}

TEST(Communicators, UndefinedColorIsNull) {
  int64_t none = -1;
  ok(mpijit_comm_split(&site, constant(MPIJIT_UNDEFINED), 0, world, &none));
  EXPECT_EQ(none, MPIJIT_COMM_NULL);
  fails(mpijit_barrier(&site, none), MPIJIT_MpiError, "comm is COMM_NULL");
  fails(mpijit_comm_split(&site, -5, 0, world, &none), MPIJIT_ValueError, "color is -5");
}

TEST(Communicators, StaleHandlesStayStale) {
  std::vector<int64_t> old;
  for (int round = 0; round < 100; ++round) {
    int64_t comm = 0;
    ok(mpijit_comm_dup(&site, world, &comm));
    for (int64_t handle : old)
      ASSERT_NE(handle, comm);
    ok(mpijit_comm_free(&site, comm));
    old.push_back(comm);
  }
  for (int64_t handle : old)
    fails(mpijit_barrier(&site, handle), MPIJIT_MpiError, "one that was freed");
}

TEST(Communicators, Compare) {
  int64_t copy = 0, turned = 0;
  ok(mpijit_comm_dup(&site, world, &copy));
  ok(mpijit_comm_split(&site, 0, -rank(), world, &turned));
  EXPECT_EQ(compare(world, world), constant(MPIJIT_IDENT));
  EXPECT_EQ(compare(copy, world), constant(MPIJIT_CONGRUENT));
  EXPECT_EQ(compare(turned, world), constant(size() > 1 ? MPIJIT_SIMILAR : MPIJIT_CONGRUENT));
  EXPECT_EQ(compare(MPIJIT_COMM_SELF, world), constant(size() > 1 ? MPIJIT_UNEQUAL : MPIJIT_CONGRUENT));
  ok(mpijit_comm_free(&site, copy));
  ok(mpijit_comm_free(&site, turned));
  fails(mpijit_comm_free(&site, world), MPIJIT_ValueError, "COMM_WORLD, which cannot be freed");
}

TEST(Communicators, OfAnotherUserOfMpi) {
  int64_t comm = 0, again = 0, found = 0;
  ok(mpijit_comm_dup(&site, world, &comm));
  ok(mpijit_comm_from_mpi(&site, mpijit_comm_to_mpi(comm), &again));
  EXPECT_EQ(again, comm);
  ok(mpijit_comm_from_mpi(&site, mpijit_comm_to_mpi(world), &found));
  EXPECT_EQ(found, world);
  ok(mpijit_comm_from_mpi(&site, mpijit_comm_to_mpi(MPIJIT_COMM_NULL), &found));
  EXPECT_EQ(found, MPIJIT_COMM_NULL);
  ok(mpijit_comm_free(&site, comm));
}

TEST(Communicators, MessagesStayApart) {
  int64_t copy = 0;
  ok(mpijit_comm_dup(&site, world, &copy));
  int64_t a = 1, b = 2, first = 0, second = 0;
  const mpijit_array sa = scalar(a, MPIJIT_Int64), sb = scalar(b, MPIJIT_Int64);
  const mpijit_array ra = scalar(first, MPIJIT_Int64), rb = scalar(second, MPIJIT_Int64);
  uint64_t requests[2];
  ok(mpijit_isend(&site, &sa, next_rank(), 0, world, &requests[0]));
  ok(mpijit_isend(&site, &sb, next_rank(), 0, copy, &requests[1]));
  ok(mpijit_recv(&site, &rb, previous_rank(), 0, copy, nullptr));
  ok(mpijit_recv(&site, &ra, previous_rank(), 0, world, nullptr));
  ok(mpijit_waitall(&site, requests, 2));
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
  ok(mpijit_comm_free(&site, copy));
}

TEST(Cartesian, RingOfAll) {
  Row dims{size()}, wraps{1}, coords{-1};
  int64_t ring = 0, axes = 0, at = -1, pair[2];
  ok(mpijit_comm_cart_create(&site, &dims, &wraps, 0, world, &ring));
  ok(mpijit_comm_cart_dim(&site, ring, &axes));
  EXPECT_EQ(axes, 1);
  ok(mpijit_comm_cart_coords(&site, rank_in(ring), &coords, ring));
  ok(mpijit_comm_cart_rank(&site, &coords, ring, &at));
  EXPECT_EQ(at, rank_in(ring));
  coords.values[0] += 5 * size(); // periodic
  ok(mpijit_comm_cart_rank(&site, &coords, ring, &at));
  EXPECT_EQ(at, rank_in(ring));
  ok(mpijit_comm_cart_shift(&site, 0, 1, ring, pair));
  EXPECT_EQ(pair[0], (rank_in(ring) + size() - 1) % size());
  EXPECT_EQ(pair[1], (rank_in(ring) + 1) % size());

  Array sent = Array::row(MPIJIT_Int64, 2, 1), received = Array::row(MPIJIT_Int64, 4, 2);
  sent.set<int64_t>(0, 10 * rank());
  sent.set<int64_t>(1, 10 * rank() + 1);
  ok(mpijit_comm_neighbor_allgather(&site, &sent, &received, ring));
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 2; ++i)
      EXPECT_EQ(received.get<int64_t>(2 * k + i), 10 * pair[k] + i);
  Array out = Array::row(MPIJIT_Int64, 2, 1), in = Array::row(MPIJIT_Int64, 2, -1);
  out.set<int64_t>(0, 100 + rank()); // to the one before
  out.set<int64_t>(1, 200 + rank()); // to the one behind
  ok(mpijit_comm_neighbor_alltoall(&site, &out, &in, ring));
  EXPECT_EQ(in.get<int64_t>(0) % 100, pair[0]);
  EXPECT_EQ(in.get<int64_t>(1) % 100, pair[1]);
  if (size() > 2) {
    EXPECT_EQ(in.get<int64_t>(0), 200 + pair[0]);
    EXPECT_EQ(in.get<int64_t>(1), 100 + pair[1]);
  }
  ok(mpijit_comm_free(&site, ring));
}

TEST(Cartesian, LineWithEndsAndSubgrids) {
  Row dims{size(), 1}, wraps{0, 0};
  int64_t line = 0, pair[2], part = 0, at = 0;
  ok(mpijit_comm_cart_create(&site, &dims, &wraps, 0, world, &line));
  ok(mpijit_comm_cart_shift(&site, 0, 1, line, pair));
  const int64_t me = rank_in(line);
  EXPECT_EQ(pair[0], me == 0 ? proc_null() : me - 1);
  EXPECT_EQ(pair[1], me == size() - 1 ? proc_null() : me + 1);
  Row keep{0, 1}, outside{size(), 0};
  ok(mpijit_comm_cart_sub(&site, &keep, line, &part));
  EXPECT_EQ(size_of_comm(part), 1);
  fails(mpijit_comm_cart_rank(&site, &outside, line, &at), MPIJIT_ValueError, "is not periodic");
  fails(mpijit_comm_cart_shift(&site, 2, 1, line, pair), MPIJIT_ValueError, "direction is 2, but comm has 2 axes");
  Row one{0};
  fails(mpijit_comm_cart_rank(&site, &one, line, &at), MPIJIT_ValueError, "one for each axis");
  ok(mpijit_comm_free(&site, part));
  ok(mpijit_comm_free(&site, line));
}

TEST(Cartesian, WhatCannotBe) {
  Row many{size(), 2}, wraps{0, 0}, zero{0}, wrap{0};
  int64_t comm = 0, axes = 0;
  fails(mpijit_comm_cart_create(&site, &many, &wraps, 0, world, &comm), MPIJIT_ValueError, "processes, but comm has");
  fails(mpijit_comm_cart_create(&site, &zero, &wrap, 0, world, &comm), MPIJIT_ValueError, "dims[0] is 0");
  fails(mpijit_comm_cart_dim(&site, world, &axes), MPIJIT_MpiError, "comm is not Cartesian");
  fails(mpijit_comm_neighbor_allgather(&site, &many, &wraps, world), MPIJIT_MpiError, "comm has no neighbourhood");
}
