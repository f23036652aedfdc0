// Rewrites syntax into simpler syntax, so that inference never sees: chained comparison, n-ary `and` and
// `or`, augmented assignment, several targets, annotated assignment, `assert`, `elif` (nested already),
// signs on literals, docstrings and other constants as statements, `pass`, a lambda as a function's tree.
// Everything evaluates once and in Python's order: an operand that must not run twice is named by a NamedExpr
// or an assignment to a `$`-name no user can write ($1, $2, ... within a function). Only names, constants,
// attributes of these, and sums, products and bit operations of these are evaluated twice.
//
// After it: BoolOp has two values, Compare one operator, Assign one target, and AugAssign is an Assign whose
// value is a BinOp with text such as "Add", the Assign's own text being "inplace". Its target is the left
// operand again (two nodes). `x: int` without a value is gone, bodies may be empty, the tree of a function is
// always a FunctionDef, and a failed assertion raises the Constant exception "AssertionError" itself, which
// is not among the captures.
#pragma once

#include "syntax/ast.h"

namespace mpijit::jit {

void desugar(Program& program);

} // namespace mpijit::jit
