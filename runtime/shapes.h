// Shapes in the words of error messages. Knows neither arrays nor who raises.
#pragma once

#include "mpijit/runtime.h"

namespace mpijit::rt {

// A message under construction; what does not fit is cut, as in the error record.
class Text {
public:
  const char* c_str() const { return chars_; }
  // A shape as NumPy writes it in most messages: (), (5,), (3,4).
  Text& shape(const int64_t* lengths, int64_t ndim);
  Text& add(const char* words);
  Text& add(int64_t number);

private:
  char chars_[MPIJIT_MESSAGE_SIZE] = "";
  int used_ = 0;
};

} // namespace mpijit::rt
