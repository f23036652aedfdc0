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
      return allocate(maker, args);
    if (name == std::string(maker) + "_like")
      return allocate_like(maker, args);
  }
  if (std::optional<Operand> known = numpy_number_call(name, args))
    return *known;
  refuse(Diag::NumpyFunction, args.span, {name});
}

// The lengths in a shape argument: an int or a tuple of ints.
std::vector<ir::Expr*> Body::shape_of(const Operand& o, Span span) {
  ir::Expr* s = value(o, span);
  if (!s->type->is_tuple())
    return {as_int(o, "a shape", span)};
  Shared t = share(s);
  std::vector<ir::Expr*> out;
  for (size_t k = 0; k < s->type->items.size(); ++k) {
    ir::Expr* item = make(s->type->items[k], s->span, ir::Item{k ? t.again : t.first, static_cast<int>(k)});
    out.push_back(as_int({item, {}}, "a shape", span));
  }
  return out;
}

// `fill` is what np.full was given; ones has none.
Operand Body::make_array(std::string_view maker, std::vector<ir::Expr*> shape, std::optional<DType> dtype,
                         const Operand* fill, Span span) {
  const int ndim = static_cast<int>(shape.size());
  if (maker == "empty" || maker == "zeros") {
    const ir::Fill how = maker == "zeros" ? ir::Fill::Zero : ir::Fill::None;
    return {make(types::array(dtype.value_or(DType::Float64), ndim, Layout::C), span, ir::Alloc{std::move(shape), how}),
            {}};
  }
  const Operand one = constant({int64_t{1}, {}}, span);
  const Operand& given = fill ? *fill : one;
  const DType d = dtype ? *dtype : fill ? given.type()->dtype : DType::Float64;
  ir::Elementwise out;
  for (ir::Expr*& length : shape) {
    const int slot = slots_.temporary(types::weak_int());
    out.inputs.push_back({length, slot});
    length = read(slot, span);
    out.index.push_back(slots_.temporary(types::weak_int()));
  }
  out.body = element_for_store(as_input(out, given), d, span);
  out.shape = std::move(shape);
  return {make(types::array(d, ndim, Layout::C), span, std::move(out)), {}};
}

Operand Body::allocate(std::string_view maker, const Arguments& args) {
  const bool full = maker == "full";
  std::vector<const Node*> given =
      full ? bind(args, {{"shape"}, {"fill_value"}, {"dtype", false}}) : bind(args, {{"shape"}, {"dtype", false}});
  std::vector<ir::Expr*> shape = shape_of(expression(*given[0]), given[0]->span);
  Operand fill;
  if (full) {
    fill = without_axes(expression(*given[1]));
    require_number(fill, "np.full", given[1]->span);
  }
  const Node* dtype = given[full ? 2 : 1];
  return make_array(maker, std::move(shape),
                    dtype ? std::optional(dtype_of(expression(*dtype), dtype->span)) : std::nullopt,
                    full ? &fill : nullptr, args.span);
}

Operand Body::allocate_like(std::string_view maker, const Arguments& args) {
  const bool full = maker == "full";
  std::vector<const Node*> given =
      full ? bind(args, {{"a"}, {"fill_value"}, {"dtype", false}}) : bind(args, {{"a"}, {"dtype", false}});
  ir::Expr* a = value(*given[0]);
  if (!a->type->is_array())
    refuse(Diag::OperandType, given[0]->span, {std::string(maker) + "_like", to_string(a->type)});
  Shared s = share(a);
  std::vector<ir::Expr*> shape;
  for (int k = 0; k < a->type->ndim; ++k)
    shape.push_back(make(types::weak_int(), args.span, ir::Dim{k ? s.again : s.first, k}));
  Operand fill;
  if (full) {
    fill = without_axes(expression(*given[1]));
    require_number(fill, "np.full_like", given[1]->span);
  }
  const Node* dtype = given[full ? 2 : 1];
  return make_array(maker, std::move(shape), dtype ? dtype_of(expression(*dtype), dtype->span) : a->type->dtype,
                    full ? &fill : nullptr, args.span);
}

} // namespace mpijit::jit::inference
