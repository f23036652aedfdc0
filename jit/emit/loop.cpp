// Loops and loop nests in two versions. Every loop can be interrupted: while loops and loops with calls or
// loops inside look at the flag on each turn, a plain outermost loop runs in strips and looks between them, so
// that its body still vectorises; loops inside a counted loop do not look.
#include "emit/emitter.h"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <set>

namespace mpijit::jit {
namespace {

constexpr int64_t strip_length = 65536;

// What a loop counts: `counter` runs from first to limit (not included) by 1, compared as signed or unsigned.
// The loop's variable is the counter itself, or origin + counter * step.
struct Counting {
  Leaf first, limit, enters; // enters: is there a first iteration?
  bool is_signed;
  Leaf origin = nullptr, step = nullptr;
  bool no_signed_wrap = true;
};

// Row 33: the trip count ceil((stop - start) / step) as an unsigned number, which holds every difference of two
// int64. Step 1 needs none: the variable counts itself.
Counting count_range(Emitter& e, const ir::For& f, Place at) {
  llvm::IRBuilder<>& b = e.b;
  Leaf start = e.scalar(f.start), stop = e.scalar(f.stop), step = e.scalar(f.step);
  const auto* known = known_constant(step);
  if (known && known->isOne())
    return {start, stop, b.CreateICmpSLT(start, stop), true};

  Leaf zero = e.i64(0), one = e.i64(1);
  e.check(b.CreateICmpNE(step, zero), at, "ValueError", "range() arg 3 must not be zero");
  Leaf upward = b.CreateICmpSGT(step, zero);
  Leaf low = b.CreateSelect(upward, start, stop), high = b.CreateSelect(upward, stop, start);
  Leaf enters = b.CreateICmpSLT(low, high);
  Leaf pace = b.CreateSelect(upward, step, b.CreateNeg(step));
  Leaf trips = b.CreateSub(high, low);
  const bool by_one = known && known->isMinusOne();
  if (!by_one)
    trips = b.CreateAdd(b.CreateUDiv(b.CreateSub(trips, one), pace), one);
  // Only a step of 1 can count beyond 2^63.
  return {zero, trips, enters, false, start, step, known && !by_one};
}

} // namespace

llvm::MDNode* cold_loop(llvm::LLVMContext& context) {
  using llvm::MDNode, llvm::MDString;
  llvm::Metadata* no = llvm::ConstantAsMetadata::get(llvm::ConstantInt::getFalse(context));
  llvm::SmallVector<llvm::Metadata*, 3> properties = {
      nullptr, // itself
      MDNode::get(context, {MDString::get(context, "llvm.loop.vectorize.enable"), no}),
      MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.disable")})};
  MDNode* node = MDNode::getDistinct(context, properties);
  node->replaceOperandWith(0, node);
  return node;
}

// ---- loops ---------------------------------------------------------------------------------------------
//
//   enters? -> strip: where does this strip end? -> body ... latch -> body, until the strip ends
//                ^------- more? (look at the flag) ----'      and then, until all is done
//
// Without strips the whole range is one. The loop is written with its test at the end; the test before it is
// `enters`.
void Emitter::for_loop(const ir::For& f, Place at) {
  const bool outermost = !in_loop();
  const Counting c = count_range(*this, f, at);
  busy = false;
  llvm::BasicBlock *strip = block("strip"), *body = block("for"), *latch = block("next"),
                   *exhausted = block("exhausted"), *done = block("done"), *before = b.GetInsertBlock();
  b.CreateCondBr(c.enters, strip, exhausted);
  b.SetInsertPoint(body);
  llvm::PHINode* counter = b.CreatePHI(b.getInt64Ty(), 2, "i");
  Leaf variable = c.origin ? b.CreateAdd(c.origin, b.CreateMul(counter, c.step)) : counter;
  assign(f.slot, {source.slots[f.slot].type, {variable}});
  loops.push_back({done, latch});
  cold_depth += f.cold;
  run(f.body);
  cold_depth -= f.cold;
  loops.pop_back();
  jump(latch);

  Leaf first = c.first, end = c.limit;
  const auto* low = known_constant(c.first);
  const auto* high = known_constant(c.limit);
  const bool is_short = low && high && (high->getValue() - low->getValue()).ule(strip_length) && !busy;
  const bool strips = outermost && !busy && !f.cold && !is_short;
  llvm::PHINode* strip_start = nullptr;
  b.SetInsertPoint(strip);
  if (strips) {
    first = strip_start = b.CreatePHI(b.getInt64Ty(), 2, "strip");
    strip_start->addIncoming(c.first, before);
    Leaf left = b.CreateSub(c.limit, first);
    end = b.CreateAdd(first, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, i64(strip_length)), "", !c.is_signed,
                      c.no_signed_wrap);
  }
  b.CreateBr(body);
  counter->addIncoming(first, strip);

  enter(latch);
  if (alive()) {
    if (outermost && !strips && !is_short)
      poll(at);
    Leaf next = b.CreateAdd(counter, i64(1), "", !c.is_signed, c.no_signed_wrap);
    counter->addIncoming(next, b.GetInsertBlock());
    const auto before_end = c.is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT;
    llvm::BasicBlock* more = strips ? block("more") : exhausted;
    llvm::BranchInst* back = b.CreateCondBr(b.CreateICmp(before_end, next, end), body, more);
    if (f.cold)
      back->setMetadata(llvm::LLVMContext::MD_loop, cold_loop(unit.context));
    if (strips) {
      b.SetInsertPoint(more);
      poll(at);
      strip_start->addIncoming(end, b.GetInsertBlock());
      b.CreateCondBr(b.CreateICmp(before_end, end, c.limit), strip, exhausted);
    }
  }
  b.SetInsertPoint(exhausted);
  run(f.orelse);
  jump(done);
  enter(done);
  busy = true;
}

bool Emitter::in_loop() const {
  return std::any_of(loops.begin(), loops.end(), [](const Loop& l) { return l.on_continue; });
}

void Emitter::run_once(const ir::Once& o) {
  llvm::BasicBlock* done = block("after");
  loops.push_back({done, nullptr});
  run(o.body);
  loops.pop_back();
  jump(done);
  enter(done);
}

void Emitter::while_loop(const ir::While& w, Place at) {
  llvm::BasicBlock *test = block("while"), *body = block("do"), *latch = block("again"),
                   *exhausted = block("exhausted"), *done = block("done");
  jump(test);
  b.SetInsertPoint(test);
  Leaf cond = scalar(w.cond);
  const auto* known = known_constant(cond);
  if (known && known->isOne())
    b.CreateBr(body); // `while True` ends by break alone
  else
    b.CreateCondBr(cond, body, exhausted);
  b.SetInsertPoint(body);
  loops.push_back({done, latch});
  run(w.body);
  loops.pop_back();
  jump(latch);
  enter(latch);
  if (alive()) {
    poll(at);
    b.CreateBr(test);
  }
  enter(exhausted);
  run(w.orelse);
  jump(done);
  enter(done);
  busy = true;
}

// Monotonic: LLVM must look again each time, and costs a plain load.
void Emitter::poll(Place at) {
  llvm::LoadInst* flag = b.CreateLoad(b.getInt32Ty(), unit.variable("mpijit_interrupt", b.getInt32Ty()), "interrupt");
  flag->setAtomic(llvm::AtomicOrdering::Monotonic);
  flag->setAlignment(llvm::Align(4));
  llvm::BasicBlock *look = block("poll"), *next = block("on");
  b.CreateCondBr(b.CreateICmpEQ(flag, b.getInt32(0)), next, look, likely());
  b.SetInsertPoint(look);
  check_status(b.CreateCall(unit.support("mpijit_poll"), {unit.site(source, at)}), at);
  b.CreateBr(next);
  b.SetInsertPoint(next);
}

// ---- nests ---------------------------------------------------------------------------------------------

// All tests, without a branch between them; then one of two bodies. Within the fast one each tested array has
// an alias scope, and its accesses do not meet those of the arrays it was tested apart from.
void Emitter::nest(const ir::Nest& n) {
  Leaf good = b.getTrue();
  for (const ir::RangeTest& r : n.ranges)
    good = b.CreateAnd(good, range_holds(r));
  std::map<int, std::pair<Leaf, Leaf>> extents;
  std::map<int, std::set<int>> apart;
  for (const ir::Disjoint& d : n.apart) {
    for (int slot : {d.a, d.b})
      if (!extents.count(slot))
        extents[slot] = extent(read(slot));
    apart[d.a].insert(d.b);
    apart[d.b].insert(d.a);
    Leaf before = b.CreateICmpULE(extents[d.a].second, extents[d.b].first);
    Leaf after = b.CreateICmpULE(extents[d.b].second, extents[d.a].first);
    good = b.CreateAnd(good, b.CreateOr(before, after));
  }

  llvm::BasicBlock *fast = block("fast"), *cold = block("slow"), *after = block("nested");
  b.CreateCondBr(good, fast, cold, likely());
  llvm::LLVMContext& context = unit.context;
  llvm::MDBuilder metadata(context);
  llvm::MDNode* domain = metadata.createAnonymousAliasScopeDomain();
  std::map<int, llvm::Metadata*> own;
  for (const auto& [slot, others] : apart)
    own[slot] = metadata.createAnonymousAliasScope(domain);
  for (const auto& [slot, others] : apart) {
    llvm::SmallVector<llvm::Metadata*, 4> list;
    for (int other : others)
      list.push_back(own[other]);
    scopes[slot] = {llvm::MDNode::get(context, {own[slot]}), llvm::MDNode::get(context, list)};
  }
  b.SetInsertPoint(fast);
  run(n.fast);
  jump(after);
  scopes.clear();
  b.SetInsertPoint(cold);
  run(n.cold);
  jump(after);
  enter(after);
}

void Emitter::tag(llvm::Instruction* access, int scope) {
  const auto known = scopes.find(scope);
  if (known == scopes.end())
    return;
  access->setMetadata(llvm::LLVMContext::MD_alias_scope, known->second.own);
  access->setMetadata(llvm::LLVMContext::MD_noalias, known->second.others);
}

namespace {

/// A number (or none) and a constant.
struct Offset {
  const ir::Expr* number = nullptr;
  int64_t constant = 0;
};

std::optional<Offset> offset(const ir::Expr* e) {
  if (const auto* x = std::get_if<ir::Const>(&e->node))
    return Offset{nullptr, x->i};
  if (std::holds_alternative<ir::Read>(e->node) || std::holds_alternative<ir::Dim>(e->node))
    return Offset{e, 0};
  const auto* sum = std::get_if<ir::Binary>(&e->node);
  if (!sum || (sum->op != ir::BinaryOp::Add && sum->op != ir::BinaryOp::Sub))
    return std::nullopt;
  const std::optional<Offset> a = offset(sum->a), c = offset(sum->b);
  if (!a || !c || !a->number || a->constant || c->number)
    return std::nullopt;
  return Offset{a->number, sum->op == ir::BinaryOp::Add ? c->constant : -c->constant};
}

// Where the ends are numbers but for constants, these go to the other side and all stays in 64 bits: a sum that would
// leave them is as near to it as can be, and the test, if that makes a difference, fails.
Leaf narrow_range_holds(Emitter& e, const ir::Expr* from, const ir::Expr* to, Leaf size) {
  const std::optional<Offset> low = offset(from), high = offset(to);
  constexpr int64_t most = int64_t{1} << 61;
  if (!low || !high || std::abs(low->constant) > most || std::abs(high->constant) > most)
    return nullptr;
  llvm::IRBuilder<>& b = e.b;
  auto plus = [&](Leaf x, int64_t constant) {
    return constant ? b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, x, e.i64(constant)) : x;
  };
  Leaf first = low->number ? e.scalar(low->number) : e.i64(0), last = high->number ? e.scalar(high->number) : e.i64(0);
  Leaf begins = b.CreateICmpSGE(first, e.i64(-low->constant));
  Leaf ends = b.CreateICmpSLT(last, plus(size, -high->constant));
  const int64_t room = high->constant - low->constant;
  Leaf empty = first == last ? b.getInt1(room < 0) : b.CreateICmpSGT(first, plus(last, room));
  return b.CreateOr(empty, b.CreateAnd(begins, ends));
}

} // namespace

// Else bounds are computed in 128 bits: a range whose ends leave int64 must fail the test, not wrap into it.
Leaf Emitter::range_holds(const ir::RangeTest& r) {
  llvm::Type* type = b.getInt128Ty();
  Leaf size = r.array ? parts(evaluate(r.array)).shape[static_cast<size_t>(r.axis)] : i64(r.size);
  if (Leaf holds = narrow_range_holds(*this, r.low, r.high, size))
    return holds;
  Leaf length = b.CreateSExt(size, type);
  Leaf low = wide(r.low), high = wide(r.high);
  Leaf inside = b.CreateAnd(b.CreateICmpSGE(low, llvm::ConstantInt::get(type, 0)), b.CreateICmpSLT(high, length));
  return b.CreateOr(b.CreateICmpSGT(low, high), inside);
}

Leaf Emitter::wide(const ir::Expr* e) {
  if (auto* x = std::get_if<ir::Binary>(&e->node)) {
    switch (x->op) {
    case ir::BinaryOp::Add: return b.CreateAdd(wide(x->a), wide(x->b));
    case ir::BinaryOp::Sub: return b.CreateSub(wide(x->a), wide(x->b));
    case ir::BinaryOp::Mult: return b.CreateMul(wide(x->a), wide(x->b));
    default: break;
    }
  }
  if (auto* x = std::get_if<ir::Unary>(&e->node); x && x->op == ir::UnaryOp::Neg)
    return b.CreateNeg(wide(x->x));
  return b.CreateSExt(scalar(e), b.getInt128Ty());
}

// The bytes of an array, first and one past the last. Of an empty array they may be anything: nothing in the
// nest touches it.
std::pair<Leaf, Leaf> Emitter::extent(const Value& array) {
  const ArrayParts a = parts(array);
  Leaf low = i64(0), high = i64(size(array.type->dtype));
  if (array.type->layout == Layout::C) {
    for (Leaf n : a.shape)
      high = b.CreateMul(high, n);
  } else {
    for (size_t k = 0; k < a.shape.size(); ++k) {
      Leaf reach = b.CreateMul(a.strides[k], b.CreateSub(a.shape[k], i64(1)));
      low = b.CreateAdd(low, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, reach, i64(0)));
      high = b.CreateAdd(high, b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, reach, i64(0)));
    }
  }
  return {b.CreateGEP(b.getInt8Ty(), a.data, low), b.CreateGEP(b.getInt8Ty(), a.data, high)};
}

} // namespace mpijit::jit
