// The inference of one function's body. The class is declared here whole; its members are defined by topic:
// statements.cpp, for_loops.cpp, iterables.cpp, expressions.cpp, fixed.cpp, operators.cpp, subscripts.cpp, tuples.cpp,
// axes.cpp, calls.cpp, builtins.cpp, complex.cpp, numpy.cpp, dtypes.cpp, mpi.cpp. Expressions never append statements:
// what needs a name inside one is a Bind, what may fail a Check, so that order of evaluation and short circuit stay
// Python's.
#pragma once

#include "diag/diagnostic.h"
#include "infer/env.h"
#include "infer/infer.h"
#include "ir/effects.h"
#include "syntax/ast.h"
#include "syntax/read.h"
#include "tables/tables.h"
#include "types/promote.h"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mpijit::jit::inference {

/// What an expression is: a run-time value, something known at compile time, or (a literal) both.
struct Operand {
  ir::Expr* expr = nullptr;
  std::optional<Constant> constant;
  bool never = false; // of an arm: evaluating it surely raises

  Type type() const { return expr ? expr->type : nullptr; }
  bool is_array() const { return expr && expr->type->is_array(); }
  template <class T> const T* as() const { return constant ? std::get_if<T>(&constant->value) : nullptr; }
};

/// Does the comparison hold for these values?
template <class T> bool holds(ir::CompareOp op, const T& a, const T& b) {
  switch (op) {
  case ir::CompareOp::Eq: return a == b;
  case ir::CompareOp::NotEq: return a != b;
  case ir::CompareOp::Lt: return a < b;
  case ir::CompareOp::LtE: return a <= b;
  case ir::CompareOp::Gt: return a > b;
  case ir::CompareOp::GtE: return a >= b;
  }
  return false;
}

/// Thrown where a recursive call whose result is not known yet ends the path it stands on. What is inferred then is
/// inferred again.
struct NeverReturns {};

/// The types of the program's captured arrays, by their numbers.
std::vector<Type> captured_arrays(const Program& program);

/// All specialisations of one compilation. Memoised; a function that calls itself is inferred again until
/// the result type it assumed is the one it has.
class Specialiser {
public:
  Specialiser(const Program& program, bool boundscheck)
      : program(program), boundscheck(boundscheck), array_types_(captured_arrays(program)) {}

  struct Entry {
    int function; // of the Program
    std::vector<Type> arguments;
    std::vector<int> arrays; // the captured ones it, or what it calls, may use: its hidden parameters, in this order
    bool done = false;
    std::optional<Type> result; // known, or assumed while not done
    bool recursive = false;
    bool never_returns = false;               // every path raises, or recurs without end
    bool unknown_used = false;                // somebody needed the result before it was known
    std::optional<Diagnostic> no_result = {}; // returns None and something else: why its result cannot be taken
  };

  /// The specialisation's index in the module. Throws NeverReturns for a call into a function that is being
  /// inferred and has no result yet.
  int specialise(int function, const std::vector<Type>& arguments);

  /// A function by its KernelIndex: the program's, or a lambda met on the way.
  const Function& function(int index) const;
  Type array_type(int index) const { return array_types_[static_cast<size_t>(index)]; }
  /// The index of a lambda of `parent` whose free names are bound to `captures`.
  int lambda(const Function& parent, const Node& tree, std::map<std::string, Constant, std::less<>> captures);

  /// Did somebody need the result of a function below this one on the stack of those being inferred?
  bool waits_for_caller(const Entry& self) const;

  const Program& program;
  bool boundscheck;
  Inferred out;
  std::vector<Entry> entries; // parallel to out.module.functions

private:
  struct Lambda {
    Function function;
    const Function* parent; // of the program: where it stands, for diagnostics
  };
  int home(int function) const;                    // the function of the program that a diagnostic of this one is about
  std::string readable(std::string message) const; // functions in it by their names
  std::vector<int> arrays_of(int function, const std::vector<Type>& arguments) const;
  std::vector<Type> array_types_; // of the program's captured arrays
  std::deque<Lambda> lambdas_;    // numbered behind the program's functions
};

/// The arguments of a call expression, as nodes.
struct Arguments {
  Span span;
  std::string function; // for messages
  std::vector<Node*> positional;
  std::vector<Node*> keywords; // `keyword` nodes
};
struct Parameter {
  std::string_view name;
  bool required = true;
  bool by_position = true; // false after a lone `*`
  bool by_name = true;     // false before a lone `/`
  bool variadic = false;   // *args: a tuple of the positional arguments that are left
};

/// A function's parameters without the markers `/` and `*`; **kwargs is refused.
struct Parameters {
  std::vector<const Node*> nodes;
  std::vector<Parameter> rows;
};
Parameters parameters(const Function& f);

/// The names that a statement, or what is in it, assigns.
std::set<std::string, std::less<>> assigned_names(const Node& n);

struct Iterable; // see iterables.h
struct Part;

class Body {
public:
  Body(Specialiser& all, const Function& source, ir::Function& out, Specialiser::Entry entry);
  void run(); // fills out.body and out.result
  bool never_returns() const { return returns_.empty(); }
  const std::optional<Diagnostic>& no_result() const { return no_result_; }

private:
  // statements.cpp
  void statements(const Node& block, ir::Block& into);
  void statement(const Node& s);
  void statement_of_kind(const Node& s);
  void join_returns();
  bool fill_statement(const Node& call);
  void assign(const Node& target, Operand value, bool in_place, Span span);
  void assign_name(const std::string& name, Operand value, Span span);
  void assign_tuple(const Node& target, const Node& value);
  void if_statement(const Node& s);
  void while_statement(const Node& s);
  void raise_statement(const Node& s);
  void return_statement(const Node& s);
  void leave_loop(bool is_break, Span span);
  /// Infers a loop's body until its types are stable; body() fills the block from the environment env. outer: how many
  /// loops around the innermost one are part of it.
  void loop(ir::Block& into, const std::function<void()>& body, int outer = 0);
  void finish_loop(ir::Stmt* loop, const Node& orelse, Env exhausted, std::vector<Edge> breaks);
  void emit(Span span, ir::Stmt::Node node) { block_->push_back(out_.make(span, std::move(node))); }
  std::string constant_message(const Node& n);
  /// What x is now, by a name of its own: x may be evaluated no more.
  ir::Expr* keep(ir::Expr* x);

  // for_loops.cpp
  void for_statement(const Node& s);
  void count_loop(const Node& s, const Iterable& over);
  void unroll_loop(const Node& s, const Iterable& over);
  void bind_part(const Node& target, const Part& part, Span span);
  Operand whole(const Part& part, Span span);

  // iterables.cpp
  using Names = std::set<std::string, std::less<>>;
  /// changing: the names that the loop assigns.
  Iterable iterable(const Node& e, const Names& changing);
  std::optional<Iterable> iterate_call(const std::string& name, const Node& e, const Names& changing);
  Iterable iterate_range(const Arguments& args);
  Iterable iterate_items(const Operand& tuple, Span span);
  Iterable iterate_array(ir::Expr* array, Span span);
  Iterable iterate_backwards(const Arguments& args, const Names& changing);
  Iterable iterate_enumerate(const Arguments& args, const Names& changing);
  Iterable iterate_zip(const Arguments& args, const Names& changing);
  void require_equal_lengths(const std::vector<ir::Expr*>& lengths, Span span);
  Iterable iterate_ndindex(const Arguments& args, const Names& changing);
  Iterable iterate_ndenumerate(const Arguments& args, const Names& changing);
  Iterable from_zero(Iterable it, Span span);
  Operand position(const Iterable& it, const std::vector<Operand>& at, Span span);
  void raise_if(ir::Expr* cond, std::string_view error, std::string message, Span span);
  ir::Expr* array_to_iterate(const Node& e, const Operand& o, const Names& changing);
  std::vector<ir::Expr*> lengths(ir::Expr* array, Span span);

  // expressions.cpp
  Operand expression(const Node& e);
  Operand evaluate(const Node& e); // expression() adds what the type says
  ir::Expr* value(const Node& e);  // a run-time value, or a refusal
  ir::Expr* value(const Operand& o, Span span);
  Operand name(const Node& e);
  Operand attribute(const Node& e);
  Operand named(const Node& e);
  Operand choose(const Node& e);
  /// An arm that is evaluated only sometimes; nullopt when it is a recursive call that has no type yet.
  std::optional<Operand> arm(const std::function<Operand()>& f);
  /// cond ? yes : no of run-time values, joined.
  Operand choose(ir::Expr* cond, const Operand& yes, const Operand& no, Span span);
  Operand constant(const Constant& c, Span span);
  std::optional<std::string> dotted(const Node& e) const;
  const Constant* captured(std::string_view dotted) const;
  ir::Expr* make(Type t, Span s, ir::Expr::Node n) { return out_.make(t, s, std::move(n)); }
  ir::Expr* integer(int64_t v, Span s) { return make(types::weak_int(), s, ir::Const{v, 0}); }
  ir::Expr* boolean(bool v, Span s) { return make(types::weak_bool(), s, ir::Const{v, 0}); }
  ir::Expr* read(int slot, Span s) { return make(out_.slots[static_cast<size_t>(slot)].type, s, ir::Read{slot}); }
  /// Of operands of one type.
  ir::Expr* binary(ir::BinaryOp op, ir::Expr* x, ir::Expr* y, Span s) { return make(x->type, s, ir::Binary{op, x, y}); }
  ir::Expr* compared(ir::CompareOp op, ir::Expr* x, ir::Expr* y, Span s) {
    return make(types::weak_bool(), s, ir::Compare{op, x, y});
  }
  ir::Expr* select(ir::Expr* cond, ir::Expr* yes, ir::Expr* no, Span s) {
    return make(yes->type, s, ir::Choose{cond, yes, no});
  }
  /// x for its first use and a second expression for every later one; names it when that is needed.
  struct Shared {
    ir::Expr *first, *again;
  };
  Shared share(ir::Expr* x);
  /// then, once first has been evaluated.
  ir::Expr* after(ir::Expr* first, ir::Expr* then);
  Operand array_attribute(ir::Expr* array, const std::string& name, Span span);

  // fixed.cpp
  /// Like value, but with what is known at compile time kept in the type: how names, tuples and parameters hold it.
  /// Null, when that is allowed, for what no type can say: a module, an exception class.
  ir::Expr* carried(const Operand& o, Span span, bool or_null = false);
  /// An argument of a function that wants to know what is small: axes and flags, that is.
  ir::Expr* carried_literal(const Operand& o, Span span);
  Operand known(Operand o); // what o's type says about it
  Operand lambda(const Node& e);
  /// The comparison of two constants; nullopt when it is not decided here.
  std::optional<bool> compare_known(ir::CompareOp op, const Operand& a, const Operand& b) const;
  std::optional<bool> contains_known(const Operand& x, const Operand& tuple) const;
  /// result, which does not need the values, after evaluating them where that does something.
  Operand after(const std::vector<Operand>& values, Operand result);

  // operators.cpp
  Operand boolean_operator(const Node& e);
  Operand binary(const Node& e);
  Operand unary(const Node& e);
  Operand sign_or_invert(const Node& e, const Operand& o);
  Operand compare(const Node& e);
  Operand arithmetic(ir::BinaryOp op, Operand a, Operand b, Span span);
  Operand power(Operand a, Operand b, Span span);
  Operand in_order(const Operand& a, const Operand& b, Type t, Span span,
                   const std::function<ir::Expr*(ir::Expr*, ir::Expr*)>& f);
  /// x ** exponent of an array's element and a number.
  Operand power_of_element(const Operand& x, const Operand& exponent, Span span);
  ir::Expr* compare_scalars(ir::CompareOp op, ir::Expr* a, ir::Expr* b, Span span);
  /// A condition: bool, short-circuiting, or a constant.
  Operand condition(const Node& e);
  Operand truth(const Operand& o, Span span);
  /// x brought to a scalar type for arithmetic: range-checked where a weak int meets a narrow dtype.
  ir::Expr* coerce(const Operand& o, Type to, Span span);
  ir::Expr* convert_scalar(ir::Expr* x, Type to);
  void require_number(const Operand& o, std::string_view what, Span span); // a scalar of any kind
  void require_scalar(const Operand& o, std::string_view what, Span span); // and not a complex one
  bool fits(int64_t v, DType d) const;

  // arrays.cpp
  /// Applies a rule that is written for scalars. Where operands are arrays, it is applied to their elements: what comes
  /// back is the array of results. what: the operation, for messages.
  using ScalarRule = std::function<Operand(const std::vector<Operand>&)>;
  Operand elementwise(std::vector<Operand> operands, std::string_view what, Span span, const ScalarRule& rule);
  /// A scalar operand as the body sees it: a literal, or the slot of an input.
  Operand as_input(ir::Elementwise& into, const Operand& o);
  int add_input(ir::Elementwise& into, ir::Expr* array, bool must_be_whole);
  /// target[...] = value; strict: by an in-place operator.
  void store_array(ir::Expr* target, const Operand& value, bool strict, Span span);
  void evaluate_indices(ir::Expr& target, Span span);
  ir::Expr* cast_element(ir::Expr* x, DType to);
  /// A 0-d array's element; everything else as it is.
  Operand without_axes(const Operand& o);

  // subscripts.cpp
  Operand subscript(const Node& e);
  /// An array's axes as the index gives them: one entry per axis, and the new ones.
  struct Indices {
    std::vector<ir::Axis> axes;
    bool element = false; // every axis has its integer, and there is no Ellipsis
  };
  Indices indices(ir::Expr* array, const Node& index);
  /// What array[axes] is: an element, when it is one, or a view.
  Operand take(ir::Expr* array, Indices indices, Span span);
  ir::Expr* view(ir::Expr* array, std::vector<ir::Axis> axes, Span span);
  /// array[index] of an index that is in range.
  Operand item_of(ir::Expr* array, ir::Expr* index, Span span);
  /// A slice's start, stop and step; None, or nothing, where there is none.
  using Bounds = std::array<Operand, 3>;
  Bounds bounds_of(const Node& slice);                          // as it is written in an index
  std::optional<Bounds> bounds_of(const Operand& o, Span span); // of a slice object; nothing: it is none
  ir::Range range(const Bounds& bounds, Span span);
  Operand slice_of(const Bounds& bounds, Span span);
  Operand slice_call(const Arguments& args);
  ir::Expr* index_value(const Operand& o, Span span);
  ir::Expr* as_int(const Operand& o, std::string_view what, Span span);
  void store(const Node& target, const Operand& value, bool in_place, Span span);
  ir::Expr* element_for_store(const Operand& value, DType d, Span span);
  void raise_read_only(Span span);

  // tuples.cpp
  Operand tuple(const Node& e);
  Operand tuple_of(const std::vector<Operand>& items, Span span);
  /// The items of a tuple, to be evaluated in order and once each.
  std::vector<Operand> items_of(const Operand& tuple, Span span);
  Operand tuple_item(const Operand& tuple, const Node& index, Span span);
  Operand tuple_slice(const Operand& tuple, const Bounds& slice, Span span);
  /// t + u, t * n; nothing: not tuples.
  std::optional<Operand> tuple_operator(ir::BinaryOp op, const Operand& a, const Operand& b, Span span);
  Operand contains(const Operand& x, const Operand& tuple, bool negated, Span span);
  Operand sum_of_items(const Arguments& args);
  void unpack(const Node& target, Operand value, Span span);
  void unpack_array(const Node& target, ir::Expr* array, Span span);

  // axes.cpp: arrays seen with their axes in another order, or with more or fewer
  std::optional<Operand> axes_function(std::string_view name, const Arguments& args);
  std::optional<Operand> array_method(ir::Expr* array, std::string_view name, const Arguments& args);
  Operand change_axes(ir::Expr* array, std::string_view name, const std::vector<const Node*>& given, Span span);
  Operand permute(ir::Expr* array, std::vector<int> axes, Span span);
  ir::Expr* with_axes(ir::Expr* array, int count, Span span);
  std::vector<int> constant_axes(const Node& n, int ndim);

  // calls.cpp
  Operand call(const Node& e);
  Operand call(const Operand& f, const Node& e);
  /// self: the array whose method the function stands for, its first argument.
  Operand kernel_call(int function, const Arguments& args, const Operand* self = nullptr);
  void place_at_call(Diagnostic& d, const Arguments& args) const;
  void star_argument(const Node& starred, std::vector<Node*>& into);
  Arguments arguments(const Node& call, std::string function);
  /// The argument given for each parameter; null where a default applies.
  std::vector<const Node*> bind(const Arguments& args, const std::vector<Parameter>& params);
  /// args stand in the parameters' order, null where none is given; `order` has the places of those that the call
  /// gives, in its order, which is Python's order of evaluation. Names values where the two differ and it matters.
  void keep_order(std::vector<ir::Expr*>& args, const std::vector<size_t>& order, Span span);
  Operand math_call(std::string_view name, const Arguments& args);
  Operand math(const MathRow& row, std::vector<Operand> args, Span span);

  // builtins.cpp
  Operand builtin_call(std::string_view name, const Arguments& args);
  Operand extremum(bool want_max, const Arguments& args);
  Operand absolute(const Operand& o, Span span);
  Operand to_int(const Operand& o, Span span);
  Operand to_float(const Operand& o, Span span);
  Operand round_to_int(const Arguments& args);
  Operand length(const Operand& o, Span span);
  void print_statement(const Node& call);

  // complex.cpp
  /// The row of complex.inc of that name, of a complex z.
  ir::Expr* complex_math(std::string_view name, ir::Expr* z);
  ir::Expr* make_complex(ir::Expr* re, ir::Expr* im, Span span);
  ir::Expr* number_part(ir::Expr* x, bool imaginary);
  ir::Expr* conjugate(ir::Expr* x);
  ir::Expr* magnitude(ir::Expr* z);
  ir::Expr* phase(ir::Expr* z);
  ir::Expr* classify(std::string_view name, ir::Expr* z, Type result);
  std::optional<Operand> method_call(const Node& call);
  Operand complex_call(const Arguments& args);
  Operand cmath_call(std::string_view name, const Arguments& args);
  Operand rect(ir::Expr* r, ir::Expr* phi, Span span);
  /// .real and .imag of a number or an array.
  Operand part(const Operand& o, bool imaginary, Span span);

  // ufuncs.cpp
  friend struct Ufuncs;
  static bool is_ufunc(std::string_view name);
  static std::vector<std::string_view> ufunc_names();
  // names.cpp
  static std::string nearest_function(std::string_view name);
  static std::string nearest_attribute(std::string_view name);
  /// nullopt: no ufunc of that name.
  std::optional<Operand> ufunc(std::string_view name, std::vector<Operand> x, Span span);

  // functions.cpp
  std::optional<Operand> array_function(std::string_view name, const Operand& self, const Arguments& args,
                                        bool is_method);
  std::optional<Operand> method(std::string_view name, const Operand& self, const Arguments& args);
  std::optional<Operand> reduction(std::string_view name, const Operand& self, const Arguments& args);
  ir::Expr* reduce(const ReductionRow& row, ir::Expr* array, uint64_t axes, bool keepdims, std::optional<DType> dtype,
                   Span span);
  Operand reduce_one(std::string_view name, const ReductionRow* row, const Operand& x, std::optional<DType> dtype,
                     Span span);
  Operand mean(ir::Expr* array, uint64_t axes, bool keepdims, std::optional<DType> dtype, Span span);
  Operand product(const Operand& a, const Operand& b, bool dot, Span span);
  ir::Expr* reshape(ir::Expr* array, std::vector<ir::Expr*> shape, Span span);
  std::optional<Operand> shape_function(std::string_view name, const Operand& self, const Arguments& args,
                                        bool is_method);
  Operand clip(const Operand& self, const Operand& low, const Operand& high, Span span);
  Operand round_decimals(const Operand& self, int64_t decimals, Span span);
  Operand where(const std::vector<Operand>& operands, Span span);
  ir::Expr* mapped(ir::Expr* array, Span span, const std::function<ir::Expr*(ir::Expr*)>& f);
  ir::Expr* cast_array(ir::Expr* array, DType d, Span span);
  bool constant_bool(const Node* n, bool fallback);
  std::optional<int64_t> constant_int(const Node* n, std::string_view what);
  uint64_t reduced_axes(const Node* n, int ndim);

  // makers.cpp
  Operand arange(const Arguments& args);
  Operand linspace(const Arguments& args);
  Operand eye(const Arguments& args, bool identity);
  Operand array_of(const Arguments& args);
  Operand as_array(std::string_view name, const Arguments& args);
  void collect_items(const Node& n, size_t depth, std::vector<int64_t>& shape, std::vector<Operand>& items);
  /// A tuple of numbers, or of such tuples, as what is stored in an array of that dtype.
  Operand array_of_items(const Operand& tuple, DType d, Span span);
  Operand array_in_order(const std::vector<int64_t>& shape, const std::vector<Operand>& items, DType d, Span span);
  ir::Expr* index_slot(ir::Elementwise& into, ir::Expr* length, Span span);

  // numpy.cpp
  Operand numpy_call(std::string_view name, const Arguments& args);
  /// like: np.full_like and its kind, of the shape and dtype of an array.
  Operand allocate(std::string_view maker, const Arguments& args, bool like);
  std::vector<ir::Expr*> shape_of(const Operand& o, Span span);
  Operand make_array(std::string_view maker, std::vector<ir::Expr*> shape, std::optional<DType> dtype,
                     const Operand* fill, Span span);
  DType dtype_of(const Operand& o, Span span);

  // dtypes.cpp
  std::optional<Operand> dtype_function(std::string_view name, const Arguments& args);
  Operand dtype_attribute(const Operand& dtype, const std::string& what, Span span);
  Operand result_type(const std::vector<Operand>& given, Span span);

  // mpi.cpp
  Operand mpi_call(std::string_view name, const Arguments& args);
  ir::Expr* mpi_argument(const RoutineRow& row, const ParamRow& param, const Node& n);
  /// Brings the arguments of a Reduced routine into the form of ir::MpiCall, and gives the result's type.
  Type complete_reduction(ir::MpiCall& call, Span span);
  void check_operator(const ir::Expr* op, const ir::Expr* data, Span span);

  Specialiser& all_;
  const Function& source_;
  ir::Function& out_;
  Specialiser::Entry entry_;
  Slots slots_;
  Env env_;
  ir::Block* block_ = nullptr;
  std::set<std::string, std::less<>> locals_;
  std::map<int, int> arrays_;             // captured arrays: the slots of the hidden parameters
  std::deque<Node> made_;                 // nodes that stand for the items of star-arguments,
  std::map<const Node*, Operand> stands_; // and what they stand for
  struct Loop {
    std::vector<Edge> breaks, continues;
    int break_depth = 0, continue_depth = 0; // of the ir's loop or Once that is left or gone on with
    bool unrolled = false;                   // `continue` leaves the Once of this turn
  };
  std::vector<Loop> loops_;
  struct Returned {
    ir::Stmt* stmt;
    Type type;
  };
  std::vector<Returned> returns_;
  std::optional<Diagnostic> no_result_;
  int depth_ = 0;                 // loops and Onces of the ir around here
  int conditional_ = 0;           // depth of expression arms that may not be evaluated
  bool never_ = false;            // what is being evaluated, an arm or a statement, surely raises
  const Node* ignored_ = nullptr; // the call whose result nobody takes
};

} // namespace mpijit::jit::inference
