// The names of NumPy that kernels may call so far: arrays made anew, dtypes. See body.h.
#include "infer/body.h"

namespace mpijit::jit::inference {

DType Body::dtype_of(const Operand& o, Span span) {
  std::optional<DType> d;
  if (const auto* name = o.as<DTypeName>())
    d = find_dtype(name->name);
  else if (const auto* f = o.as<FunctionName>())
    d = f->name == "builtins.float"     ? std::optional(DType::Float64)
        : f->name == "builtins.int"     ? std::optional(DType::Int64)
        : f->name == "builtins.bool"    ? std::optional(DType::Bool)
        : f->name == "builtins.complex" ? std::optional(DType::Complex128)
                                        : std::nullopt;
  else if (const auto* text = o.as<std::string>())
    d = find_dtype(*text);
  if (!d)
    refuse(Diag::UnknownDType, span, {o.constant ? to_string(*o.constant) : "this"});
  return *d;
}

Operand Body::numpy_call(std::string_view name, const Arguments& args) {
  for (std::string_view maker : {"empty", "zeros", "ones", "full"}) {
    if (name == maker)
      return allocate(maker, args, false);
    if (name == std::string(maker) + "_like")
      return allocate(maker, args, true);
  }
  if (std::optional<Operand> known = dtype_function(name, args))
    return *known;
  if (name == "ndarray")
    return allocate("empty", args, false);
  if (name == "arange")
    return arange(args);
  if (name == "linspace")
    return linspace(args);
  if (name == "eye" || name == "identity")
    return eye(args, name == "identity");
  if (name == "array")
    return array_of(args);
  if (name == "asarray" || name == "ascontiguousarray" || name == "asfortranarray")
    return as_array(name, args);
  if (const auto* nonzero = captured(".nonzero");
      name == "where" && nonzero && args.positional.size() == 1 && args.keywords.empty())
    return kernel_call(std::get<KernelIndex>(nonzero->value).index, args);
  if (name == "where" || name == "matmul") {
    const size_t count = name == "where" ? 3 : 2;
    if (args.positional.size() != count || !args.keywords.empty())
      refuse(Diag::CallArguments, args.span, {args.function, count == 3 ? "three arguments" : "two arguments"});
    std::vector<Operand> x;
    for (const Node* n : args.positional)
      x.push_back(expression(*n));
    return count == 3 ? where(x, args.span) : product(x[0], x[1], false, args.span);
  }
  if (name == "real" || name == "imag") {
    std::vector<const Node*> list = bind(args, {{"val"}});
    return part(expression(*list[0]), name == "imag", args.span);
  }
  if (is_ufunc(name)) {
    if (!args.keywords.empty())
      refuse(Diag::UnknownKeyword, args.keywords[0]->span, {args.function, args.keywords[0]->text});
    std::vector<Operand> x;
    for (const Node* n : args.positional)
      x.push_back(expression(*n));
    return *ufunc(name, std::move(x), args.span);
  }
  if (std::optional<Operand> view = axes_function(name, args))
    return *view;
  if (name == "ndindex" || name == "ndenumerate")
    refuse(Diag::RangeValue, args.span, {"np." + std::string(name)});
  if (args.positional.empty())
    refuse(Diag::NumpyFunction, args.span, {name, nearest_function(name)});
  const Operand self = expression(*args.positional[0]);
  Arguments rest = args;
  rest.positional.erase(rest.positional.begin());
  if (std::optional<Operand> known = array_function(name, self, rest, false))
    return *known;
  refuse(Diag::NumpyFunction, args.span, {name, nearest_function(name)});
}

} // namespace mpijit::jit::inference
