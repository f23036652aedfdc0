// What stands between an index and its loop: `(i + 1) % n`, `if i < n - 1`. In most iterations these are `i + 1` and
// true; a loop can be cut where they change (see split.h), and a test before the nest shows that they do not change
// in what is left.
#pragma once

#include "passes/facts.h"

namespace mpijit::jit::passes {

/// Of zero: where a difference lies in all of a loop.
enum class Side : uint8_t { Negative, NotPositive, NotNegative, Positive };

/// Of the differences of compared values, by the comparison; of a remainder's operands, which then is its first one.
using Sides = std::map<const ir::Expr*, Side>;

/// What `op` says of two values whose difference is on that side, if that decides it.
std::optional<bool> verdict(ir::CompareOp op, Side side);
/// The form that is at least zero if, and only if, the gap is on that side.
MaybeLinear on_side(const Linear& gap, Side side);

/// A remainder, or a comparison of exact values.
struct Guard {
  ir::Expr* node;           // a Binary Mod or a Compare
  Linear gap;               // first operand minus the second
  MaybeLinear low, high;    // of the gap in the nest, as a test can compute them
  MaybeLinear value, least; // of a remainder: the first operand; its lowest
  const ir::For* loop;      // the innermost one around it
  bool is_remainder() const { return value.has_value(); }
};

/// A node that may be replaced if no form is negative: a remainder by its first operand, a comparison by `value`.
struct Fold {
  ir::Expr* node;
  bool value;
  std::vector<Linear> least;
};

/// Replaces it.
void apply(const Fold& fold);

} // namespace mpijit::jit::passes
