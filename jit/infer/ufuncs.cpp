// NumPy's universal functions: each a row that says how to make it of operators and of rows of math.inc, on scalars.
// Arrays follow by applying that to elements. See body.h.
#include "infer/body.h"

#include <array>
#include <limits>
#include <numbers>

namespace mpijit::jit::inference {

/// What rules are written with: the body, where the call stands, the row.
struct Ufuncs {
  struct Row;
  using Operands = std::vector<Operand>;
  using Rule = Operand (*)(const Ufuncs&, const Row&, const Operands&);
  struct Row {
    std::string_view name;
    size_t arity;
    Rule rule;
    std::string_view of = {}; // of math.inc or complex.inc
    int op = 0;               // ir::BinaryOp or ir::CompareOp
  };
  static const std::vector<Row>& rows();
  static const Row* find(std::string_view name);

  Body& body;
  Span span;

  // ---- small pieces ----------------------------------------------------------------------------------

  ir::Expr* number(Type t, double value) const {
    return body.make(t, span, ir::Const{static_cast<int64_t>(value), value});
  }
  ir::Expr* binary(ir::BinaryOp op, ir::Expr* a, ir::Expr* b) const {
    return body.make(a->type, span, ir::Binary{op, a, b});
  }
  ir::Expr* compare(ir::CompareOp op, ir::Expr* a, ir::Expr* b) const {
    return body.make(truth_type(), span, ir::Compare{op, a, b});
  }
  ir::Expr* either(ir::Expr* a, ir::Expr* b) const { return binary(ir::BinaryOp::BitOr, a, b); }
  ir::Expr* select(ir::Expr* cond, ir::Expr* yes, ir::Expr* no) const {
    return body.make(yes->type, span, ir::Choose{cond, yes, no});
  }
  ir::Expr* math(std::string_view name, std::vector<ir::Expr*> x, Type t = nullptr) const {
    const Type type = t ? t : x[0]->type;
    return body.make(type, span, ir::Math{find_math(name, static_cast<int>(x.size())), std::move(x)});
  }
  /// Of an integer, as a uint64.
  ir::Expr* magnitude(ir::Expr* x) const {
    const Type t = x->type;
    if (!t->is_bool())
      x = body.absolute({x, {}}, span).expr;
    if (const int bytes = size(t->dtype); kind(t->dtype) == 'i' && bytes < 8) // not extended by the sign of the lowest
      x = body.convert_scalar(x, types::strong(bytes == 1 ? DType::UInt8 : bytes == 2 ? DType::UInt16 : DType::UInt32));
    return body.convert_scalar(x, types::strong(DType::UInt64));
  }
  static Type truth_type() { return types::strong(DType::Bool); }
  ir::Expr* is_nan(ir::Expr* x) const { return compare(ir::CompareOp::NotEq, x, x); }
  [[noreturn]] void refuse_type(const Row& row, Type t) const {
    refuse(Diag::OperandType, span, {"np." + std::string(row.name), to_string(t)});
  }
  /// The type that all operands meet in.
  static Type promoted(const Operands& x) {
    Type t = x[0].type();
    for (const Operand& o : x)
      t = promote_scalars(t, o.type());
    return t;
  }
  /// The float type of a function of several: of dtypes the one that holds each one's floats (np.hypot of int8 and
  /// uint16 is float32, though both are int32 in common); a Python number joins the others first.
  static Type float_of_all(const Operands& x) {
    if (std::any_of(x.begin(), x.end(), [](const Operand& o) { return o.type()->weak; }))
      return float_function_type(promoted(x));
    Type t = float_function_type(x[0].type());
    for (const Operand& o : x)
      t = promote_scalars(t, float_function_type(o.type()));
    return t;
  }
  /// Operands brought to t, named so that they may be used twice. Evaluated in their order by `in_order`.
  std::vector<Body::Shared> shared(const Operands& x, Type t) const {
    std::vector<Body::Shared> out;
    for (const Operand& o : x)
      out.push_back(body.share(body.coerce(o, t, span)));
    return out;
  }
  /// result, after what names its operands.
  Operand in_order(const std::vector<Body::Shared>& x, ir::Expr* result) const {
    for (size_t k = x.size(); k-- > 0;)
      result = body.after(x[k].first, result);
    return {result, {}};
  }

  // ---- rules -----------------------------------------------------------------------------------------

  static Operand arithmetic(const Ufuncs& u, const Row& row, const Operands& x) {
    return u.body.arithmetic(static_cast<ir::BinaryOp>(row.op), x[0], x[1], u.span);
  }
  static Operand comparison(const Ufuncs& u, const Row& row, const Operands& x) {
    return {u.body.convert_scalar(
                u.body.compare_scalars(static_cast<ir::CompareOp>(row.op), x[0].expr, x[1].expr, u.span), truth_type()),
            {}};
  }
  static Operand logical(const Ufuncs& u, const Row& row, const Operands& x) {
    std::vector<ir::Expr*> truths;
    for (const Operand& o : x)
      truths.push_back(u.body.convert_scalar(u.body.truth({o.expr, {}}, u.span).expr, truth_type()));
    if (x.size() == 1)
      return {u.body.make(truth_type(), u.span, ir::Unary{ir::UnaryOp::Not, truths[0]}), {}};
    return {u.binary(static_cast<ir::BinaryOp>(row.op), truths[0], truths[1]), {}};
  }
  static Operand unary(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = x[0].type();
    const bool invert = row.op == 1;
    if (t->is_bool() && !invert)
      refuse(Diag::BoolSubtract, u.span);
    if (invert && !t->is_integer() && !t->is_bool())
      u.refuse_type(row, t);
    if (row.op == 2)
      return {x[0].expr, {}};
    const ir::UnaryOp op = !invert ? ir::UnaryOp::Neg : t->is_bool() ? ir::UnaryOp::Not : ir::UnaryOp::Invert;
    return {u.body.make(t, u.span, ir::Unary{op, x[0].expr}), {}};
  }
  static Operand absolute(const Ufuncs& u, const Row&, const Operands& x) { return u.body.absolute(x[0], u.span); }
  static Operand conjugate(const Ufuncs& u, const Row&, const Operands& x) {
    ir::Expr* z = x[0].type()->is_bool() ? u.body.convert_scalar(x[0].expr, types::strong(DType::Int8)) : x[0].expr;
    return {u.body.conjugate(z), {}};
  }
  static Operand angle(const Ufuncs& u, const Row&, const Operands& x) {
    ir::Expr* z = x[0].expr;
    if (!z->type->is_complex())
      z = u.body.convert_scalar(z, complex_type(float_function_type(z->type)));
    return {u.body.phase(z), {}};
  }
  /// A function of math.inc in the float type of its operands; of complex.inc for complex ones.
  static Operand real(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = float_of_all(x);
    if (t->is_complex()) {
      if (x.size() > 1 || !find_complex_math(row.of))
        u.refuse_type(row, t);
      return {u.body.complex_math(row.of, x[0].expr), {}};
    }
    std::vector<ir::Expr*> args;
    for (const Operand& o : x)
      args.push_back(u.body.convert_scalar(o.expr, t));
    return {u.math(row.of, std::move(args)), {}};
  }
  /// floor, ceil, trunc: integers stay; rint (op 1): they become floats.
  static Operand rounded(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = x[0].type();
    if (!t->is_float() && !t->is_complex() && row.op == 0)
      return {x[0].expr, {}};
    return real(u, row, x);
  }
  static Operand classify(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = x[0].type();
    if (t->is_complex())
      return {u.body.classify(row.of, x[0].expr, truth_type()), {}};
    if (t->is_float())
      return {u.math(row.of, {x[0].expr}, truth_type()), {}};
    const Body::Shared s = u.body.share(x[0].expr); // every integer is finite
    return u.in_order({s}, u.body.make(truth_type(), u.span, ir::Const{row.of == "isfinite", 0}));
  }
  static Operand signbit(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = float_function_type(x[0].type());
    if (t->is_complex())
      u.refuse_type(row, t);
    ir::Expr* sign = u.math("copysign", {u.number(t, 1), u.body.convert_scalar(x[0].expr, t)});
    return {u.compare(ir::CompareOp::Lt, sign, u.number(t, 0)), {}};
  }
  static Operand sign(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = x[0].type();
    if (t->is_bool() || t->is_complex())
      u.refuse_type(row, t);
    const Body::Shared s = u.body.share(x[0].expr);
    ir::Expr* rest = t->is_float()
                         ? u.select(u.compare(ir::CompareOp::Eq, s.again, u.number(t, 0)), u.number(t, 0), s.again)
                         : u.number(t, 0);
    if (t->is_float() || is_signed(t->dtype))
      rest = u.select(u.compare(ir::CompareOp::Lt, s.again, u.number(t, 0)), u.number(t, -1), rest);
    return u.in_order({s}, u.select(u.compare(ir::CompareOp::Gt, s.again, u.number(t, 0)), u.number(t, 1), rest));
  }
  static Operand square(const Ufuncs& u, const Row&, const Operands& x) {
    const Type t = x[0].type();
    const Body::Shared s =
        u.body.share(t->is_bool() ? u.body.convert_scalar(x[0].expr, types::strong(DType::Int8)) : x[0].expr);
    return u.body.arithmetic(ir::BinaryOp::Mult, {s.first, {}}, {s.again, {}}, u.span);
  }
  static Operand reciprocal(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = x[0].type();
    if (t->is_bool())
      u.refuse_type(row, t);
    const Type real = t->is_float() || t->is_complex() ? t : types::strong(DType::Float64);
    ir::Expr* one =
        real->is_complex() ? u.body.convert_scalar(u.number(types::weak_float(), 1), real) : u.number(real, 1);
    ir::Expr* quotient = u.binary(ir::BinaryOp::Div, one, u.body.convert_scalar(x[0].expr, real));
    return {u.body.convert_scalar(quotient, t), {}};
  }
  static Operand scaled(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = float_function_type(x[0].type());
    if (t->is_complex())
      u.refuse_type(row, t);
    // NumPy divides in the type itself.
    const auto ratio = [&](auto pi) -> double { return row.op ? pi / 180 : 180 / pi; };
    const double factor = t->dtype == DType::Float32 ? ratio(std::numbers::pi_v<float>) : ratio(std::numbers::pi);
    ir::Expr* by = u.body.convert_scalar(u.number(types::weak_float(), factor), t);
    return {u.binary(ir::BinaryOp::Mult, u.body.convert_scalar(x[0].expr, t), by), {}};
  }
  /// The smaller or larger of two: as NumPy's loops have it, `a < b or a is nan ? a : b`; fmin and fmax (op 2, 3) pass
  /// over a nan.
  static Operand extremum(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = promoted(x);
    const bool lower = row.op % 2 == 0, ignores_nan = row.op >= 2;
    if (t->is_complex())
      u.refuse_type(row, t);
    const std::vector<Body::Shared> s = u.shared(x, t);
    ir::Expr *a = s[0].again, *b = s[1].again;
    if (t->is_bool())
      return u.in_order(s, u.binary(lower ? ir::BinaryOp::BitAnd : ir::BinaryOp::BitOr, a, b));
    ir::Expr* take_a = u.compare(lower ? ir::CompareOp::Lt : ir::CompareOp::Gt, a, b);
    if (t->is_float() && ignores_nan)
      take_a = u.either(u.compare(lower ? ir::CompareOp::LtE : ir::CompareOp::GtE, a, b), u.is_nan(b));
    else if (t->is_float())
      take_a = u.either(take_a, u.is_nan(a));
    return u.in_order(s, u.select(take_a, a, b));
  }
  /// The remainder with the sign of the dividend.
  static Operand fmod(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = promoted(x);
    if (t->is_float() || t->is_complex())
      return real(u, row, x);
    if (t->is_bool() || !is_signed(t->dtype))
      return u.body.arithmetic(ir::BinaryOp::Mod, x[0], x[1], u.span);
    const std::vector<Body::Shared> s = u.shared(x, t);
    const Body::Shared r = u.body.share(u.binary(ir::BinaryOp::Mod, s[0].again, s[1].again));
    ir::Expr* zero = u.number(t, 0);
    ir::Expr* differ = u.binary(ir::BinaryOp::BitXor, u.compare(ir::CompareOp::Lt, s[0].again, zero),
                                u.compare(ir::CompareOp::Lt, s[1].again, zero));
    ir::Expr* adjust = u.binary(ir::BinaryOp::BitAnd, differ, u.compare(ir::CompareOp::NotEq, r.again, zero));
    std::vector<Body::Shared> named = s;
    named.push_back(r);
    return u.in_order(named, u.select(adjust, u.binary(ir::BinaryOp::Sub, r.again, s[1].again), r.again));
  }
  static Operand heaviside(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = float_of_all(x);
    if (t->is_complex())
      u.refuse_type(row, t);
    std::vector<Body::Shared> s;
    for (const Operand& o : x)
      s.push_back(u.body.share(u.body.convert_scalar(o.expr, t)));
    ir::Expr *v = s[0].again, *zero = u.number(t, 0);
    ir::Expr* positive = u.select(u.compare(ir::CompareOp::Gt, v, zero), u.number(t, 1), v); // nan stays
    ir::Expr* rest = u.select(u.compare(ir::CompareOp::Eq, v, zero), s[1].again, positive);
    return u.in_order(s, u.select(u.compare(ir::CompareOp::Lt, v, zero), zero, rest));
  }
  /// log(exp(a) + exp(b)) without overflow, as in npymath: the larger one plus log1p(exp(-|a - b|)).
  static Operand logaddexp(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = float_of_all(x);
    if (t->is_complex())
      u.refuse_type(row, t);
    const bool two = row.op == 2;
    std::vector<Body::Shared> s;
    for (const Operand& o : x)
      s.push_back(u.body.share(u.body.convert_scalar(o.expr, t)));
    ir::Expr *a = s[0].again, *b = s[1].again;
    const Body::Shared d = u.body.share(u.binary(ir::BinaryOp::Sub, a, b));
    s.push_back(d);
    ir::Expr* gap = u.body.make(t, u.span, ir::Unary{ir::UnaryOp::Neg, u.math("fabs", {d.again})});
    ir::Expr* small = u.math("log1p", {u.math(two ? "exp2" : "exp", {gap})});
    if (two)
      small = u.binary(ir::BinaryOp::Mult, small,
                       u.body.convert_scalar(u.number(types::weak_float(), std::numbers::log2e), t));
    ir::Expr* larger = u.select(u.compare(ir::CompareOp::Gt, d.again, u.number(t, 0)), a, b);
    ir::Expr* sum = u.select(u.is_nan(d.again), d.again, u.binary(ir::BinaryOp::Add, larger, small));
    ir::Expr* doubled = u.binary(ir::BinaryOp::Add, a,
                                 u.body.convert_scalar(u.number(types::weak_float(), two ? 1 : std::numbers::ln2), t));
    return u.in_order(s, u.select(u.compare(ir::CompareOp::Eq, a, b), doubled, sum)); // equal infinities too
  }
  /// The distance to the next number away from zero; of both zeros the smallest there is.
  static Operand spacing(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = float_function_type(x[0].type());
    if (t->is_complex())
      u.refuse_type(row, t);
    const Body::Shared s = u.body.share(u.body.convert_scalar(x[0].expr, t));
    ir::Expr* unsigned_zero = u.binary(ir::BinaryOp::Add, s.again, u.number(t, 0));
    ir::Expr* away = u.math("copysign", {u.number(t, std::numeric_limits<double>::infinity()), unsigned_zero});
    return u.in_order({s}, u.binary(ir::BinaryOp::Sub, u.math("nextafter", {s.again, away}), s.again));
  }
  /// The ones among the bits of |x|: added in pairs, fours, bytes.
  static Operand bitwise_count(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = x[0].type();
    if (!t->is_integer() && !t->is_bool())
      u.refuse_type(row, t);
    const Type word = types::strong(DType::UInt64);
    auto mask = [&](uint64_t bits) { return u.body.make(word, u.span, ir::Const{static_cast<int64_t>(bits)}); };
    auto right = [&](ir::Expr* y, uint64_t n) { return u.binary(ir::BinaryOp::RShift, y, mask(n)); };
    auto kept = [&](ir::Expr* y, uint64_t bits) { return u.binary(ir::BinaryOp::BitAnd, y, mask(bits)); };
    std::vector<Body::Shared> s{u.body.share(u.magnitude(x[0].expr))};
    auto add = [&](ir::Expr* y) { return s.emplace_back(u.body.share(y)).again; };
    ir::Expr* y = s[0].again;
    y = add(u.binary(ir::BinaryOp::Sub, y, kept(right(y, 1), 0x5555555555555555)));
    y = add(u.binary(ir::BinaryOp::Add, kept(y, 0x3333333333333333), kept(right(y, 2), 0x3333333333333333)));
    y = kept(u.binary(ir::BinaryOp::Add, y, right(y, 4)), 0x0f0f0f0f0f0f0f0f);
    y = right(u.binary(ir::BinaryOp::Mult, y, mask(0x0101010101010101)), 56);
    return u.in_order(s, u.body.convert_scalar(y, types::strong(DType::UInt8)));
  }
  /// gcd and lcm (op 1), in words without a sign; they wrap when cut to the type.
  static Operand divisor(const Ufuncs& u, const Row& row, const Operands& x) {
    const Type t = promoted(x);
    if (!t->is_integer())
      u.refuse_type(row, t);
    std::vector<Body::Shared> s;
    for (const Operand& o : x)
      s.push_back(u.body.share(u.magnitude(u.body.coerce(o, t, u.span))));
    const Type bits = types::weak_int();
    ir::Expr* gcd =
        u.math("$gcd", {u.body.convert_scalar(s[0].again, bits), u.body.convert_scalar(s[1].again, bits)}, bits);
    if (row.op == 0)
      return u.in_order(s, u.body.convert_scalar(gcd, t));
    ir::Expr* part = u.binary(ir::BinaryOp::FloorDiv, s[0].again, u.body.convert_scalar(gcd, s[0].again->type));
    return u.in_order(s, u.body.convert_scalar(u.binary(ir::BinaryOp::Mult, part, s[1].again), t));
  }
  static Operand float_power(const Ufuncs& u, const Row& row, const Operands& x) {
    if (promoted(x)->is_complex())
      u.refuse_type(row, promoted(x));
    Operands wide;
    for (const Operand& o : x)
      wide.push_back({u.body.convert_scalar(o.expr, types::strong(DType::Float64)), {}});
    return u.body.arithmetic(ir::BinaryOp::Pow, wide[0], wide[1], u.span);
  }
};

namespace {

constexpr int code(ir::BinaryOp op) { return static_cast<int>(op); }
constexpr int code(ir::CompareOp op) { return static_cast<int>(op); }

} // namespace

const std::vector<Ufuncs::Row>& Ufuncs::rows() {
  using U = Ufuncs;
  using B = ir::BinaryOp;
  using C = ir::CompareOp;
  static const std::vector<Row> all = {
      {"add", 2, U::arithmetic, {}, code(B::Add)},
      {"subtract", 2, U::arithmetic, {}, code(B::Sub)},
      {"multiply", 2, U::arithmetic, {}, code(B::Mult)},
      {"divide", 2, U::arithmetic, {}, code(B::Div)},
      {"true_divide", 2, U::arithmetic, {}, code(B::Div)},
      {"floor_divide", 2, U::arithmetic, {}, code(B::FloorDiv)},
      {"remainder", 2, U::arithmetic, {}, code(B::Mod)},
      {"mod", 2, U::arithmetic, {}, code(B::Mod)},
      {"power", 2, U::arithmetic, {}, code(B::Pow)},
      {"left_shift", 2, U::arithmetic, {}, code(B::LShift)},
      {"right_shift", 2, U::arithmetic, {}, code(B::RShift)},
      {"bitwise_and", 2, U::arithmetic, {}, code(B::BitAnd)},
      {"bitwise_or", 2, U::arithmetic, {}, code(B::BitOr)},
      {"bitwise_xor", 2, U::arithmetic, {}, code(B::BitXor)},
      {"equal", 2, U::comparison, {}, code(C::Eq)},
      {"not_equal", 2, U::comparison, {}, code(C::NotEq)},
      {"less", 2, U::comparison, {}, code(C::Lt)},
      {"less_equal", 2, U::comparison, {}, code(C::LtE)},
      {"greater", 2, U::comparison, {}, code(C::Gt)},
      {"greater_equal", 2, U::comparison, {}, code(C::GtE)},
      {"logical_and", 2, U::logical, {}, code(B::BitAnd)},
      {"logical_or", 2, U::logical, {}, code(B::BitOr)},
      {"logical_xor", 2, U::logical, {}, code(B::BitXor)},
      {"logical_not", 1, U::logical},
      {"negative", 1, U::unary, {}, 0},
      {"positive", 1, U::unary, {}, 2},
      {"invert", 1, U::unary, {}, 1},
      {"bitwise_not", 1, U::unary, {}, 1},
      {"absolute", 1, U::absolute},
      {"abs", 1, U::absolute},
      {"fabs", 1, U::real, "fabs"},
      {"conjugate", 1, U::conjugate},
      {"conj", 1, U::conjugate},
      {"angle", 1, U::angle},
      {"sign", 1, U::sign},
      {"signbit", 1, U::signbit},
      {"square", 1, U::square},
      {"reciprocal", 1, U::reciprocal},
      {"sqrt", 1, U::real, "sqrt"},
      {"cbrt", 1, U::real, "cbrt"},
      {"exp", 1, U::real, "exp"},
      {"exp2", 1, U::real, "exp2"},
      {"expm1", 1, U::real, "expm1"},
      {"log", 1, U::real, "log"},
      {"log2", 1, U::real, "log2"},
      {"log10", 1, U::real, "log10"},
      {"log1p", 1, U::real, "log1p"},
      {"sin", 1, U::real, "sin"},
      {"cos", 1, U::real, "cos"},
      {"tan", 1, U::real, "tan"},
      {"arcsin", 1, U::real, "asin"},
      {"arccos", 1, U::real, "acos"},
      {"arctan", 1, U::real, "atan"},
      {"arctan2", 2, U::real, "atan2"},
      {"sinh", 1, U::real, "sinh"},
      {"cosh", 1, U::real, "cosh"},
      {"tanh", 1, U::real, "tanh"},
      {"arcsinh", 1, U::real, "asinh"},
      {"arccosh", 1, U::real, "acosh"},
      {"arctanh", 1, U::real, "atanh"},
      {"hypot", 2, U::real, "hypot"},
      {"copysign", 2, U::real, "copysign"},
      {"nextafter", 2, U::real, "nextafter"},
      {"spacing", 1, U::spacing},
      {"bitwise_count", 1, U::bitwise_count},
      {"gcd", 2, U::divisor},
      {"lcm", 2, U::divisor, {}, 1},
      {"fmod", 2, U::fmod, "fmod"},
      {"floor", 1, U::rounded, "$floor"},
      {"ceil", 1, U::rounded, "$ceil"},
      {"trunc", 1, U::rounded, "$trunc"},
      {"rint", 1, U::rounded, "$roundeven", 1},
      {"isnan", 1, U::classify, "isnan"},
      {"isinf", 1, U::classify, "isinf"},
      {"isfinite", 1, U::classify, "isfinite"},
      {"deg2rad", 1, U::scaled, {}, 1},
      {"radians", 1, U::scaled, {}, 1},
      {"rad2deg", 1, U::scaled, {}, 0},
      {"degrees", 1, U::scaled, {}, 0},
      {"minimum", 2, U::extremum, {}, 0},
      {"maximum", 2, U::extremum, {}, 1},
      {"fmin", 2, U::extremum, {}, 2},
      {"fmax", 2, U::extremum, {}, 3},
      {"heaviside", 2, U::heaviside},
      {"logaddexp", 2, U::logaddexp},
      {"logaddexp2", 2, U::logaddexp, {}, 2},
      {"float_power", 2, U::float_power},
  };
  return all;
}

const Ufuncs::Row* Ufuncs::find(std::string_view name) {
  for (const Row& row : rows())
    if (row.name == name)
      return &row;
  return nullptr;
}

bool Body::is_ufunc(std::string_view name) { return Ufuncs::find(name) != nullptr; }

std::vector<std::string_view> Body::ufunc_names() {
  std::vector<std::string_view> names;
  for (const Ufuncs::Row& row : Ufuncs::rows())
    names.push_back(row.name);
  return names;
}

std::optional<Operand> Body::ufunc(std::string_view name, std::vector<Operand> x, Span span) {
  const Ufuncs::Row* row = Ufuncs::find(name);
  if (!row)
    return std::nullopt;
  if (x.size() != row->arity)
    refuse(Diag::CallArguments, span,
           {"numpy." + std::string(name), row->arity == 1 ? "one argument" : "two arguments"});
  // Python's own numbers alone are taken as NumPy's.
  bool weak = true;
  for (const Operand& o : x) {
    value(o, span);
    weak &= o.type()->is_scalar() && o.type()->weak;
  }
  if (weak)
    for (Operand& o : x)
      o = {convert_scalar(o.expr, types::strong(o.type()->dtype)), {}};
  const Ufuncs u{*this, span};
  return elementwise(std::move(x), "np." + std::string(name), span,
                     [&](const std::vector<Operand>& elements) { return row->rule(u, *row, elements); });
}

} // namespace mpijit::jit::inference
