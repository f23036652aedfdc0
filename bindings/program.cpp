#include "program.h"

#include "types/wire.h"

namespace mpijit::bind {

bool BoundProgram::assign(PyObject* text, PyObject* guards, PyObject* missing, PyObject* arrays) {
  text_ = Ref::borrow(text);
  if (!guards_.assign(guards, missing))
    return false;
  Ref items(PySequence_Fast(arrays, "arrays must be a sequence"));
  if (!items)
    return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
    const char* type_text;
    PyObject* array;
    if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(items.get(), i), "sO!:array", &type_text, &PyArray_Type, &array))
      return false;
    const auto type = jit::parse_type(type_text);
    if (!type || !(*type)->is_array()) {
      PyErr_Format(PyExc_ValueError, "'%s' is not the type of an array", type_text);
      return false;
    }
    arrays_.push_back({*type, Py_NewRef(array)});
    words_ += jit::wire_words(*type);
  }
  return true;
}

std::vector<Ref> BoundProgram::hold_arrays() const {
  std::vector<Ref> held;
  held.reserve(arrays_.size());
  for (const Captured& captured : arrays_)
    held.push_back(Ref::borrow(captured.array));
  return held;
}

void BoundProgram::clear() {
  guards_.clear();
  std::vector<Captured> dropped;
  dropped.swap(arrays_); // a destructor run here may come back
  for (const Captured& captured : dropped)
    Py_DECREF(captured.array);
}

int BoundProgram::traverse(visitproc visit, void* arg) const {
  for (const Captured& captured : arrays_)
    Py_VISIT(captured.array);
  return guards_.traverse(visit, arg);
}

} // namespace mpijit::bind
