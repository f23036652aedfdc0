// A stretch of a kernel's source. Lines count from 1 as in the user's file, columns from 1.
#pragma once

#include <cstdint>

namespace mpijit::jit {

struct Span {
  int32_t line = 0, column = 0;
  int32_t end_line = 0, end_column = 0; // one past the last character
};

} // namespace mpijit::jit
