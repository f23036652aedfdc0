// One loop nest as a candidate: where its accesses reach while it runs, and what that is worth. Leaves the code
// as it is.
//
// Each counted loop of the nest is a counter between two forms over what does not change in the nest and the
// counters outside of it. Eliminating counters from the innermost outwards turns an index into a lowest and a
// highest value: for triangular nests these are the values at the corners.
#pragma once

#include "passes/guards.h"

namespace mpijit::jit::passes {

/// What is known of one index. A form is what a test before the nest can compute; nothing: it cannot.
struct Reach {
  Access access;
  const ir::For* loop = nullptr; // the innermost one around it
  int slot = -1;                 // of an array with an axis of that length, if the nest does not assign it; else -1
  int axis = 0;                  // of that array
  bool exact = false;            // the form is the value, not merely equal modulo 2^64
  bool nonnegative = false;      // the form is certainly so, without a test
  bool negative = false;         // at its lowest certainly: it will count from the end
  bool outside = false;          // the same in every iteration of that loop
  bool below = false;            // certainly less than the length, without a test
  MaybeLinear low, high;
  /// Needs no test. An index that is unchecked anyway need only not wrap.
  bool is_certain() const { return nonnegative && (below || (exact && !access.index->check)); }
  /// At most -1, whatever it is.
  bool is_below_zero() const { return low && high && extent(*high).high < 0; }
  /// To be tested for a range that begins below zero.
  bool keeps_wrap() const;
  bool is_provable() const { return is_certain() || (slot >= 0 && (nonnegative || low) && (below || high)); }
};

class Survey {
public:
  /// loop is a For; before: what is known in front of it; sides: what loops have been cut for.
  Survey(ir::Function& f, ir::Stmt& loop, Facts before, const Sides& sides);

  std::vector<Reach> reaches;
  std::vector<Guard> guards;      // on no side yet
  std::vector<Fold> folds;        // what the nest may run as something simpler; the reaches count on it
  std::vector<Linear> conditions; // not negative in the nest, which the reaches count on as well
  std::vector<ir::Expr*> hoisted; // what Atom::Hoisted n stands for; evaluated once, before the nest, in order
  std::vector<std::pair<ir::Expr**, int>> header; // places in the loop's own range() to be replaced by hoisted[n]
  std::set<int> assigned;                         // slots that the nest changes
  std::vector<const ir::For*> loops;              // of Atom::Counter n; null: it is no loop's
  std::set<const ir::For*> outer;                 // loops with a loop inside
  bool calls = false;                             // other code runs in it: the nest is no place for alias scopes

  /// How many accesses the nest could run unchecked, those that let their loop vectorise counting more.
  int score() const;
  bool is_clean() const; // no access has to stay checked
  /// The lowest or highest value over the counters inside of this one; nothing where a test cannot compute it.
  MaybeLinear end_inside(const Linear& form, const Atom& counter, bool highest) const;

private:
  struct Counter {
    MaybeLinear low, high;   // nothing lies outside
    MaybeLinear first, last; // the same, but exact where the step is not one
  };
  enum class Use { Proof, Test }; // a test may use the exact ends: they are computed before the nest

  void root(ir::For& loop);
  void inner(ir::Stmt& s, ir::For& loop);
  void body(ir::For& loop, Counter counter);
  Counter count(const ir::For& loop, const MaybeLinear& start, const MaybeLinear& stop, const MaybeLinear& step);
  MaybeLinear last_value(const ir::For& loop, const MaybeLinear& start, const MaybeLinear& stop, int64_t step);
  MaybeLinear inner_bound(ir::Expr* e);
  MaybeLinear unknown(ir::Expr* e);
  MaybeLinear hoist(ir::Expr* e);
  MaybeLinear remainder(ir::Expr* e, const MaybeLinear& a, const MaybeLinear& b);
  MaybeLinear divisor(ir::Expr* e, const MaybeLinear& b);
  std::optional<bool> compare(ir::Expr* e, const MaybeLinear& a, const MaybeLinear& b);
  bool fold(ir::Expr* e, bool value, const std::vector<MaybeLinear>& least);
  void narrow(const ir::Expr* cond, bool holds);
  void narrow(const Linear& gap, Side side);
  MaybeLinear eliminate(MaybeLinear form, bool highest, Use use, int down_to = -1) const;
  bool is_exact(const MaybeLinear& form) const;
  bool assume_exact(const MaybeLinear& form);
  bool is_invariant(const ir::Expr& e) const;
  void reach(const Access& access);

  ir::Function& f_;
  const ir::Stmt& root_;
  Follower follower_;
  std::vector<Counter> counters_;
  const Sides& sides_;
  std::map<const ir::Expr*, Linear> gaps_;                        // of comparisons of exact values
  std::vector<std::vector<std::pair<size_t, Counter>>> narrowed_; // by the branches around: what it was before
  const ir::For* loop_ = nullptr;                                 // being walked
};

} // namespace mpijit::jit::passes
