// The target on its own: modules written as LLVM text, optimised, linked against the runtime's table and run.
#include "target/target.h"

#include <gtest/gtest.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

#include <thread>
#include <vector>

using namespace mpijit::jit;

namespace {

struct Parsed {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;

  explicit Parsed(const std::string& text) {
    llvm::SMDiagnostic wrong;
    module = llvm::parseAssemblyString(text, wrong, *context);
    EXPECT_TRUE(module) << wrong.getMessage().str();
    module->setDataLayout(Cpu::host().layout());
    module->setTargetTriple(Cpu::host().triple());
  }
  void* link(int level = 2) {
    Cpu::host().optimise(*module, level);
    return Cpu::host().link(std::move(module), std::move(context), "entry");
  }
};

using Unary = int64_t (*)(int64_t);

std::string failure(Parsed p) {
  try {
    p.link();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Link, TwoModulesMayDefineTheSameNames) {
  Parsed one("define i64 @helper(i64 %x) noinline { ret i64 1 }\n"
             "define i64 @entry(i64 %x) { %y = call i64 @helper(i64 %x) ret i64 %y }");
  Parsed two("define i64 @helper(i64 %x) noinline { ret i64 2 }\n"
             "define i64 @entry(i64 %x) { %y = call i64 @helper(i64 %x) ret i64 %y }");
  auto f = reinterpret_cast<Unary>(one.link()), g = reinterpret_cast<Unary>(two.link());
  EXPECT_EQ(f(0), 1);
  EXPECT_EQ(g(0), 2);
}

// getpid is in the process and in no table of ours.
TEST(Link, AnUnknownSymbolFailsByName) {
  const std::string text = "declare i32 @getpid()\n"
                           "define i64 @entry(i64 %x) { %p = call i32 @getpid() %y = sext i32 %p to i64 ret i64 %y }";
  EXPECT_NE(failure(Parsed(text)).find("getpid"), std::string::npos);
  Parsed good("define i64 @entry(i64 %x) { ret i64 %x }"); // and the session still works
  EXPECT_EQ(reinterpret_cast<Unary>(good.link())(5), 5);
}

TEST(Link, FindsTheRuntimesFunctionsAndData) {
  Parsed p("declare double @fmod(double, double)\n"
           "@mpijit_interrupt = external global i32\n"
           "define i64 @entry(i64 %x) {\n"
           "  %d = sitofp i64 %x to double\n"
           "  %m = call double @fmod(double %d, double 5.0)\n"
           "  %r = fptosi double %m to i64\n"
           "  %i = load i32, ptr @mpijit_interrupt\n"
           "  %w = sext i32 %i to i64\n"
           "  %y = add i64 %r, %w\n"
           "  ret i64 %y\n}");
  EXPECT_EQ(reinterpret_cast<Unary>(p.link())(13), 3);
}

TEST(Link, FromSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<int64_t> results(8);
  for (int64_t k = 0; k < 8; ++k)
    threads.emplace_back([k, &results] {
      Parsed p("define i64 @entry(i64 %x) { %y = add i64 %x, " + std::to_string(k) + " ret i64 %y }");
      results[static_cast<size_t>(k)] = reinterpret_cast<Unary>(p.link(k % 2 ? 2 : 3))(100);
    });
  for (std::thread& t : threads)
    t.join();
  for (int64_t k = 0; k < 8; ++k)
    EXPECT_EQ(results[static_cast<size_t>(k)], 100 + k);
}

TEST(Optimise, ABrokenModuleIsOurBugAndNotACrash) {
  Parsed p("define i64 @entry(i64 %x) { ret i64 %x }");
  p.module->getFunction("entry")->getEntryBlock().getTerminator()->eraseFromParent();
  EXPECT_THROW(Cpu::host().optimise(*p.module, 2), std::logic_error);
}

const char* const axpy =
    "define internal double @one(double %a, double %x, double %y) {\n"
    "  %p = fmul double %a, %x\n"
    "  %s = fadd double %p, %y\n"
    "  ret double %s\n}\n"
    "define i32 @entry(ptr %x, ptr %y, i64 %n) {\n"
    "entry:\n  %none = icmp slt i64 %n, 1\n  br i1 %none, label %out, label %loop\n"
    "loop:\n  %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
    "  %px = getelementptr inbounds double, ptr %x, i64 %i\n"
    "  %py = getelementptr inbounds double, ptr %y, i64 %i\n"
    "  %vx = load double, ptr %px, !alias.scope !2, !noalias !3\n"
    "  %vy = load double, ptr %py, !alias.scope !3, !noalias !2\n"
    "  %s = call double @one(double 3.0, double %vx, double %vy)\n"
    "  store double %s, ptr %py, !alias.scope !3, !noalias !2\n"
    "  %j = add nuw nsw i64 %i, 1\n"
    "  %c = icmp slt i64 %j, %n\n"
    "  br i1 %c, label %loop, label %out\n"
    "out:\n  ret i32 0\n}\n"
    "!0 = distinct !{!0}\n!1 = distinct !{!1, !0}\n!4 = distinct !{!4, !0}\n!2 = !{!1}\n!3 = !{!4}\n";

TEST(Optimise, InlinesVectorisesAndStaysShort) {
  Parsed p(axpy);
  Cpu::host().optimise(*p.module, 2);
  EXPECT_EQ(p.module->getFunction("one"), nullptr);
  EXPECT_LE(p.module->getInstructionCount(), 60u);
  const std::string assembly = Cpu::host().assembly(*p.module);
  EXPECT_NE(assembly.find("vmulpd"), std::string::npos);
  EXPECT_EQ(assembly.find("vfmadd"), std::string::npos); // no contraction
}

// Assembly is of the code that link makes: there, loops are reduced in strength only where a module asks for it.
TEST(Optimise, AssemblyIsOfTheCodeThatIsLinked) {
  const std::string text = "define double @entry(ptr %p, i64 %n, i64 %s) {\n"
                           "entry: br label %loop\n"
                           "loop: %i = phi i64 [ 0, %entry ], [ %j, %loop ]\n"
                           "  %x = phi double [ 0.0, %entry ], [ %y, %loop ]\n"
                           "  %o = mul i64 %i, %s\n"
                           "  %a = getelementptr double, ptr %p, i64 %o\n"
                           "  %v = load double, ptr %a\n"
                           "  %y = fadd double %x, %v\n"
                           "  %j = add nuw nsw i64 %i, 1\n"
                           "  %c = icmp slt i64 %j, %n\n"
                           "  br i1 %c, label %loop, label %end\n"
                           "end: ret double %y\n}";
  const auto multiplies = [](const Parsed& p) {
    Cpu::host().optimise(*p.module, 0);
    return Cpu::host().assembly(*p.module).find("imul") != std::string::npos;
  };
  Parsed plain(text), reduced(text);
  reduced.module->addModuleFlag(llvm::Module::Warning, "mpijit.strength_reduction", 1);
  EXPECT_TRUE(multiplies(plain));
  EXPECT_FALSE(multiplies(reduced));
}

TEST(Optimise, CheckedAfterEveryPassTheCodeIsTheSame) {
  for (int level : {2, 3}) {
    Parsed plain(axpy);
    Cpu::host().optimise(*plain.module, level);
    for (int verify : {1, 2}) {
      Parsed checked(axpy);
      Cpu::host().optimise(*checked.module, level, verify);
      EXPECT_EQ(Cpu::host().assembly(*plain.module), Cpu::host().assembly(*checked.module));
    }
  }
  Parsed broken("define i64 @entry(i64 %x) { ret i64 %x }");
  broken.module->getFunction("entry")->getEntryBlock().getTerminator()->eraseFromParent();
  EXPECT_THROW(Cpu::host().optimise(*broken.module, 2, 2), std::logic_error);
}

TEST(Optimise, EveryLevelComputesTheSameBits) {
  std::vector<std::vector<double>> results;
  for (int level : {0, 2, 3}) {
    Parsed p(axpy);
    std::vector<double> x(37), y(37);
    for (size_t k = 0; k < x.size(); ++k) {
      x[k] = 0.1 * static_cast<double>(k);
      y[k] = 1e-3 / static_cast<double>(k + 1);
    }
    reinterpret_cast<int32_t (*)(double*, double*, int64_t)>(p.link(level))(x.data(), y.data(), 37);
    results.push_back(y);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

} // namespace
