// The Python faces of the runtime's handles: Request, Comm, Operator, IN_PLACE, and the Status tuple.
#pragma once

#include "python.h"

#include <cstdint>

namespace mpijit::bind {

/// An immutable value standing for something of the runtime. Singletons (SUM, COMM_WORLD, ...) have a name and
/// are pickled by it; a Request has none.
struct Handle {
  PyObject_HEAD int64_t value;
  const char* name;
};

extern PyTypeObject* request_type;
extern PyTypeObject* comm_type;
extern PyTypeObject* operator_type;
extern PyTypeObject* in_place_type;
extern PyTypeObject* status_type;

inline int64_t handle_value(PyObject* handle) { return reinterpret_cast<Handle*>(handle)->value; }

PyObject* make_request(int64_t handle);
PyObject* make_status(const int64_t* words); // source, tag, count, nbytes

/// Adds the types and the named handles to the module.
bool add_handles(PyObject* module);

} // namespace mpijit::bind
