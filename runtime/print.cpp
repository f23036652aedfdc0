// print() for programs without a host: values come as wire words and the text of their types, and leave on
// stdout as CPython and NumPy write them. With a host the same words go to its hook. Knows the text of a
// type, not the compiler's types.
//
// A type is int, float, complex, bool (Python's), another dtype's name (NumPy's scalar), str, none, request, status, an
// array such as float64[:, ::1], or a tuple of types in parentheses. A scalar is one word, a complex one two, str two
// (address, length), none nothing, a request one, a status four, an array two more than twice its rank (data, shape,
// strides, owner).
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "array.h"
#include "error.h"
#include "host.h"

namespace mpijit::rt {
namespace {

// Shortest digits that read back as the same number, laid out by repr's rules: an exponent of at least two digits when
// the value is below 1e-4 or not below `large`, else `whole` behind an integer.
template <typename Float> void add_float(std::string& text, Float value, double large, std::string_view whole) {
  if (std::isnan(value))
    return void(text += "nan");
  if (std::signbit(value))
    text += '-';
  const double magnitude = std::fabs(value);
  if (std::isinf(value))
    return void(text += "inf");
  char scientific[32] = ""; // d.ddde[+-]dd and a terminator
  const char* end =
      std::to_chars(scientific, scientific + sizeof scientific - 1, std::fabs(value), std::chars_format::scientific)
          .ptr;
  const std::string_view shown(scientific, end - scientific);
  const size_t e = shown.find('e');
  if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= large))
    return void(text += shown);
  const int exponent = std::atoi(scientific + e + 1);
  std::string digits(shown.substr(0, 1));
  if (e > 2)
    digits += shown.substr(2, e - 2);
  if (exponent < 0) {
    text += "0." + std::string(-exponent - 1, '0') + digits;
  } else {
    const size_t before = exponent + 1;
    if (digits.size() > before)
      text += digits.substr(0, before) + "." + digits.substr(before);
    else
      (text += digits).append(before - digits.size(), '0').append(whole);
  }
}

// Where numbers turn to exponents: NumPy's float32 does where it runs out of exact decimal digits.
constexpr double large64 = 1e16, large32 = 1e6;

double as_double(int64_t word) { return std::bit_cast<double>(word); }
float as_float(int64_t word) { return std::bit_cast<float>(static_cast<uint32_t>(word)); }

// CPython's and NumPy's text of a complex number: the imaginary part alone where the real one is +0.
template <typename Float> void add_complex(std::string& text, Float re, Float im, double large) {
  const bool both = re != 0 || std::signbit(re);
  if (both) {
    text += '(';
    add_float(text, re, large, "");
    text += std::signbit(im) && !std::isnan(im) ? "" : "+";
  }
  add_float(text, im, large, "");
  text += both ? "j)" : "j";
}

// A str inside a tuple: quoted, with control characters escaped; other text is taken as UTF-8 and left alone.
void add_quoted(std::string& text, std::string_view value) {
  const char quote = value.find('\'') != value.npos && value.find('"') == value.npos ? '"' : '\'';
  text += quote;
  for (const char c : value) {
    const char* named = c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\t' ? "\\t" : c == '\\' ? "\\\\" : nullptr;
    if (named) {
      text += named;
    } else if (c == quote) {
      (text += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", c);
      text += escape;
    } else {
      text += c;
    }
  }
  text += quote;
}

// A NumPy scalar; inside a tuple its repr, np.float64(1.5), as NumPy 2 has it.
void add_strong(std::string& text, const Dtype& dtype, const int64_t* words, bool nested) {
  if (nested)
    ((text += "np.") += dtype.name) += '(';
  if (dtype.kind == 'i') {
    text += std::to_string(*words);
  } else if (dtype.kind == 'u') {
    text += std::to_string(static_cast<uint64_t>(*words));
  } else if (dtype.kind == 'c') {
    if (dtype.size == 16)
      add_complex(text, as_double(words[0]), as_double(words[1]), large64);
    else
      add_complex(text, as_float(words[0]), as_float(words[1]), large32);
  } else if (dtype.size == 8) {
    add_float(text, as_double(*words), large64, ".0");
  } else {
    add_float(text, as_float(*words), large32, ".0");
  }
  if (nested)
    text += ')';
}

const Dtype* find_dtype(std::string_view name) {
  for (const Dtype& dtype : dtypes)
    if (name == dtype.name)
      return &dtype;
  return nullptr;
}

// Reads types and words side by side, from left to right.
struct Printer {
  std::string_view types;
  const int64_t* words;
  std::string text;

  bool eat(char c) {
    if (types.empty() || types[0] != c)
      return false;
    types.remove_prefix(1);
    return true;
  }

  void skip_separators() {
    while (eat(',') || eat(' ')) {
    }
  }

  // A tuple's elements between sep; false when the text is not that of types.
  bool add_elements(std::string_view sep, bool nested) {
    int count = 0;
    for (skip_separators(); !eat(')'); skip_separators(), ++count) {
      if (types.empty())
        return false;
      if (count)
        text += sep;
      if (!add_value(nested))
        return false;
    }
    if (nested && count == 1)
      text += ',';
    return true;
  }

  bool add_value(bool nested) {
    if (eat('(')) {
      text += '(';
      const bool good = add_elements(", ", true);
      text += ')';
      return good;
    }
    const std::string_view name = types.substr(0, types.find_first_of("[,) "));
    types.remove_prefix(name.size());
    const Dtype* dtype = find_dtype(name);
    if (eat('['))
      return dtype && add_array(*dtype);
    if (name == "int") {
      text += std::to_string(*words++);
    } else if (name == "float") {
      add_float(text, as_double(*words++), large64, ".0");
    } else if (name == "complex") {
      add_complex(text, as_double(words[0]), as_double(words[1]), large64);
      words += 2;
    } else if (name == "bool") {
      text += *words++ ? "True" : "False";
    } else if (name == "str") {
      const std::string_view value(reinterpret_cast<const char*>(words[0]), words[1]);
      nested ? add_quoted(text, value) : void(text += value);
      words += 2;
    } else if (name == "none") {
      text += "None";
    } else if (name == "request") {
      text += *words++ ? "<request>" : "<null request>";
    } else if (name == "status") {
      char shown[128];
      std::snprintf(shown, sizeof shown, "Status(source=%lld, tag=%lld, count=%lld, nbytes=%lld)", (long long)words[0],
                    (long long)words[1], (long long)words[2], (long long)words[3]);
      text += shown;
      words += 4;
    } else if (dtype) {
      add_strong(text, *dtype, words, nested);
      words += dtype->kind == 'c' ? 2 : 1;
    } else {
      return false;
    }
    return true;
  }

  // Not the elements: that takes NumPy's formatting, which a host has.
  bool add_array(const Dtype& dtype) {
    int rank = 0;
    for (; !types.empty() && !eat(']'); types.remove_prefix(1))
      rank += types[0] == ',';
    rank += 1;
    ((text += "<array ") += dtype.name) += " (";
    for (int axis = 0; axis < rank; ++axis) {
      if (axis)
        text += ", ";
      text += std::to_string(words[1 + axis]);
    }
    text += rank == 1 ? ",)>" : ")>";
    words += 2 * rank + 2;
    return true;
  }
};

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_print(const mpijit_site* site, const char* types, const int64_t* words, const char* sep,
                     const char* end) {
  if (host().print) {
    const int32_t code = host().print(types, words, sep, end);
    return code ? mpijit_raise(site, code, "") : MPIJIT_OK;
  }
  Printer printer{types, words, {}};
  if (!printer.eat('(') || !printer.add_elements(sep, false))
    return raise(site, "print", MPIJIT_TypeError, "cannot show values of type %s", types);
  printer.text += end;
  std::fwrite(printer.text.data(), 1, printer.text.size(), stdout);
  return MPIJIT_OK;
}
