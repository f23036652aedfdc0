// Every routine of routines.inc as a Python callable, for plain Python and for kernels run by the interpreter.
#pragma once

#include "python.h"

namespace mpijit::bind {

/// Adds the tuple `routines` to the module: callables with __name__, __doc__, `parameters` (pairs of a name and
/// the spelling of its default, or None when it is required), `kinds`, `result` and `effect`.
bool add_routines(PyObject* module);

} // namespace mpijit::bind
