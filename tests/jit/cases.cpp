// Reading text cases; see cases.h.
#include "cases.h"

#include <fstream>
#include <iterator>

namespace mpijit::jit::test {
namespace {

std::string trimmed(const std::string& s) {
  const size_t a = s.find_first_not_of(' ');
  return a == s.npos ? "" : s.substr(a, s.find_last_not_of(' ') - a + 1);
}

} // namespace

std::vector<Case> read_cases(const std::filesystem::path& folder) {
  std::vector<Case> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    bool in_program = false;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("=== case ")) {
        out.push_back({entry.path().stem().string(), line.substr(9), {}, {}});
        in_program = false;
      } else if (line == "=== program") {
        in_program = true;
      } else if (in_program) {
        out.back().program += line + "\n";
      } else {
        out.back().directives.push_back(line);
      }
    }
  }
  return out;
}

std::vector<std::string> split_top_level(const std::string& text, char separator) {
  std::vector<std::string> out;
  int depth = 0;
  std::string part;
  for (char c : text) {
    depth += c == '(' || c == '[';
    depth -= c == ')' || c == ']';
    if (c == separator && depth == 0) {
      out.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty())
    out.push_back(trimmed(part));
  return out;
}

Directive parse_directive(const std::string& line) {
  const std::string text = line.substr(2);
  const size_t space = text.find(' ');
  Directive d{text.substr(0, space), space == text.npos ? "" : trimmed(text.substr(space)), {}};
  if (d.word == "run" || d.rest.empty() || d.rest[0] != '(')
    return d;
  size_t close = 0;
  for (int depth = 0; close < d.rest.size(); ++close) {
    depth += d.rest[close] == '(';
    depth -= d.rest[close] == ')';
    if (depth == 0)
      break;
  }
  d.types = split_top_level(d.rest.substr(1, close - 1), ',');
  d.rest = trimmed(d.rest.substr(close + 1));
  return d;
}

} // namespace mpijit::jit::test
