// What evaluating an expression does besides giving its value, and what a statement assigns: the questions
// every pass asks before it moves, drops or repeats something.
#pragma once

#include "ir/ir.h"

#include <set>

namespace mpijit::jit::ir {

struct Effects {
  bool raises = false; // may end the function with an exception
  bool acts = false;   // changes a slot or memory, allocates, communicates, or calls something that may
  bool reads = false;  // looks at array elements, so its value depends on when it is evaluated
};

/// Of the whole tree.
Effects effects(const Expr& e);
/// Neither raises nor acts: may be dropped, and evaluated more often or earlier than written as long as the
/// slots (and elements) it reads are the same then.
bool is_pure(const Expr& e);

/// Are the trees equal, and would one give what the other gave just before it? False for what acts.
bool same_value(const Expr& a, const Expr& b);

/// Every slot that evaluating e may look at.
std::set<int> read_slots(const Expr& e);
/// Does evaluating e run code that is not its own: another function, an MPI routine?
bool calls(const Expr& e);
/// May computing the elements raise? What the inputs do is another matter.
bool may_raise(const Elementwise& e);
/// Does evaluating `by` change a slot that e reads?
bool is_changed(const Expr& e, const Expr& by);

/// Every slot that running the statements may change: by Assign, For, Bind or Release.
std::set<int> assigned_slots(const Block& b);
std::set<int> assigned_slots(const Stmt& s);
/// Those that evaluating e may change.
std::set<int> assigned_slots(const Expr& e);

/// Does e itself make a new array that someone has to own? (Alloc, Elementwise, Call with an array in its result)
bool is_fresh(const Expr& e);
/// Is e's value, or a part of it, that of an operand as a whole (Cast, Check, Choose, MakeTuple)? Then whoever
/// owns e's value owns a fresh operand too; all other nodes only look at their operands.
bool passes_on(const Expr& e);
/// Is e an Elementwise that s computes element by element, so that there never is an array to own?
bool takes_apart(const Stmt& s, const Expr* e);
/// The same of the operand of a Reduce.
bool takes_apart(const Expr& e);
/// Is it a sum of floats or complex numbers, whose order matters? d: of the result.
bool adds_floats(const Reduce& n, DType d);
/// Are the terms of such a sum added as they stand in C order, row by row and as they are? That is so over the last
/// axes and without a cast.
bool adds_in_order(const Reduce& n, DType d);
/// Would a Break (a Continue) in these statements leave (go on with) the loop that is `around` loops further out?
template <class Jump> bool jumps(const Block& b, int around = 0);
/// Is every array in e's value kept alive by the caller: a parameter that borrows, a view or a copy of one?
/// Reads `owning` of the slots. False for what is fresh or may live in an owning slot.
bool is_borrowed(const Function& f, const Expr& e);

} // namespace mpijit::jit::ir
