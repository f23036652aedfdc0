// Loops that count by hand: `while i < n: ...; i += 1` is a For, which bounds can test and LLVM vectorise, if the
// body changes i in its last statement alone, n not at all, and never goes on early.
#include "passes/passes.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

bool reads(const Expr& e, int slot) {
  const auto* read = std::get_if<Read>(&e.node);
  return read && read->slot == slot;
}

/// By how much the statement moves a number on; 0: it does something else. By more than one, the number could pass
/// the end of 64 bits.
int step_of(const Stmt& s) {
  const auto* assign = std::get_if<Assign>(&s.node);
  const auto* sum = assign ? std::get_if<Binary>(&assign->value->node) : nullptr;
  const auto* by = sum ? std::get_if<Const>(&sum->b->node) : nullptr;
  if (!by || !assign->value->type->is_weak_int() || !sum->b->type->is_weak_int() || !reads(*sum->a, assign->slot) ||
      (by->i != 1 && by->i != -1))
    return 0;
  const int step = static_cast<int>(by->i);
  return sum->op == BinaryOp::Add ? step : sum->op == BinaryOp::Sub ? -step : 0;
}

/// What stops the loop while it counts this slot in that direction; null: something else does.
Expr* end_of(const While& loop, int slot, int step) {
  const auto* cond = std::get_if<Compare>(&loop.cond->node);
  if (!cond || (cond->op != CompareOp::Lt && cond->op != CompareOp::Gt))
    return nullptr;
  const bool less = cond->op == CompareOp::Lt;
  Expr* end = reads(*cond->a, slot) && less == (step > 0)   ? cond->b
              : reads(*cond->b, slot) && less == (step < 0) ? cond->a
                                                            : nullptr;
  return end && end->type->is_weak_int() ? end : nullptr;
}

bool is_same(const Expr& e, const std::set<int>& changed) {
  const Effects does = effects(e);
  const std::set<int> slots = read_slots(e);
  return !does.raises && !does.acts && !does.reads &&
         std::none_of(slots.begin(), slots.end(), [&](int slot) { return changed.count(slot) > 0; });
}

void count(Function& f, Stmt& s) {
  auto& loop = std::get<While>(s.node);
  const int step = loop.body.size() < 2 ? 0 : step_of(*loop.body.back());
  if (step == 0)
    return;
  Stmt* last = loop.body.back();
  const int slot = std::get<Assign>(last->node).slot;
  Expr* end = end_of(loop, slot, step);
  Block rest(loop.body.begin(), loop.body.end() - 1);
  if (!end || assigned_slots(rest).count(slot) || !is_same(*end, assigned_slots(loop.body)) || jumps<Continue>(rest))
    return;
  auto integer = [&](Expr::Node node) {
    Expr* e = f.make(types::weak_int(), s.span, std::move(node));
    e->frame = s.frame;
    return e;
  };
  // Having come to its end, a For leaves the last number that it had; having had none, the one from before.
  Stmt* moves_on = f.make(last->span, If{loop.cond, {last}, {}});
  moves_on->frame = last->frame;
  Block orelse{moves_on};
  orelse.insert(orelse.end(), loop.orelse.begin(), loop.orelse.end());
  s.node = For{slot, integer(Read{slot}), clone(f, end), integer(Const{step, 0}), std::move(rest), std::move(orelse)};
}

} // namespace

void count_loops(Module& module) {
  for (auto& f : module.functions)
    each_stmt(f->body, [&](Stmt& s) {
      if (std::holds_alternative<While>(s.node))
        count(*f, s);
    });
}

} // namespace mpijit::jit::passes
