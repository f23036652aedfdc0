// Text cases: kernels in Python files under cases/, with what must come of them in comments above each.
//
//   #: refuse (float64[:], int) +2:9 part of the message     compiling refuses, 2 lines below the def, column 9
//   #: infer (int, float32) -> float32                        the result's type
//   #: ir (float64[::1])                                      the printed IR holds these lines, in order:
//   #| for i in range(0, dim(u, 0), 1)
//   #: run 3; float64[2]=1 2 -> 7.0 | float64[2]=0 0          result | arrays after the call
//   #: run 0 raises ZeroDivisionError: integer division       (part of the message; | arrays may follow)
//
// Values: 3, 2.5, 1.0-2.0j, True, None, float32:1.5, complex64:0.0+1.0j, float64[2x2]=1 2 3 4, (1, 2.0).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mpijit::jit::test {

struct Case {
  std::string file, name;
  std::vector<std::string> directives; // "#:..." and "#|..." lines
  std::string program;
};

/// Every case of every flattened file in a folder.
std::vector<Case> read_cases(const std::filesystem::path& folder);

/// Splits "refuse (a, b) rest" into its word, the types in parentheses and the rest.
struct Directive {
  std::string word, rest;
  std::vector<std::string> types; // of refuse, infer, ir
};
Directive parse_directive(const std::string& line);

std::vector<std::string> split_top_level(const std::string& text, char separator);

} // namespace mpijit::jit::test
