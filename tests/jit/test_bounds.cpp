// The bounds pass on IR written out by hand; results are compared as text.
#include "ir_kernel.h"
#include "passes/passes.h"

#include <functional>

namespace mpijit::jit::ir {
namespace {

/// Kernels over these parameters and slots.
struct Loops : Kernel {
  int u = b.parameter("u", "float64[:]"), v = b.parameter("v", "float64[:]"), n = b.parameter("n", "int");
  int a = b.parameter("a", "float64[:, ::1]"), c = b.parameter("c", "float64[:, ::1]");
  int idx = b.parameter("idx", "int64[:]"), flag = b.parameter("flag", "bool");
  int i = b.slot("i", "int"), j = b.slot("j", "int"), k = b.slot("k", "int"), s = b.slot("s", "float64");

  Expr* at(int slot, int64_t offset) {
    return offset < 0 ? b.sub(b.read(slot), b.number(-offset))
                      : (offset ? b.add(b.read(slot), b.number(offset)) : b.read(slot));
  }
  Expr* plus(Expr* e, int64_t offset) { return offset < 0 ? b.sub(e, b.number(-offset)) : b.add(e, b.number(offset)); }
  /// s = array[index], the simplest statement with an access.
  Stmt* get(int array, std::vector<Expr*> index) { return b.assign(s, b.load(array, index)); }
  Stmt* put(int array, std::vector<Expr*> index) { return b.store(array, index, b.read(s)); }

  std::string run(Block body) {
    f.body = std::move(body);
    return "\n" + after(passes::bounds); // as a raw string begins
  }
};

TEST(Bounds, AStencilIsTestedOnceAndKeptApart) {
  Loops k;
  auto& b = k.b;
  Expr* sum = b.add(b.load(k.a, {k.at(k.i, -1), b.read(k.j)}), b.load(k.a, {b.read(k.i), k.at(k.j, 1)}));
  Stmt* inner = b.loop(k.j, b.number(1), k.plus(b.dim(k.a, 1), -1), {b.store(k.c, {b.read(k.i), b.read(k.j)}, sum)});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(1), k.plus(b.dim(k.a, 0), -1), {inner})}), R"(
nest
  test 0 .. dim(a, 0) - 2 in dim(c, 0)
  test 0 .. dim(a, 1) - 2 in dim(c, 1)
  apart a, c
  fast
    for i in range(1, dim(a, 0) - 1, 1)
      for j in range(1, dim(a, 1) - 1, 1)
        c[!i, !j]@4 = a[!i - 1, !j]@3 + a[!i, !j + 1]@3
  cold
    cold for i in range(1, dim(a, 0) - 1, 1)
      cold for j in range(1, dim(a, 1) - 1, 1)
        c[+i, +j] = a[!i - 1, !j] + a[!i, !j + 1]
)");
}

TEST(Bounds, WhatIsCertainNeedsNoNest) {
  Loops k;
  auto& b = k.b;
  const int m = b.slot("m", "int"), t = b.slot("$1", "(int, int)");
  Block body{b.assign(t, b.tuple({b.dim(k.a, 0), b.dim(k.a, 1)})), b.assign(m, b.item(b.read(t), 1)),
             b.loop(k.j, b.number(0), b.read(m), {k.get(k.a, {b.number(0), b.read(k.j)})}),
             b.loop(k.i, k.plus(b.dim(k.u, 0), -1), b.number(-1), {k.put(k.u, {b.read(k.i)})}, -1)};
  std::get<Load>(std::get<Assign>(std::get<For>(body[2]->node).body[0]->node).value->node).index[0].check = false;
  EXPECT_EQ(k.run(body), R"(
$1 = (dim(a, 0), dim(a, 1))
m = $1.1
for j in range(0, m, 1)
  s = a[!0, !j]
for i in range(dim(u, 0) - 1, -1, -1)
  u[!i] = s
)");
}

TEST(Bounds, StepsEndWhereTheyEnd) {
  Loops k;
  auto& b = k.b;
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {k.at(k.i, 1)})}, 2)}), R"(
group
  $nest11 = 0 + (n - 1 - 0) // 2 * 2
  nest
    test 0 .. $nest11 + 1 in dim(u, 0)
    fast
      for i in range(0, n, 2)
        s = u[!i + 1]
    cold
      cold for i in range(0, n, 2)
        s = u[+i + 1]
)");
}

TEST(Bounds, DownwardLoops) {
  Loops k;
  auto& b = k.b;
  EXPECT_EQ(
      k.run({b.loop(k.i, b.read(k.n), b.number(0), {k.get(k.u, {k.at(k.i, -1)}), k.get(k.u, {b.read(k.i)})}, -1)}),
      R"(
nest
  test 0 .. n in dim(u, 0)
  fast
    for i in range(n, 0, -1)
      s = u[!i - 1]
      s = u[!i]
  cold
    cold for i in range(n, 0, -1)
      s = u[+i - 1]
      s = u[+i]
)");
}

TEST(Bounds, TrianglesAreTestedAtTheirCorners) {
  Loops k;
  auto& b = k.b;
  Stmt* inner = b.loop(k.j, k.at(k.i, 1), b.read(k.n), {k.put(k.u, {b.sub(b.read(k.j), b.read(k.i))})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {inner})}), R"(
nest
  test 0 .. n - 1 in dim(u, 0)
  fast
    for i in range(0, n, 1)
      for j in range(i + 1, n, 1)
        u[!j - i] = s
  cold
    cold for i in range(0, n, 1)
      cold for j in range(i + 1, n, 1)
        u[+j - i] = s
)");
}

TEST(Bounds, LoopsAreCutWhereAnIndexChangesItsSign) {
  Loops k;
  auto& b = k.b;
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {k.at(k.i, -1)}), k.get(k.u, {k.at(k.i, 1)})})}),
            R"(
group
  cold for i in range(0, n if n < 1 else 1, 1)
    s = u[i - 1]
    s = u[i + 1]
  nest
    test 0 .. n in dim(u, 0)
    fast
      for i in range(1, n, 1)
        s = u[!i - 1]
        s = u[!i + 1]
    cold
      cold for i in range(1, n, 1)
        s = u[+i - 1]
        s = u[+i + 1]
)");
}

TEST(Bounds, InnerLoopsAreCutInTheNest) {
  Loops k;
  auto& b = k.b;
  Stmt* inner = b.loop(k.j, b.number(0), b.dim(k.a, 1), {k.get(k.a, {k.at(k.i, -1), k.at(k.j, -1)})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.dim(k.a, 0), {inner})}), R"(
nest
  test dim(a, 0) - 1 .. dim(a, 0) - 1 in 9223372036854775807
  test dim(a, 1) - 1 .. dim(a, 1) - 1 in 9223372036854775807
  fast
    for i in range(0, dim(a, 0), 1)
      group
        cold for j in range(0, dim(a, 1) if dim(a, 1) < 1 else 1, 1)
          s = a[~i - 1, ~j - 1]
        for j in range(1, dim(a, 1), 1)
          s = a[~i - 1, !j - 1]
  cold
    cold for i in range(0, dim(a, 0), 1)
      group
        cold for j in range(0, dim(a, 1) if dim(a, 1) < 1 else 1, 1)
          s = a[i - 1, j - 1]
        cold for j in range(1, dim(a, 1), 1)
          s = a[i - 1, !j - 1]
)");
}

TEST(Bounds, ACutMayLieWhereOnlyTheRunKnows) {
  Loops k;
  auto& b = k.b;
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {b.sub(b.read(k.i), b.read(k.k))})})}), R"(
group
  $split11 = k if 0 < k else 0
  cold for i in range(0, n if n < $split11 else $split11, 1)
    s = u[i - k]
  nest
    test $split11 - k .. n - k - 1 in dim(u, 0)
    fast
      for i in range($split11, n, 1)
        s = u[!i - k]
    cold
      cold for i in range($split11, n, 1)
        s = u[i - k]
)");
}

TEST(Bounds, AnIndexThatShrinksBelowZeroCountsFromTheEnd) {
  Loops k;
  auto& b = k.b;
  Expr* backwards = b.make(types::weak_int(), Unary{UnaryOp::Neg, b.read(k.i)});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {backwards})})}), R"(
group
  cold for i in range(0, n if n < 1 else 1, 1)
    s = u[-i]
  nest
    test dim(u, 0) - n + 1 .. dim(u, 0) - n + 1 in dim(u, 0)
    fast
      for i in range(1, n, 1)
        s = u[!-i + dim(u, 0)]
    cold
      cold for i in range(1, n, 1)
        s = u[-i]
)");
}

TEST(Bounds, ALoopThatAssignsItsEndIsCutByTheEndItBeganWith) {
  Loops k;
  auto& b = k.b;
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {k.at(k.i, -1)}), b.assign(k.n, b.number(2))})}),
            R"(
group
  $split11 = n
  cold for i in range(0, $split11 if $split11 < 1 else 1, 1)
    s = u[i - 1]
    n = 2
  nest
    test 0 .. $split11 - 2 in dim(u, 0)
    fast
      for i in range(1, $split11, 1)
        s = u[!i - 1]
        n = 2
    cold
      cold for i in range(1, $split11, 1)
        s = u[+i - 1]
        n = 2
)");
}

TEST(Bounds, ALoopThatBreaksIsNotCut) {
  Loops k;
  auto& b = k.b;
  Stmt* leave = b.branch(b.read(k.flag), {b.make(Break{})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {k.at(k.i, -1)}), leave})}), R"(
nest
  test dim(u, 0) - 1 .. dim(u, 0) - 1 in 9223372036854775807
  test 0 .. n - 2 in dim(u, 0)
  fast
    for i in range(0, n, 1)
      s = u[~i - 1]
      if flag
        break
  cold
    cold for i in range(0, n, 1)
      s = u[i - 1]
      if flag
        break
)");
}

TEST(Bounds, RemaindersLieBelowTheirDivisor) {
  Loops k;
  auto& b = k.b;
  auto mod = [&](Expr* x, Expr* y) { return b.binary(BinaryOp::Mod, x, y); };
  Stmt* red = b.loop(k.j, b.add(b.number(1), mod(b.add(b.read(k.i), b.read(k.n)), b.number(2))),
                     k.plus(b.dim(k.u, 0), -1), {k.get(k.u, {k.at(k.j, -1)}), k.put(k.u, {b.read(k.j)})}, 2);
  Stmt* periodic = b.loop(k.i, b.number(0), b.dim(k.u, 0), {k.get(k.u, {mod(k.at(k.i, 1), b.dim(k.u, 0))})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {red}), periodic}), R"(
for i in range(0, n, 1)
  for j in range(1 + (i + n) % 2, dim(u, 0) - 1, 2)
    s = u[!j - 1]
    u[!j] = s
group
  nest
    test 0 .. 1 in 9223372036854775807
    fast
      for i in range(0, dim(u, 0) if dim(u, 0) < dim(u, 0) - 1 else dim(u, 0) - 1, 1)
        s = u[!i + 1]
    cold
      cold for i in range(0, dim(u, 0) if dim(u, 0) < dim(u, 0) - 1 else dim(u, 0) - 1, 1)
        s = u[(i + 1) % dim(u, 0)]
  cold for i in range(dim(u, 0) - 1 if 0 < dim(u, 0) - 1 else 0, dim(u, 0), 1)
    s = u[(i + 1) % dim(u, 0)]
)");
}

TEST(Bounds, RemaindersOfAnUnknownNumberAreBelowItIfItIsPositive) {
  Loops k;
  auto& b = k.b;
  Expr* place = b.binary(BinaryOp::Mod, b.mult(b.read(k.i), b.read(k.i)), b.read(k.n));
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {place})})}), R"(
nest
  test n .. n in 9223372036854775807
  test 0 .. n - 1 in dim(u, 0)
  fast
    for i in range(0, n, 1)
      s = u[!i * i % n]
  cold
    cold for i in range(0, n, 1)
      s = u[i * i % n]
)");
}

TEST(Bounds, LoopsAreCutWhereARemainderBeginsAnew) {
  Loops k;
  auto& b = k.b;
  Block body;
  for (int64_t by : {-1, 1})
    body.push_back(k.get(k.u, {b.binary(BinaryOp::Mod, k.at(k.i, by), b.read(k.n))}));
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), body)}), R"(
group
  cold for i in range(0, n if n < 1 else 1, 1)
    s = u[(i - 1) % n]
    s = u[(i + 1) % n]
  group
    $nest11 = n if n < n - 1 else n - 1
    nest
      test 0 .. 2 in 9223372036854775807
      test n - $nest11 - 1 .. n - $nest11 + 1 in 9223372036854775807
      test n .. n in 9223372036854775807
      test 0 .. $nest11 in dim(u, 0)
      fast
        for i in range(1, $nest11, 1)
          s = u[!i - 1]
          s = u[!i + 1]
      cold
        cold for i in range(1, $nest11, 1)
          s = u[(i - 1) % n]
          s = u[(i + 1) % n]
  cold for i in range(n - 1 if 1 < n - 1 else 1, n, 1)
    s = u[(i - 1) % n]
    s = u[(i + 1) % n]
)");
}

TEST(Bounds, LoopsAreCutWhereAComparisonMakesAnotherInteger) {
  Loops k;
  auto& b = k.b;
  const int next = b.slot("next", "int");
  Expr* is_end = b.compare(CompareOp::Eq, b.read(next), b.read(k.n));
  Expr* before = b.choose(b.compare(CompareOp::Eq, b.read(k.i), b.number(0)), k.at(k.n, -1), k.at(k.i, -1));
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n),
                          {b.assign(next, k.at(k.i, 1)), b.branch(is_end, {b.assign(next, b.number(0))}),
                           k.get(k.u, {b.read(next)}), k.get(k.u, {before})})}),
            R"(
group
  cold for i in range(0, n if n < 1 else 1, 1)
    next = i + 1
    if next == n
      next = 0
    s = u[next]
    s = u[n - 1 if i == 0 else i - 1]
  group
    $nest12 = n if n < n - 1 else n - 1
    nest
      test n - $nest12 - 1 .. n - $nest12 - 1 in 9223372036854775807
      test n .. n in 9223372036854775807
      test 0 .. $nest12 in dim(u, 0)
      fast
        for i in range(1, $nest12, 1)
          next = i + 1
          if False
            next = 0
          s = u[!next]
          s = u[!n - 1 if i == 0 else i - 1]
      cold
        cold for i in range(1, $nest12, 1)
          next = i + 1
          if next == n
            next = 0
          s = u[next]
          s = u[n - 1 if i == 0 else i - 1]
  cold for i in range(n - 1 if 1 < n - 1 else 1, n, 1)
    next = i + 1
    if next == n
      next = 0
    s = u[next]
    s = u[n - 1 if i == 0 else i - 1]
)");
}

TEST(Bounds, WhatFollowsAContinueIsGuarded) {
  Loops k;
  auto& b = k.b;
  Stmt* left = b.branch(b.compare(CompareOp::Gt, b.read(k.i), b.number(0)), {k.get(k.u, {k.at(k.i, -1)})});
  Stmt* right = b.branch(b.compare(CompareOp::Eq, b.read(k.i), k.plus(b.dim(k.u, 0), -1)), {b.make(Continue{})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.dim(k.u, 0), {left, right, k.get(k.u, {k.at(k.i, 1)})})}), R"(
for i in range(0, dim(u, 0), 1)
  if i > 0
    s = u[!i - 1]
  if i == dim(u, 0) - 1
    continue
  s = u[!i + 1]
)");
}

TEST(Bounds, AGuardNarrowsWhatItGuards) {
  Loops k;
  auto& b = k.b;
  Stmt* below =
      b.branch(b.compare(CompareOp::Lt, b.read(k.i), k.at(k.n, -1)), {k.get(k.a, {k.at(k.i, 1), b.read(k.j)})});
  Stmt* inner = b.loop(k.j, b.number(0), b.dim(k.a, 1), {below});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {inner})}), R"(
nest
  test n .. n in 9223372036854775807
  test 0 .. n - 1 in dim(a, 0)
  fast
    for i in range(0, n, 1)
      for j in range(0, dim(a, 1), 1)
        if i < n - 1
          s = a[!i + 1, !j]
  cold
    cold for i in range(0, n, 1)
      cold for j in range(0, dim(a, 1), 1)
        if i < n - 1
          s = a[i + 1, j]
)");
}

TEST(Bounds, AGuardThatMayWrapIsNone) {
  Loops k;
  auto& b = k.b;
  const int x = b.slot("x", "int");
  Stmt* guard = b.branch(b.compare(CompareOp::Lt, k.at(k.i, 1), b.sub(b.read(k.n), b.dim(k.u, 0))),
                         {b.assign(x, b.number(0))}, {b.assign(x, b.number(1))});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.sub(b.read(k.n), b.dim(k.u, 0)), {guard, k.get(k.u, {b.read(x)})})}), R"(
for i in range(0, n - dim(u, 0), 1)
  if i + 1 < n - dim(u, 0)
    x = 0
  else
    x = 1
  s = u[x]
)");
}

TEST(Bounds, ATimeLoopThatSwapsLeavesTheNestToTheLoopsInside) {
  Loops k;
  auto& b = k.b;
  const int t = b.slot("t", "int"), swap = b.slot("$1", "float64[:]");
  Expr* comm = b.make(types::comm(), Const{});
  Stmt* exchange = b.evaluate(b.mpi("bcast", {b.read(k.u), b.number(0), comm}, "none"));
  Stmt* record = b.store(k.idx, {b.read(t)}, b.constant("int64", 0));
  Stmt* inner =
      b.loop(k.i, b.number(1), k.plus(b.dim(k.u, 0), -1), {b.store(k.v, {b.read(k.i)}, b.load(k.u, {k.at(k.i, -1)}))});
  EXPECT_EQ(k.run({b.loop(t, b.number(0), b.read(k.n),
                          {exchange, inner, record, b.assign(swap, b.read(k.u)), b.assign(k.u, b.read(k.v)),
                           b.assign(k.v, b.read(swap))})}),
            R"(
for t in range(0, n, 1)
  evaluate mpi.bcast(u, 0, comm#0)
  nest
    test 0 .. dim(u, 0) - 2 in dim(v, 0)
    apart u, v
    fast
      for i in range(1, dim(u, 0) - 1, 1)
        v[!i]@1 = u[!i - 1]@0
    cold
      cold for i in range(1, dim(u, 0) - 1, 1)
        v[+i] = u[!i - 1]
  idx[t] = 0:int64
  $1 = u
  u = v
  v = $1
)");
}

TEST(Bounds, ATimeLoopThatDoesNotIsTheNest) {
  Loops k;
  auto& b = k.b;
  const int t = b.slot("t", "int");
  auto copy = [&](int to, int from) {
    return b.loop(k.i, b.number(0), b.dim(k.u, 0), {b.store(to, {b.read(k.i)}, b.load(from, {b.read(k.i)}))});
  };
  EXPECT_EQ(k.run({b.loop(t, b.number(0), b.read(k.n), {copy(k.v, k.u), copy(k.u, k.v)})}), R"(
nest
  test 0 .. dim(u, 0) - 1 in dim(v, 0)
  apart u, v
  fast
    for t in range(0, n, 1)
      for i in range(0, dim(u, 0), 1)
        v[!i]@1 = u[!i]@0
      for i in range(0, dim(u, 0), 1)
        u[!i]@0 = v[!i]@1
  cold
    cold for t in range(0, n, 1)
      cold for i in range(0, dim(u, 0), 1)
        v[+i] = u[!i]
      cold for i in range(0, dim(u, 0), 1)
        u[!i] = v[+i]
)");
}

TEST(Bounds, WhatCannotBeTestedStaysChecked) {
  Loops k;
  auto& b = k.b;
  Expr* indirect = b.cast(CastKind::Convert, b.load(k.idx, {b.read(k.i)}), "int");
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {indirect}), k.put(k.v, {b.read(k.i)})})}), R"(
nest
  test 0 .. n - 1 in dim(idx, 0)
  test 0 .. n - 1 in dim(v, 0)
  apart u, v
  apart v, idx
  fast
    for i in range(0, n, 1)
      s = u[int(idx[!i]@5)]@0
      v[!i]@1 = s
  cold
    cold for i in range(0, n, 1)
      s = u[int(idx[+i])]
      v[+i] = s
)");
}

TEST(Bounds, GuardedAccessesTakePart) {
  Loops k;
  auto& b = k.b;
  Stmt* guarded = b.branch(b.read(k.flag), {k.get(k.u, {k.at(k.i, 1)}), b.make(Break{})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {guarded})}), R"(
nest
  test 0 .. n in dim(u, 0)
  fast
    for i in range(0, n, 1)
      if flag
        s = u[!i + 1]
        break
  cold
    cold for i in range(0, n, 1)
      if flag
        s = u[+i + 1]
        break
)");
}

TEST(Bounds, AnElseIsNotPartOfTheRange) {
  Loops k;
  auto& b = k.b;
  Stmt* loop = b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {b.read(k.i)})});
  std::get<For>(loop->node).orelse = {k.get(k.u, {b.read(k.i)})};
  EXPECT_EQ(k.run({loop}), R"(
nest
  test 0 .. n - 1 in dim(u, 0)
  fast
    for i in range(0, n, 1)
      s = u[!i]
    else
      s = u[i]
  cold
    cold for i in range(0, n, 1)
      s = u[+i]
    else
      s = u[i]
)");
}

TEST(Bounds, SlotsAreFollowedThroughTheBody) {
  Loops k;
  auto& b = k.b;
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n),
                          {b.assign(k.k, k.at(k.i, 1)), k.get(k.u, {b.read(k.k)}), b.assign(k.i, k.at(k.i, 2)),
                           k.get(k.u, {b.read(k.i)}), k.get(k.v, {b.bind(k.k, k.at(k.k, -1))})})}),
            R"(
nest
  test 0 .. n + 1 in dim(u, 0)
  test 0 .. n - 1 in dim(v, 0)
  fast
    for i in range(0, n, 1)
      k = i + 1
      s = u[!k]
      i = i + 2
      s = u[!i]
      s = v[!k := k - 1]
  cold
    cold for i in range(0, n, 1)
      k = i + 1
      s = u[+k]
      i = i + 2
      s = u[i]
      s = v[+k := k - 1]
)");
}

TEST(Bounds, ARangeThatActsIsEvaluatedFirst) {
  Loops k;
  auto& b = k.b;
  Expr* stop = b.cast(CastKind::Convert, b.load(k.idx, {b.number(0)}), "int");
  EXPECT_EQ(k.run({b.loop(k.i, b.read(k.n), stop, {k.get(k.u, {b.read(k.i)})})}), R"(
group
  $nest11 = n
  $nest12 = int(idx[0])
  nest
    test $nest11 .. $nest12 - 1 in dim(u, 0)
    fast
      for i in range($nest11, $nest12, 1)
        s = u[!i]
    cold
      cold for i in range($nest11, $nest12, 1)
        s = u[i]
)");
}

TEST(Bounds, CallsForbidScopes) {
  Loops k;
  auto& b = k.b;
  Stmt* print = b.make(Print{{b.read(k.s)}, " ", "\n"});
  EXPECT_EQ(
      k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {b.read(k.i)}), k.put(k.v, {b.read(k.i)}), print})}),
      R"(
nest
  test 0 .. n - 1 in dim(u, 0)
  test 0 .. n - 1 in dim(v, 0)
  fast
    for i in range(0, n, 1)
      s = u[!i]
      v[!i] = s
      print(s, sep=" ", end="\n")
  cold
    cold for i in range(0, n, 1)
      s = u[+i]
      v[+i] = s
      print(s, sep=" ", end="\n")
)");
}

TEST(Bounds, ManyArraysAreNotTestedApart) {
  Loops k;
  auto& b = k.b;
  const int w = b.slot("w", "float64[:]"), x = b.slot("x", "float64[:]"), y = b.slot("y", "float64[:]");
  Block body;
  for (int array : {k.u, k.v, w, x, y})
    body.push_back(k.put(array, {b.read(k.i)}));
  const std::string text = k.run({b.loop(k.i, b.number(0), b.read(k.n), body)});
  EXPECT_EQ(text.find("apart"), std::string::npos);
  EXPECT_NE(text.find("fast"), std::string::npos);
  EXPECT_EQ(text.find('@'), std::string::npos);
}

TEST(Bounds, WithoutChecksOnlyTheWrapIsTested) {
  Loops k;
  k.f.boundscheck = false;
  auto& b = k.b;
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.read(k.n), {k.get(k.u, {b.read(k.i)}), k.get(k.u, {k.at(k.i, 1)})}),
                   b.loop(k.i, b.read(k.n), b.dim(k.u, 0), {k.get(k.u, {b.read(k.i)})})}),
            R"(
for i in range(0, n, 1)
  s = u[!i]
  s = u[!i + 1]
nest
  test n .. n in dim(u, 0)
  fast
    for i in range(n, dim(u, 0), 1)
      s = u[!i]
  cold
    cold for i in range(n, dim(u, 0), 1)
      s = u[~i]
)");
}

/// Loops that must come out as they went in.
TEST(Bounds, LeavesAloneWhatItCannotProve) {
  using Make = std::function<Stmt*(Loops&)>;
  auto zero = [](Loops& k) { return k.b.number(0); };
  auto n = [](Loops& k) { return k.b.read(k.n); };
  const std::vector<Make> loops = {
      [&](Loops& k) { // an index that is carried from one iteration to the next
        return k.b.loop(k.i, zero(k), n(k), {k.get(k.u, {k.b.read(k.k)}), k.b.assign(k.k, k.at(k.k, 1))});
      },
      [&](Loops& k) { // an array that is rebound
        return k.b.loop(k.i, zero(k), n(k), {k.get(k.u, {k.b.read(k.i)}), k.b.assign(k.u, k.b.read(k.v))});
      },
      [&](Loops& k) { // a slot that a while changes
        Stmt* inner = k.b.make(While{k.b.read(k.flag), {k.b.assign(k.k, k.at(k.k, 1))}, {}});
        return k.b.loop(k.i, zero(k), n(k), {inner, k.get(k.u, {k.b.read(k.k)})});
      },
      [&](Loops& k) { // an unknown step
        Stmt* s = k.b.loop(k.i, zero(k), n(k), {k.get(k.u, {k.b.read(k.i)})});
        std::get<For>(s->node).step = n(k);
        return s;
      },
      [&](Loops& k) { // a product of what changes and what is unknown
        return k.b.loop(k.i, zero(k), n(k), {k.get(k.u, {k.b.mult(k.b.read(k.i), n(k))})});
      },
      [&](Loops& k) { // a coefficient that could take the form out of 128 bits
        return k.b.loop(k.i, zero(k), n(k), {k.get(k.u, {k.b.mult(k.b.read(k.i), k.b.number(int64_t{1} << 40))})});
      },
      [&](Loops& k) { // either of two values
        Expr* either = k.b.choose(k.b.read(k.flag), k.b.bind(k.k, k.b.read(k.i)), n(k));
        return k.b.loop(k.i, zero(k), n(k), {k.b.evaluate(either), k.get(k.u, {k.b.read(k.k)})});
      },
      [&](Loops& k) { // no element is accessed
        return k.b.loop(k.i, zero(k), n(k), {k.b.assign(k.k, k.b.read(k.i))});
      },
  };
  for (size_t number = 0; number < loops.size(); ++number) {
    Loops k;
    Stmt* s = loops[number](k);
    k.f.body = {s};
    const std::string before = "\n" + Kernel::body(k.f);
    EXPECT_EQ(k.run({s}), before) << number;
  }
}

TEST(Bounds, AxesOfViewsAreAxesOfTheWhole) {
  Loops k;
  auto& b = k.b;
  const int row = b.slot("row", "float64[::1]");
  Expr* turned = b.permute(b.read(k.c), {1, 0}, "float64[:, :]");
  Stmt* inner = b.loop(k.j, b.number(0), b.dim(row, 0),
                       {k.get(row, {b.read(k.j)}), b.assign(k.s, b.load(turned, {b.read(k.j), b.read(k.i)}))});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(0), b.dim(k.a, 0),
                          {b.assign(row, b.view(b.read(k.a), {Index{b.read(k.i)}, Range{}}, "float64[::1]")), inner})}),
            R"(
nest
  test 0 .. dim(a, 1) - 1 in dim(c, 1)
  test 0 .. dim(a, 0) - 1 in dim(c, 0)
  fast
    for i in range(0, dim(a, 0), 1)
      row = a[!i, :]
      for j in range(0, dim(row, 0), 1)
        s = row[!j]
        s = permute(c, 1, 0)[!j, !i]
  cold
    cold for i in range(0, dim(a, 0), 1)
      row = a[!i, :]
      cold for j in range(0, dim(row, 0), 1)
        s = row[!j]
        s = permute(c, 1, 0)[+j, +i]
)");
}

TEST(Bounds, ARowOfAnArrayThatChangesHasALengthOfItsOwn) {
  Loops k;
  auto& b = k.b;
  const int row = b.slot("row", "float64[::1]");
  Stmt* view = b.assign(row, b.view(b.read(k.a), {Index{b.read(k.i)}, Range{}}, "float64[::1]"));
  EXPECT_EQ(
      k.run({b.loop(k.i, b.number(0), b.dim(k.c, 0), {view, b.assign(k.a, b.read(k.c)), k.get(row, {b.number(0)})})}),
      R"(
for i in range(0, dim(c, 0), 1)
  row = a[i, :]
  a = c
  s = row[0]
)");
}

/// Bounds of inner loops that may wrap say nothing of the counter.
TEST(Bounds, AnInnerBoundThatMayWrapIsNoBound) {
  Loops k;
  auto& b = k.b;
  Stmt* inner = b.loop(k.j, k.at(k.i, -2), k.at(k.i, 3), {k.get(k.u, {b.read(k.j)})});
  EXPECT_EQ(k.run({b.loop(k.i, b.number(2), b.read(k.n), {inner, k.get(k.v, {b.read(k.i)})})}), R"(
for i in range(2, n, 1)
  group
    $nest11 = i - 2
    $nest12 = i + 3
    nest
      test $nest11 .. $nest12 - 1 in dim(u, 0)
      fast
        for j in range($nest11, $nest12, 1)
          s = u[!j]
      cold
        cold for j in range($nest11, $nest12, 1)
          s = u[j]
  s = v[i]
)");
}

} // namespace
} // namespace mpijit::jit::ir
