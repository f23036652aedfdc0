// Kernels compiled and run without Python: results, mutated arrays, errors, and no block left behind. The cases
// are text, see cases.h.
#include "cases.h"
#include "compile.h"
#include "tables/tables.h"
#include "types/type.h"
#include "types/wire.h"

#include "mpijit/runtime.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <complex>
#include <cstring>
#include <deque>

namespace mpijit::jit::test {
namespace {

// ---- values as text ----------------------------------------------------------------------------------

std::string number(double d) {
  char buffer[64];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, d).ptr;
  std::string s(buffer, end);
  return s.find_first_of(".en") == s.npos ? s + ".0" : s; // nan, inf and exponents stay
}

template <class T> std::string text_of(T v) {
  if constexpr (std::is_same_v<T, bool>)
    return v ? "True" : "False";
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(v);
  else if constexpr (std::is_floating_point_v<T>)
    return number(v);
  else
    return number(v.real()) + (std::signbit(v.imag()) ? "" : "+") + number(v.imag()) + "j";
}

// "1.5-2.0j", or a real number alone.
template <class T> T complex_of(const std::string& text) {
  using Part = typename T::value_type;
  size_t sign = text.find_last_of("+-");
  if (sign != text.npos && sign > 0 && text[sign - 1] == 'e')
    sign = text.find_last_of("+-", sign - 1);
  if (text.back() != 'j' || sign == 0 || sign == text.npos)
    return {static_cast<Part>(std::stod(text)), 0};
  return {static_cast<Part>(std::stod(text.substr(0, sign))), static_cast<Part>(std::stod(text.substr(sign)))};
}

template <class T> T value_of(const std::string& text) {
  if constexpr (std::is_same_v<T, bool>)
    return text == "True";
  else if constexpr (std::is_unsigned_v<T>)
    return static_cast<T>(std::stoull(text));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::stoll(text));
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(std::stod(text));
  else
    return complex_of<T>(text);
}

std::string element(const void* at, DType d) {
  switch (d) {
#define DTYPE(name, numpy, kind, size, c_type, mpi)                                                                    \
  case DType::name: {                                                                                                  \
    c_type v;                                                                                                          \
    std::memcpy(&v, at, sizeof v);                                                                                     \
    return text_of(v);                                                                                                 \
  }
#include "mpijit/dtypes.inc"
#undef DTYPE
  }
  return "?";
}

void put(void* at, DType d, const std::string& text) {
  switch (d) {
#define DTYPE(name, numpy, kind, size, c_type, mpi)                                                                    \
  case DType::name: {                                                                                                  \
    const c_type v = value_of<c_type>(text);                                                                           \
    std::memcpy(at, &v, sizeof v);                                                                                     \
    return;                                                                                                            \
  }
#include "mpijit/dtypes.inc"
#undef DTYPE
  }
}

std::string show_array(Type t, const int64_t* words) {
  const int64_t* shape = words + 1;
  const int64_t* strides = shape + t->ndim;
  std::string out(row(t->dtype).name);
  out += '[';
  int64_t count = 1;
  for (int k = 0; k < t->ndim; ++k) {
    out += (k ? "x" : "") + std::to_string(shape[k]);
    count *= shape[k];
  }
  out += "]=";
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0, rest = i;
    for (int k = t->ndim; k-- > 0; rest /= shape[k])
      offset += rest % shape[k] * strides[k];
    out += (i ? " " : "") + element(reinterpret_cast<const char*>(words[0]) + offset, t->dtype);
  }
  return out;
}

std::string show(Type t, const int64_t* words) {
  if (t->is_none())
    return "None";
  if (t->is_array())
    return show_array(t, words);
  if (t->is_tuple()) {
    std::string out = "(";
    for (size_t k = 0; k < t->items.size(); ++k) {
      out += (k ? ", " : "") + show(t->items[k], words);
      words += wire_words(t->items[k]);
    }
    return out + ")";
  }
  if (t->kind == TypeKind::String)
    return "'" + std::string(reinterpret_cast<const char*>(words[0]), static_cast<size_t>(words[1])) + "'";
  if (t->kind == TypeKind::Literal)
    return "'" + t->text + "'";
  if (!t->is_scalar())
    return to_string(t);
  int64_t memory[2] = {words[0], 0};
  if (t->is_complex()) // a word for each part
    std::memcpy(reinterpret_cast<char*>(memory) + size(t->dtype) / 2, words + 1,
                static_cast<size_t>(size(t->dtype) / 2));
  return (t->weak ? "" : std::string(row(t->dtype).name) + ":") + element(memory, t->dtype);
}

void release_owners(Type t, const int64_t* words) {
  if (t->is_array())
    mpijit_release(reinterpret_cast<mpijit_block*>(words[2 * t->ndim + 1]));
  if (t->is_tuple())
    for (Type item : t->items) {
      release_owners(item, words);
      words += wire_words(item);
    }
}

struct Argument {
  std::string type;
  std::vector<int64_t> words;
  std::vector<char> memory; // of an array
};

Argument argument(const std::string& text) {
  if (text == "None")
    return {"none", {}, {}};
  if (text == "True" || text == "False")
    return {"bool", {text == "True"}, {}};
  if (text.starts_with("\""))
    return {text, {}, {}};
  if (text.starts_with("(")) {
    Argument out{"(", {}, {}};
    for (const std::string& part : split_top_level(text.substr(1, text.size() - 2), ',')) {
      Argument item = argument(part);
      out.type += (out.type == "(" ? "" : ", ") + item.type;
      out.words.insert(out.words.end(), item.words.begin(), item.words.end());
    }
    out.type += text.ends_with(",)") ? ",)" : ")";
    return out;
  }
  if (const size_t open = text.find('['); open != text.npos) {
    const DType d = find_dtype(text.substr(0, open)).value();
    std::vector<int64_t> shape;
    const size_t close = text.find(']');
    for (const std::string& n : split_top_level(text.substr(open + 1, close - open - 1), 'x'))
      shape.push_back(std::stoll(n));
    std::vector<std::string> items = split_top_level(text.substr(close + 2), ' ');
    Argument out;
    out.type = to_string(types::array(d, static_cast<int>(shape.size()), Layout::C));
    out.memory.resize(items.size() * static_cast<size_t>(size(d)) + 1);
    for (size_t i = 0; i < items.size(); ++i)
      put(out.memory.data() + i * static_cast<size_t>(size(d)), d, items[i]);
    out.words.push_back(reinterpret_cast<int64_t>(out.memory.data()));
    out.words.insert(out.words.end(), shape.begin(), shape.end());
    std::vector<int64_t> strides(shape.size());
    int64_t step = size(d);
    for (size_t k = shape.size(); k-- > 0; step *= shape[k])
      strides[k] = step;
    out.words.insert(out.words.end(), strides.begin(), strides.end());
    out.words.push_back(0);
    return out;
  }
  if (const size_t colon = text.find(':'); colon != text.npos) {
    const DType d = find_dtype(text.substr(0, colon)).value();
    if (is_complex(d)) {
      const size_t part = static_cast<size_t>(size(d) / 2);
      char memory[16];
      put(memory, d, text.substr(colon + 1));
      std::vector<int64_t> words(2);
      std::memcpy(&words[0], memory, part);
      std::memcpy(&words[1], memory + part, part);
      return {text.substr(0, colon), words, {}};
    }
    int64_t word = 0;
    put(&word, d, text.substr(colon + 1));
    if (is_signed(d) && size(d) < 8) // extended by its sign
      word = word << (64 - 8 * size(d)) >> (64 - 8 * size(d));
    return {text.substr(0, colon), {word}, {}};
  }
  if (text.ends_with("j")) {
    const auto z = complex_of<std::complex<double>>(text);
    return {"complex", {std::bit_cast<int64_t>(z.real()), std::bit_cast<int64_t>(z.imag())}, {}};
  }
  if (text.find_first_of(".einf") != text.npos)
    return {"float", {std::bit_cast<int64_t>(std::stod(text))}, {}};
  return {"int", {std::stoll(text)}, {}};
}

// ---- cases -------------------------------------------------------------------------------------------

class RunCase : public testing::Test {
public:
  explicit RunCase(Case c) : case_(std::move(c)) {}

  void TestBody() override {
    for (const std::string& line : case_.directives) {
      SCOPED_TRACE(line);
      run(parse_directive(line).rest);
    }
  }

private:
  void run(const std::string& text) {
    const size_t arrow = text.find("-> "), raises = text.find("raises ");
    const bool fails = raises != text.npos;
    std::deque<Argument> arguments; // stable: words point into memory
    for (const std::string& part : split_top_level(text.substr(0, fails ? raises : arrow), ';'))
      arguments.push_back(argument(part));

    std::vector<std::string> types;
    std::vector<int64_t> words;
    for (const Argument& a : arguments) {
      types.push_back(a.type);
      words.insert(words.end(), a.words.begin(), a.words.end());
    }
    for (int opt : {2, 0, 3}) {
      SCOPED_TRACE("opt=" + std::to_string(opt));
      Compiled compiled;
      CompileFailure failure;
      Options options;
      options.opt = opt;
      std::deque<Argument> fresh = arguments; // every level starts from the same arrays
      std::vector<int64_t> passed = words;
      size_t at = 0;
      for (Argument& a : fresh) {
        if (!a.memory.empty())
          passed[at] = reinterpret_cast<int64_t>(a.memory.data());
        at += a.words.size();
      }
      ASSERT_TRUE(compile(case_.program, types, options, compiled, failure)) << failure.text;
      const Type result = parse_type(compiled.result_type).value();
      std::vector<int64_t> out(static_cast<size_t>(wire_words(result)) + 1);
      if (compiled.uses_mpi) {
        ASSERT_EQ(mpijit_begin(nullptr), 0);
      }
      auto entry = reinterpret_cast<int32_t (*)(const int64_t*, int64_t*)>(compiled.entry);
      const int32_t status = entry(passed.data(), out.data());
      std::string got;
      if (status) {
        mpijit_error error;
        EXPECT_EQ(mpijit_error_take(&error), status);
        got = "raises " + std::string(error_name(status)) + ": " + error.message;
        EXPECT_GE(error.frame_count, 1);
        if (fails) {
          const std::vector<std::string> wanted = parts_of_result(text.substr(raises));
          EXPECT_NE(got.find(wanted[0]), std::string::npos) << got;
          if (wanted.size() > 1) {
            EXPECT_EQ(arrays_after(fresh, passed), wanted[1]);
          }
        } else {
          ADD_FAILURE() << got;
        }
      } else {
        EXPECT_FALSE(fails) << "returned " << show(result, out.data());
        got = show(result, out.data());
        release_owners(result, out.data());
        const std::string wanted = text.substr(arrow + 3), after = arrays_after(fresh, passed);
        EXPECT_EQ(wanted.find(" | ") == wanted.npos ? got : got + (after.empty() ? "" : " | ") + after, wanted);
      }
      EXPECT_EQ(mpijit_live_blocks(), 0);
    }
  }

  /// What comes of a run, and the arrays after it where the directive tells.
  static std::vector<std::string> parts_of_result(const std::string& text) {
    const size_t bar = text.find(" | ");
    return bar == text.npos ? std::vector{text} : std::vector{text.substr(0, bar), text.substr(bar + 3)};
  }
  static std::string arrays_after(const std::deque<Argument>& arguments, const std::vector<int64_t>& words) {
    std::string after;
    size_t at = 0;
    for (const Argument& a : arguments) {
      if (!a.memory.empty())
        after += (after.empty() ? "" : "; ") + show_array(parse_type(a.type).value(), words.data() + at);
      at += a.words.size();
    }
    return after;
  }

  Case case_;
};

} // namespace
} // namespace mpijit::jit::test

int main(int argc, char** argv) {
  using namespace mpijit::jit::test;
  testing::InitGoogleTest(&argc, argv);
  for (const Case& c : read_cases(MPIJIT_FLAT_RUN))
    testing::RegisterTest(c.file.c_str(), c.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [c]() -> testing::Test* { return new RunCase(c); });
  const int failed = RUN_ALL_TESTS();
  mpijit_end();
  return failed;
}
