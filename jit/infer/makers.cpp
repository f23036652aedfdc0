// NumPy's functions that make arrays: of given shapes, like others, of ranges, of items written out. See body.h.
#include "infer/body.h"

#include <algorithm>
#include <numeric>

namespace mpijit::jit::inference {

// The lengths in a shape argument: an int or a tuple of ints.
std::vector<ir::Expr*> Body::shape_of(const Operand& o, Span span) {
  ir::Expr* s = value(o, span);
  if (!s->type->is_tuple())
    return {as_int(o, "a shape", span)};
  Shared t = share(s);
  std::vector<ir::Expr*> out;
  for (size_t k = 0; k < s->type->items.size(); ++k) {
    ir::Expr* item = make(s->type->items[k], s->span, ir::Item{k ? t.again : t.first, static_cast<int>(k)});
    out.push_back(as_int({item, {}}, "a shape", span));
  }
  return out;
}

// `fill` is what np.full was given; ones has none.
Operand Body::make_array(std::string_view maker, std::vector<ir::Expr*> shape, std::optional<DType> dtype,
                         const Operand* fill, Span span) {
  const int ndim = static_cast<int>(shape.size());
  if (maker == "empty" || maker == "zeros") {
    const ir::Fill how = maker == "zeros" ? ir::Fill::Zero : ir::Fill::None;
    return {make(types::array(dtype.value_or(DType::Float64), ndim, Layout::C), span, ir::Alloc{std::move(shape), how}),
            {}};
  }
  const Operand one = constant({int64_t{1}, {}}, span);
  const Operand& given = fill ? *fill : one;
  const DType d = dtype ? *dtype : fill ? given.type()->dtype : DType::Float64;
  ir::Elementwise out;
  for (ir::Expr*& length : shape) {
    const int slot = slots_.temporary(types::weak_int());
    out.inputs.push_back({length, slot});
    length = read(slot, span);
    out.index.push_back(slots_.temporary(types::weak_int()));
  }
  out.body = element_for_store(as_input(out, given), d, span);
  out.shape = std::move(shape);
  return {make(types::array(d, ndim, Layout::C), span, std::move(out)), {}};
}

Operand Body::allocate(std::string_view maker, const Arguments& args, bool like) {
  const bool full = maker == "full";
  std::vector<Parameter> parameters{{like ? "a" : "shape"}};
  if (full)
    parameters.push_back({"fill_value"});
  parameters.push_back({"dtype", false});
  const std::vector<const Node*> given = bind(args, parameters);
  std::vector<ir::Expr*> shape;
  std::optional<DType> dtype;
  const Operand first = expression(*given[0]);
  if (!like) {
    shape = shape_of(first, given[0]->span);
  } else {
    ir::Expr* a = value(first, given[0]->span);
    if (!a->type->is_array())
      refuse(Diag::OperandType, given[0]->span, {std::string(maker) + "_like", to_string(a->type)});
    dtype = a->type->dtype;
    const Shared s = share(a);
    for (int k = 0; k < a->type->ndim; ++k)
      shape.push_back(make(types::weak_int(), args.span, ir::Dim{k ? s.again : s.first, k}));
  }
  Operand fill;
  if (full) {
    fill = without_axes(expression(*given[1]));
    require_number(fill, like ? "np.full_like" : "np.full", given[1]->span);
  }
  if (const Node* asked = given.back())
    dtype = dtype_of(expression(*asked), asked->span);
  return make_array(maker, std::move(shape), dtype, full ? &fill : nullptr, args.span);
}

// ---- ranges ------------------------------------------------------------------------------------------------

ir::Expr* Body::index_slot(ir::Elementwise& into, ir::Expr* length, Span span) {
  into.shape.push_back(length);
  into.index.push_back(slots_.temporary(types::weak_int()));
  return read(into.index.back(), span);
}

// NumPy fills in the first two items and steps on by their difference, all in the result's dtype.
Operand Body::arange(const Arguments& args) {
  std::vector<const Node*> list = bind(args, {{"start"}, {"stop", false}, {"step", false}, {"dtype", false}});
  auto number = [&](const Node* n, int64_t fallback) {
    Operand o = n ? without_axes(expression(*n)) : constant({fallback, {}}, args.span);
    require_scalar(o, "np.arange", n ? n->span : args.span);
    return o;
  };
  const bool alone = !list[1];
  const Operand first = number(list[0], 0), second = alone ? Operand{} : number(list[1], 0);
  const Operand by = number(list[2], 1);
  Operand start = alone ? constant({int64_t{0}, {}}, args.span) : first, stop = alone ? first : second;
  Type t = promote_scalars(promote_scalars(start.type(), stop.type()), by.type());
  if (t->is_bool())
    t = types::strong(DType::Int64);
  const DType d = list[3] ? dtype_of(expression(*list[3]), list[3]->span) : t->dtype;
  if (is_complex(d) || is_bool(d))
    refuse(Diag::OperandType, args.span, {"np.arange", row(d).name});
  const bool whole = !start.type()->is_float() && !stop.type()->is_float() && !by.type()->is_float();
  const Type in = whole ? types::weak_int() : types::weak_float();
  ir::Elementwise out;
  auto take = [&](const Operand& o) {
    const int slot = slots_.temporary(in);
    out.inputs.push_back({whole ? as_int(o, "a bound", args.span) : convert_scalar(o.expr, in), slot});
    return slot;
  };
  const int a = take(start), b = take(stop), c = take(by);
  const Span span = args.span;
  ir::Expr *length, *zero = make(in, span, ir::Const{});
  ir::Expr* distance = binary(ir::BinaryOp::Sub, read(b, span), read(a, span), span);
  if (whole) { // rounded up: -((start - stop) // step)
    ir::Expr* back = make(in, span, ir::Unary{ir::UnaryOp::Neg, distance});
    length = make(in, span, ir::Unary{ir::UnaryOp::Neg, binary(ir::BinaryOp::FloorDiv, back, read(c, span), span)});
  } else {
    ir::Expr* steps = binary(ir::BinaryOp::Div, distance, read(c, span), span);
    ir::Expr* up = make(in, span, ir::Math{find_math("$ceil", 1), {steps}});
    ir::Expr* nonzero = compared(ir::CompareOp::NotEq, read(c, span), zero, span);
    up = make(in, span, ir::Check{nonzero, find_error("ZeroDivisionError"), "float division by zero", up});
    length = make(types::weak_int(), span, ir::Cast{ir::CastKind::Truncate, up});
  }
  Shared n = share(length);
  ir::Expr* none = integer(0, span);
  ir::Expr* some = compared(ir::CompareOp::Gt, n.first, none, span);
  length = select(some, n.again, integer(0, span), span);
  auto cast = [&](ir::Expr* x) { return cast_element(x, d); };
  ir::Expr* i = index_slot(out, length, span);
  ir::Expr* next = binary(ir::BinaryOp::Add, read(a, span), read(c, span), span);
  ir::Expr* delta = binary(ir::BinaryOp::Sub, cast(next), cast(read(a, span)), span);
  ir::Expr* item =
      binary(ir::BinaryOp::Add, cast(read(a, span)), binary(ir::BinaryOp::Mult, cast(i), delta, span), span);
  if (is_float(d)) {
    ir::Expr* is_second = compared(ir::CompareOp::Eq, i, integer(1, span), span);
    item = select(is_second, cast(binary(ir::BinaryOp::Add, read(a, span), read(c, span), span)), item, span);
  }
  out.body = item;
  return {make(types::array(d, 1, Layout::C), span, std::move(out)), {}};
}

// start + i * step with step = (stop - start) / (num - 1), the last item stop itself.
Operand Body::linspace(const Arguments& args) {
  std::vector<const Node*> list =
      bind(args, {{"start"}, {"stop"}, {"num", false}, {"endpoint", false}, {"dtype", false, false}});
  const Span span = args.span;
  auto number = [&](const Node* n) {
    Operand o = without_axes(expression(*n));
    require_scalar(o, "np.linspace", n->span);
    return o;
  };
  const Operand start = number(list[0]), stop = number(list[1]);
  const Operand num = list[2] ? expression(*list[2]) : constant({int64_t{50}, {}}, span);
  const bool endpoint = constant_bool(list[3], true);
  Type t = promote_scalars(promote_scalars(start.type(), stop.type()), types::weak_float());
  t = types::strong(t->dtype);
  const DType d = list[4] ? dtype_of(expression(*list[4]), list[4]->span) : t->dtype;
  if (is_complex(d))
    refuse(Diag::OperandType, span, {"np.linspace", row(d).name});
  ir::Elementwise out;
  auto take = [&](ir::Expr* x) {
    const int slot = slots_.temporary(x->type);
    out.inputs.push_back({x, slot});
    return slot;
  };
  const int a = take(convert_scalar(start.expr, t)), b = take(convert_scalar(stop.expr, t));
  const int n = take(as_int(num, "num", list[2] ? list[2]->span : span));
  ir::Expr* parts = read(n, span);
  if (endpoint)
    parts = binary(ir::BinaryOp::Sub, parts, integer(1, span), span);
  const int div = slots_.temporary(types::weak_int());
  out.inputs.push_back({parts, div});
  auto real = [&](ir::Expr* x) { return convert_scalar(x, t); };
  const int delta = slots_.temporary(t), step = slots_.temporary(t);
  ir::Expr* difference = binary(ir::BinaryOp::Sub, read(b, span), read(a, span), span);
  out.inputs.push_back({difference, delta});
  out.inputs.push_back({binary(ir::BinaryOp::Div, read(delta, span), real(read(div, span)), span), step});
  ir::Expr* i = index_slot(out, read(n, span), span);
  ir::Expr* zero = make(t, span, ir::Const{});
  ir::Expr* stepped = binary(ir::BinaryOp::Mult, real(i), read(step, span), span);
  ir::Expr* divided = binary(ir::BinaryOp::Mult, binary(ir::BinaryOp::Div, real(i), real(read(div, span)), span),
                             read(delta, span), span);
  ir::Expr* tiny = select(compared(ir::CompareOp::Eq, read(step, span), zero, span), divided, stepped, span);
  ir::Expr* single = binary(ir::BinaryOp::Mult, real(i), read(delta, span), span);
  ir::Expr* y = select(compared(ir::CompareOp::Gt, read(div, span), integer(0, span), span), tiny, single, span);
  y = binary(ir::BinaryOp::Add, y, read(a, span), span);
  if (endpoint) { // NumPy sets the last of two or more
    ir::Expr* is_last = compared(ir::CompareOp::Eq, i, read(div, span), span);
    ir::Expr* several = compared(ir::CompareOp::Gt, read(div, span), integer(0, span), span);
    ir::Expr* both = select(is_last, several, boolean(false, span), span);
    y = select(both, read(b, span), y, span);
  }
  if (is_integer(d))
    y = make(t, span, ir::Math{find_math("$floor", 1), {y}});
  out.body = cast_element(y, d);
  return {make(types::array(d, 1, Layout::C), span, std::move(out)), {}};
}

// np.eye(N, M=None, k=0) and np.identity(n): ones on a diagonal.
Operand Body::eye(const Arguments& args, bool identity) {
  std::vector<const Node*> list = identity ? bind(args, {{"n"}, {"dtype", false}})
                                           : bind(args, {{"N"}, {"M", false}, {"k", false}, {"dtype", false}});
  const Span span = args.span;
  ir::Elementwise out;
  auto take = [&](const Node* n, ir::Expr* fallback) {
    Operand o = n ? expression(*n) : Operand{};
    const int slot = slots_.temporary(types::weak_int());
    out.inputs.push_back({n && !o.as<None>() ? as_int(o, "a length", n->span) : fallback, slot});
    return slot;
  };
  const int rows = take(list[0], nullptr);
  const int columns = identity ? rows : take(list[1], read(rows, span));
  const int k = identity ? -1 : take(list[2], integer(0, span));
  const Node* dtype = list.back();
  const DType d = dtype ? dtype_of(expression(*dtype), dtype->span) : DType::Float64;
  ir::Expr* i = index_slot(out, read(rows, span), span);
  ir::Expr* j = index_slot(out, read(columns, span), span);
  if (k >= 0)
    i = binary(ir::BinaryOp::Add, i, read(k, span), span);
  ir::Expr* on = compared(ir::CompareOp::Eq, i, j, span);
  out.body = convert_scalar(convert_scalar(on, types::weak_int()), types::strong(d));
  return {make(types::array(d, 2, Layout::C), span, std::move(out)), {}};
}

// ---- items written out ---------------------------------------------------------------------------------------

/// The items of np.array's argument, nested lists and tuples flattened; the lengths of the nesting in shape.
void Body::collect_items(const Node& n, size_t depth, std::vector<int64_t>& shape, std::vector<Operand>& items) {
  const bool nested = n.kind == NodeKind::List || n.kind == NodeKind::Tuple;
  if (nested) {
    const auto length = static_cast<int64_t>(n[0].kids.size());
    if (depth == shape.size() && items.empty())
      shape.push_back(length);
    if (depth >= shape.size() || shape[depth] != length)
      refuse(Diag::RaggedArray, n.span);
    for (const Node* kid : n[0].kids)
      collect_items(*kid, depth + 1, shape, items);
    return;
  }
  Operand o = without_axes(expression(n));
  if (o.expr && o.type()->is_tuple()) {
    const auto length = static_cast<int64_t>(o.type()->items.size());
    if (depth == shape.size() && items.empty())
      shape.push_back(length);
    if (depth + 1 != shape.size() || shape[depth] != length)
      refuse(Diag::RaggedArray, n.span);
    Shared t = share(o.expr);
    for (size_t k = 0; k < o.type()->items.size(); ++k)
      items.push_back({make(o.type()->items[k], n.span, ir::Item{k ? t.again : t.first, static_cast<int>(k)}), {}});
    return;
  }
  if (depth != shape.size())
    refuse(Diag::RaggedArray, n.span);
  require_number(o, "np.array", n.span);
  items.push_back(std::move(o));
}

Operand Body::array_of(const Arguments& args) {
  std::vector<const Node*> list = bind(args, {{"object"}, {"dtype", false}});
  std::optional<DType> dtype;
  auto asked = [&] {
    if (list[1])
      dtype = dtype_of(expression(*list[1]), list[1]->span);
  };
  const Node& object = *list[0];
  const bool display = object.kind == NodeKind::List || object.kind == NodeKind::Tuple;
  if (!display) {
    Operand o = expression(object);
    if (o.type() && o.type()->is_array()) {
      asked();
      const DType d = dtype.value_or(o.type()->dtype);
      if (is_complex(o.type()->dtype) && !is_complex(d))
        refuse(Diag::ComplexToReal, args.span, {row(o.type()->dtype).name, row(d).name});
      return {cast_array(o.expr, d, args.span), {}};
    }
  }
  std::vector<int64_t> shape;
  std::vector<Operand> items;
  collect_items(object, 0, shape, items);
  asked();
  if (shape.empty() || items.size() > 256)
    refuse(Diag::OperandType, object.span, {"np.array", shape.empty() ? "a number" : "display of so many items"});
  Type t = items.empty() ? types::strong(DType::Float64) : items[0].type();
  for (const Operand& o : items)
    t = promote_scalars(t, o.type());
  return array_in_order(shape, items, dtype.value_or(t->dtype), args.span);
}

// np.asarray, np.ascontiguousarray, np.asfortranarray: the array itself when it is known to be as asked for.
Operand Body::as_array(std::string_view name, const Arguments& args) {
  std::vector<const Node*> list = bind(args, {{"a"}, {"dtype", false}});
  const Node& object = *list[0];
  const bool display = object.kind == NodeKind::List || object.kind == NodeKind::Tuple;
  const Operand given = display ? Operand{} : expression(object);
  ir::Expr* a = given.is_array() ? given.expr : array_of(args).expr;
  std::optional<DType> dtype;
  if (list[1])
    dtype = dtype_of(expression(*list[1]), list[1]->span);
  const DType d = dtype.value_or(a->type->dtype);
  if (is_complex(a->type->dtype) && !is_complex(d))
    refuse(Diag::ComplexToReal, args.span, {row(a->type->dtype).name, row(d).name});
  const bool is_fortran = name == "asfortranarray";
  if (name != "asarray")
    a = with_axes(a, 1, args.span);
  if (a->type->dtype == d &&
      (name == "asarray" || (a->type->layout == Layout::C && (!is_fortran || a->type->ndim == 1))))
    return {a, {}};
  if (!is_fortran)
    return {cast_array(a, d, args.span), {}};
  std::vector<int> backwards(static_cast<size_t>(a->type->ndim));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  ir::Expr* turned = cast_array(permute(a, backwards, args.span).expr, d, args.span);
  return permute(turned, backwards, args.span);
}

Operand Body::array_of_items(const Operand& tuple, DType d, Span span) {
  std::vector<int64_t> shape;
  std::vector<Operand> numbers;
  std::function<void(const Operand&, size_t)> collect = [&](const Operand& o, size_t depth) {
    if (!o.type() || !o.type()->is_tuple()) {
      if (depth != shape.size())
        refuse(Diag::RaggedArray, span);
      require_number(o, "assignment to a slice", span);
      numbers.push_back(o);
      return;
    }
    const std::vector<Operand> items = items_of(o, span);
    const auto length = static_cast<int64_t>(items.size());
    if (depth == shape.size() && numbers.empty())
      shape.push_back(length);
    if (depth >= shape.size() || shape[depth] != length)
      refuse(Diag::RaggedArray, span);
    for (const Operand& item : items)
      collect(item, depth + 1);
  };
  collect(tuple, 0);
  return array_in_order(shape, numbers, d, span);
}

Operand Body::array_in_order(const std::vector<int64_t>& shape, const std::vector<Operand>& items, DType d, Span span) {
  ir::Elementwise out;
  std::vector<ir::Expr*> values;
  for (const Operand& o : items)
    values.push_back(element_for_store(as_input(out, o), d, span));
  ir::Expr* position = nullptr;
  for (int64_t length : shape) {
    ir::Expr* i = index_slot(out, integer(length, span), span);
    position =
        position ? binary(ir::BinaryOp::Add, binary(ir::BinaryOp::Mult, position, integer(length, span), span), i, span)
                 : i;
  }
  const int at = slots_.temporary(types::weak_int());
  out.lets.push_back({at, position});
  out.body = values.empty() ? make(types::strong(d), span, ir::Const{}) : values.back();
  for (size_t k = values.size(); k-- > 1;) {
    ir::Expr* before = compared(ir::CompareOp::Lt, read(at, span), integer(static_cast<int64_t>(k), span), span);
    out.body = select(before, values[k - 1], out.body, span);
  }
  return {make(types::array(d, static_cast<int>(shape.size()), Layout::C), span, std::move(out)), {}};
}

} // namespace mpijit::jit::inference
