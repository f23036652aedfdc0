// The reader, the printer and desugaring. The cases of cases/syntax are Python files, flattened by _source.py
// when the tests are built; what desugaring makes of them stands behind "# --- expected" in the same file.
#include "syntax/desugar.h"
#include "syntax/read.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

namespace mpijit::jit {
namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string program(std::string_view body) {
  return "mpijit-program 1\nfunction \"f\" \"f.py\" 3 \"def f(): pass\"\n" + std::string(body);
}

constexpr std::string_view tree = "FunctionDef 3:1-3:14 2 \"f\"\nBlock 0:0-0:0 0\nBlock 0:0-0:0 1\nPass 3:10-3:14 0\n";

std::string with_tree(std::string_view lines) { return program(lines) + std::string(tree); }

// The message of the refusal, or "" when the text is read.
std::string refusal(std::string_view text) {
  try {
    read(text);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

Constant constant(std::string_view text) {
  Program p = read(with_tree("capture \"x\" " + std::string(text) + "\n"));
  return p.functions.at(0).captures.at("x");
}

TEST(Read, KeepsWhatTheTextSays) {
  Program p = read(with_tree("default int 2\ncapture \"np.pi\" float 1.5\n"));
  ASSERT_EQ(p.functions.size(), 1u);
  const Function& f = p.functions[0];
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.file, "f.py");
  EXPECT_EQ(f.first_line, 3);
  EXPECT_EQ(f.source, "def f(): pass");
  EXPECT_EQ(f.defaults, std::vector{Constant{int64_t{2}}});
  EXPECT_EQ(f.captures.at("np.pi"), Constant{1.5});
  EXPECT_EQ(f.tree->kind, NodeKind::FunctionDef);
  EXPECT_EQ(f.tree->text, "f");
  const Node& pass = (*f.tree)[1][0];
  EXPECT_EQ(pass.kind, NodeKind::Pass);
  EXPECT_EQ(pass.span.line, 3);
  EXPECT_EQ(pass.span.column, 10);
  EXPECT_EQ(pass.span.end_line, 3);
  EXPECT_EQ(pass.span.end_column, 14);
}

TEST(Read, ConstantsRoundTrip) {
  for (std::string_view text : {"none",
                                "ellipsis",
                                "slice none int -2 none",
                                "bool True",
                                "bool False",
                                "int -9223372036854775808",
                                "float 0.1",
                                "float inf",
                                "float -inf",
                                "float nan",
                                "float 1e+300",
                                "float 5e-324",
                                "complex 0 2.5",
                                "complex nan -0",
                                "str \"\"",
                                "str \"a \\\"b\\\" \\\\ \\n\"",
                                "big \"-9223372036854775809\"",
                                "tuple 0",
                                "tuple 2 int 1 tuple 1 none",
                                "scalar float32 float 1.5",
                                "scalar complex64 complex 1.5 -2",
                                "scalar bool bool True",
                                "scalar uint64 big \"18446744073709551615\"",
                                "function \"numpy.zeros\"",
                                "dtype \"float64\"",
                                "exception \"ValueError\"",
                                "module \"numpy\"",
                                "kernel 0",
                                "handle operator 3",
                                "unsupported \"a list\""})
    EXPECT_EQ(to_string(constant(text)), text);
}

TEST(Read, FloatsAreExact) {
  EXPECT_EQ(std::get<double>(constant("float 0x1.8p+1").value), 3.0);
  EXPECT_EQ(std::get<double>(constant("float -0x1.0000000000001p-1022").value), -0x1.0000000000001p-1022);
  EXPECT_TRUE(std::signbit(std::get<double>(constant("float -0.0").value)));
}

TEST(Read, StringsMayHoldAnything) {
  auto text = [](std::string_view json) { return std::get<std::string>(constant("str " + std::string(json)).value); };
  EXPECT_EQ(text(R"("\t\u0000\/")"), std::string("\t\0/", 3));
  EXPECT_EQ(text(R"("\u00e9\u20ac\ud83d\ude00")"), "é€😀");
  EXPECT_EQ(text("\"é\""), "é");
  EXPECT_EQ(text(R"("\ud800x\ud800\u0041")"), "\xED\xA0\x80x\xED\xA0\x80\x41");
}

TEST(Read, ErrorsNameTheLine) {
  auto starts = [](std::string_view text, std::string_view what) {
    std::string message = refusal(text);
    EXPECT_TRUE(message.starts_with(what)) << text << "\n" << message;
  };
  starts("", "program text, line 0: not a program text");
  starts("mpijit-program 2\n", "program text, line 1: not a program text");
  starts("mpijit-program 1\n", "program text, line 1: no function");
  starts("mpijit-program 1\ncapture \"x\" none\n", "program text, line 2: a record before the first function");
  starts(program(""), "program text, line 2: a function's tree ends early");
  starts(program("FunctionDef 3:1-3:14 2 \"f\"\nBlock 0:0-0:0 0\n"), "program text, line 4: a function's tree ends");
  starts(program("Pass 3:10-3:14 0\n"), "program text, line 3: a node outside");
  starts(with_tree("") + "Pass 3:10-3:14 0\n", "program text, line 7: a node outside");
  starts(with_tree("nonsense\n"), "program text, line 3: unknown record 'nonsense'");
  starts(with_tree("default int 2 3\n"), "program text, line 3: text after the end");
  starts(with_tree("default int 9223372036854775808\n"), "program text, line 3: a number is missing or out of range");
  starts(with_tree("default float 1.5x\n"), "program text, line 3: malformed float");
  starts(with_tree("default float --1\n"), "program text, line 3: malformed float");
  starts(with_tree("default tuple 4000000000 int 1\n"), "program text, line 3: a word is missing");
  starts(with_tree("default str \"a\n"), "program text, line 3: a string does not end");
  starts(with_tree("default str \"\\ud8\"\n"), "program text, line 3: malformed \\u escape");
  starts(with_tree("default scalar float32 none\n"), "program text, line 3: a scalar that is no number");
  starts(with_tree("capture \"x\" none\ncapture \"x\" none\n"), "program text, line 4: a name captured twice");
  starts(with_tree("capture \"x\" kernel 1\n"), "program text, line 7: a kernel index out of range");
  starts(with_tree("capture \"x\" tuple 1 kernel -1\n"), "program text, line 7: a kernel index out of range");
}

TEST(Read, TreesHaveTheShapeOfTheTable) {
  auto body = [](std::string_view lines, int statements = 1) {
    return refusal(program("FunctionDef 3:1-3:14 2 \"f\"\nBlock 0:0-0:0 0\nBlock 0:0-0:0 " +
                           std::to_string(statements) + "\n" + std::string(lines)));
  };
  EXPECT_EQ(body("Return 1:1-1:1 1\nEmpty 0:0-0:0 0\n"), "");
  EXPECT_EQ(body("Return 1:1-1:1 1\nName 1:1-1:1 0 \"x\"\n"), "");
  EXPECT_EQ(body("Unsupported 1:1-1:1 0 \"a try statement\"\n"), "");
  EXPECT_NE(body("Return 1:1-1:1 0\n"), "");                                          // too few children
  EXPECT_NE(body("Return 1:1-1:1 1\nPass 1:1-1:1 0\n"), "");                          // statement in expression
  EXPECT_NE(body("Return 1:1-1:1 1\nBlock 1:1-1:1 0\n"), "");                         // list for one node
  EXPECT_NE(body("Name 1:1-1:1 0 \"x\"\n"), "");                                      // expression as statement
  EXPECT_NE(body("Expr 1:1-1:1 1\nEmpty 1:1-1:1 0\n"), "");                           // nothing where one must be
  EXPECT_NE(body("Expr 1:1-1:1 1\nName 1:1-1:1 0\n"), "");                            // text missing
  EXPECT_NE(body("Pass 1:1-1:1 0 \"x\"\n"), "");                                      // text where none is
  EXPECT_NE(body("Block 0:0-0:0 1\nPass 1:1-1:1 0\n"), "");                           // list in a list
  EXPECT_NE(body("arg 1:1-1:1 0 \"x\"\n"), "");                                       // parameter as statement
  EXPECT_NE(body("Assign 1:1-1:1 2\nBlock 0:0-0:0 0\nName 1:1-1:1 0 \"x\"\n"), "");   // no target
  EXPECT_NE(body("Expr 1:1-1:1 1\nBoolOp 1:1-1:1 1 \"And\"\nBlock 0:0-0:0 0\n"), ""); // no operand
  EXPECT_NE(body("Expr 1:1-1:1 1\nCompare 1:1-1:1 2 \"Lt Lt\"\nName 1:1-1:1 0 \"x\"\nBlock 0:0-0:0 1\n"
                 "Name 1:1-1:1 0 \"x\"\n"),
            ""); // more operators than operands
}

TEST(Read, RefusesTreesThatAreTooDeep) {
  std::string text = program("FunctionDef 3:1-3:14 2 \"f\"\nBlock 0:0-0:0 0\nBlock 0:0-0:0 1\nExpr 1:1-1:1 1\n");
  for (int i = 0; i < 100000; ++i)
    text += "UnaryOp 1:1-1:1 1 \"Not\"\n";
  EXPECT_NE(refusal(text).find("nested too deep"), std::string::npos);
  std::string tuples = "default";
  for (int i = 0; i < 100000; ++i)
    tuples += " tuple 1";
  EXPECT_NE(refusal(with_tree(tuples + " none\n")).find("nested too deep"), std::string::npos);
}

class Cases : public testing::TestWithParam<std::string> {
protected:
  std::string flat() const { return file_text(fs::path(MPIJIT_FLAT_CASES) / (GetParam() + ".txt")); }

  // The comment block behind the marker, without its "# ".
  std::string expected() const {
    std::string text = file_text(fs::path(MPIJIT_CASES) / (GetParam() + ".py")), out;
    constexpr std::string_view marker = "\n# --- expected\n";
    size_t at = text.find(marker);
    if (at == text.npos)
      return "nothing expected";
    std::istringstream lines(text.substr(at + marker.size()));
    for (std::string line; std::getline(lines, line);)
      out += line.substr(std::min<size_t>(2, line.size())) + "\n";
    return out;
  }
};

TEST_P(Cases, DesugarAsExpected) {
  Program p = read(flat());
  desugar(p);
  EXPECT_EQ(print(p), expected());
}

// Damaged text is refused, or read as another program that can still be desugared and printed.
TEST_P(Cases, SurviveDamage) {
  const std::string text = flat();
  auto attempt = [](const std::string& damaged) {
    try {
      Program p = read(damaged);
      desugar(p);
      print(p);
    } catch (const std::invalid_argument&) {
    }
  };
  for (size_t n = 0; n < text.size(); n += 7)
    attempt(text.substr(0, n));
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = text;
    for (int k = 0; k < 3; ++k)
      damaged[random() % damaged.size()] = static_cast<char>(i % 2 ? random() : text[random() % text.size()]);
    attempt(damaged);
  }
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(MPIJIT_CASES))
    if (entry.path().extension() == ".py")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Syntax, Cases, testing::ValuesIn(case_names()), [](const auto& info) { return info.param; });

} // namespace
} // namespace mpijit::jit
