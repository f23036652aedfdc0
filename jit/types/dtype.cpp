// Looking dtypes up in the table; see dtype.h.
#include "types/dtype.h"

#include <iterator>

namespace mpijit::jit {
namespace {

template <class Match> std::optional<DType> first_row(Match match) {
  for (size_t i = 0; i < std::size(dtype_rows); ++i)
    if (match(dtype_rows[i]))
      return static_cast<DType>(i);
  return std::nullopt;
}

} // namespace

std::optional<DType> find_dtype(std::string_view name) {
  return first_row([&](const DTypeRow& r) { return r.name == name; });
}

std::optional<DType> find_dtype(char kind, int size) {
  return first_row([&](const DTypeRow& r) { return r.kind == kind && r.size == size; });
}

double round_to(DType d, double x) {
  if (d != DType::Float32 && d != DType::Complex64)
    return x;
  const float single = static_cast<float>(x);
  return single;
}

} // namespace mpijit::jit
