// Statements and whole functions in compiled code: choices, loops, nests, interrupts, errors and frames, who owns
// which array, calls of kernels, of the runtime and of MPI (on one process).
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

// ---- errors, calls, frames -----------------------------------------------------------------------------

TEST(Errors, RaiseAndFramesOfCallersAndInlinedBodies) {
  Build b;
  ir::Function* kernel = b.f;
  const int callee = b.function("callee");
  b.line = 20;
  b.add(ir::Raise{MPIJIT_ValueError, "no good"});
  b.f = kernel;
  const int x = b.parameter(Int);
  kernel->inlined.push_back({"inner", "other.py", {12, 3, 12, 9}, 0});
  kernel->inlined.push_back({"innermost", "other.py", {40, 1, 40, 2}, 1});
  b.line = 5;
  E call = b.e(None, ir::Call{callee, {}});
  b.line = 77;
  E division = b.op(Op::FloorDiv, b.i(1), b.read(x));
  division->frame = 2;
  b.f->body = {b.s(ir::If{b.less(b.read(x), b.i(0)), {b.s(ir::Evaluate{call})}, {}})};
  b.returns(division);
  for (int level : {0, 2, 3}) {
    const Kernel k(b, level);
    EXPECT_EQ(k(words(int64_t{1})).words[0], 1);
    Outcome o = k(words(int64_t{-1}));
    EXPECT_EQ(o.status, MPIJIT_ValueError);
    EXPECT_EQ(o.message(), "no good");
    ASSERT_EQ(o.error.frame_count, 2);
    EXPECT_STREQ(o.error.frames[0].kernel, "callee");
    EXPECT_EQ(o.error.frames[0].line, 20);
    EXPECT_STREQ(o.error.frames[1].kernel, "kernel");
    EXPECT_EQ(o.error.frames[1].line, 5);
    o = k(words(int64_t{0}));
    ASSERT_EQ(o.error.frame_count, 3);
    EXPECT_STREQ(o.error.frames[0].kernel, "innermost");
    EXPECT_EQ(o.error.frames[0].line, 77);
    EXPECT_STREQ(o.error.frames[1].kernel, "inner");
    EXPECT_EQ(o.error.frames[1].line, 40);
    EXPECT_STREQ(o.error.frames[1].file, "other.py");
    EXPECT_STREQ(o.error.frames[2].kernel, "kernel");
    EXPECT_EQ(o.error.frames[2].line, 12);
  }
}

TEST(Calls, ResultsOfEveryKindAndNamesOfLibm) {
  Build b;
  ir::Function* kernel = b.f;
  const Type f32 = types::strong(DType::Float32), u8 = types::strong(DType::UInt8);
  const int callee = b.function("fmod"); // a kernel may be called like a function of libm
  const int x = b.parameter(Float), y = b.parameter(f32), z = b.parameter(u8);
  b.returns(b.tuple({b.op(Op::Mod, b.read(x), b.d(3)), b.read(y), b.read(z), b.truth(true)}));
  const Type result = b.f->result;
  b.f = kernel;
  const int p = b.parameter(Float), q = b.parameter(f32), r = b.parameter(u8);
  b.returns(b.e(result, ir::Call{callee, {b.read(p), b.read(q), b.read(r)}}));
  const Outcome o = Kernel(b)(words(-7.0, 1.5f, uint8_t{200}));
  EXPECT_EQ(o.real(0), 2.0);
  EXPECT_EQ(value<float>(o.words[1]), 1.5f);
  EXPECT_EQ(o.words[2], 200);
  EXPECT_EQ(o.words[3], 1);
}

TEST(Calls, EndlessRecursionRaises) {
  Build b;
  const int n = b.parameter(Int);
  b.f->recursive = true;
  E deeper = b.e(Int, ir::Call{0, {b.plus(b.read(n), b.i(1))}});
  b.returns(b.e(Int, ir::Choose{b.compare(Cmp::Eq, b.read(n), b.i(10)), b.i(10), b.plus(deeper, b.i(1))}));
  const Kernel k(b);
  EXPECT_EQ(k(words(int64_t{7})).words[0], 13);
  const Outcome o = k(words(int64_t{11}));
  EXPECT_EQ(o.status, MPIJIT_RecursionError);
  EXPECT_EQ(o.error.frame_count, MPIJIT_MAX_FRAMES);
}

TEST(Print, HandsOverWordsAndTypes) {
  Build b;
  const int x = b.parameter(Float);
  E text = b.e(types::string(), ir::Text{"x ="});
  b.add(ir::Print{{text, b.read(x), b.truth(true), b.tuple({b.i(3), b.e(None, ir::Const{})})}, " ", "!\n"});
  const Kernel k(b);
  testing::internal::CaptureStdout();
  EXPECT_EQ(k(words(2.5)).status, 0);
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "x = 2.5 True (3, None)!\n");
}

// ---- owners --------------------------------------------------------------------------------------------

void give_back(int64_t owner) { mpijit_release(reinterpret_cast<mpijit_block*>(owner)); }

TEST(Owners, AllocFillsAndRefuses) {
  for (ir::Fill fill : {ir::Fill::Zero, ir::Fill::One})
    for (DType d : {DType::Bool, DType::Int16, DType::Float32, DType::Float64, DType::Complex128}) {
      Build b;
      const int n = b.parameter(Int), m = b.parameter(Int);
      const Type t = types::array(d, 2, Layout::C);
      b.returns(b.alloc(t, {b.read(n), b.read(m)}, fill));
      const Kernel k(b);
      const Outcome o = k(words(int64_t{3}, int64_t{5}));
      EXPECT_EQ(o.words[1], 3);
      EXPECT_EQ(o.words[2], 5);
      EXPECT_EQ(o.words[3], 5 * size(d));
      EXPECT_EQ(o.words[4], size(d));
      const int64_t last = o.words[0] + 14 * size(d);
      if (d == DType::Float64) {
        EXPECT_EQ(*reinterpret_cast<double*>(last), fill == ir::Fill::One ? 1 : 0);
      }
      if (d == DType::Bool) {
        EXPECT_EQ(*reinterpret_cast<char*>(last), fill == ir::Fill::One ? 1 : 0);
      }
      EXPECT_EQ(mpijit_live_blocks(), 1);
      give_back(o.words[5]);
      EXPECT_EQ(k(words(int64_t{3}, int64_t{-1})).message(), "negative dimensions are not allowed");
      EXPECT_EQ(k(words(INT64_MAX, int64_t{3})).status, MPIJIT_ValueError);
      EXPECT_EQ(k(words(int64_t{1} << 61, int64_t{2})).status, MPIJIT_ValueError);
      EXPECT_EQ(k(words(int64_t{0}, int64_t{2})).status, 0);
    }
  // The blocks of the empty results above are never returned to: they are the test's own.
}

TEST(Owners, SwapAndRebindInALoop) {
  // u = zeros(n); v = ones(n); for t in range(k): u, v = v, u; u = u[1:]; w = zeros(n); return u
  Build b;
  const int n = b.parameter(Int), k = b.parameter(Int);
  const int u = b.local(Vector, true), v = b.local(Vector, true), w = b.local(Vector, true),
            pair = b.local(types::tuple({Vector, Vector}), true), t = b.local(Int);
  E tail = b.e(Vector, ir::View{b.read(u), {ir::Range{b.i(1), nullptr, nullptr}}});
  b.f->body = {
      b.assign(u, b.alloc(Vector, {b.read(n)})), b.assign(v, b.alloc(Vector, {b.read(n)}, ir::Fill::One)),
      b.range(t, b.i(0), b.read(k), b.i(1),
              {b.assign(pair, b.tuple({b.read(v), b.read(u)})), b.assign(u, b.e(Vector, ir::Item{b.read(pair), 0})),
               b.assign(v, b.e(Vector, ir::Item{b.read(pair), 1})), b.assign(u, tail),
               b.assign(w, b.alloc(Vector, {b.read(n)}))})};
  b.returns(b.read(u));
  const int64_t before = mpijit_live_blocks();
  for (int level : {0, 2}) {
    const Outcome o = Kernel(b, level)(words(int64_t{6}, int64_t{5}));
    ASSERT_EQ(o.status, 0);
    EXPECT_EQ(o.words[1], 3);
    EXPECT_EQ(*reinterpret_cast<double*>(o.words[0]), 1.0);
    EXPECT_EQ(mpijit_live_blocks(), before + 1);
    give_back(o.words.end()[-2]);
    EXPECT_EQ(mpijit_live_blocks(), before);
  }
}

TEST(Owners, ChoiceOfArgumentOrNew) {
  // w = a if c else zeros(3); return w
  Build b;
  const int a = b.parameter(Vector), c = b.parameter(Bool), w = b.local(Vector, true);
  b.f->body = {b.assign(w, b.e(Vector, ir::Choose{b.read(c), b.read(a), b.alloc(Vector, {b.i(3)})}))};
  b.returns(b.read(w));
  const Kernel k(b);
  Host<double> h({2});
  const int64_t before = mpijit_live_blocks();
  Outcome o = k(words(h, int64_t{1}));
  EXPECT_EQ(o.words[3], 0); // the argument's memory: no owner
  o = k(words(h, int64_t{0}));
  EXPECT_EQ(mpijit_live_blocks(), before + 1);
  give_back(o.words[3]);
  // An argument with a block of its own keeps it, and the result has a reference.
  mpijit_block* block = nullptr;
  ASSERT_EQ(mpijit_alloc(nullptr, 2, 8, 0, &block), 0);
  const Words owned = {reinterpret_cast<int64_t>(block->data), 2, 8, reinterpret_cast<int64_t>(block), 1};
  o = k(owned);
  EXPECT_EQ(block->count, 2);
  give_back(o.words[3]);
  EXPECT_EQ(block->count, 1);
  mpijit_release(block);
  EXPECT_EQ(mpijit_live_blocks(), before);
}

TEST(Owners, RaiseHalfWayReleasesEverything) {
  // callee(a) raises when a is short; kernel: u = zeros(n); t = (zeros(n), callee(u)); p = u[1:] (a parameter rebound)
  Build b;
  ir::Function* kernel = b.f;
  const int callee = b.function("callee");
  const int a = b.parameter(Vector), made = b.local(Vector, true);
  b.f->body = {b.assign(made, b.alloc(Vector, {b.i(9)})),
               b.s(ir::If{b.less(b.dim(a, 0), b.i(4)), {b.s(ir::Raise{MPIJIT_ValueError, "short"})}, {}})};
  b.returns(b.read(made));
  b.f = kernel;
  const int p = b.parameter(Vector, true), n = b.parameter(Int), u = b.local(Vector, true);
  const Type both = types::tuple({Vector, Vector});
  const int t = b.local(both, true);
  E rebound = b.e(Vector, ir::View{b.read(p), {ir::Range{b.i(1), nullptr, nullptr}}});
  b.f->body = {b.assign(p, rebound), b.assign(u, b.alloc(Vector, {b.read(n)})),
               b.assign(t, b.tuple({b.alloc(Vector, {b.read(n)}), b.e(Vector, ir::Call{callee, {b.read(u)}})})),
               b.s(ir::Release{u})};
  b.returns(b.tuple({b.e(Vector, ir::Item{b.read(t), 1}), b.read(p)}));
  const int64_t before = mpijit_live_blocks();
  mpijit_block* block = nullptr;
  ASSERT_EQ(mpijit_alloc(nullptr, 2, 8, 0, &block), 0);
  for (int level : {0, 2, 3}) {
    const Kernel k(b, level);
    const auto arguments = [&](int64_t size) {
      return Words{reinterpret_cast<int64_t>(block->data), 2, 8, reinterpret_cast<int64_t>(block), size};
    };
    EXPECT_EQ(k(arguments(3)).message(), "short");
    EXPECT_EQ(mpijit_live_blocks(), before + 1);
    EXPECT_EQ(block->count, 1);
    const Outcome o = k(arguments(4));
    EXPECT_EQ(mpijit_live_blocks(), before + 2);
    EXPECT_EQ(block->count, 2);
    give_back(o.words[3]);
    give_back(o.words[7]);
    EXPECT_EQ(block->count, 1);
  }
  mpijit_release(block);
  EXPECT_EQ(mpijit_live_blocks(), before);
}

TEST(Owners, TemporariesWithoutAName) {
  // Values that nobody keeps: an element and a length of a new array, an item of a new tuple, an unused result.
  Build b;
  const int u = b.local(Vector, true);
  E fresh = b.alloc(Vector, {b.i(4)}, ir::Fill::One);
  E element = b.e(types::strong(DType::Float64), ir::Load{fresh, {{b.i(2)}}});
  E length = b.e(Int, ir::Dim{b.alloc(Vector, {b.i(7)}), 0});
  E second = b.e(Vector, ir::Item{b.tuple({b.alloc(Vector, {b.i(1)}), b.alloc(Vector, {b.i(2)})}), 1});
  E named = b.e(Int, ir::Dim{b.e(Vector, ir::Bind{u, second}), 0});
  b.add(ir::Evaluate{b.alloc(Vector, {b.i(3)})});
  b.returns(b.tuple({element, length, named}));
  const int64_t before = mpijit_live_blocks();
  const Outcome o = Kernel(b)();
  EXPECT_EQ(o.real(0), 1);
  EXPECT_EQ(o.words[1], 7);
  EXPECT_EQ(o.words[2], 2);
  EXPECT_EQ(mpijit_live_blocks(), before);
}

// ---- MPI on one process --------------------------------------------------------------------------------

E mpi(Build& b, const char* name, Type t, std::vector<E> args) {
  return b.e(t, ir::MpiCall{find_routine(name), std::move(args)});
}
E world(Build& b) { return b.e(types::comm(), ir::Const{MPIJIT_COMM_WORLD, 0}); }
E sum(Build& b) { return b.e(types::op(), ir::Const{MPIJIT_SUM, 0}); }

TEST(Mpi, EnvironmentAndScalarReduction) {
  ASSERT_EQ(mpijit_begin(nullptr), 0);
  Build b;
  const int x = b.parameter(types::strong(DType::Int32)), c = b.parameter(types::comm()),
            flag = b.parameter(types::weak_bool());
  E lor = b.e(types::op(), ir::Const{MPIJIT_LOR, 0});
  b.add(ir::Evaluate{mpi(b, "barrier", None, {world(b)})});
  b.returns(b.tuple({mpi(b, "rank", Int, {world(b)}), mpi(b, "size", Int, {b.read(c)}),
                     mpi(b, "allreduce", types::strong(DType::Int32), {b.read(x), nullptr, sum(b), world(b)}),
                     b.less(b.d(0), mpi(b, "wtime", Float, {})),
                     mpi(b, "allreduce", Bool, {b.read(flag), nullptr, lor, world(b)})}));
  const Outcome o = Kernel(b)(words(int32_t{-5}, int64_t{MPIJIT_COMM_WORLD}, int64_t{1}));
  ASSERT_EQ(o.status, 0) << o.message();
  EXPECT_EQ(o.words[0], 0);
  EXPECT_EQ(o.words[1], 1);
  EXPECT_EQ(o.words[2], -5);
  EXPECT_EQ(o.words[3], 1);
  EXPECT_EQ(o.words[4], 1);
}

TEST(Mpi, ArraysRequestsAndStatus) {
  ASSERT_EQ(mpijit_begin(nullptr), 0);
  Build b;
  const int u = b.parameter(Vector), v = b.parameter(Strided);
  const auto to = [&](int64_t rank) { return b.i(rank); };
  const int r = b.local(types::request()), s = b.local(types::request()), status = b.local(types::status());
  b.f->body = {b.assign(r, mpi(b, "irecv", types::request(), {b.read(v), to(0), b.i(3), world(b)})),
               b.assign(s, mpi(b, "isend", types::request(), {b.read(u), to(0), b.i(3), world(b)})),
               b.s(ir::Evaluate{mpi(b, "wait", types::status(), {b.read(s)})}),
               b.assign(status, mpi(b, "wait", types::status(), {b.read(r)})),
               b.s(ir::Evaluate{mpi(b, "waitall", None, {b.tuple({b.read(r), b.read(s)})})}),
               b.s(ir::Evaluate{mpi(b, "allreduce", None, {nullptr, b.read(u), sum(b), world(b)})}),
               b.s(ir::Evaluate{mpi(b, "bcast", None, {b.read(v), to(0), world(b)})})};
  const auto field = [&](int f) { return b.e(Int, ir::StatusField{b.read(status), f}); };
  b.returns(b.tuple({field(0), field(1), field(2), field(3)}));
  Host<double> h({3});
  h.data = {1, 2, 3};
  double strided[6] = {};
  Words w = words(h);
  w.insert(w.end(), {reinterpret_cast<int64_t>(strided), 3, 16, 0});
  const Outcome o = Kernel(b)(w);
  ASSERT_EQ(o.status, 0) << o.message();
  EXPECT_EQ(o.words[0], 0);
  EXPECT_EQ(o.words[1], 3);
  EXPECT_EQ(o.words[2], 3);
  EXPECT_EQ(o.words[3], 24);
  EXPECT_EQ(strided[2], 2);
  EXPECT_EQ(strided[3], 0);
  EXPECT_EQ(h.data[2], 3);
}

TEST(Mpi, ErrorsCarryTheKernelsLine) {
  ASSERT_EQ(mpijit_begin(nullptr), 0);
  Build b;
  const int u = b.parameter(types::array(DType::Float64, 1, Layout::C, true));
  b.line = 31;
  b.add(ir::Evaluate{mpi(b, "send", None, {b.read(u), b.i(99), b.i(0), world(b)})});
  Host<double> h({3});
  const Outcome o = Kernel(b)(words(h));
  EXPECT_NE(o.status, 0);
  EXPECT_STREQ(o.error.routine, "send");
  EXPECT_EQ(o.error.frames[0].line, 31);
}

} // namespace
