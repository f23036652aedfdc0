// What a kernel's compiled code takes for granted: the bindings of the names it captured. Each call compares
// them, so a rebound global or closure variable is seen as in CPython.
#pragma once

#include "python.h"

#include <vector>

namespace mpijit::bind {

/// The same value for a kernel, for which 1, True and 1.0 differ, and 0.0 and -0.0. Functions are the same when they
/// have one code and globals, and the same values in closure and defaults; a kernel is its function.
bool same_value(PyObject* a, PyObject* b);

/// One captured name: dict[key] was value, or the cell held value.
struct Guard {
  PyObject* where; // a dict or a cell
  PyObject* key;   // null for a cell
  PyObject* value; // null: the name was not bound

  bool holds() const;
};

class Guards {
public:
  ~Guards() { clear(); }
  /// From a sequence of (dict, key, value) and (cell, None, value), where `missing` stands for no value.
  bool assign(PyObject* sequence, PyObject* missing);
  bool hold() const {
    for (const Guard& guard : guards_)
      if (!guard.holds())
        return false;
    return true;
  }
  void clear();
  int traverse(visitproc visit, void* arg) const;

private:
  std::vector<Guard> guards_;
};

} // namespace mpijit::bind
