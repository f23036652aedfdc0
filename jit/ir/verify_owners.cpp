// Rule 17: fresh arrays have owners. A value flows whole through casts, checks, choices and tuples; whatever
// else takes an array only looks at it. So a fresh array must stand, through those, under an Assign or Bind
// to an owning slot or under a Return.
#include "ir/effects.h"
#include "ir/verify_rules.h"
#include "ir/walk.h"

namespace mpijit::jit::ir {
namespace {

class OwnerRules {
public:
  explicit OwnerRules(Report& report) : r_(report) {}

  void statement(const Stmt& s) {
    r_.at(s.span);
    if (const auto* assign = std::get_if<Assign>(&s.node))
      into_slot(*assign->value, assign->slot);
    else
      each_child(s, [&](const Expr& e) { flow(e, std::holds_alternative<Return>(s.node) || takes_apart(s, &e)); });
  }

private:
  void into_slot(const Expr& value, int slot) {
    const bool owning = r_.slot(slot).owning;
    flow(value, owning);
    if (!owning && !carries_fresh(value))
      r_.require(is_borrowed(r_.function, value), 17,
                 "the borrowing slot " + r_.slot(slot).name + " gets an array of an owning one");
  }

  void flow(const Expr& e, bool owned) {
    r_.require(owned || !is_fresh(e), 17, "a fresh " + of(&e) + " has no owner");
    if (const auto* bind = std::get_if<Bind>(&e.node))
      return into_slot(*bind->value, bind->slot);
    each_child(e, [&](const Expr& child) { flow(child, takes_apart(e) || (owned && passes_on(e))); });
  }

  /// Has flow() said so already?
  static bool carries_fresh(const Expr& e) {
    bool fresh = is_fresh(e);
    if (passes_on(e))
      each_child(e, [&](const Expr& child) { fresh |= carries_fresh(child); });
    return fresh;
  }

  Report& r_;
};

} // namespace

void check_owners(Report& r, const Block& b) {
  each_stmt(b, [&](const Stmt& s) { OwnerRules(r).statement(s); });
}

} // namespace mpijit::jit::ir
