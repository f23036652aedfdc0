// Short ways to make nodes, for code that is written out by hand: tests and passes that add a little. Types
// follow from the operands; nothing is checked, verify does that.
#pragma once

#include "ir/ir.h"

#include <initializer_list>
#include <utility>

namespace mpijit::jit::ir {

class Build {
public:
  explicit Build(Function& f) : f_(f) {}

  Span span; // of what is made from now on

  // ---- slots -----------------------------------------------------------------------------------------

  int slot(const std::string& name, const char* type) { return f_.add_slot(name, *parse_type(type)); }
  /// Before any other slot.
  int parameter(const std::string& name, const char* type) {
    ++f_.parameters;
    return slot(name, type);
  }

  // ---- expressions -----------------------------------------------------------------------------------

  Expr* make(Type type, Expr::Node node) { return f_.make(type, span, std::move(node)); }
  Expr* none() { return make(types::none(), Const{}); }
  Expr* number(int64_t value) { return make(types::weak_int(), Const{value, 0}); }
  Expr* real(double value) { return make(types::weak_float(), Const{0, value}); }
  Expr* constant(const char* type, double value) {
    return make(*parse_type(type), Const{static_cast<int64_t>(value), value});
  }
  Expr* truth(bool value) { return make(types::weak_bool(), Const{value, 0}); }
  Expr* read(int slot) { return make(f_.slots[static_cast<size_t>(slot)].type, Read{slot}); }
  Expr* binary(BinaryOp op, Expr* a, Expr* b) { return make(a->type, Binary{op, a, b}); }
  Expr* add(Expr* a, Expr* b) { return binary(BinaryOp::Add, a, b); }
  Expr* sub(Expr* a, Expr* b) { return binary(BinaryOp::Sub, a, b); }
  Expr* mult(Expr* a, Expr* b) { return binary(BinaryOp::Mult, a, b); }
  Expr* compare(CompareOp op, Expr* a, Expr* b) { return make(types::weak_bool(), Compare{op, a, b}); }
  Expr* cast(CastKind kind, Expr* x, const char* type) { return make(*parse_type(type), Cast{kind, x}); }
  Expr* choose(Expr* cond, Expr* yes, Expr* no) { return make(yes->type, Choose{cond, yes, no}); }
  Expr* check(Expr* cond, int32_t code, std::string message, Expr* x) {
    return make(x->type, Check{cond, code, std::move(message), x});
  }
  Expr* dim(int array, int axis) { return make(types::weak_int(), Dim{read(array), axis}); }
  Expr* load(int array, const std::vector<Expr*>& index) { return load(read(array), index); }
  Expr* load(Expr* array, const std::vector<Expr*>& index) {
    return make(types::strong(array->type->dtype), Load{array, indices(index)});
  }
  Expr* view(Expr* array, std::vector<Axis> axes, const char* type) {
    return make(*parse_type(type), View{array, std::move(axes)});
  }
  Expr* permute(Expr* array, std::vector<int> axes, const char* type) {
    return make(*parse_type(type), Permute{array, std::move(axes)});
  }
  Expr* stride(int array, int axis) { return make(types::weak_int(), Stride{read(array), axis}); }
  Expr* alloc(const char* type, std::vector<Expr*> shape, Fill fill = Fill::Zero) {
    return make(*parse_type(type), Alloc{std::move(shape), fill});
  }
  /// Element by element over arrays in slots, whose elements are in slots of their own.
  Expr* each(std::vector<std::pair<int, int>> inputs, Expr* body, const char* type) {
    Elementwise out;
    for (const auto& [array, element] : inputs)
      out.inputs.push_back({read(array), element});
    out.body = body;
    return make(*parse_type(type), std::move(out));
  }
  Expr* tuple(std::vector<Expr*> items) {
    std::vector<Type> types;
    for (const Expr* e : items)
      types.push_back(e->type);
    return make(types::tuple(std::move(types)), MakeTuple{std::move(items)});
  }
  Expr* item(Expr* tuple, int index) {
    return make(tuple->type->items[static_cast<size_t>(index)], Item{tuple, index});
  }
  Expr* bind(int slot, Expr* value) { return make(value->type, Bind{slot, value}); }
  Expr* call(const Module& module, int function, std::vector<Expr*> args) {
    return make(module.functions[static_cast<size_t>(function)]->result, Call{function, std::move(args)});
  }
  Expr* mpi(const char* routine, std::vector<Expr*> args, const char* type) {
    return make(*parse_type(type), MpiCall{find_routine(routine), std::move(args)});
  }

  // ---- statements ------------------------------------------------------------------------------------

  Stmt* make(Stmt::Node node) { return f_.make(span, std::move(node)); }
  Stmt* assign(int slot, Expr* value) { return make(Assign{slot, value}); }
  Stmt* store(int array, const std::vector<Expr*>& index, Expr* value) {
    return make(Store{read(array), indices(index), value});
  }
  Stmt* evaluate(Expr* value) { return make(Evaluate{value}); }
  Stmt* branch(Expr* cond, Block yes, Block no = {}) { return make(If{cond, std::move(yes), std::move(no)}); }
  Stmt* loop(int slot, Expr* start, Expr* stop, Block body, int64_t step = 1) {
    return make(For{slot, start, stop, number(step), std::move(body), {}, false});
  }
  Stmt* give(Expr* value = nullptr) { return make(Return{value}); }

private:
  static std::vector<Index> indices(const std::vector<Expr*>& values) {
    std::vector<Index> out;
    for (Expr* e : values)
      out.push_back({e});
    return out;
  }

  Function& f_;
};

} // namespace mpijit::jit::ir
