// Names, constants, attributes, tuples and conditional expressions. See body.h.
#include "infer/body.h"

#include <utility>

namespace mpijit::jit::inference {

ir::Expr* Body::value(const Operand& o, Span span) {
  if (o.expr && o.type()->kind != TypeKind::Static)
    return o.expr;
  if (const auto* u = o.as<Unsupported>())
    refuse(Diag::Captured, span, {u->what});
  if (const auto* big = o.as<BigInteger>())
    refuse(Diag::BigInteger, span, {big->digits});
  if (o.as<FunctionName>() || o.as<KernelIndex>() || o.as<DTypeName>())
    refuse(Diag::NotAValue, span, {"<" + to_string(*o.constant) + ">"});
  refuse(Diag::NotAValue, span, {o.constant ? to_string(*o.constant) : o.expr ? to_string(o.type()) : "this"});
}

ir::Expr* Body::value(const Node& e) { return value(expression(e), e.span); }

Operand Body::expression(const Node& e) {
  if (auto given = stands_.find(&e); given != stands_.end())
    return given->second;
  return known(evaluate(e));
}

Operand Body::evaluate(const Node& e) {
  switch (e.kind) {
  case NodeKind::Constant: return constant(e.constant, e.span);
  case NodeKind::Name: return name(e);
  case NodeKind::Attribute: return attribute(e);
  case NodeKind::Tuple: return tuple(e);
  case NodeKind::BinOp: return binary(e);
  case NodeKind::UnaryOp: return unary(e);
  case NodeKind::Compare: return compare(e);
  case NodeKind::BoolOp: return boolean_operator(e);
  case NodeKind::IfExp: return choose(e);
  case NodeKind::NamedExpr: return named(e);
  case NodeKind::Call: return call(e);
  case NodeKind::Subscript: return subscript(e);
  case NodeKind::List: refuse(Diag::ListDisplay, e.span);
  case NodeKind::Lambda: return lambda(e);
  case NodeKind::Starred: refuse(Diag::Unsupported, e.span, {"a starred expression"});
  case NodeKind::Slice: refuse(Diag::Unsupported, e.span, {"a slice outside of brackets"});
  case NodeKind::Unsupported: refuse(Diag::Unsupported, e.span, {e.text});
  default: refuse(Diag::Unsupported, e.span, {name_of(e.kind)});
  }
}

Operand Body::constant(const Constant& c, Span span) {
  Operand o;
  o.constant = c;
  auto scalar = [&](Type weak, ir::Const literal) {
    std::optional<DType> dtype = c.dtype.empty() ? weak->dtype : find_dtype(c.dtype);
    if (!dtype)
      refuse(Diag::UnknownDType, span, {c.dtype});
    Type t = c.dtype.empty() ? weak : types::strong(*dtype);
    o.expr = make(t, span, literal);
  };
  if (const auto* b = std::get_if<bool>(&c.value)) {
    scalar(types::weak_bool(), {*b, 0});
  } else if (const auto* i = std::get_if<int64_t>(&c.value)) {
    scalar(types::weak_int(), {*i, 0});
  } else if (const auto* d = std::get_if<double>(&c.value)) {
    scalar(types::weak_float(), {0, *d});
  } else if (const auto* z = std::get_if<std::complex<double>>(&c.value)) {
    scalar(types::weak_complex(), {0, z->real(), z->imag()});
  } else if (std::holds_alternative<None>(c.value)) {
    o.expr = make(types::none(), span, ir::Const{});
  } else if (const auto* s = std::get_if<std::string>(&c.value)) {
    o.expr = make(types::string(), span, ir::Text{*s});
  } else if (const auto* a = std::get_if<CapturedArray>(&c.value)) {
    o.expr = read(arrays_.at(a->index), span);
    o.constant.reset();
  } else if (const auto* slice = std::get_if<Slice>(&c.value)) {
    Bounds bounds;
    for (size_t k = 0; k < bounds.size(); ++k)
      if (const std::optional<int64_t> bound = std::array{slice->start, slice->stop, slice->step}[k])
        bounds[k] = constant({*bound, {}}, span);
    o.expr = slice_of(bounds, span).expr;
  } else if (const auto* h = std::get_if<Handle>(&c.value)) {
    if (h->kind == "operator" || h->kind == "comm")
      o.expr = make(h->kind == "comm" ? types::comm() : types::op(), span, ir::Const{h->value, 0});
    else if (h->kind == "request")
      refuse(Diag::Captured, span, {"a captured request (pass it as an argument)"});
  } else if (const auto* items = std::get_if<ConstantTuple>(&c.value)) {
    ir::MakeTuple out;
    std::vector<Type> item_types;
    for (const Constant& item : *items) {
      Operand part = constant(item, span);
      if (!part.expr)
        return o; // a tuple of functions: usable item by item
      out.items.push_back(part.expr);
      item_types.push_back(part.type());
      if (!part.constant) // an array: the tuple is not a constant
        o.constant.reset();
    }
    o.expr = make(types::tuple(std::move(item_types)), span, std::move(out));
  }
  return o;
}

const Constant* Body::captured(std::string_view key) const {
  auto at = source_.captures.find(key);
  return at == source_.captures.end() ? nullptr : &at->second;
}

Operand Body::name(const Node& e) {
  if (!locals_.contains(e.text)) {
    if (const Constant* c = captured(e.text))
      return constant(*c, e.span);
    refuse(Diag::UnknownName, e.span, {e.text});
  }
  auto at = env_.names.find(e.text);
  if (at == env_.names.end())
    refuse(Diag::NeverBound, e.span, {e.text});
  const Binding& b = at->second;
  if (!b.conflict.empty()) {
    std::string here = b.type ? to_string(b.type) : "a compile-time value";
    Diagnostic d = make_diagnostic(Diag::JoinTypes, e.span, {e.text, here, b.conflict});
    d.note = e.text + " is " + here + " here";
    d.note_span = b.span;
    throw Refusal(d);
  }
  if (!b.type) {
    Operand o;
    o.constant = b.constant;
    return o;
  }
  ir::Expr* x = read(b.slot, e.span);
  if (b.flag >= 0)
    x = make(b.type, e.span,
             ir::Check{read(b.flag, e.span), find_error("UnboundLocalError"),
                       "cannot access local variable '" + e.text + "' where it is not associated with a value", x});
  Operand o{x, {}};
  if (b.type->is_none())
    o.constant = Constant{None{}, {}};
  else if (b.flag < 0)
    o.constant = b.constant; // of an unrolled loop's variable
  return o;
}

// "np.zeros" for a chain of attributes on a name that is not local.
std::optional<std::string> Body::dotted(const Node& e) const {
  if (e.kind == NodeKind::Name)
    return locals_.contains(e.text) ? std::nullopt : std::optional(e.text);
  if (e.kind != NodeKind::Attribute)
    return std::nullopt;
  std::optional<std::string> base = dotted(e[0]);
  if (!base)
    return std::nullopt;
  return *base + "." + e.text;
}

Operand Body::attribute(const Node& e) {
  if (auto key = dotted(e))
    if (const Constant* c = captured(*key))
      return constant(*c, e.span);
  Operand base = expression(e[0]);
  if (const auto* module = base.as<ModuleName>())
    refuse(Diag::ModuleAttribute, e.span, {module->name, e.text});
  if (base.as<DTypeName>())
    return after({base}, dtype_attribute(base, e.text, e.span));
  ir::Expr* x = value(base, e[0].span);
  const std::string& what = e.text;
  if (x->type->is_array() && (what == "real" || what == "imag"))
    return part(base, what == "imag", e.span);
  if (x->type->is_array())
    return array_attribute(x, what, e.span);
  if (x->type->is_scalar() && (what == "real" || what == "imag"))
    return {number_part(x, what == "imag"), {}};
  if (x->type->kind == TypeKind::Status) {
    constexpr std::string_view fields[] = {"source", "tag", "count", "nbytes"};
    for (int k = 0; k < 4; ++k)
      if (what == fields[k])
        return {make(types::weak_int(), e.span, ir::StatusField{x, k}), {}};
  }
  if (const std::optional<Bounds> bounds = bounds_of(base, e.span))
    for (size_t k = 0; k < bounds->size(); ++k)
      if (what == std::array{"start", "stop", "step"}[k])
        return ir::is_pure(*x) && (*bounds)[k].expr
                   ? (*bounds)[k]
                   : known({make(x->type->items[k], e.span, ir::Item{x, static_cast<int>(k)}), {}});
  if (x->type->kind == TypeKind::Comm && (what == "rank" || what == "size")) {
    out_.uses_mpi = true;
    return {make(types::weak_int(), e.span, ir::MpiCall{find_routine(what), {x}}), {}};
  }
  refuse(Diag::Attribute, e.span, {to_string(x->type), what});
}

Operand Body::array_attribute(ir::Expr* x, const std::string& what, Span span) {
  const int ndim = x->type->ndim;
  Shared a = share(x);
  auto length = [&](int k) { return make(types::weak_int(), span, ir::Dim{k ? a.again : a.first, k}); };
  auto of_axes = [&](const std::function<ir::Expr*(int)>& of_axis) -> Operand {
    ir::MakeTuple out;
    for (int k = 0; k < ndim; ++k)
      out.items.push_back(of_axis(k));
    std::vector<Type> items(static_cast<size_t>(ndim), types::weak_int());
    return {make(types::tuple(std::move(items)), span, std::move(out)), {}};
  };
  auto product = [&](ir::Expr* n) {
    for (int k = 0; k < ndim; ++k)
      n = n ? binary(ir::BinaryOp::Mult, n, length(k), span) : length(k);
    return n;
  };
  if (what == "shape")
    return of_axes(length);
  if (what == "strides")
    return of_axes([&](int k) { return make(types::weak_int(), span, ir::Stride{k ? a.again : a.first, k}); });
  if (what == "size")
    return {product(ndim ? nullptr : integer(1, span)), {}};
  if (what == "nbytes")
    return {product(integer(size(x->type->dtype), span)), {}};
  if (what == "ndim")
    return constant({int64_t{ndim}, {}}, span);
  if (what == "itemsize")
    return constant({int64_t{size(x->type->dtype)}, {}}, span);
  if (what == "dtype")
    return {nullptr, Constant{DTypeName{std::string(row(x->type->dtype).name)}, {}}};
  if (what == "T") {
    std::vector<int> axes;
    for (int k = ndim; k-- > 0;)
      axes.push_back(k);
    return permute(x, std::move(axes), span);
  }
  refuse(Diag::ArrayAttribute, span, {what, nearest_attribute(what)});
}

Body::Shared Body::share(ir::Expr* x) {
  if (std::holds_alternative<ir::Read>(x->node) || std::holds_alternative<ir::Const>(x->node))
    return {x, x};
  int slot = slots_.temporary(x->type);
  return {make(x->type, x->span, ir::Bind{slot, x}), read(slot, x->span)};
}

ir::Expr* Body::after(ir::Expr* first, ir::Expr* then) {
  if (std::holds_alternative<ir::Read>(first->node) || std::holds_alternative<ir::Const>(first->node))
    return then;
  ir::Expr* pair = make(types::tuple({first->type, then->type}), then->span, ir::MakeTuple{{first, then}});
  return make(then->type, then->span, ir::Item{pair, 1});
}

Operand Body::named(const Node& e) {
  if (conditional_ && !e[0].text.starts_with("$"))
    refuse(Diag::WalrusConditional, e.span);
  ir::Expr* x = carried(expression(e[1]), e[1].span);
  Binding b;
  b.type = x->type;
  b.slot = slots_.variable(e[0].text, x->type);
  b.span = e.span;
  env_.names[e[0].text] = b;
  return {make(x->type, e.span, ir::Bind{b.slot, x}), {}};
}

std::optional<Operand> Body::arm(const std::function<Operand()>& f) {
  ++conditional_;
  const bool outside = std::exchange(never_, false);
  std::optional<Operand> out;
  try {
    out = f();
    out->never = never_;
  } catch (const NeverReturns&) {
  } catch (...) {
    --conditional_;
    throw;
  }
  never_ = outside;
  --conditional_;
  return out;
}

Operand Body::choose(const Node& e) {
  Operand cond = condition(e[0]);
  if (const bool* known = cond.as<bool>())
    return after({cond}, expression(e[*known ? 1 : 2]));
  std::optional<Operand> yes = arm([&] { return expression(e[1]); });
  std::optional<Operand> no = arm([&] { return expression(e[2]); });
  if (!yes && !no)
    throw NeverReturns{};
  if (!yes || !no)
    return yes ? *yes : *no;
  return choose(cond.expr, *yes, *no, e.span);
}

Operand Body::choose(ir::Expr* cond, const Operand& yes, const Operand& no, Span span) {
  ir::Expr* a = carried(yes, span);
  ir::Expr* b = carried(no, span);
  never_ |= yes.never && no.never;
  if (yes.never != no.never) { // an arm that raises has no type to join, and comes first
    ir::Expr* raises = after(yes.never ? a : b, integer(0, span));
    ir::Expr* zero = integer(0, span);
    ir::Choose first{cond, yes.never ? raises : zero, yes.never ? zero : raises};
    return {after(make(types::weak_int(), span, first), yes.never ? b : a), {}};
  }
  std::optional<Type> joined = jit::join(a->type, b->type);
  if (!joined)
    refuse(Diag::ArmTypes, span, {to_string(a->type), to_string(b->type)});
  return {select(cond, convert(out_, a, *joined), convert(out_, b, *joined), span), {}};
}

} // namespace mpijit::jit::inference
