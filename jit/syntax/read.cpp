// The reader of the program text; see read.h for the format.
//
// It trusts nothing: every count, index and string is checked, and a tree has the shape that nodes.inc
// promises, so that the stages after it may index children without looking.
#include "syntax/read.h"

#include "syntax/line.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>

namespace mpijit::jit {
namespace {

using reading::fail;
using reading::Line;

constexpr int max_arrays = 1 << 20;
constexpr size_t max_depth = 1000; // of the tree: later stages recurse over it

struct KindRow {
  std::string_view name, children, text;
};

constexpr KindRow kind_rows[] = {
#define NODE(name, children, text) {#name, children, text},
#include "syntax/nodes.inc"
#undef NODE
};

const KindRow& row(NodeKind kind) { return kind_rows[static_cast<size_t>(kind)]; }

std::optional<NodeKind> find_kind(std::string_view name) {
  for (size_t i = 0; i < std::size(kind_rows); ++i)
    if (kind_rows[i].name == name)
      return static_cast<NodeKind>(i);
  return std::nullopt;
}

bool is_statement(NodeKind kind) { return kind <= NodeKind::Continue; }
bool is_expression(NodeKind kind) { return kind >= NodeKind::BoolOp && kind <= NodeKind::Slice; }

// Whether a node of this kind may be the field of a node, and whether it may be an item of the Block that is
// a starred field of `owner`: statements in body and orelse, parameters in the args of a definition.
bool fits(std::string_view field, NodeKind child) {
  if (field.back() == '*')
    return child == NodeKind::Block;
  if (child == NodeKind::Empty)
    return field.back() == '?';
  return is_expression(child) || child == NodeKind::Unsupported;
}

bool fits_block(NodeKind owner, std::string_view field, NodeKind child) {
  if (child == NodeKind::Unsupported)
    return true;
  if (field == "body*" || field == "orelse*")
    return is_statement(child);
  if (field == "keywords*")
    return child == NodeKind::keyword;
  if (field == "args*" && owner != NodeKind::Call)
    return child == NodeKind::arg;
  return is_expression(child);
}

std::string_view field_of(NodeKind kind, size_t index) {
  std::string_view fields = row(kind).children;
  for (; index > 0; --index)
    fields.remove_prefix(std::min(fields.find(' '), fields.size() - 1) + 1);
  return fields.substr(0, fields.find(' '));
}

size_t field_count(NodeKind kind) {
  std::string_view fields = row(kind).children;
  size_t n = fields.empty() ? 0 : 1;
  for (char c : fields)
    n += c == ' ';
  return n;
}

class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  Program program() {
    try {
      if (!next_line() || line != "mpijit-program 1")
        fail("not a program text of version 1");
      while (next_line())
        record();
      finish_function();
      if (out.functions.empty())
        fail("no function");
      check();
    } catch (const std::invalid_argument& error) {
      fail("program text, line " + std::to_string(number) + ": " + error.what());
    }
    return std::move(out);
  }

private:
  // A node whose children are still to come.
  struct Open {
    Node* node;
    size_t missing;
  };

  bool next_line() {
    if (rest.empty())
      return false;
    ++number;
    size_t end = rest.find('\n');
    if (end == rest.npos)
      fail("the last line does not end");
    line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return true;
  }

  void record() {
    Line l(line);
    std::string_view word = l.word();
    if (word == "function") {
      finish_function();
      function(l);
    } else if (out.functions.empty()) {
      fail("a record before the first function");
    } else if (word == "literals") {
      out.functions.back().literals = true;
    } else if (word == "default") {
      out.functions.back().defaults.push_back(l.constant());
    } else if (word == "capture") {
      std::string name = l.string();
      if (!out.functions.back().captures.emplace(std::move(name), l.constant()).second)
        fail("a name captured twice");
    } else if (std::optional<NodeKind> kind = find_kind(word)) {
      node(*kind, l);
    } else {
      fail("unknown record '" + std::string(word) + "'");
    }
    l.end();
  }

  void function(Line& l) {
    Function f;
    f.name = l.string();
    f.file = l.string();
    f.first_line = l.integer<int>();
    f.source = l.string();
    out.functions.push_back(std::move(f));
  }

  void finish_function() {
    if (!out.functions.empty() && (!open.empty() || !out.functions.back().tree))
      fail("a function's tree ends early");
  }

  void node(NodeKind kind, Line& l) {
    Span span = l.span();
    auto children = l.integer<uint32_t>();
    if (kind != NodeKind::Block && children != field_count(kind))
      fail("wrong number of children for " + std::string(row(kind).name));
    Node* n = out.make(kind, span);
    if (row(kind).text == "constant")
      n->constant = l.constant();
    else if (!row(kind).text.empty())
      n->text = l.string();
    attach(n);
    if (children > 0)
      open.push_back({n, children});
    else
      close();
    if (open.size() > max_depth)
      fail("the tree is nested too deep");
  }

  void attach(Node* n) {
    if (open.empty()) {
      Function& f = out.functions.back();
      if (f.tree || (n->kind != NodeKind::FunctionDef && n->kind != NodeKind::Lambda))
        fail("a node outside the function's tree");
      f.tree = n;
      return;
    }
    Node* parent = open.back().node;
    bool good;
    if (parent->kind == NodeKind::Block) { // never the root, so it has an owner
      Node* owner = open[open.size() - 2].node;
      good = fits_block(owner->kind, field_of(owner->kind, owner->kids.size() - 1), n->kind);
    } else {
      good = fits(field_of(parent->kind, parent->kids.size()), n->kind);
    }
    if (!good)
      fail(std::string(row(n->kind).name) + " cannot stand there in " + std::string(row(parent->kind).name));
    parent->kids.push_back(n);
    --open.back().missing;
  }

  void close() {
    while (!open.empty() && open.back().missing == 0)
      open.pop_back();
  }

  void check_index(const Constant& c) const {
    if (const auto* k = std::get_if<KernelIndex>(&c.value)) {
      if (k->index < 0 || static_cast<size_t>(k->index) >= out.functions.size())
        fail("a kernel index out of range");
    } else if (const auto* a = std::get_if<CapturedArray>(&c.value)) {
      if (a->index < 0 || a->index > max_arrays)
        fail("an array's number out of range");
    } else if (const auto* items = std::get_if<ConstantTuple>(&c.value)) {
      for (const Constant& item : *items)
        check_index(item);
    }
  }

  // What the table cannot say: how many items some lists have.
  static void check_counts(const Node& n) {
    auto words = [](std::string_view text) { return 1 + std::count(text.begin(), text.end(), ' '); };
    bool good = true;
    if (n.kind == NodeKind::Assign)
      good = !n[0].kids.empty();
    else if (n.kind == NodeKind::BoolOp)
      good = n[0].kids.size() >= 2;
    else if (n.kind == NodeKind::Compare)
      good = !n.text.empty() && n[1].kids.size() == static_cast<size_t>(words(n.text));
    if (!good)
      fail("wrong number of items in " + std::string(row(n.kind).name));
  }

  void check() const {
    for (const Function& f : out.functions) {
      for (const auto& [name, value] : f.captures)
        check_index(value);
      for (const Constant& value : f.defaults)
        check_index(value);
    }
    for (const Node& n : out.nodes) {
      check_counts(n);
      check_index(n.constant);
    }
  }

  std::string_view rest, line;
  int number = 0;
  Program out;
  std::vector<Open> open;
};

} // namespace

Constant read_constant(std::string_view text) {
  Line line(text);
  Constant c = line.constant();
  line.end();
  return c;
}

Program read(std::string_view text) { return Reader(text).program(); }

} // namespace mpijit::jit
