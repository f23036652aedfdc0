// The layout of an array in memory. Knows shapes and strides only.
#include "array.h"

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

} // namespace mpijit::rt
