// The tables of meaning as the compiler reads them: MPI routines and operators (the runtime's), math
// functions, errors, support functions. Data only; what a row means is written in its .inc.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace mpijit::jit {

// ---- MPI ---------------------------------------------------------------------------------------------

enum class Effect : uint8_t { Pure, Communicates, Starts, Completes };
enum class ResultKind : uint8_t { None, Int, Float, Status, Request, Reduced };
enum class ParamKind : uint8_t {
  In,
  InOrSelf,
  Out,
  InOut,
  Dest,
  Source,
  Root,
  SendTag,
  RecvTag,
  Op,
  Comm,
  Request,
  Requests
};
enum class Default : uint8_t { Required, Zero, AnySource, AnyTag, Absent, Sum, World };

struct ParamRow {
  ParamKind kind{};
  std::string_view name;
  Default fallback{};
};
struct RoutineRow {
  std::string_view name;
  Effect effect;
  ResultKind result;
  std::string_view doc;
  std::array<ParamRow, 8> params; // ends at the first empty name
  int param_count() const {
    int n = 0;
    while (n < 8 && !params[static_cast<size_t>(n)].name.empty())
      ++n;
    return n;
  }
};
struct OperatorRow {
  std::string_view name;
  std::string_view kinds;
};

const RoutineRow* find_routine(std::string_view name); // null: no such routine
const OperatorRow& operator_row(int64_t handle);
bool is_operator(int64_t handle);
/// The library's value of AnySource or AnyTag, or the plain value of the other defaults.
int64_t default_value(Default d);

// ---- math --------------------------------------------------------------------------------------------

enum class MathLowering : uint8_t { Intrinsic, Libm, Special };
enum class MathResult : uint8_t { Float, Int, Bool, Complex };
/// In what type a row computes: Float (double, or float for float32 operands), Int (weak int), Complex
enum class MathOperand : uint8_t { Float, Int, Complex };
struct MathRow {
  std::string_view name; // of Python's math or cmath
  int arity;
  MathOperand operand;
  MathResult result;
  MathLowering lowering;
  std::string_view symbol; // llvm.* intrinsic, libm name, or what emit calls it
};
/// The row of that name and arity; of the name alone when none has the arity; null: no such function.
const MathRow* find_math(std::string_view name, int arity);
/// The row of complex.inc of that name; null: no such function of complex numbers.
const MathRow* find_complex_math(std::string_view name);

// ---- reductions --------------------------------------------------------------------------------------

enum class Reduction : uint8_t { Sum, Prod, Min, Max, Any, All, ArgMin, ArgMax };
enum class ReductionResult : uint8_t { Sum, Same, Truth, Index };
struct ReductionRow {
  std::string_view name;
  Reduction operation;
  ReductionResult result;
  std::string_view empty;
};
const ReductionRow* find_reduction(std::string_view name); // null: no such reduction
std::vector<std::string_view> reduction_names();

// ---- errors and support -------------------------------------------------------------------------------

/// The code of the error that Python calls so; 0: not one of errors.inc.
int32_t find_error(std::string_view python_name);
std::string_view error_name(int32_t code); // 1 <= code <= error_count()
int32_t error_count();

struct SupportRow {
  std::string_view symbol;
  char result;
  std::string_view arguments; // one character each
};
const SupportRow& support(std::string_view symbol);

} // namespace mpijit::jit
