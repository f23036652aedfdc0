// One compiled entry point and how to call it: write the arguments' words, run, box the result.
#pragma once

#include "box.h"
#include "fixed.h"
#include "match.h"
#include "program.h"
#include "python.h"

#include "mpijit/runtime.h"

#include <memory>
#include <string>
#include <vector>

namespace mpijit::bind {

struct Specialisation {
  std::vector<jit::Type> parameters;
  jit::Type result = nullptr;
  int32_t (*entry)(const int64_t* arguments, int64_t* result) = nullptr;
  bool communicates = false;
  bool uses_mpi = false;
  int argument_words = 0; // the captured arrays' come behind them
  int result_words = 0;
  const mpijit_site* site = nullptr; // the kernel's definition
  // When functions are passed: which, and the program that holds them too.
  Fixed fixed;
  std::unique_ptr<BoundProgram> own;

  Match write(PyObject* const* args, int64_t* words) const {
    for (const jit::Type t : parameters)
      if (const Match match = write_words(t, *args++, words); match != Match::Yes)
        return match;
    return fixed.empty() || (fixed.match(parameters, args - parameters.size()) && own->holds()) ? Match::Yes
                                                                                                : Match::No;
  }

  /// Runs it on arguments written to words. globals: those of the kernel, for its traceback.
  PyObject* run(const int64_t* words, const Lenders& arguments, PyObject* globals) const;
};

/// Room for words: on the stack for all but very large signatures.
class WordBuffer {
public:
  explicit WordBuffer(int count) {
    if (count > on_stack) {
      heap_.resize(static_cast<size_t>(count));
      words_ = heap_.data();
    }
  }
  WordBuffer(const WordBuffer&) = delete;
  int64_t* get() { return words_; }

private:
  static constexpr int on_stack = 48;
  int64_t stack_[on_stack];
  std::vector<int64_t> heap_;
  int64_t* words_ = stack_;
};

} // namespace mpijit::bind
