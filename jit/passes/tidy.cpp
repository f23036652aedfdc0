// Dropping what has no effect: assignments to slots that nothing reads, evaluations of pure values, branches
// with nothing in them. Inference leaves such things (flags of names that turn out to be bound, moves on
// edges, arguments of inlined calls), and every one of them would be emitted.
//
// A slot is live when something that stays reads it. Starting from what must stay, liveness spreads through
// the values of assignments to live slots, so that slots which only feed each other go too.
#include "passes/passes.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>
#include <map>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

/// An assignment that may go when nothing reads its slot. Arrays stay: who owns them is decided later.
const Assign* droppable(const Function& f, const Stmt& s) {
  const auto* assign = std::get_if<Assign>(&s.node);
  return assign && !holds_array(f.slots[static_cast<size_t>(assign->slot)].type) && is_pure(*assign->value) ? assign
                                                                                                            : nullptr;
}

std::set<int> live_slots(const Function& f) {
  std::set<int> live;
  std::map<int, std::set<int>> feeds; // droppable assignments: slot -> what their values read
  each_stmt(f.body, [&](const Stmt& s) {
    const Assign* assign = droppable(f, s);
    std::set<int>& into = assign ? feeds[assign->slot] : live;
    each_child(s, [&](const Expr& e) { into.merge(read_slots(e)); });
  });
  std::vector<int> todo(live.begin(), live.end());
  while (!todo.empty()) {
    const int slot = todo.back();
    todo.pop_back();
    for (int fed : feeds[slot])
      if (live.insert(fed).second)
        todo.push_back(fed);
  }
  return live;
}

class Tidier {
public:
  explicit Tidier(Function& f) : f_(f) {}

  void run() {
    do {
      changed_ = false;
      live_ = live_slots(f_);
      each_expr(f_.body, [&](Expr*& e) { simplify(e); });
      sweep(f_.body);
    } while (changed_);
  }

private:
  bool is_dead(int slot) const { return !live_.count(slot) && !holds_array(f_.slots[static_cast<size_t>(slot)].type); }

  /// A name nobody uses, and a tuple made only to take one item out of it.
  void simplify(Expr*& e) {
    if (const auto* bind = std::get_if<Bind>(&e->node); bind && is_dead(bind->slot))
      return replace(e, bind->value);
    const auto* item = std::get_if<Item>(&e->node);
    const auto* tuple = item ? std::get_if<MakeTuple>(&item->tuple->node) : nullptr;
    if (!tuple)
      return;
    const Expr* wanted = tuple->items[static_cast<size_t>(item->index)];
    auto is_needless = [&](const Expr* x) { return x == wanted || is_pure(*x); };
    if (std::all_of(tuple->items.begin(), tuple->items.end(), is_needless))
      replace(e, tuple->items[static_cast<size_t>(item->index)]);
  }
  void replace(Expr*& e, Expr* by) {
    e = by;
    changed_ = true;
  }

  void sweep(Block& b) {
    for (Stmt* s : b)
      each_block(*s, [&](Block& inner) { sweep(inner); });
    changed_ |= std::erase_if(b, [&](const Stmt* s) { return is_needless(*s); }) > 0;
  }
  bool is_needless(const Stmt& s) const {
    if (const Assign* assign = droppable(f_, s))
      return !live_.count(assign->slot);
    if (const auto* evaluate = std::get_if<Evaluate>(&s.node))
      return is_pure(*evaluate->value);
    if (const auto* branch = std::get_if<If>(&s.node))
      return branch->yes.empty() && branch->no.empty() && is_pure(*branch->cond);
    const auto* group = std::get_if<Group>(&s.node);
    return group && group->body.empty();
  }

  Function& f_;
  std::set<int> live_;
  bool changed_ = false;
};

} // namespace

void tidy(Module& module) {
  for (auto& f : module.functions)
    Tidier(*f).run();
}

} // namespace mpijit::jit::passes
