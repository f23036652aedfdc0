// Every stage once, in order. Nothing here decides anything: a stage takes one value and returns one.
#include "compile.h"

#include "diag/diagnostic.h"
#include "emit/emit.h"
#include "infer/infer.h"
#include "ir/identity.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/passes.h"
#include "syntax/desugar.h"
#include "syntax/read.h"
#include "target/target.h"

#include <llvm/IR/FMF.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace mpijit::jit {
namespace {

// Functions that the arguments' types name.
void check_kernels(const Program& program, Type t) {
  if (t->kind == TypeKind::Static) {
    const Constant c = read_constant(t->text);
    const auto* k = std::get_if<KernelIndex>(&c.value);
    if (k && (k->index < 0 || static_cast<size_t>(k->index) >= program.functions.size()))
      throw std::invalid_argument("mpijit: the program has no <" + t->text + ">");
  }
  for (Type item : t->items)
    check_kernels(program, item);
}

bool dumps(const Options& options, std::string_view stage) {
  return ("," + options.dump + ",").find("," + std::string(stage) + ",") != std::string::npos;
}

void dump(const Options& options, std::string_view stage, const std::string& text) {
  if (dumps(options, stage))
    std::cerr << "---- " << stage << " ----\n" << text << std::endl;
}

void require(const ir::Module& module, ir::Stage stage, std::string_view after) {
  std::vector<std::string> broken = ir::verify(module, stage);
  if (!broken.empty())
    throw std::logic_error("mpijit: the typed IR is wrong after " + std::string(after) + ": " + broken.front() + "\n" +
                           ir::print(module));
}

struct Pass {
  std::string_view name;
  void (*run)(ir::Module&);
  ir::Stage after;
};
constexpr Pass all_passes[] = {
    {"inlining", passes::inline_calls, ir::Stage::Inferred}, {"tidying", passes::tidy, ir::Stage::Inferred},
    {"fusing", passes::fuse, ir::Stage::Inferred},           {"ownership", passes::ownership, ir::Stage::Owned},
    {"counting", passes::count_loops, ir::Stage::Owned},     {"bounds", passes::bounds, ir::Stage::Owned},
};

void run_passes(ir::Module& module, bool verify_each) {
  for (const Pass& pass : all_passes) {
    pass.run(module);
    if (verify_each || &pass == std::end(all_passes) - 1)
      require(module, pass.after, pass.name);
  }
}

std::vector<Type> argument_types_of(const std::vector<std::string>& texts) {
  std::vector<Type> out;
  for (const std::string& text : texts) {
    std::optional<Type> t = parse_type(text);
    if (!t)
      throw std::invalid_argument("mpijit: \"" + text + "\" is not a type");
    out.push_back(*t);
  }
  return out;
}

std::string signature(const Program& program, const std::vector<Type>& arguments) {
  std::string out = program.functions[0].name + "(";
  for (size_t k = 0; k < arguments.size(); ++k)
    out += (k ? ", " : "") + to_string(arguments[k]);
  return out + ")";
}

CompileFailure describe(const Diagnostic& d, const Program& program, const std::vector<Type>& arguments) {
  const Function& f = program.functions[static_cast<size_t>(std::max(d.function, 0))];
  return {render(d, f.file, f.source, f.first_line, signature(program, arguments)), d.message, f.file, d.span.line,
          d.span.column};
}

std::string text_of(const llvm::Module& module) {
  std::string out;
  llvm::raw_string_ostream stream(out);
  module.print(stream, nullptr);
  return out;
}

int count_instructions(const llvm::Module& module) {
  int n = 0;
  for (const llvm::Function& f : module)
    n += static_cast<int>(f.getInstructionCount());
  return n;
}

// "nnan ninf" and so on, LLVM's names of the flags, to their bits; "fast" is all of them.
unsigned fastmath_bits(const std::string& names) {
  using Flags = llvm::FastMathFlags;
  constexpr std::pair<std::string_view, unsigned> flags[] = {
      {"reassoc", Flags::AllowReassoc}, {"nnan", Flags::NoNaNs},
      {"ninf", Flags::NoInfs},          {"nsz", Flags::NoSignedZeros},
      {"arcp", Flags::AllowReciprocal}, {"contract", Flags::AllowContract},
      {"afn", Flags::ApproxFunc},       {"fast", ~0u},
  };
  unsigned bits = 0;
  std::istringstream words(names);
  for (std::string word; words >> word;) {
    auto at = std::find_if(std::begin(flags), std::end(flags), [&](const auto& f) { return f.first == word; });
    if (at == std::end(flags))
      throw std::invalid_argument("fastmath: \"" + word + "\" is not one of LLVM's flags");
    bits |= at->second;
  }
  return bits;
}

// A name that is the same on every rank and in every process, so that objects can be cached.
std::string entry_name(const Program& program) {
  std::string out = "mpijit_entry_";
  for (char c : program.functions[0].name)
    out += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

// Code that has been made, by what it was made of. One entry a piece of code, which is never freed either.
struct Made {
  void* entry;
  int instructions;
};
std::map<std::string, Made>& made() {
  static auto& all = *new std::map<std::string, Made>;
  return all;
}

std::string options_text(const Options& options) {
  return std::to_string(options.opt) + " " + options.fastmath + "\n"; // boundscheck is in the IR
}

} // namespace

bool compile(const std::string& text, const std::vector<std::string>& argument_types, const Options& options,
             Compiled& out, CompileFailure& failure) {
  static std::mutex one_at_a_time;
  std::lock_guard lock(one_at_a_time);

  Program program = read(text);
  desugar(program);
  dump(options, "syntax", print(program));

  const std::vector<Type> arguments = argument_types_of(argument_types);
  for (Type t : arguments)
    check_kernels(program, t);
  Inferred inferred;
  try {
    inferred = infer(program, arguments, options.boundscheck);
  } catch (const Refusal& refusal) {
    failure = describe(refusal.diagnostic, program, arguments);
    return false;
  }
  ir::Module& module = inferred.module;
  require(module, ir::Stage::Inferred, "inference");
  run_passes(module, options.verify > 0);
  dump(options, "ir", ir::print(module));

  out.result_type = to_string(module.functions[0]->result);
  out.communicates = module.functions[0]->communicates;
  out.uses_mpi = module.functions[0]->uses_mpi;
  out.notes.assign(inferred.notes.begin(), inferred.notes.end());
  const bool shows = options.keep_text || dumps(options, "llvm") || dumps(options, "asm");
  const std::string identity = options_text(options) + ir::identity(module);
  if (auto before = made().find(identity); before != made().end() && !shows) {
    out.entry = before->second.entry;
    out.instructions = before->second.instructions;
    return true;
  }

  Cpu& cpu = Cpu::host();
  const std::string entry = entry_name(program);
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      emit(module, *context, entry, cpu.layout(), cpu.triple(), fastmath_bits(options.fastmath));
  cpu.optimise(*code, options.opt, options.verify);
  dump(options, "llvm", text_of(*code));

  out.instructions = count_instructions(*code);
  if (options.keep_text || dumps(options, "asm")) {
    out.ir = ir::print(module);
    out.llvm = text_of(*code);
    out.assembly = cpu.assembly(*code);
    dump(options, "asm", out.assembly);
  }
  out.entry = cpu.link(std::move(code), std::move(context), entry);
  made().try_emplace(identity, Made{out.entry, out.instructions});
  return true;
}

} // namespace mpijit::jit
