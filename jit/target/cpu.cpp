// The host's CPU: its name and features, and a target machine that uses all of them and invents nothing: no
// contraction of a multiplication and an addition, no fast math.
#include "target/codegen.h"
#include "target/state.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <stdexcept>

namespace mpijit::jit {

std::unique_ptr<llvm::TargetMachine> host_machine() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const std::string triple = llvm::sys::getProcessTriple();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    throw std::runtime_error("LLVM has no target for " + triple + ": " + error);
  std::string features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
    features += features.empty() ? "" : ",";
    features += (feature.second ? "+" : "-") + feature.first().str();
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard; // only where an instruction's own flag allows it
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features, options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Default, true));
  if (!machine)
    throw std::runtime_error("LLVM cannot compile for " + triple);
  return machine;
}

void set_target(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& f : module) {
    if (f.isDeclaration())
      continue;
    f.addFnAttr("target-cpu", machine.getTargetCPU());
    f.addFnAttr("target-features", machine.getTargetFeatureString());
    f.addFnAttr("prefer-vector-width", "256");
  }
}

Cpu::Cpu() : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.machine = host_machine();
  s.layout = s.machine->createDataLayout();
  s.triple = s.machine->getTargetTriple().str();
  s.name = s.machine->getTargetCPU().str();
  s.features = s.machine->getTargetFeatureString().str();
}

// Never destroyed: compiled code may run until the process ends.
Cpu& Cpu::host() {
  static Cpu* cpu = new Cpu;
  return *cpu;
}

const llvm::DataLayout& Cpu::layout() const { return state_->layout; }
const std::string& Cpu::triple() const { return state_->triple; }
const std::string& Cpu::name() const { return state_->name; }
const std::string& Cpu::features() const { return state_->features; }

std::string Cpu::assembly(const llvm::Module& module) const {
  const std::lock_guard lock(state_->mutex);
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module); // code generation changes what it reads
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream out(text);
  CodeGeneration passes(*copy);
  if (state_->machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw std::runtime_error("LLVM cannot write assembly for " + state_->triple);
  passes.run(*copy);
  return std::string(text);
}

} // namespace mpijit::jit
