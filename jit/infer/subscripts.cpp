// Indexing of arrays: elements, basic slices as views; and stores to elements. See body.h.
#include "infer/body.h"

#include <algorithm>
#include <limits>

namespace mpijit::jit::inference {
namespace {

bool empty(const Node& n) { return n.kind == NodeKind::Empty; }

// Of a slice's bound.
bool is_missing(const Operand& o) { return !o.expr || o.type()->is_none(); }

bool is_full(const ir::Range& r) { return !r.start && !r.stop && !r.step; }

bool has_unit_step(const ir::Range& r) {
  const auto* step = r.step ? std::get_if<ir::Const>(&r.step->node) : nullptr;
  return !r.step || (step && step->i == 1);
}

bool is_index(const ir::Axis& axis) { return std::holds_alternative<ir::Index>(axis); }

// C-contiguous stays so when only the leading axes are cut: indices, one unit-step range, full ranges. A new axis
// changes nothing.
Layout layout_of(Type array, const std::vector<ir::Axis>& axes) {
  bool contiguous = array->layout == Layout::C, cut = false;
  for (const ir::Axis& axis : axes) {
    if (is_index(axis))
      contiguous &= !cut;
    if (const auto* range = std::get_if<ir::Range>(&axis)) {
      contiguous &= is_full(*range) || (!cut && has_unit_step(*range));
      cut = true;
    }
  }
  return contiguous ? Layout::C : Layout::Strided;
}

} // namespace

ir::Expr* Body::as_int(const Operand& o, std::string_view what, Span span) {
  ir::Expr* x = value(o, span);
  if (!x->type->is_integer() && !x->type->is_bool())
    refuse(Diag::IntegerWanted, span, {what, to_string(x->type)});
  if (x->type->dtype != DType::UInt64)
    return convert_scalar(x, types::weak_int());
  // A uint64 above int64's range must not come out negative.
  Shared s = share(x);
  ir::Expr* limit = make(x->type, span, ir::Const{std::numeric_limits<int64_t>::max(), 0});
  ir::Expr* small = make(types::strong(DType::Bool), span, ir::Compare{ir::CompareOp::LtE, s.first, limit});
  ir::Expr* as_signed = make(types::weak_int(), span, ir::Cast{ir::CastKind::Convert, s.again});
  return make(types::weak_int(), span,
              ir::Check{small, find_error("OverflowError"), "Python int too large to convert to C long", as_signed});
}

ir::Expr* Body::index_value(const Operand& o, Span span) {
  Type t = value(o, span)->type;
  if (t->is_array())
    refuse(Diag::IndexKind, span, {"an array"});
  if (t->is_bool())
    refuse(Diag::IndexKind, span, {"a bool"});
  return as_int(o, "an index", span);
}

// ---- slices ------------------------------------------------------------------------------------------------

Body::Bounds Body::bounds_of(const Node& slice) {
  Bounds out;
  for (size_t k = 0; k < out.size(); ++k)
    if (!empty(slice[k])) {
      out[k] = expression(slice[k]);
      if (!is_missing(out[k]))
        as_int(out[k], "a slice's bound", slice[k].span); // or a refusal
    }
  return out;
}

std::optional<Body::Bounds> Body::bounds_of(const Operand& o, Span span) {
  if (!o.type() || !o.type()->is_slice())
    return std::nullopt;
  Bounds out;
  if (const auto* display = std::get_if<ir::MakeTuple>(&o.expr->node)) {
    for (size_t k = 0; k < out.size(); ++k)
      out[k] = known({display->items[k], {}});
    if (const auto* s = o.as<Slice>(); s && ir::is_pure(*o.expr))
      for (size_t k = 0; k < out.size(); ++k)
        if (const std::optional<int64_t> bound = std::array{s->start, s->stop, s->step}[k])
          out[k].constant = Constant{*bound, {}};
    return out;
  }
  ir::Expr* x = o.expr;
  for (size_t k = 0; k < out.size(); ++k)
    if (const Type t = x->type->items[k]; !t->is_none()) {
      const Shared s = share(x);
      out[k] = {make(t, span, ir::Item{s.first, static_cast<int>(k)}), {}};
      x = s.again;
    }
  if (x == o.expr && !ir::is_pure(*x)) // a call's slice(None): the call happens all the same
    out[0] = {after(x, integer(0, span)), {}};
  return out;
}

ir::Range Body::range(const Bounds& bounds, Span span) {
  const auto one = [&](const Operand& o) { return is_missing(o) ? nullptr : as_int(o, "a slice's bound", span); };
  ir::Expr *start = one(bounds[0]), *stop = one(bounds[1]);
  return {start, stop, one(bounds[2])};
}

Operand Body::slice_of(const Bounds& bounds, Span span) {
  ir::MakeTuple out;
  Slice constant_bounds;
  std::optional<int64_t>* const constants[] = {&constant_bounds.start, &constant_bounds.stop, &constant_bounds.step};
  bool is_known = true;
  for (size_t k = 0; k < bounds.size(); ++k) {
    const Operand& o = bounds[k];
    if (is_missing(o)) {
      out.items.push_back(o.expr ? o.expr : make(types::none(), span, ir::Const{}));
      continue;
    }
    out.items.push_back(as_int(o, "a slice's bound", span));
    if (const auto* i = o.as<int64_t>())
      *constants[k] = *i;
    else
      is_known = false;
  }
  const Type t = types::slice(out.items[0]->type, out.items[1]->type, out.items[2]->type);
  Operand result{make(t, span, std::move(out)), {}};
  if (is_known)
    result.constant = Constant{constant_bounds, {}};
  return result;
}

// slice(stop), slice(start, stop), slice(start, stop, step).
Operand Body::slice_call(const Arguments& args) {
  const size_t count = args.positional.size();
  if (count < 1 || count > 3 || !args.keywords.empty())
    refuse(Diag::CallArguments, args.span, {"slice", "one, two or three arguments"});
  Bounds bounds;
  for (size_t k = 0; k < count; ++k) {
    Operand o = expression(*args.positional[k]);
    if (!is_missing(o))
      as_int(o, "a slice's bound", args.positional[k]->span); // or a refusal
    bounds[count == 1 ? 1 : k] = std::move(o);
  }
  return slice_of(bounds, args.span);
}

// ---- indices -----------------------------------------------------------------------------------------------

// `u[i, j]` is an index of two, and so is `u[t]` of a tuple t of two. An Ellipsis stands for full ranges, as many as
// are missing; without one they are missing at the end.
Body::Indices Body::indices(ir::Expr* array, const Node& index) {
  Indices out;
  std::optional<size_t> ellipsis; // where it stands
  int taken = 0;                  // axes of the array
  auto add = [&](const Operand& o, Span span) {
    if (o.as<Ellipsis>()) {
      if (ellipsis)
        refuse(Diag::IndexEllipsis, span);
      ellipsis = out.axes.size();
    } else if (o.as<None>() || (o.type() && o.type()->is_none())) {
      out.axes.push_back(ir::NewAxis{});
    } else if (const std::optional<Bounds> slice = bounds_of(o, span)) {
      ++taken;
      out.axes.push_back(range(*slice, span));
    } else {
      ++taken;
      out.axes.push_back(ir::Index{index_value(o, span), true, all_.boundscheck});
    }
  };
  auto add_all = [&](const Operand& t, Span span) {
    for (const Operand& item : items_of(t, span))
      add(item, span);
  };
  auto is_tuple = [](const Operand& o) { return o.as<ConstantTuple>() || (o.type() && o.type()->is_tuple()); };
  auto add_node = [&](const Node& n) {
    if (n.kind == NodeKind::Slice) {
      ++taken;
      out.axes.push_back(range(bounds_of(n), n.span));
    } else if (n.kind == NodeKind::Starred) {
      Operand o = expression(n[0]);
      if (!is_tuple(o))
        refuse(Diag::IndexKind, n.span, {"a starred " + to_string(value(o, n.span)->type)});
      add_all(o, n.span);
    } else {
      Operand o = expression(n);
      if (is_tuple(o))
        refuse(Diag::IndexKind, n.span, {"a tuple among others"});
      add(o, n.span);
    }
  };
  if (index.kind == NodeKind::Tuple) {
    for (const Node* n : index[0].kids)
      add_node(*n);
  } else if (index.kind == NodeKind::Slice) {
    add_node(index);
  } else if (Operand o = expression(index); is_tuple(o)) {
    add_all(o, index.span);
  } else {
    add(o, index.span);
  }
  const int missing = array->type->ndim - taken;
  if (missing < 0)
    refuse(Diag::TooManyIndices, index.span, {std::to_string(array->type->ndim), std::to_string(taken)});
  out.element = !ellipsis && missing == 0 && std::all_of(out.axes.begin(), out.axes.end(), is_index);
  const auto where = out.axes.begin() + static_cast<std::ptrdiff_t>(ellipsis.value_or(out.axes.size()));
  out.axes.insert(where, static_cast<size_t>(missing), ir::Range{nullptr, nullptr, nullptr});
  return out;
}

ir::Expr* Body::view(ir::Expr* array, std::vector<ir::Axis> axes, Span span) {
  const Type from = array->type;
  const auto rank = std::count_if(axes.begin(), axes.end(), [](const ir::Axis& axis) { return !is_index(axis); });
  const Type t = types::array(from->dtype, static_cast<int>(rank), layout_of(from, axes), from->readonly);
  return make(t, span, ir::View{array, std::move(axes)});
}

Operand Body::take(ir::Expr* array, Indices at, Span span) {
  if (!at.element)
    return {view(array, std::move(at.axes), span), {}};
  ir::Load load{array, {}, -1};
  for (const ir::Axis& axis : at.axes)
    load.index.push_back(std::get<ir::Index>(axis));
  return {make(types::strong(array->type->dtype), span, std::move(load)), {}};
}

Operand Body::item_of(ir::Expr* array, ir::Expr* index, Span span) {
  Indices at{{ir::Index{index, false, false}}, array->type->ndim == 1};
  at.axes.resize(static_cast<size_t>(array->type->ndim), ir::Range{nullptr, nullptr, nullptr});
  return take(array, std::move(at), span);
}

Operand Body::subscript(const Node& e) {
  Operand base = expression(e[0]);
  if (base.as<ConstantTuple>() || (base.type() && base.type()->is_tuple()))
    return e[1].kind == NodeKind::Slice ? tuple_slice(base, bounds_of(e[1]), e[1].span)
                                        : tuple_item(base, e[1], e.span);
  ir::Expr* array = value(base, e[0].span);
  if (!array->type->is_array())
    refuse(Diag::NotSubscriptable, e.span, {to_string(array->type)});
  return take(array, indices(array, e[1]), e.span);
}

ir::Expr* Body::element_for_store(const Operand& o, DType d, Span span) {
  require_number(o, "assignment to an element", span);
  Type to = types::strong(d);
  ir::Expr* x = o.expr;
  if (is_bool(d))
    return x->type->is_bool() ? convert_scalar(x, to) : make(to, span, ir::Cast{ir::CastKind::Truth, x});
  if (is_complex(d))
    return convert_scalar(x, to);
  if (x->type->is_complex())
    refuse(Diag::ComplexToReal, span, {to_string(x->type), row(d).name});
  // NumPy stores into integers by way of Python's: nan and what is out of range raise. Only its own scalars going
  // into unsigned elements are cast as C casts them.
  const bool checked = is_signed(d) || x->type->weak;
  if (is_integer(d) && x->type->is_float()) {
    if (!checked)
      return convert_scalar(x, to);
    return coerce({make(types::weak_int(), span, ir::Cast{ir::CastKind::Truncate, x}), {}}, to, span);
  }
  const DType from = x->type->dtype;
  const bool wider = kind(from) == 'u' ? size(from) >= size(d) : size(from) > size(d);
  if (is_signed(d) && x->type->is_integer() && !x->type->weak && wider)
    return coerce({as_int(o, "an element", span), {}}, to, span);
  return coerce(o, to, span);
}

void Body::store(const Node& target, const Operand& v, bool in_place, Span span) {
  Operand base = expression(target[0]);
  ir::Expr* array = value(base, target[0].span);
  if (!array->type->is_array())
    refuse(array->type->is_tuple() ? Diag::TupleStore : Diag::NotSubscriptable, target.span, {to_string(array->type)});
  Indices at = indices(array, target[1]);
  if (!at.element)
    return store_array(view(array, std::move(at.axes), target.span), v, in_place, span);
  ir::Store out{array, {}, element_for_store(v, array->type->dtype, span), -1};
  for (const ir::Axis& axis : at.axes)
    out.index.push_back(std::get<ir::Index>(axis));
  if (array->type->readonly) {
    const Operand given = v;
    emit(span, ir::Evaluate{given.expr});
    emit(span, ir::Evaluate{array});
    for (const ir::Index& index : out.index)
      emit(span, ir::Evaluate{index.value});
    return raise_read_only(span);
  }
  if (out.value != v.expr && ir::effects(*out.value).raises && !std::holds_alternative<ir::Const>(v.expr->node)) {
    // The index is looked at before the value is converted.
    const Operand kept{keep(v.expr), v.constant};
    out.array = keep(array);
    for (ir::Index& index : out.index)
      index.value = keep(index.value);
    if (all_.boundscheck)
      emit(span, ir::Evaluate{make(types::strong(array->type->dtype), span, ir::Load{out.array, out.index, -1})});
    out.value = element_for_store(kept, array->type->dtype, span);
  }
  emit(span, std::move(out));
}

// As NumPy says it, when the store would happen. What follows is typed as if it had.
void Body::raise_read_only(Span span) {
  ir::Check never{boolean(false, span), find_error("ValueError"), "assignment destination is read-only",
                  integer(0, span)};
  emit(span, ir::Evaluate{make(types::weak_int(), span, std::move(never))});
}

} // namespace mpijit::jit::inference
