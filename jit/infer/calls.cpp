// Calls: binding arguments to parameters, kernels calling kernels, the math module. See body.h.
#include "infer/body.h"

#include <algorithm>

namespace mpijit::jit::inference {

Arguments Body::arguments(const Node& call, std::string function) {
  Arguments out{call.span, std::move(function), {}, {}};
  for (Node* n : call[1].kids) {
    if (n->kind == NodeKind::Starred)
      refuse(Diag::StarCall, n->span);
    out.positional.push_back(n);
  }
  for (Node* k : call[2].kids) {
    if (k->text.empty())
      refuse(Diag::StarCall, k->span);
    out.keywords.push_back(k);
  }
  return out;
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
    } else if (p->text.starts_with("*")) {
      refuse(Diag::StarParameter, p->span, {p->text});
    } else {
      out.nodes.push_back(p);
      out.rows.push_back({p->text, true, by_position, true});
    }
  }
  // The defaults belong to the last parameters; keyword-only ones without one leave a gap.
  const size_t first = out.rows.size() - f.defaults.size();
  for (size_t k = first; k < out.rows.size(); ++k)
    out.rows[k].required = std::holds_alternative<Unsupported>(f.defaults[k - first].value) && !out.rows[k].by_position;
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

void Body::require_order(const Arguments& args, const std::vector<const Node*>& given, bool (*matters)(const Node&)) {
  auto latest = given.begin(); // how far the keywords before this one reach
  for (const Node* k : args.keywords) {
    auto at = std::find(given.begin(), given.end(), &(*k)[0]);
    if (at < latest && matters((*k)[0]))
      refuse(Diag::KeywordOrder, k->span, {args.function});
    latest = std::max(latest, at);
  }
}

Operand Body::call(const Node& e) {
  Operand f = expression(e[0]);
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
    if (module == "numpy")
      return numpy_call(last, args);
    if (module == "mpijit.mpi")
      return mpi_call(last, args);
    if (name == "mpijit.prange")
      refuse(Diag::Prange, e.span);
    refuse(Diag::UnknownFunction, e.span, {name});
  }
  if (const auto* kernel = f.as<KernelIndex>())
    return kernel_call(kernel->index, arguments(e, all_.program.functions[static_cast<size_t>(kernel->index)].name));
  if (f.as<DTypeName>()) { // np.float32(x)
    Type to = types::strong(dtype_of(f, e.span));
    Arguments args = arguments(e, std::string(row(to->dtype).name));
    if (args.positional.size() != 1 || !args.keywords.empty())
      refuse(Diag::CallArguments, e.span, {args.function, "one argument"});
    return {element_for_store(expression(*args.positional[0]), to->dtype, e.span), {}};
  }
  if (f.as<ExceptionName>())
    refuse(Diag::ExceptionValue, e.span);
  if (const auto* u = f.as<Unsupported>())
    refuse(Diag::Captured, e[0].span, {u->what});
  refuse(Diag::NotCallable, e.span, {f.expr ? to_string(f.type()) : to_string(*f.constant)});
}

Operand Body::kernel_call(int index, const Arguments& args) {
  const Function& f = all_.program.functions[static_cast<size_t>(index)];
  const Parameters params = parameters(f);
  const size_t first_default = params.rows.size() - f.defaults.size();
  std::vector<const Node*> given = bind(args, params.rows);
  require_order(args, given, [](const Node& n) { return !n.kids.empty(); });
  ir::Call out{-1, {}};
  std::vector<Type> types;
  for (size_t k = 0; k < given.size(); ++k) {
    Operand o = given[k] ? expression(*given[k]) : constant(f.defaults[k - first_default], args.span);
    if (!o.expr && (o.as<KernelIndex>() || o.as<FunctionName>()))
      refuse(Diag::FunctionArgument, given[k] ? given[k]->span : args.span);
    out.args.push_back(value(o, given[k] ? given[k]->span : args.span));
    types.push_back(out.args.back()->type);
  }
  out.function = all_.specialise(index, types);
  const ir::Function& callee = *all_.out.module.functions[static_cast<size_t>(out.function)];
  const Specialiser::Entry& entry = all_.entries[static_cast<size_t>(out.function)];
  out_.communicates |= callee.communicates;
  out_.uses_mpi |= callee.uses_mpi;
  Operand result{make(*entry.result, args.span, std::move(out)), {}};
  if (entry.never_returns && conditional_ == 0) { // what follows is not reached
    emit(args.span, ir::Evaluate{result.expr});
    throw NeverReturns{};
  }
  if (result.type()->is_none())
    result.constant = Constant{None{}, {}};
  return result;
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
    operands.push_back(expression(*n));
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
