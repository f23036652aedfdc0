// The wire form of values: how they cross between the dispatcher and compiled code, and reach print.
// A value is a run of 8-byte words:
//
//   scalar    1   integers extended to 64 bits by their sign, bool 0 or 1, float64 its bits, float32 its
//                 bits in the low half; complex takes 2, real and imaginary part
//   array     2*ndim + 2   data, shape in elements, strides in bytes, owner (a block or null)
//   tuple     its items, one after another          none      0
//   what is known at compile time takes none
//   string    2   pointer, length in bytes          request   1
//   status    4   source, tag, count, nbytes        comm, operator   1
#pragma once

#include "types/type.h"

namespace mpijit::jit {

/// How many words a value of type t takes.
int wire_words(Type t);

} // namespace mpijit::jit
