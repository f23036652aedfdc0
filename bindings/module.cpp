// The extension module _core: what the package needs on every import. It loads neither LLVM nor initialises MPI.
#define MPIJIT_IMPORTS_NUMPY
#include "python.h"

#include "dispatcher.h"
#include "dtypes.h"
#include "exceptions.h"
#include "handles.h"
#include "host.h"
#include "match.h"
#include "mpi_functions.h"
#include "running.h"
#include "sites.h"

#include "mpijit/runtime.h"

namespace mpijit::bind {
namespace {

PyObject* type_text(PyObject*, PyObject* value) {
  const jit::Type type = type_of(value);
  return type ? PyUnicode_FromString(jit::to_string(type).c_str()) : Py_NewRef(Py_None);
}

PyObject* canonical_type(PyObject*, PyObject* text) {
  const char* utf8 = PyUnicode_AsUTF8(text);
  if (!utf8)
    return nullptr;
  const auto type = jit::parse_type(utf8);
  return type ? PyUnicode_FromString(jit::to_string(*type).c_str()) : Py_NewRef(Py_None);
}

PyObject* begin(PyObject*, PyObject*) {
  if (!begin_session(caller_site()))
    return nullptr;
  Py_RETURN_NONE;
}

PyObject* abort(PyObject*, PyObject* code) {
  const long value = PyLong_AsLong(code);
  if (value == -1 && PyErr_Occurred())
    return nullptr;
  abort_job(static_cast<int>(value));
}

PyObject* end_at_exit(PyObject*, PyObject* abort) {
  end_session_at_exit(PyObject_IsTrue(abort) == 1);
  Py_RETURN_NONE;
}

PyObject* watch(PyObject*, PyObject*) {
  watch_interrupts();
  Py_RETURN_NONE;
}

template <auto query> PyObject* flag(PyObject*, PyObject*) { return PyBool_FromLong(query()); }
template <auto query> PyObject* text(PyObject*, PyObject*) { return PyUnicode_FromString(query()); }
template <auto query> PyObject* number(PyObject*, PyObject*) { return PyLong_FromLongLong(query()); }

PyMethodDef functions[] = {
    {"type_text", type_text, METH_O, "The type of a value as a kernel's argument, or None when kernels refuse it."},
    {"canonical_type", canonical_type, METH_O, "A type's text in its one spelling, or None when it is not one."},
    {"begin", begin, METH_NOARGS, "Initialise MPI unless somebody did."},
    {"abort", abort, METH_O, "End the job with an exit code."},
    {"end_at_exit", end_at_exit, METH_O,
     "Finalise MPI when the process exits; if the argument is true, abort the job when its exit status is not 0."},
    {"watch_interrupts", watch, METH_NOARGS, "Let Ctrl-C reach running kernels."},
    {"initialized", flag<mpijit_is_initialized>, METH_NOARGS, "Has MPI been initialised, by anybody?"},
    {"finalized", flag<mpijit_is_finalized>, METH_NOARGS, "Has MPI been finalised?"},
    {"thread_level", text<mpijit_thread_level>, METH_NOARGS, "The thread level as a word."},
    {"library_version", text<mpijit_library_version>, METH_NOARGS, "What the MPI library says of itself."},
    {"library_path", text<mpijit_library_path>, METH_NOARGS, "The file of the MPI library."},
    {"job_size", number<job_size>, METH_NOARGS, "Ranks of this job, from MPI or the launcher's environment."},
    {"live_blocks", number<mpijit_live_blocks>, METH_NOARGS, "Blocks that kernels allocated and nobody freed yet."},
    {"live_requests", number<mpijit_live_requests>, METH_NOARGS, "Requests that are not complete."},
    {},
};

bool add_constants(PyObject* module) {
  static constexpr struct {
    const char* name;
    int32_t id;
  } constants[] = {{"ANY_SOURCE", MPIJIT_ANY_SOURCE},
                   {"ANY_TAG", MPIJIT_ANY_TAG},
                   {"PROC_NULL", MPIJIT_PROC_NULL},
                   {"UNDEFINED", MPIJIT_UNDEFINED}};
  for (const auto& constant : constants)
    if (PyModule_AddIntConstant(module, constant.name, static_cast<long>(mpijit_constant(constant.id))) < 0)
      return false;
  return true;
}

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "mpijit._core",
    "Dispatch, boxing and MPI for the package mpijit.",
    -1,
    functions,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
};

PyObject* make_module() {
  import_array1(nullptr);
  Ref module(PyModule_Create(&definition));
  if (!module || !fill_dtypes() || !add_exceptions(module.get()) || !add_handles(module.get()) ||
      !add_routines(module.get()) || !add_dispatcher(module.get()) || !add_constants(module.get()))
    return nullptr;
  set_host();
  return module.release();
}

} // namespace
} // namespace mpijit::bind

PyMODINIT_FUNC PyInit__core() { return mpijit::bind::make_module(); }
