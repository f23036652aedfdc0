// Arrays that exist only to be looked at once: `flux = a * b` whose one reader is another element-wise expression
// becomes a part of that one, so that the array is never made. So does one whose one reader is a sum of its elements.
//
// The computation moves to its reader, which must not be seen. So it can raise nothing: its shapes fit one another
// whatever the lengths of the arrays are (one array, or slices that leave out equally many elements), and its body
// cannot fail. What stands between the two neither stores into arrays nor changes a name that it reads.
#include "passes/passes.h"

#include "ir/effects.h"
#include "ir/walk.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace mpijit::jit::passes {
namespace {

using namespace ir;

// ---- what cannot raise -------------------------------------------------------------------------------------

/// max(0, the length of this axis of the array in this slot - less).
using Length = std::tuple<int, int, int64_t>;

std::optional<int64_t> constant(const Expr* e) {
  const auto* c = std::get_if<Const>(&e->node);
  return c ? std::optional(c->i) : std::nullopt;
}

/// How many elements the slice leaves out, if that does not depend on the length: it starts at or after the first one
/// and ends at a distance from the last.
std::optional<int64_t> left_out(const Range& r) {
  constexpr int64_t most = int64_t{1} << 40;
  const auto start = r.start ? constant(r.start) : 0, stop = r.stop ? constant(r.stop) : 0;
  if (r.step && constant(r.step) != 1)
    return std::nullopt;
  if (!start || *start < 0 || *start > most || !stop || (r.stop && *stop >= 0) || *stop < -most)
    return std::nullopt;
  return *start - *stop;
}

/// The lengths of an array of one or more axes, a slot's or a slice of one. Nothing: they are not known.
std::optional<std::vector<Length>> lengths(const Expr& array) {
  std::vector<Length> out;
  if (const auto* read = std::get_if<Read>(&array.node)) {
    for (int axis = 0; axis < array.type->ndim; ++axis)
      out.emplace_back(read->slot, axis, 0);
    return out;
  }
  const auto* view = std::get_if<View>(&array.node);
  const auto* read = view ? std::get_if<Read>(&view->array->node) : nullptr;
  if (!read)
    return std::nullopt;
  for (size_t axis = 0; axis < view->axes.size(); ++axis) {
    const auto* range = std::get_if<Range>(&view->axes[axis]);
    const auto less = range ? left_out(*range) : std::nullopt;
    if (!less)
      return std::nullopt;
    out.emplace_back(read->slot, static_cast<int>(axis), *less);
  }
  return out;
}

bool cannot_raise(const Elementwise& e) {
  std::optional<std::vector<Length>> all;
  for (const Input& input : e.inputs) {
    if (!is_pure(*input.value))
      return false;
    if (!input.value->type->is_array())
      continue;
    const auto own = lengths(*input.value);
    if (!own || (all && *all != *own))
      return false;
    all = own;
  }
  return all && e.shape.empty() && !may_raise(e);
}

// ---- what may stand between --------------------------------------------------------------------------------

bool calls(const Stmt& s) {
  bool found = false;
  each_child(s, [&](const Expr& x) { found |= ir::calls(x); });
  return found;
}

bool meet(const std::set<int>& a, const std::set<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int slot) { return b.count(slot) > 0; });
}

/// Can e be evaluated after s as well as before it?
bool passes_by(const Expr& e, const Stmt& s) {
  const bool simple = std::holds_alternative<Assign>(s.node) || std::holds_alternative<Evaluate>(s.node);
  return simple && !calls(s) && !meet(read_slots(e), assigned_slots(s));
}

/// What in e has the slot's array for an input and is certainly evaluated: an element-wise expression, or a sum that
/// can add the elements as they are computed. Null for none.
Expr* reader(Expr& e, int slot) {
  if (auto* whole = std::get_if<Elementwise>(&e.node))
    for (const Input& input : whole->inputs)
      if (const auto* read = std::get_if<Read>(&input.value->node); read && read->slot == slot)
        return &e;
  if (const auto* reduce = std::get_if<Reduce>(&e.node))
    if (const auto* read = std::get_if<Read>(&reduce->x->node); read && read->slot == slot)
      return adds_in_order(*reduce, e.type->dtype) ? &e : nullptr;
  Expr* found = nullptr;
  if (!std::holds_alternative<Choose>(e.node))
    each_child(e, [&](Expr*& child) { found = found ? found : reader(*child, slot); });
  return found;
}

// ---- forwarding --------------------------------------------------------------------------------------------

class Fuser {
public:
  explicit Fuser(Function& f) : f_(f) {}

  void run() {
    count();
    block(f_.body);
  }

private:
  void count() {
    written_.assign(f_.slots.size(), 0);
    read_.assign(f_.slots.size(), 0);
    std::fill_n(written_.begin(), f_.parameters, 1);
    each_stmt(f_.body, [&](Stmt& s) {
      if (const auto* assign = std::get_if<Assign>(&s.node))
        ++written_[static_cast<size_t>(assign->slot)];
    });
    each_expr(f_.body, [&](Expr*& e) {
      if (const auto* bind = std::get_if<Bind>(&e->node))
        ++written_[static_cast<size_t>(bind->slot)];
      if (const auto* read = std::get_if<Read>(&e->node))
        ++read_[static_cast<size_t>(read->slot)];
    });
  }

  void block(Block& b) {
    for (Stmt* s : b)
      each_block(*s, [&](Block& inner) { block(inner); });
    // From the last one: what is taken in then stands nearer to what is in front of it.
    for (size_t k = b.size(); k-- > 0;)
      if (forward(b, k))
        b.erase(b.begin() + static_cast<std::ptrdiff_t>(k));
  }

  bool forward(Block& b, size_t from) {
    const auto* made = std::get_if<Assign>(&b[from]->node);
    auto* source = made ? std::get_if<Elementwise>(&made->value->node) : nullptr;
    if (!source || written_[static_cast<size_t>(made->slot)] != 1 || read_[static_cast<size_t>(made->slot)] != 1 ||
        !cannot_raise(*source))
      return false;
    for (size_t k = from + 1; k < b.size(); ++k) {
      if (Expr* whole = reader_in(*b[k], made->slot))
        return !calls(*b[k]) && !bind_in(*b[k], *made->value) && take_in(*whole, made->slot, made->value);
      if (!passes_by(*made->value, *b[k]))
        return false;
    }
    return false;
  }

  static Expr* reader_in(Stmt& s, int slot) {
    const bool simple = std::holds_alternative<Assign>(s.node) || std::holds_alternative<StoreArray>(s.node) ||
                        std::holds_alternative<Return>(s.node) || std::holds_alternative<Evaluate>(s.node);
    Expr* found = nullptr;
    if (simple)
      each_child(s, [&](Expr*& e) { found = found ? found : reader(*e, slot); });
    return found;
  }

  /// Does evaluating s change a slot that e reads, before it is done?
  static bool bind_in(const Stmt& s, const Expr& e) {
    bool found = false;
    each_child(s, [&](const Expr& x) { found |= is_changed(e, x); });
    return found;
  }

  // Equal axes only: nothing is computed more than once.
  bool take_in(Expr& reader, int slot, Expr* value) {
    if (auto* reduce = std::get_if<Reduce>(&reader.node)) {
      reduce->x = value;
      return true;
    }
    if (reader.type->ndim != value->type->ndim)
      return false;
    auto& into = std::get<Elementwise>(reader.node);
    const auto& from = std::get<Elementwise>(value->node);
    const auto at = std::find_if(into.inputs.begin(), into.inputs.end(), [&](const Input& input) {
      const auto* read = std::get_if<Read>(&input.value->node);
      return read && read->slot == slot;
    });
    const int element = at->slot;
    const auto place = into.inputs.erase(at) - into.inputs.begin();
    std::vector<Input> inputs;
    std::vector<Let> lets;
    for (const Input& input : from.inputs) {
      const auto same = std::find_if(into.inputs.begin(), into.inputs.end(), [&](const Input& other) {
        return input.value->type->is_array() && same_value(*other.value, *input.value);
      });
      if (same == into.inputs.end())
        inputs.push_back(input);
      else
        lets.push_back(
            {input.slot, f_.make(f_.slots[static_cast<size_t>(same->slot)].type, input.value->span, Read{same->slot})});
    }
    into.inputs.insert(into.inputs.begin() + place, inputs.begin(), inputs.end());
    lets.insert(lets.end(), from.lets.begin(), from.lets.end());
    lets.push_back({element, from.body});
    into.lets.insert(into.lets.begin(), lets.begin(), lets.end());
    return true;
  }

  Function& f_;
  std::vector<int> written_, read_; // how often, by slot
};

} // namespace

void fuse(Module& module) {
  for (auto& f : module.functions)
    Fuser(*f).run();
}

} // namespace mpijit::jit::passes
