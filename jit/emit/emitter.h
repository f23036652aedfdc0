// What the files of this folder share: Unit, the module being made, and Emitter, the function being made.
// A value is its leaves (see emit.h); a slot is one stack cell per leaf, which LLVM turns into registers.
//
// Ownership: a Value is fresh when it owns a reference to each array in it. Whoever takes a fresh value must
// store it in an owning slot, hand it on, or release it; any other value is borrowed and costs no counting.
#pragma once

#include "emit/emit.h"
#include "ir/ir.h"
#include "types/wire.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace mpijit::jit {

using Leaf = llvm::Value*;
using Leaves = llvm::SmallVector<Leaf, 8>;

/// Where in the source: a span, in the code of one of the function's frames (see ir::Inlined).
struct Place {
  Span span;
  int32_t frame = 0;
};

struct Value {
  Type type = nullptr;
  Leaves leaves;
  bool fresh = false;
};

/// The leaves of an array by name. strides is empty for a C-contiguous one.
struct ArrayParts {
  Leaf data;
  llvm::ArrayRef<Leaf> shape, strides;
  Leaf owner;
};

// ---- the module ----------------------------------------------------------------------------------------

struct Unit {
  const ir::Module& source;
  llvm::Module& module;
  llvm::LLVMContext& context;
  llvm::FastMathFlags fastmath;
  std::vector<llvm::Function*> functions; // one per source function

  Unit(const ir::Module& s, llvm::Module& m, llvm::FastMathFlags flags)
      : source(s), module(m), context(m.getContext()), fastmath(flags) {}

  // entry.cpp
  void declare_functions();
  void define_entry(const std::string& name);

  // call.cpp: types and declarations
  llvm::Type* memory_type(DType d);   // of an array's element; bool is a byte
  llvm::Type* register_type(DType d); // of a scalar leaf; bool is i1
  void leaf_types(Type t, llvm::SmallVectorImpl<llvm::Type*>& out);
  llvm::Function* support(llvm::StringRef symbol);
  llvm::FunctionCallee clock();
  llvm::GlobalVariable* variable(llvm::StringRef symbol, llvm::Type* type);
  llvm::Function* libm(llvm::StringRef name, llvm::Type* type, int arity);
  llvm::Function* complex_libm(llvm::StringRef name, int arity); // of complex double

  // raise.cpp: constants in the object
  llvm::Constant* text(llvm::StringRef value);
  llvm::Constant* constant(llvm::Constant* value, const char* name);
  llvm::Constant* site(const ir::Function& f, Place at);

  // library.cpp
  llvm::Function* library(llvm::StringRef name, llvm::Type* type);

private:
  llvm::StringMap<llvm::Constant*> texts_;
  std::map<std::tuple<const ir::Function*, int, int, int>, llvm::Constant*> sites_;
};

/// What x is when that is known as the code is made; null also for a null x.
inline const llvm::ConstantInt* known_constant(Leaf x) { return llvm::dyn_cast_or_null<llvm::ConstantInt>(x); }

/// Metadata of a loop that is to stay as small as it is.
llvm::MDNode* cold_loop(llvm::LLVMContext& context);

/// How many leaves a value of type t has.
int leaf_count(Type t);
/// Calls f with the position of each owner leaf.
template <class F> void each_owner(Type t, F&& f, int first = 0) {
  if (t->is_array())
    f(first + leaf_count(t) - 1);
  if (t->has_items())
    for (Type item : t->items) {
      each_owner(item, f, first);
      first += leaf_count(item);
    }
}
ArrayParts parts(const Value& array);

/// The parts of a complex scalar, which is one leaf: a struct of both.
struct ComplexParts {
  Leaf re, im;
};

// ---- the function --------------------------------------------------------------------------------------

/// A cold block that many places branch to, each bringing its own arguments: one call of a raising function,
/// however many checks a kernel has.
struct Cold {
  llvm::BasicBlock* block = nullptr;
  llvm::SmallVector<llvm::PHINode*, 4> arguments;
};
/// One set of them for the function's own code and one for each body inlined into it.
struct Frame {
  Cold raising, index_error, fit_error, callee_failed, failing;
};

struct Emitter {
  Unit& unit;
  const ir::Function& source;
  llvm::Function* function;
  llvm::IRBuilder<> b;

  Emitter(Unit& unit, const ir::Function& source, llvm::Function* function);

  // emit.cpp: statements, slots and ownership
  void define(); // the whole body
  void run(const ir::Block& block);
  void run(const ir::Stmt& s);
  void branch(const ir::If& s);
  void give_back(const ir::Return& s);
  void print(const ir::Print& s, Place at);
  Value evaluate(const ir::Expr* e);
  Leaf scalar(const ir::Expr* e); // the one leaf of a scalar or handle
  Value choose(const ir::Choose& c, Type t);
  Value make_tuple(const std::vector<ir::Expr*>& items, Type t);
  Value item(const ir::Item& i, Type t);
  Value bind(const ir::Bind& x);
  Value read(int slot);
  void assign(int slot, Value v);
  void retain(const Value& v);
  void release(const Value& v);
  void retain_block(Leaf owner); // null is allowed and costs a compare
  void release_block(Leaf owner);
  void release_slot(int slot);
  llvm::AllocaInst* park(Leaf owner); // exit releases it unless it is taken back
  Leaf unpark(llvm::AllocaInst* c);

  // scalar.cpp
  Leaf constant(const ir::Const& c, Type t);
  Leaf unary(const ir::Unary& u, Type t);
  Leaf binary(const ir::Binary& x, Type t, Place at);
  Leaf divide(ir::BinaryOp op, Type t, Leaf x, Leaf y, Place at); // integer // and %
  Leaf power(Type t, Leaf x, Leaf y, Place at);
  Leaf shift(ir::BinaryOp op, Type t, Leaf x, Leaf y, Place at);
  Leaf compare(const ir::Compare& c);

  // complex.cpp
  Leaf complex(Leaf re, Leaf im);
  ComplexParts complex_parts(Leaf z);
  Leaf complex_convert(Leaf x, Type from, Type to);
  Leaf complex_binary(ir::BinaryOp op, Type t, Leaf x, Leaf y);
  Leaf complex_product(Leaf x, Leaf y);
  Leaf complex_quotient(Type t, ComplexParts x, ComplexParts y);
  Leaf complex_power(Type t, Leaf x, Leaf y);
  Leaf complex_compare(ir::CompareOp op, Leaf x, Leaf y);
  Leaf complex_libm(llvm::StringRef name, llvm::ArrayRef<Leaf> x);
  Leaf complex_math(const ir::Math& m, llvm::ArrayRef<Leaf> x);

  // math.cpp
  Value cast(const ir::Cast& c, Type t, Place at);
  Leaf convert(Leaf x, Type from, Type to);
  Leaf float_to_integer(Leaf x, DType to);
  Leaf fit(Leaf x, Type to, Place at);
  Leaf truncate(Leaf x, Place at);
  Leaf truth(Leaf x, Type from);
  Leaf math(const ir::Math& m, Place at);
  Leaf special(const ir::Math& m, llvm::ArrayRef<Leaf> x, Place at);
  Leaf integer_function(const ir::Math& m, llvm::ArrayRef<Leaf> x, Place at);

  // array.cpp
  Leaf load(const ir::Load& l, Type t, Place at);
  void store(const ir::Store& s, Place at);
  Leaf element(const Value& array, const std::vector<ir::Index>& index, Place at);
  Leaf checked_index(const ir::Index& index, Leaf written, Leaf size, int axis, Place at);
  Leaves byte_strides(const Value& array);
  Value alloc(const ir::Alloc& a, Type t, Place at);
  /// A new array of these lengths, none negative; fresh.
  Value allocate(Type t, const Leaves& shape, int32_t fill, Place at);
  Leaves shape(const std::vector<ir::Expr*>& lengths, Place at);
  Value relayout(const Value& v, Type to);
  Value part_view(const ir::Part& x, Type t);
  Value view(const ir::View& x, Type t, Place at); // slice.cpp
  Value permute(const ir::Permute& x, Type t);
  Value broadcast(const ir::Broadcast& x, Type t, Place at);
  struct Slice {
    Leaf start, length, step;
  };
  Slice slice(const ir::Range& r, Leaf size, Place at);

  // elementwise.cpp
  Value elementwise(const ir::Elementwise& x, Type t, Place at);
  void store_array(const ir::StoreArray& s, Place at);

  // reduce.cpp
  Value reduce(const ir::Reduce& r, Type t, Place at);
  Value product(const ir::Product& x, Type t, Place at);
  Value reshape(const ir::Reshape& x, Type t, Place at);

  // loop.cpp
  void for_loop(const ir::For& f, Place at);
  void while_loop(const ir::While& w, Place at);
  void run_once(const ir::Once& o);
  void nest(const ir::Nest& n);
  Leaf range_holds(const ir::RangeTest& r);
  Leaf wide(const ir::Expr* e);
  std::pair<Leaf, Leaf> extent(const Value& array);
  void poll(Place at);
  void tag(llvm::Instruction* access, int scope);

  // call.cpp
  Value call(const ir::Call& c, Type t, Place at);
  Value mpi_call(const ir::MpiCall& c, Type t, Place at, bool used);
  /// The descriptor of an argument; one for all calls when it is a parameter that keeps its name.
  Leaf argument(const ir::Expr* e, const Value& v, bool writeable);
  /// memory, when given, becomes where the one element of a scalar's descriptor lies.
  Leaf descriptor(const Value& v, bool writeable, Leaf* memory = nullptr);

  // entry.cpp: the wire form
  void write_words(const Value& v, Leaf words);
  Value read_words(Type t, Leaf words);

  // raise.cpp: errors. Each leaves the builder where the check passed.
  void arrive(Cold& cold, llvm::ArrayRef<Leaf> arguments);           // the caller branches there
  void check(Leaf good, Cold& cold, llvm::ArrayRef<Leaf> arguments); // places: frame(at)'s blocks
  void check(Leaf good, Place at, int32_t code, llvm::StringRef message);
  void check(Leaf good, Place at, llvm::StringRef python_error, llvm::StringRef message);
  void fail(Leaf status, Place at);         // of a runtime call that recorded an error
  void check_status(Leaf status, Place at); // of a runtime call, which recorded the place itself
  void raise(Place at, int32_t code, llvm::StringRef message);
  void finish(); // fills the shared blocks

  // small helpers
  bool alive() const { return b.GetInsertBlock() != nullptr; } // can control get here?
  llvm::BasicBlock* block(const char* name);
  void jump(llvm::BasicBlock* to);  // from here, if alive
  void enter(llvm::BasicBlock* at); // continue at `at`; drops it if nothing jumps there
  llvm::AllocaInst* cell(llvm::Type* type, const llvm::Twine& name, bool null = false);
  llvm::AllocaInst* scratch(llvm::Type* type, int position); // shared by runtime calls
  /// x when control comes from the one block, y when it comes from the other.
  Leaf either(Leaf x, llvm::BasicBlock* from, Leaf y, llvm::BasicBlock* or_from);
  Leaf i64(int64_t v) { return b.getInt64(static_cast<uint64_t>(v)); }
  Leaf code(llvm::StringRef python_error);
  llvm::MDNode* likely();

  std::vector<llvm::SmallVector<llvm::AllocaInst*, 6>> slots;
  std::vector<llvm::AllocaInst*> owners; // cells that exit releases
  std::vector<Value> parameters;         // as they came
  std::set<int> rebound;                 // slots that the body assigns
  llvm::BranchInst* once = nullptr;      // the end of what runs once per call
  llvm::Value* result_words = nullptr;
  struct Loop {
    llvm::BasicBlock *on_break, *on_continue; // a Once has no on_continue
  };
  std::vector<Loop> loops;
  bool in_loop() const; // one that turns
  int cold_depth = 0;   // of loops in the checked twin of a nest
  bool busy = false;    // a loop or a call was emitted since the innermost loop began
  struct Scope {
    llvm::MDNode *own, *others;
  };
  std::map<int, Scope> scopes; // of the nest being emitted, by array slot

  /// Values of expressions that were evaluated ahead of where they stand.
  std::map<const ir::Expr*, Value> known;

  std::vector<Frame> frames;
  Frame& frame(Place at) { return frames[static_cast<size_t>(at.frame)]; }
  llvm::BasicBlock* exit = nullptr;
  llvm::PHINode* exit_status = nullptr;

private:
  std::map<std::pair<llvm::Type*, int>, llvm::AllocaInst*> scratch_;
  std::map<std::pair<int, bool>, Leaf> arguments_; // by parameter and writeable
};

} // namespace mpijit::jit
