// A program text as the dispatcher holds it: what it takes for granted about captured names, and the arrays it
// captures, whose memory compiled code gets with each call behind the arguments.
#pragma once

#include "box.h"
#include "guards.h"
#include "match.h"
#include "python.h"

#include <vector>

namespace mpijit::bind {

class BoundProgram {
public:
  ~BoundProgram() { clear(); }
  /// guards as Guards::assign takes them; arrays a sequence of (text of the type, array). False with Python's error
  /// set.
  bool assign(PyObject* text, PyObject* guards, PyObject* missing, PyObject* arrays);

  PyObject* text() const { return text_.get(); }
  int words() const { return words_; } // of the arrays

  /// Is every name bound as it was, and every array still of its type?
  bool holds() const {
    if (!guards_.hold())
      return false;
    for (const Captured& captured : arrays_)
      if (!fits(captured.type, captured.array))
        return false;
    return true;
  }
  void write(int64_t* words) const {
    for (const Captured& captured : arrays_)
      write_words(captured.type, captured.array, words);
  }
  /// References to the arrays, for as long as a call runs.
  std::vector<Ref> hold_arrays() const;

  void clear();
  int traverse(visitproc visit, void* arg) const;

private:
  struct Captured {
    jit::Type type;
    PyObject* array;
  };
  Ref text_;
  Guards guards_;
  std::vector<Captured> arrays_;
  int words_ = 0;
};

} // namespace mpijit::bind
