// Following the weak ints of a function forwards: what each slot is known to be, as a linear form, and what
// every index is where it is used. A form is equal to the value modulo 2^64, as arithmetic wraps; it mentions
// slots as they are at that point, and goes when one of them is assigned.
#pragma once

#include "ir/ir.h"
#include "passes/linear.h"

#include <functional>
#include <vector>

namespace mpijit::jit::passes {

/// What is known of a value: one form for a scalar, one per item for a tuple, the length of each axis for an array.
/// Empty: nothing. An array has a length of another's only when it is a view of it.
using Known = std::vector<MaybeLinear>;

class Facts {
public:
  const Known* find(int slot) const;
  void forget(const std::set<int>& slots);
  void assign(int slot, Known value);
  /// Grows whenever a slot changes: what was known before of an operand is then stale.
  int version() const { return version_; }

private:
  std::map<int, Known> slots_;
  int version_ = 0;
};

/// One index of an element access or of a view, where it is evaluated.
struct Access {
  ir::Index* index = nullptr;
  const ir::Expr* array = nullptr;
  int axis = 0;
  MaybeLinear value;
  MaybeLinear length; // of the axis, before the index was evaluated
};

/// Walks statements in the order of execution. Loops that count are the owner's business, and so is what an
/// expression is that has no linear form.
class Follower {
public:
  explicit Follower(Facts facts) : facts(std::move(facts)) {}

  Facts facts;
  std::function<void(const Access&)> on_access = [](const Access&) {};
  std::function<void(ir::Stmt*&, ir::For&)> on_loop; // replaces the walk of the loop, bounds included
  std::function<MaybeLinear(ir::Expr*)> on_unknown = [](ir::Expr*) { return MaybeLinear(); };
  /// What a remainder and a comparison of two weak ints are, given what their operands are; nothing: ask on_unknown,
  /// both branches are possible.
  std::function<MaybeLinear(ir::Expr*, const MaybeLinear&, const MaybeLinear&)> on_remainder =
      [](ir::Expr*, const MaybeLinear&, const MaybeLinear&) { return MaybeLinear(); };
  std::function<std::optional<bool>(ir::Expr*, const MaybeLinear&, const MaybeLinear&)> on_compare =
      [](ir::Expr*, const MaybeLinear&, const MaybeLinear&) { return std::optional<bool>(); };
  /// Around what runs only if cond is `holds`.
  std::function<void(const ir::Expr* cond, bool holds)> on_branch = [](const ir::Expr*, bool) {};
  std::function<void()> on_branch_end = [] {};

  void block(ir::Block& b);
  MaybeLinear scalar(ir::Expr* e); // evaluates e

private:
  void statement(ir::Stmt*& s);
  Known value(ir::Expr* e);
  Known node(ir::Expr* e);
  Known binary(ir::Expr* e, ir::Binary& n);
  std::optional<bool> condition(ir::Expr* e);
  std::optional<bool> compare(ir::Expr* e, ir::Compare& n);
  void branch(ir::If& n);
  int after(const ir::Stmt& s);
  Known choose(ir::Choose& n);
  void arms(ir::Choose& n, const std::function<void(ir::Expr*)>& walk);
  Known tuple(ir::MakeTuple& n);
  Known array(Type type, int slot) const;
  Known view(ir::View& n);
  Known permuted(ir::Permute& n);
  void operands(ir::Expr* e);
  void access(ir::Expr* array, std::vector<ir::Index>& index);
  void look(ir::Index& index, const ir::Expr* array, int axis, const Known& shape);
};

/// Those of a loop's body that follow from nothing but the loop having begun: for walking the body alone.
Facts at_body(Facts before, const ir::Stmt& loop);

} // namespace mpijit::jit::passes
