// Python values against argument types: which type a value has, and its wire words if it is of a given type.
// A value has exactly one type, so a specialisation matches a call or does not; nothing is converted.
#pragma once

#include "python.h"

#include "types/type.h"

#include <cstdint>

namespace mpijit::bind {

/// The type of a value as an argument, or null when kernels do not take it (no Python error is set).
jit::Type type_of(PyObject* value);

/// Is the array of this type, which says dtype, rank, contiguity and whether it is writeable?
bool fits(jit::Type t, PyObject* array);

enum class Match { Yes, No, Raised };

/// If value is of type t, appends its words (see types/wire.h) and returns Yes. Raised: an int beyond 64 bits.
/// Functions, kernels and dtypes are not looked at: they have no words, see Fixed.
Match write_words(jit::Type t, PyObject* value, int64_t*& words);

} // namespace mpijit::bind
