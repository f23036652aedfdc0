// What `for` loops run over: counted loops, outermost first, and the item as a function of their counters; or, where a
// tuple is in it, a number of items known now. To add one: a function that makes its Iterable, and a row in
// iterate_call. See body.h.
#include "infer/iterables.h"

#include "ir/walk.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

bool is_constant(const ir::Expr* e, int64_t value) {
  const auto* n = std::get_if<ir::Const>(&e->node);
  return n && n->i == value;
}

bool is_tuple(const Operand& o) { return o.as<ConstantTuple>() || (o.type() && o.type()->is_tuple()); }

} // namespace

Iterable Body::iterable(const Node& e, const Names& changing) {
  if (e.kind == NodeKind::List) { // its items only: no list is made
    const Node display{NodeKind::Tuple, e.span, {}, {}, e.kids};
    return iterate_items(tuple(display), e.span);
  }
  if (e.kind == NodeKind::Call) {
    const auto key = dotted(e[0]);
    if (e[0].kind == NodeKind::Name || (key && captured(*key))) {
      const Operand callee = expression(e[0]);
      if (const auto* f = callee.as<FunctionName>())
        if (std::optional<Iterable> it = iterate_call(f->name, e, changing))
          return *it;
    }
  }
  Operand o = expression(e);
  if (is_tuple(o))
    return iterate_items(o, e.span);
  if (!o.expr || !o.type()->is_array())
    refuse(Diag::ForIterable, e.span, {o.expr ? to_string(o.type()) : to_string(*o.constant)});
  return iterate_array(array_to_iterate(e, o, changing), e.span);
}

std::optional<Iterable> Body::iterate_call(const std::string& name, const Node& e, const Names& changing) {
  const auto args = [&] { return arguments(e, name.substr(name.rfind('.') + 1)); };
  if (name == "builtins.range")
    return iterate_range(args());
  if (name == "builtins.enumerate")
    return iterate_enumerate(args(), changing);
  if (name == "builtins.zip")
    return iterate_zip(args(), changing);
  if (name == "builtins.reversed")
    return iterate_backwards(args(), changing);
  if (name == "numpy.ndindex")
    return iterate_ndindex(args(), changing);
  if (name == "numpy.ndenumerate")
    return iterate_ndenumerate(args(), changing);
  if (name == "mpijit.prange")
    refuse(Diag::Prange, e.span);
  return std::nullopt;
}

Iterable Body::iterate_range(const Arguments& args) {
  if (args.positional.empty() || args.positional.size() > 3 || !args.keywords.empty())
    refuse(Diag::CallArguments, args.span, {"range", "one to three arguments"});
  std::vector<ir::Expr*> bounds;
  for (const Node* n : args.positional)
    bounds.push_back(as_int(expression(*n), "range()'s arguments", n->span));
  if (bounds.size() == 1)
    bounds.insert(bounds.begin(), integer(0, args.span));
  if (bounds.size() == 2)
    bounds.push_back(integer(1, args.span));
  Iterable out;
  out.counters = {{bounds[0], bounds[1], bounds[2]}};
  out.is_sequence = true;
  return out;
}

Iterable Body::iterate_items(const Operand& tuple, Span span) {
  std::vector<Operand> items = items_of(tuple, span);
  for (Operand& item : items)
    if (item.expr)
      item.expr = keep(item.expr);
  Iterable out;
  out.count = static_cast<int64_t>(items.size());
  out.item = [items](const std::vector<Operand>& at) { return Part{items[static_cast<size_t>(*at[0].as<int64_t>())]}; };
  out.is_sequence = true;
  return out;
}

// An array under a name that the loop leaves alone needs no other: what is known of it stays known.
ir::Expr* Body::array_to_iterate(const Node& e, const Operand& o, const Names& changing) {
  const bool stays = e.kind == NodeKind::Name && !changing.contains(e.text) && o.expr &&
                     std::holds_alternative<ir::Read>(o.expr->node);
  return stays ? o.expr : keep(o.expr);
}

Iterable Body::iterate_array(ir::Expr* array, Span span) {
  if (array->type->ndim == 0)
    refuse(Diag::IterateScalar, span, {to_string(array->type)});
  Iterable out;
  out.counters = {{integer(0, span), lengths(array, span)[0], integer(1, span)}};
  out.item = [=, this](const std::vector<Operand>& at) {
    return Part{item_of(ir::clone(out_, array), at[0].expr, span)};
  };
  out.is_sequence = true;
  return out;
}

std::vector<ir::Expr*> Body::lengths(ir::Expr* array, Span span) {
  std::vector<ir::Expr*> out;
  for (int k = 0; k < array->type->ndim; ++k)
    out.push_back(make(types::weak_int(), span, ir::Dim{ir::clone(out_, array), k}));
  return out;
}

Iterable Body::iterate_backwards(const Arguments& args, const Names& changing) {
  if (args.positional.size() != 1 || !args.keywords.empty())
    refuse(Diag::CallArguments, args.span, {"reversed", "one argument"});
  Iterable it = iterable(*args.positional[0], changing);
  if (!it.is_sequence)
    refuse(Diag::Reversed, args.span);
  if (it.count) {
    const int64_t last = *it.count - 1;
    it.item = [this, last, span = args.span, item = std::move(it.item)](const std::vector<Operand>& at) {
      return item({constant({last - *at[0].as<int64_t>(), {}}, span)});
    };
    return it;
  }
  auto minus_one = [&](ir::Expr* x) {
    return arithmetic(ir::BinaryOp::Sub, {x, {}}, constant({int64_t{1}, {}}, args.span), args.span).expr;
  };
  if (!is_constant(it.counters[0].step, 1))
    it = from_zero(std::move(it), args.span);
  const Iterable::Counter c = it.counters[0];
  ir::Expr* start = keep(c.start);
  it.counters = {{minus_one(c.stop), minus_one(start), integer(-1, args.span)}};
  return it;
}

// The same items for counters that run from 0 by 1.
Iterable Body::from_zero(Iterable it, Span span) {
  if (it.count || it.counters.size() != 1)
    return it;
  const Iterable::Counter c = it.counters[0];
  if (is_constant(c.start, 0) && is_constant(c.step, 1))
    return it;
  ir::Expr *start = keep(c.start), *stop = keep(c.stop), *step = keep(c.step);
  auto operand = [&](ir::Expr* x) {
    const auto* n = std::get_if<ir::Const>(&x->node);
    return Operand{x, n ? std::optional(Constant{n->i, {}}) : std::nullopt};
  };
  auto calculate = [this, span](ir::BinaryOp op, const Operand& a, const Operand& b) {
    return arithmetic(op, a, b, span);
  };
  if (!std::holds_alternative<ir::Const>(step->node) || is_constant(step, 0))
    raise_if(compared(ir::CompareOp::Eq, step, integer(0, span), span), "ValueError", "range() arg 3 must not be zero",
             span);
  // ceil((stop - start) / step); below zero there are no items either.
  Operand length;
  if (is_constant(step, 1))
    length = calculate(ir::BinaryOp::Sub, operand(stop), operand(start));
  else if (is_constant(step, -1))
    length = calculate(ir::BinaryOp::Sub, operand(start), operand(stop));
  else
    length = calculate(
        ir::BinaryOp::Sub, operand(integer(0, span)),
        calculate(ir::BinaryOp::FloorDiv, calculate(ir::BinaryOp::Sub, operand(start), operand(stop)), operand(step)));
  Iterable out;
  out.counters = {{integer(0, span), keep(length.expr), integer(1, span)}};
  out.is_sequence = it.is_sequence;
  out.item = [=, item = std::move(it.item)](const std::vector<Operand>& at) {
    const Operand offset = calculate(ir::BinaryOp::Mult, at[0], operand(step));
    const Operand value = calculate(ir::BinaryOp::Add, operand(start), offset);
    return item ? item({value}) : Part{value};
  };
  return out;
}

void Body::raise_if(ir::Expr* cond, std::string_view error, std::string message, Span span) {
  ir::Stmt* raise = out_.make(span, ir::Raise{find_error(error), std::move(message)});
  emit(span, ir::If{cond, {raise}, {}});
}

// Which item it is that the counters stand at: row by row.
Operand Body::position(const Iterable& it, const std::vector<Operand>& at, Span span) {
  Operand n = at[0];
  for (size_t k = 1; k < it.counters.size(); ++k) {
    const Operand row = arithmetic(ir::BinaryOp::Mult, n, {ir::clone(out_, it.counters[k].stop), {}}, span);
    n = arithmetic(ir::BinaryOp::Add, row, at[k], span);
  }
  return n;
}

Iterable Body::iterate_enumerate(const Arguments& args, const Names& changing) {
  const std::vector<const Node*> given = bind(args, {{"iterable"}, {"start", false}});
  Iterable it = from_zero(iterable(*given[0], changing), args.span);
  Operand first = constant({int64_t{0}, {}}, args.span);
  if (given[1]) {
    first = expression(*given[1]);
    if (!first.as<int64_t>())
      first = {keep(as_int(first, "enumerate()'s start", given[1]->span)), {}};
  }
  Iterable out = it;
  out.is_sequence = false;
  const bool counts_from_zero = first.as<int64_t>() && *first.as<int64_t>() == 0;
  out.item = [=, this, span = args.span](const std::vector<Operand>& at) {
    const Operand k = position(it, at, span);
    const Operand number = counts_from_zero ? k : arithmetic(ir::BinaryOp::Add, first, k, span);
    return Part{{}, {{number}, it.item ? it.item(at) : Part{at[0]}}, true};
  };
  return out;
}

// As long as the shortest. With a tuple among them the loop is unrolled, and ends when another runs out.
// zip(strict=True) has come to the end of its shortest argument.
void Body::require_equal_lengths(const std::vector<ir::Expr*>& lengths, Span span) {
  auto differ = [&](ir::CompareOp op, ir::Expr* a, ir::Expr* b) { return compared(op, a, b, span); };
  auto message = [](size_t k, std::string_view than) {
    const std::string others = k == 1 ? " 1" : "s 1-" + std::to_string(k);
    return "zip() argument " + std::to_string(k + 1) + " is " + std::string(than) + " than argument" + others;
  };
  ir::Expr* shortest = lengths.empty() ? nullptr : lengths[0];
  for (size_t k = 1; k < lengths.size(); ++k)
    shortest = keep(select(differ(ir::CompareOp::Lt, lengths[k], shortest), lengths[k], shortest, span));
  for (size_t k = 1; k < lengths.size(); ++k) // the first that is at its end, when the first of all is not
    raise_if(select(differ(ir::CompareOp::Lt, shortest, lengths[0]), differ(ir::CompareOp::Eq, lengths[k], shortest),
                    boolean(false, span), span),
             "ValueError", message(k, "shorter"), span);
  for (size_t k = 1; k < lengths.size(); ++k)
    raise_if(differ(ir::CompareOp::Gt, lengths[k], lengths[0]), "ValueError", message(k, "longer"), span);
}

Iterable Body::iterate_zip(const Arguments& args, const Names& changing) {
  const Node* strict = nullptr;
  for (const Node* k : args.keywords) {
    if (k->text != "strict")
      refuse(Diag::UnknownKeyword, k->span, {"zip", k->text});
    strict = &(*k)[0];
  }
  std::vector<Iterable> all;
  std::vector<ir::Expr*> lengths; // of those that are not unrolled
  std::function<ir::Expr*(int64_t)> more;
  Iterable out;
  for (const Node* n : args.positional) {
    all.push_back(from_zero(iterable(*n, changing), n->span));
    const Iterable& it = all.back();
    if (it.more)
      refuse(Diag::ZipNested, n->span, {"a zip of a tuple and something else"});
    if (it.count) {
      out.count = std::min(out.count.value_or(*it.count), *it.count);
      continue;
    }
    if (it.counters.size() != 1)
      refuse(Diag::ZipNested, n->span, {"an iterable of several axes"});
    lengths.push_back(keep(it.counters[0].stop));
  }
  if (args.positional.empty())
    out.count = 0;
  const Span span = args.span;
  auto less = [this, span](ir::Expr* a, ir::Expr* b) { return compared(ir::CompareOp::Lt, a, b, span); };
  if (!lengths.empty()) {
    ir::Expr* shortest = lengths[0];
    for (size_t k = 1; k < lengths.size(); ++k)
      shortest = keep(select(less(lengths[k], shortest), lengths[k], shortest, span));
    if (out.count)
      out.more = [=, this](int64_t k) { return less(integer(k, span), shortest); };
    else
      out.counters = {{integer(0, span), shortest, integer(1, span)}};
  }
  if (constant_bool(strict, false)) {
    std::vector<ir::Expr*> every;
    size_t next = 0;
    for (const Iterable& it : all)
      every.push_back(it.count ? integer(*it.count, span) : lengths[next++]);
    out.finish = [=, this] { require_equal_lengths(every, span); };
  }
  out.item = [all = std::move(all)](const std::vector<Operand>& at) {
    Part tuple{{}, {}, true};
    for (const Iterable& it : all)
      tuple.parts.push_back(it.item ? it.item(at) : Part{at[0]});
    return tuple;
  };
  return out;
}

namespace {

// One loop per length, the items being the tuples of the counters.
Iterable over_lengths(const std::vector<ir::Expr*>& lengths, const std::function<ir::Expr*(int64_t)>& integer) {
  Iterable out;
  for (ir::Expr* n : lengths)
    out.counters.push_back({integer(0), n, integer(1)});
  if (lengths.empty())
    out.count = 1;
  out.item = [unrolled = lengths.empty()](const std::vector<Operand>& at) {
    Part tuple{{}, {}, true};
    if (!unrolled)
      for (const Operand& k : at)
        tuple.parts.push_back({k});
    return tuple;
  };
  return out;
}

} // namespace

// A length is read once, before the loop: that of an array whose name the loop changes is kept.
Iterable Body::iterate_ndindex(const Arguments& args, const Names& changing) {
  if (!args.keywords.empty())
    refuse(Diag::UnknownKeyword, args.keywords[0]->span, {"np.ndindex", args.keywords[0]->text});
  std::vector<Operand> shape;
  for (const Node* n : args.positional)
    shape.push_back(expression(*n));
  if (shape.size() == 1 && is_tuple(shape[0]))
    shape = items_of(shape[0], args.span);
  std::vector<ir::Expr*> lengths;
  for (const Operand& o : shape) {
    ir::Expr* n = as_int(o, "a length of np.ndindex", args.span);
    const auto* dim = std::get_if<ir::Dim>(&n->node);
    const auto* read = dim ? std::get_if<ir::Read>(&dim->array->node) : nullptr;
    const bool stays = read && std::none_of(changing.begin(), changing.end(), [&](const std::string& name) {
                         const std::string& slot = out_.slots[static_cast<size_t>(read->slot)].name;
                         return slot == name || slot.starts_with(name + ".");
                       });
    lengths.push_back(stays ? n : keep(n));
  }
  for (ir::Expr* n : lengths)
    if (!std::holds_alternative<ir::Dim>(n->node))
      raise_if(compared(ir::CompareOp::Lt, n, integer(0, args.span), args.span), "ValueError",
               "negative dimensions are not allowed", args.span);
  return over_lengths(lengths, [&](int64_t n) { return integer(n, args.span); });
}

Iterable Body::iterate_ndenumerate(const Arguments& args, const Names& changing) {
  const std::vector<const Node*> given = bind(args, {{"arr"}});
  Operand o = expression(*given[0]);
  if (!o.expr || !o.type()->is_array())
    refuse(Diag::OperandType, given[0]->span, {"np.ndenumerate", to_string(value(o, given[0]->span)->type)});
  ir::Expr* array = array_to_iterate(*given[0], o, changing);
  const Iterable it = over_lengths(lengths(array, args.span), [&](int64_t n) { return integer(n, args.span); });
  Iterable out = it;
  out.item = [=, this, span = args.span](const std::vector<Operand>& at) {
    Part place = it.item(at);
    Indices element{{}, true};
    for (const Part& k : place.parts)
      element.axes.push_back(ir::Index{ir::clone(out_, k.value.expr), false, false});
    Operand x = take(ir::clone(out_, array), std::move(element), span);
    return Part{{}, {std::move(place), {std::move(x)}}, true};
  };
  return out;
}

} // namespace mpijit::jit::inference
