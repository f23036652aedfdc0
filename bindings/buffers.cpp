#include "buffers.h"

#include "dtypes.h"

namespace mpijit::bind {
namespace {

void describe(Buffer& buffer) {
  PyArrayObject* array = buffer.object.array();
  buffer.array = {PyArray_DATA(array),
                  PyArray_DIMS(array),
                  PyArray_STRIDES(array),
                  nullptr,
                  dtype_of(array),
                  PyArray_NDIM(array),
                  (PyArray_ISWRITEABLE(array) ? uint32_t{MPIJIT_WRITEABLE} : 0u) |
                      (PyArray_IS_C_CONTIGUOUS(array) ? uint32_t{MPIJIT_C_CONTIGUOUS} : 0u)};
}

// Raises the TypeError that _describe.py words: what the value is, and what to pass instead.
bool refuse(const Parameter& parameter, PyObject* value, const char* function) {
  Ref module(PyImport_ImportModule("mpijit._describe"));
  if (module)
    Ref(PyObject_CallMethod(module.get(), function, "ssO", parameter.routine, parameter.name, value));
  return false;
}

bool take_array(PyObject* value, Buffer& buffer) {
  if (!PyArray_CheckExact(value) || dtype_of(reinterpret_cast<PyArrayObject*>(value)) < 0)
    return false;
  buffer.object = Ref::borrow(value);
  buffer.scalarness = PyArray_NDIM(buffer.object.array()) == 0 ? Scalarness::Strong : Scalarness::Array;
  describe(buffer);
  return true;
}

bool is_weak(PyObject* value) {
  return PyFloat_CheckExact(value) || PyLong_CheckExact(value) || PyBool_Check(value) || PyComplex_CheckExact(value);
}

// A 0-d array holding a scalar. NumPy turns Python's numbers into the dtype a weak scalar has; an int beyond
// 64 bits does not fit.
bool take_scalar(const Parameter& parameter, PyObject* value, Buffer& buffer) {
  buffer.scalarness = is_weak(value) ? Scalarness::Weak : Scalarness::Strong;
  if (PyLong_CheckExact(value)) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow) {
      PyErr_Format(PyExc_OverflowError, "%s: %s is an int beyond 64 bits", parameter.routine, parameter.name);
      return false;
    }
  }
  buffer.object = Ref(PyArray_FROM_O(value));
  if (!buffer.object)
    return false;
  describe(buffer);
  return true;
}

} // namespace

bool read_buffer(const Parameter& parameter, PyObject* value, Buffer& buffer) {
  if (take_array(value, buffer))
    return true;
  if (is_weak(value) || dtype_of_scalar(Py_TYPE(value)) >= 0)
    return take_scalar(parameter, value, buffer);
  return refuse(parameter, value, "refuse_data");
}

bool write_buffer(const Parameter& parameter, PyObject* value, Buffer& buffer) {
  if (take_array(value, buffer) && PyArray_ISWRITEABLE(buffer.object.array()))
    return true;
  return refuse(parameter, value, "refuse_target");
}

bool like_buffer(const Buffer& other, Buffer& buffer) {
  auto* descriptor = dtypes.descriptors[other.array.dtype];
  Py_INCREF(descriptor);
  buffer.object = Ref(PyArray_Empty(other.array.ndim, PyArray_DIMS(other.object.array()), descriptor, 0));
  if (!buffer.object)
    return false;
  buffer.scalarness = other.scalarness;
  describe(buffer);
  return true;
}

PyObject* scalar_of(const Buffer& buffer) {
  PyArrayObject* array = buffer.object.array();
  if (buffer.scalarness == Scalarness::Weak)
    return PyArray_GETITEM(array, PyArray_BYTES(array));
  return PyArray_Scalar(PyArray_DATA(array), PyArray_DESCR(array), nullptr);
}

} // namespace mpijit::bind
