// The slow way through an array statement: its arrays as a table of addresses and strides, put in an order in which
// nothing is read after it was written, and walked row by row. What compiled code would have to do here for each
// statement, though it seldom runs, is done once: shapes, their errors, temporaries. Knows layouts only; the row is
// compiled code.
#include <algorithm>
#include <cstdarg>
#include <cstdlib>
#include <utility>
#include <vector>

#include "array.h"

namespace mpijit::rt {
namespace {

struct Rows {
  int64_t* words;
  int64_t ndim, count;

  int64_t& length(int64_t axis) const { return words[axis]; }
  int64_t& data(int64_t walk) const { return words[ndim + walk * (ndim + 1)]; }
  int64_t& stride(int64_t walk, int64_t axis) const { return words[ndim + walk * (ndim + 1) + 1 + axis]; }
  int64_t& index(int64_t axis) const { return words[ndim + count * (ndim + 1) + axis]; }

  mpijit_array array(int64_t walk, int32_t dtype) const {
    return {reinterpret_cast<void*>(data(walk)), words,           &stride(walk, 0), nullptr, dtype,
            static_cast<int32_t>(ndim),          MPIJIT_WRITEABLE};
  }

  void swap(int64_t a, int64_t b) const {
    std::swap(length(a), length(b));
    for (int64_t walk = 0; walk < count; ++walk)
      std::swap(stride(walk, a), stride(walk, b));
  }
  void turn(int64_t axis) const {
    for (int64_t walk = 0; walk < count; ++walk) {
      data(walk) += (length(axis) - 1) * stride(walk, axis);
      stride(walk, axis) = -stride(walk, axis);
    }
  }
};

// The byte strides of C-contiguous elements.
void put_dense_strides(const int64_t* lengths, int32_t ndim, int64_t size, int64_t* strides) {
  for (int32_t axis = ndim; axis-- > 0; size *= lengths[axis])
    strides[axis] = size;
}

// ---- a statement as mpijit_prepare is told it ----

struct Operand {
  int32_t dtype = 0;
  int32_t ndim = 0;
  int64_t data = 0;
  const int64_t* lengths = nullptr;
  const int64_t* strides = nullptr;
};

struct Statement {
  const mpijit_site* site;
  int32_t kind, ndim;
  std::vector<Operand> inputs;
  Operand target;
  std::vector<int64_t> lengths; // of the result
  std::vector<int64_t> dense;   // strides of C-contiguous operands

  Statement(const mpijit_site* where, const int32_t* plan, const int64_t* word)
      : site(where), kind(plan[0]), ndim(plan[1]) {
    const int32_t count = plan[2];
    size_t axes = 0;
    for (int32_t k = 0; k < count; ++k)
      axes += static_cast<size_t>(plan[4 + 3 * k]);
    dense.reserve(axes); // so that it does not move
    for (int32_t k = 0; k < count; ++k) {
      const int32_t* about = plan + 3 + 3 * k;
      Operand x{about[0], about[1]};
      if (k + 1 < count || kind != MPIJIT_NEW) {
        x.data = *word++;
        x.lengths = word;
        word += x.ndim;
        x.strides = about[2] ? dense_strides(x) : word;
        word += about[2] ? 0 : x.ndim;
      }
      (k + 1 < count ? inputs.emplace_back() : target) = x;
    }
  }

  // How many words a plan asks for.
  static size_t word_count(const int32_t* plan) {
    size_t words = 0;
    for (int32_t k = 0; k < plan[2] - (plan[0] == MPIJIT_NEW); ++k)
      words += 1 + static_cast<size_t>(plan[4 + 3 * k]) * (plan[5 + 3 * k] ? 1 : 2);
    return words;
  }

  const int64_t* dense_strides(const Operand& x) {
    const size_t first = dense.size();
    dense.resize(first + static_cast<size_t>(x.ndim));
    put_dense_strides(x.lengths, x.ndim, dtypes[x.dtype].size, dense.data() + first);
    return dense.data() + first;
  }

  // The shape that the inputs have together; where two do not fit, one of them.
  std::vector<int64_t> together() const {
    int32_t most = 0;
    for (const Operand& x : inputs)
      most = std::max(most, x.ndim);
    std::vector<int64_t> out(static_cast<size_t>(most), 1);
    for (const Operand& x : inputs)
      for (int32_t r = 0; r < x.ndim; ++r)
        if (int64_t& n = out[static_cast<size_t>(r + most - x.ndim)]; n == 1)
          n = x.lengths[r];
    return out;
  }

  bool fits(const Operand& x) const {
    for (int32_t r = 0; r < x.ndim; ++r) {
      const int32_t axis = r + ndim - x.ndim;
      if (x.lengths[r] != 1 && (axis < 0 || x.lengths[r] != lengths[static_cast<size_t>(axis)]))
        return false;
    }
    return kind != MPIJIT_OUTPUT || x.ndim <= ndim;
  }

  int32_t find_shape() {
    if (kind == MPIJIT_NEW)
      lengths = together();
    else
      lengths.assign(target.lengths, target.lengths + ndim);
    if (std::all_of(inputs.begin(), inputs.end(), [&](const Operand& x) { return fits(x); }))
      return MPIJIT_OK;
    if (kind == MPIJIT_NEW) {
      std::vector<int64_t> shapes, ndims;
      for (const Operand& x : inputs) {
        shapes.insert(shapes.end(), x.lengths, x.lengths + x.ndim);
        ndims.push_back(x.ndim);
      }
      return mpijit_raise_broadcast(site, shapes.data(), ndims.data(), static_cast<int64_t>(ndims.size()));
    }
    const std::vector<int64_t> source = together();
    const auto raise = kind == MPIJIT_OUTPUT ? mpijit_raise_output : mpijit_raise_assign;
    return raise(site, lengths.data(), ndim, source.data(), static_cast<int64_t>(source.size()));
  }

  // A block for the elements of the result, behind so many bytes.
  int32_t allocate(int64_t before, mpijit_block** out) const {
    int64_t bytes = dtypes[target.dtype].size;
    for (int64_t n : lengths)
      if (__builtin_mul_overflow(bytes, n, &bytes))
        return mpijit_raise(site, MPIJIT_ValueError, "array is too big");
    if (__builtin_add_overflow(bytes, before, &bytes))
      return mpijit_raise(site, MPIJIT_ValueError, "array is too big");
    return mpijit_alloc(site, bytes, 1, MPIJIT_FILL_NONE, out);
  }

  void fill(const Rows& rows) const {
    std::copy(lengths.begin(), lengths.end(), rows.words);
    int64_t walk = 0;
    for (const Operand& x : inputs)
      put(rows, walk++, x);
    if (target.lengths)
      put(rows, walk, target);
    std::fill_n(&rows.index(0), ndim - 1, int64_t{0});
  }
  void put(const Rows& rows, int64_t walk, const Operand& x) const {
    rows.data(walk) = x.data;
    for (int32_t axis = 0; axis < ndim; ++axis) {
      const int32_t r = axis + x.ndim - ndim;
      rows.stride(walk, axis) = r < 0 || x.lengths[r] == 1 ? 0 : x.strides[r];
    }
  }
  // The target is C-contiguous memory.
  void redirect(const Rows& rows, void* data) const {
    const int64_t walk = rows.count - 1;
    rows.data(walk) = reinterpret_cast<int64_t>(data);
    put_dense_strides(lengths.data(), ndim, dtypes[target.dtype].size, &rows.stride(walk, 0));
  }
};

// What a temporary stands for, in front of its elements.
struct Stand {
  int64_t data, dtype, ndim;
  int64_t* shape() { return &ndim + 1; }
  static int64_t bytes(int64_t ndim) { return (8 * (3 + 2 * ndim) + 63) & ~int64_t{63}; }
};

} // namespace
} // namespace mpijit::rt

using namespace mpijit::rt;

int32_t mpijit_prepare(const mpijit_site* site, const int32_t* plan, int64_t* words, mpijit_block** waiting,
                       int32_t plain, ...) {
  std::vector<int64_t> given(Statement::word_count(plan));
  va_list more;
  va_start(more, plain);
  for (int64_t& word : given)
    word = va_arg(more, int64_t);
  va_end(more);
  Statement s(site, plan, given.data());
  if (const int32_t status = s.find_shape())
    return status;
  const Rows rows{words, s.ndim, static_cast<int64_t>(s.inputs.size()) + 1};
  s.fill(rows);
  const bool empty = std::any_of(s.lengths.begin(), s.lengths.end(), [](int64_t n) { return n == 0; });
  if (s.kind == MPIJIT_NEW) {
    if (const int32_t status = s.allocate(0, waiting))
      return status;
    s.redirect(rows, (*waiting)->data);
    return empty ? MPIJIT_EMPTY : MPIJIT_ROWS;
  }
  if (empty)
    return MPIJIT_EMPTY;
  std::vector<int32_t> kinds;
  for (const Operand& x : s.inputs)
    kinds.push_back(x.dtype);
  kinds.push_back(s.target.dtype);
  if (!waiting || mpijit_arrange(words, rows.ndim, rows.count, kinds.data()) != MPIJIT_TEMPORARY)
    return MPIJIT_ROWS;
  if (const int32_t status = s.allocate(Stand::bytes(s.ndim), waiting))
    return status;
  auto* stand = static_cast<Stand*>((*waiting)->data);
  *stand = {s.target.data, s.target.dtype, s.ndim};
  std::copy_n(s.target.lengths, s.ndim, stand->shape());
  std::copy_n(s.target.strides, s.ndim, stand->shape() + s.ndim);
  s.redirect(rows, reinterpret_cast<char*>(stand) + Stand::bytes(s.ndim));
  return plain ? MPIJIT_WHOLE : MPIJIT_ROWS;
}

void mpijit_finish(mpijit_block** waiting) {
  mpijit_block* block = std::exchange(*waiting, nullptr);
  auto* stand = static_cast<Stand*>(block->data);
  const auto ndim = static_cast<int32_t>(stand->ndim), dtype = static_cast<int32_t>(stand->dtype);
  std::vector<int64_t> dense(static_cast<size_t>(ndim));
  put_dense_strides(stand->shape(), ndim, dtypes[dtype].size, dense.data());
  const mpijit_array target = {reinterpret_cast<void*>(stand->data),
                               stand->shape(),
                               stand->shape() + ndim,
                               nullptr,
                               dtype,
                               ndim,
                               MPIJIT_WRITEABLE};
  const mpijit_array source = {reinterpret_cast<char*>(stand) + Stand::bytes(ndim),
                               stand->shape(),
                               dense.data(),
                               nullptr,
                               dtype,
                               ndim,
                               MPIJIT_C_CONTIGUOUS};
  mpijit_copy(&target, &source);
  mpijit_release(block);
}

int32_t mpijit_arrange(int64_t* words, int64_t ndim, int64_t count, const int32_t* dtypes) {
  const Rows rows{words, ndim, count};
  const int64_t target = count - 1;
  std::vector<mpijit_array> leaves;
  std::vector<const mpijit_array*> pointers;
  leaves.reserve(static_cast<size_t>(count));
  for (int64_t walk = 0; walk < count; ++walk)
    leaves.push_back(rows.array(walk, dtypes[walk]));
  for (int64_t walk = 0; walk < target; ++walk)
    pointers.push_back(&leaves[static_cast<size_t>(walk)]);
  const int32_t order = mpijit_overlap(&leaves.back(), pointers.data(), target);
  if (order == MPIJIT_TEMPORARY)
    return order;
  for (int64_t last = ndim - 1; last > 0; --last)
    for (int64_t axis = 0; axis < last; ++axis)
      if (std::abs(rows.stride(target, axis)) < std::abs(rows.stride(target, axis + 1)))
        rows.swap(axis, axis + 1);
  for (int64_t axis = 0; axis < ndim; ++axis)
    if ((rows.stride(target, axis) < 0) != (order == MPIJIT_DESCENDING))
      rows.turn(axis);
  return order;
}

int32_t mpijit_next_row(int64_t* words, int64_t ndim, int64_t count) {
  const Rows rows{words, ndim, count};
  for (int64_t axis = ndim - 2; axis >= 0; --axis) {
    const bool more = ++rows.index(axis) < rows.length(axis);
    const int64_t steps = more ? 1 : 1 - rows.length(axis);
    for (int64_t walk = 0; walk < count; ++walk)
      rows.data(walk) += steps * rows.stride(walk, axis);
    if (more)
      return 1;
    rows.index(axis) = 0;
  }
  return 0;
}
