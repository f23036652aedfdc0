// What a diagnostic looks like to the user.
#include "diag/diagnostic.h"

#include <gtest/gtest.h>

namespace mpijit::jit {
namespace {

constexpr std::string_view source = "def f(a):\n    return a.nothing";

TEST(Diagnostic, FillsMessageAndHint) {
  Diagnostic d = make_diagnostic(Diag::UnknownKeyword, {}, {"f", "axis"});
  EXPECT_EQ(d.message, "f has no parameter axis");
  EXPECT_THROW(refuse(Diag::UnknownKeyword, {}, {"f", "axis"}), Refusal);
}

TEST(Diagnostic, ShowsThePlace) {
  Diagnostic d = make_diagnostic(Diag::Attribute, {12, 12, 12, 21}, {"float64[:]", "nothing"});
  EXPECT_EQ(render(d, "k.py", source, 11, "f"), "k.py:12:12: float64[:] has no attribute nothing in kernels\n"
                                                "    return a.nothing\n"
                                                "           ^^^^^^^^^\n"
                                                "  in kernel f");
}

TEST(Diagnostic, ShowsASecondPlace) {
  Diagnostic d = make_diagnostic(Diag::Attribute, {12, 5, 12, 21}, {"a", "b"});
  d.note = "a is defined here";
  d.note_span = {11, 7, 11, 8};
  d.hint = "write something else";
  EXPECT_EQ(render(d, "k.py", source, 11, ""), "k.py:12:5: a has no attribute b in kernels\n"
                                               "    return a.nothing\n"
                                               "    ^^^^^^^^^^^^^^^^\n"
                                               "  k.py:11:7: a is defined here\n"
                                               "    def f(a):\n"
                                               "          ^\n"
                                               "  write something else");
}

TEST(Diagnostic, SurvivesPlacesOutsideTheSource) {
  for (int line : {0, 1, 13, 1000})
    for (int column : {0, 1, 500}) {
      Diagnostic d = make_diagnostic(Diag::Attribute, {line, column, line, column + 1}, {"a", "b"});
      EXPECT_TRUE(render(d, "k.py", source, 11, "f").starts_with("k.py:"));
    }
}

} // namespace
} // namespace mpijit::jit
