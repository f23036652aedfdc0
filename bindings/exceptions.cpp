#include "exceptions.h"

#include "mpijit/runtime.h"

#include <cstring>
#include <frameobject.h>

namespace mpijit::bind {
namespace {

constexpr const char* names[] = {
    nullptr,
#define ERROR(name, python) #python,
#include "mpijit/errors.inc"
#undef ERROR
};
constexpr int32_t name_count = sizeof(names) / sizeof(names[0]);

PyObject* mpi_error; // mpijit.mpi.Error
PyObject* classes[name_count];

// Raises the record as an instance of its class.
void set_error(const mpijit_error& error) {
  if (error.code < 1 || error.code >= name_count) {
    PyErr_Format(PyExc_SystemError, "mpijit: a call failed with status %d and left no error record", error.code);
    return;
  }
  PyObject* type = classes[error.code];
  if (!error.message[0]) {
    PyErr_SetNone(type);
    return;
  }
  // A message cut at its limit may end inside a character.
  Ref message(PyUnicode_DecodeUTF8(error.message, static_cast<Py_ssize_t>(std::strlen(error.message)), "replace"));
  if (!message)
    return;
  if (type != mpi_error) {
    PyErr_SetObject(type, message.get());
    return;
  }
  Ref instance(PyObject_CallOneArg(type, message.get()));
  Ref routine(error.routine ? PyUnicode_FromString(error.routine) : Py_NewRef(Py_None));
  Ref mpi_class(PyLong_FromLong(error.mpi_class));
  if (!instance || !routine || !mpi_class || PyObject_SetAttrString(instance.get(), "routine", routine.get()) < 0 ||
      PyObject_SetAttrString(instance.get(), "mpi_class", mpi_class.get()) < 0 ||
      PyObject_SetAttrString(instance.get(), "error_string", message.get()) < 0)
    return;
  PyErr_SetObject(type, instance.get());
}

// Adds one entry on the outside of the pending exception's traceback. Failing to is no reason to lose it.
void add_frame(const mpijit_site& site, PyObject* globals) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  // A site has the qualified name; tracebacks show the last part, as they do for functions.
  const char* dot = std::strrchr(site.kernel, '.');
  PyCodeObject* code = PyCode_NewEmpty(site.file, dot ? dot + 1 : site.kernel, site.line);
  PyFrameObject* frame = code ? PyFrame_New(PyThreadState_Get(), code, globals, nullptr) : nullptr;
  if (!frame)
    PyErr_Clear();
  PyErr_Restore(type, value, traceback);
  if (frame)
    PyTraceBack_Here(frame);
  Py_XDECREF(frame);
  Py_XDECREF(code);
}

} // namespace

PyObject* raise_recorded(int32_t status, PyObject* globals) {
  mpijit_error error;
  if (mpijit_error_take(&error) == 0) {
    error.code = -status;
    error.frame_count = 0;
  }
  if (!PyErr_Occurred())
    set_error(error);
  if (globals)
    for (int32_t i = 0; i < error.frame_count; ++i)
      add_frame(error.frames[i], globals);
  return nullptr;
}

bool add_exceptions(PyObject* module) {
  Ref builtins(PyImport_ImportModule("builtins"));
  Ref defaults(Py_BuildValue("{s:O,s:i,s:s}", "routine", Py_None, "mpi_class", 0, "error_string", ""));
  if (!builtins || !defaults)
    return false;
  mpi_error = PyErr_NewExceptionWithDoc(
      "mpijit.mpi.Error",
      "MPI failed, or a handle was null, freed or finalised.\n\n"
      "Attributes: routine (str or None), mpi_class (MPI's error class, 0 when the error is not MPI's own) and\n"
      "error_string (the message).",
      PyExc_RuntimeError, defaults.get());
  if (!mpi_error || PyModule_AddObjectRef(module, "Error", mpi_error) < 0)
    return false;
  for (int32_t code = 1; code < name_count; ++code) {
    classes[code] =
        code == MPIJIT_MpiError ? Py_NewRef(mpi_error) : PyObject_GetAttrString(builtins.get(), names[code]);
    if (!classes[code])
      return false;
  }
  return true;
}

} // namespace mpijit::bind
