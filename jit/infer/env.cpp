// Joining environments; see env.h.
#include "infer/env.h"

#include "ir/effects.h"
#include "types/promote.h"

#include <set>

namespace mpijit::jit::inference {
namespace {

std::string describe(const Binding& b) { return b.type ? to_string(b.type) : "a compile-time value"; }

// What a name is where edges meet that all bind it (bound) or only some of them do.
Binding join_bindings(Slots& slots, const std::string& name, const std::vector<const Binding*>& bound,
                      bool everywhere) {
  Binding out = *bound.front();
  bool flagged = !everywhere;
  for (const Binding* b : bound) {
    flagged |= b->flag >= 0;
    if (!out.conflict.empty())
      continue;
    if (!b->conflict.empty()) {
      out = *b;
      continue;
    }
    if (b->type == out.type && b->constant == out.constant)
      continue;
    std::optional<Type> joined = b->type && out.type ? jit::join(out.type, b->type) : std::nullopt;
    if (!joined) {
      out.conflict = describe(*b);
      out.conflict_span = b->span;
    } else {
      out.type = *joined;
      out.constant.reset();
    }
  }
  bool stored = out.type && out.conflict.empty();
  out.slot = stored ? slots.variable(name, out.type) : -1;
  out.flag = stored && flagged ? slots.flag(name) : -1;
  if (!stored && out.conflict.empty() && flagged) { // a function bound on some ways only
    out.conflict = "nothing";
    out.conflict_span = out.span;
  }
  return out;
}

} // namespace

bool Env::same(const Env& o) const {
  if (live != o.live || names.size() != o.names.size())
    return false;
  auto a = names.begin();
  for (auto b = o.names.begin(); b != o.names.end(); ++a, ++b)
    if (a->first != b->first || !a->second.same(b->second))
      return false;
  return true;
}

int Slots::variable(const std::string& name, Type type) {
  auto [at, fresh] = variables_.try_emplace({name, type}, -1);
  if (fresh)
    at->second = function_.add_slot(name, type);
  return at->second;
}

int Slots::flag(const std::string& name) { return variable("$bound." + name, types::weak_bool()); }

int Slots::temporary(Type type) { return function_.add_slot("$t" + std::to_string(++temporaries_), type); }

Env join(Slots& slots, const std::vector<Edge>& edges) {
  std::vector<const Env*> live;
  std::set<std::string> names;
  for (const Edge& e : edges)
    if (e.env.live) {
      live.push_back(&e.env);
      for (const auto& [name, binding] : e.env.names)
        names.insert(name);
    }
  if (live.size() == 1)
    return *live.front();
  Env out;
  out.live = !live.empty();
  for (const std::string& name : names) {
    std::vector<const Binding*> bound;
    for (const Env* env : live)
      if (auto at = env->names.find(name); at != env->names.end())
        bound.push_back(&at->second);
    out.names.emplace(name, join_bindings(slots, name, bound, bound.size() == live.size()));
  }
  return out;
}

void move(ir::Function& f, const std::vector<Edge>& edges, const Env& to) {
  auto truth = [&](bool b) { return f.make(types::weak_bool(), {}, ir::Const{b, 0}); };
  for (const Edge& e : edges) {
    if (!e.env.live)
      continue;
    for (const auto& [name, target] : to.names) {
      if (target.slot < 0)
        continue;
      auto from = e.env.names.find(name);
      bool bound = from != e.env.names.end();
      if (bound && from->second.slot != target.slot) {
        ir::Expr* read = f.make(from->second.type, target.span, ir::Read{from->second.slot});
        e.moves->push_back(f.make(target.span, ir::Assign{target.slot, convert(f, read, target.type)}));
      }
      if (target.flag >= 0 && !(bound && from->second.flag >= 0))
        e.moves->push_back(f.make(target.span, ir::Assign{target.flag, truth(bound)}));
    }
  }
}

ir::Expr* convert(ir::Function& f, ir::Expr* x, Type to) {
  if (x->type == to)
    return x;
  if (to->kind == TypeKind::String) { // of a literal; what computes it comes first
    ir::Expr* text = f.make(to, x->span, ir::Text{x->type->text});
    if (ir::is_pure(*x))
      return text;
    ir::Expr* pair = f.make(types::tuple({x->type, to}), x->span, ir::MakeTuple{{x, text}});
    return f.make(to, x->span, ir::Item{pair, 1});
  }
  if (to->is_array())
    return f.make(to, x->span, ir::Cast{ir::CastKind::Relayout, x});
  if (!to->has_items())
    return f.make(to, x->span, ir::Cast{ir::CastKind::Convert, x});
  // A tuple, item by item. What is not already a name gets one, so that it is evaluated once.
  int slot = -1;
  ir::Expr* first = x;
  if (const auto* read = std::get_if<ir::Read>(&x->node)) {
    slot = read->slot;
  } else {
    slot = f.add_slot("$c" + std::to_string(f.slots.size()), x->type);
    first = f.make(x->type, x->span, ir::Bind{slot, x});
  }
  ir::MakeTuple out;
  for (size_t k = 0; k < to->items.size(); ++k) {
    ir::Expr* tuple = k == 0 ? first : f.make(x->type, x->span, ir::Read{slot});
    ir::Expr* item = f.make(x->type->items[k], x->span, ir::Item{tuple, static_cast<int>(k)});
    out.items.push_back(convert(f, item, to->items[k]));
  }
  return f.make(to, x->span, std::move(out));
}

} // namespace mpijit::jit::inference
