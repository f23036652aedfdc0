// The names of NumPy that kernels may call so far: arrays made anew, dtypes. See body.h.
#include "infer/body.h"

namespace mpijit::jit::inference {

DType Body::dtype_of(const Operand& o, Span span) {
  std::optional<DType> d;
  if (const auto* name = o.as<DTypeName>())
    d = find_dtype(name->name);
  else if (const auto* f = o.as<FunctionName>())
    d = f->name == "builtins.float"  ? std::optional(DType::Float64)
        : f->name == "builtins.int"  ? std::optional(DType::Int64)
        : f->name == "builtins.bool" ? std::optional(DType::Bool)
                                     : std::nullopt;
  else if (const auto* text = o.as<std::string>())
    d = find_dtype(*text);
  if (!d)
    refuse(Diag::UnknownDType, span, {o.constant ? to_string(*o.constant) : "this"});
  return *d;
}

Operand Body::numpy_call(std::string_view name, const Arguments& args) {
  constexpr std::pair<std::string_view, ir::Fill> makers[] = {
      {"empty", ir::Fill::None}, {"zeros", ir::Fill::Zero}, {"ones", ir::Fill::One}};
  for (const auto& [maker, fill] : makers) {
    if (name == maker)
      return allocate(args, fill);
    if (name == std::string(maker) + "_like")
      return allocate_like(name, args, fill);
  }
  refuse(Diag::NumpyFunction, args.span, {name});
}

Operand Body::allocate(const Arguments& args, ir::Fill fill) {
  std::vector<const Node*> given = bind(args, {{"shape"}, {"dtype", false}});
  Operand shape = expression(*given[0]);
  DType d = given[1] ? dtype_of(expression(*given[1]), given[1]->span) : DType::Float64;
  if (is_complex(d) && fill == ir::Fill::One)
    refuse(Diag::ComplexArithmetic, args.span, {row(d).name});
  ir::Alloc out{{}, fill};
  ir::Expr* s = value(shape, given[0]->span);
  if (s->type->is_tuple()) {
    Shared t = share(s);
    for (size_t k = 0; k < s->type->items.size(); ++k) {
      ir::Expr* item = make(s->type->items[k], s->span, ir::Item{k ? t.again : t.first, static_cast<int>(k)});
      out.shape.push_back(as_int({item, {}}, "a shape", given[0]->span));
    }
  } else {
    out.shape.push_back(as_int(shape, "a shape", given[0]->span));
  }
  const int ndim = static_cast<int>(out.shape.size());
  return {make(types::array(d, ndim, Layout::C), args.span, std::move(out)), {}};
}

Operand Body::allocate_like(std::string_view name, const Arguments& args, ir::Fill fill) {
  std::vector<const Node*> given = bind(args, {{"a"}, {"dtype", false}});
  ir::Expr* a = value(*given[0]);
  if (!a->type->is_array())
    refuse(Diag::OperandType, given[0]->span, {name, to_string(a->type)});
  DType d = given[1] ? dtype_of(expression(*given[1]), given[1]->span) : a->type->dtype;
  if (is_complex(d) && fill == ir::Fill::One)
    refuse(Diag::ComplexArithmetic, args.span, {row(d).name});
  Shared s = share(a);
  ir::Alloc out{{}, fill};
  for (int k = 0; k < a->type->ndim; ++k)
    out.shape.push_back(make(types::weak_int(), args.span, ir::Dim{k ? s.again : s.first, k}));
  return {make(types::array(d, a->type->ndim, Layout::C), args.span, std::move(out)), {}};
}

} // namespace mpijit::jit::inference
