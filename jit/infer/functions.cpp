// NumPy's functions of arrays that are neither ufuncs nor makers of new arrays, and the methods of the same names:
// reductions, products, other shapes, copies and casts. See body.h.
#include "infer/body.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

DType sum_type(DType d) {
  if (is_float(d) || is_complex(d))
    return d;
  return kind(d) == 'u' ? DType::UInt64 : DType::Int64;
}
DType mean_type(DType d) { return is_float(d) || is_complex(d) ? d : DType::Float64; }

} // namespace

// ---- arguments -----------------------------------------------------------------------------------------

bool Body::constant_bool(const Node* n, bool fallback) {
  if (!n)
    return fallback;
  Operand o = expression(*n);
  if (const auto* b = o.as<bool>())
    return *b;
  refuse(Diag::ConstantWanted, n->span, {"True or False"});
}

std::optional<int64_t> Body::constant_int(const Node* n, std::string_view what) {
  if (!n)
    return std::nullopt;
  Operand o = expression(*n);
  if (o.as<None>())
    return std::nullopt;
  if (const auto* i = o.as<int64_t>())
    return *i;
  refuse(Diag::ConstantWanted, n->span, {what});
}

/// The bits of the axes that a reduction goes over; all of them without an axis.
uint64_t Body::reduced_axes(const Node* n, int ndim) {
  const uint64_t all = (uint64_t{1} << ndim) - 1;
  if (!n || expression(*n).as<None>())
    return all;
  uint64_t bits = 0;
  for (int axis : constant_axes(*n, ndim))
    bits |= uint64_t{1} << axis;
  return bits;
}

// ---- element by element ----------------------------------------------------------------------------------

/// The array as an Elementwise, its elements mapped.
ir::Expr* Body::mapped(ir::Expr* array, Span span, const std::function<ir::Expr*(ir::Expr*)>& f) {
  ir::Elementwise out;
  ir::Expr* x = f(read(add_input(out, array, false), span));
  const DType d = x->type->dtype;
  out.body = convert_scalar(x, types::strong(d));
  return make(types::array(d, array->type->ndim, Layout::C), span, std::move(out));
}

ir::Expr* Body::cast_array(ir::Expr* array, DType d, Span span) {
  return mapped(array, span, [&](ir::Expr* x) { return cast_element(x, d); });
}

// ---- reductions ------------------------------------------------------------------------------------------

ir::Expr* Body::reduce(const ReductionRow& row, ir::Expr* array, uint64_t axes, bool keepdims,
                       std::optional<DType> dtype, Span span) {
  const DType from = array->type->dtype;
  if (is_complex(from) && row.operation != Reduction::Sum && row.operation != Reduction::Prod)
    array = row.result == ReductionResult::Truth ? array : nullptr;
  if (!array)
    refuse(Diag::ComplexOperand, span, {"np." + std::string(row.name), std::string(jit::row(from).name)});
  ir::Reduce out{&row, array, axes, keepdims};
  DType element = from, result = from;
  switch (row.result) {
  case ReductionResult::Sum: element = result = dtype ? *dtype : sum_type(from); break;
  case ReductionResult::Same: break;
  case ReductionResult::Truth: element = result = DType::Bool; break;
  case ReductionResult::Index: result = DType::Int64; break;
  }
  if (!ir::adds_floats(out, result))
    out.x = cast_array(array, element, span);
  else if (is_complex(from) && !is_complex(result))
    refuse(Diag::ComplexToReal, span, {jit::row(from).name, jit::row(result).name});
  int left = array->type->ndim;
  for (int k = 0; k < array->type->ndim && !keepdims; ++k)
    left -= static_cast<int>(axes >> k & 1);
  return make(left ? types::array(result, left, Layout::C) : types::strong(result), span, std::move(out));
}

// The sum divided by the count, in the sum's dtype; of complex numbers by a reciprocal in double precision, as NumPy's
// division of them by an integer comes to be done.
Operand Body::mean(ir::Expr* array, uint64_t axes, bool keepdims, std::optional<DType> dtype, Span span) {
  const DType from = array->type->dtype;
  const DType d = dtype.value_or(mean_type(from));
  // How many are True is the same in any order.
  const bool counts = is_bool(from) && d == DType::Float64;
  Operand sum{reduce(*find_reduction("sum"), array, axes, keepdims, counts ? DType::Int64 : d, span), {}};
  const int slot = slots_.temporary(types::weak_int());
  std::get<ir::Reduce>(sum.expr->node).count = slot;
  const Operand count{read(slot, span), {}};
  if (counts)
    sum = sum.is_array() ? Operand{cast_array(sum.expr, d, span), {}}
                         : Operand{convert_scalar(sum.expr, types::strong(d)), {}};
  return elementwise({sum, count}, "np.mean", span, [&](const std::vector<Operand>& x) {
    if (!is_complex(d))
      return arithmetic(ir::BinaryOp::Div, x[0], {convert_scalar(x[1].expr, types::strong(d)), {}}, span);
    const Type part = types::strong(DType::Float64), whole = types::strong(DType::Complex128);
    Shared z = share(convert_scalar(x[0].expr, whole));
    ir::Expr* one = make(part, span, ir::Const{0, 1});
    ir::Expr* by = binary(ir::BinaryOp::Div, one, convert_scalar(x[1].expr, part), span);
    Shared r = share(by);
    ir::Expr* re = binary(ir::BinaryOp::Mult, complex_math("$real", z.first), r.first, span);
    ir::Expr* im = binary(ir::BinaryOp::Mult, complex_math("$imag", z.again), r.again, span);
    return Operand{convert_scalar(make_complex(re, im, span), types::strong(d)), {}};
  });
}

/// What a reduction makes of one number by itself: of a scalar, or of each element of an array over no axis.
Operand Body::reduce_one(std::string_view name, const ReductionRow* row, const Operand& x, std::optional<DType> dtype,
                         Span span) {
  const std::string function = "np." + std::string(name);
  return elementwise({x}, function, span, [&](const std::vector<Operand>& operands) {
    const Type t = operands[0].type();
    const DType d = t->dtype;
    ir::Expr* one = convert_scalar(operands[0].expr, types::strong(d));
    const bool counts = name == "count_nonzero";
    if (counts || (row && row->result == ReductionResult::Truth)) {
      ir::Expr* is_true = truth({one, {}}, span).expr;
      return Operand{convert_scalar(is_true, counts ? types::weak_int() : types::strong(DType::Bool)), {}};
    }
    if (name == "mean" || (row && row->result == ReductionResult::Sum)) {
      const DType to = dtype ? *dtype : name == "mean" ? mean_type(d) : sum_type(d);
      if (is_complex(d) && !is_complex(to))
        refuse(Diag::ComplexToReal, span, {jit::row(d).name, jit::row(to).name});
      const Operand term{cast_element(one, to), {}};
      if (is_integer(to) || is_bool(to))
        return term;
      // From 0 or from 1: a sum of -0.0 is 0.0, and complex numbers times 1 have other signs of zero.
      const bool product = name == "prod";
      const Operand start{make(types::weak_float(), span, ir::Const{0, product ? 1. : 0.}), {}};
      return arithmetic(product ? ir::BinaryOp::Mult : ir::BinaryOp::Add, start, term, span);
    }
    if (is_complex(d))
      refuse(Diag::ComplexOperand, span, {function, to_string(t)});
    if (name == "ptp") {
      const Shared s = share(one);
      return arithmetic(ir::BinaryOp::Sub, {s.first, {}}, {s.again, {}}, span);
    }
    if (row->result == ReductionResult::Index)
      return after({{one, {}}}, {make(types::strong(DType::Int64), span, ir::Const{}), {}});
    return Operand{one, {}};
  });
}

std::optional<Operand> Body::reduction(std::string_view name, const Operand& self, const Arguments& args) {
  const ReductionRow* row = find_reduction(name);
  const bool is_mean = name == "mean", counts = name == "count_nonzero", spans = name == "ptp";
  if (!row && !is_mean && !counts && !spans)
    return std::nullopt;
  const bool positions = row && row->result == ReductionResult::Index;
  const bool adds = is_mean || (row && row->result == ReductionResult::Sum);
  std::vector<Parameter> parameters{{"axis", false}};
  if (adds)
    parameters.push_back({"dtype", false});
  parameters.push_back({"keepdims", false, false});
  std::vector<const Node*> list = bind(args, parameters);
  ir::Expr* array = value(self, args.span);
  const bool is_one = array->type->is_scalar() || array->type->ndim == 0;
  if (is_one && list[0])
    refuse(Diag::OperandType, args.span, {args.function, to_string(array->type)});
  const uint64_t axes = is_one ? 0 : reduced_axes(list[0], array->type->ndim);
  const bool keepdims = constant_bool(list.back(), false);
  if (positions && list[0] && (axes & (axes - 1)) && !expression(*list[0]).as<None>())
    refuse(Diag::ConstantWanted, list[0]->span, {"one int for the axis"});
  std::optional<DType> dtype;
  if (adds && list[1])
    dtype = dtype_of(expression(*list[1]), list[1]->span);
  if (!axes)
    return reduce_one(name, row, is_one ? without_axes(self) : self, dtype, args.span);
  if (is_mean)
    return mean(array, axes, keepdims, dtype, args.span);
  if (counts) {
    ir::Expr* truths = cast_array(array, DType::Bool, args.span);
    ir::Expr* n = reduce(*find_reduction("sum"), truths, axes, keepdims, std::nullopt, args.span);
    return Operand{n->type->is_scalar() ? convert_scalar(n, types::weak_int()) : n, {}};
  }
  if (spans) {
    Shared s = share(array);
    Operand high{reduce(*find_reduction("max"), s.first, axes, keepdims, std::nullopt, args.span), {}};
    Operand low{reduce(*find_reduction("min"), s.again, axes, keepdims, std::nullopt, args.span), {}};
    return elementwise({high, low}, "np.ptp", args.span, [&](const std::vector<Operand>& x) {
      return arithmetic(ir::BinaryOp::Sub, x[0], x[1], args.span);
    });
  }
  return Operand{reduce(*row, array, axes, keepdims, dtype, args.span), {}};
}

// ---- products --------------------------------------------------------------------------------------------

Operand Body::product(const Operand& a, const Operand& b, bool dot, Span span) {
  const std::string_view what = dot ? "np.dot" : "the operator @";
  for (const Operand* o : {&a, &b}) {
    value(*o, span);
    const bool fits = o->is_array() && o->type()->ndim <= 2 && (dot || o->type()->ndim > 0);
    if (!fits && !(dot && o->type()->is_scalar()))
      refuse(Diag::OperandType, span, {what, to_string(o->type())});
  }
  if (!a.is_array() || !b.is_array() || a.type()->ndim == 0 || b.type()->ndim == 0) // np.dot with a number
    return *ufunc("multiply", {a, b}, span);
  const DType d = promote(a.type()->dtype, b.type()->dtype);
  auto brought = [&](const Operand& o) { return o.type()->dtype == d ? o.expr : cast_array(o.expr, d, span); };
  const int ndim = a.type()->ndim + b.type()->ndim - 2;
  ir::Product out{brought(a), brought(b), dot};
  return {make(ndim ? types::array(d, ndim, Layout::C) : types::strong(d), span, std::move(out)), {}};
}

// ---- other shapes ------------------------------------------------------------------------------------------

ir::Expr* Body::reshape(ir::Expr* array, std::vector<ir::Expr*> shape, Span span) {
  const Type t = array->type;
  const int ndim = static_cast<int>(shape.size());
  return make(types::array(t->dtype, ndim, t->layout, t->readonly), span, ir::Reshape{array, std::move(shape)});
}

std::optional<Operand> Body::shape_function(std::string_view name, const Operand& self, const Arguments& args,
                                            bool is_method) {
  if (name == "ravel" || (name == "flatten" && is_method)) {
    bind(args, {});
    ir::Expr* array = value(self, args.span);
    if (name == "flatten")
      array = cast_array(array, array->type->dtype, args.span);
    return Operand{reshape(array, {integer(-1, args.span)}, args.span), {}};
  }
  if (name != "reshape")
    return std::nullopt;
  if (args.positional.empty() || !args.keywords.empty() || (!is_method && args.positional.size() > 1))
    refuse(Diag::CallArguments, args.span, {args.function, "a shape"});
  std::vector<ir::Expr*> shape;
  if (args.positional.size() == 1)
    shape = shape_of(expression(*args.positional[0]), args.positional[0]->span);
  else
    for (const Node* n : args.positional)
      shape.push_back(as_int(expression(*n), "a length", n->span));
  if (shape.empty())
    refuse(Diag::CallArguments, args.span, {args.function, "at least one length"});
  return Operand{reshape(value(self, args.span), std::move(shape), args.span), {}};
}

// ---- the rest ----------------------------------------------------------------------------------------------

Operand Body::clip(const Operand& self, const Operand& low, const Operand& high, Span span) {
  Operand out = self;
  if (!low.as<None>())
    out = *ufunc("maximum", {out, low}, span);
  if (!high.as<None>())
    out = *ufunc("minimum", {out, high}, span);
  return out;
}

// np.round: to even at the last decimal asked for, by scaling as NumPy does it.
Operand Body::round_decimals(const Operand& self, int64_t decimals, Span span) {
  const Type t = self.is_array() ? types::strong(self.type()->dtype) : value(self, span)->type;
  if (t->is_complex())
    refuse(Diag::ComplexOperand, span, {"np.round", to_string(t)});
  if (!t->is_float()) {
    if (decimals < 0 || t->is_bool())
      refuse(Diag::OperandType, span, {"np.round", to_string(t)});
    return self.is_array() ? Operand{cast_array(self.expr, t->dtype, span), {}}
                           : Operand{convert_scalar(self.expr, types::strong(t->dtype)), {}};
  }
  if (decimals == 0)
    return *ufunc("rint", {self}, span);
  double scale = 1;
  for (int64_t k = std::abs(decimals); k > 0 && k < 400; --k)
    scale *= 10;
  const Operand by = constant({scale, {}}, span);
  Operand x = *ufunc(decimals > 0 ? "multiply" : "divide", {self, by}, span);
  x = *ufunc("rint", {x}, span);
  return *ufunc(decimals > 0 ? "divide" : "multiply", {x, by}, span);
}

Operand Body::where(const std::vector<Operand>& operands, Span span) {
  return elementwise(operands, "np.where", span, [&](const std::vector<Operand>& x) {
    const Type both = promote_scalars(x[1].type(), x[2].type());
    const Type t = types::strong(both->dtype);
    ir::Expr* cond = truth({x[0].expr, {}}, span).expr;
    if (!cond)
      cond = boolean(*truth(x[0], span).as<bool>(), span);
    const auto as_result = [&](const Operand& o) {
      return share(cast_element(o.expr, t->dtype));
    }; // no range check here
    const Shared c = share(cond), a = as_result(x[1]), b = as_result(x[2]);
    ir::Expr* chosen = select(c.again, a.again, b.again, span);
    return Operand{after(c.first, after(a.first, after(b.first, chosen))), {}};
  });
}

// What NumPy has both as a function, whose first argument self is, and as a method.
std::optional<Operand> Body::array_function(std::string_view name, const Operand& self, const Arguments& args,
                                            bool is_method) {
  if (std::optional<Operand> reduced = reduction(name, self, args))
    return reduced;
  if (self.is_array()) {
    if (std::optional<Operand> shaped = shape_function(name, self, args, is_method))
      return shaped;
  } else if (const bool shapes = name == "reshape" || name == "ravel";
             shapes && self.expr && self.type()->is_scalar()) {
    return shape_function(name, array_in_order({1}, {self}, self.type()->dtype, args.span), args, is_method);
  }
  if (name == "clip") {
    std::vector<const Node*> list =
        is_method ? bind(args, {{"min", false}, {"max", false}}) : bind(args, {{"a_min", false}, {"a_max", false}});
    const Operand none = constant({None{}, {}}, args.span);
    const Operand low = list[0] ? expression(*list[0]) : none, high = list[1] ? expression(*list[1]) : none;
    return clip(self, low, high, args.span);
  }
  if (name == "round" || (name == "around" && !is_method)) {
    std::vector<const Node*> list = bind(args, {{"decimals", false}});
    return round_decimals(self, constant_int(list[0], "an int for the decimals").value_or(0), args.span);
  }
  if (name == "dot") {
    std::vector<const Node*> list = bind(args, {{"b"}});
    return product(self, expression(*list[0]), true, args.span);
  }
  if (name == "copy" && self.is_array()) {
    bind(args, {});
    return Operand{cast_array(self.expr, self.type()->dtype, args.span), {}};
  }
  return std::nullopt;
}

// x.name(...) of an array or a NumPy scalar. nullopt: no method of either.
std::optional<Operand> Body::method(std::string_view name, const Operand& self, const Arguments& args) {
  if (name == "astype") {
    std::vector<const Node*> list = bind(args, {{"dtype"}});
    const DType d = dtype_of(expression(*list[0]), list[0]->span);
    const DType from = self.type()->dtype;
    if (is_complex(from) && !is_complex(d))
      refuse(Diag::ComplexToReal, args.span, {row(from).name, row(d).name});
    if (self.is_array())
      return Operand{cast_array(self.expr, d, args.span), {}};
    return Operand{cast_element(self.expr, d), {}};
  }
  if (name == "conj" || name == "conjugate") {
    bind(args, {});
    return self.is_array() ? ufunc("conjugate", {self}, args.span) : Operand{conjugate(self.expr), {}};
  }
  if (self.is_array())
    if (std::optional<Operand> view = array_method(self.expr, name, args))
      return view;
  return array_function(name, self, args, true);
}

} // namespace mpijit::jit::inference
