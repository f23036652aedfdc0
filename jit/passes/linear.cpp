// Arithmetic of linear forms; see linear.h.
#include "passes/linear.h"

#include <cstdlib>

namespace mpijit::jit::passes {
namespace {

// A form's value is at most 8 * 2^31 * 2^63 + 2^62 in size.
constexpr size_t most_terms = 8;
constexpr int64_t largest_coefficient = int64_t{1} << 31;
constexpr int64_t largest_constant = int64_t{1} << 62;

bool is_small(int64_t x, int64_t limit) { return -limit <= x && x <= limit; }

MaybeLinear limited(Linear form) {
  std::erase_if(form.terms, [](const auto& term) { return term.second == 0; });
  bool small = form.terms.size() <= most_terms && is_small(form.constant, largest_constant);
  for (const auto& [a, coefficient] : form.terms)
    small &= is_small(coefficient, largest_coefficient);
  return small ? MaybeLinear(std::move(form)) : std::nullopt;
}

} // namespace

Linear constant(int64_t value) { return {value, {}}; }
Linear atom(Atom a) { return {0, {{a, 1}}}; }

MaybeLinear add(const MaybeLinear& a, const MaybeLinear& b) {
  if (!a || !b || !is_small(a->constant, largest_constant) || !is_small(b->constant, largest_constant))
    return std::nullopt; // the sum of two of these does not wrap
  Linear sum = *a;
  sum.constant += b->constant;
  for (const auto& [x, coefficient] : b->terms)
    sum.terms[x] += coefficient;
  return limited(std::move(sum));
}

MaybeLinear scale(const MaybeLinear& a, int64_t by) {
  if (!a || !is_small(by, largest_coefficient))
    return std::nullopt;
  Linear product = *a;
  if (__builtin_mul_overflow(product.constant, by, &product.constant))
    return std::nullopt;
  for (auto& [x, coefficient] : product.terms)
    coefficient *= by;
  return limited(std::move(product));
}

MaybeLinear subtract(const MaybeLinear& a, const MaybeLinear& b) { return add(a, scale(b, -1)); }

bool mentions(const Linear& form, const std::set<int>& slots) {
  for (const auto& [a, coefficient] : form.terms)
    if ((a.kind == Atom::Value || a.kind == Atom::Length) && slots.count(a.n))
      return true;
  return false;
}

const Atom* innermost_counter(const Linear& form) {
  const Atom* found = nullptr;
  for (const auto& [a, coefficient] : form.terms)
    if (a.kind == Atom::Counter && (!found || a.n > found->n))
      found = &a;
  return found;
}

const Atom* outermost_counter(const Linear& form) {
  const Atom* found = nullptr;
  for (const auto& [a, coefficient] : form.terms)
    if (a.kind == Atom::Counter && (!found || a.n < found->n))
      found = &a;
  return found;
}

/// A sum that reads as one would write it: what is added first, the constant last.
ir::Expr* write(const Linear& form, ir::Function& f, const ir::Stmt& at,
                const std::function<ir::Expr*(const Atom&)>& hoisted) {
  using namespace ir;
  auto make = [&](Type type, Expr::Node node) {
    Expr* e = f.make(type, at.span, std::move(node));
    e->frame = at.frame;
    return e;
  };
  auto integer = [&](Expr::Node node) { return make(types::weak_int(), std::move(node)); };
  auto number = [&](int64_t value) { return integer(Const{value, 0}); };
  auto read = [&](int slot) { return make(f.slots[static_cast<size_t>(slot)].type, Read{slot}); };
  auto leaf = [&](const Atom& a) {
    if (a.kind == Atom::Length)
      return integer(Dim{read(a.n), a.axis});
    return a.kind == Atom::Hoisted ? hoisted(a) : read(a.n);
  };
  Expr* sum = nullptr;
  for (const bool negative : {false, true})
    for (const auto& [a, coefficient] : form.terms) {
      if ((coefficient < 0) != negative)
        continue;
      const int64_t size = negative ? -coefficient : coefficient;
      Expr* term = size == 1 ? leaf(a) : integer(Binary{BinaryOp::Mult, number(size), leaf(a)});
      if (sum)
        sum = integer(Binary{negative ? BinaryOp::Sub : BinaryOp::Add, sum, term});
      else
        sum = negative ? integer(Unary{UnaryOp::Neg, term}) : term;
    }
  if (!sum)
    return number(form.constant);
  if (form.constant == 0)
    return sum;
  return integer(form.constant < 0 ? Binary{BinaryOp::Sub, sum, number(-form.constant)}
                                   : Binary{BinaryOp::Add, sum, number(form.constant)});
}

Extent extent(const Linear& form) {
  Extent sum{form.constant, form.constant};
  for (const auto& [a, coefficient] : form.terms) {
    const Wide low = a.kind == Atom::Length ? 0 : INT64_MIN, high = INT64_MAX;
    sum.low += coefficient * (coefficient > 0 ? low : high);
    sum.high += coefficient * (coefficient > 0 ? high : low);
  }
  return sum;
}

bool fits(const Extent& e) { return INT64_MIN <= e.low && e.high <= INT64_MAX; }

} // namespace mpijit::jit::passes
