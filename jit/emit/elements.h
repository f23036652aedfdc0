// Element-wise code: the inputs of an ir::Elementwise once they are evaluated, the shape they broadcast to, and loop
// nests over it. Shared by what makes a new array, stores into one and reduces one.
#pragma once

#include "emit/emitter.h"
#include "ir/effects.h"

#include <vector>

namespace mpijit::jit {

/// An array in a nest: where its first element is, and how far the next one on each axis. dtype gives the element.
struct Walk {
  DType dtype;
  Leaf data;
  Leaves strides; // bytes
};

/// What the loops of a nest are to become.
struct LoopKind {
  bool is_cold = false;                // small code, no vectorisation
  llvm::MDNode* independent = nullptr; // the access group of loads and stores that no two iterations share
};

/// A loop nest over lengths, the first axis outermost; calls body once, for the innermost block, with the address of
/// each walk's element and the counter of each axis. Without axes it is straight code.
using ElementBody = llvm::function_ref<void(llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters)>;
void each_element(Emitter& e, llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, LoopKind kind,
                  ElementBody body);

/// The nest without its innermost loop: body gets the walks along the last axis and the counters of the others.
using LineBody = llvm::function_ref<void(llvm::ArrayRef<Walk> line, llvm::ArrayRef<Leaf> counters)>;
void each_line(Emitter& e, llvm::ArrayRef<Leaf> lengths, llvm::ArrayRef<Walk> walks, LoopKind kind, LineBody body);
/// The line from its element number `by` on.
std::vector<Walk> moved_along(Emitter& e, llvm::ArrayRef<Walk> line, Leaf by);
/// All axes as one, of arrays that are runs of elements.
void join_axes(Emitter& e, Leaves& lengths, std::vector<Walk>& walks);

/// Facts of one nest for its loads and stores. Null: nothing is known.
struct StoreScope {
  llvm::MDNode* target = nullptr;      // alias scope of what is stored to; what is loaded is something else
  llvm::MDNode* independent = nullptr; // access group: an element is stored once, and read before or not at all
};

class Elements {
public:
  /// Evaluates the inputs, and what does not differ between elements.
  Elements(Emitter& e, const ir::Elementwise& source, Place at);
  ~Elements();
  Elements(const Elements&) = delete;

  struct Array {
    const ir::Input* input;
    Value value;
    bool is_target = false; // the very view that is stored to
  };
  std::vector<Array> arrays;

  /// Finds the shape of the result with ndim axes; that of target, if there is one. only_plain: lengths hold where
  /// plain does, and valid is not asked.
  void broadcast(size_t ndim, const Value* target, bool only_plain = false);
  Leaves lengths;
  Leaf plain = nullptr; // every array has these lengths, but for axes known to have length 1
  Leaf valid = nullptr; // every array has them or broadcasts to them

  /// Raises ValueError unless good. target: of the store that this is for.
  void require(Leaf good, const Value* target, bool strict);

  /// Emits what code gives for plain and for the other case, each for when it holds; one of them alone where that is
  /// known, and only the other one in code that is to stay small.
  void versions(llvm::function_ref<void(bool is_plain)> code);

  /// Are all arrays C-contiguous and of all axes, so that in the plain version they are runs of elements?
  bool is_dense() const;
  /// The arrays in the nest. plain: by their own strides; else 0 where a length is 1.
  std::vector<Walk> walks(bool plain);
  /// The element of the result whose inputs are at these addresses.
  Leaf element(llvm::ArrayRef<Leaf> addresses, llvm::ArrayRef<Leaf> counters, StoreScope scope = {});
  bool uses_index() const { return !source_.index.empty(); }
  bool may_raise() const { return ir::may_raise(source_); }

private:
  void hoist_invariants();
  void hoist(const ir::Expr& e, const std::set<int>& varying);
  Leaf length(const Array& a, size_t axis) const;
  size_t ndim_of(const Array& a) const { return static_cast<size_t>(a.value.type->ndim); }
  Leaf store_lengths(llvm::ArrayRef<Leaf> lengths, const char* name);

  Emitter& e_;
  llvm::IRBuilder<>& b_;
  const ir::Elementwise& source_;
  const Place at_;
  std::vector<const ir::Let*> lets_; // evaluated for each element
  std::vector<const ir::Expr*> hoisted_;
};

/// sum.cpp: a Reduce that adds in order (see ir::adds_in_order).
Value add_terms(Emitter& e, const ir::Reduce& r, Type t, Place at);

/// What is left of these lengths by a Reduce.
Leaves reduced_shape(Emitter& e, const ir::Reduce& r, llvm::ArrayRef<Leaf> lengths);
/// Gives the Reduce's slot, if it has one, the number of elements that go into each result.
void count_elements(Emitter& e, const ir::Reduce& r, llvm::ArrayRef<Leaf> lengths);
Leaf product_of(Emitter& e, llvm::ArrayRef<Leaf> lengths);

bool is_constant(Leaf x, int64_t value);
bool is_true(Leaf x);

} // namespace mpijit::jit
