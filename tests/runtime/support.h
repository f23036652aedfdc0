// What the runtime's tests share: arrays of any layout, and errors as values.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mpijit/runtime.h"

namespace mpijit::test {

inline constexpr int64_t world = MPIJIT_COMM_WORLD;
inline const mpijit_site site = {"test.py", "kernel", 7, 3};

inline int64_t any_source() { return mpijit_constant(MPIJIT_ANY_SOURCE); }
inline int64_t any_tag() { return mpijit_constant(MPIJIT_ANY_TAG); }
inline int64_t proc_null() { return mpijit_constant(MPIJIT_PROC_NULL); }
inline int64_t next_rank() { return (mpijit_world.rank + 1) % mpijit_world.size; }
inline int64_t previous_rank() { return (mpijit_world.rank + mpijit_world.size - 1) % mpijit_world.size; }

// Asserts success, showing the recorded message otherwise.
inline void ok(int32_t status) {
  if (status == MPIJIT_OK)
    return;
  mpijit_error error;
  mpijit_error_take(&error);
  FAIL() << "status " << status << ": " << error.message;
}

// Asserts that a call failed with code, a message that contains fragment, and the test's site as its first
// frame.
inline void fails(int32_t status, int32_t code, const std::string& fragment) {
  mpijit_error error = {};
  EXPECT_EQ(mpijit_error_take(&error), status) << fragment;
  EXPECT_EQ(status, code) << error.message;
  EXPECT_NE(std::string(error.message).find(fragment), std::string::npos)
      << "\"" << error.message << "\" does not contain \"" << fragment << "\"";
  ASSERT_EQ(error.frame_count, 1);
  EXPECT_EQ(error.frames[0].line, site.line);
}

inline int64_t size_of(int32_t dtype) {
  static const int64_t sizes[] = {
#define DTYPE(name, numpy, kind, size, c_type, mpi) size,
#include "mpijit/dtypes.inc"
#undef DTYPE
  };
  return sizes[dtype];
}

// The layouts that every routine must take. All but the last two have 12 elements.
enum class Layout { C, Fortran, Reversed, EveryOther, Column, Blocks, Unflagged, Scalar, Empty };
inline constexpr Layout all_layouts[] = {Layout::C,          Layout::Fortran, Layout::Reversed,
                                         Layout::EveryOther, Layout::Column,  Layout::Blocks,
                                         Layout::Unflagged,  Layout::Scalar,  Layout::Empty};

// An array with its own memory, in which every byte outside its elements holds a known value.
class Array {
public:
  static constexpr unsigned char untouched = 0xA5;

  Array(int32_t dtype, Layout layout) : size_(size_of(dtype)) {
    const int64_t s = size_;
    uint32_t flags = MPIJIT_WRITEABLE;
    int64_t offset = 0;
    switch (layout) {
    case Layout::C:
      shape_ = {3, 4}, strides_ = {4 * s, s};
      flags |= MPIJIT_C_CONTIGUOUS;
      break;
    case Layout::Fortran: shape_ = {3, 4}, strides_ = {s, 3 * s}; break;
    case Layout::Reversed: shape_ = {3, 4}, strides_ = {-4 * s, -s}, offset = 11 * s; break;
    case Layout::EveryOther: shape_ = {12}, strides_ = {2 * s}; break;
    case Layout::Column: shape_ = {12, 1}, strides_ = {5 * s, 77}, offset = 2 * s; break;
    case Layout::Blocks: shape_ = {2, 3, 2}, strides_ = {40 * s, 10 * s, 3 * s}, offset = s; break;
    case Layout::Unflagged: shape_ = {2, 6}, strides_ = {6 * s, s}; break;
    case Layout::Scalar: flags |= MPIJIT_C_CONTIGUOUS; break;
    case Layout::Empty: shape_ = {0, 4}, strides_ = {64, 8}; break;
    }
    memory_.assign(128 * s, untouched);
    array_ = {memory_.data() + offset,
              shape_.data(),
              strides_.data(),
              nullptr,
              dtype,
              static_cast<int32_t>(shape_.size()),
              flags};
  }

  // A row of count elements, `step` elements apart.
  static Array row(int32_t dtype, int64_t count, int64_t step) { return Array(dtype, count, step); }

  Array(const Array&) = delete;

  mpijit_array* operator&() { return &array_; }
  mpijit_array* operator->() { return &array_; }

  int64_t count() const {
    int64_t count = 1;
    for (int64_t length : shape_)
      count *= length;
    return count;
  }

  // The address of the element with this place in C order.
  unsigned char* at(int64_t place) {
    auto* address = static_cast<unsigned char*>(array_.data);
    for (size_t axis = shape_.size(); axis-- > 0; place /= shape_[axis])
      address += place % shape_[axis] * strides_[axis];
    return address;
  }

  template <typename T> T get(int64_t place) {
    T value;
    std::memcpy(&value, at(place), sizeof value);
    return value;
  }

  template <typename T> void set(int64_t place, T value) { std::memcpy(at(place), &value, sizeof value); }

  // Distinct bytes per element and seed; 0 or 1 in each, so that they are good bools too.
  void fill(int64_t seed) {
    for (int64_t i = 0; i < count(); ++i)
      for (int64_t b = 0; b < size_; ++b)
        at(i)[b] = expected_byte(i, b, seed);
  }

  // Are the first `filled` elements those of fill(seed), and all other bytes untouched?
  void expect(int64_t seed, int64_t filled) {
    for (int64_t i = 0; i < count(); ++i)
      for (int64_t b = 0; b < size_; ++b)
        ASSERT_EQ(at(i)[b], i < filled ? expected_byte(i, b, seed) : untouched) << "element " << i << ", byte " << b;
    expect_outside_untouched();
  }

  void expect_outside_untouched() {
    std::vector<unsigned char> rest = memory_;
    for (int64_t i = 0; i < count(); ++i)
      std::memset(rest.data() + (at(i) - memory_.data()), untouched, size_);
    for (size_t i = 0; i < rest.size(); ++i)
      ASSERT_EQ(rest[i], untouched) << "outside the array, at byte " << i;
  }

  // Is element `place` the one that fill(seed) puts at `as`?
  void expect_one(int64_t place, int64_t as, int64_t seed) {
    for (int64_t b = 0; b < size_; ++b)
      ASSERT_EQ(at(place)[b], expected_byte(as, b, seed)) << "element " << place << ", byte " << b;
  }
  void expect_one_untouched(int64_t place) {
    for (int64_t b = 0; b < size_; ++b)
      ASSERT_EQ(at(place)[b], untouched) << "element " << place << ", byte " << b;
  }

private:
  Array(int32_t dtype, int64_t count, int64_t step) : size_(size_of(dtype)) {
    shape_ = {count}, strides_ = {step * size_};
    memory_.assign((count * std::abs(step) + 1) * size_, untouched);
    const int64_t offset = step < 0 ? -(count - 1) * step * size_ : 0;
    const uint32_t flags = MPIJIT_WRITEABLE | (step == 1 ? MPIJIT_C_CONTIGUOUS : 0);
    array_ = {memory_.data() + (count ? offset : 0), shape_.data(), strides_.data(), nullptr, dtype, 1, flags};
  }

  static unsigned char expected_byte(int64_t place, int64_t byte, int64_t seed) {
    return (place * 7 + byte * 3 + seed * 5 + place * place) >> 1 & 1;
  }

  int64_t size_;
  std::vector<unsigned char> memory_;
  std::vector<int64_t> shape_, strides_;
  mpijit_array array_;
};

// One value as a 0-d array.
template <typename T> mpijit_array scalar(T& value, int32_t dtype) {
  return {&value, nullptr, nullptr, nullptr, dtype, 0, MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS};
}

} // namespace mpijit::test
