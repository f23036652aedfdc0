// The hooks that a host program (the Python package) sets. Knows nothing of Python.
#pragma once

#include "mpijit/runtime.h"

namespace mpijit::rt {

// Null members mean that no host cares: print goes to stdout, an interrupt raises KeyboardInterrupt.
const mpijit_host& host();

} // namespace mpijit::rt
