// NumPy's type numbers, descriptors and scalar classes against the dtypes of the table. Filled once, when the
// module is imported; afterwards read only.
#pragma once

#include "python.h"

#include "types/dtype.h"

#include <complex>
#include <cstdint>

namespace mpijit::bind {

using jit::DType;

inline constexpr int dtype_count = sizeof(jit::dtype_rows) / sizeof(jit::dtype_rows[0]);

struct DTypes {
  int8_t by_number[NPY_NTYPES_LEGACY];      // the dtype of a NumPy type number, or -1
  PyArray_Descr* descriptors[dtype_count];  // native byte order
  PyTypeObject* scalars[dtype_count];       // np.float64, ...
  PyTypeObject* other_scalars[dtype_count]; // np.longlong beside np.int64; mostly null
};
extern DTypes dtypes;

/// False with Python's error set.
bool fill_dtypes();

/// The dtype of an array kernels and messages may use: in the table, native, aligned. -1: not such an array.
inline int dtype_of(PyArrayObject* array) {
  const PyArray_Descr* descriptor = PyArray_DESCR(array);
  const int number = descriptor->type_num;
  if (number < 0 || number >= NPY_NTYPES_LEGACY || descriptor->byteorder == '>' || !PyArray_ISALIGNED(array))
    return -1;
  return dtypes.by_number[number];
}

/// The dtype whose NumPy scalar class this is, or -1.
int dtype_of_scalar(PyTypeObject* type);

/// Where a NumPy scalar of a dtype of the table holds its value.
inline const void* scalar_data(PyObject* scalar) { return &reinterpret_cast<PyDoubleScalarObject*>(scalar)->obval; }

/// Writes the wire words of the element at `memory` (see types/wire.h) and moves `words` past them.
void load_words(DType dtype, const void* memory, int64_t*& words);
/// The element that the words stand for, written to `memory`.
void store_words(DType dtype, const int64_t* words, void* memory);

} // namespace mpijit::bind
