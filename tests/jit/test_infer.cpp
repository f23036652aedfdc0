// Inference: result types, printed IR, and every refusal with its place. The cases are text, see cases.h.
#include "cases.h"
#include "diag/diagnostic.h"
#include "infer/infer.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "syntax/desugar.h"
#include "syntax/read.h"

#include <gtest/gtest.h>

#include <set>

namespace mpijit::jit::test {
namespace {

std::vector<Type> types_of(const std::vector<std::string>& texts) {
  std::vector<Type> out;
  for (const std::string& text : texts) {
    std::optional<Type> t = parse_type(text);
    EXPECT_TRUE(t) << text << " is not a type";
    out.push_back(t.value_or(types::none()));
  }
  return out;
}

Inferred inferred(const Program& program, const Directive& d) {
  Inferred out = infer(program, types_of(d.types), true);
  for (const std::string& broken : ir::verify(out.module, ir::Stage::Inferred))
    ADD_FAILURE() << broken << "\n" << ir::print(out.module);
  return out;
}

std::string message(const Diagnostic& d, const Program& program) {
  const Function& f = program.functions[static_cast<size_t>(std::max(d.function, 0))];
  return render(d, f.file, f.source, f.first_line, "");
}

void check_refusal(const Program& program, const Directive& d) {
  const size_t space = d.rest.find(' ');
  const std::string place = d.rest.substr(0, space), fragment = d.rest.substr(space + 1);
  try {
    Inferred out = infer(program, types_of(d.types), true);
    ADD_FAILURE() << "not refused:\n" << ir::print(out.module);
  } catch (const Refusal& r) {
    const Diagnostic& said = r.diagnostic;
    const int def = program.functions[static_cast<size_t>(std::max(said.function, 0))].tree->span.line;
    const std::string at = "+" + std::to_string(said.span.line - def) + ":" + std::to_string(said.span.column);
    EXPECT_EQ(at, place) << message(said, program);
    EXPECT_NE(said.message.find(fragment), std::string::npos) << message(said, program);
    const std::string text = message(said, program);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 7) << text;
    EXPECT_NE(text.find('^'), std::string::npos) << text;
  }
}

void check_ir(const Inferred& result, const std::vector<std::string>& wanted) {
  const std::string text = ir::print(result.module);
  size_t at = 0;
  for (const std::string& line : wanted) {
    const size_t found = text.find(line, at);
    EXPECT_NE(found, std::string::npos) << "missing, after the lines before it: " << line << "\n" << text;
    at = found == std::string::npos ? at : found + line.size();
  }
}

class InferCase : public testing::Test {
public:
  explicit InferCase(Case c) : case_(std::move(c)) {}

  void TestBody() override {
    Program program = read(case_.program);
    desugar(program);
    for (size_t k = 0; k < case_.directives.size(); ++k) {
      if (!case_.directives[k].starts_with("#:"))
        continue;
      const Directive d = parse_directive(case_.directives[k]);
      SCOPED_TRACE(case_.directives[k]);
      try {
        if (d.word == "refuse") {
          check_refusal(program, d);
        } else if (d.word == "infer") {
          EXPECT_EQ("-> " + to_string(inferred(program, d).module.functions[0]->result), d.rest);
        } else if (d.word == "ir") {
          std::vector<std::string> lines;
          for (size_t j = k + 1; j < case_.directives.size() && case_.directives[j].starts_with("#|"); ++j)
            lines.push_back(case_.directives[j].substr(2));
          ASSERT_FALSE(lines.empty()) << "#: ir without lines";
          check_ir(inferred(program, d), lines);
        } else {
          ADD_FAILURE() << "unknown directive " << d.word;
        }
      } catch (const Refusal& r) {
        ADD_FAILURE() << message(r.diagnostic, program);
      }
    }
  }

private:
  Case case_;
};

// Each row of diagnostics.inc that inference uses has a case: the list is read from the cases themselves.
class EveryRowHasACase : public testing::Test {
public:
  explicit EveryRowHasACase(std::vector<Case> cases) : cases_(std::move(cases)) {}

  void TestBody() override {
    std::set<Diag> seen;
    for (const Case& c : cases_)
      for (const std::string& line : c.directives) {
        const Directive d = parse_directive(line);
        if (d.word != "refuse")
          continue;
        Program program = read(c.program);
        desugar(program);
        try {
          infer(program, types_of(d.types), true);
        } catch (const Refusal& r) {
          seen.insert(r.diagnostic.id);
        }
      }
    int row = 0;
#define DIAGNOSTIC(name, message, hint) EXPECT_TRUE(seen.contains(static_cast<Diag>(row++))) << "no case for " #name;
#include "diag/diagnostics.inc"
#undef DIAGNOSTIC
  }

private:
  std::vector<Case> cases_;
};

} // namespace
} // namespace mpijit::jit::test

int main(int argc, char** argv) {
  using namespace mpijit::jit::test;
  testing::InitGoogleTest(&argc, argv);
  for (const char* folder : {MPIJIT_FLAT_REFUSE, MPIJIT_FLAT_INFER}) {
    std::vector<Case> cases = read_cases(folder);
    for (const Case& c : cases)
      testing::RegisterTest(c.file.c_str(), c.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [c]() -> testing::Test* { return new InferCase(c); });
    if (folder == std::string(MPIJIT_FLAT_REFUSE))
      testing::RegisterTest("refusals", "every_row_has_a_case", nullptr, nullptr, __FILE__, __LINE__,
                            [cases]() -> testing::Test* { return new EveryRowHasACase(cases); });
  }
  return RUN_ALL_TESTS();
}
