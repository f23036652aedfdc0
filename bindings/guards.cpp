#include "guards.h"

#include "dispatcher.h"

#include <cstring>

namespace mpijit::bind {
namespace {

constexpr int most_depth = 4; // of functions in closures of functions

bool same(PyObject* a, PyObject* b, int depth);

bool same_or_null(PyObject* a, PyObject* b, int depth) { return a == b || (a && b && same(a, b, depth)); }

bool same_closure(PyObject* a, PyObject* b, int depth) {
  if (!a || !b || PyTuple_GET_SIZE(a) != PyTuple_GET_SIZE(b))
    return a == b;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(a); ++i)
    if (!same_or_null(PyCell_GET(PyTuple_GET_ITEM(a, i)), PyCell_GET(PyTuple_GET_ITEM(b, i)), depth))
      return false;
  return true;
}

bool same_function(PyObject* a, PyObject* b, int depth) {
  return a == b || (depth < most_depth && PyFunction_GET_CODE(a) == PyFunction_GET_CODE(b) &&
                    PyFunction_GET_GLOBALS(a) == PyFunction_GET_GLOBALS(b) &&
                    PyFunction_GET_KW_DEFAULTS(a) == PyFunction_GET_KW_DEFAULTS(b) &&
                    same_or_null(PyFunction_GET_DEFAULTS(a), PyFunction_GET_DEFAULTS(b), depth + 1) &&
                    same_closure(PyFunction_GET_CLOSURE(a), PyFunction_GET_CLOSURE(b), depth + 1));
}

bool same(PyObject* a, PyObject* b, int depth) {
  if (a == b)
    return true;
  PyObject *f = function_of(a), *g = function_of(b);
  if (f || g)
    return f && g && same_function(f, g, depth);
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
      if (!same(PyTuple_GET_ITEM(a, i), PyTuple_GET_ITEM(b, i), depth))
        return false;
    return true;
  }
  if (PySlice_Check(a)) {
    const auto *s = reinterpret_cast<PySliceObject*>(a), *t = reinterpret_cast<PySliceObject*>(b);
    return same(s->start, t->start, depth) && same(s->stop, t->stop, depth) && same(s->step, t->step, depth);
  }
  if (PyLong_CheckExact(a) || PyUnicode_CheckExact(a))
    return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
  return false;
}

} // namespace

bool same_value(PyObject* a, PyObject* b) { return same(a, b, 0); }

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
