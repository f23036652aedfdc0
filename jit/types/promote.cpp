// NumPy's promotion, computed from kind and size alone; see promote.h.
#include "types/promote.h"

#include <algorithm>
#include <utility>

namespace mpijit::jit {
namespace {

// The families from the least to the most general. Signed and unsigned integers share a rank: which of
// them wins depends on their sizes.
int rank_of(DType d) {
  switch (kind(d)) {
  case 'b': return 0;
  case 'i':
  case 'u': return 1;
  case 'f': return 2;
  default: return 3;
  }
}

// The smallest dtype of a kind with at least so many bytes, or the largest there is. NumPy's int8 with a
// float16-sized float rounds up to float32 this way for as long as the table has no float16.
DType at_least(char kind_wanted, int bytes) {
  std::optional<DType> best;
  for (size_t i = 0; i < std::size(dtype_rows); ++i) {
    DType d = static_cast<DType>(i);
    if (kind(d) != kind_wanted)
      continue;
    bool better = !best || (size(*best) < bytes ? size(d) > size(*best) : size(d) >= bytes && size(d) < size(*best));
    if (better)
      best = d;
  }
  return *best; // every kind has a row
}

// Bytes of the real float that holds a value of d as NumPy sees it: twice the size of an integer, up to 8.
int float_bytes(DType d) {
  switch (kind(d)) {
  case 'b': return 1;
  case 'i':
  case 'u': return std::min(2 * size(d), 8);
  case 'f': return size(d);
  default: return size(d) / 2;
  }
}

DType promote_integers(DType a, DType b) {
  if (kind(a) == kind(b))
    return size(a) >= size(b) ? a : b;
  auto [s, u] = is_signed(a) ? std::pair(a, b) : std::pair(b, a);
  if (size(s) > size(u))
    return s;
  return size(u) < 8 ? at_least('i', 2 * size(u)) : at_least('f', 8);
}

std::optional<Type> join_tuples(Type a, Type b) {
  if (a->items.size() != b->items.size() || a->slice || b->slice) // slices with other parts missing
    return std::nullopt;
  std::vector<Type> items;
  for (size_t i = 0; i < a->items.size(); ++i) {
    std::optional<Type> item = join(a->items[i], b->items[i]);
    if (!item)
      return std::nullopt;
    items.push_back(*item);
  }
  return types::tuple(std::move(items));
}

} // namespace

DType promote(DType a, DType b) {
  if (rank_of(a) < rank_of(b))
    std::swap(a, b);
  if (is_bool(b))
    return a;
  if (is_integer(a))
    return promote_integers(a, b);
  int bytes = std::max(float_bytes(a), float_bytes(b));
  return is_complex(a) ? at_least('c', 2 * bytes) : at_least('f', bytes);
}

Type promote_scalars(Type a, Type b) {
  if (a->weak == b->weak)
    return types::scalar(promote(a->dtype, b->dtype), a->weak);
  if (a->weak)
    std::swap(a, b);
  // a is strong, b is weak. NEP 50: b's value takes a's precision if a's family can hold its kind at all.
  if (rank_of(b->dtype) <= rank_of(a->dtype))
    return a;
  // A float meeting Python's complex keeps its precision; below floats there is none to keep.
  if (is_complex(b->dtype) && is_float(a->dtype))
    return types::strong(at_least('c', 2 * size(a->dtype)));
  return types::strong(b->dtype);
}

Type divide_type(Type promoted) {
  bool stays = is_float(promoted->dtype) || is_complex(promoted->dtype);
  return stays ? promoted : types::scalar(DType::Float64, promoted->weak);
}

Type float_function_type(Type t) {
  if (is_float(t->dtype) || is_complex(t->dtype))
    return t;
  return t->weak ? types::weak_float() : types::strong(at_least('f', 2 * size(t->dtype)));
}

Type part_type(Type complex) { return types::scalar(at_least('f', size(complex->dtype) / 2), complex->weak); }
Type complex_type(Type part) { return types::scalar(at_least('c', 2 * size(part->dtype)), part->weak); }

std::optional<Type> join(Type a, Type b) {
  if (a == b)
    return a;
  auto is_text = [](Type t) { return t->kind == TypeKind::String || t->kind == TypeKind::Literal; };
  if (is_text(a) && is_text(b)) // two texts are one that is known at run time only
    return types::string();
  if (a->kind != b->kind)
    return std::nullopt;
  switch (a->kind) {
  case TypeKind::Scalar: return promote_scalars(a, b);
  case TypeKind::Array: {
    if (a->dtype != b->dtype || a->ndim != b->ndim)
      return std::nullopt;
    Layout layout = a->layout == b->layout ? a->layout : Layout::Strided;
    return types::array(a->dtype, a->ndim, layout, a->readonly || b->readonly);
  }
  case TypeKind::Tuple: return join_tuples(a, b);
  case TypeKind::None:
  case TypeKind::Literal:
  case TypeKind::Static:
  case TypeKind::String:
  case TypeKind::Request:
  case TypeKind::Status:
  case TypeKind::Comm:
  case TypeKind::Operator: return std::nullopt; // these have one type each, which a == b has caught
  }
  return std::nullopt;
}

} // namespace mpijit::jit
