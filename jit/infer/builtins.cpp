// Python's builtin functions on kernel values, and print. See body.h.
#include "infer/body.h"

namespace mpijit::jit::inference {

Operand Body::builtin_call(std::string_view name, const Arguments& args) {
  auto one = [&]() -> const Node& {
    if (args.positional.size() != 1 || !args.keywords.empty())
      refuse(Diag::CallArguments, args.span, {name, "one argument"});
    return *args.positional[0];
  };
  if (name == "len")
    return length(expression(one()), args.span);
  if (name == "abs")
    return elementwise({expression(one())}, "abs", args.span,
                       [&](const std::vector<Operand>& x) { return absolute(x[0], args.span); });
  if (name == "int")
    return to_int(without_axes(expression(one())), args.span);
  if (name == "float")
    return to_float(without_axes(expression(one())), args.span);
  if (name == "complex")
    return complex_call(args);
  if (name == "bool")
    return truth(without_axes(expression(one())), args.span);
  if (name == "round")
    return round_to_int(args);
  if (name == "min" || name == "max")
    return extremum(name == "max", args);
  if (name == "sum")
    return sum_of_items(args);
  if (name == "pow" || name == "divmod") {
    if (args.positional.size() != 2 || !args.keywords.empty())
      refuse(Diag::CallArguments, args.span, {name, "two arguments"});
    Operand a = expression(*args.positional[0]), b = expression(*args.positional[1]);
    auto apply = [&](ir::BinaryOp op, const Operand& x, const Operand& y) {
      return elementwise({x, y}, name, args.span,
                         [&](const std::vector<Operand>& z) { return arithmetic(op, z[0], z[1], args.span); });
    };
    if (name == "pow")
      return apply(ir::BinaryOp::Pow, a, b);
    a = without_axes(a);
    b = without_axes(b);
    for (size_t k = 0; k < 2; ++k)
      if (const Operand& o = k ? b : a; !o.type() || !o.type()->is_array())
        require_scalar(o, name, args.positional[k]->span);
    Shared x = share(a.expr), y = share(b.expr);
    Operand q = apply(ir::BinaryOp::FloorDiv, {x.first, a.constant}, {y.first, b.constant});
    Operand r = apply(ir::BinaryOp::Mod, {x.again, a.constant}, {y.again, b.constant});
    return {make(types::tuple({q.type(), r.type()}), args.span, ir::MakeTuple{{q.expr, r.expr}}), {}};
  }
  if (name == "slice")
    return slice_call(args);
  if (name == "print")
    refuse(Diag::PrintValue, args.span);
  if (name == "range" || name == "enumerate" || name == "zip" || name == "reversed")
    refuse(Diag::RangeValue, args.span, {name});
  refuse(Diag::UnknownFunction, args.span, {name});
}

Operand Body::length(const Operand& o, Span span) {
  if (const auto* s = o.as<std::string>())
    return constant({static_cast<int64_t>(s->size()), {}}, span);
  if (const auto* t = o.as<ConstantTuple>())
    return constant({static_cast<int64_t>(t->size()), {}}, span);
  ir::Expr* x = value(o, span);
  if (x->type->is_tuple())
    return constant({static_cast<int64_t>(x->type->items.size()), {}}, span);
  if (!x->type->is_array() || x->type->ndim == 0)
    refuse(Diag::NoLength, span, {to_string(x->type)});
  return {make(types::weak_int(), span, ir::Dim{x, 0}), {}};
}

Operand Body::absolute(const Operand& o, Span span) {
  require_number(o, "abs", span);
  Type t = o.type();
  if (t->is_complex())
    return {magnitude(o.expr), {}};
  if (t->is_float())
    return {make(t, span, ir::Math{find_math("fabs", 1), {o.expr}}), {}};
  if (t->is_bool() && t->weak)
    return {convert_scalar(o.expr, types::weak_int()), {}};
  if (t->is_bool() || !is_signed(t->dtype))
    return o;
  Shared x = share(o.expr);
  ir::Expr* negative = compared(ir::CompareOp::Lt, x.first, make(t, span, ir::Const{}), span);
  return {select(negative, make(t, span, ir::Unary{ir::UnaryOp::Neg, x.again}), x.again, span), {}};
}

Operand Body::to_int(const Operand& o, Span span) {
  require_scalar(o, "int", span);
  if (o.type()->is_float())
    return {make(types::weak_int(), span, ir::Cast{ir::CastKind::Truncate, o.expr}), {}};
  Operand out{as_int(o, "int", span), {}};
  if (o.constant && o.as<int64_t>())
    out.constant = Constant{*o.as<int64_t>(), {}};
  return out;
}

Operand Body::to_float(const Operand& o, Span span) {
  require_scalar(o, "float", span);
  return {convert_scalar(o.expr, types::weak_float()), {}};
}

Operand Body::round_to_int(const Arguments& args) {
  if (args.positional.empty())
    refuse(Diag::CallArguments, args.span, {"round", "one argument"});
  Operand o = without_axes(expression(*args.positional[0]));
  if (o.type() && o.type()->is_array()) { // np.round
    Arguments rest = args;
    rest.positional.erase(rest.positional.begin());
    return *array_function("round", o, rest, true);
  }
  if (args.positional.size() > 1 || !args.keywords.empty())
    refuse(Diag::RoundDigits, args.span);
  require_scalar(o, "round", args.span);
  if (!o.type()->is_float())
    return {as_int(o, "round", args.span), {}};
  ir::Expr* even = make(o.type(), args.span, ir::Math{find_math("$roundeven", 1), {o.expr}});
  return {make(types::weak_int(), args.span, ir::Cast{ir::CastKind::Truncate, even}), {}};
}

// min(a, b) is `b if b < a else a`, max(a, b) is `b if b > a else a`: Python's rule, also for nan.
Operand Body::extremum(bool want_max, const Arguments& args) {
  const char* name = want_max ? "max" : "min";
  if (!args.keywords.empty() || args.positional.empty())
    refuse(Diag::CallArguments, args.span, {name, "two or more arguments, or a tuple"});
  std::vector<ir::Expr*> values;
  if (args.positional.size() == 1) {
    Operand o = expression(*args.positional[0]);
    if (!o.expr || !o.type()->is_tuple() || o.type()->items.empty())
      refuse(o.expr && o.type()->is_array() ? Diag::ArrayExpression : Diag::CallArguments, args.span,
             {name, "two or more arguments, or a tuple"});
    Shared t = share(o.expr);
    for (size_t k = 0; k < o.type()->items.size(); ++k)
      values.push_back(make(o.type()->items[k], args.span, ir::Item{k ? t.again : t.first, static_cast<int>(k)}));
  } else {
    for (const Node* n : args.positional)
      values.push_back(value(*n));
  }
  for (ir::Expr* v : values)
    require_scalar({v, {}}, name, args.span);
  ir::Expr* best = values[0];
  for (size_t k = 1; k < values.size(); ++k) {
    std::optional<Type> joined = jit::join(best->type, values[k]->type);
    Type t = *joined;
    // Compared in the operands' order, a before b: `b < a` is `a > b`.
    Shared a = share(convert_scalar(best, t)), b = share(convert_scalar(values[k], t));
    ir::Expr* take_b = compared(want_max ? ir::CompareOp::Lt : ir::CompareOp::Gt, a.first, b.first, args.span);
    best = select(take_b, b.again, a.again, args.span);
  }
  return {best, {}};
}

void Body::print_statement(const Node& call) {
  Arguments args = arguments(call, "print");
  ir::Print out{{}, " ", "\n"};
  for (const Node* n : args.positional)
    out.args.push_back(value(*n));
  for (const Node* k : args.keywords) {
    if (k->text != "sep" && k->text != "end")
      refuse(Diag::UnknownKeyword, k->span, {"print", k->text});
    Operand o = expression((*k)[0]);
    const auto* s = o.as<std::string>();
    if (!s)
      refuse(Diag::ConstantMessage, k->span);
    (k->text == "sep" ? out.sep : out.end) = *s;
  }
  emit(call.span, std::move(out));
}

} // namespace mpijit::jit::inference
