// The functions, kernels and dtypes that a call passes: each specialisation is for certain ones. Their types have no
// words; a call matches when it passes the same things.
#pragma once

#include "python.h"

#include "types/type.h"

#include <vector>

namespace mpijit::bind {

class Fixed {
public:
  /// The values in a sequence, in the order in which their types stand in the parameters.
  bool assign(PyObject* sequence);
  /// Are the arguments of these types, whose words match already, the same things where it matters?
  bool match(const std::vector<jit::Type>& types, PyObject* const* args) const;
  bool empty() const { return values_.empty(); }
  void clear() { std::vector<Ref>().swap(values_); }
  int traverse(visitproc visit, void* arg) const;

private:
  std::vector<Ref> values_;
};

} // namespace mpijit::bind
