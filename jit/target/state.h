// What the files of this folder share: the host's target machine and the ORC session behind Cpu.
#pragma once

#include "target/target.h"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Target/TargetMachine.h>

#include <mutex>

namespace mpijit::jit {

struct Cpu::State {
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::orc::LLJIT> jit; // null until something links
  llvm::orc::JITDylib* runtime = nullptr;
  llvm::DataLayout layout{""};
  std::string triple, name, features;
  std::string complaints; // what ORC reported during the current link
  std::mutex mutex;       // LLVM's code generation and this session: one thread at a time
  int linked = 0;
};

/// The module flag that asks link for loop strength reduction; set by optimise.
inline constexpr char strength_reduction[] = "mpijit.strength_reduction";

/// A target machine for this host.
std::unique_ptr<llvm::TargetMachine> host_machine();
/// Marks every function of the module as compiled for the machine.
void set_target(llvm::Module& module, const llvm::TargetMachine& machine);

} // namespace mpijit::jit
