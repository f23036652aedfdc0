// The process's use of MPI from initialisation to finalise, and the two kinds of exclusion that follow from
// its thread level. Knows nothing of single routines.
#pragma once

#include <sys/types.h>

#include <atomic>

#include "mpijit/runtime.h"

namespace mpijit::rt {

struct Session {
  bool multiple = false; // MPI_THREAD_MULTIPLE was granted: no process-wide lock, tables guard themselves
  bool ours = false;     // we initialised MPI, so we finalise it
  pid_t process = 0;     // that began it; a forked child is another one
};
extern Session session;

// Begins the session unless it has begun. Errors carry routine when it is not null: MpiError when MPI is
// finalised or the process was forked from one that uses MPI, RuntimeError when two MPI libraries are loaded,
// ValueError for a bad MPIJIT_THREAD_LEVEL.
int32_t begin_session(const mpijit_site* site, const char* routine);

// Excludes other threads from the runtime's own tables. Below MPI_THREAD_MULTIPLE the process-wide lock
// already does, and this is one predictable branch. Held for a few instructions, never across a call to MPI
// or to the host.
class Guard {
public:
  Guard() : taken_(session.multiple) {
    if (taken_) [[unlikely]]
      take();
  }
  ~Guard() {
    if (taken_) [[unlikely]]
      flag.clear(std::memory_order_release);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

private:
  static void take();
  static std::atomic_flag flag;
  const bool taken_;
};

} // namespace mpijit::rt
