// Reductions, products of matrices, other shapes of the same elements. Sums of floats and products are the runtime's,
// which has NumPy's order of adding; all else is a nest here.
#include "emit/elements.h"

#include "ir/effects.h"
#include "mpijit/runtime.h"

#include <limits>

namespace mpijit::jit {
namespace {

class Reducer {
public:
  Reducer(Emitter& e, const ir::Reduce& r, Type t, Place at)
      : e_(e), b_(e.b), row_(*r.row), r_(r), result_(t), at_(at),
        elements_(e, std::get<ir::Elementwise>(r.x->node), at) {
    const auto ndim = static_cast<size_t>(r.x->type->ndim);
    elements_.broadcast(ndim, nullptr);
    elements_.require(b_.CreateOr(elements_.plain, elements_.valid), nullptr, false);
    for (size_t axis = 0; axis < ndim; ++axis)
      (r.axes >> axis & 1 ? reduced_ : kept_).push_back(axis);
    element_ = types::strong(r.x->type->dtype);
    is_index_ = row_.result == ReductionResult::Index;
  }

  Value run() {
    require_elements();
    if (!result_->is_array())
      return {result_, {reduce_all()}};
    Leaves shape;
    for (size_t axis = 0; axis < elements_.lengths.size(); ++axis)
      if (!(r_.axes >> axis & 1))
        shape.push_back(elements_.lengths[axis]);
      else if (r_.keepdims)
        shape.push_back(e_.i64(1));
    Value out = e_.allocate(result_, shape, MPIJIT_FILL_NONE, at_);
    llvm::AllocaInst* waiting = elements_.may_raise() ? e_.park(parts(out).owner) : nullptr;
    into(out);
    if (waiting)
      e_.unpark(waiting);
    return out;
  }

private:
  Leaves lengths_of(const std::vector<size_t>& axes) const {
    Leaves out;
    for (size_t axis : axes)
      out.push_back(elements_.lengths[axis]);
    return out;
  }

  // Without an identity there must be elements to reduce, even where there are no results.
  void require_elements() {
    if (row_.empty.empty())
      return;
    Leaf some = b_.getTrue();
    for (Leaf n : lengths_of(reduced_))
      some = b_.CreateAnd(some, b_.CreateICmpNE(n, e_.i64(0)));
    e_.check(some, at_, "ValueError", llvm::StringRef(row_.empty.data(), row_.empty.size()));
  }

  // ---- how two values combine ------------------------------------------------------------------------

  Leaf start() {
    llvm::Type* type = e_.unit.register_type(element_->dtype);
    const bool real = element_->is_float();
    const auto extreme = [&](bool highest) -> Leaf {
      if (real)
        return llvm::ConstantFP::getInfinity(type, !highest);
      if (element_->is_bool())
        return b_.getInt1(highest);
      const unsigned bits = type->getIntegerBitWidth();
      const bool with_sign = is_signed(element_->dtype);
      return b_.getInt(highest ? (with_sign ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits))
                               : (with_sign ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getMinValue(bits)));
    };
    switch (row_.operation) {
    case Reduction::Sum: return llvm::Constant::getNullValue(type);
    case Reduction::Prod: return e_.constant(ir::Const{1, 1}, element_);
    case Reduction::Min: return extreme(true);
    case Reduction::Max: return extreme(false);
    case Reduction::Any: return b_.getFalse();
    case Reduction::All: return b_.getTrue();
    case Reduction::ArgMin:
    case Reduction::ArgMax: break;
    }
    return llvm::Constant::getNullValue(type);
  }

  // NaN wins over every number, and the one that came first stays.
  Leaf is_better(Leaf x, Leaf best, bool lower) {
    if (element_->is_bool())
      return lower ? b_.CreateAnd(b_.CreateNot(x), best) : b_.CreateAnd(x, b_.CreateNot(best));
    if (!element_->is_float()) {
      const bool with_sign = is_signed(element_->dtype);
      return lower ? (with_sign ? b_.CreateICmpSLT(x, best) : b_.CreateICmpULT(x, best))
                   : (with_sign ? b_.CreateICmpSGT(x, best) : b_.CreateICmpUGT(x, best));
    }
    llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
    b_.clearFastMathFlags();
    // Unordered or better, unless best is a NaN already.
    Leaf better = lower ? b_.CreateFCmpULT(x, best) : b_.CreateFCmpUGT(x, best);
    return b_.CreateAnd(better, b_.CreateFCmpORD(best, best));
  }

  Leaf combine(Leaf total, Leaf x) {
    switch (row_.operation) {
    case Reduction::Sum: return b_.CreateAdd(total, x);
    case Reduction::Prod:
      if (element_->is_complex())
        return e_.complex_product(total, x);
      return element_->is_float() ? b_.CreateFMul(total, x) : b_.CreateMul(total, x);
    case Reduction::Min: return b_.CreateSelect(is_better(x, total, true), x, total);
    case Reduction::Max: return b_.CreateSelect(is_better(x, total, false), x, total);
    case Reduction::Any: return b_.CreateOr(total, x);
    case Reduction::All: return b_.CreateAnd(total, x);
    case Reduction::ArgMin:
    case Reduction::ArgMax: break;
    }
    return total;
  }

  // ---- one value -------------------------------------------------------------------------------------

  /// What stands in cells while elements come: the value, its position, how many there were.
  struct Cells {
    llvm::AllocaInst *best, *at = nullptr, *count = nullptr;
  };
  Cells make_cells() {
    Cells c{e_.cell(e_.unit.register_type(element_->dtype), "best")};
    if (is_index_) {
      c.at = e_.cell(b_.getInt64Ty(), "at");
      c.count = e_.cell(b_.getInt64Ty(), "count");
    }
    return c;
  }
  void reset(const Cells& c) {
    b_.CreateStore(start(), c.best);
    for (llvm::AllocaInst* word : {c.at, c.count})
      if (word)
        b_.CreateStore(e_.i64(0), word);
  }
  void take(const Cells& c, Leaf x) {
    Leaf best = b_.CreateLoad(c.best->getAllocatedType(), c.best);
    if (!is_index_) {
      b_.CreateStore(combine(best, x), c.best);
      return;
    }
    Leaf count = b_.CreateLoad(b_.getInt64Ty(), c.count), at = b_.CreateLoad(b_.getInt64Ty(), c.at);
    Leaf better =
        b_.CreateOr(b_.CreateICmpEQ(count, e_.i64(0)), is_better(x, best, row_.operation == Reduction::ArgMin));
    b_.CreateStore(b_.CreateSelect(better, x, best), c.best);
    b_.CreateStore(b_.CreateSelect(better, count, at), c.at);
    b_.CreateStore(b_.CreateAdd(count, e_.i64(1), "", true, true), c.count);
  }
  Leaf finish(const Cells& c) {
    llvm::AllocaInst* result = is_index_ ? c.at : c.best;
    return b_.CreateLoad(result->getAllocatedType(), result);
  }

  Cells start_cells() {
    const Cells c = make_cells();
    reset(c);
    return c;
  }
  void take_all(const Cells& c, llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, bool is_cold) {
    each_element(e_, lengths, walks, {is_cold}, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters) {
      take(c, elements_.element(addresses, counters));
    });
    e_.busy = true;
  }
  Leaf reduce_all() {
    const Cells c = start_cells();
    elements_.versions([&](bool is_plain) { take_all(c, elements_.lengths, elements_.walks(is_plain), !is_plain); });
    return finish(c);
  }

  // ---- one value for each index of the axes that are kept ----------------------------------------------

  static Walk along(const Walk& w, const std::vector<size_t>& axes) {
    Walk out{w.dtype, w.data, {}};
    for (size_t axis : axes)
      out.strides.push_back(w.strides[axis]);
    return out;
  }

  void into(const Value& out) {
    // The result as an array over all axes of the input: it does not move along those that go.
    Walk target{out.type->dtype, parts(out).data, Leaves(elements_.lengths.size(), e_.i64(0))};
    const Leaves strides = e_.byte_strides(out);
    for (size_t k = 0; k < kept_.size(); ++k)
      target.strides[kept_[k]] = strides[r_.keepdims ? kept_[k] : k];
    const std::vector<Walk> all = elements_.walks(false);
    if (is_index_ || reduced_.back() + 1 == elements_.lengths.size())
      return row_by_row(target, all);

    // Reducing an outer axis: the inner loop runs along the results.
    each_element(e_, lengths_of(kept_), {along(target, kept_)}, {},
                 [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf>) { store(start(), addresses[0]); });
    std::vector<Walk> both = all;
    both.push_back(target);
    each_element(e_, elements_.lengths, both, {}, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters) {
      Leaf x = elements_.element(addresses.drop_back(), counters);
      Leaf total = b_.CreateLoad(e_.unit.memory_type(target.dtype), addresses.back());
      store(combine(element_->is_bool() ? b_.CreateICmpNE(total, b_.getInt8(0)) : total, x), addresses.back());
    });
    e_.busy = true;
  }

  void row_by_row(const Walk& target, const std::vector<Walk>& all) {
    std::vector<Walk> outer;
    for (const Walk& w : all)
      outer.push_back(along(w, kept_));
    outer.push_back(along(target, kept_));
    each_element(e_, lengths_of(kept_), outer, {}, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf>) {
      std::vector<Walk> inner;
      for (size_t k = 0; k < all.size(); ++k) {
        inner.push_back(along(all[k], reduced_));
        inner.back().data = addresses[k];
      }
      const Cells c = start_cells();
      take_all(c, lengths_of(reduced_), inner, e_.cold_depth > 0);
      store(finish(c), addresses.back());
    });
  }

  void store(Leaf x, Leaf address) {
    b_.CreateStore(result_->dtype == DType::Bool ? b_.CreateZExt(x, b_.getInt8Ty()) : x, address);
  }

  Emitter& e_;
  llvm::IRBuilder<>& b_;
  const ReductionRow& row_;
  const ir::Reduce& r_;
  const Type result_;
  const Place at_;
  Elements elements_;
  std::vector<size_t> reduced_, kept_;
  Type element_ = nullptr;
  bool is_index_ = false;
};

Leaf null_pointer(Emitter& e) { return llvm::ConstantPointerNull::get(e.b.getPtrTy()); }

/// A result that a runtime function fills: memory on the stack for a scalar, else a new array.
struct Output {
  Value value;
  Leaf descriptor, memory = nullptr;

  Output(Emitter& e, Type t, const Leaves& shape, Place at) {
    if (t->is_array()) {
      value = e.allocate(t, shape, MPIJIT_FILL_NONE, at);
      descriptor = e.descriptor(value, true);
    } else {
      descriptor = e.descriptor({t, {}}, true, &memory);
    }
  }
  Value take(Emitter& e, Type t) const {
    if (!memory)
      return value;
    Leaf x = e.b.CreateLoad(e.unit.memory_type(t->dtype), memory);
    return {t, {t->is_bool() ? e.b.CreateICmpNE(x, e.b.getInt8(0)) : x}};
  }
};

} // namespace

Value Emitter::reduce(const ir::Reduce& r, Type t, Place at) {
  if (!ir::adds_floats(r, t->dtype))
    return Reducer(*this, r, t, at).run();
  Value x = evaluate(r.x);
  const ArrayParts p = parts(x);
  Leaves shape;
  for (size_t axis = 0; axis < p.shape.size(); ++axis)
    if (!(r.axes >> axis & 1))
      shape.push_back(p.shape[axis]);
    else if (r.keepdims)
      shape.push_back(i64(1));
  const Output out(*this, t, shape, at);
  // The runtime's result has the axes that are kept alone.
  Leaf target = out.descriptor;
  if (r.keepdims) {
    Leaves kept;
    for (size_t axis = 0; axis < p.shape.size(); ++axis)
      if (!(r.axes >> axis & 1))
        kept.push_back(p.shape[axis]);
    Value plain{types::array(t->dtype, static_cast<int>(kept.size()), Layout::C), {parts(out.value).data}};
    plain.leaves.append(kept);
    plain.leaves.push_back(null_pointer(*this));
    target = descriptor(plain, true);
  }
  busy = true;
  b.CreateCall(unit.support("mpijit_sum"), {argument(r.x, x, false), i64(static_cast<int64_t>(r.axes)), target});
  return out.take(*this, t);
}

Value Emitter::product(const ir::Product& x, Type t, Place at) {
  Value a = evaluate(x.a), c = evaluate(x.b);
  Leaves shape;
  if (a.type->ndim == 2)
    shape.push_back(parts(a).shape[0]);
  if (c.type->ndim == 2)
    shape.push_back(parts(c).shape[1]);
  const Output out(*this, t, shape, at);
  llvm::AllocaInst* waiting = t->is_array() ? park(parts(out.value).owner) : nullptr;
  busy = true;
  check_status(b.CreateCall(unit.support(x.dot ? "mpijit_dot" : "mpijit_matmul"),
                            {unit.site(source, at), argument(x.a, a, false), argument(x.b, c, false), out.descriptor}),
               at);
  if (waiting)
    unpark(waiting);
  Value result = out.take(*this, t);
  result.fresh = t->is_array();
  return result;
}

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
  for (size_t k = 0; k < view.leaves.size(); ++k) {
    llvm::PHINode* phi = b.CreatePHI(view.leaves[k]->getType(), 2);
    phi->addIncoming(view.leaves[k], view_end);
    phi->addIncoming(copy.leaves[k], copy_end);
    out.leaves.push_back(phi);
  }
  return out;
}

} // namespace mpijit::jit
