// One line of the program text, read word by word from the front. Internal to this folder; see read.h for the
// format. Whatever is malformed throws std::invalid_argument with what is wrong; the reader adds the line.
#pragma once

#include "syntax/ast.h"

#include <charconv>
#include <stdexcept>
#include <system_error>

namespace mpijit::jit::reading {

inline constexpr int max_tuple_depth = 50;

[[noreturn]] inline void fail(std::string_view what) { throw std::invalid_argument(std::string(what)); }

inline void append_utf8(std::string& out, uint32_t c) {
  auto byte = [&](uint32_t b) { out += static_cast<char>(b); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0 | c >> 6);
    byte(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    byte(0xE0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  } else {
    byte(0xF0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3F));
    byte(0x80 | (c >> 6 & 0x3F));
    byte(0x80 | (c & 0x3F));
  }
}

// One line of the text, read word by word from the front.
class Line {
public:
  explicit Line(std::string_view text) : rest(text) {}

  bool at_end() const { return rest.empty(); }

  void end() const {
    if (!at_end())
      fail("text after the end of a record");
  }

  std::string_view word() {
    std::string_view w = rest.substr(0, rest.find(' '));
    if (w.empty())
      fail("a word is missing");
    rest.remove_prefix(w.size());
    skip_space();
    return w;
  }

  std::string string() {
    expect('"');
    std::string out;
    while (!accept('"'))
      character(out);
    skip_space();
    return out;
  }

  template <class Int> Int integer() {
    Int value = number<Int>();
    skip_space();
    return value;
  }

  Span span() {
    Span s;
    s.line = number<int32_t>();
    expect(':');
    s.column = number<int32_t>();
    expect('-');
    s.end_line = number<int32_t>();
    expect(':');
    s.end_column = number<int32_t>();
    skip_space();
    return s;
  }

  Constant constant(int depth = 0) {
    std::string_view tag = word();
    if (tag == "none")
      return {None{}};
    if (tag == "ellipsis")
      return {Ellipsis{}};
    if (tag == "slice")
      return {slice()};
    if (tag == "bool")
      return {boolean()};
    if (tag == "int")
      return {integer<int64_t>()};
    if (tag == "float")
      return {real()};
    if (tag == "complex")
      return {complex()};
    if (tag == "str")
      return {string()};
    if (tag == "big")
      return {BigInteger{string()}};
    if (tag == "tuple")
      return {tuple(depth + 1)};
    if (tag == "scalar")
      return scalar();
    if (tag == "function")
      return {FunctionName{string()}};
    if (tag == "dtype")
      return {DTypeName{string()}};
    if (tag == "exception")
      return {ExceptionName{string()}};
    if (tag == "module")
      return {ModuleName{string()}};
    if (tag == "kernel")
      return {KernelIndex{integer<int>()}};
    if (tag == "array") {
      const int index = integer<int>();
      return {CapturedArray{index, string()}};
    }
    if (tag == "handle") {
      std::string kind(word());
      return {Handle{std::move(kind), integer<int64_t>()}};
    }
    if (tag == "unsupported")
      return {Unsupported{string()}};
    fail("unknown constant '" + std::string(tag) + "'");
  }

private:
  void skip_space() {
    if (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
  }

  bool accept(char c) {
    if (rest.empty() || rest.front() != c)
      return false;
    rest.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c))
      fail(std::string("expected '") + c + "'");
  }

  char next() {
    if (rest.empty())
      fail("a string does not end");
    char c = rest.front();
    rest.remove_prefix(1);
    return c;
  }

  template <class Int> Int number() {
    Int value{};
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc())
      fail("a number is missing or out of range");
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    return value;
  }

  bool boolean() {
    std::string_view w = word();
    if (w != "True" && w != "False")
      fail("expected True or False");
    return w == "True";
  }

  double real() {
    std::string_view w = word();
    bool negative = w.starts_with('-');
    w.remove_prefix(negative ? 1 : 0);
    bool hex = w.starts_with("0x");
    w.remove_prefix(hex ? 2 : 0);
    double value = 0;
    auto format = hex ? std::chars_format::hex : std::chars_format::general;
    auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value, format);
    if (error != std::errc() || end != w.data() + w.size() || w.starts_with('-'))
      fail("malformed float");
    return negative ? -value : value;
  }

  std::complex<double> complex() {
    const double re = real();
    return {re, real()};
  }

  ConstantTuple tuple(int depth) {
    if (depth > max_tuple_depth)
      fail("tuples nested too deep");
    ConstantTuple items;
    for (auto n = integer<uint32_t>(); n > 0; --n)
      items.push_back(constant(depth));
    return items;
  }

  Slice slice() {
    Slice out;
    for (std::optional<int64_t>* bound : {&out.start, &out.stop, &out.step}) {
      const std::string_view tag = word();
      if (tag == "int")
        *bound = integer<int64_t>();
      else if (tag != "none")
        fail("a slice's bound is no integer");
    }
    return out;
  }

  Constant scalar() {
    std::string dtype(word());
    Constant c = constant();
    if (!std::holds_alternative<bool>(c.value) && !std::holds_alternative<int64_t>(c.value) &&
        !std::holds_alternative<double>(c.value) && !std::holds_alternative<std::complex<double>>(c.value) &&
        !std::holds_alternative<BigInteger>(c.value))
      fail("a scalar that is no number");
    c.dtype = std::move(dtype);
    return c;
  }

  // One character of a JSON string, escapes resolved, appended as UTF-8. A lone surrogate, which Python
  // strings may hold, becomes three bytes of its own.
  void character(std::string& out) {
    char c = next();
    if (static_cast<unsigned char>(c) < 0x20)
      fail("a control character in a string");
    if (c != '\\') {
      out += c;
      return;
    }
    constexpr std::string_view escapes = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    char e = next();
    if (size_t i = escapes.find(e); i != escapes.npos)
      out += meanings[i];
    else if (e == 'u')
      append_utf8(out, code_point());
    else
      fail("unknown escape in a string");
  }

  uint32_t code_point() {
    uint32_t c = four_digits();
    bool high = c >= 0xD800 && c < 0xDC00;
    if (!high || !rest.starts_with("\\u"))
      return c;
    std::string_view before = rest;
    rest.remove_prefix(2);
    uint32_t low = four_digits();
    if (low >= 0xDC00 && low < 0xE000)
      return 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    rest = before;
    return c;
  }

  uint32_t four_digits() {
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      char c = next();
      uint32_t digit = c >= '0' && c <= '9'   ? static_cast<uint32_t>(c - '0')
                       : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a' + 10)
                       : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10)
                                              : 16;
      if (digit == 16)
        fail("malformed \\u escape");
      value = value * 16 + digit;
    }
    return value;
  }

  std::string_view rest;
};

} // namespace mpijit::jit::reading
