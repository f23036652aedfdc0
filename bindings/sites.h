// Call sites of Python code: where in the user's source a call into the runtime stands. Interned and never
// freed, because a pending request may be reported at exit.
#pragma once

#include "python.h"

#include "mpijit/runtime.h"

namespace mpijit::bind {

/// The line that the calling thread's innermost Python frame is executing; null when no Python runs.
const mpijit_site* caller_site();

/// The first line of a function.
const mpijit_site* definition_site(PyCodeObject* code);

} // namespace mpijit::bind
