// Python's and NumPy's C interfaces, included in one way everywhere, and an owning reference.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL mpijit_core_array_api
#ifndef MPIJIT_IMPORTS_NUMPY // module.cpp alone fills the table of functions
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <utility>

namespace mpijit::bind {

/// Owns one reference; null after a failed call, with Python's error set.
class Ref {
public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  static Ref borrow(PyObject* object) { return Ref(Py_XNewRef(object)); }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }
  PyArrayObject* array() const { return reinterpret_cast<PyArrayObject*>(object_); }

private:
  PyObject* object_ = nullptr;
};

/// A type made from a spec whose tp_dealloc only has to free its memory.
inline void free_instance(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

} // namespace mpijit::bind
