// Interned types and their text form; see type.h.
#include "types/type.h"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace mpijit::jit {
namespace {

struct Less {
  // Items are interned already, so their addresses stand for them; the order has no meaning.
  static auto key(const TypeNode& t) {
    return std::tie(t.kind, t.dtype, t.weak, t.ndim, t.layout, t.readonly, t.items, t.slice, t.text);
  }
  bool operator()(const TypeNode& a, const TypeNode& b) const { return key(a) < key(b); }
};

Type intern(TypeNode node) {
  // Never destroyed: types are used by threads and by objects that may outlive static destructors.
  static auto& mutex = *new std::mutex;
  static auto& pool = *new std::set<TypeNode, Less>; // its nodes never move
  std::lock_guard lock(mutex);
  return &*pool.insert(std::move(node)).first;
}

Type plain(TypeKind kind) { return intern({.kind = kind}); }

constexpr int max_ndim = 64;  // NumPy's
constexpr int max_depth = 64; // of tuples in the text form, so that no text can exhaust the stack

struct Named {
  std::string_view name;
  Type (*make)();
};
constexpr Named named[] = {
    {"none", types::none},
    {"bool", types::weak_bool},
    {"int", types::weak_int},
    {"float", types::weak_float},
    {"complex", types::weak_complex},
    {"str", types::string},
    {"request", types::request},
    {"status", types::status},
    {"comm", types::comm},
    {"operator", types::op},
    {"bool_", [] { return types::strong(DType::Bool); }}, // NumPy's name; plain "bool" is the weak one
};

std::string scalar_text(Type t) {
  if (!t->weak)
    return is_bool(t->dtype) ? "bool_" : std::string(row(t->dtype).name);
  switch (kind(t->dtype)) {
  case 'b': return "bool";
  case 'f': return "float";
  case 'c': return "complex";
  default: return "int";
  }
}

std::string array_text(Type t) {
  std::string out = t->readonly ? "const " : "";
  out += row(t->dtype).name;
  out += '[';
  for (int axis = 0; axis < t->ndim; ++axis) {
    bool last = axis == t->ndim - 1;
    out += last && t->layout == Layout::C ? "::1" : ":";
    out += last ? "" : ", ";
  }
  return out + ']';
}

std::string tuple_text(Type t) {
  std::string out = t->slice ? "slice(" : "(";
  for (size_t i = 0; i < t->items.size(); ++i)
    out += (i ? ", " : "") + to_string(t->items[i]);
  return out + (t->items.size() == 1 ? ",)" : ")");
}

std::string quoted(std::string_view value) {
  std::string out = "\"";
  for (char c : value) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "\\u00";
      out += digits[static_cast<size_t>(c) >> 4];
      out += digits[static_cast<size_t>(c) & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

// A recursive-descent parser of the text form. Each function takes what it read off the front of `text`.
class Parser {
public:
  explicit Parser(std::string_view t) : text(t) {}

  std::optional<Type> whole() {
    std::optional<Type> t = type(0);
    skip_spaces();
    return text.empty() ? t : std::nullopt;
  }

private:
  std::optional<Type> type(int depth) {
    if (take("("))
      return depth < max_depth ? tuple(depth + 1) : std::nullopt;
    if (take("\""))
      return literal();
    if (take("<"))
      return fixed();
    std::string_view name = word();
    if (name == "const") {
      std::optional<DType> dtype = find_dtype(word());
      return dtype && take("[") ? array(*dtype, true) : std::nullopt;
    }
    if (name == "slice")
      return take("(") ? slice() : std::nullopt;
    std::optional<DType> dtype = find_dtype(name);
    if (dtype && take("["))
      return array(*dtype, false);
    for (const Named& n : named)
      if (n.name == name)
        return n.make();
    return dtype ? std::optional(types::strong(*dtype)) : std::nullopt;
  }

  std::optional<Type> tuple(int depth) {
    std::vector<Type> items;
    bool comma = true;
    while (!take(")")) {
      std::optional<Type> item = comma ? type(depth) : std::nullopt;
      if (!item)
        return std::nullopt;
      items.push_back(*item);
      comma = take(",");
    }
    if (items.size() == 1 && !comma) // (int) is no tuple in Python either
      return std::nullopt;
    return types::tuple(std::move(items));
  }

  std::optional<Type> slice() {
    const std::optional<Type> bounds = tuple(max_depth);
    const auto is_bound = [](Type t) { return t->is_none() || t->is_weak_int(); };
    if (!bounds || (*bounds)->items.size() != 3 || !std::ranges::all_of((*bounds)->items, is_bound))
      return std::nullopt;
    return types::slice((*bounds)->items[0], (*bounds)->items[1], (*bounds)->items[2]);
  }

  std::optional<Type> array(DType dtype, bool readonly) {
    int ndim = 0;
    Layout layout = Layout::Strided;
    while (!take("]")) {
      if (ndim == max_ndim || layout == Layout::C || (ndim > 0 && !take(",")))
        return std::nullopt;
      if (take("::1"))
        layout = Layout::C;
      else if (!take(":"))
        return std::nullopt;
      ++ndim;
    }
    return types::array(dtype, ndim, layout, readonly);
  }

  // What quoted() writes, without the first quote.
  std::optional<Type> literal() {
    std::string value;
    while (!text.empty() && text.front() != '"') {
      char c = text.front();
      text.remove_prefix(1);
      if (c == '\\' && text.starts_with("u00") && text.size() >= 5) {
        unsigned code = 0;
        std::from_chars(text.data() + 3, text.data() + 5, code, 16);
        value += static_cast<char>(code);
        text.remove_prefix(5);
      } else if (c == '\\' && !text.empty()) {
        value += text.front();
        text.remove_prefix(1);
      } else {
        value += c;
      }
    }
    if (text.empty())
      return std::nullopt;
    text.remove_prefix(1);
    return types::literal(std::move(value));
  }

  // Names of functions and dtypes hold no `>`.
  std::optional<Type> fixed() {
    const size_t n = text.find('>');
    if (n == text.npos)
      return std::nullopt;
    std::string constant(text.substr(0, n));
    text.remove_prefix(n + 1);
    return types::fixed(std::move(constant));
  }

  void skip_spaces() { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); }

  bool take(std::string_view token) {
    skip_spaces();
    if (!text.starts_with(token))
      return false;
    text.remove_prefix(token.size());
    return true;
  }

  std::string_view word() {
    skip_spaces();
    size_t n = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_");
    std::string_view w = text.substr(0, n);
    text.remove_prefix(w.size());
    return w;
  }

  std::string_view text;
};

} // namespace

namespace types {

Type none() { return plain(TypeKind::None); }
Type string() { return plain(TypeKind::String); }
Type literal(std::string value) { return intern({.kind = TypeKind::Literal, .text = std::move(value)}); }
Type fixed(std::string constant) { return intern({.kind = TypeKind::Static, .text = std::move(constant)}); }
Type request() { return plain(TypeKind::Request); }
Type status() { return plain(TypeKind::Status); }
Type comm() { return plain(TypeKind::Comm); }
Type op() { return plain(TypeKind::Operator); }

Type scalar(DType d, bool weak) { return intern({.kind = TypeKind::Scalar, .dtype = d, .weak = weak}); }
Type strong(DType d) { return scalar(d, false); }
Type weak_bool() { return scalar(DType::Bool, true); }
Type weak_int() { return scalar(DType::Int64, true); }
Type weak_float() { return scalar(DType::Float64, true); }
Type weak_complex() { return scalar(DType::Complex128, true); }

Type array(DType d, int ndim, Layout layout, bool readonly) {
  return intern({.kind = TypeKind::Array,
                 .dtype = d,
                 .ndim = ndim,
                 .layout = ndim == 0 ? Layout::C : layout, // no strides to differ in
                 .readonly = readonly});
}

Type tuple(std::vector<Type> items) { return intern({.kind = TypeKind::Tuple, .items = std::move(items)}); }

Type slice(Type start, Type stop, Type step) {
  return intern({.kind = TypeKind::Tuple, .items = {start, stop, step}, .slice = true});
}

} // namespace types

std::string to_string(Type t) {
  switch (t->kind) {
  case TypeKind::None: return "none";
  case TypeKind::Scalar: return scalar_text(t);
  case TypeKind::Array: return array_text(t);
  case TypeKind::Tuple: return tuple_text(t);
  case TypeKind::String: return "str";
  case TypeKind::Request: return "request";
  case TypeKind::Status: return "status";
  case TypeKind::Comm: return "comm";
  case TypeKind::Operator: return "operator";
  case TypeKind::Literal: return quoted(t->text);
  case TypeKind::Static: return "<" + t->text + ">";
  }
  return {};
}

std::optional<Type> parse_type(std::string_view text) { return Parser(text).whole(); }

bool holds_static(Type t) {
  return t->kind == TypeKind::Static || std::any_of(t->items.begin(), t->items.end(), holds_static);
}

bool holds_array(Type t) { return t->is_array() || std::any_of(t->items.begin(), t->items.end(), holds_array); }

} // namespace mpijit::jit
