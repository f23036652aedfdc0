// What the compiler says to a user: one row of diagnostics.inc, filled in, with a place.
//
// A stage that must refuse throws Refusal; compile() is the one edge that catches it. Nothing else throws.
#pragma once

#include "diag/span.h"

#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace mpijit::jit {

enum class Diag {
#define DIAGNOSTIC(name, message, hint) name,
#include "diag/diagnostics.inc"
#undef DIAGNOSTIC
};

struct Diagnostic {
  Diag id;
  std::string message; // one sentence, no full stop
  std::string hint;    // what to write instead; may be empty
  Span span;
  std::string note; // a second place ("int64 here"), for joins; may be empty
  Span note_span;
  int function = -1; // index in the Program of the function the span is in; -1: not known yet
};

/// Fills {0}, {1}, ... of a row's message and hint with the arguments.
Diagnostic make_diagnostic(Diag id, Span span, std::initializer_list<std::string_view> args);

class Refusal : public std::exception {
public:
  explicit Refusal(Diagnostic d) : diagnostic(std::move(d)) {}
  const char* what() const noexcept override { return diagnostic.message.c_str(); }
  Diagnostic diagnostic;
};

[[noreturn]] void refuse(Diag id, Span span, std::initializer_list<std::string_view> args = {});

/// The text a user reads, at most eight lines: place and message, the source line with a caret, the second
/// place if any, the hint, the kernel. `source` is the function's own text, whose first line is `first_line`
/// of `file`.
std::string render(const Diagnostic& d, std::string_view file, std::string_view source, int first_line,
                   std::string_view kernel);

} // namespace mpijit::jit
