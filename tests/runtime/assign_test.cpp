// The order that an overlap allows, against an interpreter of statements: whatever order is allowed must leave the
// memory as if the right side had been evaluated first. And copies, of every dtype between every two layouts.
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "support.h"

using namespace mpijit::test;

namespace {

using Memory = std::vector<unsigned char>;

// An array whose data is an offset into some memory.
struct View {
  std::vector<int64_t> shape, strides;
  int64_t offset;
  int32_t dtype;

  int64_t size() const { return size_of(dtype); }
  int64_t count() const { return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()); }
  int64_t place(int64_t element) const {
    int64_t at = offset;
    for (size_t axis = shape.size(); axis-- > 0; element /= shape[axis])
      at += element % shape[axis] * strides[axis];
    return at;
  }
  mpijit_array in(Memory& memory) const {
    return {memory.data() + offset, shape.data(), strides.data(), nullptr, dtype, static_cast<int32_t>(shape.size()),
            MPIJIT_WRITEABLE};
  }
};

// mpijit_prepare with its words in a vector.
template <size_t... K>
int32_t prepare_with(std::index_sequence<K...>, const std::vector<int32_t>& plan, int64_t* words,
                     mpijit_block** waiting, bool plain, const std::vector<int64_t>& more) {
  return mpijit_prepare(&site, plan.data(), words, waiting, plain, more[K]...);
}
int32_t prepare(const std::vector<int32_t>& plan, int64_t* words, mpijit_block** waiting, bool plain,
                std::vector<int64_t> more) {
  more.resize(40);
  return prepare_with(std::make_index_sequence<40>(), plan, words, waiting, plain, more);
}

// A statement target[i] = f(leaves[0][i], ...), where f mixes all bytes.
struct Statement {
  View target;
  std::vector<View> leaves;

  int32_t order(Memory& memory) const {
    std::vector<mpijit_array> arrays;
    std::vector<const mpijit_array*> pointers;
    for (const View& leaf : leaves)
      arrays.push_back(leaf.in(memory));
    for (const mpijit_array& array : arrays)
      pointers.push_back(&array);
    const mpijit_array written = target.in(memory);
    return mpijit_overlap(&written, pointers.data(), static_cast<int64_t>(pointers.size()));
  }

  void evaluate(int64_t element, const Memory& memory, unsigned char* result) const {
    mix([&](size_t leaf) { return memory.data() + leaves[leaf].place(element); }, result);
  }
  template <class Address> void mix(Address address, unsigned char* result) const {
    for (int64_t byte = 0; byte < target.size(); ++byte) {
      unsigned value = static_cast<unsigned>(byte) + 1;
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
        for (int64_t b = 0; b < leaves[leaf].size(); ++b)
          value = value * 31 + address(leaf)[b];
      result[byte] = static_cast<unsigned char>(value ^ value >> 8);
    }
  }

  // As compiled code runs it where its own tests fail: the memory after it. rows: how often it went row by row without
  // a temporary.
  Memory with_care(Memory memory, bool plain, int64_t& rows) const {
    const auto ndim = static_cast<int64_t>(target.shape.size());
    const auto count = static_cast<int64_t>(leaves.size()) + 1;
    std::vector<int32_t> plan = {MPIJIT_ASSIGN, static_cast<int32_t>(ndim), static_cast<int32_t>(count)};
    std::vector<int64_t> more;
    const auto add = [&](const View& view) {
      plan.insert(plan.end(), {view.dtype, static_cast<int32_t>(ndim), 0});
      more.push_back(reinterpret_cast<int64_t>(memory.data() + view.offset));
      for (size_t axis = 0; axis < view.shape.size(); ++axis) // what is broadcast has length 1
        more.push_back(plain || view.strides[axis] ? view.shape[axis] : 1);
      more.insert(more.end(), view.strides.begin(), view.strides.end());
    };
    std::for_each(leaves.begin(), leaves.end(), add);
    add(target);
    const auto target_lengths = more.end() - 2 * ndim;
    std::copy(target.shape.begin(), target.shape.end(), target_lengths);

    std::vector<int64_t> words(static_cast<size_t>(ndim + count * (ndim + 1) + ndim));
    mpijit_block* waiting = nullptr;
    const int32_t way = prepare(plan, words.data(), &waiting, plain, more);
    EXPECT_EQ(way == MPIJIT_EMPTY, target.count() == 0);
    EXPECT_TRUE(way == MPIJIT_EMPTY || way == (plain && waiting ? MPIJIT_WHOLE : MPIJIT_ROWS));
    if (way == MPIJIT_EMPTY)
      return memory;
    rows += !waiting;
    do {
      for (int64_t i = 0; i < words[static_cast<size_t>(ndim - 1)]; ++i) {
        const auto address = [&](size_t walk) {
          const int64_t* data = &words[static_cast<size_t>(ndim) + walk * static_cast<size_t>(ndim + 1)];
          return reinterpret_cast<unsigned char*>(data[0] + i * data[ndim]);
        };
        unsigned char value[16];
        mix(address, value);
        std::memcpy(address(leaves.size()), value, target.size());
      }
    } while (mpijit_next_row(words.data(), ndim, count));
    if (waiting)
      mpijit_finish(&waiting);
    EXPECT_EQ(waiting, nullptr);
    return memory;
  }

  Memory in_order(Memory memory, const std::vector<int64_t>& elements) const {
    unsigned char value[16];
    for (const int64_t element : elements) {
      evaluate(element, memory, value);
      std::memcpy(memory.data() + target.place(element), value, target.size());
    }
    return memory;
  }

  Memory at_once(const Memory& before) const {
    Memory after = before;
    for (int64_t element = 0; element < target.count(); ++element)
      evaluate(element, before, after.data() + target.place(element));
    return after;
  }

  // The nest of runtime.h, by its definition: not by sorting addresses.
  std::vector<int64_t> ascending() const {
    std::vector<size_t> axes(target.shape.size());
    std::iota(axes.begin(), axes.end(), size_t{0});
    std::stable_sort(axes.begin(), axes.end(),
                     [&](size_t a, size_t b) { return std::abs(target.strides[a]) > std::abs(target.strides[b]); });
    std::vector<int64_t> elements;
    for (int64_t step = 0; step < target.count(); ++step) {
      std::vector<int64_t> index(axes.size());
      int64_t rest = step;
      for (size_t k = axes.size(); k-- > 0; rest /= target.shape[axes[k]]) {
        const int64_t length = target.shape[axes[k]], at = rest % length;
        index[axes[k]] = target.strides[axes[k]] < 0 ? length - 1 - at : at;
      }
      int64_t element = 0;
      for (size_t axis = 0; axis < index.size(); ++axis)
        element = element * target.shape[axis] + index[axis];
      elements.push_back(element);
    }
    return elements;
  }

  bool touches(const View& leaf) const {
    return touches(leaf, [](int64_t, int64_t) { return true; });
  }
  bool in_step() const {
    return std::all_of(leaves.begin(), leaves.end(), [&](const View& leaf) {
      return !touches(leaf) || (leaf.strides == target.strides && leaf.size() == target.size());
    });
  }
  bool target_overlaps_itself() const { return touches(target, std::not_equal_to<>()); }

private:
  template <class Relevant> bool touches(const View& leaf, Relevant relevant) const {
    for (int64_t i = 0; i < target.count(); ++i)
      for (int64_t j = 0; j < target.count(); ++j) {
        const int64_t distance = leaf.place(j) - target.place(i);
        if (relevant(i, j) && distance < target.size() && -distance < leaf.size())
          return true;
      }
    return false;
  }
};

class Random {
public:
  int64_t between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }
  int32_t dtype() { return between(0, 1) ? MPIJIT_Int16 : between(0, 1) ? MPIJIT_Float32 : MPIJIT_Float64; }

  static constexpr int64_t middle = 6000;
  Memory memory() {
    Memory bytes(2 * middle);
    for (unsigned char& byte : bytes)
      byte = static_cast<unsigned char>(between(0, 255));
    return bytes;
  }

  // Slices and transposes of an ordinary array most of the time, anything otherwise.
  View target() {
    View view = {{}, {}, middle, dtype()};
    const int64_t rank = between(1, 3);
    int64_t stride = view.size();
    for (int64_t axis = 0; axis < rank; ++axis) {
      view.shape.push_back(between(0, 9) ? between(1, 4) : 0);
      stride *= between(1, 2);
      view.strides.push_back(between(0, 2) ? stride : -stride);
      stride *= std::max(view.shape.back(), int64_t{1}) + between(0, 1);
      if (between(0, 11) == 0)
        view.strides.back() = between(-12, 12);
    }
    for (int64_t axis = rank - 1; axis > 0; --axis) {
      const int64_t other = between(0, axis);
      std::swap(view.shape[axis], view.shape[other]);
      std::swap(view.strides[axis], view.strides[other]);
    }
    return view;
  }

  View leaf(const View& target) {
    View view = target;
    const int64_t kind = between(0, 9);
    if (kind == 0)
      return view;
    if (kind <= 5) {
      view.offset += between(-8, 8) * (between(0, 3) ? target.size() : 1);
    } else if (kind == 6) {
      view.offset += between(-40, 40) * target.size();
      view.dtype = dtype();
    } else if (kind == 7) { // a broadcast
      view.offset += between(-2, 2) * target.size();
      view.strides[between(0, static_cast<int64_t>(view.strides.size()) - 1)] = 0;
    } else if (kind == 8) { // reversed, or transposed when the shape allows
      for (size_t axis = 0; axis < view.shape.size(); ++axis)
        view.strides[axis] = -view.strides[axis];
    } else {
      for (int64_t& stride : view.strides)
        stride = between(-20, 20);
      view.dtype = dtype();
    }
    return view;
  }

  template <class Values> void shuffle(Values& values) { std::shuffle(values.begin(), values.end(), engine_); }

private:
  std::mt19937 engine_{2026};
};

} // namespace

TEST(Assign, EveryOrderAllowedIsRight) {
  Random random;
  Memory memory = random.memory();
  int64_t met[4] = {}, both_sides = 0, needless = 0;
  const int64_t live = mpijit_live_blocks();
  for (int trial = 0; trial < 30000; ++trial) {
    Statement statement = {random.target(), {}};
    for (int64_t leaves = random.between(1, 3); leaves > 0; --leaves)
      statement.leaves.push_back(random.leaf(statement.target));
    const int32_t order = statement.order(memory);
    ++met[order];

    const bool windows = statement.target_overlaps_itself();
    const bool meets = std::any_of(statement.leaves.begin(), statement.leaves.end(),
                                   [&](const View& leaf) { return statement.touches(leaf); });
    if (!meets) {
      ASSERT_EQ(order, MPIJIT_ANY_ORDER) << "trial " << trial;
      continue; // every order is right by what `meets` says
    }
    if (windows) {
      ASSERT_EQ(order, MPIJIT_TEMPORARY) << "trial " << trial;
      continue;
    }
    const Memory right = statement.at_once(memory);
    std::vector<int64_t> elements = statement.ascending();
    const bool ascending = statement.in_order(memory, elements) == right;
    std::reverse(elements.begin(), elements.end());
    const bool descending = statement.in_order(memory, elements) == right;
    if (order != MPIJIT_TEMPORARY) {
      ASSERT_TRUE(order == MPIJIT_DESCENDING || ascending) << "trial " << trial;
      ASSERT_TRUE(order == MPIJIT_ASCENDING || descending) << "trial " << trial;
    }
    int64_t rows = 0;
    ASSERT_EQ(statement.with_care(memory, true, rows), right) << "trial " << trial;
    ASSERT_EQ(statement.with_care(memory, false, rows), right) << "trial " << trial;
    ASSERT_EQ(rows, order == MPIJIT_TEMPORARY ? 0 : 2) << "trial " << trial;
    ASSERT_EQ(mpijit_live_blocks(), live) << "trial " << trial;
    if (order == MPIJIT_ANY_ORDER) {
      random.shuffle(elements);
      ASSERT_EQ(statement.in_order(memory, elements), right) << "trial " << trial;
    }
    // A temporary is for leaves out of step that meet the target (some are harmless all the same) and for leaves on
    // both sides.
    if (order == MPIJIT_TEMPORARY && statement.in_step()) {
      ++both_sides;
      needless += ascending || descending;
    }
  }
  EXPECT_GT(*std::min_element(met, met + 4), 2000);
  EXPECT_GT(both_sides, 500);
  EXPECT_LT(needless, both_sides / 4); // leaves that meet only the element they belong to, or odd targets
}

// The statements of real programs, with real sizes.
TEST(Assign, OrdersOfOrdinaryStatements) {
  Memory memory(1);
  const int64_t n = 1000, row = 8 * n;
  const auto view = [](int64_t offset, std::vector<int64_t> shape, std::vector<int64_t> strides) {
    return View{std::move(shape), std::move(strides), offset, MPIJIT_Float64};
  };
  const auto order = [&](const View& target, std::vector<View> leaves) {
    return Statement{target, std::move(leaves)}.order(memory);
  };
  const View head = view(0, {n - 1}, {8}), tail = view(8, {n - 1}, {8});
  EXPECT_EQ(order(tail, {head}), MPIJIT_DESCENDING);       // a[1:] = a[:-1]
  EXPECT_EQ(order(head, {tail}), MPIJIT_ASCENDING);        // a[:-1] = a[1:]
  EXPECT_EQ(order(tail, {tail, head}), MPIJIT_DESCENDING); // a[1:] += a[:-1]
  const View all = view(0, {n, n}, {row, 8}), turned = view(0, {n, n}, {8, row});
  EXPECT_EQ(order(all, {all, turned}), MPIJIT_TEMPORARY); // a += a.T
  EXPECT_EQ(order(all, {view((n - 1) * row, {n, n}, {-row, 8})}), MPIJIT_TEMPORARY);
  EXPECT_EQ(order(all, {view(5 * row, {n, n}, {0, 8})}), MPIJIT_TEMPORARY); // a[:] = a[5]
  const auto inner = [&](int64_t down, int64_t right) {
    return view((1 + down) * row + (1 + right) * 8, {n - 2, n - 2}, {row, 8});
  };
  EXPECT_EQ(order(inner(0, 0), {inner(0, 0), inner(-1, 0), inner(0, -1)}), MPIJIT_DESCENDING);
  EXPECT_EQ(order(inner(0, 0), {inner(1, -1), inner(0, 1)}), MPIJIT_ASCENDING);
  EXPECT_EQ(order(inner(0, 0), {inner(1, 0), inner(-1, 0)}), MPIJIT_TEMPORARY);
  const View even = view(0, {n / 2}, {16}), odd = view(8, {n / 2}, {16});
  EXPECT_EQ(order(even, {odd, even}), MPIJIT_ANY_ORDER);
  const View backward = view((n - 1) * 8, {n - 1}, {-8}), later = view((n - 2) * 8, {n - 1}, {-8});
  EXPECT_EQ(order(backward, {later}), MPIJIT_DESCENDING); // a[:0:-1] = a[-2::-1]
  EXPECT_EQ(order(all, {}), MPIJIT_ANY_ORDER);
  View words = head;
  words.dtype = MPIJIT_Int64;
  EXPECT_EQ(order(head, {words}), MPIJIT_ANY_ORDER); // a[:] = a.view(int64)
  words.dtype = MPIJIT_Float32;
  EXPECT_EQ(order(head, {words}), MPIJIT_TEMPORARY);
}

TEST(Copy, EveryDtypeBetweenAnyTwoLayouts) {
  for (int32_t dtype = 0; dtype < MPIJIT_DTYPE_COUNT; ++dtype) {
    for (const Layout from : all_layouts) {
      for (const Layout to : all_layouts) {
        Array source(dtype, from), target(dtype, to);
        if (source->ndim != target->ndim || !std::equal(source->shape, source->shape + source->ndim, target->shape))
          continue;
        source.fill(5);
        mpijit_copy(&target, &source);
        target.expect(5, target.count());
        source.expect(5, source.count());
        ASSERT_FALSE(HasFailure()) << "dtype " << dtype << ", layouts " << int(from) << " and " << int(to);
      }
    }
  }
}

TEST(Copy, AgreesWithElementByElement) {
  Random random;
  Memory other = random.memory();
  int64_t copied = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    Memory memory(other.size());
    Statement statement = {random.target(), {}};
    if (statement.target_overlaps_itself())
      continue;
    View source = random.leaf(statement.target);
    source.dtype = statement.target.dtype;
    Memory expected = memory;
    for (int64_t i = 0; i < source.count(); ++i)
      std::memcpy(expected.data() + statement.target.place(i), other.data() + source.place(i), source.size());
    const mpijit_array to = statement.target.in(memory), from = source.in(other);
    mpijit_copy(&to, &from);
    ASSERT_EQ(memory, expected) << "trial " << trial;
    copied += source.count() > 1;
  }
  EXPECT_GT(copied, 10000);
}

// ---- shapes ----

namespace {

// What a new array of these shapes is given; the operands have no elements to look at.
int32_t prepare_shapes(int32_t kind, const std::vector<std::vector<int64_t>>& shapes, std::vector<int64_t>& words,
                       mpijit_block** waiting) {
  const int32_t ndim = static_cast<int32_t>(words.size());
  std::vector<int32_t> plan = {kind, ndim, static_cast<int32_t>(shapes.size() + (kind == MPIJIT_NEW))};
  std::vector<int64_t> more;
  for (const std::vector<int64_t>& shape : shapes) {
    plan.insert(plan.end(), {MPIJIT_Float64, static_cast<int32_t>(shape.size()), 1});
    more.push_back(0);
    more.insert(more.end(), shape.begin(), shape.end());
  }
  if (kind == MPIJIT_NEW)
    plan.insert(plan.end(), {MPIJIT_Float32, ndim, 1});
  words.resize(100);
  return prepare(plan, words.data(), waiting, false, more);
}

} // namespace

TEST(Prepare, FindsTheShapeOfANewArray) {
  std::vector<int64_t> words(3);
  mpijit_block* waiting = nullptr;
  ok(prepare_shapes(MPIJIT_NEW, {{4, 1, 5}, {3, 1}, {1}}, words, &waiting));
  EXPECT_EQ(std::vector<int64_t>(words.begin(), words.begin() + 3), (std::vector<int64_t>{4, 3, 5}));
  const std::vector<int64_t> strides[] = {{40, 0, 8}, {0, 8, 0}, {0, 0, 0}, {60, 20, 4}};
  for (size_t walk = 0; walk < 4; ++walk)
    EXPECT_EQ(std::vector<int64_t>(&words[3 + 4 * walk + 1], &words[3 + 4 * walk + 4]), strides[walk]);
  EXPECT_EQ(words[3 + 4 * 3], reinterpret_cast<int64_t>(waiting->data));
  mpijit_release(waiting);

  words.resize(2);
  EXPECT_EQ(prepare_shapes(MPIJIT_NEW, {{1, 1}, {0}}, words, &waiting), MPIJIT_EMPTY);
  EXPECT_EQ(words[0], 1);
  EXPECT_EQ(words[1], 0);
  mpijit_release(waiting);
}

TEST(Prepare, SaysWhichShapesDoNotFit) {
  mpijit_block* waiting = nullptr;
  const auto fails_with = [&](int32_t kind, std::vector<std::vector<int64_t>> shapes, size_t ndim,
                              const char* message) {
    std::vector<int64_t> words(ndim);
    fails(prepare_shapes(kind, shapes, words, &waiting), MPIJIT_ValueError, message);
    EXPECT_EQ(waiting, nullptr);
  };
  fails_with(MPIJIT_NEW, {{2, 3}, {4}}, 2, "operands could not be broadcast together with shapes (2,3) (4,) ");
  fails_with(MPIJIT_ASSIGN, {{2, 1}, {4}, {3, 4}}, 2,
             "could not broadcast input array from shape (2,4) into shape (3,4)");
  fails_with(MPIJIT_OUTPUT, {{1, 4}, {4}}, 1,
             "non-broadcastable output operand with shape (4,) doesn't match the broadcast shape (1,4)");
  const int64_t huge = int64_t{1} << 31;
  fails_with(MPIJIT_NEW, {{huge, 1}, {huge}}, 2, "array is too big");
}

// a += 1 where a's elements overlap one another: nothing to put a temporary in, and nothing that needs one.
TEST(Prepare, LeavesATargetAloneThatMeetsNothingElse) {
  double value[5] = {};
  const auto data = reinterpret_cast<int64_t>(value);
  const std::vector<int32_t> plan = {MPIJIT_OUTPUT, 2, 2, MPIJIT_Float64, 2, 0, MPIJIT_Float64, 2, 0};
  std::vector<int64_t> words(100);
  EXPECT_EQ(prepare(plan, words.data(), nullptr, true, {data, 3, 3, 8, 8, data, 3, 3, 8, 8}), MPIJIT_ROWS);
  EXPECT_EQ(std::vector<int64_t>(words.begin(), words.begin() + 8),
            (std::vector<int64_t>{3, 3, data, 8, 8, data, 8, 8}));
}
