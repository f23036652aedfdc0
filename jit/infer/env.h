// What the names of a function are bound to at one point of it, and how that joins where control flow meets.
//
// A variable has one slot per type it ever has. Where two ways meet, the binding is that of the joined type;
// each incoming edge gets the moves (casts between slots of the same variable) that bring it there. A name
// bound on some edges only carries a flag slot, set on the edges, and reading it checks the flag.
#pragma once

#include "diag/span.h"
#include "ir/ir.h"
#include "syntax/ast.h"
#include "types/type.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpijit::jit::inference {

struct Binding {
  Type type = nullptr; // null: a compile-time thing (a function, a dtype), see constant
  int slot = -1;
  int flag = -1; // bool slot: is it bound? -1: certainly
  std::optional<Constant> constant;
  Span span; // where it was assigned
  // Ways met that do not join: reading the name is an error that shows both places.
  std::string conflict; // text of the other type; empty: none
  Span conflict_span;

  bool same(const Binding& o) const {
    return type == o.type && slot == o.slot && flag == o.flag && constant == o.constant &&
           conflict.empty() == o.conflict.empty();
  }
};

struct Env {
  bool live = true; // can control get here?
  std::map<std::string, Binding, std::less<>> names;

  bool same(const Env& o) const;
};

/// One way control reaches a point: the names there, and the block whose end takes the moves.
struct Edge {
  Env env;
  ir::Block* moves;
};

/// The slots of one function's variables.
class Slots {
public:
  explicit Slots(ir::Function& function) : function_(function) {}
  int variable(const std::string& name, Type type); // the one slot of (name, type)
  int flag(const std::string& name);
  int temporary(Type type);

private:
  ir::Function& function_;
  std::map<std::pair<std::string, Type>, int> variables_;
  int temporaries_ = 0;
};

/// The environment where these edges meet. Dead edges do not count; no live edge gives a dead environment.
Env join(Slots& slots, const std::vector<Edge>& edges);
/// Appends to each edge's block what brings its names to the joined environment.
void move(ir::Function& function, const std::vector<Edge>& edges, const Env& to);

/// x as a value of type `to`, which it joined to.
ir::Expr* convert(ir::Function& function, ir::Expr* x, Type to);

} // namespace mpijit::jit::inference
