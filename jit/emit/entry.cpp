// The functions' signatures, the entry that the dispatcher calls, and the wire form of values that both
// share (types/wire.h). Words are little-endian, so that a float32 is the low half of its word.
#include "emit/emitter.h"

namespace mpijit::jit {

// Internal linkage and a prefix: a kernel may be called fmod.
void Unit::declare_functions() {
  for (const auto& f : source.functions) {
    llvm::SmallVector<llvm::Type*, 16> types;
    for (int k = 0; k < f->parameters; ++k)
      leaf_types(f->slots[static_cast<size_t>(k)].type, types);
    types.push_back(llvm::PointerType::getUnqual(context));
    auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt32Ty(context), types, false),
                                            llvm::GlobalValue::InternalLinkage, "py." + f->name, module);
    function->setDoesNotThrow();
    functions.push_back(function);
  }
}

void Unit::define_entry(const std::string& name) {
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  auto* entry =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {pointer, pointer}, false),
                             llvm::GlobalValue::ExternalLinkage, name, module);
  entry->setDoesNotThrow();
  const ir::Function& kernel = *source.functions[0];
  Emitter e(*this, kernel, entry);
  e.b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", entry));
  std::vector<Type> parameters;
  for (int k = 0; k < kernel.parameters; ++k)
    parameters.push_back(kernel.slots[static_cast<size_t>(k)].type);
  Leaves arguments = e.read_words(types::tuple(parameters), entry->getArg(0)).leaves;
  arguments.push_back(entry->getArg(1));
  e.b.CreateRet(e.b.CreateCall(functions[0], arguments));
}

// ---- the wire form -------------------------------------------------------------------------------------

namespace {

// Calls f(position of the word, index of the leaf or -1 for a stride that has none, type of the value it is
// part of, number of the word in it) for every word of t, in order.
template <class F> void each_word(Type t, int& word, int& leaf, F&& f) {
  if (t->has_items()) {
    for (Type item : t->items)
      each_word(item, word, leaf, f);
    return;
  }
  const int count = wire_words(t);
  for (int k = 0; k < count; ++k) {
    const bool implied = t->is_array() && t->layout == Layout::C && k > t->ndim && k <= 2 * t->ndim;
    const bool shared = t->is_complex() && k == 0; // both parts are of one leaf
    f(word++, implied ? -1 : shared ? leaf : leaf++, t, k);
  }
}

} // namespace

void Emitter::write_words(const Value& v, Leaf words) {
  Leaves strides; // of the C-contiguous array being written
  int word = 0, leaf = 0;
  each_word(v.type, word, leaf, [&](int at, int from, Type t, int k) {
    Leaf x;
    if (from >= 0) {
      x = v.leaves[static_cast<size_t>(from)];
    } else {
      if (k == t->ndim + 1) {
        const auto first = static_cast<size_t>(leaf - t->ndim - 1);
        const llvm::ArrayRef<Leaf> leaves =
            llvm::ArrayRef<Leaf>(v.leaves).slice(first, static_cast<size_t>(leaf_count(t)));
        strides = byte_strides({t, Leaves(leaves.begin(), leaves.end())});
      }
      x = strides[static_cast<size_t>(k - t->ndim - 1)];
    }
    if (t->is_complex())
      x = b.CreateExtractValue(x, static_cast<unsigned>(k));
    if (t->is_scalar() && x->getType()->isFloatTy())
      x = b.CreateBitCast(x, b.getInt32Ty());
    if (x->getType()->isIntegerTy())
      x = b.CreateIntCast(x, b.getInt64Ty(), t->is_scalar() && is_signed(t->dtype));
    b.CreateStore(x, b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), words, static_cast<uint64_t>(at)));
  });
}

Value Emitter::read_words(Type t, Leaf words) {
  llvm::SmallVector<llvm::Type*, 16> types;
  unit.leaf_types(t, types);
  Value v{t, {}};
  int word = 0, leaf = 0;
  each_word(t, word, leaf, [&](int at, int to, Type of, int k) {
    if (to < 0)
      return;
    llvm::Type* type = types[static_cast<size_t>(to)];
    if (of->is_complex())
      type = type->getStructElementType(0);
    const bool is_bool = type->isIntegerTy(1);
    Leaf address = b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), words, static_cast<uint64_t>(at));
    Leaf x = b.CreateAlignedLoad(is_bool ? b.getInt64Ty() : type, address, llvm::Align(8));
    if (of->is_complex() && k == 1)
      v.leaves.back() = complex(v.leaves.back(), x);
    else
      v.leaves.push_back(is_bool ? b.CreateICmpNE(x, i64(0)) : x);
  });
  return v;
}

} // namespace mpijit::jit
