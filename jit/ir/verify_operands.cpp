// Rule 1: what a node refers to exists. Nothing else may look at a node that fails here.
#include "ir/verify_rules.h"

#include <algorithm>

namespace mpijit::jit::ir {
namespace {

bool has_type(const Expr* e) { return e && e->type; }
bool has_type(const Index& i) { return has_type(i.value); }

class OperandRules {
public:
  explicit OperandRules(Report& report) : r_(report) {}

  bool exist(const Expr& e) {
    if (!e.type) {
      r_.fail(1, "an expression has no type");
      return false;
    }
    return frame_exists(e.frame) &&
           match(
               e.node, [](const Const&) { return true; }, [](const Text&) { return true; },
               [&](const Read& n) { return slot_exists("Read", n.slot); },
               [&](const Unary& n) { return all_exist("Unary", {n.x}); },
               [&](const Binary& n) {
                 return all_exist("Binary", {n.a, n.b});
               },
               [&](const Compare& n) {
                 return all_exist("Compare", {n.a, n.b});
               },
               [&](const Cast& n) { return all_exist("Cast", {n.x}); },
               [&](const Choose& n) {
                 return all_exist("Choose", {n.cond, n.yes, n.no});
               },
               [&](const Math& n) { return row_exists("Math", n.row) && list_exists("Math", n.args); },
               [&](const Dim& n) { return all_exist("Dim", {n.array}); },
               [&](const Stride& n) { return all_exist("Stride", {n.array}); },
               [&](const Load& n) { return all_exist("Load", {n.array}) && list_exists("Load", n.index); },
               [&](const View& n) { return all_exist("View", {n.array}) && axes_exist(n); },
               [&](const Permute& n) { return all_exist("Permute", {n.array}); },
               [&](const Broadcast& n) {
                 return all_exist("Broadcast", {n.array}) && list_exists("Broadcast", n.shape);
               },
               [&](const Part& n) { return all_exist("Part", {n.array}); },
               [&](const Alloc& n) { return list_exists("Alloc", n.shape); },
               [&](const MakeTuple& n) { return list_exists("MakeTuple", n.items); },
               [&](const Item& n) { return all_exist("Item", {n.tuple}); },
               [&](const StatusField& n) { return all_exist("StatusField", {n.status}); },
               [&](const Call& n) { return callee_exists(n) && list_exists("Call", n.args); },
               [&](const MpiCall& n) { return row_exists("MpiCall", n.row); },
               [&](const Bind& n) { return slot_exists("Bind", n.slot) && all_exist("Bind", {n.value}); },
               [&](const Check& n) {
                 return all_exist("Check", {n.cond, n.x});
               },
               [&](const Elementwise& n) { return parts_exist(n); },
               [&](const Reduce& n) {
                 return row_exists("Reduce", n.row) && all_exist("Reduce", {n.x}) &&
                        (n.count < 0 || slot_exists("Reduce", n.count));
               },
               [&](const Product& n) {
                 return all_exist("Product", {n.a, n.b});
               },
               [&](const Reshape& n) { return all_exist("Reshape", {n.array}) && list_exists("Reshape", n.shape); });
  }
  bool exist(const Stmt& s) {
    return frame_exists(s.frame) &&
           match(
               s.node, [&](const Assign& n) { return slot_exists("Assign", n.slot) && all_exist("Assign", {n.value}); },
               [&](const Store& n) {
                 return all_exist("Store", {n.array, n.value}) && list_exists("Store", n.index);
               },
               [&](const StoreArray& n) {
                 return all_exist("StoreArray", {n.target, n.value});
               },
               [&](const Evaluate& n) { return all_exist("Evaluate", {n.value}); },
               [&](const If& n) { return all_exist("If", {n.cond}); },
               [&](const For& n) {
                 return slot_exists("For", n.slot) && all_exist("For", {n.start, n.stop, n.step});
               },
               [&](const While& n) { return all_exist("While", {n.cond}); }, [](const Once&) { return true; },
               [](const Break&) { return true; }, [](const Continue&) { return true; },
               [&](const Return& n) { return !n.value || all_exist("Return", {n.value}); },
               [](const Raise&) { return true; }, [&](const Print& n) { return list_exists("Print", n.args); },
               [&](const Release& n) { return slot_exists("Release", n.slot); }, [](const Group&) { return true; },
               [&](const Nest& n) { return nest_exists(n); });
  }

private:
  bool all_exist(const char* what, std::initializer_list<const Expr*> operands) {
    const bool all = std::all_of(operands.begin(), operands.end(), [](const Expr* e) { return has_type(e); });
    r_.require(all, 1, std::string("a ") + what + " lacks an operand, or an operand has no type");
    return all;
  }
  template <class List> bool list_exists(const char* what, const List& list) {
    const bool all = std::all_of(list.begin(), list.end(), [](const auto& x) { return has_type(x); });
    r_.require(all, 1, std::string("a ") + what + " lacks an operand, or an operand has no type");
    return all;
  }
  bool slot_exists(const char* what, int k) {
    r_.require(r_.has_slot(k), 1,
               std::string("a ") + what + " names slot " + std::to_string(k) + ", which does not exist");
    return r_.has_slot(k);
  }
  bool has_frame(int32_t k) const { return k >= 0 && static_cast<size_t>(k) <= r_.function.inlined.size(); }
  bool frame_exists(int32_t k) {
    r_.require(has_frame(k), 1, "a node is of frame " + std::to_string(k) + ", which does not exist");
    return has_frame(k);
  }

  bool row_exists(const char* what, const void* row) {
    r_.require(row, 1, std::string("a ") + what + " has no row");
    return row;
  }
  bool callee_exists(const Call& n) {
    const bool is_function = n.function >= 0 && static_cast<size_t>(n.function) < r_.module.functions.size();
    r_.require(is_function, 1, "a Call names function " + std::to_string(n.function) + ", which does not exist");
    return is_function;
  }
  bool axes_exist(const View& n) {
    return std::all_of(n.axes.begin(), n.axes.end(), [&](const auto& axis) {
      const auto* i = std::get_if<Index>(&axis);
      return !i || all_exist("View", {i->value});
    });
  }
  bool parts_exist(const Elementwise& n) {
    auto exists = [&](const auto& part) {
      return slot_exists("Elementwise", part.slot) && all_exist("Elementwise", {part.value});
    };
    return std::all_of(n.inputs.begin(), n.inputs.end(), exists) && std::all_of(n.lets.begin(), n.lets.end(), exists) &&
           list_exists("Elementwise", n.shape) &&
           std::all_of(n.index.begin(), n.index.end(), [&](int k) { return slot_exists("Elementwise", k); }) &&
           all_exist("Elementwise", {n.body});
  }
  bool nest_exists(const Nest& n) {
    return std::all_of(n.ranges.begin(), n.ranges.end(),
                       [&](const RangeTest& t) {
                         return (!t.array || all_exist("Nest", {t.array})) && all_exist("Nest", {t.low, t.high});
                       }) &&
           std::all_of(n.apart.begin(), n.apart.end(),
                       [&](const Disjoint& d) { return slot_exists("Nest", d.a) && slot_exists("Nest", d.b); });
  }

  Report& r_;
};

} // namespace

bool operands_exist(Report& r, const Expr& e) { return OperandRules(r).exist(e); }
bool operands_exist(Report& r, const Stmt& s) { return OperandRules(r).exist(s); }

} // namespace mpijit::jit::ir
