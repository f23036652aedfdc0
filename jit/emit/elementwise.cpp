// New arrays and slice stores from element-wise code.
//
// There are two versions of a nest at most. The plain one runs when no input is broadcast at run time and the target
// shares no memory with what is read: strides are what they are, loads and stores are told apart by an alias scope, and
// the innermost loop vectorises. The general one takes strides as numbers, 0 where a length is 1. Where the target's
// memory meets that of an input, the runtime says in which order the general one may run. If in none, either of them
// fills a temporary, which is copied.
#include "emit/elements.h"

#include "ir/effects.h"
#include "mpijit/runtime.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace mpijit::jit {
namespace {

/// The slot of the array that e is, or is a part of; -1 for none.
int root_slot(const ir::Expr* e) {
  if (const auto* view = std::get_if<ir::View>(&e->node))
    return root_slot(view->array);
  if (const auto* permuted = std::get_if<ir::Permute>(&e->node))
    return root_slot(permuted->array);
  if (const auto* part = std::get_if<ir::Part>(&e->node))
    return root_slot(part->array);
  const auto* read = std::get_if<ir::Read>(&e->node);
  return read ? read->slot : -1;
}

/// The array behind a view of all of it.
const ir::Expr& without_full_slice(const ir::Expr& e) {
  const auto* view = std::get_if<ir::View>(&e.node);
  if (!view || view->array->type != e.type)
    return e;
  for (const ir::Axis& axis : view->axes) {
    const auto* range = std::get_if<ir::Range>(&axis);
    if (!range || range->start || range->stop || range->step)
      return e;
  }
  return *view->array;
}

class Filler {
public:
  Filler(Emitter& e, const ir::Elementwise& source, Place at) : e_(e), b_(e.b), at_(at), elements_(e, source, at) {}

  /// A new array of type t.
  Value make(Type t) {
    elements_.broadcast(static_cast<size_t>(t->ndim), nullptr);
    elements_.require(b_.CreateOr(elements_.plain, elements_.valid), nullptr, false);
    Value out = e_.allocate(t, elements_.lengths, MPIJIT_FILL_NONE, at_);
    dense_target_ = true;
    llvm::AllocaInst* waiting = elements_.may_raise() ? e_.park(parts(out).owner) : nullptr;
    fill({t->dtype, parts(out).data, e_.byte_strides(out)});
    if (waiting)
      e_.unpark(waiting);
    return out;
  }

  /// Into a view that exists.
  void store(const ir::StoreArray& s) {
    Value target = e_.evaluate(s.target);
    const auto ndim = static_cast<size_t>(target.type->ndim);
    dense_target_ = target.type->layout == Layout::C;
    find_target(*s.target);
    elements_.broadcast(ndim, &target);
    Leaf fits = b_.CreateOr(elements_.plain, elements_.valid);
    for (const Elements::Array& a : elements_.arrays)
      if (s.strict && a.value.type->ndim > target.type->ndim)
        fits = b_.getFalse();
    elements_.require(fits, &target, s.strict);

    Walk direct{target.type->dtype, parts(target).data, e_.byte_strides(target)};
    Leaf apart = disjoint(*s.target, target);
    if (is_true(apart))
      return fill(direct);
    store_carefully(*s.target, target, direct, apart);
  }

private:
  // ---- the two versions ------------------------------------------------------------------------------

  /// Nothing that is read, but for the target's own elements, is in the target's memory.
  void fill(const Walk& target) {
    Leaf plain = elements_.plain;
    if (e_.cold_depth > 0)
      return general(target);
    if (is_true(plain))
      return fast(target);
    llvm::BasicBlock *fast_block = e_.block("plain"), *slow = e_.block("general"), *after = e_.block("filled");
    b_.CreateCondBr(plain, fast_block, slow, e_.likely());
    b_.SetInsertPoint(fast_block);
    fast(target);
    b_.CreateBr(after);
    b_.SetInsertPoint(slow);
    general(target);
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  void fast(const Walk& target) {
    std::vector<Walk> walks = elements_.walks(true);
    walks.push_back(target);
    Leaves lengths = elements_.lengths;
    order_axes(lengths, walks);
    join_axes(lengths, walks);
    llvm::MDBuilder metadata(e_.unit.context);
    llvm::MDNode* scope = metadata.createAnonymousAliasScope(metadata.createAnonymousAliasScopeDomain());
    nest(lengths, walks, false,
         {llvm::MDNode::get(e_.unit.context, {scope}), llvm::MDNode::getDistinct(e_.unit.context, {})});
  }

  void general(const Walk& target) {
    std::vector<Walk> walks = elements_.walks(false);
    walks.push_back(target);
    nest(elements_.lengths, walks, true, {});
  }

  void nest(llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, bool is_cold, StoreScope scope) {
    const LoopKind kind{is_cold, scope.independent};
    each_element(e_, lengths, walks, kind, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters) {
      Leaf x = elements_.element(addresses.drop_back(), counters, scope);
      if (is_bool(walks.back().dtype))
        x = b_.CreateZExt(x, b_.getInt8Ty());
      llvm::StoreInst* store = b_.CreateStore(x, addresses.back());
      if (scope.target)
        store->setMetadata(llvm::LLVMContext::MD_alias_scope, scope.target);
      if (scope.independent)
        store->setMetadata(llvm::LLVMContext::MD_access_group, scope.independent);
    });
    e_.busy = true;
  }

  // ---- the order of axes -----------------------------------------------------------------------------

  static void swap_axes(Emitter& e, Leaf when, size_t r, size_t s, Leaves& lengths, std::vector<Walk>& walks) {
    const auto exchange = [&](Leaf& x, Leaf& y) {
      Leaf a = x, c = y;
      x = e.b.CreateSelect(when, c, a);
      y = e.b.CreateSelect(when, a, c);
    };
    exchange(lengths[r], lengths[s]);
    for (Walk& w : walks)
      exchange(w.strides[r], w.strides[s]);
  }

  /// The largest stride of the target outermost. Where its last axis is known to be dense the order is right.
  void order_axes(Leaves& lengths, std::vector<Walk>& walks) {
    const Leaves& strides = walks.back().strides;
    if (lengths.size() < 2 || lengths.size() > 4 || is_constant(strides.back(), size(walks.back().dtype)))
      return;
    sort_axes(lengths, walks);
  }
  void sort_axes(Leaves& lengths, std::vector<Walk>& walks) {
    const auto magnitude = [&](size_t r) {
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, walks.back().strides[r], b_.getFalse());
    };
    for (size_t last = lengths.size(); last-- > 1;)
      for (size_t r = 0; r < last; ++r)
        swap_axes(e_, b_.CreateICmpULT(magnitude(r), magnitude(r + 1)), r, r + 1, lengths, walks);
  }

  /// C-contiguous arrays of equal shape are one run of elements.
  void join_axes(Leaves& lengths, std::vector<Walk>& walks) {
    if (lengths.size() < 2 || elements_.uses_index())
      return;
    const auto is_dense = [&](const Elements::Array& a) {
      if (a.value.type->layout != Layout::C || a.value.type->ndim != static_cast<int>(lengths.size()))
        return false;
      const ArrayParts p = parts(a.value);
      return std::none_of(p.shape.begin(), p.shape.end(), [](Leaf n) { return is_constant(n, 1); });
    };
    if (!dense_target_ || !std::all_of(elements_.arrays.begin(), elements_.arrays.end(), is_dense))
      return;
    Leaf all = lengths[0];
    for (size_t r = 1; r < lengths.size(); ++r)
      all = b_.CreateMul(all, lengths[r], "", true, true);
    lengths = {all};
    for (Walk& w : walks)
      w.strides = {e_.i64(size(w.dtype))};
  }

  // ---- overlap -----------------------------------------------------------------------------------------

  /// An input that is the very view stored to: its element is read before it is written.
  void find_target(const ir::Expr& target) {
    const auto& arrays = elements_.arrays;
    for (size_t k = arrays.size(); k-- > 0;) {
      bool stays = true;
      for (size_t j = k + 1; j < arrays.size(); ++j)
        stays &= !ir::is_changed(target, *arrays[j].input->value);
      elements_.arrays[k].is_target =
          stays && ir::same_value(without_full_slice(*arrays[k].input->value), without_full_slice(target));
    }
  }

  /// Whether the target's memory lies apart from that of every other input, by their first and last bytes. Parts of one
  /// array are tested as a whole where the target is a part of another.
  Leaf disjoint(const ir::Expr& target, const Value& value) {
    Leaf apart = b_.getTrue();
    std::pair<Leaf, Leaf> own{};
    std::set<int> tested;
    for (const Elements::Array& a : elements_.arrays) {
      if (a.is_target)
        continue;
      const int root = root_slot(a.input->value);
      const bool whole = root >= 0 && root != root_slot(&target) && e_.source.slots[root].type->is_array();
      if (whole && !tested.insert(root).second)
        continue;
      if (!own.first)
        own = e_.extent(value);
      const auto [first, last] = e_.extent(whole ? e_.read(root) : a.value);
      apart = b_.CreateAnd(apart, b_.CreateOr(b_.CreateICmpULE(own.second, first), b_.CreateICmpULE(last, own.first)));
    }
    return apart;
  }

  void store_carefully(const ir::Expr& target, const Value& value, const Walk& direct, Leaf apart) {
    const auto shares_root = [&](const Elements::Array& a) {
      return !a.is_target && root_slot(a.input->value) == root_slot(&target);
    };
    const bool shifts = std::any_of(elements_.arrays.begin(), elements_.arrays.end(), shares_root);
    llvm::BasicBlock *meet = e_.block("meet"), *copied = e_.block("temporary"), *ordered = e_.block("ordered"),
                     *ready = e_.block("ready"), *done = e_.block("stored"), *before = b_.GetInsertBlock();
    b_.CreateCondBr(apart, ready, meet, e_.likely());

    b_.SetInsertPoint(meet);
    Leaf order = ask_order(value);
    Leaf needs_copy = shifts ? b_.CreateICmpEQ(order, b_.getInt32(MPIJIT_TEMPORARY))
                             : b_.CreateICmpNE(order, b_.getInt32(MPIJIT_ANY_ORDER));
    b_.CreateCondBr(needs_copy, copied, ordered);

    b_.SetInsertPoint(copied);
    const ArrayParts t = parts(value);
    Value temporary = e_.allocate(types::array(value.type->dtype, value.type->ndim, Layout::C),
                                  Leaves(t.shape.begin(), t.shape.end()), MPIJIT_FILL_NONE, at_);
    llvm::AllocaInst* waiting = e_.park(parts(temporary).owner);
    const Leaves packed = e_.byte_strides(temporary);
    llvm::BasicBlock* allocated = b_.GetInsertBlock();
    b_.CreateBr(ready);

    b_.SetInsertPoint(ready);
    Walk chosen = direct;
    const auto either = [&](Leaf x, Leaf y) -> Leaf {
      if (x == y)
        return x;
      llvm::PHINode* phi = b_.CreatePHI(x->getType(), 2);
      phi->addIncoming(x, before);
      phi->addIncoming(y, allocated);
      return phi;
    };
    chosen.data = either(direct.data, parts(temporary).data);
    for (size_t r = 0; r < packed.size(); ++r)
      chosen.strides[r] = either(direct.strides[r], packed[r]);
    fill(chosen);
    copy_back(value, waiting);
    b_.CreateBr(done);

    b_.SetInsertPoint(ordered);
    std::vector<Walk> walks = elements_.walks(false);
    walks.push_back(direct);
    Leaves lengths = elements_.lengths;
    if (shifts) {
      sort_axes(lengths, walks);
      turn_axes(lengths, walks, b_.CreateICmpEQ(order, b_.getInt32(MPIJIT_DESCENDING)));
    }
    nest(lengths, walks, true, {});
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }

  /// Each axis in the direction in which the target's addresses grow; fall, when descending.
  void turn_axes(const Leaves& lengths, std::vector<Walk>& walks, Leaf descending) {
    for (size_t r = 0; r < lengths.size(); ++r) {
      Leaf turn = b_.CreateXor(b_.CreateICmpSLT(walks.back().strides[r], e_.i64(0)), descending);
      Leaf last = b_.CreateSub(lengths[r], e_.i64(1));
      for (Walk& w : walks) {
        Leaf reach = b_.CreateSelect(turn, b_.CreateMul(last, w.strides[r]), e_.i64(0));
        w.data = b_.CreateGEP(b_.getInt8Ty(), w.data, reach);
        w.strides[r] = b_.CreateSelect(turn, b_.CreateNeg(w.strides[r]), w.strides[r]);
      }
    }
  }

  Leaf ask_order(const Value& target) {
    const auto whole = [&](DType d, const Walk& w) {
      Value v{types::array(d, target.type->ndim, Layout::Strided), {w.data}};
      const ArrayParts t = parts(target);
      v.leaves.append(t.shape.begin(), t.shape.end());
      v.leaves.append(w.strides);
      v.leaves.push_back(llvm::ConstantPointerNull::get(b_.getPtrTy()));
      return v;
    };
    const std::vector<Walk> walks = elements_.walks(false);
    Leaf leaves = e_.cell(llvm::ArrayType::get(b_.getPtrTy(), walks.size()), "leaves");
    for (size_t k = 0; k < walks.size(); ++k)
      b_.CreateStore(e_.descriptor(whole(walks[k].dtype, walks[k]), false),
                     b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), leaves, k));
    return b_.CreateCall(e_.unit.support("mpijit_overlap"),
                         {e_.descriptor(target, true), leaves, e_.i64(static_cast<int64_t>(walks.size()))});
  }

  void copy_back(const Value& target, llvm::AllocaInst* waiting) {
    llvm::BasicBlock *back = e_.block("copy"), *after = e_.block("direct");
    Leaf owner = b_.CreateLoad(b_.getPtrTy(), waiting);
    b_.CreateCondBr(b_.CreateIsNull(owner), after, back, e_.likely());
    b_.SetInsertPoint(back);
    Value whole{types::array(target.type->dtype, target.type->ndim, Layout::C), {}};
    whole.leaves.push_back(b_.CreateLoad(b_.getPtrTy(), b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), owner, 16)));
    const ArrayParts t = parts(target);
    whole.leaves.append(t.shape.begin(), t.shape.end());
    whole.leaves.push_back(owner);
    b_.CreateCall(e_.unit.support("mpijit_copy"), {e_.descriptor(target, true), e_.descriptor(whole, false)});
    e_.release_block(e_.unpark(waiting));
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  Emitter& e_;
  llvm::IRBuilder<>& b_;
  const Place at_;
  Elements elements_;
  bool dense_target_ = false; // what is filled is C-contiguous
};

} // namespace

Value Emitter::elementwise(const ir::Elementwise& x, Type t, Place at) { return Filler(*this, x, at).make(t); }

void Emitter::store_array(const ir::StoreArray& s, Place at) {
  Filler(*this, std::get<ir::Elementwise>(s.value->node), at).store(s);
}

} // namespace mpijit::jit
