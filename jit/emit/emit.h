// From typed IR to LLVM IR, one llvm::Function per ir::Function and one entry the dispatcher calls.
// Knows the runtime by symbol name only; knows nothing of Python, of inference or of targets.
//
//   internal function   i32 @k(<leaves of each parameter>, ptr result words)       see wire.h
//   entry               i32 @<entry>(ptr argument words, ptr result words)
//
// A value is its leaves: a scalar one; an array data, shape[ndim], strides[ndim] unless C-contiguous, owner;
// a tuple its items' leaves; a request one i64, a status four.
#pragma once

#include "ir/ir.h"

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

namespace mpijit::jit {

/// `entry` names the entry function. The module's data layout and triple are set by the caller's target.
std::unique_ptr<llvm::Module> emit(const ir::Module& module, llvm::LLVMContext& context, const std::string& entry,
                                   const llvm::DataLayout& layout, const std::string& triple, unsigned fastmath_flags);

} // namespace mpijit::jit
