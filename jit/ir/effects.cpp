// One match says what each kind of expression does by itself; the rest walks.
#include "ir/effects.h"

#include "ir/walk.h"

#include <algorithm>
#include <bit>

namespace mpijit::jit::ir {
namespace {

const Const* constant(const Expr* e) { return std::get_if<Const>(&e->node); }
bool is_nonzero_constant(const Expr* e) { return constant(e) && constant(e)->i != 0; }
bool is_nonnegative_constant(const Expr* e) { return constant(e) && constant(e)->i >= 0; }

bool is_checked(const Index& i) { return i.check; }

bool may_raise(const Expr& e, const Binary& n) {
  switch (n.op) {
  case BinaryOp::FloorDiv:
  case BinaryOp::Mod: return e.type->is_weak_int() && !is_nonzero_constant(n.b);
  case BinaryOp::Pow: return e.type->is_integer() && !is_nonnegative_constant(n.b);
  case BinaryOp::LShift:
  case BinaryOp::RShift: return e.type->is_weak_int() && !is_nonnegative_constant(n.b);
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mult:
  case BinaryOp::Div:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::BitAnd: return false;
  }
  return true;
}

bool axis_may_raise(const Index& i) { return i.check; }
bool axis_may_raise(const Range& r) { return r.step && !is_nonzero_constant(r.step); }
bool axis_may_raise(const NewAxis&) { return false; }

/// Of the node alone, without its children.
Effects own_effects(const Expr& e) {
  const Effects none, raises{true, false, false}, all{true, true, true};
  return match(
      e.node, [&](const Const&) { return none; }, [&](const Text&) { return none; }, [&](const Read&) { return none; },
      [&](const Unary&) { return none; }, [&](const Binary& n) { return may_raise(e, n) ? raises : none; },
      [&](const Compare&) { return none; },
      [&](const Cast& n) { return n.kind == CastKind::Fit || n.kind == CastKind::Truncate ? raises : none; },
      [&](const Choose&) { return none; },
      [&](const Math& n) { return n.row->result == MathResult::Int ? raises : none; }, [&](const Dim&) { return none; },
      [&](const Stride&) { return none; },
      [&](const Load& n) {
        return Effects{std::any_of(n.index.begin(), n.index.end(), is_checked), false, true};
      },
      [&](const View& n) {
        auto raising = [](const auto& axis) { return std::visit([](auto& a) { return axis_may_raise(a); }, axis); };
        return std::any_of(n.axes.begin(), n.axes.end(), raising) ? raises : none;
      },
      [&](const Permute&) { return none; }, [&](const Broadcast&) { return raises; }, [&](const Part&) { return none; },
      [&](const Alloc&) {
        return Effects{true, true, false};
      },
      [&](const MakeTuple&) { return none; }, [&](const Item&) { return none; },
      [&](const StatusField&) { return none; }, [&](const Call&) { return all; }, [&](const MpiCall&) { return all; },
      [&](const Bind&) {
        return Effects{false, true, false};
      },
      [&](const Check&) { return raises; },
      [&](const Elementwise&) {
        return Effects{true, true, true};
      },
      [&](const Reduce&) {
        return Effects{true, true, true};
      },
      [&](const Product&) {
        return Effects{true, true, true};
      },
      [&](const Reshape&) {
        return Effects{true, true, true};
      });
}

void add_bound(const Expr& e, std::set<int>& slots) {
  if (const auto* bind = std::get_if<Bind>(&e.node))
    slots.insert(bind->slot);
  if (const auto* whole = std::get_if<Elementwise>(&e.node)) {
    for (const Input& input : whole->inputs)
      slots.insert(input.slot);
    for (const Let& let : whole->lets)
      slots.insert(let.slot);
    slots.insert(whole->index.begin(), whole->index.end());
  }
  if (const auto* reduce = std::get_if<Reduce>(&e.node); reduce && reduce->count >= 0)
    slots.insert(reduce->count);
}

void add_assigned(const Stmt& s, std::set<int>& slots) {
  if (const auto* assign = std::get_if<Assign>(&s.node))
    slots.insert(assign->slot);
  else if (const auto* loop = std::get_if<For>(&s.node))
    slots.insert(loop->slot);
  else if (const auto* release = std::get_if<Release>(&s.node))
    slots.insert(release->slot);
}

} // namespace

Effects effects(const Expr& e) {
  Effects total;
  each_expr(e, [&](const Expr& x) {
    const Effects own = own_effects(x);
    total.raises |= own.raises;
    total.acts |= own.acts;
    total.reads |= own.reads;
  });
  return total;
}

bool is_pure(const Expr& e) {
  const Effects total = effects(e);
  return !total.raises && !total.acts;
}

namespace {

bool same_part(const Expr* a, const Expr* b) { return a == b || (a && b && same_value(*a, *b)); }
bool same_parts(const std::vector<Expr*>& a, const std::vector<Expr*>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_part);
}
bool same_part(const Index& a, const Index& b) { return same_part(a.value, b.value); }
bool same_part(const Range& a, const Range& b) {
  return same_part(a.start, b.start) && same_part(a.stop, b.stop) && same_part(a.step, b.step);
}
bool same_part(const NewAxis&, const NewAxis&) { return true; }
bool same_axis(const Axis& a, const Axis& b) {
  return a.index() == b.index() &&
         std::visit([&](const auto& x) { return same_part(x, std::get<std::decay_t<decltype(x)>>(b)); }, a);
}

/// Of nodes of one kind. Kinds that are not listed differ.
bool same_node(const Const& a, const Const& b) {
  return a.i == b.i && std::bit_cast<int64_t>(a.f) == std::bit_cast<int64_t>(b.f);
}
bool same_node(const Read& a, const Read& b) { return a.slot == b.slot; }
bool same_node(const Unary& a, const Unary& b) { return a.op == b.op && same_part(a.x, b.x); }
bool same_node(const Binary& a, const Binary& b) { return a.op == b.op && same_part(a.a, b.a) && same_part(a.b, b.b); }
bool same_node(const Cast& a, const Cast& b) { return a.kind == b.kind && same_part(a.x, b.x); }
bool same_node(const Dim& a, const Dim& b) { return a.axis == b.axis && same_part(a.array, b.array); }
bool same_node(const Item& a, const Item& b) { return a.index == b.index && same_part(a.tuple, b.tuple); }
bool same_node(const MakeTuple& a, const MakeTuple& b) { return same_parts(a.items, b.items); }
bool same_node(const Load& a, const Load& b) {
  return same_part(a.array, b.array) && std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end(),
                                                   [](const Index& x, const Index& y) { return same_part(x, y); });
}
bool same_node(const View& a, const View& b) {
  return same_part(a.array, b.array) &&
         std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(), same_axis);
}
bool same_node(const Permute& a, const Permute& b) { return a.axes == b.axes && same_part(a.array, b.array); }
bool same_node(const Part& a, const Part& b) { return a.imaginary == b.imaginary && same_part(a.array, b.array); }
bool same_node(const Stride& a, const Stride& b) { return a.axis == b.axis && same_part(a.array, b.array); }
template <class Other> bool same_node(const Other&, const Other&) { return false; }

} // namespace

bool same_value(const Expr& a, const Expr& b) {
  if (a.type != b.type || a.node.index() != b.node.index())
    return false;
  return std::visit([&](const auto& x) { return same_node(x, std::get<std::decay_t<decltype(x)>>(b.node)); }, a.node);
}

std::set<int> assigned_slots(const Expr& e) {
  std::set<int> slots;
  each_expr(e, [&](const Expr& x) { add_bound(x, slots); });
  return slots;
}

std::set<int> read_slots(const Expr& e) {
  std::set<int> slots;
  each_expr(e, [&](const Expr& x) {
    if (const auto* read = std::get_if<Read>(&x.node))
      slots.insert(read->slot);
  });
  return slots;
}

bool calls(const Expr& e) {
  bool found = false;
  each_expr(e, [&](const Expr& x) {
    found |= std::holds_alternative<Call>(x.node) || std::holds_alternative<MpiCall>(x.node);
  });
  return found;
}

bool may_raise(const Elementwise& e) {
  return effects(*e.body).raises ||
         std::any_of(e.lets.begin(), e.lets.end(), [](const Let& let) { return effects(*let.value).raises; });
}

bool is_changed(const Expr& e, const Expr& by) {
  const std::set<int> assigned = assigned_slots(by), read = read_slots(e);
  return std::any_of(read.begin(), read.end(), [&](int slot) { return assigned.count(slot) > 0; });
}

std::set<int> assigned_slots(const Block& b) {
  std::set<int> slots;
  each_stmt(b, [&](const Stmt& s) { add_assigned(s, slots); });
  each_expr(b, [&](const Expr& x) { add_bound(x, slots); });
  return slots;
}

std::set<int> assigned_slots(const Stmt& s) { return assigned_slots(Block{const_cast<Stmt*>(&s)}); }

bool is_fresh(const Expr& e) {
  const bool makes = std::holds_alternative<Alloc>(e.node) || std::holds_alternative<Elementwise>(e.node) ||
                     std::holds_alternative<Reduce>(e.node) || std::holds_alternative<Product>(e.node);
  const auto* reshaped = std::get_if<Reshape>(&e.node);
  return (makes && e.type->is_array()) || (reshaped && reshaped->array->type->layout != Layout::C) ||
         (std::holds_alternative<Call>(e.node) && holds_array(e.type));
}

bool passes_on(const Expr& e) {
  return std::holds_alternative<Cast>(e.node) || std::holds_alternative<Check>(e.node) ||
         std::holds_alternative<Choose>(e.node) || std::holds_alternative<MakeTuple>(e.node);
}

bool takes_apart(const Expr& e) {
  const auto* reduce = std::get_if<Reduce>(&e.node);
  return reduce && std::holds_alternative<Elementwise>(reduce->x->node) &&
         (!adds_floats(*reduce, e.type->dtype) || adds_in_order(*reduce, e.type->dtype));
}

bool adds_in_order(const Reduce& n, DType d) {
  const uint64_t first = n.axes & (~n.axes + 1), behind = uint64_t{1} << n.x->type->ndim;
  return n.x->type->dtype == d && n.axes + first == behind;
}

bool adds_floats(const Reduce& n, DType d) {
  return n.row->operation == Reduction::Sum && (is_float(d) || is_complex(d));
}

bool takes_apart(const Stmt& s, const Expr* e) {
  const auto* store = std::get_if<StoreArray>(&s.node);
  return store && store->value == e;
}

bool is_borrowed(const Function& f, const Expr& e) {
  if (!holds_array(e.type))
    return true;
  auto self = [&](const Expr* x) { return is_borrowed(f, *x); };
  if (const auto* read = std::get_if<Read>(&e.node))
    return !f.slots[static_cast<size_t>(read->slot)].owning;
  if (const auto* bind = std::get_if<Bind>(&e.node))
    return !f.slots[static_cast<size_t>(bind->slot)].owning;
  if (const auto* view = std::get_if<View>(&e.node))
    return self(view->array);
  if (const auto* permuted = std::get_if<Permute>(&e.node))
    return self(permuted->array);
  if (const auto* broadcast = std::get_if<Broadcast>(&e.node))
    return self(broadcast->array);
  if (const auto* part = std::get_if<Part>(&e.node))
    return self(part->array);
  if (const auto* reshaped = std::get_if<Reshape>(&e.node))
    return reshaped->array->type->layout == Layout::C && self(reshaped->array);
  if (const auto* item = std::get_if<Item>(&e.node))
    return self(item->tuple);
  if (const auto* cast = std::get_if<Cast>(&e.node))
    return self(cast->x);
  if (const auto* check = std::get_if<Check>(&e.node))
    return self(check->x);
  if (const auto* choose = std::get_if<Choose>(&e.node))
    return self(choose->yes) && self(choose->no);
  if (const auto* tuple = std::get_if<MakeTuple>(&e.node))
    return std::all_of(tuple->items.begin(), tuple->items.end(), self);
  return false;
}

template <class Jump> bool jumps(const Block& b, int around) {
  return std::any_of(b.begin(), b.end(), [&](const Stmt* s) {
    if (const auto* n = std::get_if<Jump>(&s->node))
      return n->outer == around;
    if (const auto* n = std::get_if<For>(&s->node)) // the orelse is outside of its loop
      return jumps<Jump>(n->body, around + 1) || jumps<Jump>(n->orelse, around);
    if (const auto* n = std::get_if<While>(&s->node))
      return jumps<Jump>(n->body, around + 1) || jumps<Jump>(n->orelse, around);
    if (const auto* n = std::get_if<Once>(&s->node))
      return jumps<Jump>(n->body, around + 1);
    bool found = false;
    each_block(*s, [&](const Block& inside) { found |= jumps<Jump>(inside, around); });
    return found;
  });
}
template bool jumps<Break>(const Block&, int);
template bool jumps<Continue>(const Block&, int);

} // namespace mpijit::jit::ir
