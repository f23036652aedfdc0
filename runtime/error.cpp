// Errors are values: a function of the C boundary returns a code and leaves the rest here, one record per
// thread. Each function that passes an error on adds its call site, which becomes the Python traceback.
#include "error.h"

#include <cstdarg>
#include <cstdio>
#include <memory>

namespace mpijit::rt {
namespace {

// Made at a thread's first error. By pointer, because all thread-local data of this library must fit into the few
// hundred bytes of static TLS that a dlopened library can count on (host.cpp's stack limit is read there).
thread_local std::unique_ptr<mpijit_error> record_of_thread;

void start_record(const mpijit_site* site, const char* routine, int32_t code) {
  mpijit_error& record = error_record();
  record.code = code;
  record.mpi_class = 0;
  record.routine = routine;
  record.frame_count = 0;
  record.message[0] = '\0';
  mpijit_frame(site, code);
}

} // namespace

mpijit_error& error_record() {
  if (!record_of_thread)
    record_of_thread = std::make_unique<mpijit_error>();
  return *record_of_thread;
}

int32_t raise(const mpijit_site* site, const char* routine, int32_t code, const char* format, ...) {
  start_record(site, routine, code);
  mpijit_error& record = error_record();
  int used = 0;
  if (routine)
    used = std::snprintf(record.message, sizeof record.message, "%s: ", routine);
  va_list values;
  va_start(values, format);
  std::vsnprintf(record.message + used, sizeof record.message - used, format, values);
  va_end(values);
  return code;
}

} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_error_take(mpijit_error* out) {
  mpijit_error& record = error_record();
  const int32_t code = record.code;
  *out = record;
  record.code = 0;
  record.frame_count = 0;
  return code;
}

int32_t mpijit_raise(const mpijit_site* site, int32_t code, const char* message) {
  return raise(site, nullptr, code, "%s", message);
}

// NumPy's words, so that a kernel and its interpreted twin say the same.
int32_t mpijit_raise_index(const mpijit_site* site, int64_t index, int64_t axis, int64_t size) {
  return raise(site, nullptr, MPIJIT_IndexError, "index %lld is out of bounds for axis %lld with size %lld",
               static_cast<long long>(index), static_cast<long long>(axis), static_cast<long long>(size));
}

int32_t mpijit_raise_fit(const mpijit_site* site, int64_t value, const char* dtype) {
  return raise(site, nullptr, MPIJIT_OverflowError, "Python integer %lld out of bounds for %s",
               static_cast<long long>(value), dtype);
}

int32_t mpijit_frame(const mpijit_site* site, int32_t status) {
  if (!status || !site)
    return status;
  mpijit_error& record = error_record();
  if (record.frame_count < MPIJIT_MAX_FRAMES)
    record.frames[record.frame_count++] = *site;
  return status;
}
