// Small straight-line functions go where they are called, so that the bounds pass sees `u[i - 1]` where the
// kernel says `flux(u, i)`. LLVM inlines too, but only after the checks have become branches.
//
// A callee that only computes goes in as an expression, anywhere:      flux(u, f()) becomes
//     (x := f(), y := u[x - 1], u[x] - y).2            a tuple evaluates its items in order
// One that also stores or branches goes in as statements, before the one that contains the call, if whatever
// that one evaluates before the call is pure and unchanged by them.
//
// Parameters become slots, but one that is never assigned and whose argument is a slot, a constant or a small
// index computation is replaced by it. Nodes keep their spans and get the callee's frame (see Inlined).
#include "passes/passes.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>
#include <map>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

constexpr int largest_body = 40;    // expressions of a callee
constexpr int largest_argument = 8; // expressions of an argument that is repeated wherever it is used

int count_exprs(const Expr& e) {
  int n = 0;
  each_expr(e, [&](const Expr&) { ++n; });
  return n;
}
int count_exprs(const Block& b) {
  int n = 0;
  each_expr(b, [&](const Expr&) { ++n; });
  return n;
}

// ---- which callees ---------------------------------------------------------------------------------------

enum class Shape { No, Expression, Statements };

Shape worse(Shape a, Shape b) {
  if (a == Shape::No || b == Shape::No)
    return Shape::No;
  return a == Shape::Statements ? a : b;
}

Shape shape_of(const Block& b);
Shape shape_of(const Stmt& s) {
  if (std::holds_alternative<Assign>(s.node))
    return Shape::Expression;
  if (std::holds_alternative<Evaluate>(s.node) || std::holds_alternative<Store>(s.node) ||
      std::holds_alternative<StoreArray>(s.node))
    return Shape::Statements;
  if (const auto* group = std::get_if<Group>(&s.node))
    return shape_of(group->body);
  if (const auto* branch = std::get_if<If>(&s.node))
    return worse(Shape::Statements, worse(shape_of(branch->yes), shape_of(branch->no)));
  return Shape::No;
}
Shape shape_of(const Block& b) {
  Shape shape = Shape::Expression;
  for (const Stmt* s : b)
    shape = worse(shape, shape_of(*s));
  return shape;
}

const Return* final_return(const Block& b) { return b.empty() ? nullptr : std::get_if<Return>(&b.back()->node); }

/// How the callee can be inlined. Its last statement, a Return, is not part of its shape.
Shape shape_of(const Function& callee) {
  bool talks = false; // prints are statements and have no shape
  each_expr(callee.body, [&](const Expr& e) { talks |= std::holds_alternative<MpiCall>(e.node); });
  if (talks || callee.recursive || count_exprs(callee.body) > largest_body)
    return Shape::No;
  const Return* last = final_return(callee.body);
  const Block body(callee.body.begin(), callee.body.end() - (last ? 1 : 0));
  const Shape shape = shape_of(body);
  return last && last->value ? shape : worse(shape, Shape::Statements);
}

// ---- arguments -------------------------------------------------------------------------------------------

/// An index computation over slots, cheap enough to stand in several places.
bool is_repeatable(const Expr& e) {
  if (std::holds_alternative<Read>(e.node) || std::holds_alternative<Const>(e.node))
    return true;
  if (!e.type->is_weak_int() || count_exprs(e) > largest_argument || !is_pure(e))
    return false;
  bool repeatable = true;
  each_expr(e, [&](const Expr& x) {
    repeatable &= std::holds_alternative<Read>(x.node) || std::holds_alternative<Const>(x.node) ||
                  std::holds_alternative<Binary>(x.node) || std::holds_alternative<Unary>(x.node) ||
                  std::holds_alternative<Dim>(x.node) || std::holds_alternative<Stride>(x.node);
  });
  return repeatable;
}

bool reads_any(const Expr& e, const std::set<int>& slots) {
  const std::set<int> read = read_slots(e);
  return std::any_of(read.begin(), read.end(), [&](int slot) { return slots.count(slot) > 0; });
}

// ---- one call --------------------------------------------------------------------------------------------

/// The callee's body, copied for one call.
class Copy {
public:
  Copy(Function& caller, const Function& callee, const Expr& site)
      : caller_(caller), callee_(callee), site_(site), call_(std::get<Call>(site.node)) {
    open_frame();
    name_parameters();
  }

  Expr* as_expression() {
    std::vector<Expr*> items;
    for (const auto& [slot, value] : bound_)
      items.push_back(make(value->type, Bind{slot, value}));
    add_binds(body(), items);
    items.push_back(result());
    if (items.size() == 1)
      return items.front();
    std::vector<Type> types;
    for (const Expr* item : items)
      types.push_back(item->type);
    const int last = static_cast<int>(items.size()) - 1;
    return make(site_.type, Item{make(types::tuple(types), MakeTuple{std::move(items)}), last});
  }

  /// Puts the statements into `before`; what comes back is the call's value.
  Expr* as_statements(Block& before) {
    for (const auto& [slot, value] : bound_)
      before.push_back(caller_.make(site_.span, Assign{slot, value}));
    for (Stmt* s : body())
      before.push_back(s);
    return result();
  }

private:
  Expr* make(Type type, Expr::Node node) { // glue, in the caller's own frame
    Expr* e = caller_.make(type, site_.span, std::move(node));
    e->frame = site_.frame;
    return e;
  }

  void open_frame() {
    frame_ = static_cast<int32_t>(caller_.inlined.size()) + 1;
    caller_.inlined.push_back({callee_.name, callee_.file, site_.span, site_.frame});
    for (Inlined inner : callee_.inlined) {
      inner.parent += frame_;
      caller_.inlined.push_back(std::move(inner));
    }
  }

  void name_parameters() {
    const std::set<int> assigned = assigned_slots(callee_.body), bound = assigned_slots(site_);
    for (int k = 0; k < static_cast<int>(callee_.slots.size()); ++k) {
      Expr* argument = k < callee_.parameters ? call_.args[static_cast<size_t>(k)] : nullptr;
      if (argument && !assigned.count(k) && is_repeatable(*argument) && !reads_any(*argument, bound)) {
        replaced_[k] = argument;
        continue;
      }
      const Slot& slot = callee_.slots[static_cast<size_t>(k)];
      slots_[k] = caller_.add_slot(slot.name, slot.type);
      if (argument)
        bound_.emplace_back(slots_[k], argument);
    }
  }

  Block body() {
    const bool returns = final_return(callee_.body);
    Block copy = clone(caller_, Block(callee_.body.begin(), callee_.body.end() - (returns ? 1 : 0)));
    each_stmt(copy, [&](Stmt& s) { adapt(s); });
    each_expr(copy, [&](Expr*& e) { adapt(e); });
    return copy;
  }
  Expr* result() {
    const Return* last = final_return(callee_.body);
    if (!last || !last->value)
      return make(types::none(), Const{});
    Expr* value = clone(caller_, last->value);
    each_expr(value, [&](Expr*& e) { adapt(e); });
    return value;
  }

  void adapt(Stmt& s) {
    s.frame += frame_;
    if (auto* assign = std::get_if<Assign>(&s.node))
      assign->slot = slots_.at(assign->slot);
  }
  void adapt(Expr*& e) {
    e->frame += frame_;
    if (auto* bind = std::get_if<Bind>(&e->node)) {
      bind->slot = slots_.at(bind->slot);
    } else if (auto* whole = std::get_if<Elementwise>(&e->node)) {
      for (Input& input : whole->inputs)
        input.slot = slots_.at(input.slot);
      for (Let& let : whole->lets)
        let.slot = slots_.at(let.slot);
      for (int& slot : whole->index)
        slot = slots_.at(slot);
    } else if (auto* reduce = std::get_if<Reduce>(&e->node)) {
      if (reduce->count >= 0)
        reduce->count = slots_.at(reduce->count);
    } else if (auto* read = std::get_if<Read>(&e->node)) {
      const auto argument = replaced_.find(read->slot);
      if (argument != replaced_.end())
        e = clone(caller_, argument->second); // the caller's code, in the caller's frame
      else
        read->slot = slots_.at(read->slot);
    }
  }

  void add_binds(const Block& b, std::vector<Expr*>& items) {
    for (const Stmt* s : b) {
      if (const auto* group = std::get_if<Group>(&s->node)) {
        add_binds(group->body, items);
        continue;
      }
      const auto& assign = std::get<Assign>(s->node);
      Expr* bind = caller_.make(assign.value->type, s->span, Bind{assign.slot, assign.value});
      bind->frame = s->frame;
      items.push_back(bind);
    }
  }

  Function& caller_;
  const Function& callee_;
  const Expr& site_;
  const Call& call_;
  int32_t frame_ = 0;
  std::map<int, int> slots_;                 // the callee's slots in the caller
  std::map<int, const Expr*> replaced_;      // parameters whose argument stands in their place
  std::vector<std::pair<int, Expr*>> bound_; // slots of the other parameters, with their arguments
};

// ---- one function ------------------------------------------------------------------------------------------

class Inliner {
public:
  Inliner(Module& module, Function& f) : module_(module), f_(f) {}
  void run() { block(f_.body); }

private:
  Shape shape(const Expr& e) const {
    const auto* call = std::get_if<Call>(&e.node);
    if (!call)
      return Shape::No;
    const Function& callee = *module_.functions[static_cast<size_t>(call->function)];
    return &callee != &f_ && callee.boundscheck == f_.boundscheck ? shape_of(callee) : Shape::No;
  }
  Copy copy(const Expr& e) const {
    return Copy(f_, *module_.functions[static_cast<size_t>(std::get<Call>(e.node).function)], e);
  }

  void block(Block& b) {
    Block out;
    for (Stmt* s : b) {
      const bool repeats = std::holds_alternative<While>(s->node); // its condition has no "before"
      each_child(*s, [&](Expr*& e) { expressions(e); });
      if (!repeats)
        while (inline_first(*s, out)) {
        }
      each_block(*s, [&](Block& inner) { block(inner); });
      out.push_back(s);
    }
    b = std::move(out);
  }

  /// Callees that are expressions, innermost first. What a copy brings was looked at in its own function.
  void expressions(Expr*& e) {
    each_child(*e, [&](Expr*& child) { expressions(child); });
    if (shape(*e) == Shape::Expression)
      e = copy(*e).as_expression();
  }

  /// The first call that can be moved in front of s, in the order of evaluation.
  bool inline_first(Stmt& s, Block& before) {
    Order order;
    bool done = false;
    each_child(s, [&](Expr*& e) { done = done || search(e, order, before); });
    return done;
  }

  struct Order {
    bool fixed = false; // something was met that must stay ahead of the call: it acts, raises or is conditional
    bool reads = false; // elements were read, which the callee must not change
  };
  bool search(Expr*& e, Order& order, Block& before) {
    const Order ahead = order; // of e's operands, which go where e goes
    bool done = false;
    each_child(*e, [&](Expr*& child) {
      done = done || search(child, order, before);
      order.fixed |= chooses(*e); // its first operand decides whether the others are evaluated
    });
    if (!done && shape(*e) == Shape::Statements && !ahead.fixed && !(ahead.reads && stores(*e))) {
      e = copy(*e).as_statements(before);
      return true;
    }
    note(*e, order);
    return done;
  }
  static bool chooses(const Expr& e) {
    return std::holds_alternative<Choose>(e.node) || std::holds_alternative<Check>(e.node);
  }
  /// The node itself, its children having been searched.
  static void note(const Expr& e, Order& order) {
    const Effects all = effects(e);
    order.fixed |= all.raises || all.acts;
    order.reads |= all.reads;
  }
  bool stores(const Expr& call) const {
    const Function& callee = *module_.functions[static_cast<size_t>(std::get<Call>(call.node).function)];
    bool stores = false;
    each_stmt(callee.body, [&](const Stmt& s) {
      stores |= std::holds_alternative<Store>(s.node) || std::holds_alternative<StoreArray>(s.node);
    });
    each_expr(callee.body, [&](const Expr& e) { stores |= std::holds_alternative<Call>(e.node); });
    return stores;
  }

  Module& module_;
  Function& f_;
};

/// Callees first, so that what is copied has been inlined into already.
void visit(Module& module, int k, std::set<int>& seen) {
  if (!seen.insert(k).second)
    return;
  Function& f = *module.functions[static_cast<size_t>(k)];
  each_expr(f.body, [&](const Expr& e) {
    if (const auto* call = std::get_if<Call>(&e.node))
      visit(module, call->function, seen);
  });
  Inliner(module, f).run();
}

} // namespace

void inline_calls(Module& module) {
  std::set<int> seen;
  for (int k = 0; k < static_cast<int>(module.functions.size()); ++k)
    visit(module, k, seen);
}

} // namespace mpijit::jit::passes
