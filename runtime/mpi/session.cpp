// Whoever initialises MPI finalises it; that, the thread level, the world's record and the end of the job are
// decided here. Importing the package does not come here, the first use does. Knows nothing of single
// routines.
#include "mpi/session.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "error.h"
#include "mpi/communicator.h"
#include "mpi/library.h"
#include "mpi/operator.h"
#include "mpi/request.h"

mpijit_world_record mpijit_world = {0, 1};

namespace mpijit::rt {
namespace {

std::mutex beginning;

// A thread may take the lock again: a kernel's print or a signal handler may run Python code that runs
// another kernel. Counting here is half the price of a recursive mutex. Four bytes fit the static TLS of a
// dlopened library.
pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;
[[gnu::tls_model("initial-exec")]] thread_local int32_t lock_depth = 0;

struct Level {
  const char* name;
  int mpi;
};
constexpr Level levels[] = {{"single", MPI_THREAD_SINGLE},
                            {"funneled", MPI_THREAD_FUNNELED},
                            {"serialized", MPI_THREAD_SERIALIZED},
                            {"multiple", MPI_THREAD_MULTIPLE}};

const char* level_name(int level) {
  for (const Level& known : levels)
    if (known.mpi == level)
      return known.name;
  return "unknown";
}

bool is_initialized() {
  int flag = 0;
  MPI_Initialized(&flag);
  return flag;
}

bool is_finalized() {
  int flag = 0;
  MPI_Finalized(&flag);
  return flag;
}

// MPI_Finalize, whoever calls it, first deletes COMM_SELF's attributes: from then on no handle is valid.
int on_finalize(MPI_Comm, int, void*, void*) {
  forget_communicators();
  return MPI_SUCCESS;
}

// The child shares its parent's connections and must not use them; nor may it wait for a lock that a thread
// held which does not exist in it.
void on_fork() {
  forget_communicators();
  process_lock = PTHREAD_MUTEX_INITIALIZER;
  lock_depth = 0;
}

int32_t initialize(const mpijit_site* site, const char* routine) {
  int required = MPI_THREAD_SERIALIZED;
  if (const char* wanted = std::getenv("MPIJIT_THREAD_LEVEL")) {
    const Level* match = nullptr;
    for (const Level& known : levels)
      if (std::strcmp(wanted, known.name) == 0)
        match = &known;
    if (!match)
      return raise(site, routine, MPIJIT_ValueError,
                   "MPIJIT_THREAD_LEVEL is \"%s\", but must be single, funneled, serialized or multiple", wanted);
    required = match->mpi;
  }
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, required, &provided) != MPI_SUCCESS)
    return raise(site, routine, MPIJIT_MpiError, "MPI_Init_thread failed");
  session.ours = true;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  return MPIJIT_OK;
}

} // namespace

Session session;
std::atomic_flag Guard::flag = ATOMIC_FLAG_INIT;

void Guard::take() {
  while (flag.test_and_set(std::memory_order_acquire))
    sched_yield();
}

int32_t begin_session(const mpijit_site* site, const char* routine) {
  std::scoped_lock only(beginning);
  if (communicators[0].handle == MPIJIT_COMM_WORLD)
    return MPIJIT_OK;
  if (session.process && session.process != getpid())
    return raise(site, routine, MPIJIT_MpiError, "this process was forked from one that uses MPI, and cannot use it");
  if (is_finalized())
    return raise(site, routine, MPIJIT_MpiError, "MPI has been finalised");
  if (!session.process) {
    if (const int32_t failed = require_one_library(site, routine))
      return failed;
  }
  if (!is_initialized()) {
    if (const int32_t failed = initialize(site, routine))
      return failed;
  }
  int level = MPI_THREAD_SINGLE, key = MPI_KEYVAL_INVALID;
  MPI_Query_thread(&level);
  session.multiple = level == MPI_THREAD_MULTIPLE;
  session.process = getpid();
  pthread_atfork(nullptr, nullptr, on_fork);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
  MPI_Comm_free_keyval(&key); // the attribute keeps it
  begin_communicators();
  if (communicators[0].size == 1)
    warn_of_other_launcher();
  return MPIJIT_OK;
}

} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_begin(const mpijit_site* site) {
  return find_communicator(MPIJIT_COMM_WORLD) ? MPIJIT_OK : begin_session(site, nullptr);
}

void mpijit_end() {
  if (session.process != getpid())
    return;
  report_pending_requests();
  if (is_finalized())
    return;
  free_operators();
  if (session.ours)
    MPI_Finalize();
}

void mpijit_end_job(int32_t exit_code) {
  std::fflush(nullptr);
  if (session.process && session.process != getpid())
    _exit(exit_code); // the parent's job is not ours to end
  // Begin first: ranks that have not come to MPI_Init yet, or wait in it, would otherwise wait for ever.
  if (mpijit_begin(nullptr) == MPIJIT_OK)
    MPI_Abort(MPI_COMM_WORLD, exit_code);
  _exit(exit_code);
}

void mpijit_lock() {
  if (!session.multiple && lock_depth++ == 0)
    pthread_mutex_lock(&process_lock);
}

// By depth, not by level: the session may have begun, with MPI_THREAD_MULTIPLE, since the lock was taken.
void mpijit_unlock() {
  if (lock_depth > 0 && --lock_depth == 0)
    pthread_mutex_unlock(&process_lock);
}

int32_t mpijit_is_initialized() { return is_initialized(); }

int32_t mpijit_is_finalized() { return is_finalized(); }

const char* mpijit_thread_level() {
  if (!is_initialized() || is_finalized())
    return "not initialised";
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level_name(level);
}
