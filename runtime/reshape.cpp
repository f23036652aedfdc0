// The elements of an array in C order under another shape: which shape, and whether the array's memory has it already.
#include <algorithm>

#include "array.h"
#include "shapes.h"

using mpijit::rt::Text;

int32_t mpijit_complete_shape(const mpijit_site* site, const int64_t* old, int64_t old_ndim, int64_t* shape,
                              int64_t ndim) {
  int64_t count = 1, known = 1, *open = nullptr;
  for (int64_t axis = 0; axis < old_ndim; ++axis)
    count *= old[axis];
  bool fits = true;
  for (int64_t axis = 0; axis < ndim; ++axis) {
    if (shape[axis] < 0) {
      if (open)
        return mpijit_raise(site, MPIJIT_ValueError, "can only specify one unknown dimension");
      open = &shape[axis];
    } else {
      fits &= !__builtin_mul_overflow(known, shape[axis], &known);
    }
  }
  if (open)
    fits &= known != 0 && count % known == 0;
  else
    fits &= known == count;
  if (fits) {
    if (open)
      *open = count / known;
    return MPIJIT_OK;
  }
  Text text;
  text.add("cannot reshape array of size ").add(count).add(" into shape (");
  for (int64_t axis = 0; axis < ndim; ++axis) {
    if (shape[axis] < 0)
      text.add("newaxis");
    else
      text.add(shape[axis]);
    if (axis + 1 < ndim || ndim == 1)
      text.add(",");
  }
  return mpijit_raise(site, MPIJIT_ValueError, text.add(")").c_str());
}

// Runs of axes, old and new, that hold equally many elements are matched from the left. Within a run the old axes must
// step through memory as one axis would.
int32_t mpijit_view_as(const mpijit_array* array, const int64_t* shape, int64_t ndim, int64_t* strides) {
  int64_t lengths[mpijit::rt::max_dimensions], steps[mpijit::rt::max_dimensions], old = 0;
  const int64_t size = mpijit::rt::dtypes[array->dtype].size;
  const bool is_empty = mpijit::rt::element_count(*array) == 0;
  for (int32_t axis = 0; axis < array->ndim; ++axis)
    if (array->shape[axis] != 1) {
      lengths[old] = array->shape[axis];
      steps[old++] = array->strides[axis];
    }
  if (is_empty || old == 0) { // any strides will do
    int64_t step = size;
    for (int64_t axis = ndim; axis-- > 0; step *= std::max<int64_t>(shape[axis], 1))
      strides[axis] = step;
    return 1;
  }
  int64_t from = 0, to = 0;
  while (from < old) {
    int64_t past = from + 1, end = to, have = lengths[from], want = 1;
    while (want != have || end == to) {
      if (want < have || end == to)
        want *= shape[end++];
      else
        have *= lengths[past++];
    }
    for (int64_t k = from; k + 1 < past; ++k)
      if (steps[k] != lengths[k + 1] * steps[k + 1])
        return 0;
    int64_t step = steps[past - 1];
    for (int64_t k = end; k-- > to;) {
      strides[k] = step;
      step *= shape[k];
    }
    from = past;
    to = end;
  }
  for (; to < ndim; ++to) // axes of length 1 behind the last run
    strides[to] = size;
  return 1;
}
