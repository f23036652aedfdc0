// Syntax to simpler syntax; see desugar.h for what goes.
//
// One walk over the tree. `statement` appends to a list what a statement becomes; `expression` rewrites an
// expression whose parts are rewritten already. To remove another construct, add a case to one of the two.
#include "syntax/desugar.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace mpijit::jit {
namespace {

using Nodes = std::vector<Node*>;
using Names = std::set<std::string, std::less<>>;

Span from_to(const Node& first, const Node& last) {
  return {first.span.line, first.span.column, last.span.end_line, last.span.end_column};
}

// Names that `:=` binds in a tree.
void collect_rebound(const Node& n, Names& names) {
  if (n.kind == NodeKind::NamedExpr)
    names.insert(n[0].text);
  for (const Node* kid : n.kids)
    collect_rebound(*kid, names);
}

// Does assigning to the target bind the name?
bool binds(const Node& target, std::string_view name) {
  switch (target.kind) {
  case NodeKind::Name: return target.text == name;
  case NodeKind::Tuple:
  case NodeKind::List:
  case NodeKind::Starred:
  case NodeKind::Block:
    return std::any_of(target.kids.begin(), target.kids.end(), [&](const Node* kid) { return binds(*kid, name); });
  default: return false;
  }
}

bool is_statement(const Node* n) { return n->kind <= NodeKind::Continue; }

// An operator that neither raises nor costs much, so that evaluating it twice is the same as once.
bool repeatable(std::string_view op) {
  return op == "Add" || op == "Sub" || op == "Mult" || op == "BitAnd" || op == "BitOr" || op == "BitXor";
}

std::optional<Constant> negated(const Constant& c) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  constexpr std::string_view beyond = "9223372036854775808"; // -lowest
  if (const auto* i = std::get_if<int64_t>(&c.value))
    return *i == lowest ? Constant{BigInteger{std::string(beyond)}} : Constant{-*i};
  if (const auto* d = std::get_if<double>(&c.value))
    return Constant{-*d};
  if (const auto* b = std::get_if<BigInteger>(&c.value)) {
    if (b->digits == beyond)
      return Constant{lowest};
    bool negative = b->digits.starts_with('-');
    return Constant{BigInteger{negative ? b->digits.substr(1) : "-" + b->digits}};
  }
  return std::nullopt;
}

class Desugarer {
public:
  explicit Desugarer(Program& p) : program(p) {}

  void function(Function& f) {
    Node* tree = f.tree;
    temporaries = 0;
    if (tree->kind == NodeKind::Lambda) {
      Node* value = tree->kids[1];
      tree->kind = NodeKind::FunctionDef;
      tree->text = f.name.substr(f.name.rfind('.') + 1);
      tree->kids[1] = block({make(NodeKind::Return, value->span, {}, {value})});
    }
    statements(*tree->kids[1]);
  }

private:
  Node* make(NodeKind kind, Span span, std::string text = {}, Nodes kids = {}) {
    return program.make(kind, span, std::move(text), std::move(kids));
  }
  Node* block(Nodes kids) { return make(NodeKind::Block, {}, {}, std::move(kids)); }
  Node* name(Span span, std::string_view id) { return make(NodeKind::Name, span, std::string(id)); }
  Node* assign(Span span, Node* target, Node* value, std::string_view text = {}) {
    return make(NodeKind::Assign, span, std::string(text), {block({target}), value});
  }
  Node* copy(const Node& n) {
    Node* twin = make(n.kind, n.span, n.text);
    twin->constant = n.constant;
    for (const Node* kid : n.kids)
      twin->kids.push_back(copy(*kid));
    return twin;
  }
  std::string temporary() { return "$" + std::to_string(++temporaries); }

  // --- Statements

  void statements(Node& body) {
    Nodes out;
    for (Node* s : body.kids)
      statement(s, out);
    body.kids = std::move(out);
  }

  void statement(Node* s, Nodes& out) {
    for (Node*& kid : s->kids)
      part(kid);
    switch (s->kind) {
    case NodeKind::Pass: return;
    case NodeKind::Expr:
      if ((*s)[0].kind != NodeKind::Constant)
        out.push_back(s);
      return;
    case NodeKind::Assign: return assignment(s, out);
    case NodeKind::AnnAssign:
      if ((*s)[1].kind != NodeKind::Empty)
        out.push_back(assign(s->span, s->kids[0], s->kids[1]));
      return;
    case NodeKind::AugAssign: return augmented(s, out);
    case NodeKind::Assert: return assertion(s, out);
    default: out.push_back(s);
    }
  }

  // A field of a statement: a body is a list of statements, other lists and single nodes are expressions.
  void part(Node*& n) {
    if (n->kind != NodeKind::Block) {
      n = expression(n);
    } else if (std::any_of(n->kids.begin(), n->kids.end(), is_statement)) {
      statements(*n);
    } else {
      for (Node*& kid : n->kids)
        kid = expression(kid);
    }
  }

  // a = b = e: e once, then the targets from the left. A first target that is a name serves as the name of
  // the value, unless a middle target binds it anew.
  void assignment(Node* s, Nodes& out) {
    Nodes targets = (*s)[0].kids;
    Node* value = s->kids[1];
    if (targets.size() == 1)
      return out.push_back(s);
    if (value->kind == NodeKind::Constant) {
      for (Node* target : targets)
        out.push_back(assign(s->span, target, copy(*value)));
      return;
    }
    bool named = targets[0]->kind == NodeKind::Name &&
                 std::none_of(targets.begin() + 1, targets.end() - 1,
                              [&](const Node* target) { return binds(*target, targets[0]->text); });
    Node* shared = named ? targets[0] : name(value->span, temporary());
    if (named)
      targets.erase(targets.begin());
    out.push_back(assign(s->span, shared, value));
    for (Node* target : targets)
      out.push_back(assign(s->span, target, copy(*shared)));
  }

  void augmented(Node* s, Nodes& out) {
    Node *target = s->kids[0], *value = s->kids[1];
    Names rebound;
    collect_rebound(*s, rebound);
    if (target->kind == NodeKind::Name && rebound.contains(target->text)) {
      // x += (x := e): the x of before is the one that is added to.
      Node* old = name(target->span, temporary());
      out.push_back(assign(target->span, old, target));
      out.push_back(in_place(s, copy(*old), value));
      out.push_back(assign(s->span, copy(*target), copy(*old)));
      return;
    }
    if (target->kind == NodeKind::Subscript || target->kind == NodeKind::Attribute)
      for (Node*& kid : target->kids)
        kid = stable(kid, rebound, out);
    out.push_back(in_place(s, target, value));
  }

  Node* in_place(Node* s, Node* target, Node* value) {
    Node* sum = make(NodeKind::BinOp, s->span, s->text, {copy(*target), value});
    return assign(s->span, target, sum, "inplace");
  }

  // An expression that may be evaluated twice and gives what e gives now; what it needs for that is assigned
  // first, in Python's order.
  Node* stable(Node* e, const Names& rebound, Nodes& out) {
    auto each_part = [&](Nodes& parts) {
      for (Node*& kid : parts)
        kid = stable(kid, rebound, out);
      return e;
    };
    switch (e->kind) {
    case NodeKind::Constant:
    case NodeKind::Empty:
    case NodeKind::Unsupported: return e;
    case NodeKind::Name:
      if (!rebound.contains(e->text))
        return e;
      break;
    case NodeKind::BinOp:
      if (repeatable(e->text))
        return each_part(e->kids);
      break;
    case NodeKind::Tuple: // of indices
      return each_part((*e)[0].kids);
    case NodeKind::UnaryOp:
    case NodeKind::Attribute:
    case NodeKind::Slice:
    case NodeKind::Starred: return each_part(e->kids);
    default: break;
    }
    Node* target = name(e->span, temporary());
    out.push_back(assign(e->span, target, e));
    return copy(*target);
  }

  void assertion(Node* s, Nodes& out) {
    Node *test = s->kids[0], *message = s->kids[1];
    Node* error = make(NodeKind::Constant, s->span);
    error->constant = {ExceptionName{"AssertionError"}};
    if (message->kind != NodeKind::Empty)
      error = make(NodeKind::Call, s->span, {}, {error, block({message}), block({})});
    Node* failed = make(NodeKind::UnaryOp, test->span, "Not", {test});
    Node* raise = make(NodeKind::Raise, s->span, {}, {error});
    out.push_back(make(NodeKind::If, s->span, {}, {failed, block({raise}), block({})}));
  }

  // --- Expressions

  Node* expression(Node* e) {
    for (Node*& kid : e->kids)
      kid = expression(kid);
    switch (e->kind) {
    case NodeKind::BoolOp: return nested(e->text, (*e)[0].kids);
    case NodeKind::Compare: return comparison(e);
    case NodeKind::UnaryOp: return signed_literal(e);
    default: return e;
    }
  }

  // a and b and c: a and (b and c)
  Node* nested(const std::string& op, const Nodes& values) {
    Node* all = values.back();
    for (size_t i = values.size() - 1; i-- > 0;)
      all = make(NodeKind::BoolOp, from_to(*values[i], *all), op, {block({values[i], all})});
    return all;
  }

  // a < b < c: a < (t := b) and t < c
  Node* comparison(Node* e) {
    Nodes rights = (*e)[1].kids;
    if (rights.size() == 1)
      return e;
    Nodes pairs;
    Node* left = e->kids[0];
    std::string_view operators = e->text;
    for (size_t i = 0; i < rights.size(); ++i) {
      Node *right = rights[i], *next = nullptr;
      if (i + 1 < rights.size()) {
        if (right->kind == NodeKind::Name || right->kind == NodeKind::Constant) {
          next = copy(*right);
        } else {
          next = name(right->span, temporary());
          right = make(NodeKind::NamedExpr, right->span, {}, {copy(*next), right});
        }
      }
      std::string_view op = operators.substr(0, operators.find(' '));
      operators.remove_prefix(std::min(op.size() + 1, operators.size()));
      pairs.push_back(make(NodeKind::Compare, from_to(*left, *right), std::string(op), {left, block({right})}));
      left = next;
    }
    return nested("And", pairs);
  }

  Node* signed_literal(Node* e) {
    Node& literal = (*e)[0];
    if (literal.kind != NodeKind::Constant || (e->text != "USub" && e->text != "UAdd"))
      return e;
    std::optional<Constant> minus = negated(literal.constant);
    if (!minus) // True, a string: left to inference
      return e;
    literal.span = e->span;
    if (e->text == "USub")
      literal.constant = *minus;
    return &literal;
  }

  Program& program;
  int temporaries = 0;
};

} // namespace

void desugar(Program& program) {
  Desugarer desugarer(program);
  for (Function& f : program.functions)
    desugarer.function(f);
}

} // namespace mpijit::jit
