// Casts between scalars and the functions of Python's math module. A float never reaches an integer through
// a conversion that LLVM leaves undefined.
#include "emit/emitter.h"

#include <limits>
#include <numbers>
#include <stdexcept>

namespace mpijit::jit {

// ---- casts ---------------------------------------------------------------------------------------------

Value Emitter::cast(const ir::Cast& c, Type t, Place at) {
  Value v = evaluate(c.x);
  switch (c.kind) {
  case ir::CastKind::Convert: return {t, {convert(v.leaves[0], v.type, t)}};
  case ir::CastKind::Fit: return {t, {fit(v.leaves[0], t, at)}};
  case ir::CastKind::Truncate: return {t, {truncate(v.leaves[0], at)}};
  case ir::CastKind::Truth: return {t, {truth(v.leaves[0], v.type)}};
  case ir::CastKind::Relayout: return relayout(v, t);
  }
  return v;
}

Leaf Emitter::truth(Leaf x, Type from) {
  if (from->is_bool())
    return x;
  Leaf zero = llvm::Constant::getNullValue(x->getType());
  if (from->is_complex())
    return complex_compare(ir::CompareOp::NotEq, x, zero);
  return from->is_float() ? b.CreateFCmpUNE(x, zero) : b.CreateICmpNE(x, zero);
}

Leaf Emitter::convert(Leaf x, Type from, Type to) {
  if (to->is_bool())
    return truth(x, from);
  if (to->is_complex())
    return complex_convert(x, from, to);
  llvm::Type* type = unit.register_type(to->dtype);
  const bool from_signed = is_signed(from->dtype);
  if (from->is_float()) {
    return to->is_float() ? b.CreateFPCast(x, type) : float_to_integer(x, to->dtype);
  }
  if (to->is_float())
    return from_signed ? b.CreateSIToFP(x, type) : b.CreateUIToFP(x, type);
  return b.CreateIntCast(x, type, from_signed);
}

// As NumPy casts on x86-64: by way of a signed integer that the machine has, whose lowest value stands for nan and for
// what is out of range. So -1.0 is 255 as uint8, and 300.7 is 44.
Leaf Emitter::float_to_integer(Leaf x, DType to) {
  const unsigned bits = 8 * static_cast<unsigned>(size(to));
  const auto by_way_of = [&](Leaf value, unsigned width) {
    llvm::Type *type = value->getType(), *integer = b.getIntNTy(width);
    const double limit = width == 32 ? 0x1p31 : 0x1p63;
    const bool exact = width == 32 && type->isDoubleTy(); // holds limit + 1
    Leaf low = llvm::ConstantFP::get(type, exact ? -limit - 1 : -limit), high = llvm::ConstantFP::get(type, limit);
    Leaf above = exact ? b.CreateFCmpOGT(value, low) : b.CreateFCmpOGE(value, low);
    Leaf good = b.CreateAnd(above, b.CreateFCmpOLT(value, high));
    Leaf lowest = llvm::ConstantInt::get(integer, llvm::APInt::getSignedMinValue(width));
    return b.CreateSelect(good, b.CreateFPToSI(value, integer), lowest);
  };
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  if (to == DType::UInt64) {
    Leaf half = llvm::ConstantFP::get(x->getType(), 0x1p63);
    Leaf large = b.CreateFCmpOGE(x, half);
    Leaf whole = by_way_of(b.CreateSelect(large, b.CreateFSub(x, half), x), 64);
    return b.CreateXor(whole, b.CreateShl(b.CreateZExt(large, whole->getType()), 63));
  }
  const bool small = bits < 32 || to == DType::Int32;
  return b.CreateTrunc(by_way_of(x, small ? 32 : 64), b.getIntNTy(bits));
}

// Rows 14 and 55.
Leaf Emitter::fit(Leaf x, Type to, Place at) {
  llvm::Type* type = unit.register_type(to->dtype);
  Leaf narrow = b.CreateTrunc(x, type);
  Leaf fits = b.CreateICmpEQ(b.CreateIntCast(narrow, x->getType(), is_signed(to->dtype)), x);
  if (to->dtype == DType::UInt64)
    fits = b.CreateICmpSGE(x, i64(0));
  check(fits, frame(at).fit_error, {unit.site(source, at), x, unit.text(std::string(row(to->dtype).name))});
  return narrow;
}

// Row 43. One ordered range test; which error it is, is found out in the cold block.
Leaf Emitter::truncate(Leaf x, Place at) {
  llvm::IRBuilderBase::FastMathFlagGuard guard(b); // a check holds whatever fast-math flags were asked for
  b.clearFastMathFlags();
  llvm::Type* type = x->getType();
  Leaf low = llvm::ConstantFP::get(type, -0x1p63), high = llvm::ConstantFP::get(type, 0x1p63);
  Leaf good = b.CreateAnd(b.CreateFCmpOGE(x, low), b.CreateFCmpOLT(x, high));
  llvm::BasicBlock *bad = block("inexact"), *next = block("good");
  b.CreateCondBr(good, next, bad, likely());
  b.SetInsertPoint(bad);
  Leaf is_nan = b.CreateFCmpUNO(x, x);
  Leaf is_infinite =
      b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x), llvm::ConstantFP::getInfinity(type));
  Leaf message = b.CreateSelect(is_infinite, unit.text("cannot convert float infinity to integer"),
                                unit.text("float is too large to convert to a 64-bit integer"));
  message = b.CreateSelect(is_nan, unit.text("cannot convert float NaN to integer"), message);
  Cold& raising = frame(at).raising;
  arrive(raising, {unit.site(source, at), b.CreateSelect(is_nan, code("ValueError"), code("OverflowError")), message});
  b.CreateBr(raising.block);
  b.SetInsertPoint(next);
  return b.CreateFPToSI(x, b.getInt64Ty());
}

// ---- math ----------------------------------------------------------------------------------------------

Leaf Emitter::math(const ir::Math& m, Place at) {
  Leaves x;
  for (const ir::Expr* argument : m.args)
    x.push_back(scalar(argument));
  if (m.row->operand == MathOperand::Complex || m.row->result == MathResult::Complex)
    return complex_math(m, x);
  const llvm::StringRef symbol = m.row->symbol;
  switch (m.row->lowering) {
  case MathLowering::Intrinsic: {
    const llvm::Intrinsic::ID id = llvm::Function::lookupIntrinsicID(symbol);
    return b.CreateIntrinsic(id, {x[0]->getType()}, x);
  }
  case MathLowering::Libm: return b.CreateCall(unit.libm(symbol, x[0]->getType(), m.row->arity), x);
  case MathLowering::Special:
    return m.row->operand == MathOperand::Int ? integer_function(m, x, at) : special(m, x, at);
  }
  return nullptr;
}

Leaf Emitter::special(const ir::Math& m, llvm::ArrayRef<Leaf> x, Place at) {
  const llvm::StringRef name = m.row->symbol;
  llvm::Type* type = x[0]->getType();
  const auto scaled = [&](double factor) { return b.CreateFMul(x[0], llvm::ConstantFP::get(type, factor)); };
  const auto to_int = [&](llvm::Intrinsic::ID rounding) {
    return truncate(b.CreateUnaryIntrinsic(rounding, x[0]), at);
  };
  if (name == "log_base") {
    llvm::Function* log = unit.libm("log", type, 1);
    Leaf of_x = b.CreateCall(log, {x[0]}), of_base = b.CreateCall(log, {x[1]});
    return b.CreateFDiv(of_x, of_base);
  }
  if (name == "ldexp") {
    Leaf exponent = b.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {b.getInt32Ty(), type}, {x[1]});
    return b.CreateCall(unit.libm("ldexp", type, 1), {x[0], exponent});
  }
  if (name == "degrees")
    return scaled(180 / std::numbers::pi);
  if (name == "radians")
    return scaled(std::numbers::pi / 180);
  if (name == "floor")
    return to_int(llvm::Intrinsic::floor);
  if (name == "ceil")
    return to_int(llvm::Intrinsic::ceil);
  if (name == "trunc")
    return truncate(x[0], at);
  // The answer must not be assumed away, whatever fast-math flags were asked for.
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  Leaf infinity = llvm::ConstantFP::getInfinity(type);
  if (name == "isnan")
    return b.CreateFCmpUNO(x[0], x[0]);
  Leaf magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x[0]);
  if (name == "isinf")
    return b.CreateFCmpOEQ(magnitude, infinity);
  if (name == "isfinite")
    return b.CreateFCmpOLT(magnitude, infinity);
  throw std::logic_error("math.inc names no special lowering: " + name.str());
}

// Row 44. The library's integer functions have results >= 0 and say "does not fit" by a negative one.
Leaf Emitter::integer_function(const ir::Math& m, llvm::ArrayRef<Leaf> x, Place at) {
  const llvm::StringRef name = m.row->symbol;
  const auto not_negative = [&](Leaf v, llvm::StringRef message) {
    check(b.CreateICmpSGE(v, i64(0)), at, "ValueError", message);
  };
  if (name == "factorial")
    not_negative(x[0], "factorial() not defined for negative values");
  if (name == "isqrt")
    not_negative(x[0], "isqrt() argument must be nonnegative");
  if (name == "comb" || name == "perm") {
    not_negative(x[0], "n must be a non-negative integer");
    not_negative(x[1], "k must be a non-negative integer");
  }
  Leaf result = b.CreateCall(unit.library(name, b.getInt64Ty()), x);
  if (name != "isqrt" && name != "ugcd")
    check(b.CreateICmpSGE(result, i64(0)), at, "OverflowError", name.str() + "() result does not fit in 64 bits");
  return result;
}

} // namespace mpijit::jit
