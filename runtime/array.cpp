// The layout of an array in memory. Knows shapes and strides only.
#include "array.h"

#include <cstring>

namespace mpijit::rt {

bool elements_in_order(const mpijit_array& array) {
  int64_t expected = dtypes[array.dtype].size;
  bool in_order = true;
  for (int32_t axis = array.ndim - 1; axis >= 0; --axis) {
    if (array.shape[axis] == 0)
      return true;
    if (array.shape[axis] != 1 && array.strides[axis] != expected)
      in_order = false;
    expected *= array.shape[axis];
  }
  return in_order;
}

namespace {

template <class T> int64_t load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<int64_t>(value);
}

} // namespace

int64_t load_integer(const char* at, const Dtype& dtype) {
  const bool with_sign = dtype.kind == 'i';
  switch (dtype.size) {
  case 1: return with_sign ? load<int8_t>(at) : load<uint8_t>(at);
  case 2: return with_sign ? load<int16_t>(at) : load<uint16_t>(at);
  case 4: return with_sign ? load<int32_t>(at) : load<uint32_t>(at);
  default: return with_sign ? load<int64_t>(at) : load<uint64_t>(at);
  }
}

} // namespace mpijit::rt
