// The verifier walks, and checks what concerns statements (rules 12 to 16 and 19); its other parts are in
// verify_operands.cpp, verify_expressions.cpp and verify_owners.cpp. A node whose operands are missing (rule
// 1) is not looked at further; its operands still are.
#include "ir/verify.h"

#include "ir/effects.h"
#include "ir/verify_rules.h"
#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit::ir {
namespace {

class StatementRules {
public:
  explicit StatementRules(Report& report) : r_(report) {}

  /// What a Break or Continue here would find around it, innermost last: true for a loop, false for a Once.
  using Around = std::vector<bool>;
  void block(const Block& b, const Around& around) {
    for (const Stmt* s : b) {
      if (!s) {
        r_.fail(1, "a block has an empty statement");
        continue;
      }
      each_child(*s, [&](const Expr& e) { expression(e); });
      r_.at(s->span);
      if (operands_exist(r_, *s))
        statement(*s, around);
      inner_blocks(*s, around);
    }
  }

private:
  void inner_blocks(const Stmt& s, const Around& around) {
    auto inside = [&](bool loop) {
      Around more = around;
      more.push_back(loop);
      return more;
    };
    if (const auto* loop = std::get_if<For>(&s.node)) {
      block(loop->body, inside(true));
      block(loop->orelse, around);
    } else if (const auto* loop = std::get_if<While>(&s.node)) {
      block(loop->body, inside(true));
      block(loop->orelse, around);
    } else if (const auto* once = std::get_if<Once>(&s.node)) {
      block(once->body, inside(false));
    } else {
      each_block(s, [&](const Block& b) { block(b, around); });
    }
  }
  void expression(const Expr& e) {
    each_child(e, [&](const Expr& child) { expression(child); });
    r_.at(e.span);
    if (operands_exist(r_, e))
      check_expression(r_, e);
  }

  static bool exists(const Around& around, int outer) {
    return outer >= 0 && static_cast<size_t>(outer) < around.size();
  }

  void statement(const Stmt& s, const Around& around) {
    match(
        s.node, [&](const Assign& n) { assign(n); }, [&](const Store& n) { check_access(r_, n); },
        [&](const StoreArray& n) { check_store(r_, n); }, [](const Evaluate&) {},
        [&](const If& n) { condition("If", n.cond); }, [&](const For& n) { counted_loop(n); },
        [&](const While& n) { condition("While", n.cond); }, [](const Once&) {},
        [&](const Break& n) { r_.require(exists(around, n.outer), 14, "a Break stands outside of a loop"); },
        [&](const Continue& n) {
          r_.require(exists(around, n.outer) && around[around.size() - 1 - static_cast<size_t>(n.outer)], 14,
                     "a Continue stands outside of a loop");
        },
        [&](const Return& n) { returns(n); }, [&](const Raise& n) { check_error_code(r_, "Raise", 16, n.code); },
        [](const Print&) {}, [](const Release&) {}, [](const Group&) {}, [&](const Nest& n) { nest(n); });
  }

  void assign(const Assign& n) {
    r_.require(n.value->type == r_.slot(n.slot).type, 12,
               "an Assign puts " + of(n.value) + " into " + r_.slot(n.slot).name + ": " +
                   to_string(r_.slot(n.slot).type));
  }
  void condition(const char* what, const Expr* cond) {
    r_.require(cond->type->is_bool(), 13, std::string("the condition of a ") + what + " has type " + of(cond));
  }
  void counted_loop(const For& n) {
    auto is_weak_int = [](const Expr* e) { return e->type->is_weak_int(); };
    const Slot& s = r_.slot(n.slot);
    r_.require(s.type->is_weak_int() && is_weak_int(n.start) && is_weak_int(n.stop) && is_weak_int(n.step), 13,
               "a For over " + s.name + ": " + to_string(s.type) + " counts from " + of(n.start) + " to " + of(n.stop) +
                   " by " + of(n.step));
  }
  void returns(const Return& n) {
    const Type type = n.value ? n.value->type : types::none();
    r_.require(type == r_.function.result, 15,
               "a Return gives " + to_string(type) + " for " + to_string(r_.function.result));
  }

  void nest(const Nest& n) {
    std::set<int> assigned = assigned_slots(n.fast);
    assigned.merge(assigned_slots(n.cold));
    for (const RangeTest& t : n.ranges) {
      r_.require(t.low->type->is_weak_int() && t.high->type->is_weak_int(), 19,
                 "a Nest tests a range from " + of(t.low) + " to " + of(t.high));
      if (!t.array) {
        r_.require(t.size > 0, 19, "a Nest tests a number that may never be");
        continue;
      }
      const auto* read = std::get_if<Read>(&t.array->node);
      if (!read || !t.array->type->is_array() || assigned.count(read->slot)) {
        r_.fail(19, "a Nest tests an array that is no slot, or one that it assigns");
        continue;
      }
      r_.require(t.axis >= 0 && t.axis < t.array->type->ndim, 19,
                 "a Nest tests axis " + std::to_string(t.axis) + " of " + of(t.array));
    }
    for (const Disjoint& d : n.apart)
      for (int k : {d.a, d.b})
        r_.require(r_.slot(k).type->is_array() && !assigned.count(k), 19,
                   "a Nest keeps " + r_.slot(k).name + " apart, which is no array, or which it assigns");
  }

  Report& r_;
};

bool is_well_formed(Report& r) {
  const Function& f = r.function;
  const bool typed = f.result && std::all_of(f.slots.begin(), f.slots.end(), [](const Slot& s) { return s.type; });
  const bool has_parameters = f.parameters >= 0 && static_cast<size_t>(f.parameters) <= f.slots.size();
  r.require(typed, 1, "the result or a slot has no type");
  r.require(has_parameters, 1, "there are fewer slots than parameters");
  return typed && has_parameters;
}

} // namespace

std::vector<std::string> verify(const Module& module, Stage stage) {
  std::vector<std::string> sentences;
  for (const auto& f : module.functions) {
    Report report(module, *f, sentences);
    const size_t before = sentences.size();
    if (is_well_formed(report))
      StatementRules(report).block(f->body, {});
    if (stage == Stage::Owned && sentences.size() == before) // owners of broken code say nothing
      check_owners(report, f->body);
  }
  return sentences;
}

} // namespace mpijit::jit::ir
