// Reads the program text that bindings/mpijit/_source.py writes. One record a line, UTF-8:
//
//   mpijit-program 1
//   function <name> <file> <first line> <source>       strings are JSON
//   literals                                           implements another function, see mpijit.overload
//   default <constant>
//   capture <dotted name> <constant>                   the name is JSON too
//   <Kind> <line>:<column>-<line>:<column> <children> [<text as JSON> | <constant>]
//
// What is said of a function, its defaults, captures and nodes follow it. Nodes come in pre-order with the number of
// their children; a Block stands for a list, and it and Empty have the span 0:0-0:0. Defaults start at the first
// parameter that has one; a parameter after it without one (keyword-only ones may mix) has `unsupported`.
//
// Constants are written in prefix form: `none`, `ellipsis`, `slice none int 2 none`, `bool True`, `int -5`, `float 1.5`
// (Python's repr, inf and nan included, or hexadecimal), `complex 0.0 2.0`, `str "a"`, `big "123..."` (beyond int64),
// `tuple 2 int 1 int 2`, `scalar float32 float 1.5`, `scalar uint64 big "18446744073709551615"`, `function
// "numpy.zeros"`, `dtype "float64"`, `exception "ValueError"`, `module "numpy"`, `kernel 3`, `array 0 "float64[:,
// ::1]"` (the arrays of a program are numbered from 0), `handle operator 0`, `unsupported "a list"`.
#pragma once

#include "syntax/ast.h"

#include <string_view>

namespace mpijit::jit {

/// The program, or an exception of type std::invalid_argument naming the line: text that _source.py did
/// not write is a bug of ours, not of the user's.
Program read(std::string_view text);

/// One node a line, indented, with the line and column where it starts: what MPIJIT_DUMP=syntax shows.
std::string print(const Program& program);
/// The prefix form above, and back.
std::string to_string(const Constant& c);
Constant read_constant(std::string_view text);

} // namespace mpijit::jit
