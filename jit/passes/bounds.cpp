// Taking checks out of loops. What is certain needs no test: that index is unchecked wherever it stands. The
// rest of a nest is tested once, before it, and the nest becomes two: a fast one for when the tests hold, and
// the original, cold, for when they do not. An access that cannot be tested stays checked in both.
//
// Which loop becomes a nest: the outermost one, unless more can be said of the loops inside (a time loop that
// swaps its arrays says nothing of them) or other code runs in it (then arrays may be kept apart only inside).
// Before that, loops are cut (see split.h); what is cut off is cold, and no nest. What a fold replaces, it replaces
// in the fast body.
#include "passes/passes.h"

#include "ir/effects.h"
#include "ir/walk.h"
#include "passes/split.h"

#include <algorithm>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

constexpr size_t most_pairs = 8; // of arrays tested to be apart; more tests cost more than they save

// ---- making one nest ---------------------------------------------------------------------------------------

/// The accesses of one axis that reach equally far but for a constant share a test.
struct Test {
  int slot, axis; // no slot: a number alone is tested, to lie below size
  Linear low, high;
  int64_t size = 0;
  bool joins(const Test& t) const {
    return slot == t.slot && size == t.size && axis == t.axis && low.terms == t.low.terms && high.terms == t.high.terms;
  }
};

class NestMaker {
public:
  NestMaker(Function& f, Stmt& loop, Survey& survey) : f_(f), loop_(loop), survey_(survey) {}

  /// What the loop becomes: itself, when no test is worth making.
  Stmt* make() {
    const bool assumes = !survey_.folds.empty() || !survey_.conditions.empty(); // nothing is certain in the cold body
    if (!assumes)
      trust_what_is_certain();
    collect_tests();
    collect_pairs();
    if (tests_.empty() && (pairs_.empty() || !survey_.is_clean()))
      return &loop_;

    Block out = hoist();
    Nest nest;
    nest.cold = clone(f_, {&loop_});
    if (assumes)
      trust_what_is_certain();
    each_stmt(nest.cold, [](Stmt& s) {
      if (auto* loop = std::get_if<For>(&s.node))
        loop->cold = true;
    });
    for (Index* index : unwrapped_)
      index->wrap = index->check = false;
    for (Index* index : unchecked_)
      index->check = false;
    for (const Reach* r : from_end_)
      count_from_end(*r);
    set_scopes();
    std::for_each(survey_.folds.begin(), survey_.folds.end(), apply);
    nest.fast = {&loop_};
    for (const Test& t : tests_)
      nest.ranges.push_back(
          {t.slot < 0 ? nullptr : read(t.slot), t.axis, expression(t.low), expression(t.high), t.size});
    nest.apart = pairs_;
    out.push_back(statement(std::move(nest)));
    return out.size() == 1 ? out.front() : statement(Group{std::move(out)});
  }

private:
  Stmt* statement(Stmt::Node node) {
    Stmt* s = f_.make(loop_.span, std::move(node));
    s->frame = loop_.frame;
    return s;
  }
  Expr* expression(Type type, Expr::Node node) {
    Expr* e = f_.make(type, loop_.span, std::move(node));
    e->frame = loop_.frame;
    return e;
  }
  Expr* read(int slot) { return expression(f_.slots[static_cast<size_t>(slot)].type, Read{slot}); }

  // ---- what to test ----------------------------------------------------------------------------------

  /// A form between 0 and the length is the value: no other number of 64 bits is equal to it modulo 2^64.
  void trust_what_is_certain() {
    for (const Reach& r : survey_.reaches) {
      Index& index = *r.access.index;
      const bool is_certain = r.is_certain();
      index.wrap &= !is_certain && !(r.nonnegative && r.exact);
      index.check &= !is_certain;
    }
  }

  void collect_tests() {
    for (const Fold& fold : survey_.folds)
      for (const Linear& form : fold.least)
        test_not_negative(form);
    for (const Linear& form : survey_.conditions)
      test_not_negative(form);
    for (const Reach& r : survey_.reaches) {
      if (!r.is_provable() || r.is_certain())
        continue;
      if (r.is_below_zero())
        test_from_end(r);
      else if (r.keeps_wrap())
        test_wrapping(r);
      else
        test_plain(r);
    }
  }
  void test_not_negative(const Linear& form) { add_test({-1, 0, form, form, INT64_MAX}); }
  // An end that is certain needs no form of its own: 0 will do for the low one, the low one for the high.
  void test_plain(const Reach& r) {
    const Linear low = r.nonnegative ? constant(0) : *r.low;
    add_test({r.slot, r.axis, low, r.below ? low : *r.high});
    unwrapped_.push_back(r.access.index);
  }
  // An index that always counts from the end does so by what is added to it.
  void test_from_end(const Reach& r) {
    if (const MaybeLinear from = add(*r.low, atom({Atom::Length, r.slot, r.axis}))) {
      add_test({r.slot, r.axis, *from, *from});
      from_end_.push_back(&r);
    }
  }
  // Where an index may begin below zero (`u[i - 1]` from 0 on), it keeps counting from the end and only the check
  // goes, if it does not begin before the array.
  void test_wrapping(const Reach& r) {
    const MaybeLinear from = add(*r.low, atom({Atom::Length, r.slot, r.axis}));
    if (!from || !r.access.index->check)
      return;
    test_not_negative(*from);
    if (!r.below)
      add_test({r.slot, r.axis, constant(0), *r.high});
    unchecked_.push_back(r.access.index);
  }
  void count_from_end(const Reach& r) {
    Index& index = *r.access.index;
    Expr* length = expression(types::weak_int(), Dim{read(r.slot), r.axis});
    index = {expression(types::weak_int(), Binary{BinaryOp::Add, index.value, length}), false, false};
  }
  void add_test(Test test) {
    const auto same = std::find_if(tests_.begin(), tests_.end(), [&](const Test& t) { return t.joins(test); });
    if (same == tests_.end())
      return tests_.push_back(std::move(test));
    same->low.constant = std::min(same->low.constant, test.low.constant);
    same->high.constant = std::max(same->high.constant, test.high.constant);
  }

  // ---- which arrays to keep apart ----------------------------------------------------------------------

  /// The array whose memory an access is in: that of a view is within the whole.
  int scope_of(const Expr* array) const {
    if (const auto* n = std::get_if<Permute>(&array->node))
      return scope_of(n->array);
    if (const auto* n = std::get_if<View>(&array->node))
      return scope_of(n->array);
    const auto* read = std::get_if<Read>(&array->node);
    return read && array->type->is_array() && !survey_.assigned.count(read->slot) ? read->slot : -1;
  }

  /// A slot that the nest assigns is a view of the array whose axes it has, where its axes are known.
  int scope_of(const Expr* array, const std::vector<Index>& index) const {
    const int slot = scope_of(array);
    if (slot >= 0)
      return slot;
    for (const Reach& r : survey_.reaches)
      if (std::any_of(index.begin(), index.end(), [&](const Index& i) { return &i == r.access.index; }) && r.slot >= 0)
        return r.slot;
    return -1;
  }

  void collect_pairs() {
    if (survey_.calls)
      return;
    std::map<int, bool> stored; // of each array that is accessed
    Block body{&loop_};
    each_expr(body, [&](Expr*& e) {
      if (const auto* load = std::get_if<Load>(&e->node); load && scope_of(load->array, load->index) >= 0)
        stored.try_emplace(scope_of(load->array, load->index), false);
    });
    each_stmt(body, [&](Stmt& s) {
      if (const auto* store = std::get_if<Store>(&s.node); store && scope_of(store->array, store->index) >= 0)
        stored[scope_of(store->array, store->index)] = true;
    });
    for (auto a = stored.begin(); a != stored.end(); ++a)
      for (auto b = std::next(a); b != stored.end(); ++b)
        if (a->second || b->second)
          pairs_.push_back({a->first, b->first});
    if (pairs_.size() > most_pairs)
      pairs_.clear();
  }

  void set_scopes() {
    std::set<int> scopes;
    for (const Disjoint& pair : pairs_)
      scopes.insert({pair.a, pair.b});
    auto scope = [&](const Expr* array, const std::vector<Index>& index) {
      const int slot = scope_of(array, index);
      return scopes.count(slot) ? slot : -1;
    };
    Block body{&loop_};
    each_expr(body, [&](Expr*& e) {
      if (auto* load = std::get_if<Load>(&e->node))
        load->scope = scope(load->array, load->index);
    });
    each_stmt(body, [&](Stmt& s) {
      if (auto* store = std::get_if<Store>(&s.node))
        store->scope = scope(store->array, store->index);
    });
  }

  // ---- code before the nest ------------------------------------------------------------------------------

  /// Evaluates what the tests need, and what the loop's range is to take from there.
  Block hoist() {
    std::set<int> needed;
    for (const auto& [place, n] : survey_.header)
      needed.insert(n);
    for (const Test& t : tests_)
      for (const Linear* form : {&t.low, &t.high})
        for (const auto& [a, coefficient] : form->terms)
          if (a.kind == Atom::Hoisted)
            needed.insert(a.n);
    Block out;
    for (int n : needed) {
      Expr* value = survey_.hoisted[static_cast<size_t>(n)];
      const bool moves = std::any_of(survey_.header.begin(), survey_.header.end(),
                                     [&](const auto& place) { return place.second == n; });
      slots_[n] = f_.add_slot("$nest" + std::to_string(f_.slots.size()), types::weak_int());
      out.push_back(statement(Assign{slots_[n], moves ? value : clone(f_, value)}));
    }
    for (const auto& [place, n] : survey_.header)
      *place = read(slots_.at(n));
    return out;
  }

  Expr* expression(const Linear& form) {
    return write(form, f_, loop_, [this](const Atom& a) { return read(slots_.at(a.n)); });
  }

  Function& f_;
  Stmt& loop_;
  Survey& survey_;
  std::vector<Test> tests_;
  std::vector<Index*> unwrapped_;      // not negative either when the tests hold
  std::vector<Index*> unchecked_;      // in range when the tests hold
  std::vector<const Reach*> from_end_; // negative, and not too far below zero, when they hold
  std::vector<Disjoint> pairs_;
  std::map<int, int> slots_; // of hoisted values
};

// ---- choosing the nests ------------------------------------------------------------------------------------

class Chooser {
public:
  explicit Chooser(Function& f) : f_(f) {}

  void run() {
    if (!f_.boundscheck)
      drop_checks();
    follower_.on_loop = [this](Stmt*& s, For& loop) { visit(s, loop); };
    follower_.block(f_.body);
  }

private:
  void visit(Stmt*& s, For& loop) {
    Survey survey(f_, *s, follower_.facts, cuts_.sides);
    if (!loop.cold && split(f_, *s, survey, cuts_)) {
      Block anew{s};
      follower_.block(anew);
      s = anew.front();
      return;
    }
    if (!loop.cold && survey.score() > 0 && survey.score() >= floor(survey, *s)) {
      s = NestMaker(f_, *s, survey).make();
      follower_.facts.forget(assigned_slots(*s));
      return;
    }
    for (Expr* e : {loop.start, loop.stop, loop.step})
      follower_.scalar(e);
    follower_.facts.forget(assigned_slots(*s));
    follower_.block(loop.body);
    follower_.facts.forget(assigned_slots(*s));
    follower_.block(loop.orelse);
  }

  /// The score from which the loop as a whole is the better nest.
  int floor(const Survey& whole, Stmt& s) const {
    const int inside = best_inside(s, follower_.facts);
    return whole.calls && inside > 0 ? whole.score() + 1 : inside;
  }

  /// The sum of the best scores of the nests that could be made of the loops inside.
  int best_inside(Stmt& s, const Facts& before) const {
    int sum = 0;
    Follower walk(at_body(before, s));
    walk.on_loop = [&](Stmt*& inner, For&) {
      sum += best(*inner, walk.facts);
      walk.facts.forget(assigned_slots(*inner));
    };
    walk.block(std::get<For>(s.node).body);
    return sum;
  }
  int best(Stmt& s, const Facts& before) const {
    const Survey whole(f_, s, before, cuts_.sides);
    const int inside = best_inside(s, before);
    return whole.calls && inside > 0 ? inside : std::max(whole.score(), inside);
  }

  void drop_checks() {
    auto drop = [](Index& i) { i.check = false; };
    each_expr(f_.body, [&](Expr*& e) {
      if (auto* load = std::get_if<Load>(&e->node))
        std::for_each(load->index.begin(), load->index.end(), drop);
      if (auto* view = std::get_if<View>(&e->node))
        for (auto& axis : view->axes)
          if (auto* index = std::get_if<Index>(&axis))
            drop(*index);
    });
    each_stmt(f_.body, [&](Stmt& s) {
      if (auto* store = std::get_if<Store>(&s.node))
        std::for_each(store->index.begin(), store->index.end(), drop);
    });
  }

  Function& f_;
  Follower follower_{Facts()};
  Cuts cuts_;
};

} // namespace

void bounds(Module& module) {
  for (auto& f : module.functions)
    Chooser(*f).run();
}

} // namespace mpijit::jit::passes
