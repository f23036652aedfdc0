// Which loops to cut, where, and the cut; see split.h.
#include "passes/split.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

constexpr int64_t most_peeled = 64; // iterations that are known to run cold
constexpr size_t most_cuts = 2;     // of one loop, at different places

/// Would a break in these statements leave the loop that is `around` loops further out?
bool leaves(const Block& b, int around) {
  return std::any_of(b.begin(), b.end(), [&](const Stmt* s) {
    if (const auto* n = std::get_if<Break>(&s->node))
      return n->outer == around;
    if (const auto* n = std::get_if<For>(&s->node)) // the orelse is outside of its loop
      return leaves(n->body, around + 1) || leaves(n->orelse, around);
    if (const auto* n = std::get_if<While>(&s->node))
      return leaves(n->body, around + 1) || leaves(n->orelse, around);
    if (const auto* n = std::get_if<Once>(&s->node))
      return leaves(n->body, around + 1);
    bool found = false;
    each_block(*s, [&](const Block& inside) { found |= leaves(inside, around); });
    return found;
  });
}

bool shrinks(const Linear& form) {
  return std::any_of(form.terms.begin(), form.terms.end(), [](const auto& term) { return term.second < 0; });
}

class Splitter {
public:
  Splitter(Function& f, Stmt& s, const Survey& survey, std::set<const For*>& whole)
      : f_(f), root_(s), survey_(survey), whole_(whole) {}

  bool run() {
    for (const Reach& r : survey_.reaches)
      look(r);
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
      add(loop, *at);
    else if (const MaybeLinear at = from_above(r, *outermost); at)
      add(loop, *at);
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
    return step && step->i == 1 && !loop.cold && !whole_.count(&loop) && !leaves(loop.body, 0);
  }

  void add(const For* loop, const Linear& at) {
    std::vector<Linear>& cuts = cuts_[loop];
    for (Linear& known : cuts)
      if (known.terms == at.terms) {
        known.constant = std::max(known.constant, at.constant);
        return;
      }
    if (cuts.size() < most_cuts)
      cuts.push_back(at);
  }

  // ---- the cut -------------------------------------------------------------------------------------------

  void cut(Stmt& s, const std::vector<Linear>& cuts) {
    at_ = &s;
    Block out;
    const std::set<int> changed = assigned_slots(s);
    For& loop = std::get<For>(s.node);
    settle(loop.start, changed, out);
    settle(loop.stop, changed, out);
    Expr* from = loop.start;
    for (const Linear& form : cuts)
      from = greater(from, expression(form));
    if (!std::holds_alternative<Const>(from->node)) {
      const int slot = f_.add_slot("$split" + std::to_string(f_.slots.size()), types::weak_int());
      out.push_back(statement(Assign{slot, from}));
      from = expression(types::weak_int(), Read{slot});
    }
    For head{loop.slot, clone(f_, loop.start), lesser(loop.stop, from), clone(f_, loop.step), clone(f_, loop.body), {}};
    head.cold = true;
    each_stmt(head.body, [](Stmt& inside) {
      if (auto* inner = std::get_if<For>(&inside.node))
        inner->cold = true;
    });
    loop.start = clone(f_, from);
    out.push_back(statement(std::move(head)));
    out.push_back(statement(std::move(s.node)));
    whole_.insert(&std::get<For>(out.back()->node));
    s.node = Group{std::move(out)};
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
  std::set<const For*>& whole_;
  std::map<const For*, std::vector<Linear>> cuts_;
  const Stmt* at_ = nullptr; // the loop being cut
};

} // namespace

bool split(Function& f, Stmt& s, const Survey& survey, std::set<const For*>& whole) {
  return Splitter(f, s, survey, whole).run();
}

} // namespace mpijit::jit::passes
