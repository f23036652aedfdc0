// What is known at compile time and has no value at run time: strings, functions, kernels, dtypes, how types carry
// them through names and tuples; and lambdas, which are functions made of what is known. See body.h.
#include "infer/body.h"

#include "ir/effects.h"
#include "syntax/read.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

bool can_carry(const Constant& c) {
  if (const auto* items = std::get_if<ConstantTuple>(&c.value))
    return std::all_of(items->begin(), items->end(), can_carry);
  const auto* h = std::get_if<Handle>(&c.value);
  return h ? h->kind == "operator" || h->kind == "comm"
           : !std::holds_alternative<Unsupported>(c.value) && !std::holds_alternative<BigInteger>(c.value) &&
                 !std::holds_alternative<ModuleName>(c.value) && !std::holds_alternative<ExceptionName>(c.value);
}

bool holds_text(Type t) {
  return t->kind == TypeKind::String || std::any_of(t->items.begin(), t->items.end(), holds_text);
}

// A number that the type says: such a tuple is used by its value.
bool holds_number(Type t) {
  const bool is_number = t->kind == TypeKind::Static && (t->text.starts_with("int ") || t->text.starts_with("bool "));
  return is_number || std::any_of(t->items.begin(), t->items.end(), holds_number);
}

// What a type says of its value when it says all.
std::optional<Constant> constant_of(Type t) {
  if (t->is_none())
    return Constant{None{}, {}};
  if (t->kind == TypeKind::Literal)
    return Constant{t->text, {}};
  if (t->kind == TypeKind::Static)
    return read_constant(t->text);
  if (!t->is_tuple())
    return std::nullopt;
  ConstantTuple items;
  for (Type item : t->items) {
    std::optional<Constant> c = constant_of(item);
    if (!c)
      return std::nullopt;
    items.push_back(std::move(*c));
  }
  return Constant{std::move(items), {}};
}

std::optional<double> number(const Constant& c) {
  if (const auto* b = std::get_if<bool>(&c.value))
    return *b;
  if (const auto* i = std::get_if<int64_t>(&c.value))
    return static_cast<double>(*i);
  const auto* d = std::get_if<double>(&c.value);
  return d ? std::optional(*d) : std::nullopt;
}

// Python's own values only: NumPy's scalars compare to NumPy's bools.
std::optional<bool> compare_constants(ir::CompareOp op, const Constant& a, const Constant& b) {
  if (!a.dtype.empty() || !b.dtype.empty())
    return std::nullopt;
  const auto *s = std::get_if<std::string>(&a.value), *t = std::get_if<std::string>(&b.value);
  if (s && t)
    return holds(op, *s, *t);
  const auto *i = std::get_if<int64_t>(&a.value), *j = std::get_if<int64_t>(&b.value);
  if (i && j)
    return holds(op, *i, *j);
  const std::optional<double> x = number(a), y = number(b);
  if (x && y) // as floats where one is one
    return holds(op, *x, *y);
  const bool none = std::holds_alternative<None>(a.value), other = std::holds_alternative<None>(b.value);
  const bool comparable = (none || s || x) && (other || t || y); // of two kinds: never equal
  if (comparable && (op == ir::CompareOp::Eq || op == ir::CompareOp::NotEq))
    return (none && other) == (op == ir::CompareOp::Eq);
  return std::nullopt;
}

// How often a tree binds a name, lambdas in it aside.
int count_bindings(const Node& n, std::string_view name) {
  if (n.kind == NodeKind::Lambda)
    return 0;
  int count = 0;
  if (n.kind == NodeKind::Assign || n.kind == NodeKind::For || n.kind == NodeKind::NamedExpr) {
    std::function<void(const Node&)> targets = [&](const Node& t) {
      if (t.kind == NodeKind::Name)
        count += t.text == name;
      else if (t.kind != NodeKind::Subscript && t.kind != NodeKind::Attribute)
        for (const Node* kid : t.kids)
          targets(*kid);
    };
    targets(n[0]);
  }
  for (const Node* kid : n.kids)
    count += count_bindings(*kid, name);
  return count;
}

void walrus_names(const Node& n, std::set<std::string, std::less<>>& names) {
  if (n.kind == NodeKind::NamedExpr)
    names.insert(n[0].text);
  for (const Node* kid : n.kids)
    if (kid->kind != NodeKind::Lambda)
      walrus_names(*kid, names);
}

// The names a lambda takes from around it, with where they stand.
void free_names(const Node& n, std::set<std::string, std::less<>> bound, std::map<std::string, Span>& out) {
  if (n.kind == NodeKind::Lambda) {
    for (const Node* p : n[0].kids)
      bound.insert(p->text.substr(std::min(p->text.find_first_not_of('*'), p->text.size())));
    walrus_names(n[1], bound);
  }
  if (n.kind == NodeKind::Name && !bound.contains(n.text))
    out.emplace(n.text, n.span);
  for (const Node* kid : n.kids)
    free_names(*kid, bound, out);
}

} // namespace

ir::Expr* Body::carried(const Operand& o, Span span, bool or_null) {
  if (const auto* text = o.as<std::string>()) {
    ir::Expr* x = make(types::literal(*text), span, ir::Const{});
    if (!o.expr || ir::is_pure(*o.expr))
      return x;
    ir::Expr* pair = make(types::tuple({o.type(), x->type}), span, ir::MakeTuple{{o.expr, x}});
    return make(x->type, span, ir::Item{pair, 1});
  }
  if (o.as<FunctionName>() || o.as<KernelIndex>() || o.as<DTypeName>() || o.as<Ellipsis>())
    return o.expr ? o.expr : make(types::fixed(to_string(*o.constant)), span, ir::Const{});
  if (o.expr && o.type()->is_fixed())
    return o.expr;
  const auto* items = o.as<ConstantTuple>();
  if (items && can_carry(*o.constant) && (!o.expr || holds_text(o.type()))) {
    ir::MakeTuple out;
    std::vector<Type> item_types;
    for (const Constant& item : *items) {
      out.items.push_back(carried(constant(item, span), span));
      item_types.push_back(out.items.back()->type);
    }
    return make(types::tuple(std::move(item_types)), span, std::move(out));
  }
  return o.expr || !or_null ? value(o, span) : nullptr;
}

ir::Expr* Body::carried_literal(const Operand& o, Span span) {
  const auto* items = o.as<ConstantTuple>();
  if (items && o.expr && ir::is_pure(*o.expr) && can_carry(*o.constant)) { // axes
    ir::MakeTuple out;
    std::vector<Type> item_types;
    for (const Constant& item : *items) {
      out.items.push_back(carried_literal(constant(item, span), span));
      item_types.push_back(out.items.back()->type);
    }
    return make(types::tuple(std::move(item_types)), span, std::move(out));
  }
  constexpr int64_t most = 64; // a function that calls itself with another number must not be compiled without end
  const auto* i = o.as<int64_t>();
  const bool small = o.as<bool>() || (i && *i >= -most && *i <= most);
  if (!small || !o.constant->dtype.empty() || (o.expr && !ir::is_pure(*o.expr)))
    return carried(o, span);
  return make(types::fixed(to_string(*o.constant)), span, ir::Const{});
}

Operand Body::known(Operand o) {
  if (!o.expr || o.constant)
    return o;
  ir::Expr* x = o.expr;
  std::optional<Constant> all = constant_of(x->type);
  if (all && x->type->is_tuple() && holds_number(x->type) && ir::is_pure(*x))
    return constant(*all, x->span);
  if (!all || !x->type->is_fixed())
    return {x, std::move(all)};
  Operand out;
  const bool is_value = std::holds_alternative<bool>(all->value) || std::holds_alternative<int64_t>(all->value);
  if (x->type->kind == TypeKind::Literal || is_value)
    out = constant(*all, x->span);
  else
    out.constant = std::move(all);
  if (ir::is_pure(*x))
    return out;
  // What computes it still has to happen.
  if (out.expr) {
    ir::Expr* pair = make(types::tuple({x->type, out.type()}), x->span, ir::MakeTuple{{x, out.expr}});
    out.expr = make(out.type(), x->span, ir::Item{pair, 1});
  } else {
    out.expr = x;
  }
  return out;
}

std::optional<bool> Body::compare_known(ir::CompareOp op, const Operand& a, const Operand& b) const {
  return a.constant && b.constant ? compare_constants(op, *a.constant, *b.constant) : std::nullopt;
}

std::optional<bool> Body::contains_known(const Operand& x, const Operand& tuple) const {
  const auto* items = tuple.as<ConstantTuple>();
  if (!items || !x.constant)
    return std::nullopt;
  bool found = false;
  for (const Constant& item : *items) {
    std::optional<bool> equal = compare_constants(ir::CompareOp::Eq, *x.constant, item);
    if (!equal)
      return std::nullopt;
    found |= *equal;
  }
  return found;
}

Operand Body::after(const std::vector<Operand>& values, Operand result) {
  ir::MakeTuple all;
  std::vector<Type> item_types;
  for (const Operand& o : values)
    if (o.expr && !ir::is_pure(*o.expr)) {
      all.items.push_back(o.expr);
      item_types.push_back(o.type());
    }
  if (all.items.empty())
    return result;
  const Span span = all.items.front()->span;
  ir::Expr* x = result.expr ? result.expr : carried(result, span);
  all.items.push_back(x);
  item_types.push_back(x->type);
  const int last = static_cast<int>(all.items.size()) - 1;
  ir::Expr* named = make(types::tuple(std::move(item_types)), span, std::move(all));
  return {make(x->type, span, ir::Item{named, last}), result.constant};
}

// A lambda is a function of its own. What it takes from around it must be known when it is compiled, and stay: a
// captured name, or a local one that is bound once, to something known.
Operand Body::lambda(const Node& e) {
  std::map<std::string, Span> names;
  free_names(e, {}, names);
  auto captures = source_.captures;
  for (const auto& [name, span] : names) {
    if (!locals_.contains(name))
      continue;
    const auto at = env_.names.find(name);
    if (at == env_.names.end())
      refuse(Diag::NeverBound, span, {name});
    const Binding& b = at->second;
    Operand o = b.type ? known({read(std::max(b.slot, 0), span), {}}) : Operand{nullptr, b.constant};
    const Parameters params = parameters(source_);
    const auto is_it = [&name = name](const Parameter& p) { return p.name == name; };
    const int bindings =
        count_bindings((*source_.tree)[1], name) + (std::any_of(params.rows.begin(), params.rows.end(), is_it) ? 1 : 0);
    if (!o.constant || b.flag >= 0 || !b.conflict.empty() || bindings != 1)
      refuse(Diag::LambdaName, span, {name});
    captures.insert_or_assign(name, *o.constant);
  }
  Operand out;
  out.constant = Constant{KernelIndex{all_.lambda(source_, e, std::move(captures))}, {}};
  return out;
}

} // namespace mpijit::jit::inference
