// What to suggest where a kernel names something of NumPy that it cannot use: the nearest name that it can.
#include "infer/body.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace mpijit::jit::inference {
namespace {

constexpr std::string_view functions[] = {"empty",
                                          "zeros",
                                          "ones",
                                          "full",
                                          "empty_like",
                                          "zeros_like",
                                          "ones_like",
                                          "full_like",
                                          "array",
                                          "eye",
                                          "identity",
                                          "arange",
                                          "linspace",
                                          "where",
                                          "clip",
                                          "round",
                                          "around",
                                          "dot",
                                          "mean",
                                          "matmul",
                                          "ravel",
                                          "reshape",
                                          "copy",
                                          "transpose",
                                          "swapaxes",
                                          "moveaxis",
                                          "expand_dims",
                                          "asarray",
                                          "ascontiguousarray",
                                          "asfortranarray",
                                          "atleast_1d",
                                          "atleast_2d",
                                          "atleast_3d",
                                          "broadcast_to",
                                          "ptp",
                                          "squeeze",
                                          "real",
                                          "imag",
                                          "ndindex",
                                          "ndenumerate",
                                          "conj",
                                          "count_nonzero"};
constexpr std::string_view attributes[] = {
    "shape", "size", "ndim",    "dtype", "T",       "strides",   "itemsize", "nbytes",  "real",   "imag",  "astype",
    "copy",  "fill", "flatten", "ravel", "reshape", "transpose", "swapaxes", "squeeze", "clip",   "round", "dot",
    "conj",  "sum",  "prod",    "min",   "max",     "mean",      "any",      "all",     "argmin", "argmax"};

// What to write in place of some that people reach for.
struct Instead {
  std::string_view name, write;
};
constexpr Instead instead[] = {
    {"apply_along_axis", "write a loop over the rows"},
    {"array_split", "write slices, a[:n] and a[n:]"},
    {"asanyarray", "np.asarray is"},
    {"copyto", "write a[...] = b"},
    {"einsum", "write loops, or @"},
    {"frompyfunc", "write a loop: loops are compiled"},
    {"fromfunction", "write a loop over np.ndindex(shape)"},
    {"nditer", "np.ndindex and np.ndenumerate are"},
    {"nanmedian", "np.median and np.nanmean are"},
    {"partition", "np.sort is"},
    {"argpartition", "np.argsort is"},
    {"piecewise", "np.where is"},
    {"split", "write slices, a[:n] and a[n:]"},
    {"vectorize", "write a loop: loops are compiled"},
    {"vsplit", "write slices, a[:n] and a[n:]"},
    {"hsplit", "write slices, a[:, :n] and a[:, n:]"},
};

// How many characters differ, at least (Levenshtein).
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

template <class Names> std::string nearest(std::string_view name, const Names& names, std::string_view prefix) {
  std::string_view best;
  size_t least = name.size();
  for (std::string_view candidate : names)
    if (const size_t d = distance(name, candidate); d < least) {
      least = d;
      best = candidate;
    }
  constexpr std::string_view page = "docs/supported.md lists what is";
  if (best.empty() || least > std::max<size_t>(1, name.size() / 3))
    return std::string(page);
  return std::string(prefix) + std::string(best) + " is; " + std::string(page);
}

} // namespace

std::string Body::nearest_function(std::string_view name) {
  for (const Instead& row : instead)
    if (row.name == name)
      return std::string(row.write) + "; mpijit.overload adds np." + std::string(name);
  std::vector<std::string_view> all(std::begin(functions), std::end(functions));
  for (std::string_view ufunc : ufunc_names())
    all.push_back(ufunc);
  for (std::string_view reduction : reduction_names())
    all.push_back(reduction);
  return nearest(name, all, "np.") + ", and mpijit.overload adds to it";
}

std::string Body::nearest_attribute(std::string_view name) { return nearest(name, attributes, "."); }

} // namespace mpijit::jit::inference
