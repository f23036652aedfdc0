// Sums of arrays over any of their axes, with the bits of NumPy 2.4's np.sum. The order is the one in which NumPy's
// iterator and its inner loop add (found by experiment; tests/python/test_sums.py compares):
//
// - Axes of length 1 are dropped, the others sorted by the input's |stride|, and reduced neighbours that form one
//   regular axis joined.
// - If the innermost axis is kept, terms are added to the result one by one, in the order of the nest.
// - Otherwise the run of reduced axes from the innermost outwards is cut into blocks, and each block's pairwise sum is
//   added to the result. A block is a whole row if there is only one axis and no cast; else as many terms as NumPy's
//   buffer takes.
#include <algorithm>
#include <complex>
#include <cstdlib>
#include <cstring>

#include "array.h"
#include "pairwise.h"

namespace mpijit::rt {
namespace {

constexpr int64_t buffer_terms = 8192; // NumPy's default

struct Axis {
  int64_t length, in, out; // strides; out is 0 on a reduced axis
  bool reduced;
};

// The axes of a sum, innermost first.
struct Nest {
  int count = 0;
  Axis axes[max_dimensions];

  Nest(const mpijit_array& a, uint64_t reduced, const mpijit_array& result) {
    int32_t result_axis = result.ndim;
    for (int32_t i = a.ndim - 1; i >= 0; --i) {
      const bool is_reduced = reduced >> i & 1;
      const int64_t out = is_reduced ? 0 : result.strides[--result_axis];
      insert({a.shape[i], a.shape[i] == 1 ? 0 : a.strides[i], out, is_reduced});
    }
    int joined = 0;
    for (int i = 0; i < count; ++i) {
      const Axis axis = axes[i];
      if (axis.length == 1)
        continue;
      Axis& inner = axes[std::max(joined - 1, 0)];
      if (joined && axis.reduced && inner.reduced && inner.length * inner.in == axis.in)
        inner.length *= axis.length;
      else
        axes[joined++] = axis;
    }
    count = joined;
    if (count == 0)
      axes[count++] = {1, 0, 0, true};
  }

  // How many axes from the innermost outwards are reduced.
  int run() const {
    return static_cast<int>(std::find_if(axes, axes + count, [](const Axis& axis) { return !axis.reduced; }) - axes);
  }

private:
  // Axes come from the last to the first. One moves inwards past those of larger stride; a stride of 0 decides nothing.
  void insert(const Axis& axis) {
    int place = count;
    for (int i = count - 1; i >= 0; --i) {
      if (axes[i].in == 0 || axis.in == 0)
        continue;
      if (std::abs(axes[i].in) <= std::abs(axis.in))
        break;
      place = i;
    }
    std::copy_backward(axes + place, axes + count, axes + count + 1);
    axes[place] = axis;
    ++count;
  }
};

// Terms per block, and the multiple of terms at which a block ends early.
struct Blocks {
  int64_t length, span;

  Blocks(const Nest& nest, int run, bool cast) {
    const int64_t row = nest.axes[0].length;
    length = span = row;
    if (cast && row >= buffer_terms) {
      length = buffer_terms;
    } else if (run > 1 && (cast || row <= buffer_terms)) {
      int64_t core = 1;
      for (int i = 1; i < run && span < buffer_terms; ++i) {
        core = span;
        span *= nest.axes[i].length;
      }
      length = std::min(span, core * (buffer_terms / core));
    }
  }
};

// ---- numbers ----

template <class T> inline constexpr bool is_complex = false;
template <class Real> inline constexpr bool is_complex<std::complex<Real>> = true;

template <class To, class From> To convert(const From& value) {
  if constexpr (is_complex<From>)
    return To(static_cast<typename To::value_type>(value.real()), static_cast<typename To::value_type>(value.imag()));
  else if constexpr (is_complex<To>)
    return To(static_cast<typename To::value_type>(value), 0);
  else
    return static_cast<To>(value);
}

template <class T> inline constexpr int64_t leaf_terms = is_complex<T> ? leaf_reals / 2 : leaf_reals;

template <class T> T leaf(const T* terms, int64_t count) {
  if constexpr (is_complex<T>) {
    using Real = typename T::value_type;
    const Pair<Real> sum = sum_complex_leaf(reinterpret_cast<const Real*>(terms), 2 * count);
    return {sum.re, sum.im};
  } else {
    return sum_leaf(terms, count);
  }
}

// ---- the sum of terms From, added as To ----

template <class From, class To> class Summation {
public:
  Summation(const mpijit_array& a, uint64_t reduced, const mpijit_array& out)
      : nest_(a, reduced, out), run_(nest_.run()), in_(static_cast<const char*>(a.data)),
        out_(static_cast<char*>(out.data)) {}

  void add_all() {
    if (run_ > 0)
      add_blocks();
    else
      add_term_by_term();
  }

private:
  static To term(const char* place) {
    From value;
    std::memcpy(&value, place, sizeof value);
    return convert<To>(value);
  }

  static void add(char* place, const To& value) {
    To sum;
    std::memcpy(&sum, place, sizeof sum);
    sum += value;
    std::memcpy(place, &sum, sizeof sum);
  }

  // Moves in_ and out_ to the next index of the axes from `first` outwards; false after the last.
  bool advance(int first) {
    for (int i = first; i < nest_.count; ++i) {
      const Axis& axis = nest_.axes[i];
      in_ += axis.in;
      out_ += axis.out;
      if (++index_[i] < axis.length)
        return true;
      in_ -= axis.in * axis.length;
      out_ -= axis.out * axis.length;
      index_[i] = 0;
    }
    return false;
  }

  void add_term_by_term() {
    const Axis inner = nest_.axes[0];
    do {
      if (inner.in == sizeof(From) && inner.out == sizeof(To)) {
        const From* terms = reinterpret_cast<const From*>(in_);
        To* sums = reinterpret_cast<To*>(out_);
        for (int64_t i = 0; i < inner.length; ++i)
          sums[i] += convert<To>(terms[i]);
      } else {
        for (int64_t i = 0; i < inner.length; ++i)
          add(out_ + i * inner.out, term(in_ + i * inner.in));
      }
    } while (advance(1));
  }

  void add_blocks() {
    const Blocks blocks(nest_, run_, !std::is_same_v<From, To>);
    int64_t terms = 1;
    for (int i = 0; i < run_; ++i)
      terms *= nest_.axes[i].length;
    do {
      place_ = in_;
      std::fill_n(at_, run_, int64_t{0});
      for (int64_t span = 0; span < terms; span += blocks.span)
        for (int64_t done = 0; done < blocks.span; done += blocks.length)
          add(out_, pairwise(std::min(blocks.length, blocks.span - done)));
    } while (advance(run_));
  }

  // Of the next count terms of the run.
  To pairwise(int64_t count) {
    if constexpr (std::is_integral_v<To>) {
      return in_any_order(count);
    } else {
      if (count <= leaf_terms<To>)
        return next_leaf(count);
      const int64_t reals = is_complex<To> ? 2 : 1;
      const int64_t half = count * reals / 2 / 8 * 8 / reals;
      const To left = pairwise(half);
      return left + pairwise(count - half);
    }
  }

  To in_any_order(int64_t count) {
    const Axis& row = nest_.axes[0];
    To sum = 0;
    while (count > 0) {
      const int64_t here = std::min(count, row.length - at_[0]);
      if (row.in == sizeof(From)) {
        const From* terms = reinterpret_cast<const From*>(place_);
        for (int64_t i = 0; i < here; ++i)
          sum += convert<To>(terms[i]);
      } else {
        for (int64_t i = 0; i < here; ++i)
          sum += term(place_ + i * row.in);
      }
      count -= here;
      skip(here);
    }
    return sum;
  }

  To next_leaf(int64_t count) {
    const Axis& row = nest_.axes[0];
    if constexpr (std::is_same_v<From, To>) {
      if (row.in == sizeof(To) && row.length - at_[0] >= count) {
        const char* terms = place_;
        skip(count);
        return leaf(reinterpret_cast<const To*>(terms), count);
      }
    }
    if constexpr (!is_complex<To>) {
      if (row.length - at_[0] >= count) {
        const char* place = place_;
        skip(count);
        return sum_leaf_of<To>([place, step = row.in](int64_t i) { return term(place + i * step); }, count);
      }
    }
    To terms[leaf_terms<To>];
    for (int64_t filled = 0; filled < count;) {
      const int64_t here = std::min(count - filled, row.length - at_[0]);
      for (int64_t i = 0; i < here; ++i)
        terms[filled + i] = term(place_ + i * row.in);
      filled += here;
      skip(here);
    }
    return leaf(terms, count);
  }

  // Moves within the run by count terms, at most to the end of the row.
  void skip(int64_t count) {
    place_ += count * nest_.axes[0].in;
    at_[0] += count;
    for (int i = 0; i < run_ && at_[i] == nest_.axes[i].length; ++i) {
      place_ -= nest_.axes[i].in * nest_.axes[i].length;
      at_[i] = 0;
      if (i + 1 < run_) {
        place_ += nest_.axes[i + 1].in;
        ++at_[i + 1];
      }
    }
  }

  Nest nest_;
  int run_;
  const char* in_;
  char* out_;
  int64_t index_[max_dimensions] = {}; // of the axes outside the run, or outside the innermost
  const char* place_ = nullptr;        // of the next term of the run
  int64_t at_[max_dimensions];         // its index
};

template <class From> void sum_as(const mpijit_array& a, uint64_t reduced, const mpijit_array& out) {
  const Dtype& dtype = dtypes[out.dtype];
  if (dtype.kind == 'c') {
    if (dtype.size == 8)
      return Summation<From, std::complex<float>>(a, reduced, out).add_all();
    return Summation<From, std::complex<double>>(a, reduced, out).add_all();
  }
  if constexpr (!is_complex<From>) {
    if (dtype.kind == 'f') {
      if (dtype.size == 4)
        return Summation<From, float>(a, reduced, out).add_all();
      return Summation<From, double>(a, reduced, out).add_all();
    }
    if constexpr (!std::is_floating_point_v<From>)
      return Summation<From, uint64_t>(a, reduced, out).add_all(); // modulo 2^64, signed or not
  }
}

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

void mpijit_sum(const mpijit_array* a, int64_t reduced, const mpijit_array* out) {
  std::memset(out->data, 0, element_count(*out) * dtypes[out->dtype].size);
  if (element_count(*a) == 0)
    return;
  switch (a->dtype) {
#define DTYPE(name, numpy, kind, size, c_type, mpi)                                                                    \
  case MPIJIT_##name:                                                                                                  \
    return sum_as<c_type>(*a, static_cast<uint64_t>(reduced), *out);
#include "mpijit/dtypes.inc"
#undef DTYPE
  }
}
