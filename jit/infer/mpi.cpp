// MPI routines in kernels: arguments by the kinds of routines.inc, results by its result column. There is no
// code per routine here; a new one needs its row only. See body.h.
#include "infer/body.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

bool is_data(Type t) { return t->is_array() || t->is_scalar(); }

} // namespace

ir::Expr* Body::mpi_argument(const RoutineRow& row, const ParamRow& param, const Node& n) {
  Operand o = expression(n);
  const std::string what = std::string(row.name) + "'s " + std::string(param.name);
  auto wrong = [&](std::string_view wanted) {
    refuse(Diag::MpiArgument, n.span,
           {what, wanted,
            o.expr       ? to_string(o.type())
            : o.constant ? to_string(*o.constant)
                         : "this"});
  };
  switch (param.kind) {
  case ParamKind::InOrSelf:
    if (const auto* h = o.as<Handle>(); h && h->kind == "in_place")
      return nullptr;
    [[fallthrough]];
  case ParamKind::In:
    if (!o.expr || !is_data(o.type()))
      wrong("an array or a number");
    return o.expr;
  case ParamKind::Out:
  case ParamKind::InOut:
    if (!o.expr || !o.type()->is_array())
      wrong("an array");
    return o.expr;
  case ParamKind::Dest:
  case ParamKind::Source:
  case ParamKind::Root:
  case ParamKind::SendTag:
  case ParamKind::RecvTag:
    if (!o.expr || !o.type()->is_integer())
      wrong("an integer");
    return as_int(o, what, n.span);
  case ParamKind::Op:
    if (!o.expr || o.type()->kind != TypeKind::Operator)
      wrong("an operator such as mpi.SUM");
    return o.expr;
  case ParamKind::Comm:
    if (!o.expr || o.type()->kind != TypeKind::Comm)
      wrong("a communicator");
    return o.expr;
  case ParamKind::Request:
    if (!o.expr || o.type()->kind != TypeKind::Request)
      wrong("a request");
    return o.expr;
  case ParamKind::Requests:
    if (!o.expr || !o.type()->is_tuple())
      wrong("a tuple of requests");
    for (Type item : o.type()->items)
      if (item->kind != TypeKind::Request)
        wrong("a tuple of requests");
    return o.expr;
  }
  return nullptr;
}

void Body::check_operator(const ir::Expr* op, const ir::Expr* data, Span span) {
  const auto* handle = std::get_if<ir::Const>(&op->node);
  if (!handle || !is_operator(handle->i))
    return; // the runtime checks what is known there only
  const OperatorRow& row = operator_row(handle->i);
  if (row.kinds.find(kind(data->type->dtype)) != row.kinds.npos)
    return;
  std::string_view dtype = jit::row(data->type->dtype).name;
  if (is_bool(data->type->dtype))
    refuse(Diag::OperatorBool, span, {row.name});
  refuse(Diag::OperatorDType, span, {row.name, dtype});
}

Type Body::complete_reduction(ir::MpiCall& call, Span span) {
  // The first three parameters of such a row: what is reduced (null: recv itself), into what, how.
  ir::Expr *&send = call.args[0], *&recv = call.args[1];
  if (!recv && !send)
    refuse(Diag::MissingArgument, span, {call.row->name, call.row->params[1].name});
  if (!recv && send->type->is_array() && send->type->ndim == 0) // a 0-d array counts as a scalar
    send = make(types::strong(send->type->dtype), send->span, ir::Load{send, {}, -1});
  if (!recv && send->type->is_array()) { // a new array like send, which is evaluated once
    Shared s = share(send);
    send = s.first;
    ir::Alloc like{{}, ir::Fill::None};
    for (int axis = 0; axis < send->type->ndim; ++axis)
      like.shape.push_back(make(types::weak_int(), span, ir::Dim{s.again, axis}));
    recv = share(make(types::array(send->type->dtype, send->type->ndim, Layout::C), span, std::move(like))).first;
  }
  if (recv && send && send->type->dtype != recv->type->dtype)
    refuse(Diag::MpiDTypes, span, {call.row->name, row(send->type->dtype).name, row(recv->type->dtype).name});
  check_operator(call.args[2], send ? send : recv, span);
  return recv ? recv->type : send->type;
}

Operand Body::mpi_call(std::string_view name, const Arguments& args) {
  const RoutineRow* row = find_routine(name);
  if (!row)
    refuse(Diag::MpiFunction, args.span, {name});
  std::vector<Parameter> params;
  for (int k = 0; k < row->param_count(); ++k) {
    const ParamRow& p = row->params[static_cast<size_t>(k)];
    params.push_back({p.name, p.fallback == Default::Required});
  }
  const Arguments called{args.span, std::string(name), args.positional, args.keywords}; // messages say "send"
  std::vector<const Node*> given = bind(called, params);

  ir::MpiCall out{row, std::vector<ir::Expr*>(params.size(), nullptr)};
  std::vector<size_t> order;
  auto evaluate_at = [&](const Node* n) {
    const auto k = static_cast<size_t>(std::find(given.begin(), given.end(), n) - given.begin());
    const bool absent = row->params[k].fallback == Default::Absent && n->kind == NodeKind::Constant &&
                        std::holds_alternative<None>(n->constant.value);
    if (!absent)
      out.args[k] = mpi_argument(*row, row->params[k], *n);
    order.push_back(k);
  };
  for (const Node* n : called.positional)
    evaluate_at(n);
  for (const Node* k : called.keywords)
    evaluate_at(&(*k)[0]);
  for (size_t k = 0; k < params.size(); ++k) {
    const ParamRow& p = row->params[k];
    ir::Expr*& x = out.args[k];
    if (given[k] && (x || p.fallback == Default::Absent || p.kind == ParamKind::InOrSelf))
      continue;
    if (p.fallback == Default::World)
      x = make(types::comm(), args.span, ir::Const{default_value(p.fallback), 0});
    else if (p.fallback == Default::Sum)
      x = make(types::op(), args.span, ir::Const{default_value(p.fallback), 0});
    else if (p.fallback != Default::Absent)
      x = integer(default_value(p.fallback), args.span);
  }
  keep_order(out.args, order, args.span);

  out_.uses_mpi = true;
  out_.communicates |= row->effect != Effect::Pure;
  Type result = types::none();
  switch (row->result) {
  case ResultKind::None: break;
  case ResultKind::Int: result = types::weak_int(); break;
  case ResultKind::Float: result = types::weak_float(); break;
  case ResultKind::Status: result = types::status(); break;
  case ResultKind::Request: result = types::request(); break;
  case ResultKind::Reduced: result = complete_reduction(out, args.span); break;
  }
  Operand o{make(result, args.span, std::move(out)), {}};
  if (result->is_none())
    o.constant = Constant{None{}, {}};
  return o;
}

} // namespace mpijit::jit::inference
