// Wire words back to Python values: results of kernels, and what kernels print.
#pragma once

#include "python.h"

#include "types/type.h"

#include <cstdint>
#include <vector>

namespace mpijit::bind {

/// The arguments of the call and the arrays that its kernel captured: what a result may refer to.
struct Lenders {
  PyObject* const* values;
  Py_ssize_t count;
  const std::vector<Ref>* captured = nullptr;
};

/// The value of type t at words, a new reference, or null with Python's error set. Weak scalars become Python's,
/// strong ones NumPy's. An array with an owner takes that reference over; one without is one of the
/// lenders (that very object when nothing differs) or a view whose base is one.
PyObject* box(jit::Type t, const int64_t* words, const Lenders& lenders);

/// The same for words that stay the caller's: owners are shared, and an array without one is valid as long as
/// the caller's is.
PyObject* box_borrowed(jit::Type t, const int64_t* words);

/// The array among them, tuples searched, whose memory contains [begin, end); null when there is none.
PyObject* find_lender(const Lenders& lenders, const char* begin, const char* end);

} // namespace mpijit::bind
