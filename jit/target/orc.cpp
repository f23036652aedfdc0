// Linking. One ORC session that sees the runtime's table of symbols and nothing else of the process; each module
// in a dylib of its own, so that two may define the same names. Code is never freed.
#include "target/codegen.h"
#include "target/state.h"

#include "mpijit/runtime.h"

#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>

#include <stdexcept>

namespace mpijit::jit {
namespace {

using namespace llvm;

[[noreturn]] void fail(const std::string& what, Error error) {
  throw std::runtime_error(what + ": " + toString(std::move(error)));
}

orc::JITDylib& new_dylib(orc::LLJIT& jit, const std::string& name) {
  Expected<orc::JITDylib&> dylib = jit.createJITDylib(name);
  if (!dylib)
    fail("LLVM's JIT makes no dylib " + name, dylib.takeError());
  return *dylib;
}

// Does what orc::SimpleCompiler does, with our passes.
class Compiler : public orc::IRCompileLayer::IRCompiler {
public:
  explicit Compiler(TargetMachine& machine)
      : IRCompiler(orc::irManglingOptionsFromTargetOptions(machine.Options)), machine_(machine) {}
  Expected<std::unique_ptr<MemoryBuffer>> operator()(Module& module) override {
    SmallVector<char, 0> object;
    raw_svector_ostream out(object);
    CodeGeneration passes(module);
    MCContext* context = nullptr;
    if (machine_.addPassesToEmitMC(passes, context, out))
      return createStringError("LLVM cannot write objects for " + machine_.getTargetTriple().str());
    passes.run(module);
    return std::make_unique<SmallVectorMemoryBuffer>(std::move(object), module.getModuleIdentifier(), false);
  }

private:
  TargetMachine& machine_;
};

orc::SymbolMap runtime_symbols(orc::LLJIT& jit) {
  orc::SymbolMap map;
  for (const mpijit_symbol* s = mpijit_symbols(); s->name; ++s)
    map[jit.mangleAndIntern(s->name)] = {orc::ExecutorAddr::fromPtr(s->address), JITSymbolFlags::Exported};
  return map;
}

} // namespace

void* Cpu::link(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
                const std::string& entry) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  if (!s.jit) {
    orc::LLJITBuilder builder;
    builder.setLinkProcessSymbolsByDefault(false);
    builder.setPlatformSetUp(orc::setUpInactivePlatform); // nothing but our symbols
    builder.setJITTargetMachineBuilder(orc::JITTargetMachineBuilder(Triple(s.triple)));
    builder.setDataLayout(s.layout);
    builder.setCompileFunctionCreator(
        [&](orc::JITTargetMachineBuilder) -> Expected<std::unique_ptr<orc::IRCompileLayer::IRCompiler>> {
          return std::make_unique<Compiler>(*s.machine);
        });
    Expected<std::unique_ptr<orc::LLJIT>> jit = builder.create();
    if (!jit)
      fail("LLVM's JIT did not start", jit.takeError());
    s.jit = std::move(*jit);
    s.jit->getExecutionSession().setErrorReporter(
        [&s](Error error) { s.complaints += toString(std::move(error)) + "\n"; });
    s.runtime = &new_dylib(*s.jit, "runtime");
    if (Error error = s.runtime->define(orc::absoluteSymbols(runtime_symbols(*s.jit))))
      fail("the runtime's symbols", std::move(error));
  }

  s.complaints.clear();
  orc::JITDylib& dylib = new_dylib(*s.jit, entry + "." + std::to_string(s.linked++));
  dylib.addToLinkOrder(*s.runtime);
  if (Error error = s.jit->addIRModule(dylib, orc::ThreadSafeModule(std::move(module), std::move(context))))
    fail("cannot add the module of " + entry, std::move(error));
  Expected<orc::ExecutorAddr> address = s.jit->lookup(dylib, entry);
  if (!address) // the session's report names the missing symbol, the error only what failed for it
    fail("cannot link " + entry + ": " + s.complaints, address.takeError());
  return address->toPtr<void*>();
}

} // namespace mpijit::jit
