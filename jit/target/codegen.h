// LLVM's code generation as we run it, to link a module and to show its assembly.
#pragma once

#include "target/state.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Pass.h>
#include <llvm/Transforms/Scalar.h>

#include <memory>

namespace mpijit::jit {

/// Without loop strength reduction unless the module asks for it: on stencils that pass takes half the time, and x86's
/// addressing modes do without it just as fast.
class CodeGeneration : public llvm::legacy::PassManager {
public:
  explicit CodeGeneration(const llvm::Module& module) {
    if (!module.getModuleFlag(strength_reduction))
      unwanted_.reset(llvm::createLoopStrengthReducePass());
  }
  void add(llvm::Pass* pass) override {
    if (unwanted_ && pass->getPassID() == unwanted_->getPassID())
      delete pass; // the caller allows for it: a pass manager may find a pass redundant
    else
      llvm::legacy::PassManager::add(pass);
  }

private:
  std::unique_ptr<llvm::Pass> unwanted_; // its id has no public name
};

} // namespace mpijit::jit
