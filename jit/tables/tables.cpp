// The tables themselves; see tables.h.
#include "tables/tables.h"

#include <algorithm>
#include <iterator>

#include "mpijit/runtime.h"

#include <cstdlib>

namespace mpijit::jit {
namespace {

constexpr RoutineRow routines[] = {
#define P(kind, name, fallback)                                                                                        \
  ParamRow { ParamKind::kind, #name, Default::fallback }
#define ROUTINE(name, effect, result, doc, ...) {#name, Effect::effect, ResultKind::result, doc, {__VA_ARGS__}},
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(name, mpi, kinds)
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
#undef P
};

constexpr OperatorRow operators[] = {
#define ROUTINE(...)
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(name, mpi, kinds) {#name, kinds},
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
};

constexpr MathRow math_rows[] = {
#define MATH(name, arity, operand, result, lowering, symbol)                                                           \
  {#name, arity, MathOperand::operand, MathResult::result, MathLowering::lowering, symbol},
#include "tables/math.inc"
#undef MATH
};

constexpr MathRow complex_rows[] = {
#define COMPLEX(name, arity, operand, result, lowering, symbol)                                                        \
  {#name, arity, MathOperand::operand, MathResult::result, MathLowering::lowering, symbol},
#include "tables/complex.inc"
#undef COMPLEX
};

constexpr std::string_view errors[] = {
#define ERROR(name, python) #python,
#include "mpijit/errors.inc"
#undef ERROR
};

template <class... C> constexpr std::array<char, sizeof...(C) + 1> characters(C... c) { return {c..., '\0'}; }

constexpr char p = 'p', i = 'i', l = 'l', d = 'd', v = 'v';
#define SUPPORT(symbol, result, doc, ...) constexpr auto arguments_##symbol = characters(__VA_ARGS__);
#include "mpijit/support.inc"
#undef SUPPORT
constexpr SupportRow support_rows[] = {
#define SUPPORT(symbol, result, doc, ...) {#symbol, result, arguments_##symbol.data()},
#include "mpijit/support.inc"
#undef SUPPORT
};
[[maybe_unused]] constexpr char unused[] = {p, i, l, d, v};

template <class Rows> auto* find(const Rows& rows, std::string_view name) {
  for (const auto& r : rows)
    if (r.name == name)
      return &r;
  return static_cast<decltype(&rows[0])>(nullptr);
}

} // namespace

const RoutineRow* find_routine(std::string_view name) { return find(routines, name); }

bool is_operator(int64_t handle) { return handle >= 0 && handle < static_cast<int64_t>(std::size(operators)); }
const OperatorRow& operator_row(int64_t handle) { return operators[handle]; }

int64_t default_value(Default d) {
  switch (d) {
  case Default::AnySource: return mpijit_constant(MPIJIT_ANY_SOURCE);
  case Default::AnyTag: return mpijit_constant(MPIJIT_ANY_TAG);
  case Default::Sum: return MPIJIT_SUM;
  case Default::World: return MPIJIT_COMM_WORLD;
  case Default::Required:
  case Default::Zero:
  case Default::Absent: return 0;
  }
  return 0;
}

namespace {

constexpr ReductionRow reduction_rows[] = {
#define REDUCTION(name, operation, result, empty) {#name, Reduction::operation, ReductionResult::result, empty},
#include "tables/reductions.inc"
#undef REDUCTION
};

} // namespace

const ReductionRow* find_reduction(std::string_view name) {
  const auto* row = std::find_if(std::begin(reduction_rows), std::end(reduction_rows),
                                 [&](const ReductionRow& r) { return r.name == name; });
  return row == std::end(reduction_rows) ? nullptr : row;
}

std::vector<std::string_view> reduction_names() {
  std::vector<std::string_view> names;
  for (const ReductionRow& row : reduction_rows)
    names.push_back(row.name);
  return names;
}

const MathRow* find_math(std::string_view name, int arity) {
  const MathRow* same_name = nullptr;
  for (const MathRow& r : math_rows) {
    if (r.name != name)
      continue;
    if (r.arity == arity)
      return &r;
    same_name = &r;
  }
  return same_name;
}

const MathRow* find_complex_math(std::string_view name) { return find(complex_rows, name); }

int32_t find_error(std::string_view python_name) {
  for (size_t k = 0; k < std::size(errors); ++k)
    if (errors[k] == python_name)
      return static_cast<int32_t>(k) + 1;
  return 0;
}
std::string_view error_name(int32_t code) { return errors[code - 1]; }
int32_t error_count() { return static_cast<int32_t>(std::size(errors)); }

const SupportRow& support(std::string_view symbol) {
  for (const SupportRow& r : support_rows)
    if (r.symbol == symbol)
      return r;
  std::abort(); // a name that is not in support.inc is a mistake in this program
}

} // namespace mpijit::jit
