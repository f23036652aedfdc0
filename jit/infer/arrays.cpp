// Whole arrays: what is defined on scalars applied to elements, slice stores and in-place operators. See body.h.
//
// An array expression stays one tree: an operand that is an Elementwise itself is taken apart into the new one, so a
// statement owns one Elementwise and becomes one loop nest, whatever its depth.
#include "infer/body.h"
#include "ir/effects.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

/// Does evaluating one of the inputs from number k on change a slot that e reads?
bool changed_since(const ir::Elementwise& into, size_t k, const ir::Expr& e) {
  for (; k < into.inputs.size(); ++k)
    if (ir::is_changed(e, *into.inputs[k].value))
      return true;
  return false;
}

// NumPy's casting="same_kind" (np.can_cast): not towards a smaller family.
bool is_same_kind(DType from, DType to) {
  constexpr std::string_view families = "buifc";
  return families.find(kind(from)) <= families.find(kind(to));
}

} // namespace

Operand Body::without_axes(const Operand& o) {
  if (!o.is_array() || o.type()->ndim > 0)
    return o;
  return {make(types::strong(o.type()->dtype), o.expr->span, ir::Load{o.expr, {}, -1}), {}};
}

// The slot that holds the element of an operand. One that is computed element by element is taken in, unless it must
// be there whole before the operands behind it are evaluated: these may change what it reads, or it may raise first.
int Body::add_input(ir::Elementwise& into, ir::Expr* array, bool must_be_whole) {
  const auto* inner = std::get_if<ir::Elementwise>(&array->node);
  if (inner && !must_be_whole && inner->shape.empty()) {
    into.inputs.insert(into.inputs.end(), inner->inputs.begin(), inner->inputs.end());
    into.lets.insert(into.lets.end(), inner->lets.begin(), inner->lets.end());
    if (const auto* element = std::get_if<ir::Read>(&inner->body->node))
      return element->slot;
    const int slot = slots_.temporary(inner->body->type);
    into.lets.push_back({slot, inner->body});
    return slot;
  }
  for (size_t k = 0; k < into.inputs.size(); ++k)
    if (ir::same_value(*into.inputs[k].value, *array) && !changed_since(into, k + 1, *array))
      return into.inputs[k].slot;
  const int slot = slots_.temporary(types::strong(array->type->dtype));
  into.inputs.push_back({array, slot});
  return slot;
}

Operand Body::as_input(ir::Elementwise& into, const Operand& o) {
  if (std::holds_alternative<ir::Const>(o.expr->node))
    return o;
  const int slot = slots_.temporary(o.type());
  into.inputs.push_back({o.expr, slot});
  return {read(slot, o.expr->span), o.constant};
}

Operand Body::elementwise(std::vector<Operand> operands, std::string_view what, Span span, const ScalarRule& rule) {
  for (Operand& o : operands) {
    o = without_axes(o);
    if (!o.is_array())
      require_number(o, what, span);
  }
  if (std::none_of(operands.begin(), operands.end(), [](const Operand& o) { return o.is_array(); }))
    return rule(operands);

  ir::Elementwise out;
  int ndim = 0;
  bool later_writes = false, later_raises = false; // what is behind the operand
  std::vector<bool> whole(operands.size());
  for (size_t k = operands.size(); k-- > 0;) {
    const auto* inner = std::get_if<ir::Elementwise>(&operands[k].expr->node);
    whole[k] = later_writes || (later_raises && inner && ir::may_raise(*inner));
    later_writes |= ir::calls(*operands[k].expr);
    later_raises |= ir::effects(*operands[k].expr).raises;
  }
  for (size_t k = 0; k < operands.size(); ++k) {
    Operand& o = operands[k];
    if (o.is_array()) {
      ndim = std::max(ndim, o.type()->ndim);
      o = {read(add_input(out, o.expr, whole[k]), o.expr->span), {}};
    } else {
      o = as_input(out, o);
    }
  }
  const Operand element = rule(operands);
  out.body = convert_scalar(element.expr, types::strong(element.type()->dtype));
  return {make(types::array(element.type()->dtype, ndim, Layout::C), span, std::move(out)), {}};
}

// As C and NumPy cast the elements of arrays: nothing raises.
ir::Expr* Body::cast_element(ir::Expr* x, DType to) {
  const Type t = types::strong(to);
  if (is_bool(to) && !x->type->is_bool())
    return make(t, x->span, ir::Cast{ir::CastKind::Truth, x});
  return convert_scalar(x, t);
}

// What stands in the brackets of a view that is not made.
void Body::evaluate_indices(ir::Expr& target, Span span) {
  const auto* view = std::get_if<ir::View>(&target.node);
  if (!view)
    return;
  emit(span, ir::Evaluate{view->array});
  for (const ir::Axis& axis : view->axes) {
    if (const auto* index = std::get_if<ir::Index>(&axis))
      emit(span, ir::Evaluate{index->value});
    if (const auto* range = std::get_if<ir::Range>(&axis))
      for (ir::Expr* bound : {range->start, range->stop, range->step})
        if (bound)
          emit(span, ir::Evaluate{bound});
  }
}

void Body::store_array(ir::Expr* target, const Operand& value, bool strict, Span span) {
  const DType d = target->type->dtype;
  const bool of_tuple = value.type() && value.type()->is_tuple();
  const Operand o = of_tuple ? array_of_items(value, d, span) : without_axes(value);
  ir::Elementwise out;
  int ndim = 0;
  if (o.is_array()) {
    const DType from = o.type()->dtype;
    if (strict && !is_same_kind(from, d))
      refuse(Diag::InPlaceKind, span, {row(from).name, row(d).name});
    if (is_complex(from) && !is_complex(d))
      refuse(Diag::ComplexToReal, span, {row(from).name, row(d).name});
    ndim = o.type()->ndim;
    ir::Expr* element = read(add_input(out, o.expr, ir::calls(*target)), span);
    out.body = cast_element(element, d);
  } else {
    require_number(o, "assignment to a slice", span);
    if (strict && !o.type()->weak && !is_same_kind(o.type()->dtype, d))
      refuse(Diag::InPlaceKind, span, {to_string(o.type()), row(d).name});
    out.body = element_for_store(as_input(out, o), d, span);
  }
  ir::Expr* whole = make(types::array(d, ndim, Layout::C), span, std::move(out));
  if (target->type->readonly) {
    emit(span, ir::Evaluate{o.expr});
    evaluate_indices(*target, span);
    return raise_read_only(span);
  }
  emit(span, ir::StoreArray{target, whole, strict});
}

} // namespace mpijit::jit::inference
