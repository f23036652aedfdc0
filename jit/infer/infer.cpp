// Specialisations: which functions at which types, memoised, recursion included. The statements and
// expressions of one function are body.h's business.
#include "infer/infer.h"

#include "infer/body.h"
#include "ir/walk.h"
#include "syntax/read.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace mpijit::jit {
namespace inference {

std::vector<Type> captured_arrays(const Program& program) {
  std::vector<Type> out;
  std::function<void(const Constant&)> visit = [&](const Constant& c) {
    if (const auto* a = std::get_if<CapturedArray>(&c.value)) {
      std::optional<Type> t = parse_type(a->type);
      if (!t || !(*t)->is_array())
        throw std::invalid_argument("mpijit: \"" + a->type + "\" is not an array's type");
      out.resize(std::max(out.size(), static_cast<size_t>(a->index) + 1));
      out[static_cast<size_t>(a->index)] = *t;
    } else if (const auto* items = std::get_if<ConstantTuple>(&c.value)) {
      for (const Constant& item : *items)
        visit(item);
    }
  };
  for (const Function& f : program.functions) {
    for (const auto& [name, value] : f.captures)
      visit(value);
    for (const Constant& value : f.defaults)
      visit(value);
  }
  if (std::find(out.begin(), out.end(), nullptr) != out.end())
    throw std::invalid_argument("mpijit: the captured arrays are not numbered in a row");
  return out;
}

const Function& Specialiser::function(int index) const {
  const size_t k = static_cast<size_t>(index), n = program.functions.size();
  return k < n ? program.functions[k] : lambdas_[k - n].function;
}

int Specialiser::home(int function) const {
  const size_t k = static_cast<size_t>(function), n = program.functions.size();
  return k < n ? function : static_cast<int>(lambdas_[k - n].parent - program.functions.data());
}

int Specialiser::lambda(const Function& parent, const Node& tree,
                        std::map<std::string, Constant, std::less<>> captures) {
  const int first = static_cast<int>(program.functions.size());
  for (size_t k = 0; k < lambdas_.size(); ++k)
    if (lambdas_[k].function.tree == &tree && lambdas_[k].function.captures == captures)
      return first + static_cast<int>(k);
  auto above = std::find_if(lambdas_.begin(), lambdas_.end(), [&](const Lambda& l) { return &l.function == &parent; });
  Function f = parent;
  f.name += ".<locals>.<lambda>";
  f.tree = const_cast<Node*>(&tree);
  f.captures = std::move(captures);
  f.defaults.clear();
  lambdas_.push_back({std::move(f), above == lambdas_.end() ? &parent : above->parent});
  return first + static_cast<int>(lambdas_.size()) - 1;
}

std::string Specialiser::readable(std::string message) const {
  size_t at = 0;
  while ((at = message.find('<', at)) != message.npos) {
    const size_t end = message.find('>', at);
    if (end == message.npos)
      break;
    const std::string inside = message.substr(at + 1, end - at - 1);
    std::string name;
    if (inside.starts_with("kernel "))
      name = "the function " + function(std::stoi(inside.substr(7))).name;
    else if (inside.starts_with("function \"") || inside.starts_with("dtype \""))
      name = inside.substr(inside.find('"') + 1, inside.size() - inside.find('"') - 2);
    if (name.empty())
      ++at;
    else
      message.replace(at, end + 1 - at, name);
  }
  return message;
}

std::vector<int> Specialiser::arrays_of(int index, const std::vector<Type>& arguments) const {
  std::set<int> arrays, seen;
  std::function<void(int)> reach;
  std::function<void(const Constant&)> visit = [&](const Constant& c) {
    if (const auto* a = std::get_if<CapturedArray>(&c.value))
      arrays.insert(a->index);
    else if (const auto* k = std::get_if<KernelIndex>(&c.value))
      reach(k->index);
    else if (const auto* items = std::get_if<ConstantTuple>(&c.value))
      for (const Constant& item : *items)
        visit(item);
  };
  reach = [&](int f) {
    if (!seen.insert(f).second)
      return;
    for (const auto& [name, value] : function(f).captures)
      visit(value);
    for (const Constant& value : function(f).defaults)
      visit(value);
  };
  std::function<void(Type)> given = [&](Type t) {
    if (t->kind == TypeKind::Static)
      visit(read_constant(t->text));
    for (Type item : t->items)
      given(item);
  };
  reach(index);
  for (Type t : arguments)
    given(t);
  return {arrays.begin(), arrays.end()};
}

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
  entries.back().arrays = arrays_of(function, arguments);
  functions.push_back(nullptr);
  // A recursive call needs the result's type before the body gives it. The first round treats such a call
  // as a path that does not return, the next ones assume what the round before found.
  for (int round = 0; round < 8; ++round) {
    entries.resize(self + 1); // callees inferred under a wrong assumption go with it
    functions.resize(self + 1);
    entries[self].unknown_used = false;
    functions[self] = std::make_unique<ir::Function>();
    Body body(*this, this->function(function), *functions[self], entries[self]);
    try {
      body.run();
    } catch (Refusal& r) {
      if (r.diagnostic.function < 0)
        r.diagnostic.function = home(function);
      r.diagnostic.message = readable(r.diagnostic.message);
      r.diagnostic.note = readable(r.diagnostic.note);
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
    e.no_result = body.no_result();
    if (e.no_result && e.no_result->function < 0)
      e.no_result->function = home(function);
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
  if (const auto& why = all.entries[0].no_result)
    throw Refusal(*why);
  if (all.entries[0].arrays.size() != inference::captured_arrays(program).size())
    throw std::invalid_argument("mpijit: the program captures arrays that its first function does not reach");
  if (inference::holds_handle(all.out.module.functions[0]->result))
    refuse(Diag::ReturnHandle, program.functions[0].tree->span);
  inference::propagate_effects(all.out.module);
  return std::move(all.out);
}

} // namespace mpijit::jit
