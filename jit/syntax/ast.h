// The syntax tree: CPython's ast, flattened by bindings/mpijit/_source.py and read back by read.h.
//
// Nodes are generic on purpose: a kind, a text, children in a fixed order given by the table nodes.inc.
// Desugaring and inference switch on the kind; there is no class per node. Knows nothing of types.
#pragma once

#include "diag/span.h"

#include <complex>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mpijit::jit {

enum class NodeKind : uint8_t {
#define NODE(name, children, text) name,
#include "syntax/nodes.inc"
#undef NODE
};

struct None {
  bool operator==(const None&) const = default;
};
struct Constant;
/// Functions and classes that kernels may name, by their canonical dotted name: "math.sin", "numpy.zeros",
/// "builtins.len", "mpijit.mpi.send", "mpijit.prange".
struct FunctionName {
  std::string name;
  bool operator==(const FunctionName&) const = default;
};
struct DTypeName { // np.float64, np.dtype("f8"), the builtins float, int, bool where a dtype is wanted
  std::string name;
  bool operator==(const DTypeName&) const = default;
};
struct ExceptionName {
  std::string name;
  bool operator==(const ExceptionName&) const = default;
};
struct ModuleName {
  std::string name;
  bool operator==(const ModuleName&) const = default;
};
struct KernelIndex { // another function of the Program
  int index;
  bool operator==(const KernelIndex&) const = default;
};
struct CapturedArray { // an array that the caller passes on with each call: its number in the program, its type's text
  int index;
  std::string type;
  bool operator==(const CapturedArray&) const = default;
};
struct Handle { // an MPI object: kind "operator" or "comm" or "in_place" or "request"
  std::string kind;
  int64_t value;
  bool operator==(const Handle&) const = default;
};
struct Unsupported { // something captured that kernels cannot use; refused when used
  std::string what;
  bool operator==(const Unsupported&) const = default;
};
struct BigInteger { // an integer literal beyond int64, as text
  std::string digits;
  bool operator==(const BigInteger&) const = default;
};
struct Ellipsis { // the literal ...
  bool operator==(const Ellipsis&) const = default;
};
struct Slice { // a captured slice
  std::optional<int64_t> start, stop, step;
  bool operator==(const Slice&) const = default;
};
using ConstantTuple = std::vector<Constant>;

/// A compile-time value: a literal, or what a captured name is bound to. Strong scalars (a captured
/// np.float32(2)) carry their dtype's name.
struct Constant {
  std::variant<None, bool, int64_t, double, std::complex<double>, std::string, ConstantTuple, FunctionName, DTypeName,
               ExceptionName, ModuleName, KernelIndex, Handle, BigInteger, Unsupported, Ellipsis, Slice, CapturedArray>
      value;
  std::string dtype = {}; // of a strong scalar; empty: weak
  bool operator==(const Constant&) const = default;
};

struct Node {
  NodeKind kind;
  Span span;
  std::string text;  // identifier, operator, attribute name ...
  Constant constant; // of kind Constant
  std::vector<Node*> kids;

  Node& operator[](size_t i) const { return *kids[i]; }
};

/// One Python function: its tree, its source for diagnostics, and what its free names are bound to. Keys
/// of captures are dotted as written: "np.zeros", "N", "mpi.SUM".
struct Function {
  std::string name; // qualified name
  std::string file;
  int first_line = 1; // of `source` in `file`
  std::string source;
  Node* tree = nullptr; // FunctionDef or Lambda
  std::map<std::string, Constant, std::less<>> captures;
  std::vector<Constant> defaults; // of the last parameters, evaluated at definition; see read.h
  bool literals = false;          // small ints and bools that a call writes are known when it is compiled
};

/// A kernel and everything it can reach. functions[0] is the kernel. Owns its nodes.
struct Program {
  std::vector<Function> functions;
  std::deque<Node> nodes;

  Node* make(NodeKind kind, Span span, std::string text = {}, std::vector<Node*> kids = {}) {
    nodes.push_back(Node{kind, span, std::move(text), {}, std::move(kids)});
    return &nodes.back();
  }
};

std::string_view name_of(NodeKind kind);

} // namespace mpijit::jit
