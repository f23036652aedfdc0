// The errors of shapes that do not fit, in NumPy's words, so that a kernel and its interpreted twin say the same.
#include "shapes.h"

#include <algorithm>
#include <cstdio>

namespace mpijit::rt {

Text& Text::add(const char* words) {
  const int room = static_cast<int>(sizeof chars_) - used_;
  used_ += std::min(std::snprintf(chars_ + used_, room, "%s", words), room - 1);
  return *this;
}

Text& Text::add(int64_t number) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(number));
  return add(digits);
}

Text& Text::shape(const int64_t* lengths, int64_t ndim) {
  add("(");
  for (int64_t axis = 0; axis < ndim; ++axis) {
    add(lengths[axis]);
    if (axis + 1 < ndim || ndim == 1)
      add(",");
  }
  return add(")");
}

} // namespace mpijit::rt

using mpijit::rt::Text;

int32_t mpijit_raise_broadcast(const mpijit_site* site, const int64_t* shapes, const int64_t* ndims, int64_t count) {
  Text text;
  text.add("operands could not be broadcast together with shapes ");
  for (int64_t i = 0; i < count; shapes += ndims[i++])
    text.shape(shapes, ndims[i]).add(" ");
  return mpijit_raise(site, MPIJIT_ValueError, text.c_str());
}

int32_t mpijit_raise_output(const mpijit_site* site, const int64_t* output, int64_t output_ndim, const int64_t* shape,
                            int64_t ndim) {
  Text text;
  text.add("non-broadcastable output operand with shape ").shape(output, output_ndim);
  text.add(" doesn't match the broadcast shape ").shape(shape, ndim);
  return mpijit_raise(site, MPIJIT_ValueError, text.c_str());
}

int32_t mpijit_raise_assign(const mpijit_site* site, const int64_t* target, int64_t target_ndim, const int64_t* source,
                            int64_t source_ndim) {
  for (; source_ndim > target_ndim && *source == 1; --source_ndim)
    ++source; // NumPy first drops axes of length 1 that the target has no place for
  Text text;
  text.add("could not broadcast input array from shape ").shape(source, source_ndim);
  text.add(" into shape ").shape(target, target_ndim);
  return mpijit_raise(site, MPIJIT_ValueError, text.c_str());
}
