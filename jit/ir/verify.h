// The rules of the typed IR, checked after every stage that makes or changes it. A broken rule is a bug of
// ours: verify returns a sentence for each.
//
//   1  a node's operands exist: non-null where required, slots and functions in range
//   2  Const, Text, Read, Item, Dim, Stride, StatusField have the type their source gives them
//   3  Unary, Binary, Math operands have the node's type; Compare operands share a scalar type, result bool
//   4  Div is of floats and complex numbers; bit operations and shifts are of integers (bool: And, Or, Xor, Invert)
//   5  Cast goes between kinds its CastKind allows
//   6  Choose: cond is bool, arms have the node's type
//   7  Load, Store: one index per axis, weak ints; the element type is the strong scalar of the dtype;
//      Store's value has it too, and the array is writeable
//   8  View: an index or a range per axis; result rank is the number of ranges and new axes
//   9  Alloc: C-contiguous, one weak int per axis
//  10  Call: arguments have exactly the parameters' types, the node the callee's result
//  11  MpiCall: one argument per parameter of the row, of its kind
//  12  Assign: value has the slot's type; Bind the same
//  13  If, While conditions are bool; For slot and bounds are weak ints
//  14  Break leaves a loop or Once that there is, Continue goes on with a loop
//  15  Return has the function's result type (no value: None)
//  16  Raise's code is a row of errors.inc
//  17  after the ownership pass: a fresh array (Alloc, Call) reaches an owning slot, a Bind or a Return
//  18  Check: cond is bool, x has the node's type, code is a row of errors.inc
//  19  Nest: tests read array slots that the nest does not assign, axes in range, or a number's size is
//      positive
//  20  Elementwise: an input's slot has its element's type, a let's slot its value's; body is a strong scalar of
//      the result's dtype; the result is C-contiguous and has the axes of the input that has most; lets and body
//      are of scalars, read no element, call nothing; with a shape of weak ints it has as many slots of weak ints for
//      the index, and no input is an array
//  21  StoreArray: a writeable target, an Elementwise of its dtype
//  22  Permute: every axis of the array once; the result is strided
//  23  Reduce: axes that the array has; an Elementwise of the result's dtype (any, for a position), or an array whose
//      sum is of floats; the result is a strong scalar or a C-contiguous array; the count's slot is a weak int
//  24  Product: one or two axes each, one dtype; the result likewise
//  25  Reshape: weak ints; dtype, layout and read-only stay
//  26  Part: of a complex array, the strided one of its parts
//  27  Broadcast: weak ints, no fewer than the array has axes; read-only and strided
#pragma once

#include "ir/ir.h"

#include <string>
#include <vector>

namespace mpijit::jit::ir {

enum class Stage : uint8_t { Inferred, Owned };
std::vector<std::string> verify(const Module& module, Stage stage);

} // namespace mpijit::jit::ir
