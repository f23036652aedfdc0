// The typed IR as text, for MPIJIT_DUMP=ir, kernel.inspect_ir() and tests. One statement a line, blocks
// indented, no spans: equal text means equal code, also after an edit elsewhere in the file. So everything
// that emit reads of a node is shown, its type and place aside (identity.h adds those).
//
//   function step(u: float64[:, ::1], v: float64[:, ::1]) -> none [communicates]
//     slots i: int, own t: float64[::1]          a slot that owns is marked; so is such a parameter
//     for i in range(1, dim(u, 0) - 1, 1)
//       v[i] = 0.25 * (u[!i - 1, 0] + u.1)       the second slot called u is u.1 when it is slot 1
//
// An index is marked !i when it neither wraps nor is checked, ~i when only the check is off, +i when only
// the wrap is. u[i]@3 has alias scope 3. A constant of a strong type says so: 2:float32. `$1 := x` binds.
#pragma once

#include "ir/ir.h"

#include <string>

namespace mpijit::jit::ir {

std::string print(const Module& module);
/// Calls show the callee's number only.
std::string print(const Function& function);

} // namespace mpijit::jit::ir
