// Rules 2 to 11, 18 and Bind's part of 12: what each kind of expression asks of its operands' types.
#include "ir/effects.h"
#include "ir/verify_rules.h"
#include "ir/walk.h"

#include "types/promote.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace mpijit::jit::ir {
namespace {

bool is_scalar(const Expr* e) { return e->type->is_scalar(); }
bool is_weak_int(const Expr* e) { return e->type->is_weak_int(); }
bool is_bool(const Expr* e) { return e->type->is_bool(); }
bool is_array(const Expr* e) { return e->type->is_array(); }
bool has_type(const Expr* e) { return e && e->type; }

bool are_weak_ints(const std::vector<Index>& indices) {
  return std::all_of(indices.begin(), indices.end(), [](const Index& i) { return is_weak_int(i.value); });
}

class ExpressionRules {
public:
  explicit ExpressionRules(Report& report) : r_(report) {}

  void check(const Expr& e) {
    match(
        e.node, [&](const Const&) { constant(e); },
        [&](const Text&) { r_.require(e.type->kind == TypeKind::String, 2, "a Text has type " + of(&e)); },
        [&](const Read& n) { read(e, n); }, [&](const Unary& n) { unary(e, n); },
        [&](const Binary& n) { binary(e, n); }, [&](const Compare& n) { compare(e, n); },
        [&](const Cast& n) { cast(e, n); }, [&](const Choose& n) { choose(e, n); }, [&](const Math& n) { math(e, n); },
        [&](const Dim& n) { length(e, "Dim", n.array, n.axis); },
        [&](const Stride& n) { length(e, "Stride", n.array, n.axis); }, [&](const Load& n) { load(e, n); },
        [&](const View& n) { view(e, n); }, [&](const Permute& n) { permute(e, n); },
        [&](const Broadcast& n) { broadcast(e, n); }, [&](const Part& n) { part(e, n); },
        [&](const Alloc& n) { alloc(e, n); }, [&](const MakeTuple& n) { make_tuple(e, n); },
        [&](const Item& n) { item(e, n); }, [&](const StatusField& n) { status_field(e, n); },
        [&](const Call& n) { call(e, n); }, [&](const MpiCall& n) { mpi_call(e, n); },
        [&](const Bind& n) { bind(e, n); }, [&](const Check& n) { check_node(e, n); },
        [&](const Elementwise& n) { elementwise(e, n); }, [&](const Reduce& n) { reduce(e, n); },
        [&](const Product& n) { product(e, n); }, [&](const Reshape& n) { reshape(e, n); });
  }

  void store(const Store& n) {
    if (!access("Store", n.array, n.index))
      return;
    r_.require(n.value->type == types::strong(n.array->type->dtype), 7,
               "a Store puts " + of(n.value) + " into " + of(n.array));
    r_.require(!n.array->type->readonly, 7, "a Store is into " + of(n.array));
  }

  void store(const StoreArray& n) {
    const bool into_array = is_array(n.target) && !n.target->type->readonly;
    r_.require(into_array, 21, "a StoreArray is into " + of(n.target));
    const bool whole = std::holds_alternative<Elementwise>(n.value->node);
    r_.require(whole && into_array && n.value->type->dtype == n.target->type->dtype, 21,
               "a StoreArray puts " + of(n.value) + " into " + of(n.target));
  }

private:
  // ---- rule 2: leaves and parts ------------------------------------------------------------------------

  void constant(const Expr& e) {
    const TypeKind kind = e.type->kind;
    const bool plain = kind == TypeKind::None || e.type->is_fixed() || kind == TypeKind::Operator ||
                       kind == TypeKind::Comm || kind == TypeKind::Request || kind == TypeKind::Scalar;
    r_.require(plain, 2, "a Const has type " + of(&e));
  }
  void read(const Expr& e, const Read& n) {
    r_.require(e.type == r_.slot(n.slot).type, 2,
               "a Read of " + r_.slot(n.slot).name + " has type " + of(&e) + ", the slot " +
                   to_string(r_.slot(n.slot).type));
  }
  void length(const Expr& e, const char* what, const Expr* array, int axis) {
    r_.require(is_weak_int(&e), 2, std::string("a ") + what + " has type " + of(&e));
    if (!is_array(array))
      r_.fail(2, std::string("a ") + what + " is of " + of(array));
    else
      r_.require(axis >= 0 && axis < array->type->ndim, 2,
                 std::string("a ") + what + " of " + of(array) + " asks for axis " + std::to_string(axis));
  }
  void make_tuple(const Expr& e, const MakeTuple& n) {
    std::vector<Type> items;
    for (const Expr* x : n.items)
      items.push_back(x->type);
    r_.require(e.type->has_items() && e.type->items == items, 2,
               "a MakeTuple has type " + of(&e) + ", its items another");
  }
  void item(const Expr& e, const Item& n) {
    const auto& items = n.tuple->type->items;
    if (!n.tuple->type->has_items() || n.index < 0 || static_cast<size_t>(n.index) >= items.size())
      r_.fail(2, "an Item " + std::to_string(n.index) + " is of " + of(n.tuple));
    else
      r_.require(e.type == items[static_cast<size_t>(n.index)], 2, "an Item of " + of(n.tuple) + " has type " + of(&e));
  }
  void status_field(const Expr& e, const StatusField& n) {
    r_.require(n.status->type->kind == TypeKind::Status && is_weak_int(&e) && n.field >= 0 && n.field < 4, 2,
               "a StatusField " + std::to_string(n.field) + " of " + of(n.status) + " has type " + of(&e));
  }

  // ---- rules 3 and 4: operators --------------------------------------------------------------------------

  void unary(const Expr& e, const Unary& n) {
    r_.require(is_scalar(&e) && n.x->type == e.type, 3, "a Unary of " + of(n.x) + " has type " + of(&e));
    if (!is_scalar(&e))
      return;
    switch (n.op) {
    case UnaryOp::Neg: return r_.require(!is_bool(&e), 4, "a Neg is of " + of(&e));
    case UnaryOp::Invert: return r_.require(e.type->is_integer() || is_bool(&e), 4, "an Invert is of " + of(&e));
    case UnaryOp::Not: return r_.require(is_bool(&e), 3, "a Not is of " + of(&e));
    }
  }
  void binary(const Expr& e, const Binary& n) {
    const bool same = is_scalar(&e) && n.a->type == e.type && n.b->type == e.type;
    r_.require(same, 3, "a Binary of " + of(n.a) + " and " + of(n.b) + " has type " + of(&e));
    if (!same)
      return;
    switch (n.op) {
    case BinaryOp::Div: return r_.require(e.type->is_float() || e.type->is_complex(), 4, "a Div is of " + of(&e));
    case BinaryOp::LShift:
    case BinaryOp::RShift: return r_.require(e.type->is_integer(), 4, "a shift is of " + of(&e));
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::BitAnd: return r_.require(e.type->is_integer() || is_bool(&e), 4, "a bit operation is of " + of(&e));
    case BinaryOp::FloorDiv:
    case BinaryOp::Mod:
      return r_.require(!is_bool(&e) && !e.type->is_complex(), 4, "a division with remainder is of " + of(&e));
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mult:
    case BinaryOp::Pow: return r_.require(!is_bool(&e), 4, "an arithmetic operation is of " + of(&e));
    }
  }
  void compare(const Expr& e, const Compare& n) {
    r_.require(is_scalar(n.a) && n.a->type == n.b->type && is_bool(&e), 3,
               "a Compare of " + of(n.a) + " and " + of(n.b) + " has type " + of(&e));
    r_.require(!n.a->type->is_complex() || n.op == CompareOp::Eq || n.op == CompareOp::NotEq, 4,
               "an ordering is of " + of(n.a));
  }
  void math(const Expr& e, const Math& n) {
    const std::string name(n.row->name);
    if (static_cast<int>(n.args.size()) != n.row->arity)
      return r_.fail(3, "math." + name + " has " + std::to_string(n.args.size()) + " arguments");
    const Type first = n.args.empty() ? types::weak_float() : n.args[0]->type;
    const auto takes = [&](const Expr* x) {
      switch (n.row->operand) {
      case MathOperand::Float: return x->type->is_float() && x->type == first;
      case MathOperand::Int: return is_weak_int(x);
      case MathOperand::Complex: return x->type->is_complex() && x->type == first;
      }
      return false;
    };
    for (const Expr* x : n.args)
      if (!takes(x))
        return r_.fail(3, "math." + name + " is of " + of(x));
    switch (n.row->result) {
    case MathResult::Float:
      return r_.require(e.type == (first->is_complex() ? part_type(first) : first), 3,
                        "math." + name + " has type " + of(&e));
    case MathResult::Complex:
      return r_.require(e.type == (first->is_complex() ? first : complex_type(first)), 3,
                        "math." + name + " has type " + of(&e));
    case MathResult::Int: return r_.require(is_weak_int(&e), 3, "math." + name + " has type " + of(&e));
    case MathResult::Bool: return r_.require(is_bool(&e), 3, "math." + name + " has type " + of(&e));
    }
  }

  // ---- rules 5, 6 and 18: casts, choices, checks
  // -----------------------------------------------------------

  static bool relayout_allowed(Type from, Type to) {
    if (from == to)
      return true;
    if (from->is_tuple() && to->is_tuple() && from->items.size() == to->items.size())
      return std::equal(from->items.begin(), from->items.end(), to->items.begin(), relayout_allowed);
    return from->is_array() && to->is_array() && from->dtype == to->dtype && from->ndim == to->ndim &&
           (from->layout == to->layout || from->layout == Layout::C) && (!from->readonly || to->readonly);
  }
  static bool cast_allowed(CastKind kind, Type from, Type to) {
    switch (kind) {
    case CastKind::Convert: return from->is_scalar() && to->is_scalar() && (!from->is_complex() || to->is_complex());
    case CastKind::Fit: return from->is_weak_int() && to->is_integer() && !to->weak;
    case CastKind::Truncate: return from->is_float() && to->is_weak_int();
    case CastKind::Truth: return from->is_scalar() && to->is_bool();
    case CastKind::Relayout: return relayout_allowed(from, to);
    }
    return false;
  }
  void cast(const Expr& e, const Cast& n) {
    static constexpr const char* names[] = {"Convert", "Fit", "Truncate", "Truth", "Relayout"};
    r_.require(cast_allowed(n.kind, n.x->type, e.type), 5,
               std::string("a ") + names[static_cast<size_t>(n.kind)] + " goes from " + of(n.x) + " to " + of(&e));
  }
  void choose(const Expr& e, const Choose& n) {
    r_.require(is_bool(n.cond), 6, "the condition of a Choose has type " + of(n.cond));
    r_.require(n.yes->type == e.type && n.no->type == e.type, 6,
               "a Choose between " + of(n.yes) + " and " + of(n.no) + " has type " + of(&e));
  }
  void check_node(const Expr& e, const Check& n) {
    r_.require(is_bool(n.cond), 18, "the condition of a Check has type " + of(n.cond));
    r_.require(n.x->type == e.type, 18, "a Check of " + of(n.x) + " has type " + of(&e));
    check_error_code(r_, "Check", 18, n.code);
  }

  // ---- rules 7, 8 and 9: arrays
  // ----------------------------------------------------------------------------

  bool access(const char* what, const Expr* array, const std::vector<Index>& index) {
    if (!is_array(array)) {
      r_.fail(7, std::string("a ") + what + " is of " + of(array));
      return false;
    }
    r_.require(static_cast<int>(index.size()) == array->type->ndim, 7,
               std::string("a ") + what + " of " + of(array) + " has " + std::to_string(index.size()) + " indices");
    r_.require(are_weak_ints(index), 7, std::string("a ") + what + " has an index that is not a weak int");
    return true;
  }
  void load(const Expr& e, const Load& n) {
    if (access("Load", n.array, n.index))
      r_.require(e.type == types::strong(n.array->type->dtype), 7, "a Load of " + of(n.array) + " has type " + of(&e));
  }
  void view(const Expr& e, const View& n) {
    if (!is_array(n.array) || !is_array(&e))
      return r_.fail(8, "a View of " + of(n.array) + " has type " + of(&e));
    int taken = 0, kept = 0; // axes of the array, of the result
    for (const Axis& axis : n.axes)
      match(
          axis,
          [&](const Index& i) {
            ++taken;
            r_.require(is_weak_int(i.value), 8, "a View has an index of type " + of(i.value));
          },
          [&](const Range& r) {
            ++taken, ++kept;
            for (const Expr* x : {r.start, r.stop, r.step})
              r_.require(!x || (x->type && is_weak_int(x)), 8, "a View has a range that is not of weak ints");
          },
          [&](const NewAxis&) { ++kept; });
    r_.require(taken == n.array->type->ndim, 8,
               "a View of " + of(n.array) + " takes " + std::to_string(taken) + " axes");
    r_.require(kept == e.type->ndim && same_elements(n.array->type, e.type), 8,
               "a View of " + of(n.array) + " with " + std::to_string(kept) + " ranges has type " + of(&e));
  }
  /// May memory of `from` be seen as `to`, whatever the axes?
  static bool same_elements(Type from, Type to) {
    return from->dtype == to->dtype && (!from->readonly || to->readonly);
  }
  void permute(const Expr& e, const Permute& n) {
    if (!is_array(n.array) || !is_array(&e))
      return r_.fail(22, "a Permute of " + of(n.array) + " has type " + of(&e));
    std::vector<int> sorted = n.axes, all(static_cast<size_t>(n.array->type->ndim));
    std::sort(sorted.begin(), sorted.end());
    std::iota(all.begin(), all.end(), 0);
    r_.require(sorted == all, 22, "a Permute of " + of(n.array) + " does not name each axis once");
    r_.require(e.type->ndim == n.array->type->ndim && e.type->layout == Layout::Strided &&
                   same_elements(n.array->type, e.type),
               22, "a Permute of " + of(n.array) + " has type " + of(&e));
  }
  void broadcast(const Expr& e, const Broadcast& n) {
    const bool fits = is_array(&e) && is_array(n.array) && e.type->readonly && same_elements(n.array->type, e.type) &&
                      e.type->layout == (e.type->ndim ? Layout::Strided : Layout::C) &&
                      e.type->ndim == static_cast<int>(n.shape.size()) && e.type->ndim >= n.array->type->ndim;
    r_.require(fits && std::all_of(n.shape.begin(), n.shape.end(), is_weak_int), 27,
               "a Broadcast of " + of(n.array) + " has type " + of(&e));
  }
  void part(const Expr& e, const Part& n) {
    const bool fits = is_array(&e) && is_array(n.array) && is_complex(n.array->type->dtype) &&
                      is_float(e.type->dtype) && 2 * size(e.type->dtype) == size(n.array->type->dtype) &&
                      e.type->layout == Layout::Strided && e.type->ndim == n.array->type->ndim &&
                      e.type->readonly == n.array->type->readonly;
    r_.require(fits, 26, "a Part of " + of(n.array) + " has type " + of(&e));
  }
  void alloc(const Expr& e, const Alloc& n) {
    const bool fits = is_array(&e) && e.type->layout == Layout::C && !e.type->readonly &&
                      static_cast<int>(n.shape.size()) == e.type->ndim;
    r_.require(fits, 9, "an Alloc with " + std::to_string(n.shape.size()) + " axes has type " + of(&e));
    r_.require(std::all_of(n.shape.begin(), n.shape.end(), is_weak_int), 9,
               "an Alloc has a length that is no weak int");
  }

  // ---- rules 10 and 11: calls
  // --------------------------------------------------------------------------------

  void call(const Expr& e, const Call& n) {
    const Function& callee = *r_.module.functions[static_cast<size_t>(n.function)];
    r_.require(e.type == callee.result, 10,
               "a Call of " + callee.name + " has type " + of(&e) + ", its result is " + to_string(callee.result));
    if (static_cast<int>(n.args.size()) != callee.parameters)
      return r_.fail(10, "a Call of " + callee.name + " has " + std::to_string(n.args.size()) + " arguments");
    for (size_t k = 0; k < n.args.size(); ++k)
      r_.require(n.args[k]->type == callee.slots[k].type, 10,
                 "a Call of " + callee.name + " passes " + of(n.args[k]) + " for " + to_string(callee.slots[k].type));
  }

  static bool is_requests(Type t) {
    return t->is_tuple() &&
           std::all_of(t->items.begin(), t->items.end(), [](Type i) { return i->kind == TypeKind::Request; });
  }
  static bool argument_allowed(ParamKind kind, const Expr* e, bool reduces_scalar) {
    if (!e)
      return kind == ParamKind::InOrSelf || (kind == ParamKind::Out && reduces_scalar);
    if (!e->type)
      return false;
    switch (kind) {
    case ParamKind::In:
    case ParamKind::InOrSelf: return is_array(e) || is_scalar(e);
    case ParamKind::Out: // the runtime refuses a read-only one, where the call would happen
    case ParamKind::InOut: return is_array(e);
    case ParamKind::Dest:
    case ParamKind::Source:
    case ParamKind::Root:
    case ParamKind::SendTag:
    case ParamKind::RecvTag: return is_weak_int(e);
    case ParamKind::Op: return e->type->kind == TypeKind::Operator;
    case ParamKind::Comm: return e->type->kind == TypeKind::Comm;
    case ParamKind::Request: return e->type->kind == TypeKind::Request;
    case ParamKind::Requests: return is_requests(e->type);
    }
    return false;
  }
  static Type mpi_result(ResultKind kind, const Expr* first, const Expr* recv) {
    switch (kind) {
    case ResultKind::None: return types::none();
    case ResultKind::Int: return types::weak_int();
    case ResultKind::Float: return types::weak_float();
    case ResultKind::Status: return types::status();
    case ResultKind::Request: return types::request();
    case ResultKind::Reduced: return recv ? recv->type : first->type;
    }
    return types::none();
  }
  void mpi_call(const Expr& e, const MpiCall& n) {
    const std::string name = "mpi." + std::string(n.row->name);
    if (static_cast<int>(n.args.size()) != n.row->param_count())
      return r_.fail(11, name + " has " + std::to_string(n.args.size()) + " arguments");
    const Expr* first = n.args.empty() ? nullptr : n.args[0];
    const bool reduces = n.row->result == ResultKind::Reduced;
    const Expr* recv = reduces ? n.args[1] : nullptr;
    const bool reduces_scalar = reduces && !recv && has_type(first) && is_scalar(first);
    if (reduces && !recv && !reduces_scalar)
      return r_.fail(11, name + " has nothing to reduce into");
    for (size_t k = 0; k < n.args.size(); ++k)
      r_.require(argument_allowed(n.row->params[k].kind, n.args[k], reduces_scalar), 11,
                 name + " gets " + (has_type(n.args[k]) ? of(n.args[k]) : "nothing") + " for " +
                     std::string(n.row->params[k].name));
    r_.require(e.type == mpi_result(n.row->result, first, recv), 11, name + " has type " + of(&e));
  }

  // ---- rule 12: names of temporaries --------------------------------------------------------------------

  void bind(const Expr& e, const Bind& n) {
    r_.require(n.value->type == r_.slot(n.slot).type && e.type == n.value->type, 12,
               "a Bind puts " + of(n.value) + " into " + r_.slot(n.slot).name + ": " + to_string(r_.slot(n.slot).type));
  }

  // ---- rule 20: array expressions -------------------------------------------------------------------------

  static bool is_of_scalars(const Expr& e) {
    bool good = true;
    each_expr(e, [&](const Expr& x) {
      const bool strange = std::holds_alternative<Load>(x.node) || std::holds_alternative<Call>(x.node) ||
                           std::holds_alternative<MpiCall>(x.node);
      good &= !strange && !holds_array(x.type);
    });
    return good;
  }
  void elementwise(const Expr& e, const Elementwise& n) {
    int axes = 0;
    for (const Input& input : n.inputs) {
      const Type from = input.value->type;
      const bool fits = from->is_array() ? r_.slot(input.slot).type == types::strong(from->dtype)
                                         : from->is_scalar() && r_.slot(input.slot).type == from;
      r_.require(fits, 20, "an Elementwise takes " + of(input.value) + " as " + to_string(r_.slot(input.slot).type));
      axes = std::max(axes, from->is_array() ? from->ndim : 0);
    }
    for (const Let& let : n.lets)
      r_.require(let.value->type == r_.slot(let.slot).type && is_of_scalars(*let.value), 20,
                 "an Elementwise lets " + r_.slot(let.slot).name + " be " + of(let.value));
    const bool is_made =
        std::all_of(n.shape.begin(), n.shape.end(), is_weak_int) &&
        std::all_of(n.index.begin(), n.index.end(), [&](int k) { return r_.slot(k).type->is_weak_int(); });
    r_.require(is_made && n.shape.size() == n.index.size() && (n.shape.empty() || axes == 0), 20,
               "an Elementwise of a given shape has " + std::to_string(n.shape.size()) + " lengths");
    axes = std::max(axes, static_cast<int>(n.shape.size()));
    const bool is_whole = is_array(&e) && e.type->layout == Layout::C && e.type->ndim == axes;
    r_.require(is_whole && n.body->type == types::strong(e.type->dtype) && is_of_scalars(*n.body), 20,
               "an Elementwise of " + of(n.body) + " with " + std::to_string(axes) + " axes has type " + of(&e));
  }

  // ---- rules 23 to 25: reductions, products, shapes -----------------------------------------------------------

  /// A new C-contiguous array with so many axes, or a strong scalar for none.
  static bool is_result(const Expr& e, int ndim) {
    if (ndim == 0)
      return is_scalar(&e) && !e.type->weak;
    return is_array(&e) && e.type->layout == Layout::C && e.type->ndim == ndim;
  }
  void reduce(const Expr& e, const Reduce& n) {
    if (!is_array(n.x))
      return r_.fail(23, "a Reduce is of " + of(n.x));
    const int ndim = n.x->type->ndim, reduced = std::popcount(n.axes);
    const bool added = adds_floats(n, e.type->dtype);
    r_.require(ndim > 0 && ndim <= 64 && n.axes != 0 && (ndim == 64 || n.axes >> ndim == 0), 23,
               "a Reduce of " + of(n.x) + " is over other axes");
    r_.require(is_result(e, n.keepdims ? ndim : ndim - reduced), 23, "a Reduce of " + of(n.x) + " has type " + of(&e));
    r_.require(n.count < 0 || r_.slot(n.count).type->is_weak_int(), 23, "a Reduce counts in a slot that is no int");
    const bool index = n.row->result == ReductionResult::Index;
    r_.require(added || (std::holds_alternative<Elementwise>(n.x->node) &&
                         (index ? e.type->dtype == DType::Int64 : e.type->dtype == n.x->type->dtype)),
               23, "a Reduce of " + of(n.x) + " has type " + of(&e));
  }
  void product(const Expr& e, const Product& n) {
    const auto fits = [](const Expr* x) { return is_array(x) && (x->type->ndim == 1 || x->type->ndim == 2); };
    if (!fits(n.a) || !fits(n.b))
      return r_.fail(24, "a Product is of " + of(n.a) + " and " + of(n.b));
    const DType d = e.type->dtype;
    r_.require(n.a->type->dtype == d && n.b->type->dtype == d && is_result(e, n.a->type->ndim + n.b->type->ndim - 2),
               24, "a Product of " + of(n.a) + " and " + of(n.b) + " has type " + of(&e));
  }
  void reshape(const Expr& e, const Reshape& n) {
    const bool fits = is_array(&e) && is_array(n.array) && e.type->dtype == n.array->type->dtype &&
                      e.type->layout == n.array->type->layout && e.type->readonly == n.array->type->readonly &&
                      e.type->ndim == static_cast<int>(n.shape.size());
    r_.require(fits && std::all_of(n.shape.begin(), n.shape.end(), is_weak_int), 25,
               "a Reshape of " + of(n.array) + " has type " + of(&e));
  }

  Report& r_;
};

} // namespace

void check_expression(Report& r, const Expr& e) { ExpressionRules(r).check(e); }
void check_access(Report& r, const Store& store) { ExpressionRules(r).store(store); }
void check_store(Report& r, const StoreArray& s) { ExpressionRules(r).store(s); }

void check_error_code(Report& r, const char* what, int rule, int32_t code) {
  r.require(code >= 1 && code <= error_count(), rule,
            std::string("a ") + what + " has code " + std::to_string(code) + ", which is no row of errors.inc");
}

} // namespace mpijit::jit::ir
