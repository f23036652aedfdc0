// New arrays and slice stores from element-wise code.
//
// There are two versions of a nest at most. The plain one runs when no input is broadcast at run time and the target
// shares no memory with what is read: strides are what they are, loads and stores are told apart by an alias scope, and
// the innermost loop vectorises. Everything else is one call, mpijit_prepare: it looks at the shapes, raises, and puts
// the arrays in a table in an order in which the general version may run, a loop over one row that the runtime moves
// from row to row; or it brings a temporary, which the plain version fills. Little code, as it seldom runs.
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
  if (const auto* broadcast = std::get_if<ir::Broadcast>(&e->node))
    return root_slot(broadcast->array);
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
    const auto ndim = static_cast<size_t>(t->ndim);
    dense_target_ = true;
    target_type_ = types::array(t->dtype, t->ndim, Layout::C);
    waiting_ = waiting_cell();
    if (is_simple(ndim)) {
      elements_.broadcast(ndim, nullptr);
      elements_.require(b_.CreateOr(elements_.plain, elements_.valid), nullptr, false);
      Value out = new_array(t);
      fill({t->dtype, parts(out).data, e_.byte_strides(out)}, !elements_.uses_index() || e_.cold_depth == 0);
      return finish_new(out);
    }
    elements_.broadcast(ndim, nullptr, true);
    Leaf good = e_.cold_depth > 0 ? b_.getFalse() : elements_.plain;
    Paths paths(*this, good);
    Value out{t, {}, true};
    if (paths.fast) {
      b_.SetInsertPoint(paths.fast);
      out = new_array(t);
      fast({t->dtype, parts(out).data, e_.byte_strides(out)});
      paths.fast = b_.GetInsertBlock();
      b_.CreateBr(paths.done);
    }
    if (paths.careful) {
      b_.SetInsertPoint(paths.careful);
      llvm::BasicBlock *rows = e_.block("rows"), *made = e_.block("made");
      prepare(MPIJIT_NEW, nullptr, rows, made, nullptr);
      b_.SetInsertPoint(rows);
      run_rows(made);
      b_.SetInsertPoint(made);
      Leaf owner = b_.CreateLoad(b_.getPtrTy(), waiting_, "block");
      Leaves leaves = {b_.CreateLoad(b_.getPtrTy(), b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), owner, 16), "data")};
      for (size_t r = 0; r < ndim; ++r)
        leaves.push_back(b_.CreateLoad(b_.getInt64Ty(), word(r)));
      leaves.push_back(owner);
      b_.CreateBr(paths.done);
      b_.SetInsertPoint(paths.done);
      for (size_t k = 0; k < leaves.size(); ++k)
        if (paths.fast)
          out.leaves[k] = e_.either(out.leaves[k], paths.fast, leaves[k], made);
        else
          out.leaves.push_back(leaves[k]);
    }
    b_.SetInsertPoint(paths.done);
    return finish_new(out);
  }

  /// Into a view that exists.
  void store(const ir::StoreArray& s) {
    Value target = e_.evaluate(s.target);
    const auto ndim = static_cast<size_t>(target.type->ndim);
    dense_target_ = target.type->layout == Layout::C;
    target_type_ = target.type;
    find_target(*s.target);
    const bool simple = is_simple(ndim);
    elements_.broadcast(ndim, &target, !simple);
    bool grows = false; // an input has more axes than the target of an operator in place
    for (const Elements::Array& a : elements_.arrays)
      grows |= s.strict && a.value.type->ndim > target.type->ndim;
    Walk direct{target.type->dtype, parts(target).data, e_.byte_strides(target)};
    if (simple) { // one element is read whole before it is written
      elements_.require(grows ? b_.getFalse() : b_.CreateOr(elements_.plain, elements_.valid), &target, s.strict);
      return fill(direct, true);
    }
    Leaf apart = disjoint(*s.target, target);
    Leaf good = grows || e_.cold_depth > 0 ? b_.getFalse() : b_.CreateAnd(elements_.plain, apart);
    Paths paths(*this, good);
    llvm::BasicBlock* before = paths.before;
    if (paths.careful) {
      b_.SetInsertPoint(paths.careful);
      llvm::BasicBlock* rows = e_.block("rows");
      waiting_ = is_true(apart) ? nullptr : waiting_cell();
      prepare(s.strict ? MPIJIT_OUTPUT : MPIJIT_ASSIGN, &target, rows, paths.done, paths.fast);
      b_.SetInsertPoint(rows);
      run_rows(paths.done);
    }
    if (paths.fast) {
      b_.SetInsertPoint(paths.fast);
      if (waiting_) {
        const size_t walk = walk_at(count() - 1);
        const auto chosen = [&](Leaf& own, llvm::Type* type, size_t k) {
          llvm::IRBuilder<> there(whole_, whole_->begin());
          Leaf x = there.CreateLoad(type, there.CreateConstInBoundsGEP1_64(there.getInt64Ty(), table_, k));
          own = e_.either(own, before, x, whole_);
        };
        chosen(direct.data, b_.getPtrTy(), walk);
        for (size_t r = 0; r < ndim; ++r)
          if (r + 1 < ndim || !is_constant(direct.strides[r], size(direct.dtype)))
            chosen(direct.strides[r], b_.getInt64Ty(), walk + 1 + r);
      }
      fast(direct);
      b_.CreateBr(paths.done);
    }
    b_.SetInsertPoint(paths.done);
    if (waiting_)
      copy_back();
  }

private:
  // ---- the two versions ------------------------------------------------------------------------------

  /// Straight code, or elements that depend on where they are: nothing to broadcast, nothing to meet.
  bool is_simple(size_t ndim) const { return ndim == 0 || elements_.uses_index(); }

  void fill(const Walk& target, bool is_plain) {
    if (is_plain)
      return fast(target);
    std::vector<Walk> walks = elements_.walks(false);
    walks.push_back(target);
    nest(elements_.lengths, walks, true, {});
  }

  /// The ways through a statement: the plain version where good holds, else the general one; null for one that there
  /// is not.
  struct Paths {
    Paths(Filler& f, Leaf good) : before(f.b_.GetInsertBlock()), done(f.e_.block("filled")) {
      const llvm::ConstantInt* known = known_constant(good);
      if (!known || known->isOne())
        fast = f.e_.block("plain");
      if (!known || known->isZero())
        careful = f.e_.block("careful");
      if (known)
        f.b_.CreateBr(fast ? fast : careful);
      else
        f.b_.CreateCondBr(good, fast, careful, f.e_.likely());
    }
    llvm::BasicBlock *before, *fast = nullptr, *careful = nullptr, *done;
  };

  void fast(const Walk& target) {
    std::vector<Walk> walks = elements_.walks(true);
    walks.push_back(target);
    Leaves lengths = elements_.lengths;
    order_axes(lengths, walks);
    if (dense_target_ && lengths.size() > 1 && elements_.is_dense())
      join_axes(e_, lengths, walks);
    llvm::MDBuilder metadata(e_.unit.context);
    llvm::MDNode* scope = metadata.createAnonymousAliasScope(metadata.createAnonymousAliasScopeDomain());
    nest(lengths, walks, false,
         {llvm::MDNode::get(e_.unit.context, {scope}), llvm::MDNode::getDistinct(e_.unit.context, {})});
  }

  // ---- new memory --------------------------------------------------------------------------------------

  /// Where a block waits while elements are computed, so that an error releases it; null before and after.
  llvm::AllocaInst* waiting_cell() {
    llvm::AllocaInst* c = e_.cell(b_.getPtrTy(), "waiting", true);
    if (elements_.may_raise())
      e_.owners.push_back(c);
    return c;
  }

  Value new_array(Type t) {
    Value out = e_.allocate(t, elements_.lengths, MPIJIT_FILL_NONE, at_);
    if (elements_.may_raise())
      b_.CreateStore(parts(out).owner, waiting_);
    return out;
  }

  Value finish_new(const Value& out) {
    if (elements_.may_raise())
      e_.unpark(waiting_);
    return out;
  }

  void copy_back() {
    llvm::BasicBlock *back = e_.block("copy"), *after = e_.block("direct");
    b_.CreateCondBr(b_.CreateIsNull(b_.CreateLoad(b_.getPtrTy(), waiting_)), after, back, e_.likely());
    b_.SetInsertPoint(back);
    b_.CreateCall(e_.unit.support("mpijit_finish"), {waiting_});
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  // ---- the general version: see mpijit_prepare and mpijit_arrange ----------------------------------------

  size_t ndim() const { return elements_.lengths.size(); }
  size_t count() const { return elements_.arrays.size() + 1; }
  Leaf word(size_t k) { return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), table_, k); }
  size_t walk_at(size_t walk) const { return ndim() + walk * (ndim() + 1); }

  /// One call, and branches on what it says. Its arguments are words, not stores into a table: the addresses of those
  /// would be hoisted out of the loop that the statement is in, and fill the registers there.
  void prepare(int32_t kind, const Value* target, llvm::BasicBlock* rows, llvm::BasicBlock* empty,
               llvm::BasicBlock* whole) {
    table_ = e_.cell(llvm::ArrayType::get(b_.getInt64Ty(), walk_at(count()) + ndim()), "table");
    std::vector<uint32_t> plan;
    const auto put = [&](int32_t x) { plan.push_back(static_cast<uint32_t>(x)); };
    put(kind);
    put(static_cast<int32_t>(ndim()));
    put(static_cast<int32_t>(count()));
    Leaves words;
    const auto operand = [&](Type t, const Value* v) {
      put(static_cast<int32_t>(t->dtype));
      put(t->ndim);
      put(t->layout == Layout::C);
      if (v)
        words.append(v->leaves.begin(), v->leaves.end() - 1); // all but the owner
    };
    for (const Elements::Array& a : elements_.arrays)
      operand(a.value.type, &a.value);
    operand(target_type_, target);
    llvm::Constant* data = e_.unit.constant(llvm::ConstantDataArray::get(e_.unit.context, plan), "plan");
    Leaf waiting = waiting_ ? static_cast<Leaf>(waiting_) : llvm::ConstantPointerNull::get(b_.getPtrTy());
    Leaves arguments = {e_.unit.site(e_.source, at_), data, table_, waiting,
                        whole ? b_.CreateZExt(elements_.plain, b_.getInt32Ty()) : b_.getInt32(0)};
    arguments.append(words);
    Leaf status = b_.CreateCall(e_.unit.support("mpijit_prepare"), arguments);
    llvm::BasicBlock* failed = e_.block("failed");
    llvm::SwitchInst* ways = b_.CreateSwitch(status, failed, 3);
    const auto way = [&](int32_t code, llvm::BasicBlock* to) {
      ways->addCase(llvm::ConstantInt::getSigned(b_.getInt32Ty(), code), to);
    };
    way(MPIJIT_ROWS, rows);
    way(MPIJIT_EMPTY, empty);
    if (whole && waiting_) {
      whole_ = e_.block("whole");
      way(MPIJIT_WHOLE, whole_);
      b_.SetInsertPoint(whole_);
      b_.CreateBr(whole);
    }
    b_.SetInsertPoint(failed);
    e_.fail(status, at_);
  }

  /// From row to row, from here to done.
  void run_rows(llvm::BasicBlock* done) {
    llvm::BasicBlock *row = e_.block("row"), *loop = e_.block("element"), *end = e_.block("end");
    b_.CreateBr(row);
    b_.SetInsertPoint(row);
    Leaves bases, strides;
    for (size_t k = 0; k < count(); ++k) {
      bases.push_back(b_.CreateLoad(b_.getPtrTy(), word(walk_at(k))));
      strides.push_back(b_.CreateLoad(b_.getInt64Ty(), word(walk_at(k) + ndim())));
    }
    Leaf length = b_.CreateLoad(b_.getInt64Ty(), word(ndim() - 1));
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    llvm::SmallVector<llvm::PHINode*, 8> addresses;
    const auto phi = [&](Leaf start) {
      llvm::PHINode* p = b_.CreatePHI(start->getType(), 2);
      p->addIncoming(start, row);
      return p;
    };
    llvm::PHINode* left = phi(length);
    for (Leaf base : bases)
      addresses.push_back(phi(base));
    element(Leaves(addresses.begin(), addresses.end()), {}, target_type_->dtype, {});
    llvm::BasicBlock* latch = b_.GetInsertBlock();
    for (size_t k = 0; k < count(); ++k)
      addresses[k]->addIncoming(b_.CreateGEP(b_.getInt8Ty(), addresses[k], strides[k]), latch);
    Leaf fewer = b_.CreateSub(left, e_.i64(1), "", true, true);
    left->addIncoming(fewer, latch);
    b_.CreateCondBr(b_.CreateICmpNE(fewer, e_.i64(0)), loop, end)
        ->setMetadata(llvm::LLVMContext::MD_loop, cold_loop(e_.unit.context));
    b_.SetInsertPoint(end);
    if (ndim() == 1) {
      b_.CreateBr(done);
    } else {
      Leaf more = b_.CreateCall(e_.unit.support("mpijit_next_row"),
                                {table_, e_.i64(static_cast<int64_t>(ndim())), e_.i64(static_cast<int64_t>(count()))});
      b_.CreateCondBr(b_.CreateICmpNE(more, b_.getInt32(0)), row, done);
    }
    e_.busy = true;
  }

  void element(llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters, DType target, StoreScope scope) {
    Leaf x = elements_.element(addresses.drop_back(), counters, scope);
    if (is_bool(target))
      x = b_.CreateZExt(x, b_.getInt8Ty());
    llvm::StoreInst* store = b_.CreateStore(x, addresses.back());
    if (scope.target)
      store->setMetadata(llvm::LLVMContext::MD_alias_scope, scope.target);
    if (scope.independent)
      store->setMetadata(llvm::LLVMContext::MD_access_group, scope.independent);
  }

  void nest(llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, bool is_cold, StoreScope scope) {
    const LoopKind kind{is_cold, scope.independent};
    each_element(e_, lengths, walks, kind, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters) {
      element(addresses, counters, walks.back().dtype, scope);
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

  Emitter& e_;
  llvm::IRBuilder<>& b_;
  const Place at_;
  Elements elements_;
  bool dense_target_ = false; // what is filled is C-contiguous
  Type target_type_ = nullptr;
  llvm::AllocaInst* waiting_ = nullptr; // a block, see waiting_cell
  Leaf table_ = nullptr;                // of the general version
  llvm::BasicBlock* whole_ = nullptr;   // comes from there with a temporary for all elements
};

} // namespace

Value Emitter::elementwise(const ir::Elementwise& x, Type t, Place at) { return Filler(*this, x, at).make(t); }

void Emitter::store_array(const ir::StoreArray& s, Place at) {
  Filler(*this, std::get<ir::Elementwise>(s.value->node), at).store(s);
}

} // namespace mpijit::jit
