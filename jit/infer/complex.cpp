// Complex numbers: their parts, Python's complex and cmath, the functions of NumPy that are about them. The operators
// are in operators.cpp with all others. See body.h.
#include "infer/body.h"

#include <algorithm>
#include <iterator>

namespace mpijit::jit::inference {
// ---- parts ---------------------------------------------------------------------------------------------

ir::Expr* Body::complex_math(std::string_view name, ir::Expr* z) {
  const MathRow* row = find_complex_math(name);
  Type t = row->result == MathResult::Float ? part_type(z->type) : z->type;
  return make(t, z->span, ir::Math{row, {z}});
}

ir::Expr* Body::make_complex(ir::Expr* re, ir::Expr* im, Span span) {
  return make(complex_type(re->type), span, ir::Math{find_complex_math("$make"), {re, im}});
}

// .real and .imag, which every number has.
ir::Expr* Body::number_part(ir::Expr* x, bool imaginary) {
  if (x->type->is_complex())
    return complex_math(imaginary ? "$imag" : "$real", x);
  Type t = x->type == types::weak_bool() ? types::weak_int() : x->type;
  if (!imaginary)
    return convert_scalar(x, t);
  ir::Expr* pair = make(types::tuple({x->type, t}), x->span, ir::MakeTuple{{x, make(t, x->span, ir::Const{})}});
  return make(t, x->span, ir::Item{pair, 1}); // x is evaluated all the same
}

ir::Expr* Body::conjugate(ir::Expr* x) {
  return x->type->is_complex() ? complex_math("$conjugate", x) : number_part(x, false);
}

ir::Expr* Body::magnitude(ir::Expr* z) {
  Shared s = share(z);
  return make(part_type(z->type), z->span,
              ir::Math{find_math("hypot", 2), {complex_math("$real", s.first), complex_math("$imag", s.again)}});
}

ir::Expr* Body::phase(ir::Expr* z) {
  Shared s = share(z);
  return make(part_type(z->type), z->span,
              ir::Math{find_math("atan2", 2), {complex_math("$imag", s.first), complex_math("$real", s.again)}});
}

// isnan and isinf of either part, isfinite of both.
ir::Expr* Body::classify(std::string_view name, ir::Expr* z, Type result) {
  Shared s = share(z);
  auto test = [&](ir::Expr* part) { return make(result, z->span, ir::Math{find_math(name, 1), {part}}); };
  ir::Expr* re = test(complex_math("$real", s.first));
  ir::Expr* im = test(complex_math("$imag", s.again));
  const bool both = name == "isfinite";
  ir::Expr* decided = make(result, z->span, ir::Const{!both, 0});
  return make(result, z->span, both ? ir::Choose{re, im, decided} : ir::Choose{re, decided, im});
}

Operand Body::part(const Operand& o, bool imaginary, Span span) {
  if (!o.type() || !o.type()->is_array()) {
    require_number(o, imaginary ? "imag" : "real", span);
    return {number_part(o.expr, imaginary), {}};
  }
  const Type t = o.type();
  if (is_complex(t->dtype))
    return {make(types::array(*find_dtype('f', size(t->dtype) / 2), t->ndim, Layout::Strided, t->readonly), span,
                 ir::Part{o.expr, imaginary}),
            {}};
  if (!imaginary)
    return o;
  return {mapped(o.expr, span, [&](ir::Expr* x) { return number_part(x, true); }), {}};
}

// ---- complex(...) and cmath ------------------------------------------------------------------------------

// complex(a, b) is a + b * 1j without the rounding and the loss of signs that this would bring.
Operand Body::complex_call(const Arguments& args) {
  std::vector<const Node*> given = bind(args, {{"real", false}, {"imag", false}});
  std::vector<ir::Expr*> x;
  for (const Node* n : given) {
    if (!n)
      continue;
    Operand o = expression(*n);
    require_number(o, "complex", n->span);
    if (n == given[1] && o.type()->dtype == DType::Complex64) // of which Python would drop the imaginary part
      refuse(Diag::ComplexOperand, n->span, {"complex's imag", to_string(o.type())});
    x.push_back(o.expr);
  }
  if (x.size() < 2) {
    if (given[0])
      return {convert_scalar(x[0], types::weak_complex()), {}};
    ir::Expr* zero = make(types::weak_float(), args.span, ir::Const{});
    x.insert(x.begin(), zero);
    if (!given[1])
      return {make(types::weak_complex(), args.span, ir::Const{}), {}};
  }
  Shared a = share(x[0]), b = share(x[1]);
  auto real = [&](ir::Expr* e) { return convert_scalar(number_part(e, false), types::weak_float()); };
  auto imag = [&](ir::Expr* e) { return convert_scalar(number_part(e, true), types::weak_float()); };
  auto combine = [&](ir::BinaryOp op, ir::Expr* p, ir::Expr* q) { return binary(op, p, q, args.span); };
  ir::Expr* re = real(a.first);
  ir::Expr* im = real(x[1]->type->is_complex() ? b.again : b.first);
  if (x[1]->type->is_complex())
    re = combine(ir::BinaryOp::Sub, re, imag(b.first));
  if (x[0]->type->is_complex())
    im = combine(ir::BinaryOp::Add, im, imag(a.again));
  return {make_complex(re, im, args.span), {}};
}

Operand Body::cmath_call(std::string_view name, const Arguments& args) {
  auto operands = [&](size_t count, std::string_view wanted) {
    if (args.positional.size() != count || !args.keywords.empty())
      refuse(Diag::CallArguments, args.span, {args.function, wanted});
    std::vector<ir::Expr*> out;
    for (const Node* n : args.positional) {
      Operand o = expression(*n);
      require_number(o, args.function, n->span);
      out.push_back(o.expr);
    }
    return out;
  };
  auto one = [&] { return convert_scalar(operands(1, "one argument")[0], types::weak_complex()); };
  if (name == "rect") {
    std::vector<ir::Expr*> x = operands(2, "two arguments");
    for (size_t k = 0; k < 2; ++k)
      require_scalar({x[k], {}}, args.function, args.positional[k]->span);
    return rect(x[0], x[1], args.span);
  }
  if (name == "phase")
    return {phase(one()), {}};
  if (name == "polar") {
    Shared z = share(one());
    ir::Expr *r = magnitude(z.first), *phi = phase(z.again);
    return {make(types::tuple({r->type, phi->type}), args.span, ir::MakeTuple{{r, phi}}), {}};
  }
  if (name == "isnan" || name == "isinf" || name == "isfinite")
    return {classify(name, one(), types::weak_bool()), {}};
  if (name == "log" && args.positional.size() == 2) {
    std::vector<ir::Expr*> x = operands(2, "one or two arguments");
    for (ir::Expr*& e : x)
      e = complex_math("log", convert_scalar(e, types::weak_complex()));
    return {binary(ir::BinaryOp::Div, x[0], x[1], args.span), {}};
  }
  if (!find_complex_math(name))
    refuse(Diag::UnknownFunction, args.span, {args.function});
  return {complex_math(name, one()), {}};
}

// r * (cos phi + i sin phi). An angle of 0 keeps its sign and does not make a nan of an infinite r.
Operand Body::rect(ir::Expr* r, ir::Expr* phi, Span span) {
  Type t = types::weak_float();
  Shared a = share(convert_scalar(r, t)), b = share(convert_scalar(phi, t));
  auto call = [&](std::string_view name, std::vector<ir::Expr*> x) {
    return make(t, span, ir::Math{find_math(name, static_cast<int>(x.size())), std::move(x)});
  };
  auto product = [&](ir::Expr* x, ir::Expr* y) { return binary(ir::BinaryOp::Mult, x, y, span); };
  ir::Expr* sign = call("copysign", {make(t, span, ir::Const{0, 1}), a.again});
  ir::Expr* flat = compared(ir::CompareOp::Eq, b.again, make(t, span, ir::Const{}), span);
  ir::Expr* on_axis = make_complex(a.again, product(sign, b.again), span);
  ir::Expr* beside =
      make_complex(product(a.again, call("cos", {b.again})), product(a.again, call("sin", {b.again})), span);
  ir::Expr* z = select(flat, on_axis, beside, span);
  // Both operands are evaluated first, in order.
  ir::Expr* all = make(types::tuple({t, t, z->type}), span, ir::MakeTuple{{a.first, b.first, z}});
  return {make(z->type, span, ir::Item{all, 2}), {}};
}

} // namespace mpijit::jit::inference
