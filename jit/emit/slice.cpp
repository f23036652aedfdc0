// Basic slices as views, clamped as CPython's PySlice_AdjustIndices does (Objects/sliceobject.c). The usual
// constant bounds cost one max or min; only a step unknown at compile time takes the general path.
#include "emit/emitter.h"

namespace mpijit::jit {
// start:stop with step 1. A constant negative bound counts from the end; 1:-1 is max(0, n - 2) elements.
static Emitter::Slice unit_slice(Emitter& e, Leaf start, Leaf stop, Leaf size) {
  llvm::IRBuilder<>& b = e.b;
  using namespace llvm::Intrinsic;
  Leaf zero = e.i64(0), one = e.i64(1);
  const auto* first = known_constant(start);
  const auto* last = known_constant(stop);
  const auto not_negative = [&](Leaf x) { return b.CreateBinaryIntrinsic(smax, x, zero); };

  // Constant start >= 0, stop absent or negative: no clamping of either, since an empty view has no elements
  // and where it starts does not matter.
  const bool from_front = !start || (first && !first->isNegative());
  const bool to_back = !stop || (last && last->isNegative());
  if (from_front && to_back) {
    if (!start && !stop)
      return {zero, size, one};
    Leaf begin = start ? start : zero;
    Leaf end = stop ? b.CreateAdd(size, stop) : size;
    return {begin, not_negative(b.CreateSub(end, begin)), one};
  }
  const auto clamp = [&](Leaf bound) -> Leaf {
    if (const auto* c = known_constant(bound))
      return c->isNegative() ? not_negative(b.CreateAdd(bound, size)) : b.CreateBinaryIntrinsic(smin, bound, size);
    Leaf low = not_negative(b.CreateAdd(bound, size));
    Leaf high = b.CreateBinaryIntrinsic(smin, bound, size);
    return b.CreateSelect(b.CreateICmpSLT(bound, zero), low, high);
  };
  Leaf end = stop ? clamp(stop) : size;
  if (!start)
    return {zero, end, one};
  Leaf begin = clamp(start);
  return {begin, not_negative(b.CreateSub(end, begin)), one};
}

Emitter::Slice Emitter::slice(const ir::Range& r, Leaf size, Place at) {
  using namespace llvm::Intrinsic;
  const auto bound = [&](const ir::Expr* e) { return e ? scalar(e) : nullptr; };
  Leaf start = bound(r.start), stop = bound(r.stop), step = bound(r.step);
  const auto* known = known_constant(step);
  if (!step || (known && known->isOne()))
    return unit_slice(*this, start, stop, size);

  Leaf zero = i64(0), one = i64(1), minus_one = i64(-1);
  check(b.CreateICmpNE(step, zero), at, "ValueError", "slice step cannot be zero");
  step = b.CreateBinaryIntrinsic(smax, step, i64(-INT64_MAX)); // so that it can be negated, as CPython does
  Leaf backward = b.CreateICmpSLT(step, zero);
  Leaf last = b.CreateSub(size, one);
  // Bounds lie in [0, n] going forward, in [-1, n - 1] going back.
  Leaf lowest = b.CreateSelect(backward, minus_one, zero);
  Leaf highest = b.CreateSelect(backward, last, size);
  const auto clamp = [&](Leaf x) {
    Leaf below = b.CreateBinaryIntrinsic(smax, b.CreateAdd(x, size), lowest);
    Leaf above = b.CreateBinaryIntrinsic(smin, x, highest);
    return b.CreateSelect(b.CreateICmpSLT(x, zero), below, above);
  };
  Leaf begin = start ? clamp(start) : b.CreateSelect(backward, last, zero);
  Leaf end = stop ? clamp(stop) : b.CreateSelect(backward, minus_one, size);
  Leaf low = b.CreateSelect(backward, end, begin), high = b.CreateSelect(backward, begin, end);
  Leaf pace = b.CreateSelect(backward, b.CreateNeg(step), step);
  Leaf steps = b.CreateUDiv(b.CreateSub(b.CreateSub(high, low), one), pace);
  Leaf length = b.CreateSelect(b.CreateICmpSLT(low, high), b.CreateAdd(steps, one), zero);
  return {begin, length, step};
}

// The offset is counted in elements of a C-contiguous array, in bytes of a strided one. It carries no
// in-bounds promise: an empty view may start past the end.
Value Emitter::view(const ir::View& x, Type t, Place at) {
  Value array = evaluate(x.array);
  const ArrayParts a = parts(array);
  const bool contiguous = array.type->layout == Layout::C;
  Leaves strides = contiguous ? Leaves() : byte_strides(array);
  if (contiguous) {
    strides.resize(a.shape.size());
    Leaf stride = i64(1);
    for (size_t k = a.shape.size(); k-- > 0;) {
      strides[k] = stride;
      if (k > 0)
        stride = b.CreateMul(stride, a.shape[k]);
    }
  }
  Leaf offset = nullptr;
  const auto move = [&](Leaf distance, Leaf stride) {
    Leaf term = b.CreateMul(distance, stride);
    offset = offset ? b.CreateAdd(offset, term) : term;
  };
  Leaves shape, kept;
  const auto keep = [&](Leaf length, Leaf stride, Leaf step) {
    shape.push_back(length);
    if (t->layout == Layout::Strided)
      kept.push_back(b.CreateMul(stride, step));
  };
  size_t k = 0; // axis of the array
  for (const ir::Axis& axis : x.axes) {
    if (auto* index = std::get_if<ir::Index>(&axis)) {
      move(checked_index(*index, scalar(index->value), a.shape[k], static_cast<int>(k), at), strides[k]);
      ++k;
    } else if (auto* range = std::get_if<ir::Range>(&axis)) {
      const Slice s = slice(*range, a.shape[k], at);
      if (auto* start = known_constant(s.start); !start || !start->isZero())
        move(s.start, strides[k]);
      keep(s.length, strides[k], s.step);
      ++k;
    } else {
      keep(i64(1), i64(0), i64(1));
    }
  }
  if (contiguous) // the result's strides are bytes
    for (Leaf& stride : kept)
      stride = b.CreateMul(stride, i64(size(t->dtype)));
  llvm::Type* unit_type = contiguous ? unit.memory_type(t->dtype) : b.getInt8Ty();
  Value result{t, {offset ? b.CreateGEP(unit_type, a.data, offset) : a.data}, array.fresh};
  result.leaves.append(shape);
  result.leaves.append(kept);
  result.leaves.push_back(a.owner);
  return result;
}

Value Emitter::permute(const ir::Permute& x, Type t) {
  Value array = evaluate(x.array);
  const ArrayParts a = parts(array);
  const Leaves strides = byte_strides(array);
  Value result{t, {a.data}, array.fresh};
  for (int axis : x.axes)
    result.leaves.push_back(a.shape[static_cast<size_t>(axis)]);
  for (int axis : x.axes)
    result.leaves.push_back(strides[static_cast<size_t>(axis)]);
  result.leaves.push_back(a.owner);
  return result;
}

// Axes that are added, or are one long, are walked along without a step.
Value Emitter::broadcast(const ir::Broadcast& x, Type t, Place at) {
  Value array = evaluate(x.array);
  const ArrayParts a = parts(array);
  const Leaves strides = byte_strides(array);
  Leaves shape, steps;
  for (const ir::Expr* length : x.shape)
    shape.push_back(scalar(length));
  for (Leaf length : shape)
    check(b.CreateICmpSGE(length, i64(0)), at, "ValueError", "all elements of broadcast shape must be non-negative");
  const size_t added = shape.size() - a.shape.size();
  steps.assign(added, i64(0));
  for (size_t k = 0; k < a.shape.size(); ++k) {
    Leaf same = b.CreateICmpEQ(a.shape[k], shape[added + k]);
    check(b.CreateOr(same, b.CreateICmpEQ(a.shape[k], i64(1))), at, "ValueError",
          "operands could not be broadcast together with remapped shapes");
    steps.push_back(b.CreateSelect(same, strides[k], i64(0)));
  }
  Value result{t, {a.data}, array.fresh};
  result.leaves.append(shape);
  if (t->layout != Layout::C)
    result.leaves.append(steps);
  result.leaves.push_back(a.owner);
  return result;
}

} // namespace mpijit::jit
