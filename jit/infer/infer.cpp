// Specialisations: which functions at which types, memoised, recursion included. The statements and
// expressions of one function are body.h's business.
#include "infer/infer.h"

#include "infer/body.h"
#include "ir/walk.h"

#include <algorithm>
#include <stdexcept>

namespace mpijit::jit {
namespace inference {

int Specialiser::specialise(int function, const std::vector<Type>& arguments) {
  for (size_t k = 0; k < entries.size(); ++k) {
    Entry& e = entries[k];
    if (e.function != function || e.arguments != arguments)
      continue;
    if (!e.done) {
      e.recursive = true;
      if (!e.result) {
        e.unknown_used = true;
        throw NeverReturns{};
      }
    }
    return static_cast<int>(k);
  }
  const size_t self = entries.size();
  auto& functions = out.module.functions;
  entries.emplace_back().function = function;
  entries.back().arguments = arguments;
  functions.push_back(nullptr);
  // A recursive call needs the result's type before the body gives it. The first round treats such a call
  // as a path that does not return, the next ones assume what the round before found.
  for (int round = 0; round < 8; ++round) {
    entries.resize(self + 1); // callees inferred under a wrong assumption go with it
    functions.resize(self + 1);
    entries[self].unknown_used = false;
    functions[self] = std::make_unique<ir::Function>();
    Body body(*this, program.functions[static_cast<size_t>(function)], *functions[self], entries[self]);
    try {
      body.run();
    } catch (Refusal& r) {
      if (r.diagnostic.function < 0)
        r.diagnostic.function = function;
      throw;
    }
    if (!functions[self]->result) { // every path waits for a caller's result
      entries.resize(self);
      functions.resize(self);
      throw NeverReturns{};
    }
    Entry& e = entries[self];
    Type found = functions[self]->result;
    bool stable = !e.recursive || (e.result && *e.result == found && !e.unknown_used);
    e.result = found;
    e.never_returns = body.never_returns();
    functions[self]->recursive = e.recursive;
    if (stable) {
      e.done = true;
      return static_cast<int>(self);
    }
  }
  throw std::logic_error("mpijit: the result type of a recursive function does not settle");
}

bool Specialiser::waits_for_caller(const Entry& self) const {
  for (const Entry& e : entries)
    if (!e.done && e.unknown_used && !(e.function == self.function && e.arguments == self.arguments))
      return true;
  return false;
}

namespace {

bool holds_handle(Type t) {
  return t->kind == TypeKind::Comm || t->kind == TypeKind::Operator ||
         std::any_of(t->items.begin(), t->items.end(), holds_handle);
}

// A caller communicates when a callee does; mutual recursion needs the fixed point.
void propagate_effects(ir::Module& module) {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& f : module.functions) {
      ir::each_expr(f->body, [&](ir::Expr*& e) {
        const auto* call = std::get_if<ir::Call>(&e->node);
        if (!call)
          return;
        const ir::Function& callee = *module.functions[static_cast<size_t>(call->function)];
        changed |= (callee.communicates && !f->communicates) || (callee.uses_mpi && !f->uses_mpi);
        f->communicates |= callee.communicates;
        f->uses_mpi |= callee.uses_mpi;
      });
    }
  }
}

} // namespace
} // namespace inference

Inferred infer(const Program& program, const std::vector<Type>& arguments, bool boundscheck) {
  inference::Specialiser all(program, boundscheck);
  all.specialise(0, arguments);
  if (inference::holds_handle(all.out.module.functions[0]->result))
    refuse(Diag::ReturnHandle, program.functions[0].tree->span);
  inference::propagate_effects(all.out.module);
  return std::move(all.out);
}

} // namespace mpijit::jit
