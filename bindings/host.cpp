#include "host.h"

#include "box.h"
#include "running.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <unistd.h>
#include <utility>

namespace mpijit::bind {
namespace {

// Holds the GIL while it lives; false once the interpreter is going away and nobody may take it.
class WithPython {
public:
  WithPython() : usable_(Py_IsInitialized() && !_Py_IsFinalizing()) {
    if (usable_)
      state_ = PyGILState_Ensure();
  }
  ~WithPython() {
    if (usable_)
      PyGILState_Release(state_);
  }
  WithPython(const WithPython&) = delete;
  explicit operator bool() const { return usable_; }

private:
  bool usable_;
  PyGILState_STATE state_{};
};

// ---- printing ----------------------------------------------------------------------------------------

bool print_boxed(const char* types, const int64_t* words, const char* sep, const char* end) {
  const auto type = jit::parse_type(types);
  if (!type || (*type)->kind != jit::TypeKind::Tuple) {
    PyErr_Format(PyExc_SystemError, "mpijit: print was given the types '%s'", types);
    return false;
  }
  Ref builtins(PyImport_ImportModule("builtins"));
  Ref print(builtins ? PyObject_GetAttrString(builtins.get(), "print") : nullptr);
  Ref values(print ? box_borrowed(*type, words) : nullptr);
  Ref options(values ? Py_BuildValue("{s:s,s:s}", "sep", sep, "end", end) : nullptr);
  Ref result(options ? PyObject_Call(print.get(), values.get(), options.get()) : nullptr);
  return static_cast<bool>(result);
}

int32_t print(const char* types, const int64_t* words, const char* sep, const char* end) {
  WithPython python;
  if (!python)
    return 0;
  return print_boxed(types, words, sep, end) ? 0 : MPIJIT_RuntimeError;
}

// ---- signals -------------------------------------------------------------------------------------------

int32_t poll() {
  WithPython python;
  if (!python)
    return MPIJIT_KeyboardInterrupt;
  if (PyErr_CheckSignals() != 0)
    return MPIJIT_KeyboardInterrupt;
  // Only the main thread handles signals. While it is inside a kernel itself it must still see the flag.
  if (!on_main_thread() && main_thread_communicates())
    mpijit_interrupt = 1;
  return 0;
}

struct sigaction python_action;

void on_interrupt(int signal) {
  mpijit_interrupt = 1;
  python_action.sa_handler(signal);
}

// Has Python a handler of its own for SIGINT: is what signal.getsignal returns a callable?
bool python_handles_interrupts() {
  Ref module(PyImport_ImportModule("_signal"));
  Ref number(PyLong_FromLong(SIGINT));
  Ref name(PyUnicode_FromString("getsignal"));
  if (!module || !number || !name)
    return false;
  Ref handler(PyObject_CallMethodOneArg(module.get(), name.get(), number.get()));
  return handler && PyCallable_Check(handler.get());
}

// ---- blocks ----------------------------------------------------------------------------------------------

// At shutdown the reference is dropped with the process.
void destroy_held(mpijit_block* block) {
  if (WithPython python; python)
    Py_DECREF(static_cast<PyObject*>(block->context));
  delete block;
}

// ---- the end of the process --------------------------------------------------------------------------------

struct Ending {
  pid_t process = 0;
  bool abort = false;
  bool done = false;
} ending;

// glibc tells these handlers the exit status, which neither sys.excepthook nor atexit sees for sys.exit(n).
// Python is gone by now, and with it the other libraries that use MPI and clean up.
// The handler is registered twice, at import and when MPI has been initialised: MPI's libraries register handlers of
// their own then, and the session must end before they take away what it needs. The first that runs does the work.
void at_exit(int status, void*) {
  if (getpid() != ending.process || std::exchange(ending.done, true))
    return;
  if (status != 0 && ending.abort && job_size() > 1) {
    usleep(100000); // lets the launcher read what was printed
    abort_job(status);
  }
  mpijit_end();
}

} // namespace

void set_host() {
  static const mpijit_host hooks = {print, poll};
  mpijit_set_host(&hooks);
}

void watch_interrupts() {
  struct sigaction now;
  if (sigaction(SIGINT, nullptr, &now) != 0 || now.sa_handler == on_interrupt || now.sa_handler == SIG_IGN ||
      now.sa_handler == SIG_DFL || (now.sa_flags & SA_SIGINFO))
    return;
  const bool handled = python_handles_interrupts();
  PyErr_Clear();
  if (!handled)
    return;
  python_action = now;
  now.sa_handler = on_interrupt;
  sigaction(SIGINT, &now, nullptr);
}

mpijit_block* hold(PyObject* object) {
  auto* block = new (std::nothrow) mpijit_block{1, destroy_held, nullptr, object};
  if (block)
    Py_INCREF(object);
  return block;
}

long job_size() {
  if (getpid() != ending.process || mpijit_is_finalized())
    return 1;
  if (mpijit_is_initialized())
    return mpijit_begin(nullptr) == 0 ? mpijit_world.size : 1;
  const char* size = std::getenv("PMI_SIZE");
  const char* channel = std::getenv("PMI_FD");
  // A process that a rank started inherits the variables but not the connection to the launcher.
  if (!size || (channel && fcntl(std::atoi(channel), F_GETFD) == -1))
    return 1;
  return std::atol(size);
}

void abort_job(int code) {
  // If MPI cannot be initialised any more because another rank has ended without it, the process's death by a
  // signal tells the launcher as well.
  if (!mpijit_is_initialized()) {
    std::signal(SIGALRM, SIG_DFL);
    alarm(3);
  }
  mpijit_end_job(code);
  _exit(code);
}

void end_session_at_exit(bool abort) {
  if (ending.process == 0)
    on_exit(at_exit, nullptr);
  ending = {getpid(), abort, false};
}

void session_began() { on_exit(at_exit, nullptr); }

} // namespace mpijit::bind
