// NumPy 2's type rules (NEP 50) for scalars: which type two operands meet in, and where types join when
// control flow meets. Pure functions on types; refusals are the caller's business.
#pragma once

#include "types/type.h"

#include <optional>

namespace mpijit::jit {

/// NumPy's promotion of two dtypes (np.promote_types).
DType promote(DType a, DType b);

/// The scalar type two scalar operands of an arithmetic operator are brought to: weak with strong gives
/// the strong kind when the weak kind is not above it, else the default dtype of the weak kind promoted
/// (NumPy: int32 + 1.5 is float64, float32 + 1.5 is float32). Two weak scalars give a weak one; two bools
/// stay bool, as in np.result_type: an operator that makes an int of them (True + True) says so itself.
Type promote_scalars(Type a, Type b);

/// The dtype true division computes in: floats stay, integers and bool go to float64 (row 45 of the
/// language: also for 8-bit integers).
Type divide_type(Type promoted);

/// The type in which a transcendental function of a scalar computes: float32 for float32 and for NumPy's
/// float16 cases (bool and 8-bit integers), float32 for 16-bit integers, float64 else; weak stays weak.
Type float_function_type(Type t);

/// The type of a complex type's parts, and the complex type with parts of a float type; weak stays weak.
Type part_type(Type complex);
Type complex_type(Type part);

/// Where control flow meets: NumPy promotion within a kind, weak with strong gives strong, int with float
/// gives float, C-contiguous with strided gives strided, read-only with writeable gives read-only, two strings a
/// run-time string, tuples item by item. nullopt: the two do not join.
std::optional<Type> join(Type a, Type b);

} // namespace mpijit::jit
