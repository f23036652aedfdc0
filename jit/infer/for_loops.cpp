// The `for` statement: counted loops, or one turn after the other where a tuple is run over, and the binding of
// targets. What is run over is iterables.cpp's. See body.h.
#include "infer/iterables.h"

#include <algorithm>
#include <utility>

namespace mpijit::jit::inference {
namespace {

// Does a body leave or go on with the loop it is the body of? Loops inside have their own.
bool jumps(const Node& n, NodeKind kind) {
  if (n.kind == kind)
    return true;
  if (n.kind == NodeKind::For || n.kind == NodeKind::While)
    return jumps(*n.kids.back(), kind); // its else belongs to the loop outside
  return std::any_of(n.kids.begin(), n.kids.end(), [&](const Node* kid) { return jumps(*kid, kind); });
}

bool binds_only_names(const Node& target) {
  if (target.kind == NodeKind::Name)
    return true;
  return (target.kind == NodeKind::Tuple || target.kind == NodeKind::List) &&
         std::all_of(target[0].kids.begin(), target[0].kids.end(), [](const Node* n) { return binds_only_names(*n); });
}

void each_value(Part& part, const std::function<void(Operand&)>& f) {
  if (!part.is_tuple)
    f(part.value);
  for (Part& p : part.parts)
    each_value(p, f);
}

} // namespace

void Body::for_statement(const Node& s) {
  const Iterable over = iterable(s[1], assigned_names(s));
  if (over.count)
    unroll_loop(s, over);
  else
    count_loop(s, over);
}

void Body::count_loop(const Node& s, const Iterable& over) {
  // Over a range the counter is the variable itself; else it is hidden, since the targets are assigned in the body
  // only.
  const bool plain = !over.item && s[0].kind == NodeKind::Name;
  ir::Block* outside = block_;
  std::vector<int> slots;
  ir::Stmt* whole = nullptr;
  ir::Block* into = block_;
  for (const Iterable::Counter& c : over.counters) {
    slots.push_back(plain ? slots_.variable(s[0].text, types::weak_int()) : slots_.temporary(types::weak_int()));
    ir::Stmt* stmt = out_.make(s.span, ir::For{slots.back(), c.start, c.stop, c.step, {}, {}, false});
    into->push_back(stmt);
    into = &std::get<ir::For>(stmt->node).body;
    whole = whole ? whole : stmt;
  }
  auto body = [&] {
    std::vector<Operand> at;
    for (int slot : slots)
      at.push_back({read(slot, s[0].span), {}});
    if (plain) {
      Binding b;
      b.type = types::weak_int();
      b.slot = slots[0];
      b.span = s[0].span;
      env_.names[s[0].text] = b;
    } else {
      bind_part(s[0], over.item ? over.item(at) : Part{at[0]}, s[0].span);
    }
    statements(s[2], *into);
  };
  loop(*into, body, static_cast<int>(slots.size()) - 1);
  std::vector<Edge> breaks = std::move(loops_.back().breaks);
  loops_.pop_back();
  if (over.finish) {
    block_ = &std::get<ir::For>(whole->node).orelse;
    over.finish();
    block_ = outside;
  }
  finish_loop(whole, s[3], std::move(env_), std::move(breaks));
}

//   once                 left by break
//     once               left when there are no more items
//       once             a turn, left by continue
//     else
void Body::unroll_loop(const Node& s, const Iterable& over) {
  ir::Block* outside = block_;
  const int around = depth_;
  auto once = [&](ir::Block* into) {
    ++depth_;
    into->push_back(out_.make(s.span, ir::Once{}));
    return &std::get<ir::Once>(into->back()->node).body;
  };
  const bool continues = jumps(s[2], NodeKind::Continue), breaks = jumps(s[2], NodeKind::Break);
  ir::Block* whole = breaks ? once(outside) : outside;
  ir::Block* turns = over.more ? once(whole) : whole;
  loops_.emplace_back();
  loops_.back().break_depth = around + 1;
  loops_.back().continue_depth = depth_ + 1;
  loops_.back().unrolled = true;
  std::vector<Edge> exhausted;
  for (int64_t k = 0; k < *over.count && env_.live; ++k) {
    block_ = turns;
    if (over.more) {
      ir::Stmt* branch = out_.make(s.span, ir::If{over.more(k), {}, {}});
      ir::Stmt* moves = out_.make(s.span, ir::Group{});
      std::get<ir::If>(branch->node).no = {moves, out_.make(s.span, ir::Break{})};
      turns->push_back(branch);
      exhausted.push_back({env_, &std::get<ir::Group>(moves->node).body});
    }
    ir::Block* turn = continues ? once(turns) : turns;
    block_ = turn;
    bind_part(s[0], over.item({constant({k, {}}, s[0].span)}), s[0].span);
    statements(s[2], *turn);
    depth_ -= continues;
    std::vector<Edge> edges = std::exchange(loops_.back().continues, {});
    edges.push_back({std::move(env_), turn});
    env_ = join(slots_, edges);
    move(out_, edges, env_);
  }
  std::vector<Edge> left = std::move(loops_.back().breaks);
  loops_.pop_back();
  exhausted.push_back({std::move(env_), turns});
  env_ = join(slots_, exhausted);
  move(out_, exhausted, env_);
  depth_ = around + breaks;
  if (env_.live && over.finish) {
    block_ = whole;
    over.finish();
  }
  if (env_.live)
    statements(s[3], *whole);
  depth_ = around;
  left.push_back({std::move(env_), whole});
  env_ = join(slots_, left);
  move(out_, left, env_);
  block_ = outside;
}

void Body::bind_part(const Node& target, const Part& given, Span span) {
  Part part = given;
  if (!binds_only_names(target)) // a store may change what the items behind it are read from
    each_value(part, [&](Operand& o) {
      if (o.expr)
        o.expr = keep(o.expr);
    });
  const bool takes_parts = target.kind == NodeKind::Tuple || target.kind == NodeKind::List;
  if (part.is_tuple && takes_parts) {
    const auto& targets = target[0].kids;
    for (const Node* n : targets)
      if (n->kind == NodeKind::Starred)
        refuse(Diag::Unsupported, n->span, {"a starred target"});
    if (targets.size() != part.parts.size())
      refuse(Diag::UnpackCount, span, {std::to_string(targets.size()), std::to_string(part.parts.size())});
    for (size_t k = 0; k < targets.size(); ++k)
      bind_part(*targets[k], part.parts[k], targets[k]->span);
    return;
  }
  const Operand o = whole(part, span);
  assign(target, o, false, span);
  if (target.kind != NodeKind::Name)
    return;
  if (Binding& b = env_.names[target.text]; b.type && !b.type->is_fixed())
    b.constant = o.constant; // what an unrolled turn knows
}

Operand Body::whole(const Part& part, Span span) {
  if (!part.is_tuple)
    return part.value;
  std::vector<Operand> items;
  for (const Part& p : part.parts)
    items.push_back(whole(p, span));
  return tuple_of(items, span);
}

} // namespace mpijit::jit::inference
