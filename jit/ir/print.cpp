// The printer: expressions return text, statements append lines.
#include "ir/print.h"

#include <array>
#include <charconv>
#include <cmath>

namespace mpijit::jit::ir {
namespace {

// How tightly an operator binds, as in Python; parentheses appear only where they are needed.
enum Level { Lowest, Ternary, Inversion, Comparison, BitOr_, BitXor_, BitAnd_, Shift, Sum, Product, Sign, Power, Atom };

struct Operator {
  const char* text;
  Level level;
};
Operator row(BinaryOp op) {
  static constexpr Operator rows[] = {{"+", Sum},      {"-", Sum},     {"*", Product}, {"/", Product},
                                      {"//", Product}, {"%", Product}, {"**", Power},  {"<<", Shift},
                                      {">>", Shift},   {"|", BitOr_},  {"^", BitXor_}, {"&", BitAnd_}};
  return rows[static_cast<size_t>(op)];
}
const char* text(CompareOp op) {
  static constexpr const char* names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<size_t>(op)];
}
const char* text(Fill fill) {
  static constexpr const char* names[] = {"empty", "zeros"};
  return names[static_cast<size_t>(fill)];
}

std::string quoted(const std::string& value) {
  std::string out = "\"";
  for (char c : value) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else {
      if (c == '"' || c == '\\')
        out += '\\';
      out += c;
    }
  }
  return out + '"';
}

/// The shortest text that reads back as the same double, always recognisable as a float.
std::string number(double x) {
  if (std::isnan(x))
    return "nan";
  if (std::isinf(x))
    return x < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), x).ptr;
  std::string out(buffer.data(), end);
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

class Printer {
public:
  Printer(const Function& f, const Module* module) : f_(f), module_(module) {}

  std::string run() {
    header();
    block(f_.body, 1);
    return std::move(out_);
  }

private:
  // ---- names -----------------------------------------------------------------------------------------

  std::string slot(int k) const {
    if (k < 0 || static_cast<size_t>(k) >= f_.slots.size())
      return "slot#" + std::to_string(k);
    const std::string& name = f_.slots[static_cast<size_t>(k)].name;
    for (int j = 0; j < k; ++j)
      if (f_.slots[static_cast<size_t>(j)].name == name)
        return name + "." + std::to_string(k);
    return name;
  }
  std::string declaration(int k) const {
    const Slot& s = f_.slots[static_cast<size_t>(k)];
    return (s.owning ? "own " : "") + slot(k) + ": " + to_string(s.type);
  }
  std::string callee(int k) const {
    const std::string number = "#" + std::to_string(k);
    if (!module_ || k < 0 || static_cast<size_t>(k) >= module_->functions.size())
      return number;
    return module_->functions[static_cast<size_t>(k)]->name + number;
  }

  // ---- expressions -----------------------------------------------------------------------------------

  /// With parentheses when the expression binds less tightly than its place asks for.
  std::string expr(const Expr* e, Level place = Lowest) const {
    if (!e)
      return "_";
    auto [text, level] = parts(*e);
    return level < place ? "(" + text + ")" : text;
  }

  struct Parts {
    std::string text;
    Level level;
  };
  Parts parts(const Expr& e) const {
    return match(
        e.node, [&](const Const& n) { return constant(e.type, n); },
        [&](const Text& n) {
          return Parts{quoted(n.value), Atom};
        },
        [&](const Read& n) {
          return Parts{slot(n.slot), Atom};
        },
        [&](const Unary& n) { return unary(n); }, [&](const Binary& n) { return binary(n); },
        [&](const Compare& n) {
          return Parts{expr(n.a, BitOr_) + " " + text(n.op) + " " + expr(n.b, BitOr_), Comparison};
        },
        [&](const Cast& n) {
          return Parts{cast_name(e.type, n.kind) + "(" + expr(n.x) + ")", Atom};
        },
        [&](const Choose& n) {
          return Parts{expr(n.yes, Inversion) + " if " + expr(n.cond, Inversion) + " else " + expr(n.no, Ternary),
                       Ternary};
        },
        [&](const Math& n) {
          return Parts{"math." + std::string(n.row->name) + "(" + list(n.args) + ")", Atom};
        },
        [&](const Dim& n) {
          return Parts{"dim(" + expr(n.array) + ", " + std::to_string(n.axis) + ")", Atom};
        },
        [&](const Stride& n) {
          return Parts{"stride(" + expr(n.array) + ", " + std::to_string(n.axis) + ")", Atom};
        },
        [&](const Load& n) {
          return Parts{element(n.array, n.index, n.scope), Atom};
        },
        [&](const View& n) {
          return Parts{expr(n.array, Atom) + "[" + axes(n) + "]", Atom};
        },
        [&](const Permute& n) {
          std::string out;
          for (int axis : n.axes)
            out += ", " + std::to_string(axis);
          return Parts{"permute(" + expr(n.array) + out + ")", Atom};
        },
        [&](const Broadcast& n) {
          return Parts{"broadcast(" + expr(n.array) + ", (" + list(n.shape) + "))", Atom};
        },
        [&](const Part& n) {
          return Parts{expr(n.array, Atom) + (n.imaginary ? ".imag" : ".real"), Atom};
        },
        [&](const Alloc& n) {
          return Parts{std::string(text(n.fill)) + "[" + std::string(jit::row(e.type->dtype).name) + "](" +
                           list(n.shape) + ")",
                       Atom};
        },
        [&](const MakeTuple& n) {
          return Parts{"(" + list(n.items) + (n.items.size() == 1 ? ",)" : ")"), Atom};
        },
        [&](const Item& n) {
          return Parts{expr(n.tuple, Atom) + "." + std::to_string(n.index), Atom};
        },
        [&](const StatusField& n) {
          return Parts{expr(n.status, Atom) + "." + status_field(n.field), Atom};
        },
        [&](const Call& n) {
          return Parts{callee(n.function) + "(" + list(n.args) + ")", Atom};
        },
        [&](const MpiCall& n) {
          return Parts{"mpi." + std::string(n.row->name) + "(" + list(n.args) + ")", Atom};
        },
        [&](const Bind& n) {
          return Parts{slot(n.slot) + " := " + expr(n.value, Ternary), Lowest};
        },
        [&](const Check& n) {
          return Parts{
              "check(" + expr(n.cond) + ", " + error(n.code) + ", " + quoted(n.message) + ", " + expr(n.x) + ")", Atom};
        },
        [&](const Elementwise& n) {
          return Parts{"each(" + elementwise(n) + ")", Atom};
        },
        [&](const Reduce& n) {
          std::string axes;
          for (int k = 0; n.axes >> k; ++k)
            if (n.axes >> k & 1)
              axes += ", " + std::to_string(k);
          const std::string count = n.count < 0 ? "" : ", count := " + slot(n.count);
          return Parts{
              std::string(n.row->name) + "(" + expr(n.x) + axes + (n.keepdims ? ", keepdims" : "") + count + ")", Atom};
        },
        [&](const ir::Product& n) {
          return n.dot ? Parts{"dot(" + expr(n.a) + ", " + expr(n.b) + ")", Atom}
                       : Parts{expr(n.a, Level::Product) + " @ " + expr(n.b, Sign), Level::Product};
        },
        [&](const Reshape& n) {
          return Parts{"reshape(" + expr(n.array) + ", (" + list(n.shape) + "))", Atom};
        });
  }

  Parts constant(Type type, const Const& n) const {
    if (!type || type->is_none())
      return {"None", Atom};
    if (type->is_fixed())
      return {to_string(type), Atom};
    if (type->kind == TypeKind::Operator && is_operator(n.i))
      return {std::string(operator_row(n.i).name), Atom};
    if (!type->is_scalar())
      return {to_string(type) + "#" + std::to_string(n.i), Atom};
    std::string text;
    if (type->is_bool())
      text = n.i ? "True" : "False";
    else if (type->is_float())
      text = number(n.f);
    else if (type->is_complex())
      text = "complex(" + number(n.f) + ", " + number(n.im) + ")";
    else
      text = type->dtype == DType::UInt64 ? std::to_string(static_cast<uint64_t>(n.i)) : std::to_string(n.i);
    const Level level = text[0] == '-' ? Sign : Atom;
    if (!type->weak)
      text += ":" + to_string(type);
    return {text, level};
  }

  Parts unary(const Unary& n) const {
    switch (n.op) {
    case UnaryOp::Neg: return {"-" + expr(n.x, Sign), Sign};
    case UnaryOp::Invert: return {"~" + expr(n.x, Sign), Sign};
    case UnaryOp::Not: return {"not " + expr(n.x, Inversion), Inversion};
    }
    return {"?", Atom};
  }

  /// Operators group from the left except **, so an operand on the other side needs to bind more tightly.
  Parts binary(const Binary& n) const {
    const Operator op = row(n.op);
    const Level tighter = static_cast<Level>(op.level + 1);
    const bool power = n.op == BinaryOp::Pow;
    return {expr(n.a, power ? tighter : op.level) + " " + op.text + " " + expr(n.b, power ? Sign : tighter), op.level};
  }

  static std::string cast_name(Type type, CastKind kind) {
    switch (kind) {
    case CastKind::Convert: return to_string(type);
    case CastKind::Fit: return "fit[" + to_string(type) + "]";
    case CastKind::Truncate: return "truncate";
    case CastKind::Truth: return "truth";
    case CastKind::Relayout: return "relayout[" + to_string(type) + "]";
    }
    return "?";
  }
  static std::string status_field(int field) {
    static constexpr const char* names[] = {"source", "tag", "count", "nbytes"};
    return field >= 0 && field < 4 ? names[field] : "field#" + std::to_string(field);
  }
  static std::string error(int32_t code) {
    return code >= 1 && code <= error_count() ? std::string(error_name(code)) : "error#" + std::to_string(code);
  }

  std::string list(const std::vector<Expr*>& items) const {
    std::string out;
    for (const Expr* e : items)
      out += (out.empty() ? "" : ", ") + expr(e);
    return out;
  }
  std::string index(const Index& i) const {
    const char* mark = i.wrap ? (i.check ? "" : "~") : (i.check ? "+" : "!");
    return mark + expr(i.value);
  }
  std::string range(const Range& r) const {
    auto part = [&](const Expr* e) { return e ? expr(e, Ternary) : ""; };
    return part(r.start) + ":" + part(r.stop) + (r.step ? ":" + part(r.step) : "");
  }
  std::string axes(const View& n) const {
    std::string out;
    for (const Axis& axis : n.axes)
      out += (out.empty() ? "" : ", ") + match(
                                             axis, [&](const Index& i) { return index(i); },
                                             [&](const Range& r) { return range(r); },
                                             [](const NewAxis&) { return std::string("None"); });
    return out;
  }
  std::string element(const Expr* array, const std::vector<Index>& indices, int scope) const {
    std::string out;
    for (const Index& i : indices)
      out += (out.empty() ? "" : ", ") + index(i);
    out = expr(array, Atom) + "[" + out + "]";
    return scope < 0 ? out : out + "@" + std::to_string(scope);
  }

  std::string elementwise(const Elementwise& n) const {
    std::string inputs, lets;
    for (const Input& input : n.inputs)
      inputs += (inputs.empty() ? "" : ", ") + slot(input.slot) + " in " + expr(input.value, Ternary);
    for (size_t k = 0; k < n.shape.size(); ++k)
      inputs += (inputs.empty() ? "" : ", ") + slot(n.index[k]) + " < " + expr(n.shape[k], Ternary);
    for (const Let& let : n.lets)
      lets += slot(let.slot) + " := " + expr(let.value, Ternary) + ", ";
    return inputs + ": " + lets + expr(n.body);
  }

  // ---- statements ------------------------------------------------------------------------------------

  void line(int depth, const std::string& text) {
    out_ += std::string(static_cast<size_t>(depth) * 2, ' ') + text + '\n';
  }

  void block(const Block& b, int depth) {
    for (const Stmt* s : b)
      statement(*s, depth);
  }
  void section(const char* title, const Block& b, int depth) {
    if (b.empty())
      return;
    line(depth, title);
    block(b, depth + 1);
  }

  void statement(const Stmt& s, int depth) {
    match(
        s.node, [&](const Assign& n) { line(depth, slot(n.slot) + " = " + expr(n.value)); },
        [&](const Store& n) { line(depth, element(n.array, n.index, n.scope) + " = " + expr(n.value)); },
        [&](const StoreArray& n) {
          line(depth, expr(n.target, Atom) + (n.strict ? " [...]= " : "[...] = ") + expr(n.value));
        },
        [&](const Evaluate& n) { line(depth, "evaluate " + expr(n.value)); },
        [&](const If& n) {
          line(depth, "if " + expr(n.cond));
          block(n.yes, depth + 1);
          section("else", n.no, depth);
        },
        [&](const For& n) {
          line(depth, (n.cold ? "cold for " : "for ") + slot(n.slot) + " in range(" + expr(n.start) + ", " +
                          expr(n.stop) + ", " + expr(n.step) + ")");
          block(n.body, depth + 1);
          section("else", n.orelse, depth);
        },
        [&](const While& n) {
          line(depth, "while " + expr(n.cond));
          block(n.body, depth + 1);
          section("else", n.orelse, depth);
        },
        [&](const Once& n) {
          line(depth, "once");
          block(n.body, depth + 1);
        },
        [&](const Break& n) { line(depth, "break" + outer(n.outer)); },
        [&](const Continue& n) { line(depth, "continue" + outer(n.outer)); },
        [&](const Return& n) { line(depth, n.value ? "return " + expr(n.value) : "return"); },
        [&](const Raise& n) { line(depth, "raise " + error(n.code) + " " + quoted(n.message)); },
        [&](const Print& n) {
          line(depth, "print(" + list(n.args) + (n.args.empty() ? "" : ", ") + "sep=" + quoted(n.sep) +
                          ", end=" + quoted(n.end) + ")");
        },
        [&](const Release& n) { line(depth, "release " + slot(n.slot)); },
        [&](const Group& n) {
          line(depth, "group");
          block(n.body, depth + 1);
        },
        [&](const Nest& n) { nest(n, depth); });
  }

  static std::string outer(int more) { return more ? " " + std::to_string(more + 1) : ""; }

  void nest(const Nest& n, int depth) {
    line(depth, "nest");
    for (const RangeTest& t : n.ranges)
      line(depth + 1,
           "test " + expr(t.low) + " .. " + expr(t.high) + " in " +
               (t.array ? "dim(" + expr(t.array) + ", " + std::to_string(t.axis) + ")" : std::to_string(t.size)));
    for (const Disjoint& d : n.apart)
      line(depth + 1, "apart " + slot(d.a) + ", " + slot(d.b));
    section("fast", n.fast, depth + 1);
    section("cold", n.cold, depth + 1);
  }

  // ---- functions -------------------------------------------------------------------------------------

  void header() {
    std::string parameters, slots, flags;
    for (int k = 0; k < static_cast<int>(f_.slots.size()); ++k) {
      std::string& text = k < f_.parameters ? parameters : slots;
      text += (text.empty() ? "" : ", ") + declaration(k);
    }
    auto flag = [&](bool set, const char* name) {
      if (set)
        flags += (flags.empty() ? " [" : ", ") + std::string(name);
    };
    flag(f_.communicates, "communicates");
    flag(f_.uses_mpi, "uses mpi");
    flag(f_.recursive, "recursive");
    flag(!f_.boundscheck, "no boundscheck");
    line(0, "function " + f_.name + "(" + parameters + ") -> " + (f_.result ? to_string(f_.result) : "?") + flags +
                (flags.empty() ? "" : "]"));
    if (!slots.empty())
      line(1, "slots " + slots);
    for (size_t k = 0; k < f_.inlined.size(); ++k) {
      const int32_t parent = f_.inlined[k].parent;
      line(1, "frame " + std::to_string(k + 1) + ": " + f_.inlined[k].name +
                  (parent ? " called in frame " + std::to_string(parent) : ""));
    }
  }

  const Function& f_;
  const Module* module_;
  std::string out_;
};

} // namespace

std::string print(const Function& function) { return Printer(function, nullptr).run(); }

std::string print(const Module& module) {
  std::string out;
  for (const auto& f : module.functions)
    out += (out.empty() ? "" : "\n") + Printer(*f, &module).run();
  return out;
}

} // namespace mpijit::jit::ir
