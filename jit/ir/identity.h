// A text that two modules share only when the same code is made of them: what print() shows, and what it leaves out
// because a reader need not see it, types of expressions, bits of constants and the places that errors report.
#pragma once

#include "ir/ir.h"

#include <string>

namespace mpijit::jit::ir {

std::string identity(const Module& module);

} // namespace mpijit::jit::ir
