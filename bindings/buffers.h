// Python data as the runtime's arrays: what the MPI functions of plain Python accept as buffers.
#pragma once

#include "python.h"

#include "mpijit/runtime.h"

namespace mpijit::bind {

enum class Scalarness {
  Array,  // an array with axes
  Strong, // a NumPy scalar or a 0-d array: a result like it is a NumPy scalar
  Weak,   // Python's own int, float, bool or complex
};

struct Buffer {
  Ref object; // the ndarray; for a scalar a 0-d copy
  Scalarness scalarness = Scalarness::Array;
  mpijit_array array{};
};

/// Where a complaint comes from: routine and parameter.
struct Parameter {
  const char* routine;
  const char* name;
};

/// Data that is read: an ndarray or a scalar. False with a TypeError naming what it is.
bool read_buffer(const Parameter& parameter, PyObject* value, Buffer& buffer);

/// Data that is written: a writeable ndarray.
bool write_buffer(const Parameter& parameter, PyObject* value, Buffer& buffer);

/// A new C-contiguous array with the shape and dtype of another.
bool like_buffer(const Buffer& other, Buffer& buffer);

/// The scalar in a 0-d buffer, as Python's or NumPy's own.
PyObject* scalar_of(const Buffer& buffer);

} // namespace mpijit::bind
