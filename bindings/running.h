// Entering and leaving the runtime: the session, the process-wide lock and the GIL, in the order that cannot
// deadlock. The lock is always taken without the GIL; the GIL may be taken while holding the lock.
#pragma once

#include "python.h"

#include "mpijit/runtime.h"

namespace mpijit::bind {

/// While it lives, the thread communicates: it has the process-wide lock and not the GIL.
class Communicating {
public:
  Communicating();
  ~Communicating();
  Communicating(const Communicating&) = delete;

  /// Runs f with the GIL, still under the lock.
  template <class F> void with_python(F f) {
    PyEval_RestoreThread(state_);
    f();
    state_ = PyEval_SaveThread();
  }

private:
  PyThreadState* state_;
  bool main_;
};

/// Is this the process's first thread, which is Python's main thread too?
bool on_main_thread();

/// Is the main thread inside a communicating kernel, where only mpijit_poll can reach it?
bool main_thread_communicates();

/// Initialises MPI if nobody did, and lets Ctrl-C reach kernels. False with Python's error set.
bool begin_session(const mpijit_site* site);

} // namespace mpijit::bind
