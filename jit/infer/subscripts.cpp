// Indexing: elements, basic slices as views, items of tuples; and stores to elements. See body.h.
#include "infer/body.h"

#include <limits>

namespace mpijit::jit::inference {
namespace {

bool empty(const Node& n) { return n.kind == NodeKind::Empty; }

bool is_full(const Node& n) { return n.kind == NodeKind::Slice && empty(n[0]) && empty(n[1]) && empty(n[2]); }

bool has_unit_step(const Node& n) {
  if (empty(n[2]))
    return true;
  const Constant& c = n[2].constant;
  return n[2].kind == NodeKind::Constant &&
         (std::holds_alternative<None>(c.value) || c.value == decltype(c.value){int64_t{1}});
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

ir::Expr* Body::index_value(const Node& n, std::string_view what) {
  Operand o = expression(n);
  if (o.as<None>())
    refuse(Diag::IndexKind, n.span, {"None (a new axis)"});
  Type t = value(o, n.span)->type;
  if (t->is_array())
    refuse(Diag::IndexKind, n.span, {"an array"});
  if (t->is_bool())
    refuse(Diag::IndexKind, n.span, {"a bool"});
  if (t->is_tuple())
    refuse(Diag::IndexKind, n.span, {"a tuple held in a name"});
  return as_int(o, what, n.span);
}

// The subscripts one by one: `u[i, j]` has two, `u[t]` of a tuple display as many as t.
std::vector<const Node*> Body::subscripts(const Node& index, const ir::Expr* array) {
  std::vector<const Node*> out;
  if (index.kind == NodeKind::Tuple)
    out.assign(index[0].kids.begin(), index[0].kids.end());
  else
    out.push_back(&index);
  for (const Node* n : out) {
    if (n->kind == NodeKind::Starred)
      refuse(Diag::IndexKind, n->span, {"a starred expression"});
    if (n->kind == NodeKind::Constant && std::holds_alternative<Ellipsis>(n->constant.value))
      refuse(Diag::IndexKind, n->span, {"an Ellipsis"});
  }
  if (static_cast<int>(out.size()) > array->type->ndim)
    refuse(Diag::TooManyIndices, index.span, {std::to_string(array->type->ndim), std::to_string(out.size())});
  return out;
}

bool Body::all_indices(ir::Expr* array, const Node& index, std::vector<ir::Index>& out) {
  std::vector<const Node*> parts = subscripts(index, array);
  if (static_cast<int>(parts.size()) != array->type->ndim)
    return false;
  for (const Node* n : parts)
    if (n->kind == NodeKind::Slice)
      return false;
  for (const Node* n : parts)
    out.push_back({index_value(*n, "an index"), true, all_.boundscheck});
  return true;
}

ir::Expr* Body::view(ir::Expr* array, const Node& index, Span span) {
  std::vector<const Node*> parts = subscripts(index, array);
  ir::View out{array, {}};
  int rank = 0;
  // C-contiguous stays so when only the leading axes are cut: indices, one unit-step range, full ranges.
  bool contiguous = array->type->layout == Layout::C;
  bool cut = false;
  for (int axis = 0; axis < array->type->ndim; ++axis) {
    if (axis >= static_cast<int>(parts.size())) {
      out.axes.push_back(ir::Range{nullptr, nullptr, nullptr});
      ++rank;
      continue;
    }
    const Node& n = *parts[static_cast<size_t>(axis)];
    if (n.kind != NodeKind::Slice) {
      out.axes.push_back(ir::Index{index_value(n, "an index"), true, all_.boundscheck});
      contiguous &= !cut;
      continue;
    }
    ++rank;
    if (!is_full(n))
      contiguous &= !cut && has_unit_step(n);
    cut = true;
    ir::Expr* bounds[3] = {};
    for (size_t k = 0; k < 3; ++k) {
      if (empty(n[k]))
        continue;
      Operand o = expression(n[k]);
      if (!o.as<None>())
        bounds[k] = as_int(o, "a slice's bound", n[k].span);
    }
    out.axes.push_back(ir::Range{bounds[0], bounds[1], bounds[2]});
  }
  Type t = types::array(array->type->dtype, rank, contiguous ? Layout::C : Layout::Strided, array->type->readonly);
  return make(t, span, std::move(out));
}

Operand Body::tuple_item(const Operand& o, const Node& index, Span span) {
  Operand k = expression(index);
  const auto* known = k.as<int64_t>();
  if (const auto* items = o.as<ConstantTuple>(); items && known) {
    const int64_t n = static_cast<int64_t>(items->size());
    if (*known >= -n && *known < n)
      return constant((*items)[static_cast<size_t>(*known < 0 ? *known + n : *known)], span);
  }
  ir::Expr* t = value(o, span);
  const auto& items = t->type->items;
  const int64_t n = static_cast<int64_t>(items.size());
  if (known) {
    if (*known < -n || *known >= n)
      refuse(Diag::TupleIndex, span, {std::to_string(*known), std::to_string(n)});
    const size_t at = static_cast<size_t>(*known < 0 ? *known + n : *known);
    return {make(items[at], span, ir::Item{t, static_cast<int>(at)}), {}};
  }
  // An index known at run time only: fine when every item has one type, as in a.shape[d].
  ir::Expr* i = index_value(index, "an index");
  for (Type item : items)
    if (item != items.front())
      refuse(Diag::TupleRunTimeIndex, span, {to_string(t->type)});
  if (items.empty())
    refuse(Diag::TupleIndex, span, {"a run-time index", "0"});
  Shared tuple = share(t);
  Shared at = share(i);
  auto less = [&](ir::Expr* x, int64_t limit) {
    return make(types::weak_bool(), span, ir::Compare{ir::CompareOp::Lt, x, integer(limit, span)});
  };
  // wrapped = i + n when i < 0; each item is compared with it in turn.
  ir::Expr* wrapped = make(
      types::weak_int(), span,
      ir::Choose{less(at.first, 0),
                 make(types::weak_int(), span, ir::Binary{ir::BinaryOp::Add, at.again, integer(n, span)}), at.again});
  Shared w = share(wrapped);
  ir::Expr* inside =
      make(types::weak_bool(), span,
           ir::Choose{less(w.first, n), make(types::weak_bool(), span, ir::Unary{ir::UnaryOp::Not, less(w.again, 0)}),
                      boolean(false, span)});
  ir::Expr* picked = make(items.front(), span, ir::Item{tuple.again, static_cast<int>(n - 1)});
  for (int64_t j = n - 2; j >= 0; --j)
    picked = make(items.front(), span,
                  ir::Choose{less(w.again, j + 1),
                             make(items.front(), span, ir::Item{tuple.again, static_cast<int>(j)}), picked});
  ir::Expr* checked =
      make(items.front(), span, ir::Check{inside, find_error("IndexError"), "tuple index out of range", picked});
  if (tuple.first == tuple.again)
    return {checked, {}};
  ir::Expr* pair = make(types::tuple({t->type, items.front()}), span, ir::MakeTuple{{tuple.first, checked}});
  return {make(items.front(), span, ir::Item{pair, 1}), {}};
}

Operand Body::subscript(const Node& e) {
  Operand base = expression(e[0]);
  if (base.as<ConstantTuple>() || (base.type() && base.type()->is_tuple())) {
    if (e[1].kind == NodeKind::Slice)
      refuse(Diag::Unsupported, e.span, {"a slice of a tuple"});
    return tuple_item(base, e[1], e.span);
  }
  ir::Expr* array = value(base, e[0].span);
  if (!array->type->is_array())
    refuse(Diag::NotSubscriptable, e.span, {to_string(array->type)});
  ir::Load load{array, {}, -1};
  if (!all_indices(array, e[1], load.index))
    return {view(array, e[1], e.span), {}};
  return {make(types::strong(array->type->dtype), e.span, std::move(load)), {}};
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
  ir::Store out{array, {}, nullptr, -1};
  if (!all_indices(array, target[1], out.index))
    return store_array(view(array, target[1], target.span), v, in_place, span);
  out.value = element_for_store(v, array->type->dtype, span);
  if (array->type->readonly) { // as NumPy says it, when the store would happen
    emit(span, ir::Evaluate{out.value});
    emit(span, ir::Raise{find_error("ValueError"), "assignment destination is read-only"});
    env_.live = false;
    return;
  }
  emit(span, std::move(out));
}

} // namespace mpijit::jit::inference
