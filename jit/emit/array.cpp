// Arrays as loose leaves: element addresses, index checks, new arrays. Address arithmetic carries no-wrap
// flags where the index is known to be in bounds, so that the vectoriser sees plain strides.
#include "emit/emitter.h"

#include "mpijit/runtime.h"

namespace mpijit::jit {

ArrayParts parts(const Value& v) {
  const auto n = static_cast<size_t>(v.type->ndim);
  const llvm::ArrayRef<Leaf> leaves = v.leaves;
  return {leaves[0], leaves.slice(1, n), v.type->layout == Layout::C ? llvm::ArrayRef<Leaf>() : leaves.slice(1 + n, n),
          leaves.back()};
}

// Strides in bytes; those of a C-contiguous array follow from its shape.
Leaves Emitter::byte_strides(const Value& array) {
  const ArrayParts a = parts(array);
  if (array.type->layout == Layout::Strided)
    return Leaves(a.strides.begin(), a.strides.end());
  Leaves strides(a.shape.size());
  Leaf stride = i64(size(array.type->dtype));
  for (size_t k = a.shape.size(); k-- > 0;) {
    strides[k] = stride;
    if (k > 0)
      stride = b.CreateMul(stride, a.shape[k]);
  }
  return strides;
}

// ---- elements ------------------------------------------------------------------------------------------

// Rows 24 and 25: a negative index counts from the end, once; the message shows the index as written.
Leaf Emitter::checked_index(const ir::Index& index, Leaf written, Leaf size, int axis, Place at) {
  Leaf i = written;
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(written);
  auto check_below = [&](Leaf x) {
    check(b.CreateICmpULT(x, size), frame(at).index_error, {unit.site(source, at), written, i64(axis), size});
  };
  if (index.wrap && index.check && source.boundscheck && !known && !cold_depth) {
    // One comparison for what is in range as written, which is what most indices are. What is too large stays so. In
    // cold code fewer blocks are worth more.
    llvm::BasicBlock *before = b.GetInsertBlock(), *other = block("other"), *next = block("index");
    b.CreateCondBr(b.CreateICmpULT(written, size), next, other, likely());
    b.SetInsertPoint(other);
    Leaf from_end = b.CreateAdd(written, size);
    check_below(from_end);
    other = b.GetInsertBlock();
    b.CreateBr(next);
    b.SetInsertPoint(next);
    return either(written, before, from_end, other);
  }
  if (index.wrap && !(known && !known->isNegative())) {
    Leaf from_end = b.CreateAdd(written, size);
    i = known ? from_end : b.CreateSelect(b.CreateICmpSLT(written, i64(0)), from_end, written);
  }
  if (index.check && source.boundscheck)
    check_below(i);
  return i;
}

// C-contiguous: ((i*n1 + j)*n2 + k) elements. Strided: the byte strides in whole elements, which aligned arrays
// have, so that a unit stride can be recognised at run time.
Leaf Emitter::element(const Value& array, const std::vector<ir::Index>& index, Place at) {
  const ArrayParts a = parts(array);
  const DType d = array.type->dtype;
  llvm::Type* type = unit.memory_type(d);
  Leaves indices; // all are evaluated before the first is checked, as Python does
  for (const ir::Index& i : index)
    indices.push_back(scalar(i.value));
  for (size_t k = 0; k < index.size(); ++k)
    indices[k] = checked_index(index[k], indices[k], a.shape[k], static_cast<int>(k), at);
  if (indices.empty())
    return a.data;
  Leaf offset = nullptr;
  if (array.type->layout == Layout::C) {
    for (size_t k = 0; k < indices.size(); ++k)
      offset = offset ? b.CreateAdd(b.CreateMul(offset, a.shape[k], "", true, true), indices[k], "", true, true)
                      : indices[k];
  } else {
    // Those of complex arrays in records are whole parts only.
    if (is_complex(d))
      type = type->getStructElementType(0);
    Leaf shift = i64(llvm::Log2_32(static_cast<uint32_t>(is_complex(d) ? size(d) / 2 : size(d))));
    for (size_t k = 0; k < indices.size(); ++k) {
      Leaf term = b.CreateMul(indices[k], b.CreateAShr(a.strides[k], shift), "", false, true);
      offset = offset ? b.CreateAdd(offset, term, "", false, true) : term;
    }
  }
  return b.CreateInBoundsGEP(type, a.data, offset);
}

Leaf Emitter::load(const ir::Load& l, Type t, Place at) {
  Value array = evaluate(l.array);
  llvm::LoadInst* x = b.CreateLoad(unit.memory_type(t->dtype), element(array, l.index, at));
  tag(x, l.scope);
  if (array.fresh)
    release(array);
  return t->is_bool() ? b.CreateICmpNE(x, b.getInt8(0)) : static_cast<Leaf>(x);
}

// The right side first, then the target and its indices, as Python evaluates.
void Emitter::store(const ir::Store& s, Place at) {
  Leaf x = scalar(s.value);
  Value array = evaluate(s.array);
  Leaf address = element(array, s.index, at);
  if (s.value->type->is_bool())
    x = b.CreateZExt(x, b.getInt8Ty());
  tag(b.CreateStore(x, address), s.scope);
  if (array.fresh)
    release(array);
}

// ---- whole arrays --------------------------------------------------------------------------------------

Value Emitter::relayout(const Value& v, Type to) {
  Value result{to, {}, v.fresh};
  if (to->has_items()) {
    size_t first = 0;
    for (size_t k = 0; k < to->items.size(); ++k) {
      const Type item = v.type->items[k];
      const auto count = static_cast<size_t>(leaf_count(item));
      const llvm::ArrayRef<Leaf> leaves = llvm::ArrayRef<Leaf>(v.leaves).slice(first, count);
      result.leaves.append(relayout({item, Leaves(leaves.begin(), leaves.end())}, to->items[k]).leaves);
      first += count;
    }
    return result;
  }
  if (!to->is_array() || to->layout == v.type->layout) {
    result.leaves = v.leaves;
    return result;
  }
  const ArrayParts a = parts(v);
  result.leaves.push_back(a.data);
  result.leaves.append(a.shape.begin(), a.shape.end());
  result.leaves.append(byte_strides(v));
  result.leaves.push_back(a.owner);
  return result;
}

Value Emitter::part_view(const ir::Part& x, Type t) {
  Value array = evaluate(x.array);
  const ArrayParts a = parts(array);
  Value out{t, {}, array.fresh};
  out.leaves.push_back(x.imaginary ? b.CreateConstInBoundsGEP1_64(unit.memory_type(t->dtype), a.data, 1) : a.data);
  out.leaves.append(a.shape.begin(), a.shape.end());
  out.leaves.append(byte_strides(array));
  out.leaves.push_back(a.owner);
  return out;
}

/// Lengths of a new array, none negative.
Leaves Emitter::shape(const std::vector<ir::Expr*>& lengths, Place at) {
  Leaves out;
  Leaf any_negative = nullptr;
  for (const ir::Expr* e : lengths) {
    out.push_back(scalar(e));
    any_negative = any_negative ? b.CreateOr(any_negative, out.back()) : out.back();
  }
  if (any_negative)
    check(b.CreateICmpSGE(any_negative, i64(0)), at, "ValueError", "negative dimensions are not allowed");
  return out;
}

Value Emitter::alloc(const ir::Alloc& a, Type t, Place at) {
  return allocate(t, shape(a.shape, at), a.fill == ir::Fill::Zero ? MPIJIT_FILL_ZERO : MPIJIT_FILL_NONE, at);
}

Value Emitter::allocate(Type t, const Leaves& shape, int32_t fill, Place at) {
  Leaf count = i64(1), overflow = b.getFalse();
  for (Leaf n : shape) {
    if (count == i64(1)) {
      count = n;
      continue;
    }
    Leaf product = b.CreateBinaryIntrinsic(llvm::Intrinsic::smul_with_overflow, count, n);
    count = b.CreateExtractValue(product, 0);
    overflow = b.CreateOr(overflow, b.CreateExtractValue(product, 1));
  }
  check(b.CreateNot(overflow), at, "ValueError", "array is too big");

  llvm::AllocaInst* out = scratch(b.getPtrTy(), 0);
  busy = true;
  check_status(b.CreateCall(unit.support("mpijit_alloc"), {unit.site(source, at), count, i64(size(t->dtype)),
                                                           b.getInt32(static_cast<uint32_t>(fill)), out}),
               at);
  Leaf owner = b.CreateLoad(b.getPtrTy(), out, "block");
  Leaf data = b.CreateLoad(b.getPtrTy(), b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), owner, 16), "data");
  Value result{t, {data}, true};
  result.leaves.append(shape);
  result.leaves.push_back(owner);
  return result;
}

} // namespace mpijit::jit
