// Scalars in compiled code against oracles written in plain C++, over grids of edge values.
#include "emit_build.h"

using namespace emit_test;

namespace {

// ---- integers ------------------------------------------------------------------------------------------

template <class T> struct Integers : testing::Test {};
using IntegerTypes = testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(Integers, IntegerTypes);

template <class T> std::vector<T> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> all = {L::min(), static_cast<T>(L::min() + 1), 0,       1, 2, 3, 7, 8,
                        100,      static_cast<T>(L::max() - 1), L::max()};
  for (int k : {1, 2, 3, 7, 8, 9})
    all.push_back(static_cast<T>(-k));
  return all;
}
template <class T> T floor_div(T a, T b) {
  if (b == 0)
    return 0;
  const __int128 x = a, y = b, q = x / y;
  return static_cast<T>(x % y != 0 && (x % y < 0) != (y < 0) ? q - 1 : q);
}
template <class T> T modulo(T a, T b) {
  if (b == 0)
    return 0;
  const __int128 x = a, y = b, r = x % y;
  return static_cast<T>(r != 0 && (r < 0) != (y < 0) ? r + y : r);
}
template <class T> T oracle(Op op, T a, T b) {
  using U = std::make_unsigned_t<T>;
  constexpr uint64_t width = 8 * sizeof(T);
  const auto count = static_cast<U>(b);
  const auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (op) {
  case Op::Add: return static_cast<T>(ua + ub);
  case Op::Sub: return static_cast<T>(ua - ub);
  case Op::Mult: return static_cast<T>(ua * ub);
  case Op::FloorDiv: return floor_div(a, b);
  case Op::Mod: return modulo(a, b);
  case Op::LShift: return count < width ? static_cast<T>(ua << count) : T(0);
  case Op::RShift: return static_cast<T>(count < width ? a >> count : a < 0 ? -1 : 0);
  case Op::BitOr: return a | b;
  case Op::BitXor: return a ^ b;
  case Op::BitAnd: return a & b;
  default: return 0;
  }
}
constexpr Op integer_ops[] = {Op::Add,    Op::Sub,    Op::Mult,  Op::FloorDiv, Op::Mod,
                              Op::LShift, Op::RShift, Op::BitOr, Op::BitXor,   Op::BitAnd};

TYPED_TEST(Integers, StrongOperatorsAtEdges) {
  using T = TypeParam;
  const Type t = types::strong(dtype_of(T()));
  Build b;
  const int x = b.parameter(t), y = b.parameter(t);
  std::vector<E> results;
  for (Op op : integer_ops)
    results.push_back(b.op(op, b.read(x), b.read(y)));
  results.push_back(b.e(t, ir::Unary{ir::UnaryOp::Neg, b.read(x)}));
  results.push_back(b.e(t, ir::Unary{ir::UnaryOp::Invert, b.read(x)}));
  b.returns(b.tuple(results));
  const Kernel k(b);
  for (T p : edges<T>())
    for (T q : edges<T>()) {
      const Outcome o = k(words(p, q));
      ASSERT_EQ(o.status, 0);
      size_t at = 0;
      for (Op op : integer_ops)
        EXPECT_EQ(o.words[at++], static_cast<int64_t>(oracle<T>(op, p, q))) << int(op) << ": " << +p << ", " << +q;
      EXPECT_EQ(o.words[at++], static_cast<int64_t>(static_cast<T>(0 - static_cast<uint64_t>(p))));
      EXPECT_EQ(o.words[at++], static_cast<int64_t>(static_cast<T>(~p)));
    }
}

TYPED_TEST(Integers, ConstantDivisors) {
  using T = TypeParam;
  const Type t = types::strong(dtype_of(T()));
  for (T q : edges<T>()) {
    Build b;
    const int x = b.parameter(t);
    E divisor = b.e(t, ir::Const{static_cast<int64_t>(q), 0});
    b.returns(b.tuple({b.op(Op::FloorDiv, b.read(x), divisor), b.op(Op::Mod, b.read(x), divisor)}));
    const Kernel k(b);
    for (T p : edges<T>()) {
      const Outcome o = k(words(p));
      EXPECT_EQ(o.words[0], static_cast<int64_t>(floor_div<T>(p, q))) << +p << " // " << +q;
      EXPECT_EQ(o.words[1], static_cast<int64_t>(modulo<T>(p, q))) << +p << " % " << +q;
    }
  }
}

TYPED_TEST(Integers, PowerAndCompare) {
  using T = TypeParam;
  const Type t = types::strong(dtype_of(T()));
  Build b;
  const int x = b.parameter(t), y = b.parameter(t);
  b.returns(b.tuple({b.compare(Cmp::Lt, b.read(x), b.read(y)), b.compare(Cmp::GtE, b.read(x), b.read(y)),
                     b.compare(Cmp::Eq, b.read(x), b.read(y)), b.op(Op::Pow, b.read(x), b.e(t, ir::Const{3, 0})),
                     b.op(Op::Pow, b.read(x), b.read(y))}));
  const Kernel k(b);
  for (T p : edges<T>())
    for (T q : edges<T>()) {
      const Outcome o = k(words(p, q));
      if (q < 0) {
        EXPECT_EQ(o.status, MPIJIT_ValueError);
        EXPECT_EQ(o.message(), "Integers to negative integer powers are not allowed.");
        continue;
      }
      EXPECT_EQ(o.words[0], p < q);
      EXPECT_EQ(o.words[1], p >= q);
      EXPECT_EQ(o.words[2], p == q);
      uint64_t cube = static_cast<uint64_t>(p) * static_cast<uint64_t>(p) * static_cast<uint64_t>(p), power = 1;
      EXPECT_EQ(o.words[3], static_cast<int64_t>(static_cast<T>(cube)));
      uint64_t base = static_cast<uint64_t>(p);
      for (auto n = static_cast<uint64_t>(q); n; n >>= 1, base *= base)
        power *= n & 1 ? base : 1;
      EXPECT_EQ(o.words[4], static_cast<int64_t>(static_cast<T>(power)));
    }
}

TEST(WeakIntegers, RaiseWhereNumpyWouldNot) {
  struct Case {
    Op op;
    int64_t a, b;
    int32_t code;
    const char* message;
  };
  const Case cases[] = {{Op::FloorDiv, 1, 0, MPIJIT_ZeroDivisionError, "integer division or modulo by zero"},
                        {Op::Mod, 1, 0, MPIJIT_ZeroDivisionError, "integer modulo by zero"},
                        {Op::LShift, 1, -1, MPIJIT_ValueError, "negative shift count"},
                        {Op::RShift, 1, -1, MPIJIT_ValueError, "negative shift count"},
                        {Op::Pow, 2, -1, MPIJIT_ValueError, "Integers to negative integer powers are not allowed."}};
  for (const Case& c : cases)
    for (bool constant : {false, true}) {
      Build b;
      const int x = b.parameter(Int), y = b.parameter(Int);
      b.line = 7;
      b.returns(b.op(c.op, b.read(x), constant ? b.i(c.b) : b.read(y)));
      const Kernel k(b);
      const Outcome o = k(words(c.a, c.b));
      EXPECT_EQ(o.status, c.code);
      EXPECT_EQ(o.message(), c.message);
      EXPECT_EQ(o.error.frame_count, 1);
      EXPECT_EQ(o.error.frames[0].line, 7);
      EXPECT_STREQ(o.error.frames[0].kernel, "kernel");
      EXPECT_STREQ(o.error.frames[0].file, "kernels.py");
    }
  Build b;
  const int x = b.parameter(Int), y = b.parameter(Int);
  b.returns(b.tuple({b.op(Op::FloorDiv, b.read(x), b.read(y)), b.op(Op::Mod, b.read(x), b.read(y))}));
  const Kernel k(b);
  const Outcome o = k(words(INT64_MIN, int64_t{-1}));
  EXPECT_EQ(o.words[0], INT64_MIN);
  EXPECT_EQ(o.words[1], 0);
}

// ---- floats --------------------------------------------------------------------------------------------

template <class T> struct Floats : testing::Test {};
using FloatTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Floats, FloatTypes);

template <class T> std::vector<T> real_edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> all = {0,      1,       2,        3,        T(0.1),          T(0.3),
                        T(7.5), T(1e10), L::max(), L::min(), L::denorm_min(), L::infinity()};
  for (size_t k = 0, n = all.size(); k < n; ++k)
    all.push_back(-all[k]);
  all.push_back(L::quiet_NaN());
  return all;
}
/// NumPy's npy_divmod and npy_floor_divide.
template <class T> std::pair<T, T> numpy_divmod(T a, T b) {
  T mod = std::fmod(a, b);
  if (b == 0)
    return {a / b, mod};
  T div = (a - mod) / b;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(T(0), b);
  }
  T whole;
  if (div != 0) {
    whole = std::floor(div);
    if (div - whole > T(0.5))
      whole += 1;
  } else {
    whole = std::copysign(T(0), a / b);
  }
  return {whole, mod};
}
template <class T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

TYPED_TEST(Floats, OperatorsAtEdges) {
  using T = TypeParam;
  const Type t = types::strong(dtype_of(T()));
  Build b;
  const int x = b.parameter(t), y = b.parameter(t);
  std::vector<E> results;
  for (Op op : {Op::Add, Op::Sub, Op::Mult, Op::Div, Op::FloorDiv, Op::Mod, Op::Pow})
    results.push_back(b.op(op, b.read(x), b.read(y)));
  results.push_back(b.e(t, ir::Unary{ir::UnaryOp::Neg, b.read(x)}));
  for (double exponent : {2.0, 3.0, 4.0, 0.5})
    results.push_back(b.op(Op::Pow, b.read(x), b.e(t, ir::Const{0, exponent})));
  for (Cmp c : {Cmp::Eq, Cmp::NotEq, Cmp::Lt, Cmp::LtE, Cmp::Gt, Cmp::GtE})
    results.push_back(b.compare(c, b.read(x), b.read(y)));
  b.returns(b.tuple(results));
  const Kernel k(b);
  for (T p : real_edges<T>())
    for (T q : real_edges<T>()) {
      const Outcome o = k(words(p, q));
      const auto [div, mod] = numpy_divmod(p, q);
      const T expected[] = {p + q, p - q,     p * q,           p / q,
                            div,   mod,       std::pow(p, q),  -p,
                            p * p, p * p * p, p * p * (p * p), std::pow(p, T(0.5))};
      for (size_t n = 0; n < std::size(expected); ++n)
        EXPECT_TRUE(same(value<T>(o.words[n]), expected[n]))
            << n << ": " << p << ", " << q << " gave " << value<T>(o.words[n]);
      const bool compared[] = {p == q, p != q, p<q, p <= q, p> q, p >= q};
      for (size_t n = 0; n < 6; ++n)
        EXPECT_EQ(o.words[std::size(expected) + n], compared[n]);
    }
}

// ---- casts ---------------------------------------------------------------------------------------------

template <class From, class To> void check_conversion(const std::vector<From>& values) {
  Build b;
  const int x = b.parameter(types::strong(dtype_of(From())));
  b.returns(b.cast(ir::CastKind::Convert, types::strong(dtype_of(To())), b.read(x)));
  const Kernel k(b);
  for (From v : values) {
    To expected = 0;
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      // By way of a signed integer whose lowest value stands for nan and what is out of range, as NumPy on x86-64.
      using Way = std::conditional_t<sizeof(To) < 4 || std::is_same_v<To, int32_t>, int32_t, int64_t>;
      const auto whole = [](long double wide) {
        wide = std::trunc(wide);
        const bool fits = wide >= std::numeric_limits<Way>::min() && wide <= std::numeric_limits<Way>::max();
        return fits ? static_cast<Way>(wide) : std::numeric_limits<Way>::min();
      };
      const bool large = std::is_same_v<To, uint64_t> && v >= From(0x1p63);
      expected = large ? static_cast<To>(whole(v - From(0x1p63))) ^ static_cast<To>(0x8000000000000000)
                       : static_cast<To>(whole(v));
    } else {
      expected = static_cast<To>(v);
    }
    EXPECT_EQ(k(words(v)).words[0], word(expected)) << +v;
  }
}
template <class To> void check_conversions() {
  check_conversion<int8_t, To>(edges<int8_t>());
  check_conversion<int64_t, To>(edges<int64_t>());
  check_conversion<uint32_t, To>(edges<uint32_t>());
  check_conversion<uint64_t, To>(edges<uint64_t>());
  const std::vector<double> reals = {0.0, -0.5, 2.9, -2.9, 255.0, 256.0, -129.0, 1e20, -1e20, INFINITY, -INFINITY};
  check_conversion<double, To>(reals);
  check_conversion<float, To>({0.f, -1.5f, 3e9f, -3e9f, 1e30f});
  if (std::is_integral_v<To>)
    check_conversion<double, To>({std::nan("")});
}
TEST(Casts, Convert) {
  check_conversions<int8_t>();
  check_conversions<int32_t>();
  check_conversions<int64_t>();
  check_conversions<uint8_t>();
  check_conversions<uint64_t>();
  check_conversions<float>();
  check_conversions<double>();
}

TEST(Casts, FitRaisesOutsideTheRange) {
  for (DType d : {DType::Int8, DType::UInt8, DType::Int32, DType::UInt32, DType::UInt64}) {
    Build b;
    const int x = b.parameter(Int);
    b.returns(b.cast(ir::CastKind::Fit, types::strong(d), b.read(x)));
    const Kernel k(b);
    const int bits = 8 * size(d);
    const int64_t low = is_signed(d) ? -(int64_t{1} << (bits - 1)) : 0;
    const int64_t high = bits == 64 ? INT64_MAX : (int64_t{1} << (is_signed(d) ? bits - 1 : bits)) - 1;
    EXPECT_EQ(k(words(low)).words[0], low);
    EXPECT_EQ(k(words(high)).words[0], high);
    EXPECT_EQ(k(words(low - 1)).status, MPIJIT_OverflowError);
    if (bits < 64) {
      EXPECT_EQ(k(words(high + 1)).message(),
                "Python integer " + std::to_string(high + 1) + " out of bounds for " + std::string(row(d).name));
    }
  }
  Build b;
  b.returns(b.cast(ir::CastKind::Fit, types::strong(DType::UInt8), b.i(300)));
  EXPECT_EQ(Kernel(b)().message(), "Python integer 300 out of bounds for uint8");
}

TEST(Casts, TruncateAsPythonsInt) {
  Build b;
  const int x = b.parameter(Float);
  b.returns(b.cast(ir::CastKind::Truncate, Int, b.read(x)));
  const Kernel k(b);
  EXPECT_EQ(k(words(2.9)).words[0], 2);
  EXPECT_EQ(k(words(-2.9)).words[0], -2);
  EXPECT_EQ(k(words(-0x1p63)).words[0], INT64_MIN);
  EXPECT_EQ(k(words(std::nan(""))).message(), "cannot convert float NaN to integer");
  EXPECT_EQ(k(words(std::nan(""))).status, MPIJIT_ValueError);
  EXPECT_EQ(k(words(double(INFINITY))).message(), "cannot convert float infinity to integer");
  EXPECT_EQ(k(words(0x1p63)).status, MPIJIT_OverflowError);
}

TEST(Casts, TruthAndBools) {
  Build b;
  const int x = b.parameter(Float), y = b.parameter(Int), z = b.parameter(Bool);
  E t = b.cast(ir::CastKind::Truth, Bool, b.read(x));
  b.returns(b.tuple({t, b.cast(ir::CastKind::Truth, Bool, b.read(y)), b.e(Bool, ir::Unary{ir::UnaryOp::Not, b.read(z)}),
                     b.cast(ir::CastKind::Convert, Int, b.read(z)), b.cast(ir::CastKind::Convert, Float, b.read(z)),
                     b.op(Op::BitXor, b.read(z), b.truth(true)), b.compare(Cmp::Lt, b.truth(false), b.read(z))}));
  const Kernel k(b);
  const Outcome o = k(words(std::nan(""), int64_t{-3}, int64_t{1}));
  EXPECT_EQ(o.words[0], 1);
  EXPECT_EQ(o.words[1], 1);
  EXPECT_EQ(o.words[2], 0);
  EXPECT_EQ(o.words[3], 1);
  EXPECT_EQ(o.real(4), 1.0);
  EXPECT_EQ(o.words[5], 0);
  EXPECT_EQ(o.words[6], 1);
  EXPECT_EQ(k(words(-0.0, int64_t{0}, int64_t{0})).words[0], 0);
}

// ---- math ----------------------------------------------------------------------------------------------

E math(Build& b, const char* name, std::vector<E> args) {
  const MathRow* row = find_math(name, static_cast<int>(args.size()));
  const Type t = row->result == MathResult::Float ? args[0]->type : row->result == MathResult::Int ? Int : Bool;
  return b.e(t, ir::Math{row, std::move(args)});
}

TEST(Math, FloatFunctions) {
  struct Case {
    const char* name;
    double (*oracle)(double);
  };
  const Case cases[] = {
      {"sqrt", [](double x) { return std::sqrt(x); }},        {"fabs", [](double x) { return std::fabs(x); }},
      {"exp", [](double x) { return std::exp(x); }},          {"exp2", [](double x) { return std::exp2(x); }},
      {"log", [](double x) { return std::log(x); }},          {"log10", [](double x) { return std::log10(x); }},
      {"sin", [](double x) { return std::sin(x); }},          {"tanh", [](double x) { return std::tanh(x); }},
      {"gamma", [](double x) { return std::tgamma(x); }},     {"lgamma", [](double x) { return std::lgamma(x); }},
      {"erf", [](double x) { return std::erf(x); }},          {"cbrt", [](double x) { return std::cbrt(x); }},
      {"degrees", [](double x) { return x * (180 / M_PI); }}, {"radians", [](double x) { return x * (M_PI / 180); }}};
  for (const Case& c : cases) {
    Build b;
    const int x = b.parameter(Float);
    b.returns(math(b, c.name, {b.read(x)}));
    const Kernel k(b);
    for (double v : {0.5, 2.0, -1.5, 100.0})
      EXPECT_TRUE(same(k(words(v)).real(), c.oracle(v)) || std::isnan(c.oracle(v))) << c.name << " " << v;
  }
}

TEST(Math, EveryRowCompiles) {
  Build b;
  const int x = b.parameter(Float), y = b.parameter(types::strong(DType::Float32)), n = b.parameter(Int);
  for (const char* name :
       {"sqrt",   "fabs", "exp",     "exp2",    "expm1", "log2", "log10", "log1p", "log",   "sin",     "cos",  "tan",
        "asin",   "acos", "atan",    "sinh",    "cosh",  "tanh", "asinh", "acosh", "atanh", "erf",     "erfc", "gamma",
        "lgamma", "cbrt", "degrees", "radians", "floor", "ceil", "trunc", "isnan", "isinf", "isfinite"})
    for (int slot : {x, y})
      b.add(ir::Evaluate{math(b, name, {b.read(slot)})});
  for (const char* name : {"copysign", "log", "atan2", "hypot", "pow", "fmod", "nextafter", "ldexp"})
    for (int slot : {x, y})
      b.add(ir::Evaluate{math(b, name, {b.read(slot), b.read(slot)})});
  b.add(ir::Evaluate{math(b, "fma", {b.read(x), b.read(x), b.read(x)})});
  for (const char* name : {"gcd", "lcm", "comb", "perm"})
    b.add(ir::Evaluate{math(b, name, {b.read(n), b.read(n)})});
  b.returns(math(b, "isqrt", {math(b, "factorial", {b.read(n)})}));
  EXPECT_EQ(Kernel(b, 0)(words(0.5, 0.5f, int64_t{4})).words[0], 4);
  EXPECT_EQ(Kernel(b, 3)(words(0.5, 0.5f, int64_t{4})).words[0], 4);
}

TEST(Math, RoundingToInt) {
  Build b;
  const int x = b.parameter(Float);
  b.returns(b.tuple({math(b, "floor", {b.read(x)}), math(b, "ceil", {b.read(x)}), math(b, "trunc", {b.read(x)})}));
  const Kernel k(b);
  const Outcome o = k(words(-2.5));
  EXPECT_EQ(o.words[0], -3);
  EXPECT_EQ(o.words[1], -2);
  EXPECT_EQ(o.words[2], -2);
  EXPECT_EQ(k(words(1e300)).status, MPIJIT_OverflowError);
}

TEST(Math, Classification) {
  Build b;
  const int x = b.parameter(Float);
  b.returns(b.tuple({math(b, "isnan", {b.read(x)}), math(b, "isinf", {b.read(x)}), math(b, "isfinite", {b.read(x)})}));
  const Kernel k(b);
  for (double v : {1.0, double(INFINITY), double(-INFINITY), std::nan("")}) {
    const Outcome o = k(words(v));
    EXPECT_EQ(o.words[0], std::isnan(v));
    EXPECT_EQ(o.words[1], std::isinf(v));
    EXPECT_EQ(o.words[2], std::isfinite(v));
  }
}

TEST(Math, IntegerFunctions) {
  struct Case {
    const char* name;
    int64_t x, y, result; // result < 0: the code of an error, negated
  };
  const Case cases[] = {{"gcd", -12, 18, 6},
                        {"gcd", 0, 0, 0},
                        {"gcd", INT64_MIN, 0, -MPIJIT_OverflowError},
                        {"lcm", -4, 6, 12},
                        {"lcm", 0, 5, 0},
                        {"lcm", INT64_MAX, INT64_MAX - 1, -MPIJIT_OverflowError},
                        {"comb", 5, 2, 10},
                        {"comb", 62, 31, 465428353255261088},
                        {"comb", 66, 33, 7219428434016265740},
                        {"comb", 68, 34, -MPIJIT_OverflowError},
                        {"comb", 3, 4, 0},
                        {"comb", INT64_MAX, INT64_MAX - 1, INT64_MAX},
                        {"comb", -1, 1, -MPIJIT_ValueError},
                        {"comb", 1, -1, -MPIJIT_ValueError},
                        {"perm", 5, 2, 20},
                        {"perm", 5, 0, 1},
                        {"perm", 3, 4, 0},
                        {"perm", INT64_MAX, 2, -MPIJIT_OverflowError},
                        {"factorial", 20, 0, 2432902008176640000},
                        {"factorial", 0, 0, 1},
                        {"factorial", 21, 0, -MPIJIT_OverflowError},
                        {"factorial", -1, 0, -MPIJIT_ValueError},
                        {"isqrt", 0, 0, 0},
                        {"isqrt", 15, 0, 3},
                        {"isqrt", 16, 0, 4},
                        {"isqrt", INT64_MAX, 0, 3037000499},
                        {"isqrt", 3037000499LL * 3037000499LL, 0, 3037000499},
                        {"isqrt", 3037000499LL * 3037000499LL - 1, 0, 3037000498},
                        {"isqrt", -1, 0, -MPIJIT_ValueError}};
  for (const Case& c : cases) {
    Build b;
    const int x = b.parameter(Int), y = b.parameter(Int);
    std::vector<E> args = {b.read(x)};
    if (std::strcmp(c.name, "factorial") != 0 && std::strcmp(c.name, "isqrt") != 0)
      args.push_back(b.read(y));
    b.returns(math(b, c.name, args));
    const Outcome o = Kernel(b)(words(c.x, c.y));
    EXPECT_EQ(o.status ? -o.status : o.words[0], c.result) << c.name << " " << c.x << " " << c.y << " " << o.message();
  }
}

} // namespace
