// Packing: one walk over the outer axes, one tight loop over the innermost per element size. A column of 64
// doubles takes less time this way than MPI's derived datatypes need to look at theirs, hence no datatype
// cache.
#include "mpi/pack.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "array.h"
#include "mpi/session.h"

namespace mpijit::rt {
namespace {

// ---- buffers: a free list per power of two ----

constexpr int smallest_class = 9; // 512 bytes
constexpr int class_count = 55;
constexpr size_t kept_at_most = size_t{256} << 20;

struct PackCache {
  PackBuffer* free[class_count] = {};
  size_t kept = 0; // bytes in the lists
};
PackCache cache;

size_t bytes_of_class(int size_class) { return size_t{1} << (size_class + smallest_class); }

// ---- the walk ----

// The array's axes without those of length 1, and with neighbours that form one regular axis joined.
struct Axes {
  int count = 0;
  int64_t shape[max_dimensions];
  int64_t strides[max_dimensions];

  explicit Axes(const mpijit_array& array) {
    for (int32_t axis = 0; axis < array.ndim; ++axis) {
      const int64_t length = array.shape[axis], stride = array.strides[axis];
      if (length == 1)
        continue;
      if (count && strides[count - 1] == length * stride) {
        shape[count - 1] *= length;
        strides[count - 1] = stride;
      } else {
        shape[count] = length;
        strides[count++] = stride;
      }
    }
    if (count == 0) {
      shape[0] = 1;
      strides[0] = dtypes[array.dtype].size;
      count = 1;
    }
  }
};

struct Pair64 {
  uint64_t low, high;
};

// Elements may lie at any address, so they move by memcpy of a constant size, which compiles to a move.
template <typename Element> struct Gather {
  static void row(char* flat, char* strided, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(flat + i * sizeof(Element), strided + i * stride, sizeof(Element));
  }
};

template <typename Element> struct Scatter {
  static void row(char* flat, char* strided, int64_t stride, int64_t count) {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(strided + i * stride, flat + i * sizeof(Element), sizeof(Element));
  }
};

// Moves count elements between flat memory and the array, in C order of the array.
template <typename Element, template <typename> typename Move>
void walk(const mpijit_array& array, char* flat, int64_t count) {
  const Axes axes(array);
  const int inner = axes.count - 1;
  int64_t index[max_dimensions];
  std::fill_n(index, inner, int64_t{0});
  char* place = static_cast<char*>(array.data);
  while (count > 0) {
    const int64_t length = std::min(axes.shape[inner], count);
    Move<Element>::row(flat, place, axes.strides[inner], length);
    flat += length * sizeof(Element);
    count -= length;
    for (int axis = inner - 1; axis >= 0; --axis) {
      place += axes.strides[axis];
      if (++index[axis] < axes.shape[axis])
        break;
      place -= axes.strides[axis] * axes.shape[axis];
      index[axis] = 0;
    }
  }
}

template <template <typename> typename Move> void walk_any(const mpijit_array& array, char* flat, int64_t count) {
  switch (dtypes[array.dtype].size) {
  case 1: return walk<uint8_t, Move>(array, flat, count);
  case 2: return walk<uint16_t, Move>(array, flat, count);
  case 4: return walk<uint32_t, Move>(array, flat, count);
  case 8: return walk<uint64_t, Move>(array, flat, count);
  default: return walk<Pair64, Move>(array, flat, count);
  }
}

constexpr bool sizes_are_covered() {
  for (const Dtype& dtype : dtypes)
    if (!std::has_single_bit(static_cast<unsigned>(dtype.size)) || dtype.size > 16)
      return false;
  return true;
}
static_assert(sizes_are_covered());

} // namespace

PackBuffer* take_pack_buffer(size_t bytes) {
  const int size_class = std::max(0, static_cast<int>(std::bit_width(bytes | 1)) - smallest_class);
  const size_t room = bytes_of_class(size_class);
  {
    Guard guard;
    if (PackBuffer* buffer = cache.free[size_class]) {
      cache.free[size_class] = buffer->next;
      cache.kept -= room;
      return buffer;
    }
  }
  auto* buffer = static_cast<PackBuffer*>(std::aligned_alloc(alignof(PackBuffer), sizeof(PackBuffer) + room));
  if (buffer)
    buffer->size_class = size_class;
  return buffer;
}

void give_back(PackBuffer* buffer) {
  const size_t room = bytes_of_class(buffer->size_class);
  {
    Guard guard;
    if (cache.kept + room <= kept_at_most) {
      cache.kept += room;
      buffer->next = cache.free[buffer->size_class];
      cache.free[buffer->size_class] = buffer;
      return;
    }
  }
  std::free(buffer);
}

PackBuffer* take_pack_buffer_for(const mpijit_array& array, size_t bytes) {
  const size_t start = (bytes + 7) & ~size_t{7};
  PackBuffer* buffer = take_pack_buffer(start + 2 * sizeof(int64_t) * array.ndim);
  if (!buffer)
    return nullptr;
  auto* shape = reinterpret_cast<int64_t*>(static_cast<char*>(buffer->data()) + start);
  std::copy_n(array.shape, array.ndim, shape);
  std::copy_n(array.strides, array.ndim, shape + array.ndim);
  buffer->array = array;
  buffer->array.shape = shape;
  buffer->array.strides = shape + array.ndim;
  return buffer;
}

void pack(const mpijit_array& array, void* to) {
  walk_any<Gather>(array, static_cast<char*>(to), element_count(array));
}

void unpack(const mpijit_array& array, const void* from, int64_t count) {
  // The walk is one for both directions and takes the flat side as writable; Scatter only reads it.
  walk_any<Scatter>(array, static_cast<char*>(const_cast<void*>(from)), std::min(count, element_count(array)));
}

} // namespace mpijit::rt
