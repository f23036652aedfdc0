// Control flow in compiled code: choices, loops of every range, interrupts, and nests in two versions.
#include "emit_build.h"

#include <thread>

using namespace emit_test;

namespace {

// ---- choices, tuples, names ----------------------------------------------------------------------------

TEST(Choose, EvaluatesOneArm) {
  Build b;
  const int x = b.parameter(Int);
  E zero = b.compare(Cmp::Eq, b.read(x), b.i(0));
  b.returns(b.e(Int, ir::Choose{zero, b.i(-1), b.op(Op::FloorDiv, b.i(100), b.read(x))}));
  const Kernel k(b);
  EXPECT_EQ(k(words(int64_t{0})).words[0], -1);
  EXPECT_EQ(k(words(int64_t{7})).words[0], 14);
}

TEST(Check, RaisesWithItsMessageBeforeTheValue) {
  Build b;
  const int x = b.parameter(Bool);
  b.returns(b.e(Int, ir::Check{b.read(x), MPIJIT_UnboundLocalError, "unbound", b.i(5)}));
  const Kernel k(b);
  EXPECT_EQ(k(words(int64_t{1})).words[0], 5);
  EXPECT_EQ(k(words(int64_t{0})).status, MPIJIT_UnboundLocalError);
  EXPECT_EQ(k(words(int64_t{0})).message(), "unbound");
}

TEST(Tuples, NestItemAndBind) {
  Build b;
  const int x = b.parameter(types::tuple({Int, types::tuple({Float, Bool})})), t = b.local(Int);
  E inner = b.e(b.f->slots[0].type->items[1], ir::Item{b.read(x), 1});
  E bound = b.e(Int, ir::Bind{t, b.plus(b.e(Int, ir::Item{b.read(x), 0}), b.i(1))});
  b.returns(b.tuple({bound, b.e(Float, ir::Item{inner, 0}), b.read(t)}));
  const Outcome o = Kernel(b)(words(int64_t{4}, 2.5, int64_t{1}));
  EXPECT_EQ(o.words[0], 5);
  EXPECT_EQ(o.real(1), 2.5);
  EXPECT_EQ(o.words[2], 5);
}

// ---- loops ---------------------------------------------------------------------------------------------

/// Runs `for i in range(start, stop, step)` and returns (turns, sum of i, last i, 1 if else ran).
Kernel range_kernel(const int64_t* constant_step, ir::Block (*extra)(Build&, int i) = nullptr) {
  Build b;
  const int start = b.parameter(Int), stop = b.parameter(Int), step = b.parameter(Int);
  const int i = b.local(Int), n = b.local(Int), sum = b.local(Int), ended = b.local(Int);
  for (int slot : {i, n, sum, ended})
    b.f->body.push_back(b.assign(slot, b.i(0)));
  ir::Block body;
  if (extra)
    body = extra(b, i);
  body.push_back(b.assign(n, b.plus(b.read(n), b.i(1))));
  body.push_back(b.assign(sum, b.plus(b.read(sum), b.read(i))));
  E pace = constant_step ? b.i(*constant_step) : b.read(step);
  b.f->body.push_back(b.range(i, b.read(start), b.read(stop), pace, body, {b.assign(ended, b.i(1))}));
  b.returns(b.tuple({b.read(n), b.read(sum), b.read(i), b.read(ended)}));
  return Kernel(b);
}

void check_range(const Kernel& k, int64_t start, int64_t stop, int64_t step) {
  uint64_t turns = 0, sum = 0;
  int64_t last = 0;
  for (__int128 x = start; step > 0 ? x < stop : x > stop; x += step) {
    ++turns;
    sum += static_cast<uint64_t>(last = static_cast<int64_t>(x));
  }
  const Outcome o = k(words(start, stop, step));
  ASSERT_EQ(o.status, 0);
  EXPECT_EQ(static_cast<uint64_t>(o.words[0]), turns) << start << " " << stop << " " << step;
  EXPECT_EQ(static_cast<uint64_t>(o.words[1]), sum) << start << " " << stop << " " << step;
  EXPECT_EQ(o.words[2], last) << start << " " << stop << " " << step;
  EXPECT_EQ(o.words[3], 1);
}

TEST(For, EveryKindOfRange) {
  struct Bounds {
    int64_t start, stop;
  };
  const Bounds small[] = {{0, 0},
                          {0, 1},
                          {0, 7},
                          {7, 0},
                          {-3, 4},
                          {5, 5},
                          {INT64_MAX - 3, INT64_MAX},
                          {INT64_MIN, INT64_MIN + 4},
                          {INT64_MAX, INT64_MIN},
                          {0, 200000},
                          {65536, 0}};
  const Kernel variable = range_kernel(nullptr);
  for (int64_t step : {1, -1, 2, -2, 3, -3, 1000}) {
    const Kernel fixed = range_kernel(&step);
    for (const Bounds& r : small) {
      const bool endless = r.start == INT64_MAX && step < 0; // a walk through all of int64
      if (endless)
        continue;
      check_range(fixed, r.start, r.stop, step);
      check_range(variable, r.start, r.stop, step);
    }
  }
  for (int64_t step : {INT64_MAX, int64_t{1} << 62}) {
    const Kernel fixed = range_kernel(&step);
    check_range(fixed, INT64_MIN, INT64_MAX, step);
    check_range(variable, INT64_MIN, INT64_MAX, step);
  }
  for (int64_t step : {INT64_MIN, -INT64_MAX})
    check_range(variable, INT64_MAX, INT64_MIN, step);
  EXPECT_EQ(variable(words(int64_t{0}, int64_t{1}, int64_t{0})).message(), "range() arg 3 must not be zero");
}

TEST(For, BreakSkipsElseAndContinueSkipsTheRest) {
  const int64_t one = 1;
  const Kernel breaks = range_kernel(&one, [](Build& b, int i) -> ir::Block {
    return {b.s(ir::If{b.compare(Cmp::Eq, b.read(i), b.i(3)), {b.s(ir::Break{})}, {}})};
  });
  Outcome o = breaks(words(int64_t{0}, int64_t{10}, one));
  EXPECT_EQ(o.words[0], 3);
  EXPECT_EQ(o.words[2], 3);
  EXPECT_EQ(o.words[3], 0);
  const Kernel continues = range_kernel(&one, [](Build& b, int i) -> ir::Block {
    return {b.s(ir::If{b.compare(Cmp::Eq, b.op(Op::Mod, b.read(i), b.i(2)), b.i(0)), {b.s(ir::Continue{})}, {}})};
  });
  o = continues(words(int64_t{0}, int64_t{10}, one));
  EXPECT_EQ(o.words[0], 5);
  EXPECT_EQ(o.words[1], 25);
  EXPECT_EQ(o.words[3], 1);
}

TEST(For, AssigningTheVariableDoesNotChangeTheIteration) {
  const int64_t one = 1;
  const Kernel k =
      range_kernel(&one, [](Build& b, int i) -> ir::Block { return {b.assign(i, b.times(b.read(i), b.i(10)))}; });
  const Outcome o = k(words(int64_t{0}, int64_t{4}, one));
  EXPECT_EQ(o.words[0], 4);
  EXPECT_EQ(o.words[1], 60);
  EXPECT_EQ(o.words[2], 30);
}

TEST(For, ReturnsFromTheMiddle) {
  Build b;
  const int i = b.local(Int);
  b.f->result = Int;
  b.f->body = {b.range(i, b.i(0), b.i(5), b.i(1), {b.give(b.plus(b.read(i), b.i(40)))}, {}), b.give(b.i(-1))};
  EXPECT_EQ(Kernel(b)().words[0], 40);
}

TEST(While, ElseBreakAndForever) {
  Build b;
  const int n = b.parameter(Int), i = b.local(Int), r = b.local(Int);
  E more = b.less(b.read(i), b.read(n));
  S step = b.assign(i, b.plus(b.read(i), b.i(1)));
  S stop = b.s(ir::If{b.compare(Cmp::Eq, b.read(i), b.i(5)), {b.s(ir::Break{})}, {}});
  S forever = b.s(ir::While{b.truth(true), {b.s(ir::If{b.less(b.i(20), b.read(i)), {b.s(ir::Break{})}, {step}})}, {}});
  b.f->body = {b.assign(i, b.i(0)), b.assign(r, b.i(0)), b.s(ir::While{more, {step, stop}, {b.assign(r, b.i(1))}}),
               forever};
  b.returns(b.tuple({b.read(i), b.read(r)}));
  const Kernel k(b);
  EXPECT_EQ(k(words(int64_t{3})).words[1], 1);
  EXPECT_EQ(k(words(int64_t{9})).words[1], 0);
  EXPECT_EQ(k(words(int64_t{9})).words[0], 21);
}

// Each of these would run for ever, or for years.
TEST(Interrupts, EndEveryKindOfLoop) {
  const auto interrupted = [](const Kernel& k, const Words& w) {
    std::thread signal([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      mpijit_interrupt = 1;
    });
    const Outcome o = k(w);
    signal.join();
    EXPECT_EQ(o.status, MPIJIT_KeyboardInterrupt);
    EXPECT_EQ(mpijit_interrupt, 0);
  };
  const auto loop = [](bool nested, int64_t step) {
    Build b;
    const int n = b.parameter(Int), i = b.local(Int), j = b.local(Int), x = b.local(Int);
    S turn = b.assign(x, b.op(Op::BitXor, b.times(b.read(x), b.i(7)), b.read(i)));
    if (nested)
      turn = b.range(j, b.i(0), b.i(10), b.i(1), {turn});
    E stop = step > 0 ? b.read(n) : b.e(Int, ir::Unary{ir::UnaryOp::Neg, b.read(n)});
    b.f->body = {b.assign(x, b.i(0)), b.range(i, b.i(0), stop, b.i(step), {turn})};
    b.returns(b.read(x));
    return Kernel(b);
  };
  for (int64_t step : {1, -1, 2})
    interrupted(loop(false, step), words(INT64_MAX));
  interrupted(loop(true, 1), words(INT64_MAX));
  Build b;
  b.add(ir::While{b.truth(true), {}, {}});
  interrupted(Kernel(b), {});
}

// ---- nests ---------------------------------------------------------------------------------------------

TEST(Nest, StencilIsShortAndRight) {
  for (Type array : {types::array(DType::Float64, 2, Layout::C), types::array(DType::Float64, 2, Layout::Strided)}) {
    Build b;
    stencil(b, array);
    Host<double> u({9, 40}), v({9, 40});
    for (size_t n = 0; n < u.data.size(); ++n)
      u.data[n] = 0.1 * static_cast<double>(n * n % 31);
    ASSERT_EQ(Kernel(b)(words(u, v)).status, 0);
    for (size_t i = 1; i < 8; ++i)
      for (size_t j = 1; j < 39; ++j) {
        const double* x = &u.data[i * 40 + j];
        ASSERT_EQ(v.data[i * 40 + j], (x[-40] + x[40] + x[-1] + x[1]) * 0.25);
      }
    EXPECT_EQ(v.data[0], 0);

    auto context = std::make_unique<llvm::LLVMContext>();
    Cpu& cpu = Cpu::host();
    auto module = emit(b.module, *context, "entry", cpu.layout(), cpu.triple(), 0);
    cpu.optimise(*module, 2);
    EXPECT_LE(module->getInstructionCount(), array->layout == Layout::C ? 200u : 250u);
    EXPECT_NE(cpu.assembly(*module).find("vaddpd"), std::string::npos);
  }
}

TEST(Nest, FailingTestsRunTheCheckedBody) {
  Build b;
  stencil(b, types::array(DType::Float64, 2, Layout::C));
  const Kernel k(b);
  // v is too small: what came before the bad store has happened.
  Host<double> u({6, 6}, 1), v({3, 6});
  Outcome o = k(words(u, v));
  EXPECT_EQ(o.message(), "index 3 is out of bounds for axis 0 with size 3");
  EXPECT_EQ(v.data[2 * 6 + 4], 1);
  // In place: every value depends on those just written, which the vectorised body would not see.
  Host<double> w({5, 40}, 1), expected({5, 40}, 1);
  w.data[41] = expected.data[41] = 9;
  for (size_t i = 1; i < 4; ++i)
    for (size_t j = 1; j < 39; ++j) {
      double* x = &expected.data[i * 40 + j];
      *x = (x[-40] + x[40] + x[-1] + x[1]) * 0.25;
    }
  EXPECT_EQ(k(words(w, w)).status, 0);
  EXPECT_EQ(w.data, expected.data);
  Host<double> none({0, 0});
  EXPECT_EQ(k(words(none, none)).status, 0);
}

TEST(Nest, BoundsBeyondInt64FailTheTest) {
  // for i in range(n): a[4*i] with n = 2**62 + 1: the last index is 2**64, which would wrap round to 0.
  Build b;
  const int a = b.parameter(Vector), n = b.parameter(Int), i = b.local(Int);
  ir::Nest nest;
  E last = b.times(b.i(4), b.minus(b.read(n), b.i(1)));
  nest.ranges.push_back({b.read(a), 0, b.i(0), last});
  const auto body = [&](bool checked) -> ir::Block {
    S store = b.store(a, {{b.times(b.i(4), b.read(i)), checked, checked}},
                      b.e(types::strong(DType::Float64), ir::Const{0, 1}));
    return {b.range(i, b.i(0), b.read(n), b.i(1), {store}, {}, checked)};
  };
  nest.fast = body(false);
  nest.cold = body(true);
  b.add(std::move(nest));
  Host<double> h({8});
  EXPECT_EQ(Kernel(b)(words(h, (int64_t{1} << 62) + 1)).message(), "index 8 is out of bounds for axis 0 with size 8");
  EXPECT_EQ(h.data[4], 1);
}

} // namespace
