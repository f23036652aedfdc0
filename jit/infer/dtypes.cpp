// What NumPy says about dtypes, known when the kernel is compiled: np.result_type, np.issubdtype, a.dtype.kind and so
// on; and the shape of anything. See body.h.
#include "infer/body.h"

#include <algorithm>

namespace mpijit::jit::inference {
namespace {

// NumPy's abstract classes of dtypes, by the kinds in each.
struct Family {
  std::string_view name, kinds;
};
constexpr Family families[] = {
    {"generic", "biufc"},     {"number", "iufc"}, {"integer", "iu"}, {"signedinteger", "i"},
    {"unsignedinteger", "u"}, {"inexact", "fc"},  {"floating", "f"}, {"complexfloating", "c"},
};

const Family* find_family(const Operand& o) {
  const auto* f = o.as<FunctionName>();
  if (!f || !f->name.starts_with("numpy."))
    return nullptr;
  const auto at = std::find_if(std::begin(families), std::end(families),
                               [&](const Family& row) { return f->name.substr(6) == row.name; });
  return at == std::end(families) ? nullptr : &*at;
}

Operand dtype_operand(DType d) { return {nullptr, Constant{DTypeName{std::string(row(d).name)}, {}}}; }

} // namespace

// d.kind, d.itemsize, d.name; d.type is as good as d itself.
Operand Body::dtype_attribute(const Operand& dtype, const std::string& what, Span span) {
  const DType d = dtype_of(dtype, span);
  if (what == "kind")
    return constant({std::string(1, kind(d)), {}}, span);
  if (what == "itemsize")
    return constant({int64_t{size(d)}, {}}, span);
  if (what == "name")
    return constant({std::string(row(d).name), {}}, span);
  if (what == "type")
    return dtype_operand(d);
  refuse(Diag::Attribute, span, {"dtype", what});
}

// NEP 50: Python's own numbers come in last, whatever their place.
Operand Body::result_type(const std::vector<Operand>& given, Span span) {
  std::vector<Type> types;
  for (const Operand& o : given) {
    if (!o.expr || o.type()->is_fixed())
      types.push_back(types::strong(dtype_of(o, span)));
    else if (o.type()->is_array())
      types.push_back(types::strong(o.type()->dtype));
    else
      require_number(o, "np.result_type", span), types.push_back(o.type());
  }
  std::stable_partition(types.begin(), types.end(), [](Type t) { return !t->weak; });
  Type all = types.front();
  for (Type t : types)
    all = promote_scalars(all, t);
  return after(given, dtype_operand(all->dtype));
}

std::optional<Operand> Body::dtype_function(std::string_view name, const Arguments& args) {
  const bool of_any = name == "ndim" || name == "shape" || name == "size";
  if (of_any) {
    std::vector<const Node*> list = bind(args, {{"a"}});
    Operand a = expression(*list[0]);
    const Type t = value(a, args.span)->type;
    if (t->is_array())
      return name == "ndim" ? after({a}, array_attribute(a.expr, "ndim", args.span))
                            : array_attribute(a.expr, std::string(name), args.span);
    if (t->is_tuple()) { // of numbers, or of such tuples: what an array of them would have
      std::vector<Operand> lengths;
      int64_t size = 1;
      for (Type inner = t; inner->is_tuple();) {
        const auto length = static_cast<int64_t>(inner->items.size());
        lengths.push_back(constant({length, {}}, args.span));
        size *= length;
        for (Type item : inner->items)
          if (!item->is_tuple() || !inner->items[0]->is_tuple())
            require_number({make(item, args.span, ir::Const{}), {}}, "np." + std::string(name), args.span);
          else if (item->items.size() != inner->items[0]->items.size())
            refuse(Diag::RaggedArray, args.span);
        inner = inner->items.empty() ? types::weak_float() : inner->items[0];
      }
      return after({a}, name == "shape"  ? tuple_of(lengths, args.span)
                        : name == "size" ? constant({size, {}}, args.span)
                                         : constant({static_cast<int64_t>(lengths.size()), {}}, args.span));
    }
    require_number(a, "np." + std::string(name), args.span);
    return after({a}, name == "shape" ? tuple_of({}, args.span) : constant({int64_t{name == "size"}, {}}, args.span));
  }
  if (name == "result_type" || name == "promote_types") {
    if (args.positional.empty() || !args.keywords.empty() || (name == "promote_types" && args.positional.size() != 2))
      refuse(Diag::CallArguments, args.span, {args.function, "arrays, numbers or dtypes"});
    std::vector<Operand> given;
    for (const Node* n : args.positional)
      given.push_back(expression(*n));
    return result_type(given, args.span);
  }
  if (name == "dtype") {
    std::vector<const Node*> list = bind(args, {{"dtype"}});
    return dtype_operand(dtype_of(expression(*list[0]), list[0]->span));
  }
  if (name == "issubdtype") {
    std::vector<const Node*> list = bind(args, {{"arg1"}, {"arg2"}});
    const DType d = dtype_of(expression(*list[0]), list[0]->span);
    const Operand of = expression(*list[1]);
    if (const Family* family = find_family(of))
      return constant({family->kinds.find(kind(d)) != std::string_view::npos, {}}, args.span);
    return constant({d == dtype_of(of, list[1]->span), {}}, args.span);
  }
  return std::nullopt;
}

} // namespace mpijit::jit::inference
