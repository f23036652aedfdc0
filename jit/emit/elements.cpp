// Inputs, shapes and nests of element-wise code; see elements.h.
#include "emit/elements.h"

#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit {

bool is_constant(Leaf x, int64_t value) {
  const llvm::ConstantInt* c = known_constant(x);
  return c && c->getSExtValue() == value;
}
bool is_true(Leaf x) {
  const llvm::ConstantInt* c = known_constant(x);
  return c && c->isOne();
}

Leaf product_of(Emitter& e, llvm::ArrayRef<Leaf> lengths) {
  Leaf all = e.i64(1);
  for (Leaf n : lengths)
    all = e.b.CreateMul(all, n);
  return all;
}

// ---- nests ---------------------------------------------------------------------------------------------

namespace {

// No iteration stores what another one loads or stores: the vectoriser need not compare addresses.
llvm::MDNode* independent_loop(llvm::LLVMContext& c, llvm::MDNode* accesses) {
  llvm::MDNode* parallel = llvm::MDNode::get(c, {llvm::MDString::get(c, "llvm.loop.parallel_accesses"), accesses});
  llvm::MDNode* out = llvm::MDNode::getDistinct(c, {nullptr, parallel});
  out->replaceOperandWith(0, out);
  return out;
}

struct Nest {
  Emitter& e;
  llvm::ArrayRef<Leaf> lengths;
  llvm::ArrayRef<Walk> walks;
  LoopKind kind;
  ElementBody body;
  Leaves counters = {};

  // Each loop has its test at the end: no length is 0 here.
  void axis(size_t r, llvm::ArrayRef<Leaf> bases) {
    llvm::IRBuilder<>& b = e.b;
    llvm::BasicBlock *before = b.GetInsertBlock(), *loop = e.block("element"), *done = e.block("row");
    b.CreateBr(loop);
    b.SetInsertPoint(loop);
    llvm::PHINode* i = b.CreatePHI(b.getInt64Ty(), 2, "e");
    i->addIncoming(e.i64(0), before);
    Leaves moved;
    for (size_t k = 0; k < walks.size(); ++k)
      moved.push_back(address(walks[k], bases[k], i, r));
    counters.push_back(i);
    if (r + 1 == lengths.size())
      body(moved, counters);
    else
      axis(r + 1, moved);
    Leaf next = b.CreateAdd(i, e.i64(1), "", true, true);
    i->addIncoming(next, b.GetInsertBlock());
    llvm::BranchInst* back = b.CreateCondBr(b.CreateICmpSLT(next, lengths[r]), loop, done);
    if (kind.is_cold)
      back->setMetadata(llvm::LLVMContext::MD_loop, cold_loop(e.unit.context));
    else if (kind.independent && r + 1 == lengths.size())
      back->setMetadata(llvm::LLVMContext::MD_loop, independent_loop(e.unit.context, kind.independent));
    b.SetInsertPoint(done);
  }

  // Strides of aligned real arrays are whole elements, so that a unit stride can be recognised at run time; those of
  // complex ones in records need not be.
  Leaf address(const Walk& w, Leaf base, Leaf i, size_t r) {
    llvm::IRBuilder<>& b = e.b;
    Leaf stride = w.strides[r];
    if (is_constant(stride, 0))
      return base;
    if (is_complex(w.dtype))
      return b.CreateInBoundsGEP(b.getInt8Ty(), base, b.CreateMul(i, stride, "", false, true));
    Leaf elements = b.CreateAShr(stride, e.i64(llvm::Log2_32(static_cast<uint32_t>(size(w.dtype)))));
    Leaf offset = is_constant(elements, 1) ? i : b.CreateMul(i, elements, "", false, true);
    return b.CreateInBoundsGEP(e.unit.memory_type(w.dtype), base, offset);
  }
};

} // namespace

void each_element(Emitter& e, llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, LoopKind kind,
                  ElementBody body) {
  llvm::IRBuilder<>& b = e.b;
  Leaves bases;
  for (const Walk& w : walks)
    bases.push_back(w.data);
  if (lengths.empty())
    return body(bases, {});
  Leaf some = b.getTrue();
  for (Leaf n : lengths)
    some = b.CreateAnd(some, b.CreateICmpSGT(n, e.i64(0)));
  llvm::BasicBlock *enter = e.block("elements"), *after = e.block("each");
  b.CreateCondBr(some, enter, after);
  b.SetInsertPoint(enter);
  Nest{e, lengths, walks, kind, body}.axis(0, bases);
  b.CreateBr(after);
  b.SetInsertPoint(after);
}

void each_line(Emitter& e, llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, LoopKind kind, LineBody body) {
  std::vector<Walk> outer(walks.begin(), walks.end());
  for (Walk& w : outer)
    w.strides.pop_back();
  each_element(e, lengths.drop_back(), outer, kind, [&](llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters) {
    std::vector<Walk> line;
    for (size_t k = 0; k < walks.size(); ++k)
      line.push_back({walks[k].dtype, addresses[k], {walks[k].strides.back()}});
    body(line, counters);
  });
}

std::vector<Walk> moved_along(Emitter& e, llvm::ArrayRef<Walk> line, Leaf by) {
  std::vector<Walk> out(line.begin(), line.end());
  for (Walk& w : out)
    w.data = e.b.CreateInBoundsGEP(e.b.getInt8Ty(), w.data, e.b.CreateMul(by, w.strides[0], "", false, true));
  return out;
}

void join_axes(Emitter& e, Leaves& lengths, std::vector<Walk>& walks) {
  lengths = {product_of(e, lengths)};
  for (Walk& w : walks)
    w.strides = {e.i64(size(w.dtype))};
}

// ---- inputs --------------------------------------------------------------------------------------------

Elements::Elements(Emitter& e, const ir::Elementwise& source, Place at) : e_(e), b_(e.b), source_(source), at_(at) {
  for (const ir::Input& input : source.inputs) {
    Value v = e.evaluate(input.value);
    if (v.type->is_array())
      arrays.push_back({&input, std::move(v)});
    else
      e.assign(input.slot, v);
  }
  hoist_invariants();
}

Elements::~Elements() {
  for (const ir::Expr* x : hoisted_)
    e_.known.erase(x);
}

namespace {

bool is_invariant(const ir::Expr& e, const std::set<int>& varying) {
  bool same = true;
  ir::each_expr(e, [&](const ir::Expr& x) {
    const auto* read = std::get_if<ir::Read>(&x.node);
    same &= !(read && varying.count(read->slot)) && !std::holds_alternative<ir::Bind>(x.node);
  });
  return same;
}

} // namespace

// Range checks of scalars that meet a narrow dtype, above all: a raise inside a loop would keep it from vectorising.
void Elements::hoist_invariants() {
  std::set<int> varying = ir::assigned_slots(*source_.body);
  for (const ir::Let& let : source_.lets)
    varying.merge(ir::assigned_slots(*let.value));
  for (const Array& a : arrays)
    varying.insert(a.input->slot);
  varying.insert(source_.index.begin(), source_.index.end());
  for (const ir::Let& let : source_.lets) {
    if (is_invariant(*let.value, varying)) {
      e_.assign(let.slot, e_.evaluate(let.value));
      continue;
    }
    varying.insert(let.slot);
    lets_.push_back(&let);
    hoist(*let.value, varying);
  }
  hoist(*source_.body, varying);
}

void Elements::hoist(const ir::Expr& e, const std::set<int>& varying) {
  if (std::holds_alternative<ir::Const>(e.node) || std::holds_alternative<ir::Read>(e.node))
    return;
  if (!is_invariant(e, varying))
    return ir::each_child(e, [&](const ir::Expr& child) { hoist(child, varying); });
  Value v = e_.evaluate(&e);
  e_.known.emplace(&e, std::move(v));
  hoisted_.push_back(&e);
}

// ---- shapes --------------------------------------------------------------------------------------------

/// The array's length on an axis of the result; null where it has no such axis.
Leaf Elements::length(const Array& a, size_t axis) const {
  const size_t n = ndim_of(a);
  return axis + n < lengths.size() ? nullptr : parts(a.value).shape[axis + n - lengths.size()];
}

void Elements::broadcast(size_t ndim, const Value* target, bool only_plain) {
  plain = valid = b_.getTrue();
  if (!source_.shape.empty()) {
    lengths = e_.shape(source_.shape, at_);
    return;
  }
  lengths.assign(ndim, e_.i64(1));
  if (target)
    lengths.assign(parts(*target).shape.begin(), parts(*target).shape.end());
  const auto is_one = [&](Leaf n) { return b_.CreateICmpEQ(n, e_.i64(1)); };
  for (const Array& a : arrays) // axes in front of the target's
    for (size_t axis = 0; axis + ndim < ndim_of(a); ++axis)
      plain = valid = b_.CreateAnd(valid, is_one(parts(a.value).shape[axis]));
  for (size_t r = 0; r < ndim; ++r) {
    Leaves found; // what may differ from the result's length
    for (const Array& a : arrays)
      if (Leaf n = length(a, r); n && !a.is_target && !is_constant(n, 1) && !llvm::is_contained(found, n))
        found.push_back(n);
    if (found.empty())
      continue;
    Leaf whole = target ? lengths[r] : found[0];
    if (target ? found.size() == 1 && found[0] == whole : found.size() == 1) {
      lengths[r] = whole;
      continue;
    }
    for (Leaf n : found)
      if (!target && n != whole) {
        plain = b_.CreateAnd(plain, b_.CreateICmpEQ(n, found[0]));
        if (!only_plain)
          whole = b_.CreateSelect(is_one(whole), n, whole);
      } else if (target) {
        plain = b_.CreateAnd(plain, b_.CreateICmpEQ(n, whole));
      }
    if (!only_plain)
      for (Leaf n : found)
        valid = b_.CreateAnd(valid, b_.CreateOr(b_.CreateICmpEQ(n, whole), is_one(n)));
    lengths[r] = whole;
  }
}

Leaf Elements::store_lengths(llvm::ArrayRef<Leaf> values, const char* name) {
  Leaf words = e_.cell(llvm::ArrayType::get(b_.getInt64Ty(), std::max<size_t>(values.size(), 1)), name);
  for (size_t k = 0; k < values.size(); ++k)
    b_.CreateStore(values[k], b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), words, k));
  return words;
}

void Elements::require(Leaf good, const Value* target, bool strict) {
  if (is_true(good))
    return;
  llvm::BasicBlock *bad = e_.block("mismatch"), *next = e_.block("broadcast");
  b_.CreateCondBr(good, next, bad, e_.likely());
  b_.SetInsertPoint(bad);
  Leaf site = e_.unit.site(e_.source, at_), status;
  if (target) {
    // The shape that the inputs have together, whether or not they fit one another.
    size_t ndim = 0;
    for (const Array& a : arrays)
      ndim = std::max(ndim, ndim_of(a));
    Leaves together(ndim, e_.i64(1));
    for (const Array& a : arrays)
      for (size_t k = 0; k < ndim_of(a); ++k) {
        Leaf& n = together[ndim - ndim_of(a) + k];
        n = is_constant(n, 1) ? parts(a.value).shape[k]
                              : b_.CreateSelect(b_.CreateICmpEQ(n, e_.i64(1)), parts(a.value).shape[k], n);
      }
    Leaf source = store_lengths(together, "source");
    Leaf whole = store_lengths(parts(*target).shape, "target");
    const char* symbol = strict ? "mpijit_raise_output" : "mpijit_raise_assign";
    status = b_.CreateCall(e_.unit.support(symbol),
                           {site, whole, e_.i64(target->type->ndim), source, e_.i64(static_cast<int64_t>(ndim))});
  } else {
    Leaves shapes, counts;
    for (const Array& a : arrays) {
      const ArrayParts p = parts(a.value);
      shapes.append(p.shape.begin(), p.shape.end());
      counts.push_back(e_.i64(a.value.type->ndim));
    }
    status = b_.CreateCall(e_.unit.support("mpijit_raise_broadcast"),
                           {site, store_lengths(shapes, "shapes"), store_lengths(counts, "ndims"),
                            e_.i64(static_cast<int64_t>(counts.size()))});
  }
  e_.fail(status, at_);
  b_.SetInsertPoint(next);
}

void Elements::versions(llvm::function_ref<void(bool is_plain)> code) {
  if (e_.cold_depth > 0 || is_true(plain))
    return code(e_.cold_depth == 0);
  llvm::BasicBlock *yes = e_.block("plain"), *no = e_.block("general"), *after = e_.block("either");
  b_.CreateCondBr(plain, yes, no, e_.likely());
  b_.SetInsertPoint(yes);
  code(true);
  b_.CreateBr(after);
  b_.SetInsertPoint(no);
  code(false);
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

bool Elements::is_dense() const {
  return !uses_index() && std::all_of(arrays.begin(), arrays.end(), [&](const Array& a) {
    const llvm::ArrayRef<Leaf> shape = parts(a.value).shape;
    return a.value.type->layout == Layout::C && shape.size() == lengths.size() &&
           std::none_of(shape.begin(), shape.end(), [](Leaf n) { return is_constant(n, 1); });
  });
}

std::vector<Walk> Elements::walks(bool is_plain) {
  std::vector<Walk> out;
  for (const Array& a : arrays) {
    const Leaves own = e_.byte_strides(a.value);
    Walk w{a.value.type->dtype, parts(a.value).data, Leaves(lengths.size(), e_.i64(0))};
    for (size_t r = 0; r < lengths.size(); ++r) {
      Leaf n = length(a, r);
      if (!n || (is_constant(n, 1) && !a.is_target))
        continue;
      Leaf stride = own[r + ndim_of(a) - lengths.size()];
      w.strides[r] = is_plain || a.is_target || n == lengths[r]
                         ? stride
                         : b_.CreateSelect(b_.CreateICmpEQ(n, e_.i64(1)), e_.i64(0), stride);
    }
    out.push_back(std::move(w));
  }
  return out;
}

// ---- elements ------------------------------------------------------------------------------------------

Leaf Elements::element(llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters, StoreScope scope) {
  for (size_t k = 0; k < source_.index.size(); ++k)
    e_.assign(source_.index[k], {types::weak_int(), {counters[k]}});
  for (size_t k = 0; k < arrays.size(); ++k) {
    const Array& a = arrays[k];
    const DType d = a.value.type->dtype;
    llvm::LoadInst* x = b_.CreateLoad(e_.unit.memory_type(d), addresses[k]);
    if (scope.independent)
      x->setMetadata(llvm::LLVMContext::MD_access_group, scope.independent);
    if (scope.target)
      x->setMetadata(a.is_target ? llvm::LLVMContext::MD_alias_scope : llvm::LLVMContext::MD_noalias, scope.target);
    e_.assign(a.input->slot, {types::strong(d), {is_bool(d) ? b_.CreateICmpNE(x, b_.getInt8(0)) : x}});
  }
  for (const ir::Let* let : lets_)
    e_.assign(let->slot, e_.evaluate(let->value));
  return e_.scalar(source_.body);
}

} // namespace mpijit::jit
