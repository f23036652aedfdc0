#include "dtypes.h"

#include <bit>
#include <cstring>
#include <type_traits>

namespace mpijit::bind {

DTypes dtypes;

bool fill_dtypes() {
  for (int number = 0; number < NPY_NTYPES_LEGACY; ++number) {
    dtypes.by_number[number] = -1;
    PyArray_Descr* descriptor = PyArray_DescrFromType(number);
    if (!descriptor)
      return false;
    const auto found = jit::find_dtype(descriptor->kind, static_cast<int>(PyDataType_ELSIZE(descriptor)));
    if (found) {
      const int dtype = static_cast<int>(*found);
      dtypes.by_number[number] = static_cast<int8_t>(dtype);
      // Several C types share a size; the one NumPy names int64 is the one its name gives.
      Ref name(PyUnicode_FromString(jit::row(*found).name.data()));
      PyArray_Descr* named = nullptr;
      if (!name || !PyArray_DescrConverter(name.get(), &named))
        return false;
      if (named->type_num == number) {
        dtypes.descriptors[dtype] = named;
        dtypes.scalars[dtype] = descriptor->typeobj;
      } else {
        dtypes.other_scalars[dtype] = descriptor->typeobj;
        Py_DECREF(named);
      }
    }
    Py_DECREF(descriptor);
  }
  return true;
}

int dtype_of_scalar(PyTypeObject* type) {
  for (int dtype = 0; dtype < dtype_count; ++dtype)
    if (type == dtypes.scalars[dtype] || type == dtypes.other_scalars[dtype])
      return dtype;
  return -1;
}

namespace {
template <class T> int64_t word_of(const void* memory) {
  if constexpr (std::is_arithmetic_v<T>) {
    T value;
    std::memcpy(&value, memory, sizeof value);
    if constexpr (std::is_same_v<T, double>)
      return std::bit_cast<int64_t>(value);
    else if constexpr (std::is_same_v<T, float>)
      return static_cast<int64_t>(std::bit_cast<uint32_t>(value));
    else
      return static_cast<int64_t>(value);
  } else {
    return 0;
  }
}

} // namespace

int64_t load_word(DType dtype, const void* memory) {
  switch (dtype) {
#define DTYPE(name, numpy, kind, size, c_type, mpi)                                                                    \
  case DType::name:                                                                                                    \
    return word_of<c_type>(memory);
#include "mpijit/dtypes.inc"
#undef DTYPE
  }
  return 0;
}

// The machine is little-endian: an element is the low bytes of its word.
void store_word(DType dtype, int64_t word, void* memory) {
  std::memcpy(memory, &word, static_cast<size_t>(jit::size(dtype) < 8 ? jit::size(dtype) : 8));
}

} // namespace mpijit::bind
