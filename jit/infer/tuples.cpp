// Tuples: displays, items, slices, sums and products, membership; and what unpacks. What a tuple's items are is known
// when compiling, so all of this is a choice of items; nothing here loops. See body.h.
#include "infer/body.h"

#include "ir/effects.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

constexpr int64_t most_items = 256; // of a tuple that * or a slice makes

bool is_tuple(const Operand& o) { return o.as<ConstantTuple>() || (o.type() && o.type()->is_tuple()); }

} // namespace

Operand Body::tuple(const Node& e) {
  std::vector<Operand> items;
  for (const Node* k : e[0].kids) {
    if (k->kind != NodeKind::Starred) {
      items.push_back(expression(*k));
      carried(items.back(), k->span); // or a refusal
      continue;
    }
    Operand o = expression((*k)[0]);
    if (!is_tuple(o))
      refuse(Diag::UnpackType, k->span, {to_string(value(o, k->span)->type)});
    for (Operand& item : items_of(o, k->span))
      items.push_back(std::move(item));
  }
  return tuple_of(items, e.span);
}

Operand Body::tuple_of(const std::vector<Operand>& items, Span span) {
  ir::MakeTuple out;
  std::vector<Type> item_types;
  ConstantTuple constants;
  for (const Operand& o : items) {
    if (o.constant)
      constants.push_back(*o.constant);
    if (ir::Expr* x = carried(o, span, true)) {
      out.items.push_back(x);
      item_types.push_back(x->type);
    }
  }
  Operand o;
  if (constants.size() == items.size())
    o.constant = Constant{std::move(constants), {}};
  if (out.items.size() == items.size())
    o.expr = make(types::tuple(std::move(item_types)), span, std::move(out));
  else if (!o.constant)
    refuse(Diag::NotAValue, span, {"a tuple of functions and values"});
  return o;
}

std::vector<Operand> Body::items_of(const Operand& o, Span span) {
  const auto* known_items = o.as<ConstantTuple>();
  std::vector<Operand> out;
  if (!o.expr) {
    for (const Constant& c : *known_items)
      out.push_back(constant(c, span));
    return out;
  }
  auto add = [&](ir::Expr* item, size_t k) { // what is known of it stands in its type, or beside the tuple
    if (item->type->is_fixed() || !known_items)
      out.push_back(known({item, {}}));
    else
      out.push_back({item, (*known_items)[k]});
  };
  if (const auto* display = std::get_if<ir::MakeTuple>(&o.expr->node)) {
    for (size_t k = 0; k < display->items.size(); ++k)
      add(display->items[k], k);
    return out;
  }
  const auto& items = o.type()->items;
  if (items.empty() && !ir::is_pure(*o.expr))
    refuse(Diag::Unsupported, span, {"taking apart the empty tuple that a call returns"});
  Shared t = share(o.expr);
  for (size_t k = 0; k < items.size(); ++k)
    add(make(items[k], span, ir::Item{k ? t.again : t.first, static_cast<int>(k)}), k);
  return out;
}

Operand Body::tuple_item(const Operand& o, const Node& index, Span span) {
  Operand k = expression(index);
  if (const std::optional<Bounds> slice = bounds_of(k, index.span))
    return tuple_slice(o, *slice, index.span);
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
  ir::Expr* i = index_value(k, index.span);
  for (Type item : items)
    if (item != items.front())
      refuse(Diag::TupleRunTimeIndex, span, {to_string(t->type)});
  if (items.empty())
    refuse(Diag::TupleIndex, span, {"a run-time index", "0"});
  Shared tuple = share(t);
  Shared at = share(i);
  auto less = [&](ir::Expr* x, int64_t limit) { return compared(ir::CompareOp::Lt, x, integer(limit, span), span); };
  // wrapped = i + n when i < 0; each item is compared with it in turn.
  ir::Expr* wrapped =
      select(less(at.first, 0), binary(ir::BinaryOp::Add, at.again, integer(n, span), span), at.again, span);
  Shared w = share(wrapped);
  ir::Expr* inside =
      select(less(w.first, n), make(types::weak_bool(), span, ir::Unary{ir::UnaryOp::Not, less(w.again, 0)}),
             boolean(false, span), span);
  ir::Expr* picked = make(items.front(), span, ir::Item{tuple.again, static_cast<int>(n - 1)});
  for (int64_t j = n - 2; j >= 0; --j)
    picked = select(less(w.again, j + 1), make(items.front(), span, ir::Item{tuple.again, static_cast<int>(j)}), picked,
                    span);
  ir::Expr* checked =
      make(items.front(), span, ir::Check{inside, find_error("IndexError"), "tuple index out of range", picked});
  return {after(tuple.first, checked), {}};
}

// As CPython's PySlice_AdjustIndices clamps, with bounds that are known now.
Operand Body::tuple_slice(const Operand& o, const Bounds& slice, Span span) {
  std::optional<int64_t> bounds[3];
  for (size_t k = 0; k < slice.size(); ++k) {
    if (!slice[k].expr || slice[k].as<None>())
      continue;
    if (!slice[k].as<int64_t>())
      refuse(Diag::TupleSlice, slice[k].expr->span);
    bounds[k] = *slice[k].as<int64_t>();
  }
  const auto n = static_cast<int64_t>(o.expr ? o.type()->items.size() : o.as<ConstantTuple>()->size());
  const int64_t step = bounds[2].value_or(1);
  if (step == 0)
    refuse(Diag::TupleSliceStep, span);
  auto clamp = [&](std::optional<int64_t> bound, int64_t otherwise) {
    if (!bound)
      return otherwise;
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    return std::clamp(*bound < 0 ? std::max(*bound, -n - 1) + n : *bound, low, high);
  };
  const int64_t start = clamp(bounds[0], step > 0 ? 0 : n - 1), stop = clamp(bounds[1], step > 0 ? n : -1);
  Operand named = o;
  ir::Expr* first = nullptr;
  const bool display = o.expr && std::holds_alternative<ir::MakeTuple>(o.expr->node) && ir::is_pure(*o.expr);
  if (o.expr && !display) { // of a.shape[:-1] the other lengths are not needed
    Shared t = share(o.expr);
    named.expr = t.again;
    first = t.first;
  }
  const std::vector<Operand> items = items_of(named, span);
  std::vector<Operand> taken;
  for (int64_t k = start; step > 0 ? k < stop : k > stop;) {
    taken.push_back(items[static_cast<size_t>(k)]);
    if (__builtin_add_overflow(k, step, &k))
      break;
  }
  Operand out = tuple_of(taken, span);
  if (first && out.expr)
    out.expr = after(first, out.expr);
  return out;
}

std::optional<Operand> Body::tuple_operator(ir::BinaryOp op, const Operand& a, const Operand& b, Span span) {
  if (op == ir::BinaryOp::Add && is_tuple(a) && is_tuple(b)) {
    std::vector<Operand> items = items_of(a, span);
    for (Operand& item : items_of(b, span))
      items.push_back(std::move(item));
    return tuple_of(items, span);
  }
  if (op != ir::BinaryOp::Mult || is_tuple(a) == is_tuple(b))
    return std::nullopt;
  const Operand& t = is_tuple(a) ? a : b;
  const auto* times = (is_tuple(a) ? b : a).as<int64_t>();
  if (!times)
    refuse(Diag::TupleRepeat, span);
  Operand named = t;
  ir::Expr* first = nullptr;
  if (t.expr) {
    Shared s = share(t.expr);
    named.expr = s.again;
    first = s.first;
  }
  const std::vector<Operand> items = items_of(named, span);
  if (*times > 0 && *times * static_cast<int64_t>(items.size()) > most_items)
    refuse(Diag::TupleLong, span, {std::to_string(most_items)});
  std::vector<Operand> repeated;
  for (int64_t k = 0; k < *times; ++k)
    repeated.insert(repeated.end(), items.begin(), items.end());
  Operand out = tuple_of(repeated, span);
  if (first && out.expr)
    out.expr = after(first, out.expr);
  return out;
}

Operand Body::contains(const Operand& x, const Operand& tuple, bool negated, Span span) {
  if (!is_tuple(tuple))
    refuse(Diag::OperandType, span, {"in", to_string(value(tuple, span)->type)});
  if (x.as<std::string>() && (!tuple.expr || ir::is_pure(*tuple.expr))) {
    const std::vector<Operand> items = items_of(tuple, span);
    const bool found =
        std::any_of(items.begin(), items.end(), [&](const Operand& o) { return o.constant == x.constant; });
    return constant({found != negated, {}}, span);
  }
  require_number(x, "in", span);
  Shared a = share(x.expr);
  Shared items = share(value(tuple, span));
  const auto& item_types = items.again->type->items;
  ir::Expr* found = boolean(false, span);
  for (size_t k = item_types.size(); k-- > 0;) {
    ir::Expr* item = make(item_types[k], span, ir::Item{items.again, static_cast<int>(k)});
    require_number({item, {}}, "in", span);
    ir::Expr* equal = convert_scalar(compare_scalars(ir::CompareOp::Eq, a.again, item, span), types::weak_bool());
    found = select(equal, boolean(true, span), found, span);
  }
  if (negated)
    found = make(types::weak_bool(), span, ir::Unary{ir::UnaryOp::Not, found});
  return {after(a.first, after(items.first, found)), {}};
}

// sum(t), sum(t, start): start + t[0] + t[1] + ...
Operand Body::sum_of_items(const Arguments& args) {
  const std::vector<const Node*> given = bind(args, {{"iterable", true, true, false}, {"start", false}});
  Operand t = expression(*given[0]);
  if (!is_tuple(t))
    refuse(Diag::SumOperand, args.span, {to_string(value(t, given[0]->span)->type)});
  Shared items = share(value(t, given[0]->span));
  Operand start = given[1] ? expression(*given[1]) : constant({int64_t{0}, {}}, args.span);
  require_number(start, "sum", args.span);
  Shared begin = share(start.expr);
  Operand sum{begin.again, start.constant};
  for (const Operand& item : items_of({items.again, t.constant}, args.span)) {
    require_number(item, "sum", args.span);
    sum = arithmetic(ir::BinaryOp::Add, sum, item, args.span);
  }
  return {after(items.first, after(begin.first, sum.expr)), sum.constant};
}

// ---- unpacking -----------------------------------------------------------------------------------------

void Body::unpack(const Node& target, Operand o, Span span) {
  const auto& targets = target[0].kids;
  for (const Node* n : targets)
    if (n->kind == NodeKind::Starred)
      refuse(Diag::Unsupported, n->span, {"a starred target"});
  if (o.expr && o.type()->is_array())
    return unpack_array(target, o.expr, span);
  if (!is_tuple(o))
    refuse(Diag::UnpackType, span, {o.expr ? to_string(o.type()) : "this"});
  std::vector<Operand> items = items_of(o, span);
  if (items.size() != targets.size())
    refuse(Diag::UnpackCount, span, {std::to_string(targets.size()), std::to_string(items.size())});
  for (Operand& item : items) // all before the first name is bound
    if (item.expr)
      item.expr = keep(item.expr);
  for (size_t k = 0; k < targets.size(); ++k)
    assign(*targets[k], items[k], false, targets[k]->span);
}

// Along the first axis. How long it is turns out at run time only.
void Body::unpack_array(const Node& target, ir::Expr* array, Span span) {
  const auto& targets = target[0].kids;
  const auto wanted = static_cast<int64_t>(targets.size());
  if (array->type->ndim == 0)
    refuse(Diag::IterateScalar, span, {to_string(array->type)});
  ir::Expr* a = keep(array);
  ir::Expr* length = keep(make(types::weak_int(), span, ir::Dim{a, 0}));
  auto raise_when = [&](ir::CompareOp op, int64_t n, const std::string& message) {
    raise_if(compared(op, length, integer(n, span), span), "ValueError", message, span);
  };
  const std::string expected = std::to_string(wanted);
  raise_when(ir::CompareOp::Gt, wanted, "too many values to unpack (expected " + expected + ")");
  for (int64_t n = 0; n < wanted; ++n)
    raise_when(ir::CompareOp::Eq, n,
               "not enough values to unpack (expected " + expected + ", got " + std::to_string(n) + ")");
  std::vector<Operand> items;
  for (int64_t k = 0; k < wanted; ++k) {
    items.push_back({keep(item_of(a, integer(k, span), span).expr), {}});
  }
  for (size_t k = 0; k < targets.size(); ++k)
    assign(*targets[k], items[k], false, targets[k]->span);
}

} // namespace mpijit::jit::inference
