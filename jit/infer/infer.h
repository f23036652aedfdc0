// From syntax to typed IR: forward flow typing of a kernel and of everything it calls, one specialisation per
// tuple of argument types. Knows NumPy's type rules and what each name of math, NumPy and MPI means; nothing
// of LLVM.
#pragma once

#include "ir/ir.h"
#include "syntax/ast.h"

#include <set>
#include <string>
#include <vector>

namespace mpijit::jit {

struct Inferred {
  ir::Module module;
  std::set<std::string> notes; // said once to the user: surprising promotions
};

/// Types functions[0] of a desugared program for these argument types. Throws Refusal.
Inferred infer(const Program& program, const std::vector<Type>& arguments, bool boundscheck);

} // namespace mpijit::jit
