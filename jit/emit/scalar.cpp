// Operators on scalars: Python's meaning of // % ** << >> on wrapping integers, NumPy's on floats. The rows of
// the language's trap table that each function answers are named at it.
#include "emit/emitter.h"

namespace mpijit::jit {
namespace {

const llvm::APInt* known_integer(Leaf x) {
  auto* c = llvm::dyn_cast<llvm::ConstantInt>(x);
  return c ? &c->getValue() : nullptr;
}

} // namespace

Leaf Emitter::constant(const ir::Const& c, Type t) {
  llvm::Type* type = t->is_scalar() ? unit.register_type(t->dtype) : b.getInt64Ty();
  if (t->is_float())
    return llvm::ConstantFP::get(type, c.f);
  if (t->is_complex()) {
    llvm::Type* part = type->getStructElementType(0);
    return complex(llvm::ConstantFP::get(part, c.f), llvm::ConstantFP::get(part, c.im));
  }
  return llvm::ConstantInt::get(type, static_cast<uint64_t>(t->is_bool() ? c.i != 0 : c.i));
}

Leaf Emitter::unary(const ir::Unary& u, Type t) {
  Leaf x = scalar(u.x);
  if (t->is_complex()) { // Neg
    const ComplexParts z = complex_parts(x);
    return complex(b.CreateFNeg(z.re), b.CreateFNeg(z.im));
  }
  switch (u.op) {
  case ir::UnaryOp::Neg: return t->is_float() ? b.CreateFNeg(x) : b.CreateNeg(x);
  case ir::UnaryOp::Invert:
  case ir::UnaryOp::Not: return b.CreateNot(x);
  }
  return x;
}

Leaf Emitter::binary(const ir::Binary& x, Type t, Place at) {
  using Op = ir::BinaryOp;
  Leaf a = scalar(x.a), c = scalar(x.b);
  if (t->is_complex())
    return complex_binary(x.op, t, a, c);
  const bool real = t->is_float();
  switch (x.op) {
  case Op::Add: return real ? b.CreateFAdd(a, c) : b.CreateAdd(a, c);
  case Op::Sub: return real ? b.CreateFSub(a, c) : b.CreateSub(a, c);
  case Op::Mult: return real ? b.CreateFMul(a, c) : b.CreateMul(a, c);
  case Op::Div: return b.CreateFDiv(a, c);
  case Op::FloorDiv:
    return real ? b.CreateCall(unit.library("floordiv", a->getType()), {a, c}) : divide(x.op, t, a, c, at);
  case Op::Mod: return real ? b.CreateCall(unit.library("mod", a->getType()), {a, c}) : divide(x.op, t, a, c, at);
  case Op::Pow: return power(t, a, c, at);
  case Op::LShift:
  case Op::RShift: return shift(x.op, t, a, c, at);
  case Op::BitOr: return b.CreateOr(a, c);
  case Op::BitXor: return b.CreateXor(a, c);
  case Op::BitAnd: return b.CreateAnd(a, c);
  }
  return a;
}

// Rows 1, 3, 5. Quotient towards minus infinity, remainder with the divisor's sign. A divisor of 0 raises
// when weak and gives 0 when strong; -1 is kept from the division, where the machine traps on INT_MIN.
Leaf Emitter::divide(ir::BinaryOp op, Type t, Leaf x, Leaf y, Place at) {
  const bool modulo = op == ir::BinaryOp::Mod, is_signed = jit::is_signed(t->dtype);
  llvm::Type* type = x->getType();
  Leaf zero = llvm::ConstantInt::get(type, 0), one = llvm::ConstantInt::get(type, 1);
  const llvm::APInt* divisor = known_integer(y);
  if (divisor && divisor->isPowerOf2() && !(is_signed && divisor->isNegative())) {
    if (modulo)
      return b.CreateAnd(x, llvm::ConstantInt::get(type, *divisor - 1));
    Leaf bits = llvm::ConstantInt::get(type, divisor->logBase2());
    return is_signed ? b.CreateAShr(x, bits) : b.CreateLShr(x, bits);
  }

  Leaf by_zero = b.CreateICmpEQ(y, zero);
  if (t->weak) {
    check(b.CreateNot(by_zero), at, "ZeroDivisionError",
          modulo ? "integer modulo by zero" : "integer division or modulo by zero");
    by_zero = b.getFalse();
  }
  if (!is_signed) {
    Leaf safe = b.CreateSelect(by_zero, one, y);
    return modulo ? b.CreateURem(x, safe) : b.CreateSelect(by_zero, zero, b.CreateUDiv(x, safe));
  }
  Leaf by_minus_one = b.CreateICmpEQ(y, llvm::Constant::getAllOnesValue(type));
  Leaf safe = b.CreateSelect(b.CreateOr(by_zero, by_minus_one), one, y);
  Leaf rest = b.CreateSRem(x, safe);
  Leaf opposite = b.CreateICmpSLT(b.CreateXor(rest, safe), zero);
  Leaf adjust = b.CreateAnd(b.CreateICmpNE(rest, zero), opposite);
  if (modulo)
    return b.CreateSelect(adjust, b.CreateAdd(rest, safe), rest);
  Leaf quotient = b.CreateSDiv(x, safe);
  quotient = b.CreateSelect(adjust, b.CreateSub(quotient, one), quotient);
  quotient = b.CreateSelect(by_minus_one, b.CreateNeg(x), quotient);
  return b.CreateSelect(by_zero, zero, quotient);
}

// Rows 6 to 8. Small constant exponents by multiplication (within 4 ulp, and exact for squares).
Leaf Emitter::power(Type t, Leaf x, Leaf y, Place at) {
  const bool real = t->is_float();
  int64_t exponent = -1;
  if (auto* f = llvm::dyn_cast<llvm::ConstantFP>(y); f && f->getValueAPF().isInteger())
    exponent = static_cast<int64_t>(std::min(std::max(f->getValueAPF().convertToDouble(), -1.0), 64.0));
  else if (const llvm::APInt* n = known_integer(y))
    exponent = t->dtype == DType::UInt64 ? static_cast<int64_t>(n->getLimitedValue(64)) : n->getSExtValue();

  const auto times = [&](Leaf p, Leaf q) { return real ? b.CreateFMul(p, q) : b.CreateMul(p, q); };
  switch (exponent) {
  case 1: return x;
  case 2: return times(x, x);
  case 3: return times(times(x, x), x);
  case 4: return times(times(x, x), times(x, x));
  default: break;
  }
  if (real)
    return b.CreateCall(unit.libm("pow", x->getType(), 2), {x, y});
  if (jit::is_signed(t->dtype))
    check(b.CreateICmpSGE(y, llvm::ConstantInt::get(y->getType(), 0)), at, "ValueError",
          "Integers to negative integer powers are not allowed.");
  return b.CreateCall(unit.library("power", x->getType()), {x, y});
}

// Row 10. A count of the width or more shifts everything out; so does a negative strong one, as in NumPy,
// where the count is compared as unsigned.
Leaf Emitter::shift(ir::BinaryOp op, Type t, Leaf x, Leaf y, Place at) {
  llvm::Type* type = x->getType();
  Leaf zero = llvm::ConstantInt::get(type, 0);
  if (t->weak)
    check(b.CreateICmpSGE(y, zero), at, "ValueError", "negative shift count");
  const unsigned width = type->getIntegerBitWidth();
  Leaf last = llvm::ConstantInt::get(type, width - 1);
  if (op == ir::BinaryOp::RShift && jit::is_signed(t->dtype))
    return b.CreateAShr(x, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, y, last));
  Leaf shifted = op == ir::BinaryOp::LShift ? b.CreateShl(x, y) : b.CreateLShr(x, y);
  return b.CreateSelect(b.CreateICmpULE(y, last), shifted, zero);
}

Leaf Emitter::compare(const ir::Compare& c) {
  const Type t = c.a->type;
  Leaf x = scalar(c.a), y = scalar(c.b);
  if (t->is_complex())
    return complex_compare(c.op, x, y);
  using P = llvm::CmpInst::Predicate;
  struct Predicates {
    P real, with_sign, without_sign;
  };
  const auto predicates = [&]() -> Predicates {
    switch (c.op) {
    case ir::CompareOp::Eq: return {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ};
    case ir::CompareOp::NotEq: return {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE};
    case ir::CompareOp::Lt: return {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT};
    case ir::CompareOp::LtE: return {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE};
    case ir::CompareOp::Gt: return {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT};
    case ir::CompareOp::GtE: return {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE};
    }
    return {P::FCMP_FALSE, P::ICMP_EQ, P::ICMP_EQ};
  }();
  if (t->is_float())
    return b.CreateFCmp(predicates.real, x, y);
  const bool with_sign = !t->is_scalar() || jit::is_signed(t->dtype);
  return b.CreateICmp(with_sign ? predicates.with_sign : predicates.without_sign, x, y);
}

} // namespace mpijit::jit
