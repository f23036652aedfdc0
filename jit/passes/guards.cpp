// Remainders and comparisons; see guards.h. What the survey says of them.
#include "passes/guards.h"

#include "ir/effects.h"
#include "ir/walk.h"
#include "passes/survey.h"

#include <algorithm>
#include <array>

namespace mpijit::jit::passes {

using namespace ir;

namespace {

/// Arithmetic over slots, which may be left out or evaluated somewhere else.
bool is_plain(const Expr& e) {
  bool plain = true;
  each_expr(e, [&](const Expr& x) {
    plain &= std::holds_alternative<Const>(x.node) || std::holds_alternative<Read>(x.node) ||
             std::holds_alternative<Dim>(x.node) || std::holds_alternative<Unary>(x.node) ||
             std::holds_alternative<Binary>(x.node);
  });
  return plain && !effects(e).raises;
}

Side opposite(Side side) {
  switch (side) {
  case Side::Negative: return Side::NotNegative;
  case Side::NotPositive: return Side::Positive;
  case Side::NotNegative: return Side::Negative;
  case Side::Positive: return Side::NotPositive;
  }
  return side;
}

constexpr std::array<Side, 4> all_sides = {Side::Negative, Side::Positive, Side::NotPositive, Side::NotNegative};

} // namespace

std::optional<bool> verdict(CompareOp op, Side side) {
  const bool negative = side == Side::Negative, positive = side == Side::Positive;
  const bool at_most = negative || side == Side::NotPositive, at_least = positive || side == Side::NotNegative;
  auto decided = [](bool yes, bool no) { return yes || no ? std::optional(yes) : std::nullopt; };
  switch (op) {
  case CompareOp::Lt: return decided(negative, at_least);
  case CompareOp::LtE: return decided(at_most, positive);
  case CompareOp::Gt: return decided(positive, at_most);
  case CompareOp::GtE: return decided(at_least, negative);
  case CompareOp::Eq: return decided(false, negative || positive);
  case CompareOp::NotEq: return decided(negative || positive, false);
  }
  return std::nullopt;
}

MaybeLinear on_side(const Linear& gap, Side side) {
  const bool above = side == Side::NotNegative || side == Side::Positive;
  const bool strictly = side == Side::Negative || side == Side::Positive;
  return add(scale(gap, above ? 1 : -1), constant(strictly ? -1 : 0));
}

void apply(const Fold& fold) {
  if (auto* n = std::get_if<Binary>(&fold.node->node)) {
    Expr::Node first = std::move(n->a->node);
    fold.node->node = std::move(first);
  } else {
    fold.node->node = Const{fold.value, 0};
  }
}

// ---- remainders --------------------------------------------------------------------------------------------

/// What divides, if it is the same in all of the nest; exact.
MaybeLinear Survey::divisor(Expr* e, const MaybeLinear& b) {
  if (b && b->is_constant())
    return b->constant > 0 ? b : std::nullopt;
  if (b && !mentions(*b, assigned) && !innermost_counter(*b) && is_exact(b))
    return b;
  return is_invariant(*e) ? hoist(e) : std::nullopt;
}

// `i % n` is anything from 0 to n - 1: like the counter of a loop inside all others. Of a zero there is no remainder,
// and if n is negative all is different.
MaybeLinear Survey::remainder(Expr* e, const MaybeLinear& a, const MaybeLinear& b) {
  const Binary& n = std::get<Binary>(e->node);
  const MaybeLinear by = divisor(n.b, b);
  if (!by)
    return std::nullopt;
  const MaybeLinear gap = subtract(a, by);
  if (gap && !mentions(*a, assigned) && innermost_counter(*a) && is_plain(*n.a) && is_plain(*n.b)) {
    Guard guard{e,
                *gap,
                eliminate(gap, false, Use::Test),
                eliminate(gap, true, Use::Test),
                a,
                eliminate(a, false, Use::Test),
                loop_};
    const bool is_least = guard.least && extent(*guard.least).low >= 0;
    const bool is_below = guard.high && extent(*guard.high).high < 0;
    if (((is_least && is_below) || sides_.count(e)) && guard.high &&
        fold(e, true, {guard.least, on_side(*guard.high, Side::Negative)}))
      return a;
    guards.push_back(std::move(guard));
  }
  const MaybeLinear high = subtract(by, constant(1));
  const bool positive = extent(*by).low >= 0;
  if (!positive)
    conditions.push_back(*by);
  const MaybeLinear none;
  counters_.push_back({positive ? constant(0) : none, positive ? high : none, constant(0), high});
  loops.push_back(nullptr);
  return atom({Atom::Counter, static_cast<int>(counters_.size()) - 1});
}

bool Survey::fold(Expr* e, bool value, const std::vector<MaybeLinear>& least) {
  if (!std::all_of(least.begin(), least.end(), [](const MaybeLinear& form) { return form.has_value(); }))
    return false;
  Fold made{e, value, {}};
  for (const MaybeLinear& form : least)
    made.least.push_back(*form);
  folds.push_back(std::move(made));
  return true;
}

// ---- comparisons -------------------------------------------------------------------------------------------

/// Exact already, or if no number in it is negative (`n - 1` is).
bool Survey::assume_exact(const MaybeLinear& form) {
  if (is_exact(form))
    return true;
  std::vector<Linear> numbers;
  for (const bool highest : {false, true}) {
    const MaybeLinear end = eliminate(form, highest, Use::Proof);
    if (!end)
      return false;
    Extent range = extent(*end);
    for (const auto& [a, coefficient] : end->terms)
      if (a.kind != Atom::Length) {
        (coefficient > 0 ? range.low : range.high) -= Wide(coefficient) * INT64_MIN;
        numbers.push_back(atom(a));
      }
    if (!fits(range))
      return false;
  }
  conditions.insert(conditions.end(), numbers.begin(), numbers.end());
  return true;
}

std::optional<bool> Survey::compare(Expr* e, const MaybeLinear& a, const MaybeLinear& b) {
  const Compare& n = std::get<Compare>(e->node);
  const MaybeLinear gap = subtract(a, b);
  if (!gap || mentions(*a, assigned) || mentions(*b, assigned) || !assume_exact(a) || !assume_exact(b))
    return std::nullopt;
  for (const Side side : all_sides) {
    const MaybeLinear known = verdict(n.op, side) ? eliminate(on_side(*gap, side), false, Use::Proof) : std::nullopt;
    if (known && extent(*known).low >= 0)
      return verdict(n.op, side);
  }
  if (const auto found = sides_.find(e); found != sides_.end()) {
    const std::optional<bool> value = verdict(n.op, found->second);
    if (value && fold(e, *value, {eliminate(on_side(*gap, found->second), false, Use::Test)}))
      return value;
  }
  gaps_.insert_or_assign(e, *gap);
  if (innermost_counter(*gap) && is_plain(*n.a) && is_plain(*n.b))
    guards.push_back({e, *gap, eliminate(gap, false, Use::Test), eliminate(gap, true, Use::Test), {}, {}, loop_});
  return std::nullopt;
}

/// Within a branch, the counters are where its condition has them.
void Survey::narrow(const Expr* cond, bool holds) {
  if (const auto* n = std::get_if<Choose>(&cond->node)) {
    const auto* yes = std::get_if<Const>(&n->yes->node);
    const auto* no = std::get_if<Const>(&n->no->node);
    if (no && !no->i && holds) { // a and b
      narrow(n->cond, true);
      narrow(n->yes, true);
    } else if (yes && yes->i && !holds) { // a or b
      narrow(n->cond, false);
      narrow(n->no, false);
    }
    return;
  }
  const auto known = gaps_.find(cond);
  if (known == gaps_.end())
    return;
  const CompareOp op = std::get<Compare>(cond->node).op;
  if (op == (holds ? CompareOp::NotEq : CompareOp::Eq)) {
    const MaybeLinear zero = constant(0);
    if (eliminate(known->second, false, Use::Proof) == zero)
      narrow(known->second, Side::Positive);
    else if (eliminate(known->second, true, Use::Proof) == zero)
      narrow(known->second, Side::Negative);
    return;
  }
  for (const Side side : all_sides)
    if (const std::optional<bool> says = verdict(op, opposite(side)); says && *says != holds)
      narrow(known->second, side);
}

/// The innermost counter of the gap ends, or begins, where the gap leaves that side, if that is certainly sooner.
void Survey::narrow(const Linear& gap, Side side) {
  MaybeLinear form = on_side(gap, side);
  const Atom* innermost = form ? innermost_counter(*form) : nullptr;
  if (!innermost)
    return;
  const Atom counter = *innermost;
  const int64_t by = form->terms.at(counter);
  if (by != 1 && by != -1)
    return;
  form->terms.erase(counter);
  const MaybeLinear end = scale(form, -by);
  const auto number = static_cast<size_t>(counter.n);
  Counter& range = counters_[number];
  narrowed_.back().emplace_back(number, range);
  auto shrink = [&](MaybeLinear& old) {
    const MaybeLinear by_how_much = scale(subtract(end, old), by);
    if (!old || (by_how_much && by_how_much->is_constant() && by_how_much->constant > 0))
      old = end;
  };
  shrink(by > 0 ? range.low : range.high);
  shrink(by > 0 ? range.first : range.last);
}

} // namespace mpijit::jit::passes
