// Cutting loops in two where an index changes its sign: `u[i - 1]` from 0 on counts from the end once, and then
// never again.
#pragma once

#include "passes/survey.h"

namespace mpijit::jit::passes {

/// Cuts the loops of the surveyed statement in which an index begins below zero and grows, or begins at zero or more
/// and shrinks: `for i in range(a, b)` becomes `range(a, c)`, cold and as it was, and `range(c, b)`, which joins
/// `whole`: loops that are not cut again. Where the cut lies changes nothing but speed. Says whether there was one;
/// the survey is out of date then.
bool split(ir::Function& f, ir::Stmt& s, const Survey& survey, std::set<const ir::For*>& whole);

} // namespace mpijit::jit::passes
