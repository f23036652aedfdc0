#include "match.h"

#include "dtypes.h"
#include "handles.h"

#include <bit>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace mpijit::bind {
namespace {

using jit::Layout;
using jit::Type;
using jit::TypeKind;

Type type_of_array(PyArrayObject* array) {
  const int dtype = dtype_of(array);
  if (dtype < 0)
    return nullptr;
  return jit::types::array(static_cast<DType>(dtype), PyArray_NDIM(array),
                           PyArray_IS_C_CONTIGUOUS(array) ? Layout::C : Layout::Strided, !PyArray_ISWRITEABLE(array));
}

Type type_of_text(PyObject* text) {
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(text, &size);
  if (!utf8) { // a lone surrogate
    PyErr_Clear();
    return nullptr;
  }
  return jit::types::literal(std::string(utf8, static_cast<size_t>(size)));
}

Type type_of_tuple(PyObject* tuple) {
  std::vector<Type> items;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    const Type item = type_of(PyTuple_GET_ITEM(tuple, i));
    if (!item)
      return nullptr;
    items.push_back(item);
  }
  return jit::types::tuple(std::move(items));
}

Type type_of_slice(PyObject* value) {
  const auto* slice = reinterpret_cast<PySliceObject*>(value);
  Type bounds[3];
  for (int k = 0; k < 3; ++k) {
    PyObject* bound = k == 0 ? slice->start : k == 1 ? slice->stop : slice->step;
    if (bound != Py_None && (!PyIndex_Check(bound) || PyArray_Check(bound)))
      return nullptr;
    bounds[k] = bound == Py_None ? jit::types::none() : jit::types::weak_int();
  }
  return jit::types::slice(bounds[0], bounds[1], bounds[2]);
}

Match write_array(Type t, PyObject* value, int64_t*& words) {
  if (!fits(t, value))
    return Match::No;
  auto* array = reinterpret_cast<PyArrayObject*>(value);
  const int ndim = t->ndim;
  *words++ = reinterpret_cast<int64_t>(PyArray_DATA(array));
  const npy_intp* shape = PyArray_DIMS(array);
  const npy_intp* strides = PyArray_STRIDES(array);
  for (int axis = 0; axis < ndim; ++axis)
    words[axis] = shape[axis];
  for (int axis = 0; axis < ndim; ++axis)
    words[ndim + axis] = strides[axis];
  words += 2 * ndim;
  *words++ = 0; // no owner: the caller keeps the array alive
  return Match::Yes;
}

bool is_text(PyObject* value, const std::string& text) {
  if (!PyUnicode_CheckExact(value))
    return false;
  Py_ssize_t size = 0;
  const char* utf8 = PyUnicode_AsUTF8AndSize(value, &size);
  if (!utf8)
    PyErr_Clear(); // a lone surrogate
  return utf8 && text == std::string_view(utf8, static_cast<size_t>(size));
}

Match write_weak(Type t, PyObject* value, int64_t*& words) {
  if (t->dtype == DType::Float64) {
    if (!PyFloat_CheckExact(value))
      return Match::No;
    *words++ = std::bit_cast<int64_t>(PyFloat_AS_DOUBLE(value));
  } else if (t->dtype == DType::Complex128) {
    if (!PyComplex_CheckExact(value))
      return Match::No;
    *words++ = std::bit_cast<int64_t>(PyComplex_RealAsDouble(value));
    *words++ = std::bit_cast<int64_t>(PyComplex_ImagAsDouble(value));
  } else if (t->dtype == DType::Bool) {
    if (!PyBool_Check(value))
      return Match::No;
    *words++ = value == Py_True;
  } else {
    if (!PyLong_CheckExact(value))
      return Match::No;
    int overflow = 0;
    *words++ = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow) {
      PyErr_SetString(PyExc_OverflowError, "an int argument of a kernel must fit 64 bits (-2**63 <= x < 2**63)");
      return Match::Raised;
    }
  }
  return Match::Yes;
}

Match write_scalar(Type t, PyObject* value, int64_t*& words) {
  if (t->weak)
    return write_weak(t, value, words);
  const auto dtype = static_cast<int>(t->dtype);
  if (Py_TYPE(value) != dtypes.scalars[dtype] && Py_TYPE(value) != dtypes.other_scalars[dtype])
    return Match::No;
  load_words(t->dtype, scalar_data(value), words);
  return Match::Yes;
}

Match write_tuple(Type t, PyObject* value, int64_t*& words) {
  const auto count = static_cast<Py_ssize_t>(t->items.size());
  if (!PyTuple_CheckExact(value) || PyTuple_GET_SIZE(value) != count)
    return Match::No;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (const Match item = write_words(t->items[static_cast<size_t>(i)], PyTuple_GET_ITEM(value, i), words);
        item != Match::Yes)
      return item;
  return Match::Yes;
}

// Bounds may be NumPy's integers, or anything with __index__.
Match write_slice(Type t, PyObject* value, int64_t*& words) {
  if (!PySlice_Check(value))
    return Match::No;
  const auto* slice = reinterpret_cast<PySliceObject*>(value);
  PyObject* const bounds[] = {slice->start, slice->stop, slice->step};
  for (size_t k = 0; k < 3; ++k) {
    if (t->items[k]->is_none() != (bounds[k] == Py_None))
      return Match::No;
    if (bounds[k] == Py_None)
      continue;
    if (!PyIndex_Check(bounds[k]))
      return Match::No;
    const Ref number(PyNumber_Index(bounds[k]));
    if (!number)
      return Match::Raised;
    if (const Match bound = write_weak(t->items[k], number.get(), words); bound != Match::Yes)
      return bound;
  }
  return Match::Yes;
}

Match write_handle(PyTypeObject* type, PyObject* value, int64_t*& words) {
  if (Py_TYPE(value) != type)
    return Match::No;
  *words++ = handle_value(value);
  return Match::Yes;
}

Match write_status(PyObject* value, int64_t*& words) {
  if (Py_TYPE(value) != status_type)
    return Match::No;
  for (int i = 0; i < 4; ++i)
    *words++ = PyLong_AsLongLong(PyStructSequence_GetItem(value, i));
  return PyErr_Occurred() ? Match::Raised : Match::Yes;
}

} // namespace

Type type_of(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  if (type == &PyArray_Type)
    return type_of_array(reinterpret_cast<PyArrayObject*>(value));
  if (PyFloat_CheckExact(value))
    return jit::types::weak_float();
  if (PyBool_Check(value))
    return jit::types::weak_bool();
  if (PyLong_CheckExact(value))
    return jit::types::weak_int();
  if (PyComplex_CheckExact(value))
    return jit::types::weak_complex();
  if (value == Py_None)
    return jit::types::none();
  if (PyTuple_CheckExact(value))
    return type_of_tuple(value);
  if (PyUnicode_CheckExact(value))
    return type_of_text(value);
  if (PySlice_Check(value))
    return type_of_slice(value);
  if (type == request_type)
    return jit::types::request();
  if (type == comm_type)
    return jit::types::comm();
  if (type == operator_type)
    return jit::types::op();
  if (type == status_type)
    return jit::types::status();
  const int dtype = dtype_of_scalar(type);
  if (dtype >= 0)
    return jit::types::strong(static_cast<DType>(dtype));
  return nullptr;
}

bool fits(Type t, PyObject* value) {
  if (Py_TYPE(value) != &PyArray_Type)
    return false;
  auto* array = reinterpret_cast<PyArrayObject*>(value);
  const int flags = PyArray_FLAGS(array);
  return dtype_of(array) == static_cast<int>(t->dtype) && PyArray_NDIM(array) == t->ndim &&
         !(flags & NPY_ARRAY_C_CONTIGUOUS) == (t->layout != Layout::C) && !(flags & NPY_ARRAY_WRITEABLE) == t->readonly;
}

Match write_words(Type t, PyObject* value, int64_t*& words) {
  switch (t->kind) {
  case TypeKind::Array: return write_array(t, value, words);
  case TypeKind::Scalar: return write_scalar(t, value, words);
  case TypeKind::Tuple: return t->is_slice() ? write_slice(t, value, words) : write_tuple(t, value, words);
  case TypeKind::None: return value == Py_None ? Match::Yes : Match::No;
  case TypeKind::Request: return write_handle(request_type, value, words);
  case TypeKind::Comm: return write_handle(comm_type, value, words);
  case TypeKind::Operator: return write_handle(operator_type, value, words);
  case TypeKind::Status: return write_status(value, words);
  case TypeKind::Literal: return is_text(value, t->text) ? Match::Yes : Match::No;
  case TypeKind::Static: return Match::Yes;
  case TypeKind::String: // type_of gives none
    break;
  }
  return Match::No;
}

} // namespace mpijit::bind
