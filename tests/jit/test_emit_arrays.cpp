// Arrays in compiled code: elements, slices (against CPython's algorithm), views.
#include "emit_build.h"

#include <optional>

using namespace emit_test;

namespace {

// ---- elements and views --------------------------------------------------------------------------------

TEST(Elements, WrapAndRaise) {
  for (Type t : {Vector, Strided}) {
    Build b;
    const int a = b.parameter(t), i = b.parameter(Int);
    b.line = 3;
    b.returns(b.load(a, {{b.read(i)}}));
    const Kernel k(b);
    Host<double> h({4});
    h.data = {1, 2, 3, 4};
    for (int64_t n = -4; n < 4; ++n)
      EXPECT_EQ(k(words(h, n)).real(), h.data[static_cast<size_t>((n + 4) % 4)]);
    for (int64_t n : {int64_t{4}, int64_t{-5}, INT64_MAX, INT64_MIN}) {
      const Outcome o = k(words(h, n));
      EXPECT_EQ(o.status, MPIJIT_IndexError);
      EXPECT_EQ(o.message(), "index " + std::to_string(n) + " is out of bounds for axis 0 with size 4");
      EXPECT_EQ(o.error.frames[0].line, 3);
    }
  }
}

TEST(Elements, ConstantIndicesAndUncheckedOnes) {
  Build b;
  const int a = b.parameter(Vector);
  b.returns(b.tuple({b.load(a, {{b.i(0)}}), b.load(a, {{b.i(-1)}}), b.load(a, {{b.i(1), false, false}})}));
  const Kernel k(b);
  Host<double> h({3});
  h.data = {5, 6, 7};
  const Outcome o = k(words(h));
  EXPECT_EQ(o.real(0), 5);
  EXPECT_EQ(o.real(1), 7);
  EXPECT_EQ(o.real(2), 6);
  Host<double> empty({0});
  EXPECT_EQ(k(words(empty)).message(), "index 0 is out of bounds for axis 0 with size 0");
}

TEST(Elements, EveryDtypeIsLoadedAndStored) {
  for (DType d : {DType::Bool, DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::UInt8, DType::UInt64,
                  DType::Float32, DType::Float64})
    for (Layout layout : {Layout::C, Layout::Strided}) {
      Build b;
      const int a = b.parameter(types::array(d, 2, layout));
      E one = b.e(types::strong(d), ir::Const{1, 1});
      b.f->body.push_back(b.store(a, {{b.i(1)}, {b.i(0)}}, one));
      b.returns(b.load(a, {{b.i(1)}, {b.i(0)}}));
      alignas(16) char memory[64] = {};
      const int64_t bytes = size(d);
      const Words w = {reinterpret_cast<int64_t>(memory), 2, 3, 3 * bytes, bytes, 0};
      const Outcome o = Kernel(b)(w);
      EXPECT_EQ(o.status, 0);
      EXPECT_NE(o.words[0], 0);
      EXPECT_EQ(
          std::memcmp(memory + 3 * bytes,
                      is_float(d) ? (bytes == 8 ? words(1.0).data() : words(1.f).data()) : words(int64_t{1}).data(),
                      static_cast<size_t>(bytes)),
          0);
    }
}

TEST(Elements, ZeroDimensional) {
  Build b;
  const int a = b.parameter(types::array(DType::Float64, 0, Layout::C));
  b.f->body.push_back(b.store(a, {}, b.e(types::strong(DType::Float64), ir::Const{0, 4.5})));
  b.returns(b.load(a, {}));
  double x = 0;
  EXPECT_EQ(Kernel(b)({reinterpret_cast<int64_t>(&x), 0}).real(), 4.5);
  EXPECT_EQ(x, 4.5);
}

using Bound = std::optional<int64_t>;
/// CPython's PySlice_Unpack and PySlice_AdjustIndices.
std::pair<int64_t, int64_t> adjust(int64_t n, Bound start, Bound stop, int64_t step) {
  step = std::max(step, -INT64_MAX);
  const auto clamp = [&](int64_t x) {
    if (x < 0) {
      x += n;
      return x < 0 ? (step < 0 ? int64_t{-1} : 0) : x;
    }
    return x >= n ? (step < 0 ? n - 1 : n) : x;
  };
  const int64_t first = start ? clamp(*start) : step < 0 ? n - 1 : 0, last = stop ? clamp(*stop) : step < 0 ? -1 : n;
  const int64_t count = step < 0       ? (last < first ? (first - last - 1) / -step + 1 : 0)
                        : first < last ? (last - first - 1) / step + 1
                                       : 0;
  return {first, count};
}

void check_slice(const Kernel& k, int64_t n, const Words& bounds, Bound start, Bound stop, int64_t step) {
  Host<double> h({n});
  Words w = words(h);
  w.insert(w.end(), bounds.begin(), bounds.end());
  const Outcome o = k(w);
  const auto [first, count] = adjust(n, start, stop, step);
  ASSERT_EQ(o.status, 0);
  const auto text = [](Bound x) { return x ? std::to_string(*x) : std::string("None"); };
  EXPECT_EQ(o.words[1], count) << n << " [" << text(start) << ":" << text(stop) << ":" << step << "]";
  if (count > 0) {
    EXPECT_EQ(o.words[0] - w[0], 8 * first) << n << " [" << text(start) << ":" << text(stop) << ":" << step << "]";
    if (count > 1) {
      EXPECT_EQ(o.words[2], 8 * step);
    }
  }
}

const int64_t bound_values[] = {INT64_MIN, -7, -3, -2, -1, 0, 1, 2, 3, 7, INT64_MAX};

TEST(Slices, RunTimeBounds) {
  for (int form = 0; form < 8; ++form) {
    Build b;
    const int a = b.parameter(Strided), p = b.parameter(Int), q = b.parameter(Int), r = b.parameter(Int);
    ir::Range range{form & 1 ? b.read(p) : nullptr, form & 2 ? b.read(q) : nullptr, form & 4 ? b.read(r) : nullptr};
    b.returns(b.e(Strided, ir::View{b.read(a), {range}}));
    const Kernel k(b);
    for (int64_t n : {0, 1, 2, 5})
      for (int64_t start : bound_values)
        for (int64_t stop : bound_values)
          for (int64_t step : {INT64_MIN, int64_t{-3}, int64_t{-1}, int64_t{1}, int64_t{2}, INT64_MAX})
            check_slice(k, n, {start, stop, step}, form & 1 ? Bound(start) : Bound(), form & 2 ? Bound(stop) : Bound(),
                        form & 4 ? step : 1);
  }
}

TEST(Slices, ConstantBounds) {
  const Bound bounds[] = {{}, -7, -2, -1, 0, 1, 2, 7};
  for (Bound start : bounds)
    for (Bound stop : bounds)
      for (int64_t step : {-2, -1, 1, 3}) {
        Build b;
        const int a = b.parameter(Vector);
        ir::Range range{start ? b.i(*start) : nullptr, stop ? b.i(*stop) : nullptr, b.i(step)};
        b.returns(b.e(Strided, ir::View{b.read(a), {range}}));
        const Kernel k(b, 0);
        for (int64_t n : {0, 1, 2, 3, 8})
          check_slice(k, n, {}, start, stop, step);
      }
}

TEST(Slices, StepZeroRaises) {
  Build b;
  const int a = b.parameter(Strided), r = b.parameter(Int);
  b.returns(b.e(Strided, ir::View{b.read(a), {ir::Range{nullptr, nullptr, b.read(r)}}}));
  Host<double> h({3});
  EXPECT_EQ(Kernel(b)(words(h, int64_t{0})).message(), "slice step cannot be zero");
}

TEST(Views, IndicesAndRangesMix) {
  // a[1:, -1, ::-1] of a 3x4x5 array, read back through a strided view; then a row that stays C-contiguous.
  Build b;
  const Type cube = types::array(DType::Float64, 3, Layout::C),
             plane = types::array(DType::Float64, 2, Layout::Strided);
  const int a = b.parameter(cube), v = b.local(plane), row = b.local(Vector);
  E view = b.e(
      plane, ir::View{b.read(a),
                      {ir::Range{b.i(1), nullptr, nullptr}, ir::Index{b.i(-1)}, ir::Range{nullptr, nullptr, b.i(-1)}}});
  b.f->body.push_back(b.assign(v, view));
  E line =
      b.e(Vector, ir::View{b.read(a), {ir::Index{b.i(2)}, ir::Index{b.i(1)}, ir::Range{nullptr, nullptr, nullptr}}});
  b.f->body.push_back(b.assign(row, line));
  b.returns(b.tuple({b.load(v, {{b.i(1)}, {b.i(1)}}), b.load(row, {{b.i(4)}}), b.dim(v, 0), b.dim(v, 1),
                     b.cast(ir::CastKind::Relayout, Strided, b.read(row))}));
  Host<double> h({3, 4, 5});
  for (size_t n = 0; n < 60; ++n)
    h.data[n] = static_cast<double>(n);
  const Outcome o = Kernel(b)(words(h));
  EXPECT_EQ(o.real(0), 2 * 20 + 3 * 5 + 3);
  EXPECT_EQ(o.real(1), 2 * 20 + 5 + 4);
  EXPECT_EQ(o.words[2], 2);
  EXPECT_EQ(o.words[3], 5);
  EXPECT_EQ(o.words[4], reinterpret_cast<int64_t>(&h.data[45]));
  EXPECT_EQ(o.words[6], 8); // the stride of the relaid row
}

} // namespace
