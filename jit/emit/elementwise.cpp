// New arrays and slice stores from element-wise code.
//
// There are two versions of a nest at most. The plain one runs when no input is broadcast at run time and the target
// shares no memory with what is read: strides are what they are, loads and stores are told apart by an alias scope, and
// the innermost loop vectorises. The general one is a loop over one row of a table that the runtime moves from row to
// row, with strides of 0 where a length is 1: little code, as it seldom runs. Where the target's memory meets that of
// an input, the runtime puts the table in an order in which the general one may run. If there is none, either of them
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
    target_dtype_ = t->dtype;
    fill({t->dtype, parts(out).data, e_.byte_strides(out)});
    finish_rows();
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
    target_dtype_ = direct.dtype;
    Leaf apart = disjoint(*s.target, target);
    if (ndim == 0 || is_true(apart)) { // one element is read whole before it is written
      fill(direct);
      return finish_rows();
    }
    store_carefully(target, direct, apart);
  }

private:
  // ---- the two versions ------------------------------------------------------------------------------

  /// Nothing that is read, but for the target's own elements, is in the target's memory.
  void fill(const Walk& target) {
    elements_.versions([&](bool is_plain) { is_plain ? fast(target) : general(target); });
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
    if (elements_.lengths.empty() || elements_.uses_index()) {
      std::vector<Walk> walks = elements_.walks(false);
      walks.push_back(target);
      return nest(elements_.lengths, walks, true, {});
    }
    write_table(target);
    jump_to_rows();
    b_.SetInsertPoint(e_.block("unreachable")); // for the branch that ends this way through the statement
  }

  // ---- the general version: see mpijit_arrange for the table -----------------------------------------------

  size_t ndim() const { return elements_.lengths.size(); }
  size_t count() const { return elements_.arrays.size() + 1; }
  Leaf word(size_t k) { return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), table_, k); }
  size_t walk_at(size_t walk) const { return ndim() + walk * (ndim() + 1); }

  void write_table(const Walk& target) {
    if (!table_)
      table_ = e_.cell(llvm::ArrayType::get(b_.getInt64Ty(), walk_at(count()) + ndim()), "table");
    std::vector<Walk> walks = elements_.walks(false);
    walks.push_back(target);
    for (size_t r = 0; r < ndim(); ++r)
      b_.CreateStore(elements_.lengths[r], word(r));
    for (size_t k = 0; k < walks.size(); ++k) {
      b_.CreateStore(walks[k].data, word(walk_at(k)));
      for (size_t r = 0; r < ndim(); ++r)
        b_.CreateStore(walks[k].strides[r], word(walk_at(k) + 1 + r));
    }
  }

  /// From each place that has written the table; the loop itself is emitted once, behind all of them.
  void jump_to_rows() {
    if (!rows_)
      rows_ = e_.block("rows");
    b_.CreateBr(rows_);
  }

  /// Continues where every way through the statement ends.
  void finish_rows() {
    if (!rows_)
      return;
    llvm::BasicBlock *done = e_.block("filled"), *enter = e_.block("enter"), *row = e_.block("row");
    b_.CreateBr(done);
    b_.SetInsertPoint(rows_);
    Leaf some = b_.getTrue();
    for (Leaf n : elements_.lengths)
      some = b_.CreateAnd(some, b_.CreateICmpSGT(n, e_.i64(0)));
    b_.CreateCondBr(some, enter, done);
    b_.SetInsertPoint(enter);
    for (size_t r = 0; r + 1 < ndim(); ++r)
      b_.CreateStore(e_.i64(0), word(walk_at(count()) + r));
    b_.CreateBr(row);
    b_.SetInsertPoint(row);
    std::vector<Walk> walks;
    for (size_t k = 0; k < count(); ++k) {
      const DType d = k < elements_.arrays.size() ? elements_.arrays[k].value.type->dtype : target_dtype_;
      walks.push_back({d,
                       b_.CreateLoad(b_.getPtrTy(), word(walk_at(k))),
                       {b_.CreateLoad(b_.getInt64Ty(), word(walk_at(k) + ndim()))}});
    }
    Leaf length = b_.CreateLoad(b_.getInt64Ty(), word(ndim() - 1));
    nest({length}, walks, true, {});
    if (ndim() == 1) {
      b_.CreateBr(done);
    } else {
      Leaf more = b_.CreateCall(e_.unit.support("mpijit_next_row"),
                                {table_, e_.i64(static_cast<int64_t>(ndim())), e_.i64(static_cast<int64_t>(count()))});
      b_.CreateCondBr(b_.CreateICmpNE(more, b_.getInt32(0)), row, done);
    }
    b_.SetInsertPoint(done);
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

  /// The largest stride of the target outermost. Where its last axis is known to be dense the order is right.
  void order_axes(Leaves& lengths, std::vector<Walk>& walks) {
    const Leaves& strides = walks.back().strides;
    if (lengths.size() < 2 || lengths.size() > 4 || is_constant(strides.back(), size(walks.back().dtype)))
      return;
    const auto magnitude = [&](size_t r) {
      return b_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, strides[r], b_.getFalse());
    };
    for (size_t last = lengths.size(); last-- > 1;)
      for (size_t r = 0; r < last; ++r) {
        Leaf smaller = b_.CreateICmpULT(magnitude(r), magnitude(r + 1));
        const auto exchange = [&](Leaves& x) {
          Leaf outer = x[r], inner = x[r + 1];
          x[r] = b_.CreateSelect(smaller, inner, outer);
          x[r + 1] = b_.CreateSelect(smaller, outer, inner);
        };
        exchange(lengths);
        for (Walk& w : walks)
          exchange(w.strides);
      }
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

  void store_carefully(const Value& value, const Walk& direct, Leaf apart) {
    llvm::BasicBlock *meet = e_.block("meet"), *copied = e_.block("temporary"), *ordered = e_.block("ordered"),
                     *ready = e_.block("ready"), *before = b_.GetInsertBlock();
    b_.CreateCondBr(apart, ready, meet, e_.likely());

    b_.SetInsertPoint(meet);
    Leaf order = arrange(direct);
    b_.CreateCondBr(b_.CreateICmpEQ(order, b_.getInt32(MPIJIT_TEMPORARY)), copied, ordered);
    b_.SetInsertPoint(ordered);
    jump_to_rows();

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
    finish_rows();
    copy_back(value, waiting);
  }

  /// Puts the table in the order that it returns, if there is one.
  Leaf arrange(const Walk& target) {
    write_table(target);
    std::vector<int32_t> dtypes;
    for (const Elements::Array& a : elements_.arrays)
      dtypes.push_back(static_cast<int32_t>(a.value.type->dtype));
    dtypes.push_back(static_cast<int32_t>(target.dtype));
    llvm::Constant* kinds = e_.unit.constant(
        llvm::ConstantDataArray::get(
            e_.unit.context, llvm::ArrayRef<uint32_t>(reinterpret_cast<const uint32_t*>(dtypes.data()), dtypes.size())),
        "dtypes");
    return b_.CreateCall(e_.unit.support("mpijit_arrange"),
                         {table_, e_.i64(static_cast<int64_t>(ndim())), e_.i64(static_cast<int64_t>(count())), kinds});
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
  DType target_dtype_ = DType::Bool;
  Leaf table_ = nullptr;             // of the general version
  llvm::BasicBlock* rows_ = nullptr; // where it starts
};

} // namespace

Value Emitter::elementwise(const ir::Elementwise& x, Type t, Place at) { return Filler(*this, x, at).make(t); }

void Emitter::store_array(const ir::StoreArray& s, Place at) {
  Filler(*this, std::get<ir::Elementwise>(s.value->node), at).store(s);
}

} // namespace mpijit::jit
