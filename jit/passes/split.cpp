// Which loops to cut, where, and the cut; see split.h.
#include "passes/split.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

constexpr int64_t most_peeled = 64; // iterations that are known to run cold
constexpr size_t most_cuts = 2;     // of one loop and end, at different places

constexpr int most_copied = 600; // expressions of a loop that is cut for its guards: every part is compiled

/// Where the hot part of a loop begins, not before any of `first`, and ends, before each of `past`.
struct Places {
  std::vector<Linear> first, past;
};

int size(const Block& b) {
  int expressions = 0;
  each_expr(b, [&](const Expr&) { ++expressions; });
  return expressions;
}

bool shrinks(const Linear& form) {
  return std::any_of(form.terms.begin(), form.terms.end(), [](const auto& term) { return term.second < 0; });
}

class Splitter {
public:
  Splitter(Function& f, Stmt& s, const Survey& survey, Cuts& cuts) : f_(f), root_(s), survey_(survey), done_(cuts) {}

  bool run() {
    for (const Reach& r : survey_.reaches)
      look(r);
    for (const Guard& guard : survey_.guards)
      look(guard);
    std::vector<Stmt*> found;
    Block all{&root_};
    each_stmt(all, [&](Stmt& s) {
      if (const auto* loop = std::get_if<For>(&s.node); loop && cuts_.count(loop))
        found.push_back(&s);
    });
    std::for_each(found.rbegin(), found.rend(), [&](Stmt* s) { cut(*s, cuts_.at(&std::get<For>(s->node))); });
    return !found.empty();
  }

private:
  // ---- where ---------------------------------------------------------------------------------------------

  void look(const Reach& r) {
    const MaybeLinear& index = r.access.value;
    const bool asks = r.access.index->wrap && !r.is_certain() && !(r.nonnegative && r.exact) && r.low && r.high;
    if (!asks || !index || mentions(*index, survey_.assigned))
      return;
    const Atom* outermost = outermost_counter(*index);
    const For* loop = outermost ? survey_.loops[static_cast<size_t>(outermost->n)] : nullptr;
    if (!loop || !is_cuttable(*loop))
      return;
    // An index that only changes outside of the innermost loop costs it nothing.
    if (survey_.outer.count(loop) && innermost_counter(*index)->n == outermost->n)
      return;
    if (const MaybeLinear at = from_below(r, *outermost); at)
      add_first(loop, *at);
    else if (const MaybeLinear at = from_above(r, *outermost); at)
      add_first(loop, *at);
  }

  /// The first iteration in which an index that grows is not negative.
  MaybeLinear from_below(const Reach& r, const Atom& counter) const {
    const bool begins_below = r.low->is_constant() ? -most_peeled <= r.low->constant && r.low->constant < 0
                                                   : !r.nonnegative && extent(*r.high).high >= 0;
    const MaybeLinear rest = without(r, counter, 1);
    return begins_below && rest && (r.low->is_constant() || shrinks(*rest)) ? scale(rest, -1) : std::nullopt;
  }
  /// The first iteration in which an index that shrinks is negative.
  MaybeLinear from_above(const Reach& r, const Atom& counter) const {
    if (!r.high->is_constant() || r.high->constant < 0 || r.high->constant >= most_peeled || r.nonnegative)
      return std::nullopt;
    return passes::add(without(r, counter, -1), constant(1));
  }
  /// The index without its outermost counter, which it must have that many times: what is left does not change in
  /// the nest.
  MaybeLinear without(const Reach& r, const Atom& counter, int64_t times) const {
    MaybeLinear form = survey_.end_inside(*r.access.value, counter, times < 0);
    if (form)
      form = passes::add(form, scale(atom(counter), -times));
    return form && !innermost_counter(*form) ? form : std::nullopt;
  }

  bool is_cuttable(const For& loop) const {
    const auto* step = std::get_if<Const>(&loop.step->node);
    return step && step->i == 1 && !loop.cold && !done_.whole.count(&loop) && !jumps<Break>(loop.body);
  }

  // ---- guards --------------------------------------------------------------------------------------------

  /// Guards are worth a cut in innermost loops that access arrays, if they hang on nothing but the loop.
  void look(const Guard& guard) {
    const Atom* counter = innermost_counter(guard.gap);
    const For* loop = counter ? survey_.loops[static_cast<size_t>(counter->n)] : nullptr;
    const bool accesses =
        std::any_of(survey_.reaches.begin(), survey_.reaches.end(), [&](const Reach& r) { return r.loop == loop; });
    if (survey_.calls || !loop || loop != guard.loop || counter->n != outermost_counter(guard.gap)->n ||
        survey_.outer.count(loop) || !is_cuttable(*loop) || !accesses || size(loop->body) > most_copied)
      return;
    if (guard.is_remainder() ? cut_remainder(guard, *counter, loop) : cut_comparison(guard, *counter, loop))
      done_.sides.insert_or_assign(guard.node, side_);
  }

  /// Of something like `(i + 1) % n`, where i ends about n. Elsewhere it would soon begin anew.
  bool cut_remainder(const Guard& guard, const Atom& counter, const For* loop) {
    const MaybeLinear by = subtract(*guard.value, guard.gap);
    const MaybeLinear room = subtract(survey_.end_inside(atom(counter), {Atom::Counter, -1}, true), by);
    if (!room || !room->is_constant() || room->constant < -most_peeled || room->constant > most_peeled ||
        !guard.least || !guard.high)
      return false;
    side_ = Side::Negative;
    return (extent(*guard.least).low >= 0 || add(loop, counter, *guard.value, Side::NotNegative)) &&
           (extent(*guard.high).high < 0 || add(loop, counter, guard.gap, Side::Negative));
  }

  /// Does an integer, perhaps an index, hang on the comparison?
  bool makes_integer(const For& loop, const Expr* comparison) const {
    auto asks = [&](const Expr* cond) {
      bool found = false;
      each_expr(*cond, [&](const Expr& e) { found |= &e == comparison; });
      return found;
    };
    auto assigns = [&](const Block& b) {
      const std::set<int> slots = assigned_slots(b);
      return std::any_of(slots.begin(), slots.end(),
                         [&](int slot) { return f_.slots[static_cast<size_t>(slot)].type->is_weak_int(); });
    };
    bool found = false;
    each_expr(loop.body, [&](const Expr& e) {
      const auto* n = std::get_if<Choose>(&e.node);
      found |= n && e.type->is_weak_int() && asks(n->cond);
    });
    each_stmt(loop.body, [&](const Stmt& s) {
      const auto* n = std::get_if<If>(&s.node);
      found |= n && (assigns(n->yes) || assigns(n->no)) && asks(n->cond);
    });
    return found;
  }

  /// Of one that changes in the first or the last iterations and says what an integer is. What one merely guards is
  /// known without a cut, and vectorised as it is.
  bool cut_comparison(const Guard& guard, const Atom& counter, const For* loop) {
    if (!makes_integer(*loop, guard.node))
      return false;
    const CompareOp op = std::get<Compare>(guard.node->node).op;
    auto is_near = [](const MaybeLinear& end) {
      return end && end->is_constant() && -most_peeled <= end->constant && end->constant <= most_peeled;
    };
    const bool strict = op == CompareOp::Lt || op == CompareOp::GtE; // zero is as what is positive
    const bool equal = op == CompareOp::Eq || op == CompareOp::NotEq;
    if (is_near(guard.low) && guard.low->constant <= 0)
      side_ = strict ? Side::NotNegative : Side::Positive;
    else if (is_near(guard.high) && guard.high->constant >= 0)
      side_ = strict || equal ? Side::Negative : Side::NotPositive;
    else
      return false;
    return add(loop, counter, guard.gap, side_);
  }

  /// Cuts off the iterations in which the gap is not on that side, if they are those at one end.
  bool add(const For* loop, const Atom& counter, const Linear& gap, Side side) {
    MaybeLinear form = on_side(gap, side);
    if (!form)
      return false;
    const int64_t by = form->terms.at(counter);
    form->terms.erase(counter);
    if (by == 1)
      return add_first(loop, scale(form, -1));
    return by == -1 && add_past(loop, passes::add(form, constant(1)));
  }

  bool add_first(const For* loop, const MaybeLinear& at) {
    return at && add(cuts_[loop].first, *at, [](int64_t a, int64_t b) { return std::max(a, b); });
  }
  bool add_past(const For* loop, const MaybeLinear& at) {
    return at && add(cuts_[loop].past, *at, [](int64_t a, int64_t b) { return std::min(a, b); });
  }
  static bool add(std::vector<Linear>& places, const Linear& at, int64_t (*inner)(int64_t, int64_t)) {
    for (Linear& known : places)
      if (known.terms == at.terms) {
        known.constant = inner(known.constant, at.constant);
        return true;
      }
    if (places.size() == most_cuts)
      return false;
    places.push_back(at);
    return true;
  }

  // ---- the cut -------------------------------------------------------------------------------------------

  void cut(Stmt& s, const Places& places) {
    at_ = &s;
    Block out;
    const std::set<int> changed = assigned_slots(s);
    For& loop = std::get<For>(s.node);
    settle(loop.start, changed, out);
    settle(loop.stop, changed, out);
    Expr* from = loop.start;
    for (const Linear& form : places.first)
      from = greater(from, expression(form));
    if (!places.first.empty() && !std::holds_alternative<Const>(from->node)) {
      const int slot = f_.add_slot("$split" + std::to_string(f_.slots.size()), types::weak_int());
      out.push_back(statement(Assign{slot, from}));
      from = expression(types::weak_int(), Read{slot});
    }
    Stmt *head = nullptr, *tail = nullptr;
    if (!places.first.empty())
      head = cold_part(loop, clone(f_, loop.start), lesser(loop.stop, from));
    loop.start = clone(f_, from);
    if (!places.past.empty()) {
      Expr* to = expression(places.past.front());
      for (size_t k = 1; k < places.past.size(); ++k)
        to = lesser(to, expression(places.past[k]));
      tail = cold_part(loop, greater(from, to), clone(f_, loop.stop));
      std::get<For>(tail->node).orelse = std::move(loop.orelse);
      loop.orelse.clear();
      loop.stop = lesser(loop.stop, to);
    }
    if (head)
      out.push_back(head);
    out.push_back(statement(std::move(s.node)));
    done_.whole.insert(&std::get<For>(out.back()->node));
    if (tail)
      out.push_back(tail);
    s.node = Group{std::move(out)};
  }

  Stmt* cold_part(const For& loop, Expr* start, Expr* stop) {
    For part{loop.slot, start, stop, clone(f_, loop.step), clone(f_, loop.body), {}};
    part.cold = true;
    each_stmt(part.body, [](Stmt& inside) {
      if (auto* inner = std::get_if<For>(&inside.node))
        inner->cold = true;
    });
    return statement(std::move(part));
  }

  /// Makes an end of the range one that may be evaluated again, also after the loop has begun.
  void settle(Expr*& e, const std::set<int>& changed, Block& out) {
    const Effects does = effects(*e);
    bool same = !does.raises && !does.acts && !does.reads;
    each_expr(*e, [&](const Expr& x) {
      const auto* read = std::get_if<Read>(&x.node);
      same &= !read || !changed.count(read->slot);
    });
    if (same)
      return;
    const int slot = f_.add_slot("$split" + std::to_string(f_.slots.size()), types::weak_int());
    out.push_back(statement(Assign{slot, e}));
    e = expression(types::weak_int(), Read{slot});
  }

  Expr* choose(Expr* a, Expr* b, bool greater) {
    const auto *x = std::get_if<Const>(&a->node), *y = std::get_if<Const>(&b->node);
    if (x && y)
      return (x->i < y->i) == greater ? b : a;
    Expr* less = expression(types::weak_bool(), Compare{CompareOp::Lt, clone(f_, a), clone(f_, b)});
    return expression(types::weak_int(),
                      greater ? Choose{less, clone(f_, b), clone(f_, a)} : Choose{less, clone(f_, a), clone(f_, b)});
  }
  Expr* greater(Expr* a, Expr* b) { return choose(a, b, true); }
  Expr* lesser(Expr* a, Expr* b) { return choose(a, b, false); }

  Stmt* statement(Stmt::Node node) {
    Stmt* made = f_.make(at_->span, std::move(node));
    made->frame = at_->frame;
    return made;
  }
  Expr* expression(Type type, Expr::Node node) {
    Expr* e = f_.make(type, at_->span, std::move(node));
    e->frame = at_->frame;
    return e;
  }
  Expr* expression(const Linear& form) {
    return write(form, f_, *at_, [&](const Atom& a) { return clone(f_, survey_.hoisted[static_cast<size_t>(a.n)]); });
  }

  Function& f_;
  Stmt& root_;
  const Survey& survey_;
  Cuts& done_;
  std::map<const For*, Places> cuts_;
  Side side_ = Side::Negative; // of the guard being looked at, once its loop is cut
  const Stmt* at_ = nullptr;   // the loop being cut
};

} // namespace

bool split(Function& f, Stmt& s, const Survey& survey, Cuts& cuts) { return Splitter(f, s, survey, cuts).run(); }

} // namespace mpijit::jit::passes
