// Rewrites of the typed IR between inference and emit, in the order compile.cpp runs them. Each takes a
// module that verifies and leaves one that does.
#pragma once

#include "ir/ir.h"

namespace mpijit::jit::passes {

/// Puts the body of a small, straight-line callee (no loop, no early return, not recursive) in place of the
/// call, so that the bounds pass sees its accesses; what it leaves, LLVM's inliner takes.
void inline_calls(ir::Module& module);

/// Drops assignments to scalar slots that nothing reads, when evaluating the value has no effect.
void tidy(ir::Module& module);

/// Takes element-wise arrays that one other element-wise expression reads, and nothing else, into that.
void fuse(ir::Module& module);

/// Decides which slots hold a counted reference, and names fresh arrays that would have no owner: after it,
/// a fresh array (Alloc, Call with an array in its result, a Choose or tuple with one inside) is the value of
/// an Assign to an owning slot, of a Bind to an owning slot, or of a Return. A slot whose every value is a
/// parameter, a view of one or a copy of such a slot borrows: parameters are kept alive by the caller.
/// A Release follows the statement that filled a Bind's slot.
void ownership(ir::Module& module);

/// Makes a For of each While that counts, by one, up or down to an end that stays the same.
void count_loops(ir::Module& module);

/// Takes checks out of counted loops. An index that is certainly in range is unchecked where it stands. For the
/// others of a loop nest (affine in its counters, or a remainder) there are range tests before it, and the nest
/// becomes a Nest: an unchecked body with alias scopes, and a cold checked one. The nest is the outermost loop,
/// or the loops inside where more can be said of those. Loops in which an index changes its sign, or a remainder begins
/// anew, are cut there.
/// Leaves alone what it cannot test.
void bounds(ir::Module& module);

} // namespace mpijit::jit::passes
