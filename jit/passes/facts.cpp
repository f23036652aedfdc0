// Evaluating weak ints as linear forms; see facts.h.
#include "passes/facts.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit::passes {

using namespace ir;

namespace {

/// Is what follows the statements never reached?
bool leaves(const Block& b) {
  return !b.empty() &&
         (std::holds_alternative<Break>(b.back()->node) || std::holds_alternative<Continue>(b.back()->node) ||
          std::holds_alternative<Return>(b.back()->node) || std::holds_alternative<Raise>(b.back()->node));
}

} // namespace

// ---- facts -------------------------------------------------------------------------------------------------

const Known* Facts::find(int slot) const {
  const auto known = slots_.find(slot);
  return known == slots_.end() ? nullptr : &known->second;
}

void Facts::forget(const std::set<int>& slots) {
  if (slots.empty())
    return;
  ++version_;
  std::erase_if(slots_, [&](const auto& fact) { return slots.count(fact.first); });
  for (auto& [slot, known] : slots_)
    for (MaybeLinear& form : known)
      if (form && mentions(*form, slots))
        form.reset();
}

void Facts::assign(int slot, Known value) {
  forget({slot});
  for (MaybeLinear& form : value)
    if (form && mentions(*form, {slot}))
      form.reset(); // `i = i + 1` says what i was
  slots_[slot] = std::move(value);
}

Facts at_body(Facts before, const Stmt& loop) {
  before.forget(assigned_slots(loop));
  return before;
}

// ---- statements --------------------------------------------------------------------------------------------

void Follower::block(Block& b) {
  int branches = 0;
  for (Stmt*& s : b) {
    statement(s);
    branches += after(*s);
  }
  for (; branches > 0; --branches)
    on_branch_end();
}

/// What follows `if cond: continue` is a branch of it. Says whether it is.
int Follower::after(const Stmt& s) {
  const auto* n = std::get_if<If>(&s.node);
  if (!n || leaves(n->yes) == leaves(n->no))
    return 0;
  on_branch(n->cond, leaves(n->no));
  return 1;
}

void Follower::statement(Stmt*& s) {
  match(
      s->node, [&](Assign& n) { facts.assign(n.slot, value(n.value)); },
      [&](Store& n) {
        value(n.value);
        access(n.array, n.index);
      },
      [&](StoreArray& n) {
        value(n.value);
        value(n.target);
      },
      [&](Evaluate& n) { value(n.value); }, [&](If& n) { branch(n); }, [&](For& n) { on_loop(s, n); },
      [&](While& n) {
        facts.forget(assigned_slots(*s));
        value(n.cond);
        block(n.body);
        facts.forget(assigned_slots(*s));
        block(n.orelse);
      },
      [&](Once& n) {
        block(n.body);
        facts.forget(assigned_slots(n.body)); // it may have been left early
      },
      [](Break&) {}, [](Continue&) {},
      [&](Return& n) {
        if (n.value)
          value(n.value);
      },
      [](Raise&) {},
      [&](Print& n) {
        for (Expr* e : n.args)
          value(e);
      },
      [&](Release& n) { facts.forget({n.slot}); }, [&](Group& n) { block(n.body); },
      [&](Nest&) { facts.forget(assigned_slots(*s)); }); // made already
}

// ---- conditions --------------------------------------------------------------------------------------------

void Follower::branch(If& n) {
  if (const std::optional<bool> known = condition(n.cond))
    return block(*known ? n.yes : n.no);
  for (const bool holds : {true, false}) {
    Block& arm = holds ? n.yes : n.no;
    on_branch(n.cond, holds);
    block(arm);
    on_branch_end();
    facts.forget(assigned_slots(arm));
  }
}

Known Follower::choose(Choose& n) {
  if (const std::optional<bool> known = condition(n.cond))
    return value(*known ? n.yes : n.no);
  arms(n, [this](Expr* arm) { value(arm); });
  return {};
}

/// Either of them may not be evaluated.
void Follower::arms(Choose& n, const std::function<void(Expr*)>& walk) {
  for (const bool holds : {true, false}) {
    Expr* arm = holds ? n.yes : n.no;
    on_branch(n.cond, holds);
    walk(arm);
    on_branch_end();
    facts.forget(assigned_slots(*arm));
  }
}

std::optional<bool> Follower::condition(Expr* e) {
  if (auto* n = std::get_if<Compare>(&e->node); n && n->a->type->is_weak_int() && n->b->type->is_weak_int())
    return compare(e, *n);
  if (auto* n = std::get_if<Const>(&e->node))
    return n->i != 0;
  if (auto* n = std::get_if<Choose>(&e->node)) { // and, or
    if (const std::optional<bool> known = condition(n->cond))
      return condition(*known ? n->yes : n->no);
    arms(*n, [this](Expr* arm) { condition(arm); });
    return std::nullopt;
  }
  value(e);
  return std::nullopt;
}

std::optional<bool> Follower::compare(Expr* e, Compare& n) {
  const MaybeLinear a = scalar(n.a);
  const int version = facts.version();
  const MaybeLinear b = scalar(n.b);
  return version == facts.version() ? on_compare(e, a, b) : std::nullopt;
}

// ---- expressions -------------------------------------------------------------------------------------------

MaybeLinear Follower::scalar(Expr* e) {
  const Known known = value(e);
  return known.size() == 1 ? known.front() : std::nullopt;
}

Known Follower::value(Expr* e) {
  Known known = node(e);
  if (e->type->is_weak_int() && (known.empty() || !known.front()))
    known = {on_unknown(e)};
  return known;
}

Known Follower::node(Expr* e) {
  const bool is_int = e->type->is_weak_int();
  if (auto* n = std::get_if<Const>(&e->node))
    return is_int ? Known{add(constant(n->i), constant(0))} : Known{}; // too large a constant is nothing
  if (auto* n = std::get_if<Read>(&e->node)) {
    if (e->type->is_array())
      return array(e->type, n->slot);
    const Known* known = facts.find(n->slot);
    if (is_int && (!known || known->empty() || !known->front()))
      return {atom({Atom::Value, n->slot})};
    return known ? *known : Known{};
  }
  if (auto* n = std::get_if<Unary>(&e->node); n && is_int && n->op == UnaryOp::Neg)
    return {scale(scalar(n->x), -1)};
  if (auto* n = std::get_if<Binary>(&e->node); n && is_int)
    return binary(e, *n);
  if (auto* n = std::get_if<Choose>(&e->node))
    return choose(*n);
  if (auto* n = std::get_if<Dim>(&e->node)) {
    const Known shape = value(n->array);
    return shape.empty() ? Known{} : Known{shape[static_cast<size_t>(n->axis)]};
  }
  if (auto* n = std::get_if<View>(&e->node))
    return view(*n);
  if (auto* n = std::get_if<Permute>(&e->node))
    return permuted(*n);
  if (auto* n = std::get_if<Cast>(&e->node); n && e->type->is_array())
    return value(n->x);
  if (auto* n = std::get_if<MakeTuple>(&e->node))
    return tuple(*n);
  if (auto* n = std::get_if<Item>(&e->node)) {
    const Known known = value(n->tuple);
    const auto index = static_cast<size_t>(n->index);
    return index < known.size() && e->type->is_weak_int() ? Known{known[index]} : Known{};
  }
  if (auto* n = std::get_if<Bind>(&e->node)) {
    facts.assign(n->slot, value(n->value));
    if (e->type->is_array())
      return array(e->type, n->slot);
    const Known* known = facts.find(n->slot);
    return is_int && !known->empty() && !known->front() ? Known{atom({Atom::Value, n->slot})} : *known;
  }
  if (auto* n = std::get_if<Check>(&e->node)) {
    value(n->cond);
    value(n->x); // before cond has been looked at, a slot that x reads may be undefined
    return {};
  }
  if (auto* n = std::get_if<Load>(&e->node)) {
    access(n->array, n->index);
    return {};
  }
  operands(e);
  return {};
}

Known Follower::binary(Expr* e, Binary& n) {
  const MaybeLinear a = scalar(n.a);
  const int version = facts.version();
  const MaybeLinear b = scalar(n.b);
  if (n.op == BinaryOp::Mod)
    return {on_remainder(e, version == facts.version() ? a : std::nullopt, b)};
  if (!a || !b || version != facts.version())
    return {};
  switch (n.op) {
  case BinaryOp::Add: return {add(a, b)};
  case BinaryOp::Sub: return {subtract(a, b)};
  case BinaryOp::Mult:
    if (a->is_constant())
      return {scale(b, a->constant)};
    return {b->is_constant() ? scale(a, b->constant) : std::nullopt};
  default: return {};
  }
}

Known Follower::tuple(MakeTuple& n) {
  Known items;
  for (Expr* item : n.items) {
    const int version = facts.version();
    const MaybeLinear form = item->type->is_weak_int() ? scalar(item) : (value(item), std::nullopt);
    if (version != facts.version()) // what the items before were is now said of slots that have changed
      std::fill(items.begin(), items.end(), std::nullopt);
    items.push_back(form);
  }
  return items;
}

/// An axis of which nothing else is known has a length of its own.
Known Follower::array(Type type, int slot) const {
  const Known* known = facts.find(slot);
  Known shape;
  for (int axis = 0; axis < type->ndim; ++axis) {
    const auto k = static_cast<size_t>(axis);
    shape.push_back(known && k < known->size() && (*known)[k] ? (*known)[k] : atom({Atom::Length, slot, axis}));
  }
  return shape;
}

Known Follower::view(View& n) {
  const Known whole = value(n.array);
  const int version = facts.version();
  Known shape;
  size_t axis = 0; // of the array
  for (Axis& entry : n.axes)
    match(
        entry, [&](Index& index) { look(index, n.array, static_cast<int>(axis++), whole); },
        [&](Range& range) {
          const bool all = !range.start && !range.stop && !range.step && axis < whole.size();
          shape.push_back(all ? whole[axis] : std::nullopt);
          ++axis;
          for (Expr* bound : {range.start, range.stop, range.step})
            if (bound)
              value(bound);
        },
        [&](NewAxis&) { shape.emplace_back(); });
  return version == facts.version() ? shape : Known{};
}

Known Follower::permuted(Permute& n) {
  const Known whole = value(n.array);
  Known shape;
  for (int axis : n.axes)
    shape.push_back(static_cast<size_t>(axis) < whole.size() ? whole[static_cast<size_t>(axis)] : std::nullopt);
  return shape;
}

/// Of a node that is no linear form. What is computed for each element of an array has no accesses to follow.
void Follower::operands(Expr* e) {
  if (auto* n = std::get_if<Elementwise>(&e->node)) {
    for (Input& input : n->inputs)
      value(input.value);
    for (Expr* length : n->shape)
      value(length);
    facts.forget(assigned_slots(*e));
    return;
  }
  each_child(*e, [&](Expr*& child) { value(child); });
}

void Follower::access(Expr* array, std::vector<Index>& index) {
  const Known shape = value(array);
  for (size_t axis = 0; axis < index.size(); ++axis)
    look(index[axis], array, static_cast<int>(axis), shape);
}

/// The length is as it was before the index was evaluated: whoever uses it asks whether its slot changes.
void Follower::look(Index& index, const Expr* array, int axis, const Known& shape) {
  const MaybeLinear form = scalar(index.value);
  const auto k = static_cast<size_t>(axis);
  on_access({&index, array, axis, form, k < shape.size() ? shape[k] : std::nullopt});
}

} // namespace mpijit::jit::passes
