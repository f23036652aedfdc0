// Errors. A check is a compare and a branch to a block that all checks of its kind share; the shared blocks
// call the runtime once each and meet in `failing`, which leaves through the function's one exit. Call sites
// are constants of the object.
#include "emit/emitter.h"

#include <llvm/IR/MDBuilder.h>

namespace mpijit::jit {

// ---- constants -----------------------------------------------------------------------------------------

llvm::Constant* Unit::text(llvm::StringRef value) {
  llvm::Constant*& known = texts_[value];
  if (known)
    return known;
  return known = constant(llvm::ConstantDataArray::getString(context, value), "text");
}

llvm::Constant* Unit::site(const ir::Function& f, Place at) {
  llvm::Constant*& known = sites_[{&f, at.frame, at.span.line, at.span.column}];
  if (known)
    return known;
  const ir::Inlined* inlined = at.frame > 0 ? &f.inlined[static_cast<size_t>(at.frame) - 1] : nullptr;
  llvm::Type* word = llvm::Type::getInt32Ty(context);
  llvm::Constant* value = llvm::ConstantStruct::getAnon(
      {text(inlined ? inlined->file : f.file), text(inlined ? inlined->name : f.name),
       llvm::ConstantInt::getSigned(word, at.span.line), llvm::ConstantInt::getSigned(word, at.span.column)});
  return known = constant(value, "site");
}

llvm::Constant* Unit::constant(llvm::Constant* value, const char* name) {
  auto* global =
      new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

// ---- checks --------------------------------------------------------------------------------------------

llvm::MDNode* Emitter::likely() { return llvm::MDBuilder(unit.context).createLikelyBranchWeights(); }

Leaf Emitter::code(llvm::StringRef python_error) {
  return b.getInt32(static_cast<uint32_t>(find_error(std::string_view(python_error))));
}

void Emitter::arrive(Cold& cold, llvm::ArrayRef<Leaf> arguments) {
  if (!cold.block) {
    cold.block = llvm::BasicBlock::Create(unit.context, "cold", function);
    for (Leaf argument : arguments)
      cold.arguments.push_back(llvm::PHINode::Create(argument->getType(), 4, "", cold.block));
  }
  for (size_t k = 0; k < arguments.size(); ++k)
    cold.arguments[k]->addIncoming(arguments[k], b.GetInsertBlock());
}

void Emitter::check(Leaf good, Cold& cold, llvm::ArrayRef<Leaf> arguments) {
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(good); known && known->isOne())
    return;
  arrive(cold, arguments);
  llvm::BasicBlock* next = block("good");
  b.CreateCondBr(good, next, cold.block, likely());
  b.SetInsertPoint(next);
}

void Emitter::check(Leaf good, Place at, int32_t error, llvm::StringRef message) {
  check(good, frame(at).raising, {unit.site(source, at), b.getInt32(static_cast<uint32_t>(error)), unit.text(message)});
}

void Emitter::check(Leaf good, Place at, llvm::StringRef python_error, llvm::StringRef message) {
  check(good, at, find_error(std::string_view(python_error)), message);
}

void Emitter::fail(Leaf status, Place at) {
  arrive(frame(at).failing, {status});
  jump(frame(at).failing.block);
}

void Emitter::check_status(Leaf status, Place at) {
  check(b.CreateICmpEQ(status, b.getInt32(0)), frame(at).failing, {status});
}

void Emitter::raise(Place at, int32_t error, llvm::StringRef message) {
  Cold& raising = frame(at).raising;
  arrive(raising, {unit.site(source, at), b.getInt32(static_cast<uint32_t>(error)), unit.text(message)});
  jump(raising.block);
}

// ---- the shared blocks ---------------------------------------------------------------------------------

// What fails in an inlined body fails for its caller too, one traceback entry further out, up to the
// function's own frame and the exit. Inner frames have higher numbers.
void Emitter::finish() {
  for (size_t k = frames.size(); k-- > 0;) {
    Frame& f = frames[k];
    const auto call = [&](Cold& cold, llvm::StringRef symbol) {
      if (!cold.block)
        return;
      b.SetInsertPoint(cold.block);
      const Leaves arguments(cold.arguments.begin(), cold.arguments.end());
      arrive(f.failing, {b.CreateCall(unit.support(symbol), arguments)});
      b.CreateBr(f.failing.block);
    };
    call(f.index_error, "mpijit_raise_index");
    call(f.fit_error, "mpijit_raise_fit");
    call(f.raising, "mpijit_raise");
    call(f.callee_failed, "mpijit_frame");
    if (!f.failing.block)
      continue;
    b.SetInsertPoint(f.failing.block);
    Leaf status = f.failing.arguments[0];
    if (k > 0) {
      const ir::Inlined& inlined = source.inlined[k - 1];
      const Place caller{inlined.call, inlined.parent};
      status = b.CreateCall(unit.support("mpijit_frame"), {unit.site(source, caller), status});
      arrive(frame(caller).failing, {status});
      b.CreateBr(frame(caller).failing.block);
    } else {
      exit_status->addIncoming(status, f.failing.block);
      b.CreateBr(exit);
    }
  }
  b.SetInsertPoint(exit);
  for (llvm::AllocaInst* owner : owners)
    release_block(b.CreateLoad(b.getPtrTy(), owner));
  b.CreateRet(exit_status);
}

} // namespace mpijit::jit
