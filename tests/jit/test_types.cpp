// Types: the dtype table, the text form, interning, promotion against a table made by NumPy, joins, wire
// sizes.
#include "types/promote.h"
#include "types/wire.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace mpijit::jit {
namespace {

Type type(std::string_view text) {
  std::optional<Type> t = parse_type(text);
  EXPECT_TRUE(t) << text;
  return t.value_or(types::none());
}

std::string joined(std::string_view a, std::string_view b) {
  std::optional<Type> forth = join(type(a), type(b)), back = join(type(b), type(a));
  EXPECT_EQ(forth, back) << a << " with " << b;
  return forth ? to_string(*forth) : "no";
}

TEST(DTypes, AreFoundByNameAndByKindAndSize) {
  for (size_t i = 0; i < std::size(dtype_rows); ++i) {
    DType d = static_cast<DType>(i);
    EXPECT_EQ(find_dtype(row(d).name), d);
    EXPECT_EQ(find_dtype(kind(d), size(d)), d);
  }
  EXPECT_FALSE(find_dtype("object"));
  EXPECT_FALSE(find_dtype(""));
  EXPECT_FALSE(find_dtype('f', 3));
}

TEST(TypeText, RoundTrips) {
  for (std::string_view text : {"none",
                                "int",
                                "float",
                                "bool",
                                "complex",
                                "str",
                                "request",
                                "status",
                                "comm",
                                "operator",
                                "bool_",
                                "int8",
                                "uint64",
                                "float32",
                                "complex128",
                                "float64[]",
                                "float64[:]",
                                "float64[::1]",
                                "float64[:, :]",
                                "bool[:, ::1]",
                                "const int32[:, :, ::1]",
                                "()",
                                "(int,)",
                                "(int, float32[:])",
                                "slice(none, int, none)",
                                "(slice(int, int, int), <ellipsis>)",
                                "((), (bool_, (str,)))"})
    EXPECT_EQ(to_string(type(text)), text);
}

TEST(TypeText, IsReadWithAnySpaces) {
  EXPECT_EQ(type(" ( int ,float64[ : ,::1 ] , ) "), type("(int, float64[:, ::1])"));
  EXPECT_EQ(type("const  float64 [:]"), type("const float64[:]"));
}

TEST(TypeText, RefusesOtherText) {
  for (std::string_view text : {"",
                                " ",
                                "float16",
                                "int[:]",
                                "float[:]",
                                "bool_[:]",
                                "float64[",
                                "float64[::1, :]",
                                "float64[:,]",
                                "float64[: :]",
                                "float64[1]",
                                "const float64",
                                "const int",
                                "(int)",
                                "(int",
                                "(,)",
                                "(int,,)",
                                "(int float)",
                                "slice",
                                "slice(int)",
                                "slice(int, int, float)",
                                "int)",
                                "int int",
                                "Int",
                                "float64[:]x"})
    EXPECT_FALSE(parse_type(text)) << text;
  EXPECT_FALSE(parse_type(std::string(100000, '(')));
  std::string axes = "float64[:";
  for (int i = 0; i < 64; ++i)
    axes += ",:";
  EXPECT_FALSE(parse_type(axes + "]")); // 65 axes
}

TEST(Types, AreInternedFromAnyThread) {
  constexpr int count = 8;
  std::vector<std::vector<Type>> made(count);
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&made, t] {
      for (int ndim = 0; ndim < 30; ++ndim) {
        Type a = types::array(DType::Int16, ndim, Layout::Strided);
        made[static_cast<size_t>(t)].push_back(types::tuple({a, types::weak_int(), types::tuple({a})}));
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& types : made)
    EXPECT_EQ(types, made[0]);
}

TEST(Types, ZeroDimensionalArraysAreContiguous) {
  EXPECT_EQ(types::array(DType::Int8, 0, Layout::Strided), types::array(DType::Int8, 0, Layout::C));
}

TEST(Types, HoldArraysAnywhereInTuples) {
  EXPECT_TRUE(holds_array(type("float64[:]")));
  EXPECT_TRUE(holds_array(type("(int, (str, int8[]))")));
  EXPECT_FALSE(holds_array(type("(int, (str, int8))")));
  EXPECT_FALSE(holds_array(types::none()));
}

// Lines `a b result`: of two dtypes, of a dtype and a weak type, or of two weak types; see promotions.py.
TEST(Promotion, IsNumPys) {
  std::ifstream table(MPIJIT_PROMOTIONS);
  ASSERT_TRUE(table);
  int lines = 0;
  for (std::string line; std::getline(table, line); ++lines) {
    std::istringstream words(line);
    std::string a, b, result;
    words >> a >> b >> result;
    Type x = type(a), y = type(b);
    EXPECT_EQ(to_string(promote_scalars(x, y)), result) << line;
    EXPECT_EQ(to_string(promote_scalars(y, x)), result) << line;
    if (!x->weak && !y->weak) {
      EXPECT_EQ(promote(x->dtype, y->dtype), type(result)->dtype) << line;
    }
  }
  constexpr int dtypes = std::size(dtype_rows);
  EXPECT_EQ(lines, dtypes * dtypes + 4 * dtypes + 4 * 4);
}

TEST(Promotion, OfDivision) {
  auto divided = [](std::string_view t) { return to_string(divide_type(type(t))); };
  EXPECT_EQ(divided("int"), "float");
  EXPECT_EQ(divided("bool"), "float");
  EXPECT_EQ(divided("float"), "float");
  EXPECT_EQ(divided("int8"), "float64");
  EXPECT_EQ(divided("bool_"), "float64");
  EXPECT_EQ(divided("uint64"), "float64");
  EXPECT_EQ(divided("float32"), "float32");
  EXPECT_EQ(divided("complex64"), "complex64");
}

TEST(Promotion, OfFloatFunctions) {
  auto computed = [](std::string_view t) { return to_string(float_function_type(type(t))); };
  EXPECT_EQ(computed("int"), "float");
  EXPECT_EQ(computed("bool"), "float");
  EXPECT_EQ(computed("bool_"), "float32");
  EXPECT_EQ(computed("uint8"), "float32");
  EXPECT_EQ(computed("int16"), "float32");
  EXPECT_EQ(computed("int32"), "float64");
  EXPECT_EQ(computed("uint64"), "float64");
  EXPECT_EQ(computed("float32"), "float32");
  EXPECT_EQ(computed("float64"), "float64");
  EXPECT_EQ(computed("complex64"), "complex64");
}

TEST(Join, OfScalars) {
  EXPECT_EQ(joined("int", "int"), "int");
  EXPECT_EQ(joined("slice(none, int, none)", "slice(none, int, none)"), "slice(none, int, none)");
  EXPECT_EQ(joined("slice(none, int, none)", "slice(int, int, none)"), "no");
  EXPECT_EQ(joined("slice(int, int, int)", "(int, int, int)"), "no");
  EXPECT_EQ(joined("int", "float"), "float");
  EXPECT_EQ(joined("bool", "int"), "int");
  EXPECT_EQ(joined("float", "float32"), "float32");
  EXPECT_EQ(joined("int", "float32"), "float32");
  EXPECT_EQ(joined("int", "uint8"), "uint8");
  EXPECT_EQ(joined("float", "int32"), "float64");
  EXPECT_EQ(joined("int32", "float32"), "float64");
  EXPECT_EQ(joined("int64", "uint64"), "float64");
  EXPECT_EQ(joined("bool", "bool_"), "bool_");
}

TEST(Join, OfArraysKeepsWhatBothHave) {
  EXPECT_EQ(joined("float64[::1]", "float64[:]"), "float64[:]");
  EXPECT_EQ(joined("float64[::1]", "float64[::1]"), "float64[::1]");
  EXPECT_EQ(joined("const float64[::1]", "float64[::1]"), "const float64[::1]");
  EXPECT_EQ(joined("float64[:]", "float32[:]"), "no");
  EXPECT_EQ(joined("float64[:]", "float64[:, :]"), "no");
  EXPECT_EQ(joined("float64[]", "float64"), "no");
}

TEST(Join, OfOthers) {
  EXPECT_EQ(joined("(int, float64[::1])", "(float, float64[:])"), "(float, float64[:])");
  EXPECT_EQ(joined("(int,)", "(int, int)"), "no");
  EXPECT_EQ(joined("(int, str)", "(int, int)"), "no");
  EXPECT_EQ(joined("none", "none"), "none");
  EXPECT_EQ(joined("none", "int"), "no");
  EXPECT_EQ(joined("str", "request"), "no");
}

TEST(Wire, CountsWords) {
  EXPECT_EQ(wire_words(type("none")), 0);
  EXPECT_EQ(wire_words(type("int8")), 1);
  EXPECT_EQ(wire_words(type("complex64")), 2);
  EXPECT_EQ(wire_words(type("float64[]")), 2);
  EXPECT_EQ(wire_words(type("float64[:, :]")), 6);
  EXPECT_EQ(wire_words(type("str")), 2);
  EXPECT_EQ(wire_words(type("status")), 4);
  EXPECT_EQ(wire_words(type("(int, none, (comm, operator), request, int8[:])")), 8);
}

} // namespace
} // namespace mpijit::jit
