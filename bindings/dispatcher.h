// The callable behind a kernel: finds the specialisation for a call's argument types and runs it. Compiling
// is Python's business (_jit.py), reached on the slow path only.
#pragma once

#include "python.h"

namespace mpijit::bind {

/// Adds the type Dispatcher and set_slow_path(specialise, make_binder) to the module.
bool add_dispatcher(PyObject* module);

/// The Python function itself, or that of a kernel (borrowed); null for anything else.
PyObject* function_of(PyObject* value);

} // namespace mpijit::bind
