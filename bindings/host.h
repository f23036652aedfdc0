// What the runtime asks of Python: printing, signals, and keeping objects alive for pending requests. Each
// takes the GIL itself, whoever calls.
#pragma once

#include "python.h"

#include "mpijit/runtime.h"

namespace mpijit::bind {

/// Gives the runtime the print and signal hooks.
void set_host();

/// Lets Ctrl-C reach kernels: puts a handler before Python's own that raises the runtime's flag and passes
/// the signal on. Does nothing when Python does not handle SIGINT. Cheap; called whenever something else may
/// have replaced the handler.
void watch_interrupts();

/// A block that owns a new reference to object until the runtime releases it. Null when out of memory.
mpijit_block* hold(PyObject* object);

/// How many ranks this process's job has, from MPI if it runs, else from the launcher's environment; 1 when MPI
/// is finalised and in processes that a rank started. Never initialises MPI.
long job_size();

/// Ends the job with MPI_Abort, also when this rank had not initialised MPI. Does not return.
[[noreturn]] void abort_job(int code);

/// From now on the session ends when the process exits; if `abort` and the exit status is not 0, by abort_job.
void end_session_at_exit(bool abort);
/// To be called once, when MPI has just been initialised.
void session_began();

} // namespace mpijit::bind
