// Counters, their elimination, and where indices reach; see survey.h.
#include "passes/survey.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mpijit::jit::passes {

using namespace ir;

namespace {

constexpr int clean_weight = 8;
constexpr int64_t largest_step = int64_t{1} << 31;

bool runs_other_code(const Block& b) {
  bool found = false;
  each_expr(b, [&](const Expr& e) {
    found |= std::holds_alternative<Call>(e.node) || std::holds_alternative<MpiCall>(e.node);
  });
  each_stmt(b, [&](const Stmt& s) { found |= std::holds_alternative<Print>(s.node); });
  return found;
}

bool is_length(const Linear& form) {
  return form.constant == 0 && form.terms.size() == 1 && form.terms.begin()->first.kind == Atom::Length &&
         form.terms.begin()->second == 1;
}

/// A loop that has been cut (see split.h) ends no later than it did: its end is the lesser of the old one and the cut.
Expr* end_of(const For& loop) {
  const auto* least = std::get_if<Choose>(&loop.stop->node);
  const auto* less = least ? std::get_if<Compare>(&least->cond->node) : nullptr;
  const auto* step = std::get_if<Const>(&loop.step->node);
  const bool is_cut = loop.cold && less && less->op == CompareOp::Lt && same_value(*less->a, *least->yes) &&
                      same_value(*less->b, *least->no) && step && step->i == 1;
  return is_cut ? least->yes : loop.stop;
}

} // namespace

// A negative coefficient is how one writes an index that is to begin below zero (`u[i - k]`).
bool Reach::keeps_wrap() const {
  const bool may = outside && low && !nonnegative &&
                   std::any_of(low->terms.begin(), low->terms.end(), [](const auto& term) { return term.second < 0; });
  return negative || may;
}

Survey::Survey(Function& f, Stmt& s, Facts before, const Sides& sides)
    : f_(f), root_(s), follower_(std::move(before)), sides_(sides) {
  For& loop = std::get<For>(s.node);
  assigned = assigned_slots(s);
  calls = runs_other_code(loop.body) || runs_other_code(loop.orelse);
  follower_.on_access = [this](const Access& a) { reach(a); };
  follower_.on_unknown = [this](Expr* e) { return unknown(e); };
  follower_.on_remainder = [this](Expr* e, const MaybeLinear& a, const MaybeLinear& b) { return remainder(e, a, b); };
  follower_.on_compare = [this](Expr* e, const MaybeLinear& a, const MaybeLinear& b) { return compare(e, a, b); };
  follower_.on_branch = [this](const Expr* cond, bool holds) {
    narrowed_.emplace_back();
    narrow(cond, holds);
  };
  follower_.on_branch_end = [this] {
    for (; !narrowed_.back().empty(); narrowed_.back().pop_back())
      counters_[narrowed_.back().back().first] = narrowed_.back().back().second;
    narrowed_.pop_back();
  };
  follower_.on_loop = [this](Stmt*& s, For& n) { inner(*s, n); };
  root(loop);
}

int Survey::score() const {
  struct Count {
    int all = 0, provable = 0;
  };
  std::map<const For*, Count> loops;
  for (const Reach& r : reaches) {
    ++loops[r.loop].all;
    loops[r.loop].provable += r.is_provable();
  }
  int sum = 0;
  for (const auto& [loop, count] : loops)
    sum += count.provable * (count.provable == count.all && !outer.count(loop) ? clean_weight : 1);
  return sum;
}

bool Survey::is_clean() const {
  return std::all_of(reaches.begin(), reaches.end(), [](const Reach& r) { return r.is_provable(); });
}

// ---- loops -------------------------------------------------------------------------------------------------

// The range of the outermost loop is evaluated once, so whatever has no form may simply be evaluated before
// the nest. When one part does more than give a value, all parts go, in their order.
void Survey::root(For& loop) {
  std::array<Expr**, 3> places = {&loop.start, &loop.stop, &loop.step};
  std::array<MaybeLinear, 3> forms;
  bool pure = true;
  for (size_t k = 0; k < 3; ++k) {
    forms[k] = follower_.scalar(*places[k]);
    pure &= is_pure(**places[k]);
  }
  if (!pure)
    hoisted.clear(); // of parts of the range only, until now
  for (size_t k = 0; k < 3; ++k) {
    const bool moves = pure ? !is_exact(forms[k]) : !std::holds_alternative<Const>((*places[k])->node);
    if (!moves)
      continue;
    header.emplace_back(places[k], static_cast<int>(hoisted.size()));
    forms[k] = hoist(*places[k]);
  }
  follower_.facts.forget(assigned);
  reaches.clear(); // what the range itself reads, it reads once
  body(loop, count(loop, forms[0], forms[1], forms[2]));
}

void Survey::inner(Stmt& s, For& loop) {
  const MaybeLinear start = inner_bound(loop.start), stop = inner_bound(end_of(loop));
  const MaybeLinear step = follower_.scalar(loop.step);
  follower_.facts.forget(assigned_slots(s));
  const For* around = std::exchange(loop_, nullptr);
  outer.insert(around);
  body(loop, count(loop, start, stop, step));
  loop_ = around;
  follower_.facts.forget(assigned_slots(s));
  follower_.block(loop.orelse);
}

// The counter is the loop's own: the slot has its value when the body begins.
void Survey::body(For& loop, Counter counter) {
  loop_ = &loop;
  const int number = static_cast<int>(counters_.size());
  counters_.push_back(std::move(counter));
  loops.push_back(&loop);
  follower_.facts.assign(loop.slot, {atom({Atom::Counter, number})});
  follower_.block(loop.body);
}

Survey::Counter Survey::count(const For& loop, const MaybeLinear& start, const MaybeLinear& stop,
                              const MaybeLinear& step) {
  const int64_t by = step && step->is_constant() ? step->constant : 0;
  if (by == 0 || by > largest_step || by < -largest_step)
    return {};
  const MaybeLinear last = last_value(loop, start, stop, by);
  if (by > 0) {
    const MaybeLinear high = subtract(stop, constant(1));
    return {start, high, start, last ? last : high};
  }
  const MaybeLinear low = add(stop, constant(1));
  return {low, start, last ? last : low, start};
}

// start + (n - 1) * step, where it differs from what is next to stop and can be computed before the nest. The
// end with the smaller value is not negative, so that 64 bits suffice unless the loop does not run at all.
MaybeLinear Survey::last_value(const For& loop, const MaybeLinear& start, const MaybeLinear& stop, int64_t step) {
  const MaybeLinear least = step > 0 ? start : add(stop, constant(1));
  const bool usable = start && stop && least && least->is_constant() && least->constant >= 0 &&
                      least->constant <= largest_step && is_invariant(*loop.start) && is_invariant(*loop.stop);
  if (!usable || step == 1 || step == -1)
    return std::nullopt;
  auto number = [&](int64_t value) { return f_.make(types::weak_int(), loop.stop->span, Const{value, 0}); };
  auto make = [&](BinaryOp op, Expr* a, Expr* b) {
    return f_.make(types::weak_int(), loop.stop->span, Binary{op, a, b});
  };
  Expr *from = clone(f_, loop.start), *past = clone(f_, loop.stop);
  Expr* span = step > 0 ? make(BinaryOp::Sub, make(BinaryOp::Sub, past, number(1)), clone(f_, from))
                        : make(BinaryOp::Sub, make(BinaryOp::Sub, clone(f_, from), number(1)), past);
  Expr* steps = make(BinaryOp::FloorDiv, span, number(step > 0 ? step : -step));
  return hoist(make(BinaryOp::Add, from, make(BinaryOp::Mult, steps, number(step))));
}

// A form serves as a bound only if it is the bound, not merely equal modulo 2^64.
MaybeLinear Survey::inner_bound(Expr* e) {
  const MaybeLinear form = follower_.scalar(e);
  if (form && !mentions(*form, assigned) && is_exact(form))
    return form;
  return is_invariant(*e) ? hoist(e) : std::nullopt;
}

// ---- values ------------------------------------------------------------------------------------------------

bool Survey::is_exact(const MaybeLinear& form) const {
  const MaybeLinear low = form ? eliminate(form, false, Use::Proof) : form;
  const MaybeLinear high = form ? eliminate(form, true, Use::Proof) : form;
  return low && high && fits({extent(*low).low, extent(*high).high});
}

bool Survey::is_invariant(const Expr& e) const {
  const Effects does = effects(e);
  bool same = !does.raises && !does.acts && !does.reads;
  each_expr(e, [&](const Expr& x) {
    const auto* read = std::get_if<Read>(&x.node);
    same &= !read || !assigned.count(read->slot);
  });
  return same;
}

MaybeLinear Survey::hoist(Expr* e) {
  hoisted.push_back(e);
  return atom({Atom::Hoisted, static_cast<int>(hoisted.size()) - 1});
}

/// What stays the same in the nest is one number, computed before it.
MaybeLinear Survey::unknown(Expr* e) { return is_invariant(*e) ? hoist(e) : std::nullopt; }

// The range of a counter is over what is outside of its loop, so this ends. Each step takes the end at which
// the form is lowest (highest), whatever the counters outside are.
MaybeLinear Survey::eliminate(MaybeLinear form, bool highest, Use use, int down_to) const {
  while (form) {
    const Atom* innermost = innermost_counter(*form);
    if (!innermost || innermost->n <= down_to)
      return form;
    const Atom counter = *innermost;
    const Counter& range = counters_[static_cast<size_t>(counter.n)];
    const int64_t coefficient = form->terms.at(counter);
    const bool upper = (coefficient > 0) == highest;
    const MaybeLinear& end = use == Use::Test ? (upper ? range.last : range.first) : (upper ? range.high : range.low);
    form->terms.erase(counter);
    form = add(form, scale(end, coefficient));
  }
  return form;
}

MaybeLinear Survey::end_inside(const Linear& form, const Atom& counter, bool highest) const {
  return eliminate(form, highest, Use::Test, counter.n);
}

void Survey::reach(const Access& access) {
  if ((!access.index->wrap && !access.index->check) || std::get<For>(root_.node).cold)
    return;
  Reach r;
  r.access = access;
  r.loop = loop_;
  if (access.length && is_length(*access.length) && !mentions(*access.length, assigned)) {
    r.slot = access.length->terms.begin()->first.n;
    r.axis = access.length->terms.begin()->first.axis;
  }
  if (access.value && !mentions(*access.value, assigned)) {
    const MaybeLinear low = eliminate(access.value, false, Use::Proof);
    const MaybeLinear high = eliminate(access.value, true, Use::Proof);
    const MaybeLinear room = r.slot < 0 ? MaybeLinear() : subtract(high, access.length);
    r.nonnegative = low && extent(*low).low >= 0;
    r.exact = is_exact(access.value);
    r.below = room && extent(*room).high < 0;
    r.low = eliminate(access.value, false, Use::Test);
    r.high = eliminate(access.value, true, Use::Test);
    r.negative = r.low && extent(*r.low).high < 0;
    const Atom* innermost = innermost_counter(*access.value);
    const For* changes = innermost ? loops[static_cast<size_t>(innermost->n)] : nullptr;
    r.outside = !innermost || (changes && changes != loop_);
  }
  reaches.push_back(std::move(r));
}

} // namespace mpijit::jit::passes
