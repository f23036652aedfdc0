// Exact linear forms over the integers of a function: what the bounds pass knows about an index. Coefficients
// and constants are small enough that a form's value never leaves 128 bits, whatever its atoms are.
#pragma once

#include "ir/ir.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>

namespace mpijit::jit::passes {

/// An unknown integer of 64 bits.
struct Atom {
  enum Kind : uint8_t {
    Value,   // of a weak int slot
    Length,  // of an axis of the array in a slot, never negative
    Hoisted, // of the n-th expression evaluated before the nest
    Counter, // of the n-th loop of the nest
  };
  Kind kind;
  int n; // slot or number
  int axis = 0;
  auto operator<=>(const Atom&) const = default;
};

struct Linear {
  int64_t constant = 0;
  std::map<Atom, int64_t> terms; // no zero coefficients

  bool is_constant() const { return terms.empty(); }
  bool operator==(const Linear&) const = default;
};
using MaybeLinear = std::optional<Linear>;

Linear constant(int64_t value);
Linear atom(Atom a);
/// Nothing when an operand is nothing or the result's numbers become too large.
MaybeLinear add(const MaybeLinear& a, const MaybeLinear& b);
MaybeLinear scale(const MaybeLinear& a, int64_t by);
MaybeLinear subtract(const MaybeLinear& a, const MaybeLinear& b);

/// Does the form mention what a slot holds?
bool mentions(const Linear& form, const std::set<int>& slots);
/// The counter of the innermost loop in the form; null when it has none.
const Atom* innermost_counter(const Linear& form);
const Atom* outermost_counter(const Linear& form);

/// The form as an expression in f, placed where `at` is. hoisted: what reads an Atom::Hoisted.
ir::Expr* write(const Linear& form, ir::Function& f, const ir::Stmt& at,
                const std::function<ir::Expr*(const Atom&)>& hoisted);

/// The least and greatest value of a form without counters, over all that its atoms may be.
__extension__ typedef __int128 Wide;
struct Extent {
  Wide low, high;
};
Extent extent(const Linear& form);
/// Is the form's exact value always one of 64 bits?
bool fits(const Extent& e);

} // namespace mpijit::jit::passes
