// Arithmetic that is too long to stand in a kernel: small functions in LLVM's own text form, added to the
// module when something calls them. $T is the type (float, double, i8 ... i64), $N its name in symbols, $F
// what libm appends to its names. `floordiv` and `mod` are NumPy's npy_floor_divide and npy_remainder
// (numpy/_core/src/npymath/npy_math_internal.h.src); integer functions answer a result beyond int64 with a
// negative number. Each stays a call: they are long, and rare in a hot loop.
#include "emit/emitter.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

#include <stdexcept>
#include <utility>

namespace mpijit::jit {
namespace {

struct Routine {
  llvm::StringRef name;
  llvm::StringRef needs; // another routine, or a libm function when it starts with a blank; may be empty
  llvm::StringRef text;
};

constexpr Routine routines[] = {
    {"mod", " fmod", R"(
define internal $T @lib.mod.$N($T %a, $T %b) #0 {
  %r = call $T @fmod$F($T %a, $T %b)
  %rest = fcmp une $T %r, 0.0
  %bn = fcmp olt $T %b, 0.0
  %rn = fcmp olt $T %r, 0.0
  %differ = xor i1 %bn, %rn
  %moved = fadd $T %r, %b
  %fixed = select i1 %differ, $T %moved, $T %r
  %zero = call $T @llvm.copysign.$N($T 0.0, $T %b)
  %m = select i1 %rest, $T %fixed, $T %zero
  ret $T %m
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"floordiv", " fmod", R"(
define internal $T @lib.floordiv.$N($T %a, $T %b) #0 {
  %r = call $T @fmod$F($T %a, $T %b)
  %whole = fsub $T %a, %r
  %div = fdiv $T %whole, %b
  %rest = fcmp une $T %r, 0.0
  %bn = fcmp olt $T %b, 0.0
  %rn = fcmp olt $T %r, 0.0
  %differ = xor i1 %bn, %rn
  %adjust = and i1 %rest, %differ
  %less = fsub $T %div, 1.0
  %d = select i1 %adjust, $T %less, $T %div
  %floor = call $T @llvm.floor.$N($T %d)
  %off = fsub $T %d, %floor
  %up = fcmp ogt $T %off, 0.5
  %above = fadd $T %floor, 1.0
  %near = select i1 %up, $T %above, $T %floor
  %plain = fdiv $T %a, %b
  %zero = call $T @llvm.copysign.$N($T 0.0, $T %plain)
  %nonzero = fcmp une $T %d, 0.0
  %q = select i1 %nonzero, $T %near, $T %zero
  %byzero = fcmp oeq $T %b, 0.0
  %result = select i1 %byzero, $T %plain, $T %q
  ret $T %result
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"power", "", R"(
define internal $T @lib.power.$N($T %base, $T %exponent) #0 {
entry:
  br label %loop
loop:
  %r = phi $T [ 1, %entry ], [ %r1, %loop ]
  %x = phi $T [ %base, %entry ], [ %x1, %loop ]
  %n = phi $T [ %exponent, %entry ], [ %n1, %loop ]
  %odd = trunc $T %n to i1
  %rx = mul $T %r, %x
  %r1 = select i1 %odd, $T %rx, $T %r
  %x1 = mul $T %x, %x
  %n1 = lshr $T %n, 1
  %done = icmp eq $T %n1, 0
  br i1 %done, label %out, label %loop
out:
  ret $T %r1
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    // NumPy's npy_cpow without its division: { power, is that the answer?, is its inverse? }.
    {"complex_power", "", R"(
define internal { { $T, $T }, i1, i1 } @lib.complex_power.$N({ $T, $T } %a, { $T, $T } %b) #0 {
entry:
  %ar = extractvalue { $T, $T } %a, 0
  %ai = extractvalue { $T, $T } %a, 1
  %br = extractvalue { $T, $T } %b, 0
  %bi = extractvalue { $T, $T } %b, 1
  %real = fcmp oeq $T %bi, 0.0
  %brzero = fcmp oeq $T %br, 0.0
  %nothing = and i1 %real, %brzero
  br i1 %nothing, label %one, label %base
one:
  ret { { $T, $T }, i1, i1 } { { $T, $T } { $T 1.0, $T 0.0 }, i1 true, i1 false }
base:
  %arzero = fcmp oeq $T %ar, 0.0
  %aizero = fcmp oeq $T %ai, 0.0
  %origin = and i1 %arzero, %aizero
  br i1 %origin, label %zero, label %exponent
zero:
  %grows = fcmp ogt $T %br, 0.0
  %value = select i1 %grows, $T 0.0, $T 0x7FF8000000000000
  %z0 = insertvalue { { $T, $T }, i1, i1 } { { $T, $T } poison, i1 true, i1 false }, $T %value, 0, 0
  %z1 = insertvalue { { $T, $T }, i1, i1 } %z0, $T %value, 0, 1
  ret { { $T, $T }, i1, i1 } %z1
exponent:
  %size = call $T @llvm.fabs.$N($T %br)
  %small = fcmp olt $T %size, 100.0
  %cut = call $T @llvm.trunc.$N($T %br)
  %even = fcmp oeq $T %cut, %br
  %whole0 = and i1 %small, %even
  %whole = and i1 %whole0, %real
  br i1 %whole, label %start, label %general
general:
  ret { { $T, $T }, i1, i1 } { { $T, $T } zeroinitializer, i1 false, i1 false }
start:
  %n0 = fptoui $T %size to i64
  %below = fcmp olt $T %br, 0.0
  %few = icmp ule i64 %n0, 3
  %up = xor i1 %below, true
  %fresh0 = and i1 %few, %up
  br label %loop
loop:
  %n = phi i64 [ %n0, %start ], [ %n1, %loop ]
  %fresh = phi i1 [ %fresh0, %start ], [ %fresh1, %loop ]
  %rr = phi $T [ 1.0, %start ], [ %rr1, %loop ]
  %ri = phi $T [ 0.0, %start ], [ %ri1, %loop ]
  %pr = phi $T [ %ar, %start ], [ %pr1, %loop ]
  %pi = phi $T [ %ai, %start ], [ %pi1, %loop ]
  %odd = trunc i64 %n to i1
  %m0 = fmul $T %rr, %pr
  %m1 = fmul $T %ri, %pi
  %m2 = fmul $T %rr, %pi
  %m3 = fmul $T %ri, %pr
  %mr = fsub $T %m0, %m1
  %mi = fadd $T %m2, %m3
  %tr = select i1 %fresh, $T %pr, $T %mr
  %ti = select i1 %fresh, $T %pi, $T %mi
  %rr1 = select i1 %odd, $T %tr, $T %rr
  %ri1 = select i1 %odd, $T %ti, $T %ri
  %notodd = xor i1 %odd, true
  %fresh1 = and i1 %fresh, %notodd
  %s0 = fmul $T %pr, %pr
  %s1 = fmul $T %pi, %pi
  %s2 = fmul $T %pr, %pi
  %pr1 = fsub $T %s0, %s1
  %pi1 = fadd $T %s2, %s2
  %n1 = lshr i64 %n, 1
  %done = icmp eq i64 %n1, 0
  br i1 %done, label %out, label %loop
out:
  %r0 = insertvalue { { $T, $T }, i1, i1 } { { $T, $T } poison, i1 true, i1 poison }, $T %rr1, 0, 0
  %r1 = insertvalue { { $T, $T }, i1, i1 } %r0, $T %ri1, 0, 1
  %r2 = insertvalue { { $T, $T }, i1, i1 } %r1, i1 %below, 2
  ret { { $T, $T }, i1, i1 } %r2
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"gcd", "ugcd", R"(
define internal i64 @lib.gcd.i64(i64 %a, i64 %b) #0 {
  %x = call i64 @llvm.abs.i64(i64 %a, i1 false)
  %y = call i64 @llvm.abs.i64(i64 %b, i1 false)
  %g = call i64 @lib.ugcd.i64(i64 %x, i64 %y)
  ret i64 %g
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"ugcd", "", R"(
define internal i64 @lib.ugcd.i64(i64 %a, i64 %b) #0 {
entry:
  br label %loop
loop:
  %x = phi i64 [ %a, %entry ], [ %y, %step ]
  %y = phi i64 [ %b, %entry ], [ %r, %step ]
  %done = icmp eq i64 %y, 0
  br i1 %done, label %out, label %step
step:
  %r = urem i64 %x, %y
  br label %loop
out:
  ret i64 %x
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"lcm", "gcd", R"(
define internal i64 @lib.lcm.i64(i64 %a, i64 %b) #0 {
entry:
  %g = call i64 @lib.gcd.i64(i64 %a, i64 %b)
  %none = icmp eq i64 %g, 0
  br i1 %none, label %zero, label %some
zero:
  ret i64 0
some:
  %x = call i64 @llvm.abs.i64(i64 %a, i1 false)
  %y = call i64 @llvm.abs.i64(i64 %b, i1 false)
  %q = udiv i64 %x, %g
  %both = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %q, i64 %y)
  %p = extractvalue { i64, i1 } %both, 0
  %over = extractvalue { i64, i1 } %both, 1
  %result = select i1 %over, i64 -1, i64 %p
  ret i64 %result
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"isqrt", "", R"(
define internal i64 @lib.isqrt.i64(i64 %x) #0 {
entry:
  %f = uitofp i64 %x to double
  %s = call double @llvm.sqrt.f64(double %f)
  %guess = fptoui double %s to i64
  br label %down
down:
  %r = phi i64 [ %guess, %entry ], [ %r1, %down ]
  %square = mul i64 %r, %r
  %over = icmp ugt i64 %square, %x
  %r1 = sub i64 %r, 1
  br i1 %over, label %down, label %up
up:
  %u = phi i64 [ %r, %down ], [ %u1, %up ]
  %u1 = add i64 %u, 1
  %next = mul i64 %u1, %u1
  %under = icmp ule i64 %next, %x
  br i1 %under, label %up, label %out
out:
  ret i64 %u
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"factorial", "", R"(
define internal i64 @lib.factorial.i64(i64 %n) #0 {
entry:
  %over = icmp sgt i64 %n, 20
  br i1 %over, label %large, label %loop
large:
  ret i64 -1
loop:
  %r = phi i64 [ 1, %entry ], [ %r1, %step ]
  %k = phi i64 [ %n, %entry ], [ %k1, %step ]
  %done = icmp slt i64 %k, 2
  br i1 %done, label %out, label %step
step:
  %r1 = mul i64 %r, %k
  %k1 = sub i64 %k, 1
  br label %loop
out:
  ret i64 %r
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    // r = C(n-k+i, i) grows with i, so the first overflow decides. r*(n-k+i)/i without a wide product:
    // divide r by g = gcd(r, i) and n-k+i by i/g, both exactly.
    {"comb", "gcd", R"(
define internal i64 @lib.comb.i64(i64 %n, i64 %k0) #0 {
entry:
  %rest = sub i64 %n, %k0
  %none = icmp slt i64 %rest, 0
  br i1 %none, label %zero, label %some
zero:
  ret i64 0
some:
  %k = call i64 @llvm.smin.i64(i64 %k0, i64 %rest)
  %m = sub i64 %n, %k
  br label %loop
loop:
  %r = phi i64 [ 1, %some ], [ %r1, %fits ]
  %i0 = phi i64 [ 0, %some ], [ %i, %fits ]
  %done = icmp eq i64 %i0, %k
  br i1 %done, label %out, label %step
step:
  %i = add i64 %i0, 1
  %top = add i64 %m, %i
  %g = call i64 @lib.gcd.i64(i64 %r, i64 %i)
  %rg = udiv i64 %r, %g
  %ig = udiv i64 %i, %g
  %tg = udiv i64 %top, %ig
  %both = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %rg, i64 %tg)
  %r1 = extractvalue { i64, i1 } %both, 0
  %over = extractvalue { i64, i1 } %both, 1
  br i1 %over, label %large, label %fits
fits:
  br label %loop
large:
  ret i64 -1
out:
  ret i64 %r
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
    {"perm", "", R"(
define internal i64 @lib.perm.i64(i64 %n, i64 %k) #0 {
entry:
  %last = sub i64 %n, %k
  %none = icmp slt i64 %last, 0
  br i1 %none, label %zero, label %loop
zero:
  ret i64 0
loop:
  %r = phi i64 [ 1, %entry ], [ %r1, %step ]
  %i = phi i64 [ %n, %entry ], [ %i1, %step ]
  %done = icmp eq i64 %i, %last
  br i1 %done, label %out, label %step
step:
  %both = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %r, i64 %i)
  %r1 = extractvalue { i64, i1 } %both, 0
  %over = extractvalue { i64, i1 } %both, 1
  %i1 = sub i64 %i, 1
  br i1 %over, label %large, label %loop
large:
  ret i64 -1
out:
  ret i64 %r
}
attributes #0 = { nounwind willreturn memory(none) noinline }
)"},
};

} // namespace

llvm::Function* Unit::library(llvm::StringRef name, llvm::Type* type) {
  const bool real = type->isFloatingPointTy();
  const std::string suffix =
      real ? (type->isFloatTy() ? "f32" : "f64") : "i" + std::to_string(type->getIntegerBitWidth());
  const std::string symbol = "lib." + name.str() + "." + suffix;
  if (llvm::Function* known = module.getFunction(symbol))
    return known;
  for (const Routine& routine : routines) {
    if (routine.name != name)
      continue;
    if (routine.needs.starts_with(" "))
      libm(routine.needs.drop_front(), type, 2);
    else if (!routine.needs.empty())
      library(routine.needs, type);
    std::string text;
    for (size_t k = 0; k < routine.text.size(); ++k) {
      const char c = routine.text[k] == '$' ? routine.text[++k] : '\0';
      if (c == 'T')
        text += real ? (type->isFloatTy() ? "float" : "double") : suffix;
      else if (c == 'N')
        text += suffix;
      else if (c == 'F')
        text += type->isFloatTy() ? "f" : "";
      else
        text += routine.text[k];
    }
    llvm::SMDiagnostic wrong;
    if (llvm::parseAssemblyInto(llvm::MemoryBufferRef(text, symbol), &module, nullptr, wrong))
      throw std::logic_error(symbol + ": " + wrong.getMessage().str());
    return module.getFunction(symbol);
  }
  throw std::logic_error("library.cpp has no routine " + name.str());
}

} // namespace mpijit::jit
