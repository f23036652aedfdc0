// What the tests of emit share: typed IR built by hand, compiled for this machine and run.
#pragma once

#include "emit/emit.h"
#include "mpijit/runtime.h"
#include "target/target.h"
#include "types/wire.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace emit_test {

using namespace mpijit::jit;

// ---- building ------------------------------------------------------------------------------

using E = ir::Expr*;
using S = ir::Stmt*;

inline const Type Int = types::weak_int(), Float = types::weak_float(), Bool = types::weak_bool(), None = types::none();

/// Builds one typed function by hand. Every node stands on a line of its own number, for the error tests.
struct Build {
  ir::Module module;
  ir::Function* f = nullptr;
  int line = 1;

  Build() { function("kernel"); }
  int function(const std::string& name) {
    module.functions.push_back(std::make_unique<ir::Function>());
    f = module.functions.back().get();
    f->name = name;
    f->file = "kernels.py";
    f->first_line = 1;
    f->result = None;
    return static_cast<int>(module.functions.size()) - 1;
  }
  int parameter(Type t, bool owning = false) {
    const int slot = f->add_slot("p" + std::to_string(f->parameters++), t);
    f->slots[static_cast<size_t>(slot)].owning = owning;
    return slot;
  }
  int local(Type t, bool owning = false) {
    const int slot = f->add_slot("v" + std::to_string(f->slots.size()), t);
    f->slots[static_cast<size_t>(slot)].owning = owning;
    return slot;
  }
  Span here() { return {line, 5, line, 9}; }
  E e(Type t, ir::Expr::Node node) { return f->make(t, here(), std::move(node)); }
  S s(ir::Stmt::Node node) { return f->make(here(), std::move(node)); }
  void add(ir::Stmt::Node node) { f->body.push_back(s(std::move(node))); }

  E i(int64_t v) { return e(Int, ir::Const{v, 0}); }
  E d(double v) { return e(Float, ir::Const{0, v}); }
  E truth(bool v) { return e(Bool, ir::Const{v, 0}); }
  E read(int slot) { return e(f->slots[static_cast<size_t>(slot)].type, ir::Read{slot}); }
  E op(ir::BinaryOp o, E a, E b) { return e(a->type, ir::Binary{o, a, b}); }
  E plus(E a, E b) { return op(ir::BinaryOp::Add, a, b); }
  E minus(E a, E b) { return op(ir::BinaryOp::Sub, a, b); }
  E times(E a, E b) { return op(ir::BinaryOp::Mult, a, b); }
  E compare(ir::CompareOp o, E a, E b) { return e(Bool, ir::Compare{o, a, b}); }
  E less(E a, E b) { return compare(ir::CompareOp::Lt, a, b); }
  E cast(ir::CastKind kind, Type t, E x) { return e(t, ir::Cast{kind, x}); }
  E dim(int slot, int axis) { return e(Int, ir::Dim{read(slot), axis}); }
  E load(int slot, std::vector<ir::Index> index, int scope = -1) {
    const Type t = f->slots[static_cast<size_t>(slot)].type;
    return e(types::strong(t->dtype), ir::Load{read(slot), std::move(index), scope});
  }
  E alloc(Type t, std::vector<E> shape, ir::Fill fill = ir::Fill::Zero) {
    return e(t, ir::Alloc{std::move(shape), fill});
  }
  E ones(Type t, std::vector<E> shape) {
    ir::Elementwise out;
    for (size_t k = 0; k < shape.size(); ++k)
      out.index.push_back(local(Int));
    out.shape = std::move(shape);
    out.body = e(types::strong(t->dtype), ir::Const{1, 1});
    return e(t, std::move(out));
  }
  E tuple(std::vector<E> items) {
    std::vector<Type> types;
    for (E x : items)
      types.push_back(x->type);
    return e(types::tuple(types), ir::MakeTuple{std::move(items)});
  }
  S assign(int slot, E value) { return s(ir::Assign{slot, value}); }
  S store(int slot, std::vector<ir::Index> index, E value, int scope = -1) {
    return s(ir::Store{read(slot), std::move(index), value, scope});
  }
  S range(int slot, E start, E stop, E step, ir::Block body, ir::Block orelse = {}, bool cold = false) {
    return s(ir::For{slot, start, stop, step, std::move(body), std::move(orelse), cold});
  }
  S give(E value) { return s(ir::Return{value}); }
  void returns(E value) {
    f->result = value->type;
    f->body.push_back(give(value));
  }
};

/// The five-point stencil v[i, j] = (u[i-1, j] + u[i+1, j] + u[i, j-1] + u[i, j+1]) * 0.25 as the bounds pass leaves
/// it.
inline void stencil(Build& b, Type array) {
  const int u = b.parameter(array), v = b.parameter(array), i = b.local(Int), j = b.local(Int);
  const auto nest = [&](bool fast) {
    const auto at = [&](int di, int dj) -> std::vector<ir::Index> {
      E x = di ? b.plus(b.read(i), b.i(di)) : b.read(i), y = dj ? b.plus(b.read(j), b.i(dj)) : b.read(j);
      return {{x, !fast, !fast}, {y, !fast, !fast}};
    };
    const int su = fast ? u : -1, sv = fast ? v : -1;
    E sum = b.plus(b.plus(b.plus(b.load(u, at(-1, 0), su), b.load(u, at(1, 0), su)), b.load(u, at(0, -1), su)),
                   b.load(u, at(0, 1), su));
    E quarter = b.e(types::strong(DType::Float64), ir::Const{0, 0.25});
    S inner = b.range(j, b.i(1), b.minus(b.dim(u, 1), b.i(1)), b.i(1),
                      {b.store(v, at(0, 0), b.times(sum, quarter), sv)}, {}, !fast);
    return b.range(i, b.i(1), b.minus(b.dim(u, 0), b.i(1)), b.i(1), {inner}, {}, !fast);
  };
  ir::Nest n;
  const auto test = [&](int a, int axis, int shift) {
    E low = b.plus(b.i(1), b.i(shift)), high = b.plus(b.minus(b.minus(b.dim(u, axis), b.i(1)), b.i(1)), b.i(shift));
    n.ranges.push_back({b.read(a), axis, low, high});
  };
  for (int axis : {0, 1}) {
    for (int shift : {-1, 0, 1})
      test(u, axis, shift);
    test(v, axis, 0);
  }
  n.apart.push_back({u, v});
  n.fast = {nest(true)};
  n.cold = {nest(false)};
  b.add(std::move(n));
}

// ---- running ------------------------------------------------------------------------------------------

using Words = std::vector<int64_t>;
using Entry = int32_t (*)(const int64_t*, int64_t*);

struct Outcome {
  int32_t status = 0;
  Words words;
  mpijit_error error{};

  double real(size_t k = 0) const { return std::bit_cast<double>(words[k]); }
  std::string message() const { return error.message; }
};

/// A compiled kernel.
struct Kernel {
  Entry entry;
  size_t result_words;

  explicit Kernel(const Build& b, int level = 2)
      : result_words(static_cast<size_t>(wire_words(b.module.functions[0]->result))) {
    auto context = std::make_unique<llvm::LLVMContext>();
    Cpu& cpu = Cpu::host();
    auto module = emit(b.module, *context, "entry", cpu.layout(), cpu.triple(), 0);
    cpu.optimise(*module, level);
    entry = reinterpret_cast<Entry>(cpu.link(std::move(module), std::move(context), "entry"));
  }
  Outcome operator()(const Words& arguments = {}) const {
    Outcome o;
    o.words.resize(result_words + 1);
    o.status = entry(arguments.data(), o.words.data());
    if (o.status)
      mpijit_error_take(&o.error);
    return o;
  }
};

template <class T> int64_t word(T x) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(x);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<int64_t>(x);
  else
    return static_cast<int64_t>(x);
}
template <class T> T value(int64_t w) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<int32_t>(w));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(w);
  else
    return static_cast<T>(w);
}

/// A C-contiguous array of the test's own, and its words.
template <class T> struct Host {
  std::vector<T> data;
  std::vector<int64_t> shape;

  Host(std::vector<int64_t> s, T fill = T()) : shape(std::move(s)) {
    size_t n = 1;
    for (int64_t d : shape)
      n *= static_cast<size_t>(d);
    data.assign(n, fill);
  }
  void append(Words& w) {
    w.push_back(reinterpret_cast<int64_t>(data.data()));
    w.insert(w.end(), shape.begin(), shape.end());
    std::vector<int64_t> strides(shape.size());
    int64_t stride = sizeof(T);
    for (size_t k = shape.size(); k-- > 0; stride *= shape[k])
      strides[k] = stride;
    w.insert(w.end(), strides.begin(), strides.end());
    w.push_back(0);
  }
};
template <class... A> Words words(A&&... a) {
  Words w;
  const auto add = [&](auto& x) {
    if constexpr (requires { x.append(w); })
      x.append(w);
    else
      w.push_back(word(x));
  };
  (add(a), ...);
  return w;
}

inline constexpr DType dtype_of(int8_t) { return DType::Int8; }
inline constexpr DType dtype_of(int16_t) { return DType::Int16; }
inline constexpr DType dtype_of(int32_t) { return DType::Int32; }
inline constexpr DType dtype_of(int64_t) { return DType::Int64; }
inline constexpr DType dtype_of(uint8_t) { return DType::UInt8; }
inline constexpr DType dtype_of(uint16_t) { return DType::UInt16; }
inline constexpr DType dtype_of(uint32_t) { return DType::UInt32; }
inline constexpr DType dtype_of(uint64_t) { return DType::UInt64; }
inline constexpr DType dtype_of(float) { return DType::Float32; }
inline constexpr DType dtype_of(double) { return DType::Float64; }

inline const Type Vector = types::array(DType::Float64, 1, Layout::C),
                  Strided = types::array(DType::Float64, 1, Layout::Strided);
using Op = ir::BinaryOp;
using Cmp = ir::CompareOp;

} // namespace emit_test
