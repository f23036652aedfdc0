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
template <class T> int64_t word_of(T value) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<int64_t>(value);
  else if constexpr (std::is_same_v<T, float>)
    return static_cast<int64_t>(std::bit_cast<uint32_t>(value));
  else
    return static_cast<int64_t>(value);
}

template <class T> void load(const void* memory, int64_t*& words) {
  T value;
  std::memcpy(&value, memory, sizeof value);
  if constexpr (std::is_arithmetic_v<T>) {
    *words++ = word_of(value);
  } else {
    *words++ = word_of(value.real());
    *words++ = word_of(value.imag());
  }
}

} // namespace

void load_words(DType dtype, const void* memory, int64_t*& words) {
  switch (dtype) {
#define DTYPE(name, numpy, kind, size, c_type, mpi)                                                                    \
  case DType::name:                                                                                                    \
    return load<c_type>(memory, words);
#include "mpijit/dtypes.inc"
#undef DTYPE
  }
}

// The machine is little-endian: a number is the low bytes of its word.
void store_words(DType dtype, const int64_t* words, void* memory) {
  const auto part = static_cast<size_t>(jit::is_complex(dtype) ? jit::size(dtype) / 2 : jit::size(dtype));
  std::memcpy(memory, words, part);
  if (jit::is_complex(dtype))
    std::memcpy(static_cast<char*>(memory) + part, words + 1, part);
}

} // namespace mpijit::bind
