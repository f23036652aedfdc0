// Calls: other kernels, MPI routines, the runtime's support functions. Arguments are evaluated first; what a
// call needs in memory (descriptors, results) lies in stack cells at the function's top that all calls share.
// The lowering of an MPI routine follows from the kinds in its row, never from its name, but for rank and size of the
// world, which are loads.
#include "emit/emitter.h"

#include "mpijit/runtime.h"

#include <cstddef>
#include <stdexcept>

namespace mpijit::jit {

// ---- types and declarations ----------------------------------------------------------------------------

llvm::Type* Unit::memory_type(DType d) {
  const int bits = 8 * size(d);
  switch (kind(d)) {
  case 'f': return bits == 32 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
  case 'c': {
    llvm::Type* real = bits == 64 ? llvm::Type::getFloatTy(context) : llvm::Type::getDoubleTy(context);
    return llvm::StructType::get(real, real);
  }
  default: return llvm::Type::getIntNTy(context, static_cast<unsigned>(bits));
  }
}

llvm::Type* Unit::register_type(DType d) { return is_bool(d) ? llvm::Type::getInt1Ty(context) : memory_type(d); }

int leaf_count(Type t) {
  switch (t->kind) {
  case TypeKind::None:
  case TypeKind::Literal:
  case TypeKind::Static: return 0;
  case TypeKind::Array: return (t->layout == Layout::C ? 1 : 2) * t->ndim + 2;
  case TypeKind::Tuple: {
    int count = 0;
    for (Type item : t->items)
      count += leaf_count(item);
    return count;
  }
  case TypeKind::String: return 2;
  case TypeKind::Status: return 4;
  case TypeKind::Scalar:
  case TypeKind::Request:
  case TypeKind::Comm:
  case TypeKind::Operator: return 1;
  }
  return 0;
}

void Unit::leaf_types(Type t, llvm::SmallVectorImpl<llvm::Type*>& out) {
  llvm::Type* pointer = llvm::PointerType::getUnqual(context);
  llvm::Type* word = llvm::Type::getInt64Ty(context);
  switch (t->kind) {
  case TypeKind::Scalar: out.push_back(register_type(t->dtype)); return;
  case TypeKind::Array:
    out.push_back(pointer);
    out.append(static_cast<size_t>(leaf_count(t) - 2), word);
    out.push_back(pointer);
    return;
  case TypeKind::Tuple:
    for (Type item : t->items)
      leaf_types(item, out);
    return;
  case TypeKind::String:
    out.push_back(pointer);
    out.push_back(word);
    return;
  default: out.append(static_cast<size_t>(leaf_count(t)), word);
  }
}

llvm::Function* Unit::support(llvm::StringRef symbol) {
  if (llvm::Function* known = module.getFunction(symbol))
    return known;
  const auto type = [&](char c) -> llvm::Type* {
    switch (c) {
    case 'p': return llvm::PointerType::getUnqual(context);
    case 'i': return llvm::Type::getInt32Ty(context);
    case 'l': return llvm::Type::getInt64Ty(context);
    case 'd': return llvm::Type::getDoubleTy(context);
    default: return llvm::Type::getVoidTy(context);
    }
  };
  const SupportRow& row = jit::support(std::string_view(symbol));
  llvm::SmallVector<llvm::Type*, 6> arguments;
  std::string_view letters = row.arguments;
  const bool more = letters.ends_with('v');
  letters.remove_suffix(more);
  for (char c : letters)
    arguments.push_back(type(c));
  auto* f = llvm::Function::Create(llvm::FunctionType::get(type(row.result), arguments, more),
                                   llvm::GlobalValue::ExternalLinkage, symbol, module);
  f->setDoesNotThrow();
  if (symbol.starts_with("mpijit_raise") || symbol == "mpijit_frame" || symbol == "mpijit_poll" ||
      symbol == "mpijit_prepare" || symbol == "mpijit_finish")
    f->addFnAttr(llvm::Attribute::Cold);
  return f;
}

llvm::FunctionCallee Unit::clock() {
  return module.getOrInsertFunction("mpijit_clock", llvm::FunctionType::get(llvm::Type::getDoubleTy(context), false));
}

llvm::GlobalVariable* Unit::variable(llvm::StringRef symbol, llvm::Type* type) {
  if (llvm::GlobalVariable* known = module.getGlobalVariable(symbol))
    return known;
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, symbol);
}

// No builtin: LLVM knows these functions and would turn some into others that the runtime's table lacks (pow
// into exp10, say).
llvm::Function* Unit::libm(llvm::StringRef name, llvm::Type* type, int arity) {
  const std::string symbol = name.str() + (type->isFloatTy() ? "f" : "");
  if (llvm::Function* known = module.getFunction(symbol))
    return known;
  llvm::SmallVector<llvm::Type*, 3> arguments(static_cast<size_t>(arity), type);
  if (name == "ldexp")
    arguments.push_back(llvm::Type::getInt32Ty(context));
  auto* f = llvm::Function::Create(llvm::FunctionType::get(type, arguments, false), llvm::GlobalValue::ExternalLinkage,
                                   symbol, module);
  f->setDoesNotThrow();
  f->setDoesNotAccessMemory();
  f->setWillReturn();
  f->addFnAttr(llvm::Attribute::NoBuiltin);
  return f;
}

// A complex double is passed as two and returned as a pair in registers, by the conventions of x86-64 and of AArch64.
llvm::Function* Unit::complex_libm(llvm::StringRef name, int arity) {
  if (llvm::Function* known = module.getFunction(name))
    return known;
  llvm::Type* real = llvm::Type::getDoubleTy(context);
  const llvm::SmallVector<llvm::Type*, 4> arguments(static_cast<size_t>(2 * arity), real);
  auto* f = llvm::Function::Create(llvm::FunctionType::get(llvm::StructType::get(real, real), arguments, false),
                                   llvm::GlobalValue::ExternalLinkage, name, module);
  f->setDoesNotThrow();
  f->setDoesNotAccessMemory();
  f->setWillReturn();
  f->addFnAttr(llvm::Attribute::NoBuiltin);
  return f;
}

// ---- kernels calling kernels ---------------------------------------------------------------------------

Value Emitter::call(const ir::Call& c, Type t, Place at) {
  llvm::SmallVector<llvm::AllocaInst*, 4> waiting; // fresh arguments: released when the callee is done
  Leaves arguments;
  for (const ir::Expr* e : c.args) {
    Value v = evaluate(e);
    arguments.append(v.leaves);
    if (v.fresh)
      each_owner(v.type, [&](int k) { waiting.push_back(park(v.leaves[static_cast<size_t>(k)])); });
  }
  const int words = wire_words(t);
  Leaf result = llvm::ConstantPointerNull::get(b.getPtrTy());
  if (words > 0)
    result = cell(llvm::ArrayType::get(b.getInt64Ty(), static_cast<uint64_t>(words)), "result");
  arguments.push_back(result);
  busy = true;
  Leaf status = b.CreateCall(unit.functions[static_cast<size_t>(c.function)], arguments);
  check(b.CreateICmpEQ(status, b.getInt32(0)), frame(at).callee_failed, {unit.site(source, at), status});
  for (llvm::AllocaInst* c : waiting)
    release_block(unpark(c));
  Value v = read_words(t, result);
  v.fresh = holds_array(t);
  return v;
}

// ---- MPI -----------------------------------------------------------------------------------------------

// A mpijit_array on the stack; a scalar becomes a 0-d one, in memory of its own. The runtime only reads it, so
// the fields that never change are written once, where the function starts: a call in a loop stores the rest.
Leaf Emitter::descriptor(const Value& v, bool writeable, Leaf* memory) {
  static_assert(offsetof(mpijit_array, shape) == 8 && offsetof(mpijit_array, strides) == 16 &&
                offsetof(mpijit_array, owner) == 24 && offsetof(mpijit_array, dtype) == 32 &&
                offsetof(mpijit_array, flags) == 40 && sizeof(mpijit_array) == 48);
  llvm::Type *word = b.getInt64Ty(), *pointer = b.getPtrTy();
  const DType d = v.type->dtype;
  const bool is_array = v.type->is_array();
  const auto ndim = static_cast<uint64_t>(is_array ? v.type->ndim : 0);
  const bool contiguous = !is_array || v.type->layout == Layout::C;
  const uint32_t flags = (writeable ? MPIJIT_WRITEABLE : 0) | (contiguous ? MPIJIT_C_CONTIGUOUS : 0);

  llvm::StructType* type = llvm::StructType::get(pointer, pointer, pointer, pointer, word, b.getInt32Ty());
  llvm::AllocaInst* array = cell(type, "array");
  llvm::IRBuilder<> start(array->getParent(), std::next(array->getIterator()));
  auto element = [&](llvm::IRBuilder<>& at, Leaf base, uint64_t k) {
    return at.CreateConstInBoundsGEP1_64(word, base, k);
  };
  Leaf data = nullptr, shape = llvm::ConstantPointerNull::get(b.getPtrTy()), strides = shape;
  if (!is_array) {
    data = cell(unit.memory_type(d), "scalar");
    if (memory)
      *memory = data;
  } else if (ndim > 0) {
    shape = cell(llvm::ArrayType::get(word, 2 * ndim), "shape");
    strides = element(start, shape, ndim);
  }
  // dtype and ndim are one constant word.
  const auto head = static_cast<int64_t>(static_cast<uint64_t>(d) | ndim << 32);
  Leaf owner = is_array ? nullptr : llvm::ConstantPointerNull::get(b.getPtrTy());
  const Leaf fields[] = {data, shape, strides, owner, i64(head), b.getInt32(flags)};
  for (unsigned k = 0; k < 6; ++k)
    if (fields[k])
      start.CreateStore(fields[k], start.CreateStructGEP(type, array, k));

  if (is_array) {
    const ArrayParts a = parts(v);
    b.CreateStore(a.data, b.CreateStructGEP(type, array, 0));
    b.CreateStore(a.owner, b.CreateStructGEP(type, array, 3));
    const Leaves steps = ndim > 0 ? byte_strides(v) : Leaves{};
    for (uint64_t k = 0; k < ndim; ++k) {
      b.CreateStore(a.shape[k], element(b, shape, k));
      b.CreateStore(steps[k], element(b, shape, ndim + k));
    }
  } else if (!v.leaves.empty()) {
    b.CreateStore(is_bool(d) ? b.CreateZExt(v.leaves[0], b.getInt8Ty()) : v.leaves[0], data);
  }
  return array;
}

Leaf Emitter::argument(const ir::Expr* e, const Value& v, bool writeable) {
  const auto* read = std::get_if<ir::Read>(&e->node);
  if (!read || !v.type->is_array() || read->slot >= source.parameters || rebound.contains(read->slot))
    return descriptor(v, writeable);
  Leaf& known = arguments_[{read->slot, writeable}];
  if (!known) {
    llvm::IRBuilderBase::InsertPointGuard here(b);
    b.SetInsertPoint(once);
    known = descriptor(parameters[static_cast<size_t>(read->slot)], writeable);
  }
  return known;
}

Value Emitter::mpi_call(const ir::MpiCall& c, Type t, Place at, bool used) {
  const RoutineRow& row = *c.row;
  Leaf null = llvm::ConstantPointerNull::get(b.getPtrTy());
  llvm::SmallVector<Value, 8> values;
  for (const ir::Expr* e : c.args)
    values.push_back(e ? evaluate(e) : Value{});

  // rank() and size() of the world: loads of what never changes while a kernel runs.
  if (row.name == "rank" || row.name == "size") {
    auto* comm = llvm::dyn_cast<llvm::ConstantInt>(values[0].leaves[0]);
    if (comm && comm->getSExtValue() == default_value(Default::World)) {
      llvm::GlobalVariable* world = unit.variable("mpijit_world", llvm::ArrayType::get(b.getInt64Ty(), 2));
      const uint64_t field = row.name == "rank" ? 0 : 1;
      llvm::LoadInst* load = b.CreateLoad(b.getInt64Ty(), b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), world, field));
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(unit.context, {}));
      return {t, {load}};
    }
  }

  // wtime() is MPI's clock: the session that mpijit_wtime would look for began before the kernel.
  if (row.effect == Effect::Pure && row.result == ResultKind::Float && values.empty()) {
    busy = true;
    return {t, {b.CreateCall(unit.clock())}};
  }

  Leaves arguments{unit.site(source, at)};
  Type scalar_result = nullptr; // Reduced: the runtime fills a scalar on the stack
  Leaf result = nullptr;
  for (size_t k = 0; k < values.size(); ++k) {
    const Value& v = values[k];
    const auto position = static_cast<int>(k);
    switch (row.params[k].kind) {
    case ParamKind::In:
    case ParamKind::InOrSelf: arguments.push_back(v.type ? argument(c.args[k], v, false) : null); break;
    case ParamKind::Out:
    case ParamKind::InOut:
      if (v.type) {
        arguments.push_back(argument(c.args[k], v, !v.type->readonly));
      } else if (row.result == ResultKind::Reduced && t->is_scalar()) {
        scalar_result = t;
        arguments.push_back(descriptor({t, {}}, true, &result));
      } else {
        arguments.push_back(null);
      }
      break;
    case ParamKind::Requests: {
      const size_t count = v.leaves.size();
      Leaf handles = scratch(llvm::ArrayType::get(b.getInt64Ty(), count), position);
      for (size_t r = 0; r < count; ++r)
        b.CreateStore(v.leaves[r], b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), handles, r));
      arguments.push_back(handles);
      arguments.push_back(i64(static_cast<int64_t>(count)));
      break;
    }
    case ParamKind::Dest:
    case ParamKind::Source:
    case ParamKind::Root:
    case ParamKind::SendTag:
    case ParamKind::RecvTag:
    case ParamKind::Op:
    case ParamKind::Comm:
    case ParamKind::Request: arguments.push_back(v.leaves[0]); break;
    }
  }
  if (row.result != ResultKind::None && row.result != ResultKind::Reduced) {
    const bool wanted = row.result != ResultKind::Status || (used && !t->is_none());
    if (wanted)
      result = scratch(row.result == ResultKind::Float    ? b.getDoubleTy()
                       : row.result == ResultKind::Status ? llvm::ArrayType::get(b.getInt64Ty(), 4)
                                                          : static_cast<llvm::Type*>(b.getInt64Ty()),
                       8); // beyond the positions of arguments
    arguments.push_back(wanted ? result : null);
  }

  llvm::SmallVector<llvm::Type*, 10> types;
  for (Leaf argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee routine = unit.module.getOrInsertFunction("mpijit_" + std::string(row.name),
                                                                 llvm::FunctionType::get(b.getInt32Ty(), types, false));
  llvm::cast<llvm::Function>(routine.getCallee())->setDoesNotThrow();
  busy = true;
  check_status(b.CreateCall(routine, arguments), at);

  if (row.result == ResultKind::Reduced && t->is_array())
    return values[1]; // recv itself
  if (t->is_none() || !result)
    return {t, {}};
  if (scalar_result) {
    Leaf x = b.CreateLoad(unit.memory_type(t->dtype), result);
    return {t, {t->is_bool() ? b.CreateICmpNE(x, b.getInt8(0)) : x}};
  }
  return read_words(t, result);
}

} // namespace mpijit::jit
