// Cutting loops where an index changes its sign (`u[i - 1]` from 0 on counts from the end once, and then never
// again), where a remainder leaves its operand alone (`(i + 1) % n` up to the last iteration) and where a comparison
// that makes another integer changes near an end (`if j == n: j = 0`).
#pragma once

#include "passes/survey.h"

namespace mpijit::jit::passes {

struct Cuts {
  std::set<const ir::For*> whole; // loops that are not cut again
  Sides sides;                    // of guards, in the loops that were cut for them
};

/// Cuts the loops of the surveyed statement: `for i in range(a, b)` becomes `range(a, c)` and `range(d, b)`, cold and
/// as they were, around `range(c, d)`. Where the cuts lie changes nothing but speed. Says whether there was one; the
/// survey is out of date then.
bool split(ir::Function& f, ir::Stmt& s, const Survey& survey, Cuts& cuts);

} // namespace mpijit::jit::passes
