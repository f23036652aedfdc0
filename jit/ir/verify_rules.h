// The verifier's parts, one file each; only they include this.
#pragma once

#include "ir/ir.h"

#include <string>
#include <vector>

namespace mpijit::jit::ir {

/// What is being verified and what was found.
class Report {
public:
  Report(const Module& m, const Function& f, std::vector<std::string>& out) : module(m), function(f), sentences_(out) {}

  /// Sentences are about the node with this span from now on.
  void at(Span span) { span_ = span; }
  void fail(int rule, const std::string& what) {
    const std::string place = span_.line ? " (line " + std::to_string(span_.line) + ")" : "";
    sentences_.push_back(function.name + ": rule " + std::to_string(rule) + ": " + what + place);
  }
  void require(bool holds, int rule, const std::string& what) {
    if (!holds)
      fail(rule, what);
  }
  const Slot& slot(int k) const { return function.slots[static_cast<size_t>(k)]; }
  bool has_slot(int k) const { return k >= 0 && static_cast<size_t>(k) < function.slots.size(); }

  const Module& module;
  const Function& function;

private:
  std::vector<std::string>& sentences_;
  Span span_;
};

inline std::string of(const Expr* e) { return to_string(e->type); }

bool operands_exist(Report& r, const Expr& e);    // rule 1
bool operands_exist(Report& r, const Stmt& s);    // rule 1
void check_expression(Report& r, const Expr& e);  // rules 2 to 11, 12 of Bind, 18, 20
void check_access(Report& r, const Store& store); // rule 7
void check_store(Report& r, const StoreArray& s); // rule 21
void check_error_code(Report& r, const char* what, int rule, int32_t code);
void check_owners(Report& r, const Block& b); // rule 17

} // namespace mpijit::jit::ir
