// Wire words back to Python values: results of kernels, and what kernels print.
#pragma once

#include "python.h"

#include "types/type.h"

#include <cstdint>

namespace mpijit::bind {

/// The arguments of the call, whose arrays a result may refer to.
struct Lenders {
  PyObject* const* values;
  Py_ssize_t count;
};

/// The value of type t at words, a new reference, or null with Python's error set. Weak scalars become Python's,
/// strong ones NumPy's. An array with an owner takes that reference over; one without is an argument (that
/// very object when nothing differs) or a view whose base is the argument.
PyObject* box(jit::Type t, const int64_t* words, const Lenders& lenders);

/// The same for words that stay the caller's: owners are shared, and an array without one is valid as long as
/// the caller's is.
PyObject* box_borrowed(jit::Type t, const int64_t* words);

/// The array argument, tuples searched, whose memory contains [begin, end); null when there is none.
PyObject* find_lender(const Lenders& lenders, const char* begin, const char* end);

} // namespace mpijit::bind
