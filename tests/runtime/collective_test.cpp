// Barrier and allreduce; bcast is in layout_test.cpp. Expected values are computed here, not by MPI.
#include <algorithm>

#include "support.h"

using namespace mpijit::test;

namespace {

struct Row {
  int32_t dtype;
  char kind;
};
constexpr Row rows[] = {
#define DTYPE(name, numpy, kind, size, c_type, mpi) {MPIJIT_##name, #kind[0]},
#include "mpijit/dtypes.inc"
#undef DTYPE
};

struct OperatorRow {
  const char* name;
  int64_t op;
  std::string kinds;
};
const OperatorRow operator_rows[] = {
#define ROUTINE(...)
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(name, mpi, kinds) {#name, MPIJIT_##name, kinds},
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
};

template <typename T> constexpr bool is_complex = false;
template <typename T> constexpr bool is_complex<std::complex<T>> = true;

// Element `place` of rank `rank`; small, so that sums and products are exact in every dtype.
template <typename T> T value(int64_t place, int64_t rank) {
  const auto small = static_cast<int>((place * 2 + rank * 3) % 5);
  if constexpr (is_complex<T>) {
    return T(static_cast<typename T::value_type>(small), static_cast<typename T::value_type>(rank - place % 3));
  } else if constexpr (std::is_same_v<T, bool>) {
    return small % 2;
  } else if constexpr (std::is_unsigned_v<T>) {
    // Some with the highest bit, which a signed comparison takes for negative.
    return static_cast<T>(rank % 2 && place % 2 ? T(~T(0)) - T(small) : T(small));
  } else {
    return static_cast<T>(small - 2);
  }
}

template <typename T> T combine(int64_t op, T a, T b) {
  switch (op) {
  case MPIJIT_SUM:
    if constexpr (!std::is_same_v<T, bool>)
      return static_cast<T>(a + b);
    break;
  case MPIJIT_PROD:
    if constexpr (!std::is_same_v<T, bool>)
      return static_cast<T>(a * b);
    break;
  case MPIJIT_MIN:
    if constexpr (!is_complex<T>)
      return std::min(a, b);
    break;
  case MPIJIT_MAX:
    if constexpr (!is_complex<T>)
      return std::max(a, b);
    break;
  default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
    case MPIJIT_LAND: return a && b;
    case MPIJIT_LOR: return a || b;
    case MPIJIT_LXOR: return !a != !b;
    case MPIJIT_BAND: return static_cast<T>(a & b);
    case MPIJIT_BOR: return static_cast<T>(a | b);
    case MPIJIT_BXOR: return static_cast<T>(a ^ b);
    default: break;
    }
  }
  return a;
}

template <typename T> T expected(int64_t op, int64_t place) {
  T total = value<T>(place, 0);
  for (int64_t rank = 1; rank < mpijit_world.size; ++rank)
    total = combine<T>(op, total, value<T>(place, rank));
  // MPI's logical operators make 0 or 1 when they combine; one rank alone keeps its values.
  return total;
}

template <typename T>
void check_reduction(int32_t dtype, const OperatorRow& row, Layout from, Layout to, bool in_place) {
  Array sent(dtype, from), received(dtype, to);
  Array& source = in_place ? received : sent;
  for (int64_t i = 0; i < source.count(); ++i)
    source.set(i, value<T>(i, mpijit_world.rank));
  ok(mpijit_allreduce(&site, in_place ? nullptr : &sent, &received, row.op, world));
  for (int64_t i = 0; i < received.count(); ++i)
    ASSERT_EQ(received.get<T>(i), (expected<T>(row.op, i)))
        << row.name << " of dtype " << dtype << ", element " << i << ", layouts " << int(from) << " and " << int(to);
}

} // namespace

TEST(Barrier, Returns) {
  for (int i = 0; i < 10; ++i)
    ok(mpijit_barrier(&site, world));
}

TEST(Allreduce, EveryOperatorOfEveryDtype) {
  for (const OperatorRow& row : operator_rows) {
    for (const Row& type : rows) {
      if (row.kinds.find(type.kind) == std::string::npos)
        continue;
      for (const bool in_place : {false, true}) {
        const Layout layout = in_place ? Layout::Reversed : Layout::C;
        switch (type.dtype) {
#define DTYPE(name, numpy, kind, size, c_type, mpi)                                                                    \
  case MPIJIT_##name:                                                                                                  \
    check_reduction<c_type>(type.dtype, row, layout, layout, in_place);                                                \
    break;
#include "mpijit/dtypes.inc"
#undef DTYPE
        }
        if (HasFailure())
          return;
      }
    }
  }
}

TEST(Allreduce, EveryPairOfLayouts) {
  for (const Layout from : all_layouts) {
    for (const Layout to : all_layouts) {
      if (Array(MPIJIT_Bool, from).count() != Array(MPIJIT_Bool, to).count())
        continue;
      check_reduction<double>(MPIJIT_Float64, operator_rows[MPIJIT_SUM], from, to, false);
    }
  }
}

TEST(Allreduce, OfOneViewIsInPlace) {
  for (const Layout layout : all_layouts) {
    Array data(MPIJIT_Int64, layout);
    for (int64_t i = 0; i < data.count(); ++i)
      data.set(i, value<int64_t>(i, mpijit_world.rank));
    const mpijit_array alias = *&data;
    ok(mpijit_allreduce(&site, &alias, &data, MPIJIT_SUM, world));
    for (int64_t i = 0; i < data.count(); ++i)
      ASSERT_EQ(data.get<int64_t>(i), expected<int64_t>(MPIJIT_SUM, i));
  }
}

TEST(Allreduce, SendMayBeReadOnly) {
  Array sent(MPIJIT_Float32, Layout::C), received(MPIJIT_Float32, Layout::C);
  sent->flags = MPIJIT_C_CONTIGUOUS;
  for (int i = 0; i < 12; ++i)
    sent.set(i, 1.0f);
  ok(mpijit_allreduce(&site, &sent, &received, MPIJIT_SUM, world));
  EXPECT_EQ(received.get<float>(11), static_cast<float>(mpijit_world.size));
}
