// Formatting of diagnostics; see diagnostic.h.
#include "diag/diagnostic.h"

#include <algorithm>

namespace mpijit::jit {
namespace {

struct Row {
  std::string_view message, hint;
};

constexpr Row rows[] = {
#define DIAGNOSTIC(name, message, hint) {message, hint},
#include "diag/diagnostics.inc"
#undef DIAGNOSTIC
};

std::string fill(std::string_view text, std::initializer_list<std::string_view> args) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}') {
      size_t k = static_cast<size_t>(text[i + 1] - '0');
      if (k < args.size()) {
        out += args.begin()[k];
        i += 2;
        continue;
      }
    }
    out += text[i];
  }
  return out;
}

std::string_view line_of(std::string_view source, int index) {
  for (; index > 0; --index) {
    size_t end = source.find('\n');
    if (end == source.npos)
      return {};
    source.remove_prefix(end + 1);
  }
  return source.substr(0, source.find('\n'));
}

// Columns count characters, so everything here does too: bytes that continue one do not count.
bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
int characters(std::string_view text) {
  return static_cast<int>(text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), continues)));
}

// The source line and carets under the span, indented by four.
std::string excerpt(Span span, std::string_view source, int first_line) {
  std::string_view line = line_of(source, span.line - first_line);
  const size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
  std::string_view text = line.substr(indent);
  if (text.empty())
    return {};
  const int width = characters(text), shift = 1 + static_cast<int>(indent);
  const int start = std::clamp(span.column - shift, 0, width);
  const int end = span.end_line == span.line ? span.end_column - shift : width;
  const int carets = std::max(std::min(end, width) - start, 1);
  return "    " + std::string(text) + "\n    " + std::string(static_cast<size_t>(start), ' ') +
         std::string(static_cast<size_t>(carets), '^') + "\n";
}

std::string place(Span span, std::string_view file) {
  return std::string(file) + ":" + std::to_string(span.line) + ":" + std::to_string(span.column);
}

} // namespace

Diagnostic make_diagnostic(Diag id, Span span, std::initializer_list<std::string_view> args) {
  const Row& row = rows[static_cast<size_t>(id)];
  Diagnostic d;
  d.id = id;
  d.message = fill(row.message, args);
  d.hint = fill(row.hint, args);
  d.span = span;
  return d;
}

void refuse(Diag id, Span span, std::initializer_list<std::string_view> args) {
  throw Refusal(make_diagnostic(id, span, args));
}

std::string render(const Diagnostic& d, std::string_view file, std::string_view source, int first_line,
                   std::string_view kernel) {
  std::string out = place(d.span, file) + ": " + d.message + "\n" + excerpt(d.span, source, first_line);
  if (!d.note.empty())
    out += "  " + place(d.note_span, file) + ": " + d.note + "\n" + excerpt(d.note_span, source, first_line);
  if (!d.hint.empty())
    out += "  " + d.hint + "\n";
  if (!kernel.empty())
    out += "  in kernel " + std::string(kernel) + "\n";
  out.pop_back();
  return out;
}

} // namespace mpijit::jit
