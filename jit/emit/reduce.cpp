// Reductions and products of matrices. Sums of floats and products are the runtime's, which has NumPy's order of adding
// (but see sum.cpp); all else is a nest here.
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
    count_elements(e_, r_, elements_.lengths);
    if (!result_->is_array())
      return {result_, {reduce_all()}};
    Value out = e_.allocate(result_, reduced_shape(e_, r_, elements_.lengths), MPIJIT_FILL_NONE, at_);
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
    case Reduction::Min:
    case Reduction::ArgMin: return extreme(true);
    case Reduction::Max:
    case Reduction::ArgMax: return extreme(false);
    case Reduction::Any: return b_.getFalse();
    case Reduction::All: return b_.getTrue();
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

  // Of floats an instruction that the vectoriser knows; NaN wins, which zero is left open.
  Leaf extreme_of(Leaf x, Leaf y, bool lower) {
    if (!element_->is_float())
      return b_.CreateSelect(is_better(y, x, lower), y, x);
    llvm::IRBuilderBase::FastMathFlagGuard guard(b_);
    llvm::FastMathFlags flags;
    flags.setNoSignedZeros();
    b_.setFastMathFlags(flags);
    return b_.CreateBinaryIntrinsic(lower ? llvm::Intrinsic::minimum : llvm::Intrinsic::maximum, x, y);
  }

  Leaf combine(Leaf total, Leaf x) {
    switch (row_.operation) {
    case Reduction::Sum: return b_.CreateAdd(total, x);
    case Reduction::Prod:
      if (element_->is_complex())
        return e_.complex_product(total, x);
      return element_->is_float() ? b_.CreateFMul(total, x) : b_.CreateMul(total, x);
    case Reduction::Min:
    case Reduction::Max: return extreme_of(total, x, row_.operation == Reduction::Min);
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
    Leaf better = is_better(x, best, row_.operation == Reduction::ArgMin); // the first one where none is
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
    llvm::BasicBlock* known = stops_early() ? e_.block("known") : nullptr;
    elements_.versions([&](bool is_plain) {
      Leaves lengths = elements_.lengths;
      std::vector<Walk> walks = elements_.walks(is_plain);
      if (is_plain && elements_.is_dense())
        join_axes(e_, lengths, walks);
      if (!known && !(is_plain && searches()))
        return take_all(c, lengths, walks, !is_plain);
      each_line(e_, lengths, walks, {!is_plain}, [&](llvm::ArrayRef<Walk> line, llvm::ArrayRef<Leaf> counters) {
        known ? take_until_known(c, line, lengths.back(), counters, known, !is_plain)
              : take_position(c, line, lengths.back(), counters);
      });
    });
    if (known) {
      b_.CreateBr(known);
      b_.SetInsertPoint(known);
    }
    e_.busy = true;
    return finish(c);
  }

  // ---- a line in pieces, whose loops vectorise -----------------------------------------------------------

  /// body gets where a piece starts and how long it is.
  void each_piece(Leaf length, llvm::function_ref<void(Leaf done, Leaf here)> body) {
    constexpr int64_t piece_length = 1024;
    llvm::BasicBlock *before = b_.GetInsertBlock(), *piece = e_.block("piece"), *end = e_.block("line");
    b_.CreateBr(piece);
    b_.SetInsertPoint(piece);
    llvm::PHINode* done = b_.CreatePHI(b_.getInt64Ty(), 2, "done");
    done->addIncoming(e_.i64(0), before);
    Leaf here = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, b_.CreateSub(length, done), e_.i64(piece_length));
    body(done, here);
    Leaf next = b_.CreateAdd(done, here, "", true, true);
    done->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpSLT(next, length), piece, end);
    b_.SetInsertPoint(end);
  }
  void each_in_piece(llvm::ArrayRef<Walk> line, Leaf done, Leaf here, llvm::ArrayRef<Leaf> counters, bool is_cold,
                     llvm::function_ref<void(Leaf element, Leaf i)> body) {
    each_element(e_, {here}, moved_along(e_, line, done), {is_cold},
                 [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> inner) {
                   Leaves all(counters.begin(), counters.end());
                   all.push_back(b_.CreateAdd(done, inner[0], "", true, true));
                   body(elements_.element(addresses, all), inner[0]);
                 });
  }

  /// any and all: until one more element cannot change the result. Not when the elements behind may raise.
  bool stops_early() const { return row_.result == ReductionResult::Truth && !elements_.may_raise(); }
  void take_until_known(const Cells& c, llvm::ArrayRef<Walk> line, Leaf length, llvm::ArrayRef<Leaf> counters,
                        llvm::BasicBlock* known, bool is_cold) {
    each_piece(length, [&](Leaf done, Leaf here) {
      each_in_piece(line, done, here, counters, is_cold, [&](Leaf x, Leaf) { take(c, x); });
      Leaf now = b_.CreateLoad(c.best->getAllocatedType(), c.best);
      llvm::BasicBlock* open = e_.block("open");
      b_.CreateCondBr(row_.operation == Reduction::Any ? now : b_.CreateNot(now), known, open);
      b_.SetInsertPoint(open);
    });
  }

  /// A position: of each piece the extreme alone, and its place only where that is better than all before. The elements
  /// are computed twice there, which must give the same numbers.
  bool searches() const { return is_index_ && e_.unit.fastmath.none(); }
  void take_position(const Cells& c, llvm::ArrayRef<Walk> line, Leaf length, llvm::ArrayRef<Leaf> counters) {
    const bool lower = row_.operation == Reduction::ArgMin;
    const auto load = [&](llvm::AllocaInst* cell) { return b_.CreateLoad(cell->getAllocatedType(), cell); };
    llvm::AllocaInst* extreme = e_.cell(e_.unit.register_type(element_->dtype), "extreme");
    each_piece(length, [&](Leaf done, Leaf here) {
      llvm::BasicBlock *search = e_.block("search"), *found = e_.block("found"), *next = e_.block("passed");
      b_.CreateStore(start(), extreme);
      each_in_piece(line, done, here, counters, false,
                    [&](Leaf x, Leaf) { b_.CreateStore(extreme_of(load(extreme), x, lower), extreme); });
      Leaf wanted = load(extreme);
      b_.CreateCondBr(is_better(wanted, load(c.best), lower), search, next);
      b_.SetInsertPoint(search);
      b_.CreateStore(wanted, c.best);
      Leaf at = nullptr;
      each_in_piece(line, done, here, counters, true, [&](Leaf x, Leaf i) {
        at = i;
        llvm::BasicBlock* other = e_.block("other");
        b_.CreateCondBr(is_same(x, wanted), found, other);
        b_.SetInsertPoint(other);
      });
      b_.CreateBr(next);
      b_.SetInsertPoint(found);
      b_.CreateStore(b_.CreateAdd(load(c.count), at), c.at);
      b_.CreateBr(next);
      b_.SetInsertPoint(next);
      b_.CreateStore(b_.CreateAdd(load(c.count), here, "", true, true), c.count);
    });
  }
  /// Equal, or any NaN: where there is one, that is the extreme.
  Leaf is_same(Leaf x, Leaf wanted) {
    if (!element_->is_float())
      return b_.CreateICmpEQ(x, wanted);
    return b_.CreateOr(b_.CreateFCmpOEQ(x, wanted), b_.CreateFCmpUNO(x, x));
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
      if (searches() && e_.cold_depth == 0)
        take_position(c, inner, lengths_of(reduced_)[0], {});
      else
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

} // namespace

Leaves reduced_shape(Emitter& e, const ir::Reduce& r, llvm::ArrayRef<Leaf> lengths) {
  Leaves shape;
  for (size_t axis = 0; axis < lengths.size(); ++axis)
    if (!(r.axes >> axis & 1))
      shape.push_back(lengths[axis]);
    else if (r.keepdims)
      shape.push_back(e.i64(1));
  return shape;
}

void count_elements(Emitter& e, const ir::Reduce& r, llvm::ArrayRef<Leaf> lengths) {
  if (r.count < 0)
    return;
  Leaves reduced;
  for (size_t axis = 0; axis < lengths.size(); ++axis)
    if (r.axes >> axis & 1)
      reduced.push_back(lengths[axis]);
  e.assign(r.count, {types::weak_int(), {product_of(e, reduced)}});
}

namespace {

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
  if (std::holds_alternative<ir::Elementwise>(r.x->node) && ir::adds_in_order(r, t->dtype))
    return add_terms(*this, r, t, at);
  Value x = evaluate(r.x);
  const ArrayParts p = parts(x);
  count_elements(*this, r, p.shape);
  const Output out(*this, t, reduced_shape(*this, r, p.shape), at);
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

} // namespace mpijit::jit
