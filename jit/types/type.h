// Types of kernel values. Interned: equal types are the same pointer, for the life of the process.
//
// A scalar is weak (Python's own int, float, complex, bool: int64, float64 ... inside) or strong (a NumPy scalar
// or an array's element). Text form, used in signatures, tests and across the seam to Python:
//
//   int float bool complex      weak scalars            float32 int8 ...   strong scalars
//   float64[:, ::1]             a C-contiguous array    float64[:, :]      any strides
//   const float64[:]            a read-only array       float64[]          0-d (always C)
//   (int, float32[:])  (int,)  ()   tuples              none str request status comm operator
//   slice(none, int, none)      a slice: start, stop and step
//   "periodic"                  a string known at compile time
//   <kernel 3>  <function "math.sin">  <dtype "float32">  <ellipsis>   any other thing known at compile time
//
// NumPy calls the strong bool `bool` too; as a scalar it is written `bool_` here, as in np.bool_.
#pragma once

#include "types/dtype.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpijit::jit {

enum class TypeKind : uint8_t { None, Scalar, Array, Tuple, String, Request, Status, Comm, Operator, Literal, Static };
enum class Layout : uint8_t { Strided, C }; // C: the strides follow from the shape

struct TypeNode;
using Type = const TypeNode*;

struct TypeNode {
  TypeKind kind = TypeKind::None;
  DType dtype = DType::Bool; // Scalar, Array
  bool weak = false;         // Scalar
  int ndim = 0;              // Array
  Layout layout = Layout::Strided;
  bool readonly = false;        // Array
  std::vector<Type> items = {}; // Tuple
  bool slice = false;           // Tuple: it is a slice, which only inference tells from a tuple of its three parts
  std::string text = {};        // Literal: the string; Static: a function, kernel or dtype in read.h's form

  bool is_scalar() const { return kind == TypeKind::Scalar; }
  bool is_array() const { return kind == TypeKind::Array; }
  bool is_tuple() const { return kind == TypeKind::Tuple && !slice; }
  bool is_slice() const { return slice; }
  bool has_items() const { return kind == TypeKind::Tuple; }
  /// The type says which value it is, so there is none at run time.
  bool is_fixed() const { return kind == TypeKind::Literal || kind == TypeKind::Static; }
  bool is_none() const { return kind == TypeKind::None; }
  bool is_weak_int() const { return is_scalar() && weak && dtype == DType::Int64; }
  bool is_bool() const { return is_scalar() && dtype == DType::Bool; }
  bool is_integer() const { return is_scalar() && jit::is_integer(dtype); }
  bool is_float() const { return is_scalar() && jit::is_float(dtype); }
  bool is_complex() const { return is_scalar() && jit::is_complex(dtype); }
};

namespace types {
Type none();
Type weak_bool();
Type weak_int();
Type weak_float();
Type weak_complex();
Type strong(DType d);
Type scalar(DType d, bool weak);
Type array(DType d, int ndim, Layout layout, bool readonly = false);
Type tuple(std::vector<Type> items);
Type slice(Type start, Type stop, Type step); // weak ints or none
Type string();
Type literal(std::string value);
Type fixed(std::string constant);
Type request();
Type status();
Type comm();
Type op();
} // namespace types

std::string to_string(Type t);
/// Reads the text form; nullopt when it is not one.
std::optional<Type> parse_type(std::string_view text);

/// Is the value, or a part of it, a function, a kernel, a dtype or an Ellipsis?
bool holds_static(Type t);
/// Does the value, or a part of it, refer to array memory (and so may own a block)?
bool holds_array(Type t);

} // namespace mpijit::jit
