// inline_calls, tidy, ownership and count_loops on IR written out by hand; results are compared as text.
#include "ir_kernel.h"
#include "passes/passes.h"

namespace mpijit::jit::ir {
namespace {

// ---- tidy --------------------------------------------------------------------------------------------------

TEST(Tidy, DropsWhatNothingReads) {
  Kernel k;
  auto& b = k.b;
  const int n = b.parameter("n", "int"), flag = b.slot("$bound.x", "bool"), x = b.slot("x", "int");
  const int y = b.slot("y", "int");
  k.f.result = types::weak_int();
  k.f.body = {b.assign(flag, b.truth(false)),
              b.assign(x, b.number(1)),
              b.branch(b.compare(CompareOp::Lt, b.read(n), b.number(0)), {b.assign(flag, b.truth(true))}),
              b.assign(y, b.add(b.read(y), b.read(n))),
              b.evaluate(b.none()),
              b.make(Group{}),
              b.give(b.read(x))};
  EXPECT_EQ(k.after(passes::tidy), "x = 1\n"
                                   "return x\n");
}

TEST(Tidy, FollowsChainsAndCycles) {
  Kernel k;
  auto& b = k.b;
  const int n = b.parameter("n", "int"), p = b.slot("p", "int"), q = b.slot("q", "int"), i = b.slot("i", "int");
  k.f.body = {b.assign(p, b.number(0)), b.assign(q, b.read(p)),
              b.loop(i, b.number(0), b.read(n), {b.assign(p, b.read(q)), b.assign(q, b.add(b.read(p), b.read(i)))})};
  EXPECT_EQ(k.after(passes::tidy), "for i in range(0, n, 1)\n");
}

TEST(Tidy, KeepsWhatMayRaiseOrAct) {
  Kernel k;
  auto& b = k.b;
  const int u = b.parameter("u", "float64[:]"), n = b.parameter("n", "int"), x = b.slot("x", "float64");
  const int i = b.slot("i", "int"), w = b.slot("w", "float64[::1]"), small = b.slot("small", "int8");
  Expr* unchecked = b.load(u, {b.number(0)});
  std::get<Load>(unchecked->node).index[0].check = false;
  k.f.body = {b.assign(x, b.load(u, {b.read(n)})),
              b.assign(x, unchecked),
              b.assign(i, b.binary(BinaryOp::FloorDiv, b.number(1), b.read(n))),
              b.assign(i, b.binary(BinaryOp::FloorDiv, b.read(n), b.number(2))),
              b.assign(i, b.binary(BinaryOp::Pow, b.number(2), b.read(n))),
              b.assign(small, b.cast(CastKind::Fit, b.read(n), "int8")),
              b.assign(i, b.mpi("rank", {b.make(types::comm(), Const{})}, "int")),
              b.assign(w, b.alloc("float64[::1]", {b.read(n)}))};
  EXPECT_EQ(k.after(passes::tidy), "x = u[n]\n"
                                   "i = 1 // n\n"
                                   "i = 2 ** n\n"
                                   "small = fit[int8](n)\n"
                                   "i = mpi.rank(comm#0)\n"
                                   "w = zeros[float64](n)\n");
}

TEST(Tidy, TakesNamesAndTuplesApart) {
  Kernel k;
  auto& b = k.b;
  const int n = b.parameter("n", "int"), t = b.slot("$1", "int"), used = b.slot("$2", "int");
  k.f.result = types::weak_int();
  Expr* named = b.bind(t, b.add(b.read(n), b.number(1)));
  k.f.body = {b.assign(used, b.item(b.tuple({named, b.read(n)}), 1)),
              b.give(b.item(b.tuple({b.bind(used, b.number(3)), b.read(used)}), 1))};
  EXPECT_EQ(k.after(passes::tidy), "$2 = n\n"
                                   "return ($2 := 3, $2).1\n");
}

// ---- fusing --------------------------------------------------------------------------------------------------

struct Fused : Kernel {
  const int u = b.parameter("u", "float64[:, ::1]"), v = b.parameter("v", "float64[:, ::1]");
  const int row = b.parameter("row", "float64[::1]"), n = b.parameter("n", "int");
  const int t = b.slot("made", "float64[:, ::1]"), w = b.slot("w", "float64[:, ::1]");

  Expr* columns(int array, int64_t start, int64_t stop) {
    return b.view(b.read(array), {Range{nullptr, nullptr, nullptr}, Range{b.number(start), b.number(stop), nullptr}},
                  "float64[:, ::1]");
  }
  /// Of each pair of elements the first less the second.
  Expr* difference(Expr* a, Expr* c, const char* type = "float64[:, ::1]") {
    const int x = b.slot("x" + std::to_string(f.slots.size()), "float64"),
              y = b.slot("y" + std::to_string(f.slots.size()), "float64");
    Elementwise out;
    out.inputs = {{a, x}, {c, y}};
    out.body = b.sub(b.read(x), b.read(y));
    return b.make(*parse_type(type), std::move(out));
  }
  /// made = u[:, 1:-1] - u[:, 0:-2]
  Stmt* make_t() { return b.assign(t, difference(columns(u, 1, -1), columns(u, 0, -2))); }
  Stmt* use_t() { return b.assign(w, difference(b.read(t), columns(v, 1, -1))); }
  /// Is it made by itself after the pass?
  bool keeps_t(Block body) {
    f.body = std::move(body);
    return after(passes::fuse).find("made = each") != std::string::npos;
  }
};

TEST(Fuse, TakesInWhatIsReadOnce) {
  Fused k;
  k.f.body = {k.make_t(), k.use_t()};
  EXPECT_EQ(k.after(passes::fuse), "w = each(x6 in u[:, 1:-1], y7 in u[:, 0:-2], y9 in v[:, 1:-1]: x8 := x6 - y7, "
                                   "x8 - y9)\n");
}

TEST(Fuse, FollowsChainsPastOtherNames) {
  Fused k;
  const int i = k.b.slot("i", "int"), x = k.b.slot("x", "float64[:, ::1]");
  EXPECT_FALSE(k.keeps_t({k.make_t(), k.b.assign(i, k.b.read(k.n)), k.use_t(),
                          k.b.assign(x, k.difference(k.b.read(k.w), k.b.read(k.w)))}));
}

TEST(Fuse, SumsWhatIsReadOnce) {
  Fused k;
  const int x = k.b.slot("x", "float64"), sums = k.b.slot("sums", "float64[::1]");
  const auto total = [&](int slot, uint64_t axes) {
    const Type t = k.f.slots[static_cast<size_t>(slot)].type;
    return k.b.assign(slot, k.b.make(t, Reduce{find_reduction("sum"), k.b.read(k.t), axes, false}));
  };
  k.f.body = {k.make_t(), total(x, 3)};
  EXPECT_EQ(k.after(passes::fuse), "x = sum(each(x8 in u[:, 1:-1], y9 in u[:, 0:-2]: x8 - y9), 0, 1)\n");
  // Along the first axis terms are added in another order than they are computed.
  EXPECT_TRUE(k.keeps_t({k.make_t(), total(sums, 1)}));
}

TEST(Fuse, KeepsWhatIsReadTwice) {
  Fused k;
  EXPECT_TRUE(k.keeps_t({k.make_t(), k.use_t(), k.use_t()}));
}

TEST(Fuse, KeepsWhatIsWrittenTwice) {
  Fused k;
  EXPECT_TRUE(k.keeps_t({k.make_t(), k.make_t(), k.use_t()}));
}

// The traceback would name another line.
TEST(Fuse, KeepsWhatMayRaise) {
  Fused k;
  EXPECT_TRUE(k.keeps_t({k.b.assign(k.t, k.difference(k.b.read(k.u), k.b.read(k.v))), k.use_t()}));
  Fused shorter;
  EXPECT_TRUE(shorter.keeps_t({shorter.b.assign(shorter.t, shorter.difference(shorter.columns(shorter.u, 1, -1),
                                                                              shorter.columns(shorter.u, 1, -2))),
                               shorter.use_t()}));
}

TEST(Fuse, KeepsWhatIsBroadcast) {
  Fused k;
  auto& b = k.b;
  const int s = b.slot("line", "float64[::1]");
  k.f.body = {b.assign(s, k.difference(b.read(k.row), b.read(k.row), "float64[::1]")),
              b.assign(k.w, k.difference(b.read(s), b.read(k.v)))};
  EXPECT_NE(k.after(passes::fuse).find("line = each"), std::string::npos);
}

TEST(Fuse, KeepsWhatAStoreMayChange) {
  Fused k;
  EXPECT_TRUE(
      k.keeps_t({k.make_t(), k.b.store(k.v, {k.b.number(0), k.b.number(0)}, k.b.constant("float64", 1)), k.use_t()}));
}

TEST(Fuse, KeepsWhatReadsANameThatChanges) {
  Fused k;
  EXPECT_TRUE(k.keeps_t({k.make_t(), k.b.assign(k.u, k.b.read(k.v)), k.use_t()}));
}

TEST(Fuse, KeepsWhatIsReadInALoop) {
  Fused k;
  const int i = k.b.slot("i", "int");
  EXPECT_TRUE(k.keeps_t({k.make_t(), k.b.loop(i, k.b.number(0), k.b.read(k.n), {k.use_t()})}));
}

// ---- inlining ------------------------------------------------------------------------------------------------

struct Caller : Kernel {
  Function& callee = add_function("g");
  Build g{callee};

  /// def g(u, i): return u[i + 1] - u[i - 1]
  void difference() {
    const int u = g.parameter("u", "float64[:]"), i = g.parameter("i", "int");
    callee.result = types::strong(DType::Float64);
    callee.body = {
        g.give(g.sub(g.load(u, {g.add(g.read(i), g.number(1))}), g.load(u, {g.sub(g.read(i), g.number(1))})))};
  }
};

TEST(Inline, SubstitutesSlotsConstantsAndIndices) {
  Caller k;
  k.difference();
  auto& b = k.b;
  const int u = b.parameter("u", "float64[:]"), v = b.parameter("v", "float64[:]"), i = b.slot("i", "int");
  Expr* left = b.call(k.module, 1, {b.read(u), b.sub(b.read(i), b.number(1))});
  k.f.body = {b.loop(i, b.number(1), b.dim(u, 0),
                     {b.store(v, {b.read(i)}, b.add(b.call(k.module, 1, {b.read(u), b.read(i)}), left))})};
  EXPECT_EQ(k.after(passes::inline_calls), "for i in range(1, dim(u, 0), 1)\n"
                                           "  v[i] = u[i + 1] - u[i - 1] + (u[i - 1 + 1] - u[i - 1 - 1])\n");
}

TEST(Inline, NodesCarryTheirFrame) {
  Caller k;
  k.difference();
  Function& outer = k.add_function("h");
  Build h(outer);
  outer.result = types::strong(DType::Float64);
  const int a = h.parameter("a", "float64[:]");
  h.span = {20, 5, 20, 9};
  outer.body = {h.give(h.call(k.module, 1, {h.read(a), h.number(1)}))};
  auto& b = k.b;
  const int u = b.parameter("u", "float64[:]");
  b.span = {10, 3, 10, 8};
  k.f.body = {b.evaluate(b.call(k.module, 2, {b.read(u)}))};
  EXPECT_EQ(k.after(passes::inline_calls), "evaluate u[1 + 1] - u[1 - 1]\n");

  ASSERT_EQ(k.f.inlined.size(), 2u);
  EXPECT_EQ(k.f.inlined[0].name, "h");
  EXPECT_EQ(k.f.inlined[0].file, "h.py");
  EXPECT_EQ(k.f.inlined[0].call.line, 10);
  EXPECT_EQ(k.f.inlined[0].parent, 0);
  EXPECT_EQ(k.f.inlined[1].name, "g");
  EXPECT_EQ(k.f.inlined[1].call.line, 20);
  EXPECT_EQ(k.f.inlined[1].parent, 1);
  const Expr* difference = std::get<Evaluate>(k.f.body[0]->node).value;
  const Expr* load = std::get<Binary>(difference->node).a;
  EXPECT_EQ(load->frame, 2);
  EXPECT_EQ(std::get<Load>(load->node).array->frame, 0); // the argument is the kernel's own code
}

TEST(Inline, OtherArgumentsAreEvaluatedOnceInOrder) {
  Caller k;
  auto &b = k.b, &g = k.g;
  const int x = g.parameter("x", "float64"), y = g.slot("y", "float64");
  k.callee.result = types::strong(DType::Float64);
  k.callee.body = {g.make(Group{{g.assign(y, g.mult(g.read(x), g.read(x)))}}), g.give(g.add(g.read(y), g.read(x)))};
  const int u = b.parameter("u", "float64[:]"), c = b.parameter("c", "bool");
  k.f.result = types::strong(DType::Float64);
  k.f.body = {b.give(b.choose(b.read(c), b.call(k.module, 1, {b.load(u, {b.number(0)})}), b.load(u, {b.number(1)})))};
  EXPECT_EQ(k.after(passes::inline_calls), "return (x := u[0], y := x * x, y + x).2 if c else u[1]\n");
}

TEST(Inline, StatementsGoInFrontWhenTheOrderAllows) {
  Caller k;
  auto &b = k.b, &g = k.g;
  const int x = g.parameter("x", "float64"), y = g.slot("y", "float64"); // def g(x): clips below zero
  k.callee.result = types::strong(DType::Float64);
  k.callee.body = {g.branch(g.compare(CompareOp::Lt, g.read(x), g.constant("float64", 0)),
                            {g.assign(y, g.constant("float64", 0))}, {g.assign(y, g.read(x))}),
                   g.give(g.read(y))};
  const int u = b.parameter("u", "float64[:]"), z = b.slot("z", "float64");
  auto call = [&](int at) { return b.call(k.module, 1, {b.load(u, {b.number(at)})}); };
  k.f.body = {b.assign(z, b.add(b.read(z), call(0))), b.assign(z, b.add(b.load(u, {b.number(1)}), call(2)))};
  EXPECT_EQ(k.after(passes::inline_calls), "x = u[0]\n"
                                           "if x < 0.0:float64\n"
                                           "  y = 0.0:float64\n"
                                           "else\n"
                                           "  y = x\n"
                                           "z = z + y\n"
                                           "z = u[1] + #1(u[2])\n"); // u[1] may raise, and comes first
}

TEST(Inline, WhatStoresDoesNotPassReadsOfElements) {
  Caller k;
  auto &b = k.b, &g = k.g;
  const int a = g.parameter("a", "float64[:]");
  k.callee.result = types::strong(DType::Float64);
  k.callee.body = {g.store(a, {g.number(0)}, g.constant("float64", 1)), g.give(g.constant("float64", 2))};
  const int u = b.parameter("u", "float64[:]"), z = b.slot("z", "float64");
  Expr* first = b.load(u, {b.number(0)});
  std::get<Load>(first->node).index[0].check = false;
  auto call = [&] { return b.call(k.module, 1, {b.read(u)}); };
  k.f.body = {b.assign(z, b.add(first, call())), b.assign(z, call())};
  EXPECT_EQ(k.after(passes::inline_calls), "z = u[~0] + #1(u)\n"
                                           "u[0] = 1.0:float64\n"
                                           "z = 2.0:float64\n");
}

TEST(Inline, AnArgumentWhoseSlotIsReboundIsNotSubstituted) {
  Caller k;
  auto &b = k.b, &g = k.g;
  const int p = g.parameter("p", "int"), q = g.parameter("q", "int");
  k.callee.result = types::weak_int();
  k.callee.body = {g.give(g.sub(g.read(p), g.read(q)))};
  const int n = b.parameter("n", "int");
  k.f.result = types::weak_int();
  k.f.body = {b.give(b.call(k.module, 1, {b.read(n), b.bind(n, b.number(7))}))};
  EXPECT_EQ(k.after(passes::inline_calls), "return (p := n, q := (n := 7), p - q).2\n");
}

TEST(Inline, LeavesLoopsEarlyReturnsRecursionAndMpiAlone) {
  for (int variant = 0; variant < 4; ++variant) {
    Caller k;
    auto &b = k.b, &g = k.g;
    const int p = g.parameter("p", "int");
    k.callee.result = types::weak_int();
    k.callee.body = {g.give(g.read(p))};
    Stmt* extra = nullptr;
    if (variant == 0)
      extra = g.loop(p, g.number(0), g.number(3), {});
    else if (variant == 1)
      extra = g.branch(g.truth(true), {g.give(g.number(1))});
    else if (variant == 2)
      extra = g.evaluate(g.mpi("barrier", {g.make(types::comm(), Const{})}, "none"));
    if (extra)
      k.callee.body.insert(k.callee.body.begin(), extra);
    k.callee.recursive = variant == 3;
    const int n = b.parameter("n", "int");
    k.f.body = {b.evaluate(b.call(k.module, 1, {b.read(n)}))};
    EXPECT_EQ(k.after(passes::inline_calls), "evaluate #1(n)\n") << variant;
  }
}

// ---- ownership -------------------------------------------------------------------------------------------------

std::string owning(const Function& f) {
  std::string out;
  for (const Slot& s : f.slots)
    if (s.owning)
      out += (out.empty() ? "" : " ") + s.name;
  return out;
}

TEST(Ownership, ParametersViewsAndCopiesBorrow) {
  Kernel k;
  auto& b = k.b;
  const int u = b.parameter("u", "float64[:]"), v = b.parameter("v", "float64[:]"), t = b.slot("$1", "float64[:]");
  const int w = b.slot("w", "float64[:]");
  k.f.result = *parse_type("float64[:]");
  k.f.body = {b.assign(t, b.read(u)), b.assign(u, b.read(v)), b.assign(v, b.read(t)),
              b.assign(w, b.view(b.read(u), {Range{b.number(1), nullptr, nullptr}}, "float64[:]")), b.give(b.read(w))};
  k.after(passes::ownership, Stage::Owned);
  EXPECT_EQ(owning(k.f), "");
}

TEST(Ownership, SpreadsThroughSwaps) {
  Kernel k;
  auto& b = k.b;
  const int u = b.parameter("u", "float64[::1]"), n = b.parameter("n", "int"), v = b.slot("v", "float64[::1]");
  const int t = b.slot("$1", "float64[::1]"), i = b.slot("i", "int"), w = b.slot("w", "float64[::1]");
  k.f.body = {
      b.assign(w, b.read(u)), b.assign(v, b.alloc("float64[::1]", {b.read(n)})),
      b.loop(i, b.number(0), b.read(n), {b.assign(t, b.read(v)), b.assign(v, b.read(u)), b.assign(u, b.read(t))})};
  k.after(passes::ownership, Stage::Owned);
  EXPECT_EQ(owning(k.f), "u v $1 w"); // w copies u, which owns
}

TEST(Ownership, TuplesCountAsAWhole) {
  Kernel k;
  auto& b = k.b;
  const int u = b.parameter("u", "float64[::1]"), t = b.slot("t", "(float64[::1], float64[::1])");
  const int w = b.slot("w", "float64[::1]");
  k.f.body = {b.assign(t, b.tuple({b.read(u), b.alloc("float64[::1]", {b.number(3)})})),
              b.assign(w, b.item(b.read(t), 0))};
  EXPECT_EQ(k.after(passes::ownership, Stage::Owned), "t = (u, zeros[float64](3))\n"
                                                      "w = t.0\n");
  EXPECT_EQ(owning(k.f), "t w");
}

TEST(Ownership, NamesWhatWouldHaveNoOwner) {
  Kernel k;
  auto& b = k.b;
  const int u = b.parameter("u", "float64[:]"), c = b.parameter("c", "bool"), x = b.slot("x", "float64");
  const int w = b.slot("w", "float64[:]");
  auto fresh = [&] { return b.cast(CastKind::Relayout, b.alloc("float64[::1]", {b.number(3)}), "float64[:]"); };
  k.f.body = {b.assign(x, b.load(b.alloc("float64[::1]", {b.number(3)}), {b.number(0)})),
              b.assign(w, b.choose(b.read(c), b.read(u), fresh())),
              b.assign(x, b.load(b.choose(b.read(c), b.read(u), fresh()), {b.number(0)})),
              b.evaluate(b.alloc("float64[::1]", {b.number(2)}))};
  EXPECT_EQ(k.after(passes::ownership, Stage::Owned),
            "x = ($own4 := zeros[float64](3))[0]\n"
            "release $own4\n"
            "w = u if c else relayout[float64[:]](zeros[float64](3))\n"
            "x = (u if c else relayout[float64[:]]($own5 := zeros[float64](3)))[0]\n"
            "release $own5\n"
            "evaluate $own6 := zeros[float64](2)\n"
            "release $own6\n");
  EXPECT_EQ(owning(k.f), "w $own4 $own5 $own6");
}

TEST(Ownership, ReleasesOnEveryWayOn) {
  Kernel k;
  auto& b = k.b;
  const int i = b.slot("i", "int");
  k.f.result = types::weak_int();
  auto length = [&] { return b.make(types::weak_int(), Dim{b.alloc("float64[::1]", {b.number(3)}), 0}); };
  auto positive = [&] { return b.compare(CompareOp::Gt, length(), b.number(0)); };
  k.f.body = {b.make(While{positive(), {b.make(Break{})}, {}}), b.branch(positive(), {b.give(b.number(1))}),
              b.loop(i, b.number(0), length(), {b.make(Continue{})}), b.give(length())};
  EXPECT_EQ(k.after(passes::ownership, Stage::Owned), "while dim($own1 := zeros[float64](3), 0) > 0\n"
                                                      "  release $own1\n"
                                                      "  break\n"
                                                      "else\n"
                                                      "  release $own1\n"
                                                      "if dim($own2 := zeros[float64](3), 0) > 0\n"
                                                      "  release $own2\n"
                                                      "  return 1\n"
                                                      "else\n"
                                                      "  release $own2\n"
                                                      "for i in range(0, dim($own3 := zeros[float64](3), 0), 1)\n"
                                                      "  continue\n"
                                                      "release $own3\n"
                                                      "return dim($own4 := zeros[float64](3), 0)\n");
}

TEST(Ownership, CallsBorrowTheirArgumentsAndGiveFreshResults) {
  Caller k;
  auto &b = k.b, &g = k.g;
  const int a = g.parameter("a", "float64[::1]");
  k.callee.result = *parse_type("float64[::1]");
  k.callee.body = {g.give(g.read(a))};
  const int v = b.slot("v", "float64[::1]");
  k.f.result = k.callee.result;
  k.f.body = {b.assign(v, b.call(k.module, 1, {b.call(k.module, 1, {b.alloc("float64[::1]", {b.number(3)})})})),
              b.give(b.call(k.module, 1, {b.read(v)}))};
  EXPECT_EQ(k.after(passes::ownership, Stage::Owned), "v = #1($own2 := #1($own1 := zeros[float64](3)))\n"
                                                      "release $own1\n"
                                                      "release $own2\n"
                                                      "return #1(v)\n");
}

// ---- count_loops -------------------------------------------------------------------------------------------

/// Counts i up or down to n and uses it.
struct ByHand : Kernel {
  int n = b.parameter("n", "int"), i = b.slot("i", "int"), s = b.slot("s", "int");
  Stmt* use = b.assign(s, b.read(i));
  Stmt* up = b.assign(i, b.add(b.read(i), b.number(1)));
  Stmt* down = b.assign(i, b.sub(b.read(i), b.number(1)));

  Stmt* loop(CompareOp op, Expr* x, Expr* y, Block body) { return b.make(While{b.compare(op, x, y), body, {}}); }
  std::string run(Block body) {
    f.body = std::move(body);
    return "\n" + after(passes::count_loops); // as a raw string begins
  }
};

TEST(CountLoops, UpAndDown) {
  ByHand k;
  auto& b = k.b;
  Stmt* first = k.loop(CompareOp::Lt, b.read(k.i), b.sub(b.read(k.n), b.number(1)),
                       {k.use, b.branch(b.compare(CompareOp::Eq, b.read(k.s), b.number(3)), {b.make(Break{})}), k.up});
  std::get<While>(first->node).orelse = {b.assign(k.s, b.number(7))};
  EXPECT_EQ(k.run({first, k.loop(CompareOp::Lt, b.number(0), b.read(k.i), {b.assign(k.s, b.read(k.n)), k.down})}), R"(
for i in range(i, n - 1, 1)
  s = i
  if s == 3
    break
else
  if i < n - 1
    i = i + 1
  s = 7
for i in range(i, 0, -1)
  s = n
else
  if 0 < i
    i = i - 1
)");
}

TEST(CountLoops, LeavesAloneWhatDoesNotCount) {
  ByHand k;
  auto& b = k.b;
  auto less = [&](Block body) { return k.loop(CompareOp::Lt, b.read(k.i), b.read(k.n), std::move(body)); };
  auto again = [&] { return b.assign(k.i, b.add(b.read(k.i), b.number(1))); };
  auto two = [&] { return b.assign(k.i, b.add(b.read(k.i), b.number(2))); };
  auto use = [&] { return b.assign(k.s, b.read(k.i)); };
  const Block loops = {
      less({use(), two()}),                                                          // by two
      less({again(), use()}),                                                        // not at the end
      less({again(), again()}),                                                      // twice
      less({use(), k.down}),                                                         // away from the end
      less({b.assign(k.n, b.number(3)), again()}),                                   // the end moves
      less({use(), b.branch(b.truth(true), {b.make(Continue{})}), again()}),         // goes on early
      less({b.loop(k.s, b.number(0), b.number(3), {b.make(Continue{1})}), again()}), // so does this
      k.loop(CompareOp::LtE, b.read(k.i), b.read(k.n), {use(), again()}),            // may never end
      k.loop(CompareOp::Lt, b.read(k.i), b.binary(BinaryOp::FloorDiv, b.number(7), b.read(k.n)),
             {use(), again()}), // raises
  };
  for (Stmt* loop : loops) {
    k.f.body = {loop};
    const std::string before = Kernel::body(k.f);
    EXPECT_EQ(k.after(passes::count_loops), before);
  }
}

} // namespace
} // namespace mpijit::jit::ir
