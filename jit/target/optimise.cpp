// The pass lists. Level 2 is short on purpose: kernels arrive as small structured functions, so that one
// clean-up while inlining and one round of loop passes give what LLVM's O3 gives, in a fraction of the time.
#include "target/state.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace mpijit::jit {
namespace {

using namespace llvm;

// One vector at a time keeps code small and short rows fast; only a floating-point reduction, whose additions wait
// for each other (and which vectorises under fast-math flags alone), gains from several.
struct InterleaveReductions : PassInfoMixin<InterleaveReductions> {
  PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) {
    for (Loop* loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
      if (loop->isInnermost() &&
          any_of(loop->getHeader()->phis(), [](PHINode& phi) { return phi.getType()->isFloatingPointTy(); }))
        addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 4);
    return PreservedAnalyses::all();
  }
};

// Turns cells into registers and folds what that uncovers.
FunctionPassManager clean_up() {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  return passes;
}

ModulePassManager our_passes() {
  ModulePassManager passes;
  // Bottom up over the call graph: a callee is cleaned before it is inlined, the caller after.
  ModuleInlinerWrapperPass inliner(getInlineParams(225));
  inliner.getPM().addPass(createCGSCCToFunctionPassAdaptor(clean_up()));
  passes.addPass(std::move(inliner));
  passes.addPass(GlobalDCEPass());

  LoopPassManager rotate_and_hoist;
  rotate_and_hoist.addPass(LoopRotatePass());
  rotate_and_hoist.addPass(LICMPass(LICMOptions()));
  LoopPassManager count;
  count.addPass(IndVarSimplifyPass());
  FunctionPassManager loops;
  loops.addPass(createFunctionToLoopPassAdaptor(std::move(rotate_and_hoist), true, false));
  loops.addPass(InstCombinePass());
  loops.addPass(createFunctionToLoopPassAdaptor(std::move(count), false, false));
  loops.addPass(InterleaveReductions());
  loops.addPass(LoopVectorizePass(LoopVectorizeOptions(/*InterleaveOnlyWhenForced=*/true, false)));
  loops.addPass(InstCombinePass());
  loops.addPass(SimplifyCFGPass());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(loops)));
  return passes;
}

// Does an innermost loop, the checked twins aside, compute an address or an index with a multiplication? Then turning
// it into an addition is worth the time; where every array is walked along its last axis there is none.
bool multiplies_in_loops(Module& module, FunctionAnalysisManager& analyses) {
  const auto multiplies = [](const Loop* loop) {
    return any_of(loop->blocks(), [](const BasicBlock* block) {
      return any_of(*block, [](const Instruction& i) { return i.getOpcode() == Instruction::Mul; });
    });
  };
  for (Function& f : module) {
    if (f.isDeclaration())
      continue;
    for (const Loop* loop : analyses.getResult<LoopAnalysis>(f).getLoopsInPreorder())
      if (loop->isInnermost() && !getBooleanLoopAttribute(loop, "llvm.loop.unroll.disable") && multiplies(loop))
        return true;
  }
  return false;
}

std::string what_is_wrong(const Module& module) {
  std::string text;
  raw_string_ostream out(text);
  return verifyModule(module, &out) ? text : "";
}

} // namespace

void Cpu::optimise(llvm::Module& module, int level, int verify) const {
  const std::string broken = what_is_wrong(module);
  if (!broken.empty())
    throw std::logic_error("emit made a module that LLVM rejects: " + broken);
  const std::lock_guard lock(state_->mutex);
  set_target(module, *state_->machine);
  if (level == 0)
    return;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  llvm::PassInstrumentationCallbacks callbacks;
  std::string first; // LLVM's code is no place to throw from
  if (verify > 1)
    callbacks.registerAfterPassCallback([&](llvm::StringRef pass, llvm::Any, const llvm::PreservedAnalyses&) {
      if (const std::string wrong = first.empty() ? what_is_wrong(module) : ""; !wrong.empty())
        first = pass.str() + " made a module that LLVM rejects: " + wrong;
    });
  llvm::PassBuilder builder(state_->machine.get(), tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes =
      level >= 3 ? builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3) : our_passes();
  passes.run(module, modules);
  if (verify == 1 && !(first = what_is_wrong(module)).empty())
    first.insert(0, "a pass made a module that LLVM rejects: ");
  if (!first.empty())
    throw std::logic_error(first);
  if (level >= 3 || multiplies_in_loops(module, functions))
    module.addModuleFlag(llvm::Module::Warning, strength_reduction, 1);
}

} // namespace mpijit::jit
