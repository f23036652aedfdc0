// Text of trees and constants, for dumps, messages and tests; see read.h.
#include "syntax/read.h"

#include <charconv>

namespace mpijit::jit {
namespace {

constexpr std::string_view names[] = {
#define NODE(name, children, text) #name,
#include "syntax/nodes.inc"
#undef NODE
};

// As JSON, but UTF-8 is left as it is.
std::string quoted(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      ((out += "\\u00") += digits[c >> 4]) += digits[c & 15];
    else
      out += c;
  }
  return out + '"';
}

std::string real_text(double value) {
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

struct ConstantText {
  std::string operator()(None) const { return "none"; }
  std::string operator()(Ellipsis) const { return "ellipsis"; }
  std::string operator()(const Slice& s) const {
    std::string out = "slice";
    for (const std::optional<int64_t>& bound : {s.start, s.stop, s.step})
      out += bound ? " int " + std::to_string(*bound) : " none";
    return out;
  }
  std::string operator()(bool b) const { return b ? "bool True" : "bool False"; }
  std::string operator()(int64_t i) const { return "int " + std::to_string(i); }
  std::string operator()(double d) const { return "float " + real_text(d); }
  std::string operator()(std::complex<double> z) const {
    return "complex " + real_text(z.real()) + " " + real_text(z.imag());
  }
  std::string operator()(const std::string& s) const { return "str " + quoted(s); }
  std::string operator()(const FunctionName& f) const { return "function " + quoted(f.name); }
  std::string operator()(const DTypeName& d) const { return "dtype " + quoted(d.name); }
  std::string operator()(const ExceptionName& e) const { return "exception " + quoted(e.name); }
  std::string operator()(const ModuleName& m) const { return "module " + quoted(m.name); }
  std::string operator()(const KernelIndex& k) const { return "kernel " + std::to_string(k.index); }
  std::string operator()(const CapturedArray& a) const {
    return "array " + std::to_string(a.index) + " " + quoted(a.type);
  }
  std::string operator()(const Handle& h) const { return "handle " + h.kind + " " + std::to_string(h.value); }
  std::string operator()(const Unsupported& u) const { return "unsupported " + quoted(u.what); }
  std::string operator()(const BigInteger& b) const { return "big " + quoted(b.digits); }
  std::string operator()(const ConstantTuple& items) const {
    std::string out = "tuple " + std::to_string(items.size());
    for (const Constant& item : items)
      out += " " + to_string(item);
    return out;
  }
};

void print_node(std::string& out, const Node& n, size_t depth) {
  out.append(2 * depth, ' ');
  out += name_of(n.kind);
  if (n.kind == NodeKind::Constant)
    out += " " + to_string(n.constant);
  else if (!n.text.empty())
    out += " " + n.text;
  if (n.span.line > 0)
    out += "  @" + std::to_string(n.span.line) + ":" + std::to_string(n.span.column);
  out += '\n';
  for (const Node* kid : n.kids)
    print_node(out, *kid, depth + 1);
}

} // namespace

std::string_view name_of(NodeKind kind) { return names[static_cast<size_t>(kind)]; }

std::string to_string(const Constant& c) {
  std::string text = std::visit(ConstantText{}, c.value);
  return c.dtype.empty() ? text : "scalar " + c.dtype + " " + text;
}

std::string print(const Program& program) {
  std::string out;
  for (const Function& f : program.functions) {
    out += "function " + f.name + "  " + f.file + ":" + std::to_string(f.first_line) + "\n";
    for (const auto& [name, value] : f.captures)
      out += "  capture " + name + " = " + to_string(value) + "\n";
    for (const Constant& value : f.defaults)
      out += "  default " + to_string(value) + "\n";
    print_node(out, *f.tree, 1);
  }
  return out;
}

} // namespace mpijit::jit
