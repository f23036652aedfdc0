#include "guards.h"

#include <cstring>

namespace mpijit::bind {
namespace {

// The same value for a kernel, for which 1, True and 1.0 differ, and 0.0 and -0.0.
bool same_value(PyObject* a, PyObject* b) {
  if (a == b)
    return true;
  if (Py_TYPE(a) != Py_TYPE(b))
    return false;
  if (PyFloat_CheckExact(a)) {
    const double x = PyFloat_AS_DOUBLE(a), y = PyFloat_AS_DOUBLE(b);
    return std::memcmp(&x, &y, sizeof x) == 0;
  }
  if (PyComplex_CheckExact(a)) {
    const Py_complex x = PyComplex_AsCComplex(a), y = PyComplex_AsCComplex(b);
    return std::memcmp(&x, &y, sizeof x) == 0;
  }
  if (PyTuple_CheckExact(a)) {
    const Py_ssize_t count = PyTuple_GET_SIZE(a);
    if (PyTuple_GET_SIZE(b) != count)
      return false;
    for (Py_ssize_t i = 0; i < count; ++i)
      if (!same_value(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i)))
        return false;
    return true;
  }
  if (PyLong_CheckExact(a) || PyUnicode_CheckExact(a))
    return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
  return false;
}

} // namespace

bool Guard::holds() const {
  PyObject* now = key ? PyDict_GetItemWithError(where, key) : PyCell_GET(where);
  return now == value || (now && value && same_value(now, value));
}

bool Guards::assign(PyObject* sequence, PyObject* missing) {
  Ref items(PySequence_Fast(sequence, "guards must be a sequence"));
  if (!items)
    return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i);
    PyObject *where, *key, *value;
    if (!PyArg_ParseTuple(item, "OOO:guard", &where, &key, &value))
      return false;
    if (!(PyDict_Check(where) && PyUnicode_Check(key)) && !(PyCell_Check(where) && key == Py_None)) {
      PyErr_SetString(PyExc_TypeError, "a guard is (dict, str, value) or (cell, None, value)");
      return false;
    }
    guards_.push_back(
        {Py_NewRef(where), key == Py_None ? nullptr : Py_NewRef(key), value == missing ? nullptr : Py_NewRef(value)});
  }
  return true;
}

void Guards::clear() {
  std::vector<Guard> dropped;
  dropped.swap(guards_); // a destructor run here may come back
  for (Guard& guard : dropped) {
    Py_DECREF(guard.where);
    Py_XDECREF(guard.key);
    Py_XDECREF(guard.value);
  }
}

int Guards::traverse(visitproc visit, void* arg) const {
  for (const Guard& guard : guards_) {
    Py_VISIT(guard.where);
    Py_VISIT(guard.value);
  }
  return 0;
}

} // namespace mpijit::bind
