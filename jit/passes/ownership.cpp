// Who keeps an array alive. A slot owns when it may come to hold an array that nobody else is bound to keep:
// a fresh one, or one out of another owning slot (which may be rebound first). All other slots borrow from the
// caller of the function and are never counted.
//
// A fresh array goes into an owning slot or to the caller; where an expression makes one just to look at it
// (`np.zeros(3)[0]`, an argument), it gets a temporary slot by a Bind, released when the statement is done.
#include "passes/passes.h"

#include "ir/effects.h"
#include "ir/walk.h"

namespace mpijit::jit::passes {
namespace {

using namespace ir;

class Owners {
public:
  explicit Owners(Function& f) : f_(f) {}

  void run() {
    find_owning_slots();
    settle(f_.body);
  }

private:
  Slot& slot(int k) { return f_.slots[static_cast<size_t>(k)]; }

  // ---- which slots own -------------------------------------------------------------------------------

  void find_owning_slots() {
    bool changed = true;
    auto meet = [&](int k, const Expr& value) {
      if (holds_array(slot(k).type) && !slot(k).owning && !is_borrowed(f_, value))
        slot(k).owning = changed = true;
    };
    while (changed) {
      changed = false;
      each_stmt(f_.body, [&](Stmt& s) {
        if (const auto* assign = std::get_if<Assign>(&s.node))
          meet(assign->slot, *assign->value);
      });
      each_expr(f_.body, [&](Expr*& e) {
        if (const auto* bind = std::get_if<Bind>(&e->node))
          meet(bind->slot, *bind->value);
      });
    }
  }

  // ---- naming what has no owner ------------------------------------------------------------------------

  /// owned: does whoever takes e's value become its owner?
  void settle(Expr*& e, bool owned) {
    const auto* bind = std::get_if<Bind>(&e->node);
    const bool inner = bind ? slot(bind->slot).owning : takes_apart(*e) || (owned && passes_on(*e));
    each_child(*e, [&](Expr*& child) { settle(child, inner); });
    if (!owned && is_fresh(*e)) {
      const int temporary = f_.add_slot("$own" + std::to_string(f_.slots.size()), e->type);
      slot(temporary).owning = true;
      temporaries_.push_back(temporary);
      Expr* named = f_.make(e->type, e->span, Bind{temporary, e});
      named->frame = e->frame;
      e = named;
    }
  }

  void settle(Block& b) {
    Block out;
    for (Stmt* s : b) {
      temporaries_.clear();
      const auto* assign = std::get_if<Assign>(&s->node);
      const bool owned = assign ? slot(assign->slot).owning : std::holds_alternative<Return>(s->node);
      each_child(*s, [&](Expr*& e) { settle(e, owned || takes_apart(*s, e)); });
      const std::vector<int> temporaries = std::move(temporaries_);
      each_block(*s, [&](Block& inner) { settle(inner); });
      out.push_back(s);
      place_releases(*s, temporaries, out);
    }
    b = std::move(out);
  }

  /// After a simple statement; where a condition made the array, at the start of either way on. The bounds of
  /// a For are done with when the loop is. A Return needs none: leaving the function releases every slot.
  void place_releases(Stmt& s, const std::vector<int>& temporaries, Block& after) {
    if (temporaries.empty())
      return;
    if (auto* branch = std::get_if<If>(&s.node)) {
      release(s, temporaries, branch->yes, branch->yes.begin());
      release(s, temporaries, branch->no, branch->no.begin());
    } else if (auto* loop = std::get_if<While>(&s.node)) {
      release(s, temporaries, loop->body, loop->body.begin());
      release(s, temporaries, loop->orelse, loop->orelse.begin());
    } else if (!std::holds_alternative<Return>(s.node)) {
      release(s, temporaries, after, after.end());
    }
  }
  void release(const Stmt& cause, const std::vector<int>& temporaries, Block& into, Block::iterator where) {
    Block releases;
    for (int k : temporaries)
      releases.push_back(f_.make(cause.span, Release{k}));
    into.insert(where, releases.begin(), releases.end());
  }

  Function& f_;
  std::vector<int> temporaries_; // made for the current statement's own expressions
};

} // namespace

void ownership(Module& module) {
  for (auto& f : module.functions)
    Owners(*f).run();
}

} // namespace mpijit::jit::passes
