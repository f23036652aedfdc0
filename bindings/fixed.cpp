#include "fixed.h"

#include "guards.h"

namespace mpijit::bind {
namespace {

// Compares the values of static type in one argument with those from `expected` on, which is moved past them.
bool same_things(jit::Type t, PyObject* value, const Ref*& expected) {
  if (t->kind == jit::TypeKind::Static)
    return same_value(value, (expected++)->get());
  for (size_t i = 0; i < t->items.size(); ++i)
    if (!same_things(t->items[i], PyTuple_GET_ITEM(value, static_cast<Py_ssize_t>(i)), expected))
      return false;
  return true;
}

size_t count_things(jit::Type t) {
  size_t count = t->kind == jit::TypeKind::Static;
  for (const jit::Type item : t->items)
    count += count_things(item);
  return count;
}

} // namespace

bool Fixed::assign(PyObject* sequence) {
  Ref items(PySequence_Fast(sequence, "the values passed must be a sequence"));
  if (!items)
    return false;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
    values_.push_back(Ref::borrow(PySequence_Fast_GET_ITEM(items.get(), i)));
  return true;
}

bool Fixed::match(const std::vector<jit::Type>& types, PyObject* const* args) const {
  size_t count = 0;
  for (const jit::Type t : types)
    count += count_things(t);
  if (count != values_.size())
    return false;
  const Ref* expected = values_.data();
  for (const jit::Type t : types)
    if (!same_things(t, *args++, expected))
      return false;
  return true;
}

int Fixed::traverse(visitproc visit, void* arg) const {
  for (const Ref& value : values_)
    Py_VISIT(value.get());
  return 0;
}

} // namespace mpijit::bind
