// Statements, slots and who owns what. The only file that changes counts: arrays are counted when an owning
// slot is filled and when a value is returned, nowhere else.
#include "emit/emitter.h"
#include "ir/effects.h"

#include <stdexcept>

namespace mpijit::jit {

std::unique_ptr<llvm::Module> emit(const ir::Module& source, llvm::LLVMContext& context, const std::string& entry,
                                   const llvm::DataLayout& layout, const std::string& triple, unsigned fastmath_flags) {
  auto module = std::make_unique<llvm::Module>(entry, context);
  module->setDataLayout(layout);
  module->setTargetTriple(triple);
  using Flags = llvm::FastMathFlags;
  Flags fastmath;
  fastmath.setAllowReassoc(fastmath_flags & Flags::AllowReassoc);
  fastmath.setNoNaNs(fastmath_flags & Flags::NoNaNs);
  fastmath.setNoInfs(fastmath_flags & Flags::NoInfs);
  fastmath.setNoSignedZeros(fastmath_flags & Flags::NoSignedZeros);
  fastmath.setAllowReciprocal(fastmath_flags & Flags::AllowReciprocal);
  fastmath.setAllowContract(fastmath_flags & Flags::AllowContract);
  fastmath.setApproxFunc(fastmath_flags & Flags::ApproxFunc);

  Unit unit(source, *module, fastmath);
  unit.declare_functions();
  for (size_t k = 0; k < source.functions.size(); ++k)
    Emitter(unit, *source.functions[k], unit.functions[k]).define();
  unit.define_entry(entry);
  return module;
}

Emitter::Emitter(Unit& u, const ir::Function& f, llvm::Function* llvm_function)
    : unit(u), source(f), function(llvm_function), b(u.context) {
  b.setFastMathFlags(u.fastmath);
  frames.resize(f.inlined.size() + 1);
}

void Emitter::define() {
  llvm::BasicBlock* start = llvm::BasicBlock::Create(unit.context, "entry", function);
  exit = llvm::BasicBlock::Create(unit.context, "exit", function);
  exit_status = llvm::PHINode::Create(b.getInt32Ty(), 2, "status", exit);
  b.SetInsertPoint(start);

  for (const ir::Slot& slot : source.slots) {
    llvm::SmallVector<llvm::Type*, 8> types;
    unit.leaf_types(slot.type, types);
    auto& cells = slots.emplace_back();
    for (llvm::Type* type : types)
      cells.push_back(cell(type, slot.name));
    if (slot.owning)
      each_owner(slot.type, [&](int k) {
        b.CreateStore(llvm::ConstantPointerNull::get(b.getPtrTy()), cells[k]);
        owners.push_back(cells[k]);
      });
  }
  auto* argument = function->arg_begin();
  for (int k = 0; k < source.parameters; ++k) {
    Value v{source.slots[k].type, {}};
    for (int leaf = 0; leaf < leaf_count(v.type); ++leaf) {
      argument->setName(source.slots[k].name);
      v.leaves.push_back(&*argument++);
    }
    assign(k, v); // a parameter that is rebound owns: it takes a reference of its own
    parameters.push_back(std::move(v));
  }
  result_words = &*argument;
  rebound = ir::assigned_slots(source.body);
  once = b.CreateBr(block("body")); // what is computed once per call goes in front of it
  b.SetInsertPoint(once->getSuccessor(0));

  const Place start_of_source{{source.first_line, 1, source.first_line, 1}, 0};
  if (source.recursive)
    check_status(b.CreateCall(unit.support("mpijit_check_stack"), {unit.site(source, start_of_source)}),
                 start_of_source);
  run(source.body);
  if (alive()) {
    exit_status->addIncoming(b.getInt32(0), b.GetInsertBlock());
    b.CreateBr(exit);
  }
  finish();
}

// ---- statements ----------------------------------------------------------------------------------------

void Emitter::run(const ir::Block& statements) {
  for (const ir::Stmt* s : statements) {
    if (!alive())
      return; // after a return, break, continue or raise
    run(*s);
  }
}

void Emitter::run(const ir::Stmt& s) {
  const Place at{s.span, s.frame};
  ir::match(
      s.node, [&](const ir::Assign& x) { assign(x.slot, evaluate(x.value)); },
      [&](const ir::Store& x) { store(x, at); }, [&](const ir::StoreArray& x) { store_array(x, at); },
      [&](const ir::Evaluate& x) {
        if (auto* mpi = std::get_if<ir::MpiCall>(&x.value->node))
          release(mpi_call(*mpi, x.value->type, {x.value->span, x.value->frame}, false));
        else if (Value v = evaluate(x.value); v.fresh)
          release(v);
      },
      [&](const ir::If& x) { branch(x); }, [&](const ir::For& x) { for_loop(x, at); },
      [&](const ir::While& x) { while_loop(x, at); }, [&](const ir::Once& x) { run_once(x); },
      [&](const ir::Break& x) { jump(loops[loops.size() - 1 - static_cast<size_t>(x.outer)].on_break); },
      [&](const ir::Continue& x) { jump(loops[loops.size() - 1 - static_cast<size_t>(x.outer)].on_continue); },
      [&](const ir::Return& x) { give_back(x); }, [&](const ir::Raise& x) { raise(at, x.code, x.message); },
      [&](const ir::Print& x) { print(x, at); }, [&](const ir::Release& x) { release_slot(x.slot); },
      [&](const ir::Group& x) { run(x.body); }, [&](const ir::Nest& x) { nest(x); });
}

void Emitter::branch(const ir::If& s) {
  Leaf cond = scalar(s.cond);
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(cond))
    return run(known->isOne() ? s.yes : s.no);
  llvm::BasicBlock *yes = block("then"), *after = block("endif");
  llvm::BasicBlock* no = s.no.empty() ? after : block("else");
  b.CreateCondBr(cond, yes, no);
  b.SetInsertPoint(yes);
  run(s.yes);
  jump(after);
  if (no != after) {
    b.SetInsertPoint(no);
    run(s.no);
    jump(after);
  }
  enter(after);
}

// A returned array carries a reference for the caller: an owning local that is returned as it stands hands
// over its own, anything else borrowed takes one.
void Emitter::give_back(const ir::Return& s) {
  if (s.value) {
    Value v = evaluate(s.value);
    auto* whole = std::get_if<ir::Read>(&s.value->node);
    if (whole && source.slots[whole->slot].owning)
      each_owner(v.type,
                 [&](int k) { b.CreateStore(llvm::ConstantPointerNull::get(b.getPtrTy()), slots[whole->slot][k]); });
    else if (!v.fresh)
      retain(v);
    write_words(v, result_words);
  }
  exit_status->addIncoming(b.getInt32(0), b.GetInsertBlock());
  jump(exit);
}

void Emitter::print(const ir::Print& s, Place at) {
  Value all{nullptr, {}};
  std::vector<Type> types;
  for (const ir::Expr* argument : s.args) {
    Value v = evaluate(argument);
    types.push_back(v.type);
    all.leaves.append(v.leaves);
  }
  all.type = types::tuple(types);
  Leaf words = scratch(llvm::ArrayType::get(b.getInt64Ty(), static_cast<uint64_t>(wire_words(all.type))), 0);
  write_words(all, words);
  busy = true;
  check_status(b.CreateCall(unit.support("mpijit_print"), {unit.site(source, at), unit.text(to_string(all.type)), words,
                                                           unit.text(s.sep), unit.text(s.end)}),
               at);
}

// ---- expressions ---------------------------------------------------------------------------------------

Value Emitter::evaluate(const ir::Expr* e) {
  if (const auto ahead = known.find(e); ahead != known.end())
    return ahead->second;
  const Type t = e->type;
  const Place at{e->span, e->frame};
  return ir::match(
      e->node,
      [&](const ir::Const& x) {
        return t->is_none() || t->is_fixed() ? Value{t, {}} : Value{t, {constant(x, t)}};
      },
      [&](const ir::Text& x) {
        return Value{t, {unit.text(x.value), i64(static_cast<int64_t>(x.value.size()))}};
      },
      [&](const ir::Read& x) { return read(x.slot); },
      [&](const ir::Unary& x) {
        return Value{t, {unary(x, t)}};
      },
      [&](const ir::Binary& x) {
        return Value{t, {binary(x, t, at)}};
      },
      [&](const ir::Compare& x) {
        return Value{t, {compare(x)}};
      },
      [&](const ir::Cast& x) { return cast(x, t, at); }, [&](const ir::Choose& x) { return choose(x, t); },
      [&](const ir::Math& x) {
        return Value{t, {math(x, at)}};
      },
      [&](const ir::Stride& x) {
        Value array = evaluate(x.array);
        Leaf stride = byte_strides(array)[static_cast<size_t>(x.axis)];
        if (array.fresh)
          release(array);
        return Value{t, {stride}};
      },
      [&](const ir::Dim& x) {
        Value array = evaluate(x.array);
        Leaf length = parts(array).shape[x.axis];
        if (array.fresh)
          release(array);
        return Value{t, {length}};
      },
      [&](const ir::Load& x) {
        return Value{t, {load(x, t, at)}};
      },
      [&](const ir::View& x) { return view(x, t, at); }, [&](const ir::Permute& x) { return permute(x, t); },
      [&](const ir::Broadcast& x) { return broadcast(x, t, at); }, [&](const ir::Part& x) { return part_view(x, t); },
      [&](const ir::Alloc& x) { return alloc(x, t, at); },
      [&](const ir::MakeTuple& x) { return make_tuple(x.items, t); }, [&](const ir::Item& x) { return item(x, t); },
      [&](const ir::StatusField& x) {
        return Value{t, {evaluate(x.status).leaves[static_cast<size_t>(x.field)]}};
      },
      [&](const ir::Call& x) { return call(x, t, at); }, [&](const ir::MpiCall& x) { return mpi_call(x, t, at, true); },
      [&](const ir::Bind& x) { return bind(x); },
      [&](const ir::Check& x) {
        check(scalar(x.cond), at, x.code, x.message);
        return evaluate(x.x);
      },
      [&](const ir::Elementwise& x) { return elementwise(x, t, at); },
      [&](const ir::Reduce& x) { return reduce(x, t, at); }, [&](const ir::Product& x) { return product(x, t, at); },
      [&](const ir::Reshape& x) { return reshape(x, t, at); });
}

Leaf Emitter::scalar(const ir::Expr* e) { return evaluate(e).leaves[0]; }

// One arm runs. When one arm is fresh and the other borrows, the borrower takes a reference, so that the
// result is fresh either way.
Value Emitter::choose(const ir::Choose& c, Type t) {
  Leaf cond = scalar(c.cond);
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(cond))
    return evaluate(known->isOne() ? c.yes : c.no);
  llvm::BasicBlock *yes = block("yes"), *no = block("no"), *after = block("chosen");
  b.CreateCondBr(cond, yes, no);
  b.SetInsertPoint(yes);
  Value v = evaluate(c.yes);
  llvm::BasicBlock* yes_end = b.GetInsertBlock();
  b.SetInsertPoint(no);
  Value w = evaluate(c.no);
  if (v.fresh && !w.fresh)
    retain(w);
  llvm::BasicBlock* no_end = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(yes_end);
  if (w.fresh && !v.fresh)
    retain(v);
  yes_end = b.GetInsertBlock();
  b.CreateBr(after);
  b.SetInsertPoint(after);
  Value result{t, {}, v.fresh || w.fresh};
  for (size_t k = 0; k < v.leaves.size(); ++k)
    result.leaves.push_back(either(v.leaves[k], yes_end, w.leaves[k], no_end));
  return result;
}

Leaf Emitter::either(Leaf x, llvm::BasicBlock* from, Leaf y, llvm::BasicBlock* or_from) {
  if (x == y)
    return x;
  llvm::PHINode* phi = b.CreatePHI(x->getType(), 2);
  phi->addIncoming(x, from);
  phi->addIncoming(y, or_from);
  return phi;
}

// A fresh item waits in a cell of its own until the tuple is complete, so that a raise in a later item
// finds and releases it.
Value Emitter::make_tuple(const std::vector<ir::Expr*>& items, Type t) {
  Value result{t, {}};
  llvm::SmallVector<Value, 4> values;
  llvm::SmallVector<llvm::AllocaInst*, 4> waiting;
  for (const ir::Expr* e : items) {
    Value v = evaluate(e);
    if (v.fresh) {
      result.fresh = true;
      each_owner(v.type, [&](int k) { waiting.push_back(park(v.leaves[k])); });
    }
    values.push_back(std::move(v));
  }
  for (Value& v : values) {
    if (result.fresh && !v.fresh)
      retain(v);
    result.leaves.append(v.leaves);
  }
  for (llvm::AllocaInst* c : waiting)
    unpark(c);
  return result;
}

Value Emitter::item(const ir::Item& i, Type t) {
  Value tuple = evaluate(i.tuple);
  Value result{t, {}, tuple.fresh};
  size_t first = 0;
  for (int k = 0; k < static_cast<int>(tuple.type->items.size()); ++k) {
    const Type type = tuple.type->items[static_cast<size_t>(k)];
    const auto count = static_cast<size_t>(leaf_count(type));
    const llvm::ArrayRef<Leaf> leaves = llvm::ArrayRef<Leaf>(tuple.leaves).slice(first, count);
    if (k == i.index)
      result.leaves.append(leaves.begin(), leaves.end());
    else if (tuple.fresh)
      release({type, Leaves(leaves.begin(), leaves.end())});
    first += count;
  }
  return result;
}

Value Emitter::bind(const ir::Bind& x) {
  Value v = evaluate(x.value);
  assign(x.slot, v);
  v.fresh = false; // the slot owns it now
  return v;
}

// ---- slots and ownership -------------------------------------------------------------------------------

Value Emitter::read(int slot) {
  Value v{source.slots[slot].type, {}};
  for (llvm::AllocaInst* c : slots[slot])
    v.leaves.push_back(b.CreateLoad(c->getAllocatedType(), c, source.slots[slot].name));
  return v;
}

// The new value is retained before the old one is released: `u = u[1:]` is a view of what it replaces.
void Emitter::assign(int slot, Value v) {
  const ir::Slot& s = source.slots[slot];
  Leaves old;
  if (s.owning) {
    if (!v.fresh)
      retain(v);
    each_owner(s.type, [&](int k) { old.push_back(b.CreateLoad(b.getPtrTy(), slots[slot][k], "old")); });
  } else if (v.fresh && holds_array(s.type)) {
    throw std::logic_error("a fresh array reaches slot '" + s.name + "', which does not own");
  }
  for (size_t k = 0; k < v.leaves.size(); ++k)
    b.CreateStore(v.leaves[k], slots[slot][k]);
  for (Leaf owner : old)
    release_block(owner);
}

void Emitter::retain(const Value& v) {
  each_owner(v.type, [&](int k) { retain_block(v.leaves[k]); });
}

void Emitter::release(const Value& v) {
  each_owner(v.type, [&](int k) { release_block(v.leaves[k]); });
}

void Emitter::release_slot(int slot) {
  release(read(slot));
  each_owner(source.slots[slot].type,
             [&](int k) { b.CreateStore(llvm::ConstantPointerNull::get(b.getPtrTy()), slots[slot][k]); });
}

llvm::AllocaInst* Emitter::park(Leaf owner) {
  llvm::AllocaInst* c = cell(b.getPtrTy(), "waiting", true);
  owners.push_back(c);
  b.CreateStore(owner, c);
  return c;
}

Leaf Emitter::unpark(llvm::AllocaInst* c) {
  Leaf owner = b.CreateLoad(b.getPtrTy(), c);
  b.CreateStore(llvm::ConstantPointerNull::get(b.getPtrTy()), c);
  return owner;
}

static void count(Emitter& e, Leaf owner, llvm::StringRef symbol) {
  if (llvm::isa<llvm::ConstantPointerNull>(owner))
    return;
  llvm::BasicBlock *owned = e.block("owned"), *after = e.block("counted");
  e.b.CreateCondBr(e.b.CreateIsNull(owner), after, owned);
  e.b.SetInsertPoint(owned);
  e.b.CreateCall(e.unit.support(symbol), {owner});
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
}

void Emitter::retain_block(Leaf owner) { count(*this, owner, "mpijit_retain"); }
void Emitter::release_block(Leaf owner) { count(*this, owner, "mpijit_release"); }

// ---- blocks and cells ----------------------------------------------------------------------------------

llvm::BasicBlock* Emitter::block(const char* name) { return llvm::BasicBlock::Create(unit.context, name, function); }

void Emitter::jump(llvm::BasicBlock* to) {
  if (!alive())
    return;
  b.CreateBr(to);
  b.ClearInsertionPoint();
}

void Emitter::enter(llvm::BasicBlock* at) {
  if (at->hasNPredecessorsOrMore(1))
    return b.SetInsertPoint(at);
  at->eraseFromParent();
  b.ClearInsertionPoint();
}

llvm::AllocaInst* Emitter::cell(llvm::Type* type, const llvm::Twine& name, bool null) {
  llvm::BasicBlock& start = function->getEntryBlock();
  llvm::IRBuilder<> top(&start, start.begin());
  llvm::AllocaInst* c = top.CreateAlloca(type, nullptr, name);
  if (null)
    top.CreateStore(llvm::Constant::getNullValue(type), c);
  return c;
}

llvm::AllocaInst* Emitter::scratch(llvm::Type* type, int position) {
  llvm::AllocaInst*& known = scratch_[{type, position}];
  return known ? known : known = cell(type, "scratch");
}

} // namespace mpijit::jit
