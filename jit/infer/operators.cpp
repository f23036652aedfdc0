// Arithmetic, comparison and boolean operators on scalars, with NumPy 2's types. See body.h.
#include "infer/body.h"

#include <array>
#include <limits>

namespace mpijit::jit::inference {
namespace {

template <class Op> struct Named {
  std::string_view name, sign;
  Op op;
};

constexpr Named<ir::BinaryOp> binary_ops[] = {
    {"Add", "+", ir::BinaryOp::Add},
    {"Sub", "-", ir::BinaryOp::Sub},
    {"Mult", "*", ir::BinaryOp::Mult},
    {"Div", "/", ir::BinaryOp::Div},
    {"FloorDiv", "//", ir::BinaryOp::FloorDiv},
    {"Mod", "%", ir::BinaryOp::Mod},
    {"Pow", "**", ir::BinaryOp::Pow},
    {"LShift", "<<", ir::BinaryOp::LShift},
    {"RShift", ">>", ir::BinaryOp::RShift},
    {"BitOr", "|", ir::BinaryOp::BitOr},
    {"BitXor", "^", ir::BinaryOp::BitXor},
    {"BitAnd", "&", ir::BinaryOp::BitAnd},
};
constexpr Named<ir::CompareOp> compare_ops[] = {
    {"Eq", "==", ir::CompareOp::Eq},   {"NotEq", "!=", ir::CompareOp::NotEq}, {"Lt", "<", ir::CompareOp::Lt},
    {"LtE", "<=", ir::CompareOp::LtE}, {"Gt", ">", ir::CompareOp::Gt},        {"GtE", ">=", ir::CompareOp::GtE},
};

template <class Op, size_t N> const Named<Op>* find(const Named<Op> (&rows)[N], std::string_view name) {
  for (const auto& r : rows)
    if (r.name == name)
      return &r;
  return nullptr;
}

template <class Op, size_t N> std::string_view sign(const Named<Op> (&rows)[N], Op op) {
  for (const auto& r : rows)
    if (r.op == op)
      return r.sign;
  return "?";
}

bool is_bitwise(ir::BinaryOp op) {
  return op == ir::BinaryOp::BitOr || op == ir::BinaryOp::BitXor || op == ir::BinaryOp::BitAnd;
}
bool is_shift(ir::BinaryOp op) { return op == ir::BinaryOp::LShift || op == ir::BinaryOp::RShift; }

// Integer constants fold when the result is exact, so that `t[n - 1]` can index a tuple.
std::optional<int64_t> fold(ir::BinaryOp op, int64_t a, int64_t b) {
  int64_t r;
  switch (op) {
  case ir::BinaryOp::Add: return __builtin_add_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case ir::BinaryOp::Sub: return __builtin_sub_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case ir::BinaryOp::Mult: return __builtin_mul_overflow(a, b, &r) ? std::nullopt : std::optional(r);
  case ir::BinaryOp::FloorDiv:
    return b == 0 || b == -1 ? std::nullopt : std::optional(a / b - (a % b != 0 && (a < 0) != (b < 0)));
  case ir::BinaryOp::Mod:
    return b == 0 || b == -1 ? std::nullopt : std::optional(a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0));
  default: return std::nullopt;
  }
}

// np.float64 is a Python float, so that a Python complex left of one computes by itself and stays Python's: 1j * x[0]
// is weak where x[0] * 1j is not.
bool is_python_float(const Operand& beside, const Operand& o) {
  return beside.type() == types::weak_complex() && o.type() == types::strong(DType::Float64);
}

bool is_weak_constant(const Operand& o) { return o.constant && o.constant->dtype.empty(); }

} // namespace

bool Body::fits(int64_t v, DType d) const {
  const int bits = 8 * size(d);
  if (kind(d) == 'u')
    return v >= 0 && (bits == 64 || v < (int64_t{1} << bits));
  return bits == 64 || (v >= -(int64_t{1} << (bits - 1)) && v < (int64_t{1} << (bits - 1)));
}

void Body::require_number(const Operand& o, std::string_view what, Span span) {
  Type t = value(o, span)->type;
  if (t->is_array())
    refuse(Diag::ArrayExpression, span, {what});
  if (!t->is_scalar())
    refuse(Diag::OperandType, span, {what, to_string(t)});
}

void Body::require_scalar(const Operand& o, std::string_view what, Span span) {
  require_number(o, what, span);
  if (o.type()->is_complex())
    refuse(Diag::ComplexOperand, span, {what, to_string(o.type())});
}

ir::Expr* Body::convert_scalar(ir::Expr* x, Type to) {
  if (x->type == to)
    return x;
  if (const auto* c = std::get_if<ir::Const>(&x->node)) { // literals convert here, so that emit sees them
    const bool whole = !x->type->is_float() && !x->type->is_complex();
    if (to->is_float() || to->is_complex()) {
      const bool natural = whole && kind(x->type->dtype) == 'u';
      double d = natural ? static_cast<double>(static_cast<uint64_t>(c->i)) : static_cast<double>(c->i);
      return make(to, x->span, ir::Const{0, round_to(to->dtype, whole ? d : c->f), round_to(to->dtype, c->im)});
    }
    if (to->is_integer() && whole && fits(c->i, to->dtype))
      return make(to, x->span, *c);
  }
  return make(to, x->span, ir::Cast{ir::CastKind::Convert, x});
}

ir::Expr* Body::coerce(const Operand& o, Type to, Span span) {
  ir::Expr* x = value(o, span);
  if (x->type->is_weak_int() && to->is_integer() && !to->weak) {
    if (const auto* c = std::get_if<ir::Const>(&x->node)) {
      if (!fits(c->i, to->dtype))
        refuse(Diag::LiteralRange, x->span, {std::to_string(c->i), row(to->dtype).name});
    } else if (to->dtype != DType::Int64) {
      return make(to, span, ir::Cast{ir::CastKind::Fit, x});
    }
  }
  return convert_scalar(x, to);
}

Operand Body::binary(const Node& e) {
  if (e.text == "MatMult")
    return product(expression(e[0]), expression(e[1]), false, e.span);
  const auto* named = find(binary_ops, e.text);
  Operand a = expression(e[0]);
  Operand b = expression(e[1]);
  if (std::optional<Operand> t = tuple_operator(named->op, a, b, e.span))
    return *t;
  if (is_python_float(a, b))
    b = {convert_scalar(b.expr, types::weak_float()), {}};
  const std::string what = "the operator " + std::string(named->sign);
  const auto is_array = [](const Operand& o) { return o.type() && o.type()->is_array(); };
  if (named->op == ir::BinaryOp::Pow && is_array(a) && !is_array(b))
    return elementwise({std::move(a), std::move(b)}, what, e.span,
                       [&](const std::vector<Operand>& x) { return power_of_element(x[0], x[1], e.span); });
  return elementwise({std::move(a), std::move(b)}, what, e.span,
                     [&](const std::vector<Operand>& x) { return arithmetic(named->op, x[0], x[1], e.span); });
}

Operand Body::arithmetic(ir::BinaryOp op, Operand a, Operand b, Span span) {
  if (op == ir::BinaryOp::Pow)
    return power(std::move(a), std::move(b), span);
  Type t = promote_scalars(a.type(), b.type());
  auto refuse_types = [&] {
    refuse(Diag::OperatorTypes, span, {sign(binary_ops, op), to_string(a.type()), to_string(b.type())});
  };
  if (t->is_complex() && (op == ir::BinaryOp::FloorDiv || op == ir::BinaryOp::Mod))
    refuse_types();
  if (is_bitwise(op) || is_shift(op)) {
    if (t->is_float() || t->is_complex())
      refuse_types();
    if (t->is_bool() && is_shift(op))
      t = t->weak ? types::weak_int() : types::strong(DType::Int8);
  } else if (op == ir::BinaryOp::Div) {
    t = divide_type(t);
  } else if (t->is_bool()) {
    // Python's bools are integers here; NumPy's + and * are logical, - does not exist, the rest is int8.
    if (t->weak)
      t = types::weak_int();
    else if (op == ir::BinaryOp::Add || op == ir::BinaryOp::Mult)
      op = op == ir::BinaryOp::Add ? ir::BinaryOp::BitOr : ir::BinaryOp::BitAnd;
    else if (op == ir::BinaryOp::Sub)
      refuse(Diag::BoolSubtract, span);
    else
      t = types::strong(DType::Int8);
  }
  if (t->is_weak_int() && is_weak_constant(a) && is_weak_constant(b) && a.as<int64_t>() && b.as<int64_t>())
    if (auto r = fold(op, *a.as<int64_t>(), *b.as<int64_t>()))
      return constant({*r, {}}, span);
  if (!a.type()->is_float() && !b.type()->is_float() && t->is_float() && op != ir::BinaryOp::Div &&
      !(a.type()->weak && b.type()->weak))
    all_.out.notes.insert("line " + std::to_string(span.line) + ": " + to_string(a.type()) + " " +
                          std::string(sign(binary_ops, op)) + " " + to_string(b.type()) + " is float64, as in NumPy");
  return in_order(a, b, t, span, [&](ir::Expr* x, ir::Expr* y) { return binary(op, x, y, span); });
}

// Both operands are there before the left one is brought to their type, which may raise.
Operand Body::in_order(const Operand& a, const Operand& b, Type t, Span span,
                       const std::function<ir::Expr*(ir::Expr*, ir::Expr*)>& f) {
  ir::Expr* x = coerce(a, t, span);
  const auto* fit = std::get_if<ir::Cast>(&x->node);
  if (!fit || fit->kind != ir::CastKind::Fit || x == a.expr || ir::is_pure(*b.expr))
    return {f(x, coerce(b, t, span)), {}};
  const int slot = slots_.temporary(a.type());
  ir::Expr* first = make(a.type(), span, ir::Bind{slot, a.expr});
  const Shared second = share(b.expr);
  ir::Expr* result = f(coerce({read(slot, span), {}}, t, span), coerce({second.again, {}}, t, span));
  return {after(first, after(second.first, result)), {}};
}

Operand Body::power(Operand a, Operand b, Span span) {
  Type t = promote_scalars(a.type(), b.type());
  if (t->is_bool())
    t = t->weak ? types::weak_int() : types::strong(DType::Int8);
  // 2 ** -1 of Python's own numbers is a float when the exponent says so in the source (row 6).
  const auto* exponent = b.as<int64_t>();
  if (t->is_weak_int() && exponent && *exponent < 0)
    t = types::weak_float();
  return in_order(a, b, t, span, [&](ir::Expr* x, ir::Expr* y) { return binary(ir::BinaryOp::Pow, x, y, span); });
}

// Row 8: the exponents for which NumPy's arrays have other functions than the power.
Operand Body::power_of_element(const Operand& x, const Operand& exponent, Span span) {
  const Type t = x.type();
  const auto* whole = is_weak_constant(exponent) ? exponent.as<int64_t>() : nullptr;
  if (whole && *whole == 2 && !t->is_bool())
    return *ufunc("square", {x}, span);
  if (!t->is_float() && !t->is_complex())
    return power(x, exponent, span);
  if (whole && *whole == -1)
    return *ufunc("reciprocal", {x}, span);
  const Operand general = power(x, exponent, span);
  if (!exponent.type()->is_float() || general.type() != t)
    return general;
  const Operand root = *ufunc("sqrt", {x}, span);
  const auto* known = exponent.as<double>();
  if (known)
    return *known == 0.5 ? root : general;
  ir::Expr* half = convert_scalar(constant({0.5, {}}, span).expr, exponent.type());
  ir::Expr* is_half = compared(ir::CompareOp::Eq, exponent.expr, half, span);
  return {select(is_half, root.expr, general.expr, span), {}};
}

Operand Body::unary(const Node& e) {
  if (e.text == "Not") {
    Operand o = condition(e[0]);
    if (const bool* known = o.as<bool>())
      return after({o}, constant({!*known, {}}, e.span));
    return {make(types::weak_bool(), e.span, ir::Unary{ir::UnaryOp::Not, convert_scalar(o.expr, types::weak_bool())}),
            {}};
  }
  Operand o = expression(e[0]);
  const std::string_view sign = e.text == "USub" ? "-" : e.text == "UAdd" ? "+" : "~";
  return elementwise({std::move(o)}, "the operator " + std::string(sign), e.span,
                     [&](const std::vector<Operand>& x) { return sign_or_invert(e, x[0]); });
}

Operand Body::sign_or_invert(const Node& e, const Operand& o) {
  Type t = o.type();
  if (t->is_bool() && !(e.text == "Invert" && !t->weak)) {
    if (!t->weak)
      refuse(Diag::BoolSubtract, e.span);
    t = types::weak_int();
  }
  if (e.text == "UAdd")
    return {convert_scalar(o.expr, t), o.constant};
  if (e.text == "Invert") {
    if (t->is_float() || t->is_complex())
      refuse(Diag::OperandType, e.span, {"the operator ~", to_string(t)});
    return {
        make(t, e.span, ir::Unary{t->is_bool() ? ir::UnaryOp::Not : ir::UnaryOp::Invert, convert_scalar(o.expr, t)}),
        {}};
  }
  if (is_weak_constant(o)) {
    if (const auto* i = o.as<int64_t>(); i && *i != std::numeric_limits<int64_t>::min())
      return constant({-*i, {}}, e.span);
    if (const auto* d = o.as<double>())
      return constant({-*d, {}}, e.span);
    if (const auto* z = o.as<std::complex<double>>())
      return constant({-*z, {}}, e.span);
  }
  return {make(t, e.span, ir::Unary{ir::UnaryOp::Neg, convert_scalar(o.expr, t)}), {}};
}

// ---- truth -------------------------------------------------------------------------------------------

Operand Body::truth(const Operand& o, Span span) {
  if (o.constant) {
    const Constant& c = *o.constant;
    if (const auto* b = std::get_if<bool>(&c.value))
      return after({o}, constant({*b, {}}, span));
    if (const auto* i = std::get_if<int64_t>(&c.value))
      return constant({*i != 0, {}}, span);
    if (const auto* d = std::get_if<double>(&c.value))
      return constant({*d != 0, {}}, span);
    if (const auto* z = std::get_if<std::complex<double>>(&c.value))
      return constant({*z != 0.0, {}}, span);
    if (const auto* s = std::get_if<std::string>(&c.value))
      return after({o}, constant({!s->empty(), {}}, span));
    if (std::holds_alternative<None>(c.value))
      return after({o}, constant({false, {}}, span));
    if (!o.expr || o.type()->kind == TypeKind::Static) // functions, classes, dtypes are true
      return after({o}, constant({true, {}}, span));
  }
  ir::Expr* x = value(o, span);
  if (x->type->is_none())
    return after({o}, constant({false, {}}, span));
  if (x->type->is_tuple())
    return after({o}, constant({!x->type->items.empty(), {}}, span));
  if (x->type->is_array())
    refuse(Diag::ArrayTruth, span);
  require_number(o, "truth", span);
  if (x->type == types::weak_bool())
    return {x, {}};
  return {make(types::weak_bool(), span, ir::Cast{x->type->is_bool() ? ir::CastKind::Convert : ir::CastKind::Truth, x}),
          {}};
}

Operand Body::condition(const Node& e) {
  if (e.kind != NodeKind::BoolOp)
    return truth(expression(e), e.span);
  const bool is_and = e.text == "And";
  Operand a = condition(e[0][0]);
  if (const bool* known = a.as<bool>())
    return *known == is_and ? after({a}, condition(e[0][1])) : a;
  std::optional<Operand> b = arm([&] { return condition(e[0][1]); });
  if (!b)
    return a;
  ir::Expr* shortcut = boolean(!is_and, e.span);
  return {make(types::weak_bool(), e.span,
               is_and ? ir::Choose{a.expr, b->expr, shortcut} : ir::Choose{a.expr, shortcut, b->expr}),
          {}};
}

Operand Body::boolean_operator(const Node& e) {
  const bool is_and = e.text == "And";
  Operand a = expression(e[0][0]);
  Operand known = truth(a, e[0][0].span);
  if (const bool* b = known.as<bool>())
    return *b == is_and ? after({known}, expression(e[0][1])) : a;
  Shared first = share(a.expr);
  ir::Expr* cond = truth({first.first, {}}, e[0][0].span).expr;
  std::optional<Operand> b = arm([&] { return expression(e[0][1]); });
  if (!b)
    return a;
  Operand left{first.again, {}};
  return is_and ? choose(cond, *b, left, e.span) : choose(cond, left, *b, e.span);
}

// ---- comparison --------------------------------------------------------------------------------------

ir::Expr* Body::compare_scalars(ir::CompareOp op, ir::Expr* a, ir::Expr* b, Span span) {
  Type result = a->type->weak && b->type->weak ? types::weak_bool() : types::strong(DType::Bool);
  if (op != ir::CompareOp::Eq && op != ir::CompareOp::NotEq)
    for (const ir::Expr* x : {a, b})
      if (x->type->is_complex())
        refuse(Diag::ComplexOperand, span, {"the operator " + std::string(sign(compare_ops, op)), to_string(x->type)});
  auto build = [&](ir::Expr* x, ir::Expr* y, Type t) {
    return make(result, span, ir::Compare{op, convert_scalar(x, t), convert_scalar(y, t)});
  };
  auto is_whole = [](Type t) { return !t->is_float() && !t->is_complex(); };
  const bool integers = is_whole(a->type) && is_whole(b->type);
  if (!integers)
    return build(a, b, promote_scalars(a->type, b->type));
  auto is_u64 = [](Type t) { return t->dtype == DType::UInt64; };
  if (is_u64(a->type) && is_u64(b->type))
    return build(a, b, a->type);
  if (!is_u64(a->type) && !is_u64(b->type)) // int64 holds every value of the other integers
    return build(a, b, types::weak_int());
  // uint64 against a signed integer is exact: a negative one is below every uint64.
  const bool swapped = is_u64(a->type);
  Shared s = share(convert_scalar(swapped ? b : a, types::strong(DType::Int64)));
  Shared u = share(swapped ? a : b);
  ir::Expr* zero = make(types::strong(DType::Int64), span, ir::Const{});
  ir::Expr* below = make(result, span, ir::Compare{ir::CompareOp::Lt, s.again, zero});
  const bool when_below = swapped ? holds(op, 1, 0) : holds(op, 0, 1);
  ir::Expr* decided = make(result, span, ir::Const{when_below, 0});
  ir::Expr* x = make(types::strong(DType::UInt64), span, ir::Cast{ir::CastKind::Convert, s.again});
  ir::Expr* exact = swapped ? build(u.again, x, u.again->type) : build(x, u.again, u.again->type);
  ir::Expr* chosen = select(below, decided, exact, span);
  // Name both operands in Python's order before they are looked at.
  return swapped ? after(u.first, after(s.first, chosen)) : after(s.first, after(u.first, chosen));
}

Operand Body::compare(const Node& e) {
  Operand a = expression(e[0]);
  Operand b = expression(e[1][0]);
  const std::string& op = e.text;
  if (op == "Is" || op == "IsNot") {
    // Identity is decided by type: only None is a value one may ask for.
    auto is_none = [](const Operand& o) { return o.as<None>() || (o.type() && o.type()->is_none()); };
    if (!is_none(a) && !is_none(b))
      refuse(Diag::Identity, e.span);
    return after({a, b}, constant({(is_none(a) && is_none(b)) == (op == "Is"), {}}, e.span));
  }
  if (op == "In" || op == "NotIn") {
    if (std::optional<bool> found = contains_known(a, b))
      return after({a, b}, constant({*found == (op == "In"), {}}, e.span));
    return contains(a, b, op == "NotIn", e.span);
  }
  const auto* named = find(compare_ops, op);
  if (std::optional<bool> known = compare_known(named->op, a, b))
    return after({a, b}, constant({*known, {}}, e.span));
  const bool equality = named->op == ir::CompareOp::Eq || named->op == ir::CompareOp::NotEq;
  auto is_dtype = [](const Operand& o) { return o.as<DTypeName>() || o.as<FunctionName>(); };
  if (equality && is_dtype(a) && is_dtype(b))
    return constant({holds(named->op, dtype_of(a, e[0].span), dtype_of(b, e[1].span)), {}}, e.span);
  auto is_tuple = [](const Operand& o) { return o.type() && o.type()->is_tuple(); };
  if (equality && is_tuple(a) && is_tuple(b)) {
    if (a.type()->items.size() != b.type()->items.size())
      return constant({named->op == ir::CompareOp::NotEq, {}}, e.span);
    Shared x = share(a.expr), y = share(b.expr);
    ir::Expr* equal = boolean(true, e.span);
    for (size_t k = a.type()->items.size(); k-- > 0;) {
      ir::Expr* p = make(a.type()->items[k], e.span, ir::Item{k ? x.again : x.first, static_cast<int>(k)});
      ir::Expr* q = make(b.type()->items[k], e.span, ir::Item{k ? y.again : y.first, static_cast<int>(k)});
      require_number({p, {}}, "comparison of tuples", e.span);
      require_number({q, {}}, "comparison of tuples", e.span);
      ir::Expr* same = convert_scalar(compare_scalars(ir::CompareOp::Eq, p, q, e.span), types::weak_bool());
      equal = select(same, equal, boolean(false, e.span), e.span);
    }
    if (named->op == ir::CompareOp::NotEq)
      equal = make(types::weak_bool(), e.span, ir::Unary{ir::UnaryOp::Not, equal});
    return {equal, {}};
  }
  if (is_python_float(a, b))
    b = {convert_scalar(b.expr, types::weak_float()), {}};
  return elementwise({std::move(a), std::move(b)}, "the operator " + std::string(named->sign), e.span,
                     [&](const std::vector<Operand>& x) {
                       return Operand{compare_scalars(named->op, x[0].expr, x[1].expr, e.span), {}};
                     });
}

} // namespace mpijit::jit::inference
