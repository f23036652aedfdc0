// The typed IR: structured (loops and ifs stay loops and ifs), small structs in a variant, each with a type
// and a span. Variables are slots; LLVM builds the phis. Inference builds it, passes rewrite it, emit reads
// it. A new node needs a case in every `match` of print, verify, effects and emit, or nothing compiles.
#pragma once

#include "diag/span.h"
#include "tables/tables.h"
#include "types/type.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace mpijit::jit::ir {

struct Expr;
struct Stmt;
using Block = std::vector<Stmt*>;

// ---- expressions -------------------------------------------------------------------------------------
// Operands are brought to one type by explicit Casts: emit never promotes.

/// A scalar literal; i holds bools and integers (uint64 by its bits), f holds floats, f and im the parts of a complex
/// number. None, and what its type says whole (Literal, Static), has nothing.
struct Const {
  int64_t i = 0;
  double f = 0;
  double im = 0;
};
/// A constant string (type str): print's arguments and messages.
struct Text {
  std::string value;
};
/// The value of a slot.
struct Read {
  int slot;
};
enum class UnaryOp : uint8_t { Neg, Invert, Not };
struct Unary {
  UnaryOp op;
  Expr* x;
};
/// Both operands have the node's type; the shift counts of LShift and RShift too. Integer arithmetic
/// wraps. Div is of floats and complex numbers only. FloorDiv and Mod take floats and integers; by a zero integer they
/// raise when the type is weak and give 0 when it is strong.
enum class BinaryOp : uint8_t { Add, Sub, Mult, Div, FloorDiv, Mod, Pow, LShift, RShift, BitOr, BitXor, BitAnd };
struct Binary {
  BinaryOp op;
  Expr *a, *b;
};
/// Operands share a scalar type; the result is a bool. UnorderedFalse except NotEq, as IEEE. Complex numbers are equal
/// or not, nothing else.
enum class CompareOp : uint8_t { Eq, NotEq, Lt, LtE, Gt, GtE };
struct Compare {
  CompareOp op;
  Expr *a, *b;
};
/// To the node's type.
///   Convert   between scalars as C and NumPy do; float to integer as NumPy on x86-64, never undefined;
///             complex numbers convert to complex ones only
///   Fit       a weak int into a narrower strong integer: OverflowError when it does not fit
///   Truncate  float to weak int as int(x): ValueError for nan, OverflowError out of range
///   Truth     to bool: nonzero
///   Relayout  a C-contiguous array seen as a strided one, writeable as read-only; tuples item by item
enum class CastKind : uint8_t { Convert, Fit, Truncate, Truth, Relayout };
struct Cast {
  CastKind kind;
  Expr* x;
};
/// Evaluates one arm only. Arms have the node's type.
struct Choose {
  Expr *cond, *yes, *no;
};
/// A row of math.inc or complex.inc; arguments have the type the row computes in.
struct Math {
  const MathRow* row;
  std::vector<Expr*> args;
};
/// The length of one axis, a weak int >= 0.
struct Dim {
  Expr* array;
  int axis;
};
/// One index of an element access. wrap: negative counts from the end. check: test the range and raise.
/// The bounds pass turns both off where a test before the nest has proved them needless.
struct Index {
  Expr* value; // weak int
  bool wrap = true;
  bool check = true;
};
/// An element; every axis is indexed.
struct Load {
  Expr* array;
  std::vector<Index> index;
  int scope = -1; // alias scope, see Nest
};
/// The distance in bytes from one item of an axis to the next, a weak int. Of a C-contiguous array it follows from
/// the shape.
struct Stride {
  Expr* array;
  int axis;
};
/// A basic slice as a view. An index drops an axis of the array, a range keeps it, a new axis of length one takes
/// none: indices and ranges are as many as the array has axes.
struct Range {
  Expr *start, *stop, *step; // weak ints or null, as in Python's slice; clamped as CPython clamps
};
struct NewAxis {};
using Axis = std::variant<Index, Range, NewAxis>;
struct View {
  Expr* array;
  std::vector<Axis> axes;
};
/// The array with its axes in another order: axis k of the result is axis axes[k] of the array.
struct Permute {
  Expr* array;
  std::vector<int> axes;
};
/// The array as a read-only view of another shape, to which it broadcasts; ValueError if it does not.
struct Broadcast {
  Expr* array;
  std::vector<Expr*> shape; // weak ints, at least as many as the array has axes
};
/// The real or the imaginary parts of a complex array, as a strided view.
struct Part {
  Expr* array;
  bool imaginary;
};
/// A new C-contiguous array; owned by whoever evaluates it.
enum class Fill : uint8_t { None, Zero };
struct Alloc {
  std::vector<Expr*> shape; // weak ints
  Fill fill;
};
struct MakeTuple {
  std::vector<Expr*> items;
};
struct Item {
  Expr* tuple;
  int index;
};
/// One field of a Status, a weak int: 0 source, 1 tag, 2 count, 3 nbytes.
struct StatusField {
  Expr* status;
  int field;
};
/// Another function of the module, with exactly its parameters' types.
struct Call {
  int function;
  std::vector<Expr*> args;
};
/// A routine of routines.inc: one argument per parameter of the row, in order. An In argument may be a
/// scalar; an InOrSelf argument is null for IN_PLACE; Out is never null (inference allocates). Requests is
/// a tuple of requests. For Reduced the node's type is that of the result: a scalar when send is one (then
/// recv is null), else recv's type, and the value is recv itself (borrowed: recv is a Read or a Bind).
struct MpiCall {
  const RoutineRow* row;
  std::vector<Expr*> args;
};
/// Evaluates value, stores it in slot, and is the value: how a temporary gets a name (and an owner).
struct Bind {
  int slot;
  Expr* value;
};

/// Raises code, a row of errors.inc, with message unless cond holds; then it is x. How a name that may be
/// unbound is read. cond is evaluated first.
struct Check {
  Expr* cond;
  int32_t code;
  std::string message;
  Expr* x;
};

/// A new C-contiguous array, computed element by element over the shape to which the inputs broadcast. The inputs,
/// arrays and scalars, are evaluated once each and in order; ValueError when their shapes do not broadcast. Then, for
/// each element, every input's slot holds its element (or itself), the lets are evaluated in order, and body is the
/// result's element. Lets and body are of scalars and look at no array; a part of them that depends on scalar inputs
/// alone is evaluated once.
///
/// When no input is an array, the shape is given: evaluated after the inputs; index has a slot for each axis, which
/// holds the element's position. Without a shape either there are no axes, and only StoreArray may take it.
struct Input {
  Expr* value;
  int slot; // has the strong type of an array's elements, or the scalar's type
};
struct Let {
  int slot;
  Expr* value;
};
struct Elementwise {
  std::vector<Input> inputs;
  std::vector<Let> lets;
  Expr* body;               // has the strong type of the result's elements
  std::vector<Expr*> shape; // weak ints, ValueError when one is negative
  std::vector<int> index;   // slots of weak ints
};

/// A reduction over the axes in `axes` (bit k for axis k): a strong scalar when none is left, else a new C-contiguous
/// array; the axes stay with length 1 when keepdims. ValueError of an empty one that has no identity. x is an
/// Elementwise, which is never made into an array; for a sum of floats or complex numbers it is an array of any dtype,
/// which is added as the result's, and an Elementwise is made unless its terms come in the order of adding.
struct Reduce {
  const ReductionRow* row;
  Expr* x;
  uint64_t axes;
  bool keepdims;
  int count = -1; // a slot that gets the number of elements of each result, a weak int; -1: none
};
/// a @ b, or np.dot(a, b), of two arrays of one dtype with one or two axes each: a scalar of two vectors, else a new
/// C-contiguous array. ValueError when lengths do not fit.
struct Product {
  Expr *a, *b;
  bool dot;
};
/// The elements in C order as an array of another shape: of one that is C-contiguous a view, else an array that owns
/// (a view of it, if it can be one, or a copy). A length of -1 follows from the others. ValueError if they do not fit.
struct Reshape {
  Expr* array;
  std::vector<Expr*> shape; // weak ints
};

struct Expr {
  using Node = std::variant<Const, Text, Read, Unary, Binary, Compare, Cast, Choose, Math, Dim, Stride, Load, View,
                            Permute, Broadcast, Part, Alloc, MakeTuple, Item, StatusField, Call, MpiCall, Bind, Check,
                            Elementwise, Reduce, Product, Reshape>;
  Type type;
  Span span;
  Node node;
  int32_t frame = 0; // whose code this is: 0 the function's own, k that of Function::inlined[k - 1]
};

// ---- statements --------------------------------------------------------------------------------------

struct Assign {
  int slot;
  Expr* value; // has the slot's type
};
struct Store {
  Expr* array;
  std::vector<Index> index;
  Expr* value; // a scalar of the array's dtype
  int scope = -1;
};
/// target[...] = value, element by element, as if the value had been there whole before the first store. value is an
/// Elementwise, never made into an array unless it reads what the target overwrites. ValueError when its shape does not
/// broadcast to the target's; an in-place operator is strict: it may not have axes more than the target either.
struct StoreArray {
  Expr* target; // writeable
  Expr* value;  // an Elementwise of the target's dtype
  bool strict = false;
};
struct Evaluate {
  Expr* value;
};
struct If {
  Expr* cond; // bool
  Block yes, no;
};
/// `for slot in range(start, stop, step)`: the trip count is computed once, ValueError when step is 0. The
/// hidden counter is the loop's own: assigning to slot in the body does not change the iteration. orelse
/// runs when the loop ends without break.
struct For {
  int slot; // weak int
  Expr *start, *stop, *step;
  Block body, orelse;
  bool cold = false; // the checked twin of an unchecked nest: small code, no vectorisation
};
struct While {
  Expr* cond;
  Block body, orelse;
};
/// Runs its body once; a Break leaves it as it would a loop.
struct Once {
  Block body;
};
/// Leaves the innermost loop or Once, and as many more around it as outer says.
struct Break {
  int outer = 0;
};
/// Goes on with the loop that such a Break would leave; that is no Once.
struct Continue {
  int outer = 0;
};
struct Return {
  Expr* value; // null: None
};
struct Raise {
  int32_t code; // of errors.inc
  std::string message;
};
struct Print {
  std::vector<Expr*> args;
  std::string sep, end;
};
/// Drops what an owning slot holds.
struct Release {
  int slot;
};
/// A run of statements standing for one (moves on a control-flow edge).
struct Group {
  Block body;
};
/// A loop nest in two versions, made by the bounds pass. When every range test holds and no two arrays of
/// `apart` overlap, `fast` runs: accesses in it are unchecked and accesses of different `scope` do not
/// alias. Else `cold` runs, with every check.
///
/// low and high are sums (Add, Sub, Neg, Mult) of Const, Read and Dim, and are exact: emit extends the leaves and
/// computes in 128 bits. In 64 an index far beyond an array could wrap round into it and pass. A product may leave
/// 128 bits only where another test, of a factor, fails.
struct RangeTest {
  Expr* array; // a Read; null: a number alone is tested, to lie below size
  int axis;
  Expr *low, *high; // weak ints; holds when 0 <= low and high < length of axis, or when low > high
  int64_t size = 0;
};
struct Disjoint {
  int a, b; // array slots whose memory must not meet
};
struct Nest {
  std::vector<RangeTest> ranges;
  std::vector<Disjoint> apart;
  Block fast, cold;
};

struct Stmt {
  using Node = std::variant<Assign, Store, StoreArray, Evaluate, If, For, While, Once, Break, Continue, Return, Raise,
                            Print, Release, Group, Nest>;
  Span span;
  Node node;
  int32_t frame = 0; // as Expr's
};

// ---- functions ---------------------------------------------------------------------------------------

/// A slot that owns holds nothing when the function starts; a parameter that owns takes a reference then. Any
/// other slot is undefined until it is assigned.
struct Slot {
  std::string name; // the variable's, or $n
  Type type;
  bool owning = false; // holds a counted reference for each array in it; set by the ownership pass
};

/// A function whose body the inliner put in place of a call to it. Nodes that came with the body keep their
/// spans, which are places in this file, and carry its number + 1 as their frame. An error at such a node is
/// reported as one of the function `name` of `file`; then, as if a call had failed, a traceback entry follows
/// for each `call`, parent by parent, until frame 0.
struct Inlined {
  std::string name;
  std::string file;
  Span call;      // of the replaced call, a place in the parent's file
  int32_t parent; // the frame the call stood in
};

struct Function {
  std::string name; // the Python function's qualified name
  std::string file;
  int first_line = 0;
  std::vector<Slot> slots; // parameters first
  int parameters = 0;
  Type result = nullptr;
  Block body;
  bool communicates = false; // it, or something it calls, enters MPI
  bool uses_mpi = false;     // also true for rank, size, wtime
  bool recursive = false;    // may call itself: guarded against deep recursion
  bool boundscheck = true;
  std::vector<Inlined> inlined;

  std::deque<Expr> exprs; // the arena
  std::deque<Stmt> stmts;

  Expr* make(Type type, Span span, Expr::Node node) {
    exprs.push_back({type, span, std::move(node), 0});
    return &exprs.back();
  }
  Stmt* make(Span span, Stmt::Node node) {
    stmts.push_back({span, std::move(node), 0});
    return &stmts.back();
  }
  int add_slot(std::string slot_name, Type type) {
    slots.push_back({std::move(slot_name), type, false});
    return static_cast<int>(slots.size()) - 1;
  }
};

/// functions[0] is the kernel; the others are what it calls. A Call's index points in here.
struct Module {
  std::vector<std::unique_ptr<Function>> functions;
};

/// Overloads for std::visit: match(node, [](const Const&) {...}, ...). No default on purpose.
template <class... F> struct Cases : F... { using F::operator()...; };
template <class... F> Cases(F...) -> Cases<F...>;
template <class V, class... F> decltype(auto) match(V&& v, F&&... f) {
  return std::visit(Cases{std::forward<F>(f)...}, std::forward<V>(v));
}

} // namespace mpijit::jit::ir
