// The dtypes of runtime/dtypes.inc as the compiler sees them: kind, size, name. No promotion here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mpijit::jit {

enum class DType : uint8_t {
#define DTYPE(name, numpy, kind, size, c_type, mpi) name,
#include "mpijit/dtypes.inc"
#undef DTYPE
};

struct DTypeRow {
  std::string_view name; // NumPy's
  char kind;             // b i u f c
  int size;              // bytes
};

inline constexpr DTypeRow dtype_rows[] = {
#define DTYPE(name, numpy, kind, size, c_type, mpi) {#numpy, #kind[0], size},
#include "mpijit/dtypes.inc"
#undef DTYPE
};

constexpr const DTypeRow& row(DType d) { return dtype_rows[static_cast<size_t>(d)]; }
constexpr char kind(DType d) { return row(d).kind; }
constexpr int size(DType d) { return row(d).size; }
constexpr bool is_bool(DType d) { return kind(d) == 'b'; }
constexpr bool is_integer(DType d) { return kind(d) == 'i' || kind(d) == 'u'; }
constexpr bool is_signed(DType d) { return kind(d) == 'i'; }
constexpr bool is_float(DType d) { return kind(d) == 'f'; }
constexpr bool is_complex(DType d) { return kind(d) == 'c'; }

/// The dtype with NumPy's name for it, or of a kind and size.
std::optional<DType> find_dtype(std::string_view name);
std::optional<DType> find_dtype(char kind, int size);

/// x as a number of dtype d has it: to single precision for float32 and complex64. (GCC 12 at -O3 drops the rounding
/// where it can inline this into code that chooses between the two.)
double round_to(DType d, double x);

} // namespace mpijit::jit
