#include "box.h"

#include "dtypes.h"
#include "handles.h"

#include "mpijit/runtime.h"
#include "types/wire.h"

#include <bit>
#include <cstring>

namespace mpijit::bind {
namespace {

using jit::Type;
using jit::TypeKind;

constexpr char block_name[] = "mpijit.block";

struct Extent {
  const char* begin;
  const char* end;
};

// The bytes from the lowest to one past the highest that an array refers to.
Extent extent_of(const char* data, int ndim, const int64_t* shape, const int64_t* strides, int64_t itemsize) {
  Extent extent{data, data + itemsize};
  for (int axis = 0; axis < ndim; ++axis) {
    if (shape[axis] == 0)
      return {data, data};
    const int64_t reach = (shape[axis] - 1) * strides[axis];
    (reach < 0 ? extent.begin : extent.end) += reach;
  }
  return extent;
}

// Calls f with each array among the values, tuples searched, until it returns an object.
template <class F> PyObject* first_array_of(PyObject* const* values, Py_ssize_t count, const F& f) {
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* found = nullptr;
    if (PyArray_CheckExact(values[i]))
      found = f(reinterpret_cast<PyArrayObject*>(values[i]));
    else if (PyTuple_CheckExact(values[i]))
      found = first_array_of(reinterpret_cast<PyTupleObject*>(values[i])->ob_item, PyTuple_GET_SIZE(values[i]), f);
    if (found)
      return found;
  }
  return nullptr;
}

template <class F> PyObject* first_array(const Lenders& lenders, const F& f) {
  PyObject* found = first_array_of(lenders.values, lenders.count, f);
  for (size_t i = 0; !found && lenders.captured && i < lenders.captured->size(); ++i)
    found = f((*lenders.captured)[i].array());
  return found;
}

// One array as its words give it.
struct Words {
  Type type;
  char* data;
  const int64_t* shape;
  const int64_t* strides;
  mpijit_block* owner;

  Words(Type t, const int64_t* words)
      : type(t), data(reinterpret_cast<char*>(words[0])), shape(words + 1), strides(words + 1 + t->ndim),
        owner(reinterpret_cast<mpijit_block*>(words[1 + 2 * t->ndim])) {}

  Extent extent() const { return extent_of(data, type->ndim, shape, strides, jit::size(type->dtype)); }

  // Strides along axes of length 1 address nothing.
  bool is(PyArrayObject* array) const {
    if (PyArray_NDIM(array) != type->ndim || dtype_of(array) != static_cast<int>(type->dtype) ||
        PyArray_DATA(array) != data)
      return false;
    for (int axis = 0; axis < type->ndim; ++axis)
      if (PyArray_DIM(array, axis) != shape[axis] || (shape[axis] > 1 && PyArray_STRIDE(array, axis) != strides[axis]))
        return false;
    return true;
  }

  PyObject* view() const {
    auto* descriptor = dtypes.descriptors[static_cast<int>(type->dtype)];
    Py_INCREF(descriptor);
    return PyArray_NewFromDescr(&PyArray_Type, descriptor, type->ndim, const_cast<npy_intp*>(shape),
                                const_cast<npy_intp*>(strides), data, type->readonly ? 0 : NPY_ARRAY_WRITEABLE,
                                nullptr);
  }
};

void release_block(PyObject* capsule) {
  mpijit_release(static_cast<mpijit_block*>(PyCapsule_GetPointer(capsule, block_name)));
}

// The view with base, which is a new reference; null when either failed.
PyObject* with_base(Ref view, Ref base) {
  if (!view || !base || PyArray_SetBaseObject(view.array(), base.release()) < 0)
    return nullptr;
  return view.release();
}

PyObject* box_owned(const Words& array) {
  Ref capsule(PyCapsule_New(array.owner, block_name, release_block));
  if (!capsule)
    mpijit_release(array.owner);
  return with_base(Ref(array.view()), std::move(capsule));
}

PyObject* box_lent(const Words& array, const Lenders& lenders) {
  // Of two that are alike the one that may be written to as much; where paths joined, the type says the lesser.
  for (const bool exactly : {true, false}) {
    PyObject* same = first_array(lenders, [&](PyArrayObject* argument) {
      const bool taken = array.is(argument) && (!exactly || PyArray_ISWRITEABLE(argument) != array.type->readonly);
      return taken ? reinterpret_cast<PyObject*>(argument) : nullptr;
    });
    if (same)
      return Py_NewRef(same);
  }
  const Extent extent = array.extent();
  if (PyObject* lender = find_lender(lenders, extent.begin, extent.end))
    return with_base(Ref(array.view()), Ref::borrow(lender));
  if (extent.begin == extent.end) { // no elements, so no memory to share
    auto* descriptor = dtypes.descriptors[static_cast<int>(array.type->dtype)];
    Py_INCREF(descriptor);
    return PyArray_Zeros(array.type->ndim, array.shape, descriptor, 0);
  }
  PyErr_SetString(PyExc_SystemError, "mpijit: a kernel returned an array that no argument and no block contains");
  return nullptr;
}

PyObject* box_scalar(Type t, const int64_t* words) {
  if (t->weak) {
    if (t->dtype == DType::Float64)
      return PyFloat_FromDouble(std::bit_cast<double>(words[0]));
    if (t->dtype == DType::Complex128)
      return PyComplex_FromDoubles(std::bit_cast<double>(words[0]), std::bit_cast<double>(words[1]));
    return t->dtype == DType::Bool ? PyBool_FromLong(words[0] != 0) : PyLong_FromLongLong(words[0]);
  }
  int64_t element[2];
  store_words(t->dtype, words, element);
  return PyArray_Scalar(element, dtypes.descriptors[static_cast<int>(t->dtype)], nullptr);
}

// With lenders the words' owners are taken over, without they are shared.
PyObject* box_any(Type t, const int64_t* words, const Lenders* lenders);

PyObject* box_array(const Words& array, const Lenders* lenders) {
  if (!lenders && array.owner)
    mpijit_retain(array.owner);
  if (array.owner)
    return box_owned(array);
  return lenders ? box_lent(array, *lenders) : array.view();
}

PyObject* box_tuple(Type t, const int64_t* words, const Lenders* lenders) {
  Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(t->items.size())));
  bool failed = !tuple;
  Py_ssize_t i = 0;
  for (const Type item : t->items) {
    // After a failure go on, so that every owner is taken over and released.
    PyObject* value = box_any(item, words, lenders);
    failed |= !value;
    if (tuple && value)
      PyTuple_SET_ITEM(tuple.get(), i, value);
    words += jit::wire_words(item);
    ++i;
  }
  return failed ? nullptr : tuple.release();
}

PyObject* box_slice(Type t, const int64_t* words) {
  Ref bounds[3];
  for (size_t k = 0; k < 3; ++k) {
    bounds[k] = Ref(t->items[k]->is_none() ? Py_NewRef(Py_None) : PyLong_FromLongLong(*words++));
    if (!bounds[k])
      return nullptr;
  }
  return PySlice_New(bounds[0].get(), bounds[1].get(), bounds[2].get());
}

PyObject* box_any(Type t, const int64_t* words, const Lenders* lenders) {
  switch (t->kind) {
  case TypeKind::None: Py_RETURN_NONE;
  case TypeKind::Scalar: return box_scalar(t, words);
  case TypeKind::Array: return box_array(Words(t, words), lenders);
  case TypeKind::Tuple: return t->is_slice() ? box_slice(t, words) : box_tuple(t, words, lenders);
  case TypeKind::String: return PyUnicode_FromStringAndSize(reinterpret_cast<const char*>(words[0]), words[1]);
  case TypeKind::Request: return make_request(*words);
  case TypeKind::Status: return make_status(words);
  case TypeKind::Literal: return PyUnicode_FromStringAndSize(t->text.data(), static_cast<Py_ssize_t>(t->text.size()));
  case TypeKind::Static:
  case TypeKind::Comm:
  case TypeKind::Operator: break;
  }
  PyErr_Format(PyExc_SystemError, "mpijit: a value of type %s reached Python", jit::to_string(t).c_str());
  return nullptr;
}

} // namespace

PyObject* find_lender(const Lenders& lenders, const char* begin, const char* end) {
  return first_array(lenders, [&](PyArrayObject* argument) -> PyObject* {
    const Extent extent = extent_of(PyArray_BYTES(argument), PyArray_NDIM(argument), PyArray_DIMS(argument),
                                    PyArray_STRIDES(argument), PyArray_ITEMSIZE(argument));
    const bool contains = extent.begin <= begin && end <= extent.end && begin < end;
    return contains ? reinterpret_cast<PyObject*>(argument) : nullptr;
  });
}

PyObject* box(Type t, const int64_t* words, const Lenders& lenders) { return box_any(t, words, &lenders); }

PyObject* box_borrowed(Type t, const int64_t* words) { return box_any(t, words, nullptr); }

} // namespace mpijit::bind
