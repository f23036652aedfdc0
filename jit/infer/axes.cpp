// Arrays seen with their axes in another order, or with more or fewer axes of length one: views, as functions of NumPy
// and as methods. What a name takes stands in its row; a new one is a row and a branch. See body.h.
#include "infer/body.h"

#include <algorithm>
#include <numeric>

namespace mpijit::jit::inference {
namespace {

struct AxesFunction {
  std::string_view name;
  std::vector<Parameter> params; // behind the array
  bool method;
};

const std::vector<AxesFunction>& axes_functions() {
  static const std::vector<AxesFunction> rows = {
      {"transpose", {{"axes", false}}, true},
      {"swapaxes", {{"axis1"}, {"axis2"}}, true},
      {"moveaxis", {{"source"}, {"destination"}}, false},
      {"expand_dims", {{"axis"}}, false},
      {"squeeze", {{"axis", false}}, true},
      {"broadcast_to", {{"shape"}}, false},
      {"atleast_1d", {}, false},
      {"atleast_2d", {}, false},
      {"atleast_3d", {}, false},
  };
  return rows;
}

const AxesFunction* find(std::string_view name) {
  const auto& rows = axes_functions();
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const AxesFunction& row) { return row.name == name; });
  return at == rows.end() ? nullptr : &*at;
}

bool names(const std::vector<int>& axes, int k) { return std::find(axes.begin(), axes.end(), k) != axes.end(); }

} // namespace

std::optional<Operand> Body::axes_function(std::string_view name, const Arguments& args) {
  const AxesFunction* row = find(name);
  if (!row)
    return std::nullopt;
  std::vector<Parameter> params{{"a"}};
  params.insert(params.end(), row->params.begin(), row->params.end());
  std::vector<const Node*> given = bind(args, params);
  Operand a = expression(*given[0]);
  if (name.starts_with("atleast_") && value(a, given[0]->span)->type->is_scalar())
    a = array_in_order(std::vector<int64_t>(static_cast<size_t>(name[8] - '0'), 1), {a}, a.type()->dtype, args.span);
  if (!value(a, given[0]->span)->type->is_array())
    refuse(Diag::OperandType, given[0]->span, {"np." + std::string(name), to_string(a.type())});
  given.erase(given.begin());
  return change_axes(a.expr, name, given, args.span);
}

std::optional<Operand> Body::array_method(ir::Expr* array, std::string_view name, const Arguments& args) {
  const AxesFunction* row = find(name);
  if (!row || !row->method)
    return std::nullopt;
  if (name == "transpose" && args.positional.size() > 1) { // a.transpose(1, 0)
    const Span first = args.positional.front()->span, last = args.positional.back()->span;
    Node axes{NodeKind::Block, {}, {}, {}, args.positional};
    const Node display{NodeKind::Tuple, {first.line, first.column, last.end_line, last.end_column}, {}, {}, {&axes}};
    return change_axes(array, name, {&display}, args.span);
  }
  return change_axes(array, name, bind(args, row->params), args.span);
}

Operand Body::change_axes(ir::Expr* a, std::string_view name, const std::vector<const Node*>& given, Span span) {
  const int ndim = a->type->ndim;
  std::vector<int> axes(static_cast<size_t>(ndim));
  std::iota(axes.begin(), axes.end(), 0);
  if (name == "transpose") {
    if (given[0] && !expression(*given[0]).as<None>()) {
      axes = constant_axes(*given[0], ndim);
      if (static_cast<int>(axes.size()) != ndim)
        refuse(Diag::AxesCount, given[0]->span, {std::to_string(axes.size()), std::to_string(ndim)});
    } else {
      std::reverse(axes.begin(), axes.end());
    }
    return permute(a, std::move(axes), span);
  }
  if (name == "swapaxes") {
    const std::vector<int> one = constant_axes(*given[0], ndim), two = constant_axes(*given[1], ndim);
    if (one.size() != 1 || two.size() != 1)
      refuse(Diag::CallArguments, span, {"np.swapaxes", "two integers"});
    std::swap(axes[static_cast<size_t>(one[0])], axes[static_cast<size_t>(two[0])]);
    return permute(a, std::move(axes), span);
  }
  if (name == "moveaxis") {
    const std::vector<int> from = constant_axes(*given[0], ndim), to = constant_axes(*given[1], ndim);
    if (from.size() != to.size())
      refuse(Diag::AxesCount, given[1]->span, {std::to_string(to.size()), std::to_string(from.size())});
    std::vector<int> order;
    std::copy_if(axes.begin(), axes.end(), std::back_inserter(order), [&](int k) { return !names(from, k); });
    std::vector<std::pair<int, int>> moves;
    for (size_t k = 0; k < from.size(); ++k)
      moves.emplace_back(to[k], from[k]);
    std::sort(moves.begin(), moves.end());
    for (const auto& [where, axis] : moves)
      order.insert(order.begin() + where, axis);
    return permute(a, std::move(order), span);
  }
  if (name == "expand_dims") {
    const Operand axis = expression(*given[0]);
    const int added = axis.type() && axis.type()->is_tuple() ? static_cast<int>(axis.type()->items.size()) : 1;
    const std::vector<int> fresh = constant_axes(*given[0], ndim + added);
    std::vector<ir::Axis> out;
    for (int k = 0; k < ndim + added; ++k)
      out.push_back(names(fresh, k) ? ir::Axis(ir::NewAxis{}) : ir::Range{nullptr, nullptr, nullptr});
    return {view(a, std::move(out), span), {}};
  }
  if (name == "broadcast_to") {
    std::vector<ir::Expr*> shape = shape_of(expression(*given[0]), given[0]->span);
    const int count = static_cast<int>(shape.size());
    if (count < ndim)
      refuse(Diag::BroadcastAxes, span, {std::to_string(ndim), std::to_string(count)});
    const Type t = types::array(a->type->dtype, count, Layout::Strided, true);
    return {make(t, span, ir::Broadcast{a, std::move(shape)}), {}};
  }
  if (name.starts_with("atleast_"))
    return {with_axes(a, name[8] - '0', span), {}};
  // squeeze
  if (!given[0] || expression(*given[0]).as<None>())
    refuse(Diag::SqueezeAll, span);
  const std::vector<int> gone = constant_axes(*given[0], ndim);
  Shared s = share(a);
  ir::Expr* ones = nullptr;
  std::vector<ir::Axis> out;
  for (int k = 0; k < ndim; ++k) {
    if (!names(gone, k)) {
      out.push_back(ir::Range{nullptr, nullptr, nullptr});
      continue;
    }
    out.push_back(ir::Index{integer(0, span), false, false});
    ir::Expr* length = make(types::weak_int(), span, ir::Dim{ones ? s.again : s.first, k});
    ir::Expr* one = compared(ir::CompareOp::Eq, length, integer(1, span), span);
    ones = ones ? select(ones, one, boolean(false, span), span) : one;
  }
  if (!ones)
    return {s.first, {}};
  // An axis of length one is no part of the strides: C-contiguous stays so.
  const Type t = types::array(a->type->dtype, ndim - static_cast<int>(gone.size()), a->type->layout, a->type->readonly);
  ir::Expr* x = make(t, span, ir::View{s.again, std::move(out)});
  return {make(t, span,
               ir::Check{ones, find_error("ValueError"),
                         "cannot select an axis to squeeze out which has size not equal to one", x}),
          {}};
}

// New axes come first; of atleast_3d the last one, of two or three, does not.
ir::Expr* Body::with_axes(ir::Expr* a, int count, Span span) {
  const int ndim = a->type->ndim;
  if (ndim >= count)
    return a;
  const bool one_last = count == 3 && ndim > 0;
  std::vector<ir::Axis> out(static_cast<size_t>(count - ndim - one_last), ir::NewAxis{});
  out.insert(out.end(), static_cast<size_t>(ndim), ir::Range{nullptr, nullptr, nullptr});
  if (one_last)
    out.push_back(ir::NewAxis{});
  return view(a, std::move(out), span);
}

Operand Body::permute(ir::Expr* a, std::vector<int> axes, Span span) {
  if (std::is_sorted(axes.begin(), axes.end()))
    return {a, {}};
  const Type t = types::array(a->type->dtype, a->type->ndim, Layout::Strided, a->type->readonly);
  return {make(t, span, ir::Permute{a, std::move(axes)}), {}};
}

// An integer or a tuple of them, known when compiling, each naming another axis.
std::vector<int> Body::constant_axes(const Node& n, int ndim) {
  const Operand o = expression(n);
  std::vector<int> out;
  auto add = [&](const Operand& item) {
    const auto* axis = item.as<int64_t>();
    if (!axis)
      refuse(Diag::ConstantAxis, n.span);
    if (*axis < -ndim || *axis >= ndim)
      refuse(Diag::AxisRange, n.span, {std::to_string(*axis), std::to_string(ndim)});
    const int k = static_cast<int>(*axis < 0 ? *axis + ndim : *axis);
    if (names(out, k))
      refuse(Diag::AxisRepeated, n.span, {std::to_string(*axis)});
    out.push_back(k);
  };
  if (o.as<ConstantTuple>() || (o.type() && o.type()->is_tuple()))
    for (const Operand& item : items_of(o, n.span))
      add(item);
  else
    add(o);
  return out;
}

} // namespace mpijit::jit::inference
