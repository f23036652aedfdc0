// Optimising and running LLVM modules on this machine's CPU. Knows LLVM and the runtime's symbol table;
// nothing of Python functions or typed IR.
#pragma once

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace mpijit::jit {

/// The host's CPU with all its features, and one ORC session. Made once per process, at first use.
class Cpu {
public:
  static Cpu& host();
  const llvm::DataLayout& layout() const;
  const std::string& triple() const;
  const std::string& name() const;     // "sapphirerapids"
  const std::string& features() const; // "+avx2,..."

  /// Runs the pass list on the module: 2 our own (default), 3 LLVM's O3, 0 none. Throws std::logic_error when the
  /// module is wrong before; verify 1: or after the last pass; 2: or after any pass, which it names.
  void optimise(llvm::Module& module, int level, int verify = 0) const;
  std::string assembly(const llvm::Module& module) const;

  /// Links the module in a dylib of its own against the runtime's symbols and returns entry's address.
  /// Throws std::runtime_error naming an unknown symbol. Code stays for the life of the process.
  void* link(std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
             const std::string& entry);

private:
  Cpu();
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace mpijit::jit
