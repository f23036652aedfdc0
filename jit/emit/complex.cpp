// Complex scalars. One is a single leaf, a struct of its parts, as in memory. Multiplication and division are NumPy's,
// to the bit; Python's own numbers are divided as CPython divides them. The long functions are libm's, of complex
// double. Must not know which Python name led here: the rows of complex.inc say what is wanted.
#include "emit/emitter.h"
#include "types/promote.h"

#include <numbers>
#include <stdexcept>

namespace mpijit::jit {
namespace {

llvm::Type* part(Leaf z) { return z->getType()->getStructElementType(0); }
Leaf real(llvm::Type* type, double value) { return llvm::ConstantFP::get(type, value); }

} // namespace

Leaf Emitter::complex(Leaf re, Leaf im) {
  llvm::StructType* type = llvm::StructType::get(re->getType(), im->getType());
  return b.CreateInsertValue(b.CreateInsertValue(llvm::PoisonValue::get(type), re, 0), im, 1);
}

ComplexParts Emitter::complex_parts(Leaf z) { return {b.CreateExtractValue(z, 0), b.CreateExtractValue(z, 1)}; }

Leaf Emitter::complex_convert(Leaf x, Type from, Type to) {
  const Type of_part = part_type(to);
  llvm::Type* type = unit.register_type(of_part->dtype);
  if (!from->is_complex())
    return complex(convert(x, from, of_part), real(type, 0));
  const ComplexParts z = complex_parts(x);
  return complex(b.CreateFPCast(z.re, type), b.CreateFPCast(z.im, type));
}

Leaf Emitter::complex_binary(ir::BinaryOp op, Type t, Leaf x, Leaf y) {
  const ComplexParts p = complex_parts(x), q = complex_parts(y);
  switch (op) {
  case ir::BinaryOp::Add: return complex(b.CreateFAdd(p.re, q.re), b.CreateFAdd(p.im, q.im));
  case ir::BinaryOp::Sub: return complex(b.CreateFSub(p.re, q.re), b.CreateFSub(p.im, q.im));
  case ir::BinaryOp::Mult: return complex_product(x, y);
  case ir::BinaryOp::Div: return complex_quotient(t, p, q);
  case ir::BinaryOp::Pow: return complex_power(t, x, y);
  default: throw std::logic_error("a complex operator that inference refuses");
  }
}

// No care for infinities, as in NumPy and CPython.
Leaf Emitter::complex_product(Leaf x, Leaf y) {
  const ComplexParts p = complex_parts(x), q = complex_parts(y);
  Leaf re = b.CreateFSub(b.CreateFMul(p.re, q.re), b.CreateFMul(p.im, q.im));
  Leaf im = b.CreateFAdd(b.CreateFMul(p.re, q.im), b.CreateFMul(p.im, q.re));
  return complex(re, im);
}

// Smith's algorithm, by selects so that a loop of it can be vectorised. With the larger part of the divisor called
// `large` and the dividend's parts swapped alongside, both of its cases differ in one sign only. NumPy multiplies by
// the reciprocal of the denominator, CPython divides. By zero: the parts over +0.
Leaf Emitter::complex_quotient(Type t, ComplexParts x, ComplexParts y) {
  llvm::Type* type = x.re->getType();
  Leaf magnitude_re = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, y.re);
  Leaf magnitude_im = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, y.im);
  Leaf straight = b.CreateFCmpOGE(magnitude_re, magnitude_im);
  Leaf large = b.CreateSelect(straight, y.re, y.im), small = b.CreateSelect(straight, y.im, y.re);
  Leaf first = b.CreateSelect(straight, x.re, x.im), second = b.CreateSelect(straight, x.im, x.re);
  Leaf ratio = b.CreateFDiv(small, large);
  Leaf denominator = b.CreateFAdd(large, b.CreateFMul(small, ratio));
  Leaf scaled = b.CreateFMul(first, ratio);
  Leaf re = b.CreateFAdd(first, b.CreateFMul(second, ratio));
  Leaf im = b.CreateSelect(straight, b.CreateFSub(second, scaled), b.CreateFSub(scaled, second));
  if (t->weak) {
    re = b.CreateFDiv(re, denominator);
    im = b.CreateFDiv(im, denominator);
  } else {
    Leaf scale = b.CreateFDiv(real(type, 1), denominator);
    re = b.CreateFMul(re, scale);
    im = b.CreateFMul(im, scale);
  }
  Leaf by_zero = b.CreateAnd(straight, b.CreateFCmpOEQ(magnitude_re, real(type, 0)));
  Leaf infinity = llvm::ConstantFP::getInfinity(type); // x * inf is x / +0
  re = b.CreateSelect(by_zero, b.CreateFMul(x.re, infinity), re);
  im = b.CreateSelect(by_zero, b.CreateFMul(x.im, infinity), im);
  return complex(re, im);
}

// Small integer exponents by multiplication, powers of 0 by NumPy's rules, the rest by libm.
Leaf Emitter::complex_power(Type t, Leaf x, Leaf y) {
  const ComplexParts exponent = complex_parts(y);
  auto* whole = llvm::dyn_cast<llvm::ConstantFP>(exponent.re);
  auto* none = llvm::dyn_cast<llvm::ConstantFP>(exponent.im);
  if (whole && none && none->isZero()) {
    if (whole->isExactlyValue(1))
      return x;
    if (whole->isExactlyValue(2))
      return complex_product(x, x);
    if (whole->isExactlyValue(3))
      return complex_product(x, complex_product(x, x));
  }
  Leaf known = b.CreateCall(unit.library("complex_power", part(x)), {x, y});
  Leaf power = b.CreateExtractValue(known, 0);
  llvm::BasicBlock *invert = block("invert"), *whole_end = block("whole"), *general = block("general");
  llvm::BasicBlock *decided = block("decided"), *after = block("power");
  b.CreateCondBr(b.CreateExtractValue(known, 1), decided, general);
  b.SetInsertPoint(decided);
  b.CreateCondBr(b.CreateExtractValue(known, 2), invert, whole_end);
  b.SetInsertPoint(invert);
  Leaf inverse = complex_quotient(t, {real(part(x), 1), real(part(x), 0)}, complex_parts(power));
  b.CreateBr(after);
  b.SetInsertPoint(whole_end);
  b.CreateBr(after);
  b.SetInsertPoint(general);
  Leaf computed = complex_libm("cpow", {x, y});
  b.CreateBr(after);
  b.SetInsertPoint(after);
  llvm::PHINode* result = b.CreatePHI(x->getType(), 3);
  result->addIncoming(inverse, invert);
  result->addIncoming(power, whole_end);
  result->addIncoming(computed, general);
  return result;
}

Leaf Emitter::complex_compare(ir::CompareOp op, Leaf x, Leaf y) {
  const ComplexParts p = complex_parts(x), q = complex_parts(y);
  if (op == ir::CompareOp::Eq)
    return b.CreateAnd(b.CreateFCmpOEQ(p.re, q.re), b.CreateFCmpOEQ(p.im, q.im));
  return b.CreateOr(b.CreateFCmpUNE(p.re, q.re), b.CreateFCmpUNE(p.im, q.im));
}

// In double also for complex64, whose results are rounded: as exact as any float function, and one calling
// convention on every machine, since a complex double travels as two doubles.
Leaf Emitter::complex_libm(llvm::StringRef name, llvm::ArrayRef<Leaf> x) {
  Leaves arguments;
  for (Leaf z : x)
    for (Leaf p : {complex_parts(z).re, complex_parts(z).im})
      arguments.push_back(b.CreateFPCast(p, b.getDoubleTy()));
  Leaf result = b.CreateCall(unit.complex_libm(name, static_cast<int>(x.size())), arguments);
  const ComplexParts r = complex_parts(result);
  return complex(b.CreateFPCast(r.re, part(x[0])), b.CreateFPCast(r.im, part(x[0])));
}

Leaf Emitter::complex_math(const ir::Math& m, llvm::ArrayRef<Leaf> x) {
  const llvm::StringRef name = m.row->symbol;
  if (m.row->lowering == MathLowering::Libm)
    return complex_libm(name, x);
  if (name == "make")
    return complex(x[0], x[1]);
  const ComplexParts z = complex_parts(x[0]);
  const auto scaled = [&](Leaf value, double factor) {
    const ComplexParts v = complex_parts(value);
    return complex(b.CreateFMul(v.re, real(part(value), factor)), b.CreateFMul(v.im, real(part(value), factor)));
  };
  if (name == "real")
    return z.re;
  if (name == "imag")
    return z.im;
  if (name == "conjugate")
    return complex(z.re, b.CreateFNeg(z.im));
  if (name == "log10")
    return scaled(complex_libm("clog", x), std::numbers::log10e);
  if (name == "log2")
    return scaled(complex_libm("clog", x), std::numbers::log2e);
  if (name == "exp2")
    return complex_libm("cexp", {scaled(x[0], std::numbers::ln2)});
  throw std::logic_error("complex.inc names no special lowering: " + name.str());
}

} // namespace mpijit::jit
