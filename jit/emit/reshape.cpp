// Other shapes of the same elements: a view where the array's layout allows, else a copy.
#include "emit/emitter.h"

#include "mpijit/runtime.h"

namespace mpijit::jit {

Value Emitter::reshape(const ir::Reshape& x, Type t, Place at) {
  Value array = evaluate(x.array);
  const ArrayParts a = parts(array);
  const size_t ndim = x.shape.size();
  Leaf shape = cell(llvm::ArrayType::get(b.getInt64Ty(), std::max<size_t>(ndim, 1)), "shape");
  Leaf old = cell(llvm::ArrayType::get(b.getInt64Ty(), std::max<size_t>(a.shape.size(), 1)), "old");
  const auto word = [&](Leaf words, size_t k) { return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), words, k); };
  Leaves asked;
  for (const ir::Expr* e : x.shape)
    asked.push_back(scalar(e));
  for (size_t k = 0; k < ndim; ++k)
    b.CreateStore(asked[k], word(shape, k));
  for (size_t k = 0; k < a.shape.size(); ++k)
    b.CreateStore(a.shape[k], word(old, k));
  busy = true;
  check_status(b.CreateCall(unit.support("mpijit_complete_shape"),
                            {unit.site(source, at), old, i64(static_cast<int64_t>(a.shape.size())), shape,
                             i64(static_cast<int64_t>(ndim))}),
               at);
  Leaves lengths;
  for (size_t k = 0; k < ndim; ++k)
    lengths.push_back(b.CreateLoad(b.getInt64Ty(), word(shape, k)));
  if (t->layout == Layout::C) {
    Value out{t, {a.data}, array.fresh};
    out.leaves.append(lengths);
    out.leaves.push_back(a.owner);
    return out;
  }

  // A view with strides that the runtime finds, or a copy.
  Leaf strides = cell(llvm::ArrayType::get(b.getInt64Ty(), std::max<size_t>(ndim, 1)), "strides");
  Leaf is_view =
      b.CreateICmpNE(b.CreateCall(unit.support("mpijit_view_as"),
                                  {descriptor(array, false), shape, i64(static_cast<int64_t>(ndim)), strides}),
                     b.getInt32(0));
  llvm::BasicBlock *viewed = block("viewed"), *copied = block("copied"), *after = block("reshaped");
  b.CreateCondBr(is_view, viewed, copied);
  b.SetInsertPoint(viewed);
  Value view{t, {a.data}};
  view.leaves.append(lengths);
  for (size_t k = 0; k < ndim; ++k)
    view.leaves.push_back(b.CreateLoad(b.getInt64Ty(), word(strides, k)));
  view.leaves.push_back(a.owner);
  retain(view);
  llvm::BasicBlock* view_end = b.GetInsertBlock();
  b.CreateBr(after);

  b.SetInsertPoint(copied);
  Value whole = allocate(types::array(t->dtype, static_cast<int>(a.shape.size()), Layout::C),
                         Leaves(a.shape.begin(), a.shape.end()), MPIJIT_FILL_NONE, at);
  b.CreateCall(unit.support("mpijit_copy"), {descriptor(whole, true), descriptor(array, false)});
  Value copy{types::array(t->dtype, t->ndim, Layout::C), {parts(whole).data}};
  copy.leaves.append(lengths);
  copy.leaves.push_back(parts(whole).owner);
  copy = relayout(copy, t);
  llvm::BasicBlock* copy_end = b.GetInsertBlock();
  b.CreateBr(after);

  b.SetInsertPoint(after);
  Value out{t, {}, true};
  for (size_t k = 0; k < view.leaves.size(); ++k)
    out.leaves.push_back(either(view.leaves[k], view_end, copy.leaves[k], copy_end));
  return out;
}

} // namespace mpijit::jit
