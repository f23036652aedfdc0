// Sums of floats whose terms are computed, over the last axes: `(a * b).sum()`. The array of terms is never made. They
// are computed into a buffer block by block, as large as the runtime says, which adds the blocks in NumPy's order.
#include "emit/elements.h"

#include "mpijit/runtime.h"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

namespace mpijit::jit {
namespace {

// The state is made here and looked into once the sum is complete.
static_assert(offsetof(mpijit_pairwise, re) == 0 && offsetof(mpijit_pairwise, im) == sizeof(double));

class Adder {
public:
  Adder(Emitter& e, const ir::Reduce& r, Type t, Place at)
      : e_(e), b_(e.b), r_(r), result_(t), at_(at), elements_(e, std::get<ir::Elementwise>(r.x->node), at) {
    elements_.broadcast(static_cast<size_t>(r.x->type->ndim), nullptr);
    elements_.require(b_.CreateOr(elements_.plain, elements_.valid), nullptr, false);
    kept_ = static_cast<size_t>(llvm::countr_zero(r.axes));
    terms_ = b_.getInt64Ty();
    state_ = e.scratch(llvm::ArrayType::get(b_.getInt64Ty(), sizeof(mpijit_pairwise) / 8), 0);
    llvm::Type* real = is_single() ? b_.getFloatTy() : b_.getDoubleTy();
    buffer_ = e.scratch(llvm::ArrayType::get(real, MPIJIT_PAIRWISE_REALS), 1);
    buffer_->setAlignment(llvm::Align(64));
    left_ = e.cell(terms_, "left");
    filled_ = e.cell(terms_, "filled");
    done_ = e.cell(terms_, "done");
  }

  Value run() {
    count_elements(e_, r_, elements_.lengths);
    if (!result_->is_array()) {
      llvm::AllocaInst* total = e_.cell(e_.unit.register_type(result_->dtype), "total");
      elements_.versions([&](bool is_plain) { b_.CreateStore(row(elements_.walks(is_plain), {}, is_plain), total); });
      e_.busy = true;
      return {result_, {b_.CreateLoad(total->getAllocatedType(), total)}};
    }
    Value out = e_.allocate(result_, reduced_shape(e_, r_, elements_.lengths), MPIJIT_FILL_NONE, at_);
    llvm::AllocaInst* waiting = elements_.may_raise() ? e_.park(parts(out).owner) : nullptr;
    elements_.versions([&](bool is_plain) { rows(out, is_plain); });
    e_.busy = true;
    if (waiting)
      e_.unpark(waiting);
    return out;
  }

private:
  bool is_single() const { return result_->dtype == DType::Float32 || result_->dtype == DType::Complex64; }

  void rows(const Value& out, bool is_plain) {
    const std::vector<Walk> all = elements_.walks(is_plain);
    const auto kept = [&](const Leaves& x) { return Leaves(x.begin(), x.begin() + kept_); };
    std::vector<Walk> outer;
    for (const Walk& w : all)
      outer.push_back({w.dtype, w.data, kept(w.strides)});
    outer.push_back({result_->dtype, parts(out).data, kept(e_.byte_strides(out))});
    each_element(e_, kept(elements_.lengths), outer, {!is_plain},
                 [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters) {
                   std::vector<Walk> walks = all;
                   for (size_t k = 0; k < walks.size(); ++k)
                     walks[k].data = addresses[k];
                   b_.CreateStore(row(walks, counters, is_plain), addresses.back());
                 });
  }

  /// The sum of one row of terms; counters are of the axes in front of it.
  Leaf row(const std::vector<Walk>& whole, llvm::ArrayRef<Leaf> counters, bool is_plain) {
    Leaves lengths(elements_.lengths.begin() + kept_, elements_.lengths.end());
    std::vector<Walk> walks;
    for (const Walk& w : whole)
      walks.push_back({w.dtype, w.data, Leaves(w.strides.begin() + kept_, w.strides.end())});
    Leaf count = product_of(e_, lengths);
    if (is_plain && elements_.is_dense())
      join_axes(e_, lengths, walks);
    b_.CreateStore(b_.CreateCall(e_.unit.support("mpijit_pairwise_begin"),
                                 {state_, count, b_.getInt32(static_cast<uint32_t>(result_->dtype))}),
                   left_);
    b_.CreateStore(e_.i64(0), filled_);
    llvm::BasicBlock *some = e_.block("terms"), *summed = e_.block("summed");
    b_.CreateCondBr(b_.CreateICmpEQ(count, e_.i64(0)), summed, some);
    b_.SetInsertPoint(some);
    each_line(e_, lengths, walks, {!is_plain}, [&](llvm::ArrayRef<Walk> line, llvm::ArrayRef<Leaf> outer) {
      Leaves all(counters.begin(), counters.end());
      all.append(outer.begin(), outer.end());
      segments(line, lengths.back(), all, is_plain);
    });
    b_.CreateBr(summed);
    b_.SetInsertPoint(summed);
    return result();
  }

  /// Computes the terms of one line, which may end within a block and go over many.
  void segments(llvm::ArrayRef<Walk> line, Leaf length, const Leaves& counters, bool is_plain) {
    llvm::BasicBlock *segment = e_.block("segment"), *full = e_.block("full"), *next = e_.block("next"),
                     *end = e_.block("line");
    b_.CreateStore(e_.i64(0), done_);
    b_.CreateBr(segment);
    b_.SetInsertPoint(segment);
    Leaf done = load(done_), filled = load(filled_), left = load(left_);
    Leaf here = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateSub(left, filled, "", true, true),
                                         b_.CreateSub(length, done, "", true, true));
    compute(line, done, filled, here, counters, is_plain);
    Leaf now = b_.CreateAdd(filled, here, "", true, true);
    b_.CreateStore(b_.CreateAdd(done, here, "", true, true), done_);
    b_.CreateStore(now, filled_);
    b_.CreateCondBr(b_.CreateICmpEQ(now, left), full, next);
    b_.SetInsertPoint(full);
    b_.CreateStore(b_.CreateCall(e_.unit.support("mpijit_pairwise_add"), {state_, buffer_}), left_);
    b_.CreateStore(e_.i64(0), filled_);
    b_.CreateBr(next);
    b_.SetInsertPoint(next);
    b_.CreateCondBr(b_.CreateICmpULT(load(done_), length), segment, end);
    b_.SetInsertPoint(end);
  }

  void compute(llvm::ArrayRef<Walk> line, Leaf done, Leaf filled, Leaf here, const Leaves& counters, bool is_plain) {
    std::vector<Walk> walks = moved_along(e_, line, done);
    const int64_t term = size(result_->dtype);
    Leaf place = b_.CreateGEP(b_.getInt8Ty(), buffer_, b_.CreateMul(filled, e_.i64(term)));
    walks.push_back({result_->dtype, place, {e_.i64(term)}});
    LoopKind kind{!is_plain};
    StoreScope scope;
    if (is_plain) {
      llvm::MDBuilder metadata(e_.unit.context);
      scope.target = llvm::MDNode::get(
          e_.unit.context, {metadata.createAnonymousAliasScope(metadata.createAnonymousAliasScopeDomain())});
      scope.independent = kind.independent = llvm::MDNode::getDistinct(e_.unit.context, {});
    }
    each_element(e_, {here}, walks, kind, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> inner) {
      Leaves all = counters;
      all.push_back(b_.CreateAdd(done, inner[0], "", true, true));
      Leaf x = elements_.element(addresses.drop_back(), all, scope);
      llvm::StoreInst* store = b_.CreateStore(x, addresses.back());
      if (scope.target) {
        store->setMetadata(llvm::LLVMContext::MD_alias_scope, scope.target);
        store->setMetadata(llvm::LLVMContext::MD_access_group, scope.independent);
      }
    });
  }

  /// From 0, to which NumPy adds the tree's sum: so -0.0 becomes 0.0.
  Leaf result() {
    const auto real = [&](int k) -> Leaf {
      Leaf x = b_.CreateLoad(b_.getDoubleTy(), b_.CreateConstInBoundsGEP1_64(b_.getDoubleTy(), state_, k));
      x = b_.CreateFAdd(x, llvm::ConstantFP::get(b_.getDoubleTy(), 0.0));
      return is_single() ? b_.CreateFPTrunc(x, b_.getFloatTy()) : x;
    };
    return is_complex(result_->dtype) ? e_.complex(real(0), real(1)) : real(0);
  }

  Leaf load(llvm::AllocaInst* word) { return b_.CreateLoad(terms_, word); }

  Emitter& e_;
  llvm::IRBuilder<>& b_;
  const ir::Reduce& r_;
  const Type result_;
  const Place at_;
  Elements elements_;
  size_t kept_; // how many axes stand in front of those that go
  llvm::Type* terms_;
  llvm::AllocaInst *state_, *buffer_, *left_, *filled_, *done_; // left_: terms of the block, filled_: computed of them
};

} // namespace

Value add_terms(Emitter& e, const ir::Reduce& r, Type t, Place at) { return Adder(e, r, t, at).run(); }

} // namespace mpijit::jit
