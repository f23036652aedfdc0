// Calls: binding arguments to parameters, kernels calling kernels, the math module. See body.h.
#include "infer/body.h"

#include "ir/effects.h"

#include <algorithm>

namespace mpijit::jit::inference {

Arguments Body::arguments(const Node& call, std::string function) {
  Arguments out{call.span, std::move(function), {}, {}};
  for (Node* n : call[1].kids) {
    if (n->kind == NodeKind::Starred)
      star_argument(*n, out.positional);
    else
      out.positional.push_back(n);
  }
  for (Node* k : call[2].kids) {
    if (k->text.empty())
      refuse(Diag::StarKeywords, k->span);
    out.keywords.push_back(k);
  }
  return out;
}

// f(*t): a node for each item, which stands for that item of the tuple when it is evaluated.
void Body::star_argument(const Node& starred, std::vector<Node*>& into) {
  const Node& n = starred[0];
  Operand o = expression(n);
  auto add = [&](Operand item) {
    made_.push_back(Node{NodeKind::Empty, n.span, {}, {}, {}});
    stands_.emplace(&made_.back(), known(std::move(item)));
    into.push_back(&made_.back());
  };
  if (const auto* items = o.as<ConstantTuple>(); items && (!o.expr || ir::is_pure(*o.expr))) {
    for (const Constant& item : *items)
      add(constant(item, n.span));
    return;
  }
  if (!o.expr || !o.type()->is_tuple() || (o.type()->items.empty() && !ir::is_pure(*o.expr)))
    refuse(Diag::StarCall, starred.span, {o.expr ? to_string(o.type()) : "this"});
  const auto& items = o.type()->items;
  const Shared t = share(o.expr);
  for (size_t k = 0; k < items.size(); ++k)
    add({make(items[k], n.span, ir::Item{k ? t.again : t.first, static_cast<int>(k)}), {}});
}

Parameters parameters(const Function& f) {
  Parameters out;
  bool by_position = true;
  for (const Node* p : (*f.tree)[0].kids) {
    if (p->text == "/") {
      for (Parameter& before : out.rows)
        before.by_name = false;
    } else if (p->text == "*") {
      by_position = false;
    } else if (p->text.starts_with("**")) {
      refuse(Diag::StarParameter, p->span, {p->text});
    } else {
      const bool variadic = p->text.starts_with("*");
      by_position &= !variadic;
      out.nodes.push_back(p);
      out.rows.push_back({std::string_view(p->text).substr(variadic), !variadic, by_position, !variadic, variadic});
    }
  }
  // The defaults belong to the last parameters; keyword-only ones without one leave a gap.
  const size_t first = out.rows.size() - f.defaults.size();
  for (size_t k = first; k < out.rows.size(); ++k)
    if (!out.rows[k].variadic)
      out.rows[k].required =
          std::holds_alternative<Unsupported>(f.defaults[k - first].value) && !out.rows[k].by_position;
  return out;
}

std::vector<const Node*> Body::bind(const Arguments& args, const std::vector<Parameter>& params) {
  std::vector<const Node*> out(params.size(), nullptr);
  const size_t places = static_cast<size_t>(
      std::count_if(params.begin(), params.end(), [](const Parameter& p) { return p.by_position; }));
  if (args.positional.size() > places)
    refuse(Diag::ArgumentCount, args.span,
           {args.function, std::to_string(places), std::to_string(args.positional.size())});
  std::copy(args.positional.begin(), args.positional.end(), out.begin());
  for (const Node* k : args.keywords) {
    auto at =
        std::find_if(params.begin(), params.end(), [&](const Parameter& p) { return p.by_name && p.name == k->text; });
    if (at == params.end())
      refuse(Diag::UnknownKeyword, k->span, {args.function, k->text});
    auto& slot = out[static_cast<size_t>(at - params.begin())];
    if (slot)
      refuse(Diag::RepeatedArgument, k->span, {args.function, k->text});
    slot = &(*k)[0];
  }
  for (size_t k = 0; k < params.size(); ++k)
    if (!out[k] && params[k].required)
      refuse(Diag::MissingArgument, args.span, {args.function, params[k].name});
  return out;
}

void Body::keep_order(std::vector<ir::Expr*>& args, const std::vector<size_t>& order, Span span) {
  auto harmless = [&](size_t k) { return !args[k] || ir::is_pure(*args[k]); };
  if (std::is_sorted(order.begin(), order.end()) || std::all_of(order.begin(), order.end(), harmless))
    return;
  // All are named where the first argument stands, then taken by their names.
  ir::MakeTuple all;
  std::vector<Type> item_types;
  for (const size_t k : order) {
    if (!args[k] || std::holds_alternative<ir::Const>(args[k]->node))
      continue;
    const int slot = slots_.temporary(args[k]->type);
    all.items.push_back(make(args[k]->type, args[k]->span, ir::Bind{slot, args[k]}));
    item_types.push_back(args[k]->type);
    args[k] = read(slot, args[k]->span);
  }
  ir::Expr*& first = *std::find_if(args.begin(), args.end(), [](const ir::Expr* x) { return x != nullptr; });
  all.items.push_back(first);
  item_types.push_back(first->type);
  const int last = static_cast<int>(all.items.size()) - 1;
  ir::Expr* named = make(types::tuple(std::move(item_types)), span, std::move(all));
  first = share(make(first->type, first->span, ir::Item{named, last})).first;
}

Operand Body::call(const Node& e) {
  if (std::optional<Operand> known = method_call(e))
    return *known;
  Operand f = expression(e[0]);
  Operand result = call(f, e);
  if (!f.expr || !f.constant || !result.expr || ir::is_pure(*f.expr))
    return result;
  // Finding the function may raise, and comes first.
  return {after(f.expr, result.expr), result.constant};
}

// x.name(...) of an array or a number. nullopt: the function is found otherwise.
std::optional<Operand> Body::method_call(const Node& e) {
  const Node& f = e[0];
  if (f.kind != NodeKind::Attribute)
    return std::nullopt;
  if (auto key = dotted(f); key && captured(*key))
    return std::nullopt; // np.conj
  const Operand self = expression(f[0]);
  if (!self.expr || (!self.type()->is_array() && !self.type()->is_scalar()))
    return std::nullopt;
  const bool is_array = self.type()->is_array();
  const bool of_weak = f.text == "conjugate"; // the one method of Python's numbers that there is
  if (is_array || !self.type()->weak || of_weak)
    if (std::optional<Operand> known = method(f.text, self, arguments(e, f.text)))
      return known;
  // A method that is written as a kernel: its first parameter is the array.
  if (const Constant* written = is_array ? captured("." + f.text) : nullptr)
    if (const auto* kernel = std::get_if<KernelIndex>(&written->value))
      return kernel_call(kernel->index, arguments(e, f.text), &self);
  if (is_array)
    refuse(Diag::ArrayAttribute, f.span, {f.text, nearest_attribute(f.text)});
  refuse(Diag::Attribute, f.span, {to_string(self.type()), f.text});
}

Operand Body::call(const Operand& f, const Node& e) {
  if (const auto* known = f.as<FunctionName>()) {
    const std::string& name = known->name;
    const size_t dot = name.rfind('.');
    const std::string module = name.substr(0, dot);
    const std::string_view last = std::string_view(name).substr(dot + 1);
    Arguments args = arguments(e, name);
    if (module == "builtins")
      return builtin_call(last, args);
    if (module == "math")
      return math_call(last, args);
    if (module == "cmath")
      return cmath_call(last, args);
    if (module == "numpy")
      return numpy_call(last, args);
    if (module == "mpijit.mpi")
      return mpi_call(last, args);
    if (name == "mpijit.prange")
      refuse(Diag::Prange, e.span);
    refuse(Diag::UnknownFunction, e.span, {name});
  }
  if (const auto* kernel = f.as<KernelIndex>()) {
    Operand result = kernel_call(kernel->index, arguments(e, all_.function(kernel->index).name));
    const auto* made = result.expr ? std::get_if<ir::Call>(&result.expr->node) : nullptr;
    if (made && &e != ignored_)
      if (const auto& why = all_.entries[static_cast<size_t>(made->function)].no_result)
        throw Refusal(*why);
    return result;
  }
  if (f.as<DTypeName>()) { // np.float32(x)
    Type to = types::strong(dtype_of(f, e.span));
    Arguments args = arguments(e, std::string(row(to->dtype).name));
    if (to->is_complex() && args.positional.size() == 2) // np.complex64(re, im)
      return {convert_scalar(complex_call(args).expr, to), {}};
    if (args.positional.size() != 1 || !args.keywords.empty())
      refuse(Diag::CallArguments, e.span, {args.function, "one argument"});
    // Python's own numbers are range-checked, NumPy's cast as in C.
    Operand o = expression(*args.positional[0]);
    const bool cast = o.expr && o.type()->is_scalar() && !o.type()->weak && !o.type()->is_complex() && !to->is_bool();
    return {cast ? convert_scalar(o.expr, to) : element_for_store(o, to->dtype, e.span), {}};
  }
  if (f.as<ExceptionName>())
    refuse(Diag::ExceptionValue, e.span);
  if (const auto* u = f.as<Unsupported>())
    refuse(Diag::Captured, e[0].span, {u->what});
  refuse(Diag::NotCallable, e.span, {f.expr ? to_string(f.type()) : to_string(*f.constant)});
}

Operand Body::kernel_call(int index, const Arguments& args, const Operand* self) {
  const Function& f = all_.function(index);
  const Parameters params = parameters(f);
  const size_t count = params.rows.size(), first_default = count - f.defaults.size();
  Arguments named = args;
  if (self) {
    made_.push_back(Node{NodeKind::Empty, args.span, {}, {}, {}});
    stands_.emplace(&made_.back(), *self);
    named.positional.insert(named.positional.begin(), &made_.back());
  }
  std::vector<Node*> rest; // what *args takes
  const auto variadic = std::find_if(params.rows.begin(), params.rows.end(), [](auto& p) { return p.variadic; });
  const auto places = std::count_if(params.rows.begin(), params.rows.end(), [](auto& p) { return p.by_position; });
  if (variadic != params.rows.end() && std::ssize(named.positional) > places) {
    rest.assign(named.positional.begin() + places, named.positional.end());
    named.positional.resize(static_cast<size_t>(places));
  }
  const std::vector<const Node*> given = bind(named, params.rows);

  // Evaluated as the call gives them; *args' items stand behind the other parameters until all are known.
  std::vector<ir::Expr*> values(count + rest.size(), nullptr);
  std::vector<size_t> order;
  const auto rebound = f.literals ? assigned_names((*f.tree)[1]) : Names{};
  auto passed = [&](size_t k, const Operand& o, Span span) {
    const bool literal = f.literals && k < count && !rebound.contains(params.rows[k].name);
    return literal ? carried_literal(o, span) : carried(o, span);
  };
  auto evaluate_at = [&](size_t k, const Node& n) {
    // Python's lists where NumPy takes any sequence: np.concatenate([a, b])
    const bool is_list = f.literals && n.kind == NodeKind::List;
    values[k] = passed(k, is_list ? tuple(n) : expression(n), n.span);
    order.push_back(k);
  };
  auto place = [&](const Node* n) {
    return static_cast<size_t>(std::find(given.begin(), given.end(), n) - given.begin());
  };
  for (const Node* n : named.positional)
    evaluate_at(place(n), *n);
  for (size_t k = 0; k < rest.size(); ++k)
    evaluate_at(count + k, *rest[k]);
  for (const Node* k : named.keywords)
    evaluate_at(place(&(*k)[0]), (*k)[0]);
  for (size_t k = 0; k < count; ++k)
    if (!values[k] && !params.rows[k].variadic)
      values[k] = passed(k, constant(f.defaults[k - first_default], args.span), args.span);
  keep_order(values, order, args.span);

  ir::Call out{-1, {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)}};
  if (variadic != params.rows.end()) {
    ir::MakeTuple tuple{{values.begin() + static_cast<std::ptrdiff_t>(count), values.end()}};
    std::vector<Type> item_types;
    for (const ir::Expr* x : tuple.items)
      item_types.push_back(x->type);
    out.args[static_cast<size_t>(variadic - params.rows.begin())] =
        make(types::tuple(std::move(item_types)), args.span, std::move(tuple));
  }
  std::vector<Type> types;
  for (const ir::Expr* x : out.args)
    types.push_back(x->type);
  try {
    out.function = all_.specialise(index, types);
  } catch (Refusal& r) {
    if (f.literals && !source_.literals)
      place_at_call(r.diagnostic, args);
    throw;
  }
  const ir::Function& callee = *all_.out.module.functions[static_cast<size_t>(out.function)];
  const Specialiser::Entry& entry = all_.entries[static_cast<size_t>(out.function)];
  for (const int k : entry.arrays)
    out.args.push_back(read(arrays_.at(k), args.span));
  out_.communicates |= callee.communicates;
  out_.uses_mpi |= callee.uses_mpi;
  Operand result{make(*entry.result, args.span, std::move(out)), {}};
  if (!entry.never_returns)
    return known(result);
  never_ = true;
  return {after(result.expr, integer(0, args.span)), {}}; // a number goes in most places, and none is reached
}

// Who names np.f need not know how it is implemented: the refusal is about the call, and says where it came up.
void Body::place_at_call(Diagnostic& d, const Arguments& args) const {
  const Function& inside = all_.function(d.function);
  const size_t folder = inside.file.rfind('/');
  d.message = args.function + " (" + inside.file.substr(folder == inside.file.npos ? 0 : folder + 1) + ":" +
              std::to_string(d.span.line) + "): " + d.message;
  d.note.clear();
  d.span = args.span;
  d.function = -1;
}

// ---- math --------------------------------------------------------------------------------------------

Operand Body::math_call(std::string_view name, const Arguments& args) {
  const MathRow* row = find_math(name, static_cast<int>(args.positional.size()));
  if (!row)
    refuse(Diag::UnknownFunction, args.span, {args.function});
  if (row->arity != static_cast<int>(args.positional.size()) || !args.keywords.empty())
    refuse(Diag::CallArguments, args.span,
           {args.function, std::to_string(row->arity) + (row->arity == 1 ? " argument" : " arguments")});
  std::vector<Operand> operands;
  for (const Node* n : args.positional) {
    operands.push_back(without_axes(expression(*n)));
    require_scalar(operands.back(), args.function, n->span);
  }
  return math(*row, std::move(operands), args.span);
}

Operand Body::math(const MathRow& row, std::vector<Operand> operands, Span span) {
  ir::Math out{&row, {}};
  // Python's math takes and gives Python's own numbers, whatever NumPy scalar comes in.
  if (row.operand == MathOperand::Int) {
    for (const Operand& o : operands)
      out.args.push_back(as_int(o, std::string("math.") + std::string(row.name), span));
    return {make(types::weak_int(), span, std::move(out)), {}};
  }
  if (row.result == MathResult::Int && !operands[0].type()->is_float())
    return {as_int(operands[0], row.name, span), {}}; // floor of an integer
  for (const Operand& o : operands)
    out.args.push_back(convert_scalar(o.expr, types::weak_float()));
  Type t = row.result == MathResult::Float ? types::weak_float()
           : row.result == MathResult::Int ? types::weak_int()
                                           : types::weak_bool();
  return {make(t, span, std::move(out)), {}};
}

} // namespace mpijit::jit::inference
