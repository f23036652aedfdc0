// From the runtime's error record to a Python exception whose traceback shows the kernel's own lines.
#pragma once

#include "python.h"

#include <cstdint>

namespace mpijit::bind {

/// Takes the calling thread's error record and raises it; an exception that Python code raised inside the
/// runtime (in print, in a signal handler) is kept instead. When globals is not null the recorded frames are
/// added to the traceback, as frames of functions with these globals. Returns null.
PyObject* raise_recorded(int32_t status, PyObject* globals);

/// Adds mpi.Error to the module.
bool add_exceptions(PyObject* module);

} // namespace mpijit::bind
