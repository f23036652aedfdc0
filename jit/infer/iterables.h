// What a for loop runs over, as iterables.cpp makes it and for_loops.cpp loops over it.
#pragma once

#include "infer/body.h"

namespace mpijit::jit::inference {

/// A value, or a tuple in parts that targets can take without the tuple being made.
struct Part {
  Operand value = {};
  std::vector<Part> parts = {};
  bool is_tuple = false;
};

/// The expressions in it read only what the loop does not change, and may be evaluated any number of times.
struct Iterable {
  struct Counter {
    ir::Expr *start, *stop, *step;
  };
  std::vector<Counter> counters = {};
  std::optional<int64_t> count = {};                          // the loop is unrolled: so many items,
  std::function<ir::Expr*(int64_t)> more = {};                // of which the k-th exists only if more(k)
  std::function<Part(const std::vector<Operand>&)> item = {}; // of the counters; unrolled: of k
  std::function<void()> finish = {};                          // emits what comes when the items have run out
  bool is_sequence = false;                                   // can be gone through backwards
};

} // namespace mpijit::jit::inference
