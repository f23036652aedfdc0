// Whole functions in compiled code: errors and their frames, calls of kernels, of the runtime and of MPI (on one
// process), and who owns which array.
#include "emit_build.h"

using namespace emit_test;

namespace {

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
  for (const bool ones : {false, true})
    for (DType d : {DType::Bool, DType::Int16, DType::Float32, DType::Float64, DType::Complex128}) {
      Build b;
      const int n = b.parameter(Int), m = b.parameter(Int);
      const Type t = types::array(d, 2, Layout::C);
      if (ones && is_complex(d))
        continue;
      const std::vector<E> shape = {b.read(n), b.read(m)};
      b.returns(ones ? b.ones(t, shape) : b.alloc(t, shape));
      const Kernel k(b);
      const int64_t before = mpijit_live_blocks();
      const Outcome o = k(words(int64_t{3}, int64_t{5}));
      EXPECT_EQ(o.words[1], 3);
      EXPECT_EQ(o.words[2], 5);
      EXPECT_EQ(o.words[3], 5 * size(d));
      EXPECT_EQ(o.words[4], size(d));
      const int64_t last = o.words[0] + 14 * size(d);
      if (d == DType::Float64) {
        EXPECT_EQ(*reinterpret_cast<double*>(last), ones ? 1 : 0);
      }
      if (d == DType::Bool) {
        EXPECT_EQ(*reinterpret_cast<char*>(last), ones ? 1 : 0);
      }
      EXPECT_EQ(mpijit_live_blocks(), before + 1);
      give_back(o.words[5]);
      EXPECT_EQ(k(words(int64_t{3}, int64_t{-1})).message(), "negative dimensions are not allowed");
      EXPECT_EQ(k(words(INT64_MAX, int64_t{3})).status, MPIJIT_ValueError);
      const Outcome empty = k(words(int64_t{0}, int64_t{2}));
      EXPECT_EQ(empty.status, 0);
      give_back(empty.words[5]);
      EXPECT_EQ(mpijit_live_blocks(), before);
    }
}

TEST(Owners, SwapAndRebindInALoop) {
  // u = zeros(n); v = ones(n); for t in range(k): u, v = v, u; u = u[1:]; w = zeros(n); return u
  Build b;
  const int n = b.parameter(Int), k = b.parameter(Int);
  const int u = b.local(Vector, true), v = b.local(Vector, true), w = b.local(Vector, true),
            pair = b.local(types::tuple({Vector, Vector}), true), t = b.local(Int);
  E tail = b.e(Vector, ir::View{b.read(u), {ir::Range{b.i(1), nullptr, nullptr}}});
  b.f->body = {
      b.assign(u, b.alloc(Vector, {b.read(n)})), b.assign(v, b.ones(Vector, {b.read(n)})),
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
  E fresh = b.ones(Vector, {b.i(4)});
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
