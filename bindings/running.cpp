#include "running.h"

#include "exceptions.h"
#include "host.h"

#include <atomic>
#include <unistd.h>

namespace mpijit::bind {
namespace {

std::atomic<int> main_depth{0};
bool begun = false; // read and written with the GIL

} // namespace

bool on_main_thread() {
  static thread_local const bool first = gettid() == getpid();
  return first;
}

Communicating::Communicating() : state_(PyEval_SaveThread()) {
  mpijit_lock();
  main_ = on_main_thread();
  if (main_)
    main_depth.fetch_add(1, std::memory_order_relaxed);
}

Communicating::~Communicating() {
  if (main_)
    main_depth.fetch_sub(1, std::memory_order_relaxed);
  mpijit_unlock();
  PyEval_RestoreThread(state_);
}

bool main_thread_communicates() { return main_depth.load(std::memory_order_relaxed) != 0; }

bool begin_session(const mpijit_site* site) {
  int32_t status = 0;
  if (begun) {
    status = mpijit_begin(site);
  } else {
    watch_interrupts();
    // MPI_Init waits for the other ranks; other threads may go on meanwhile.
    PyThreadState* state = PyEval_SaveThread();
    status = mpijit_begin(site);
    PyEval_RestoreThread(state);
    watch_interrupts();
    begun = status == 0;
    if (begun)
      session_began();
  }
  if (status)
    raise_recorded(status, nullptr);
  return status == 0;
}

} // namespace mpijit::bind
