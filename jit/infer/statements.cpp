// Statements: binding names, control flow and the environments it joins. See body.h.
#include "infer/body.h"

#include "ir/effects.h"

#include <stdexcept>
#include <utility>

namespace mpijit::jit::inference {
namespace {

void collect_targets(const Node& n, std::set<std::string, std::less<>>& names) {
  if (n.kind == NodeKind::Name)
    names.insert(n.text);
  else if (n.kind == NodeKind::Tuple || n.kind == NodeKind::List || n.kind == NodeKind::Starred ||
           n.kind == NodeKind::Block)
    for (const Node* kid : n.kids)
      collect_targets(*kid, names);
}

// Python's rule: a name that is assigned anywhere in a function is local everywhere in it.
void collect_locals(const Node& n, std::set<std::string, std::less<>>& names) {
  if (n.kind == NodeKind::Lambda) // a scope of its own
    return;
  if (n.kind == NodeKind::Assign || n.kind == NodeKind::For || n.kind == NodeKind::NamedExpr)
    collect_targets(n[0], names);
  for (const Node* kid : n.kids)
    collect_locals(*kid, names);
}

bool empty(const Node& n) { return n.kind == NodeKind::Empty; }

} // namespace

std::set<std::string, std::less<>> assigned_names(const Node& n) {
  std::set<std::string, std::less<>> names;
  collect_locals(n, names);
  return names;
}

ir::Expr* Body::keep(ir::Expr* x) {
  if (std::holds_alternative<ir::Const>(x->node))
    return x;
  const int slot = slots_.temporary(x->type);
  emit(x->span, ir::Assign{slot, x});
  return read(slot, x->span);
}

Body::Body(Specialiser& all, const Function& source, ir::Function& out, Specialiser::Entry entry)
    : all_(all), source_(source), out_(out), entry_(std::move(entry)), slots_(out) {
  out_.name = source.name;
  out_.file = source.file;
  out_.first_line = source.first_line;
  out_.boundscheck = all.boundscheck;
}

void Body::run() {
  const Node& tree = *source_.tree;
  const Parameters params = parameters(source_);
  if (params.nodes.size() != entry_.arguments.size())
    refuse(Diag::ArgumentCount, tree.span,
           {source_.name, std::to_string(params.nodes.size()), std::to_string(entry_.arguments.size())});
  for (size_t k = 0; k < params.nodes.size(); ++k) {
    const std::string name(params.rows[k].name);
    Binding b;
    b.type = entry_.arguments[k];
    b.slot = slots_.variable(name, b.type);
    b.span = params.nodes[k]->span;
    env_.names[name] = b;
    locals_.insert(name);
  }
  for (const int k : entry_.arrays)
    arrays_[k] = slots_.variable("$array." + std::to_string(k), all_.array_type(k));
  out_.parameters = static_cast<int>(params.nodes.size() + arrays_.size());
  collect_locals(tree[1], locals_);

  if (tree.kind == NodeKind::Lambda) {
    block_ = &out_.body;
    try {
      ir::Expr* result = carried(expression(tree[1]), tree[1].span);
      if (never_) {
        emit(tree[1].span, ir::Evaluate{result});
      } else {
        if (holds_static(result->type))
          refuse(Diag::ReturnStatic, tree[1].span);
        emit(tree[1].span, ir::Return{result});
        returns_.push_back({out_.body.back(), result->type});
      }
    } catch (const NeverReturns&) { // a result is not known yet
    }
    env_.live = false;
  } else {
    statements(tree[1], out_.body);
  }
  if (env_.live) {
    block_ = &out_.body;
    emit(tree.span, ir::Return{nullptr});
    returns_.push_back({out_.body.back(), types::none()});
  }

  if (returns_.empty() && all_.waits_for_caller(entry_))
    return; // no result yet: out_.result stays null
  join_returns();
}

// Every return is brought to the joined type.
void Body::join_returns() {
  out_.result = returns_.empty() ? types::none() : returns_.front().type;
  for (const Returned& r : returns_) {
    std::optional<Type> joined = jit::join(out_.result, r.type);
    if (!joined) {
      Diagnostic d = make_diagnostic(Diag::ReturnTypes, r.stmt->span, {to_string(r.type), to_string(out_.result)});
      d.note = to_string(returns_.front().type) + " is returned here";
      d.note_span = returns_.front().stmt->span;
      if (!r.type->is_none() && !out_.result->is_none())
        throw Refusal(d);
      no_result_ = d;
      break;
    }
    out_.result = *joined;
  }
  if (no_result_) { // row 47: nobody may ask for it
    out_.result = types::none();
    for (const Returned& r : returns_)
      if (ir::Expr* value = std::exchange(std::get<ir::Return>(r.stmt->node).value, nullptr); value)
        r.stmt->node =
            ir::Group{{out_.make(r.stmt->span, ir::Evaluate{value}), out_.make(r.stmt->span, ir::Return{nullptr})}};
    return;
  }
  for (const Returned& r : returns_) {
    auto& ret = std::get<ir::Return>(r.stmt->node);
    if (ret.value)
      ret.value = convert(out_, ret.value, out_.result);
  }
}

void Body::statements(const Node& block, ir::Block& into) {
  ir::Block* outer = block_;
  block_ = &into;
  for (const Node* s : block.kids) {
    if (!env_.live)
      break; // Python would not get here either
    try {
      statement(*s);
    } catch (const NeverReturns&) {
      env_.live = false;
    }
  }
  block_ = outer;
}

void Body::statement(const Node& s) {
  struct Restore {
    bool& flag;
    bool before;
    ~Restore() { flag = before; }
  } restore{never_, std::exchange(never_, false)};
  statement_of_kind(s);
  if (never_) // one of its calls never returns: what follows is not reached
    env_.live = false;
}

void Body::statement_of_kind(const Node& s) {
  switch (s.kind) {
  case NodeKind::Assign:
    if (s[0][0].kind == NodeKind::Tuple || s[0][0].kind == NodeKind::List)
      return assign_tuple(s[0][0], s[1]);
    return assign(s[0][0], expression(s[1]), s.text == "inplace", s.span);
  case NodeKind::Expr:
    if (s[0].kind == NodeKind::Call && s[0][0].kind == NodeKind::Name && !locals_.contains(s[0][0].text))
      if (const Constant* c = captured(s[0][0].text))
        if (const auto* f = std::get_if<FunctionName>(&c->value); f && f->name == "builtins.print")
          return print_statement(s[0]);
    if (s[0].kind == NodeKind::Call && s[0][0].kind == NodeKind::Attribute && s[0][0].text == "fill" &&
        fill_statement(s[0]))
      return;
    ignored_ = &s[0];
    if (Operand o = expression(s[0]); o.expr)
      emit(s.span, ir::Evaluate{o.expr});
    return;
  case NodeKind::Return: return return_statement(s);
  case NodeKind::If: return if_statement(s);
  case NodeKind::While: return while_statement(s);
  case NodeKind::For: return for_statement(s);
  case NodeKind::Raise: return raise_statement(s);
  case NodeKind::Break: return leave_loop(true, s.span);
  case NodeKind::Continue: return leave_loop(false, s.span);
  case NodeKind::Pass: return;
  case NodeKind::Block: // several statements that desugaring made of one
    for (const Node* k : s.kids)
      if (env_.live)
        statement(*k);
    return;
  case NodeKind::FunctionDef: refuse(Diag::Unsupported, s.span, {"a nested function"});
  default: refuse(Diag::Unsupported, s.span, {s.kind == NodeKind::Unsupported ? s.text : name_of(s.kind)});
  }
}

// a.fill(x), which like every statement that stores stands alone.
bool Body::fill_statement(const Node& call) {
  if (auto key = dotted(call[0]); key && captured(*key))
    return false;
  const Operand self = expression(call[0][0]);
  if (!self.type() || !self.type()->is_array())
    return false;
  std::vector<const Node*> list = bind(arguments(call, "fill"), {{"value"}});
  const Operand x = without_axes(expression(*list[0]));
  require_number(x, "fill", list[0]->span);
  store_array(self.expr, x, false, call.span);
  return true;
}

void Body::assign(const Node& target, Operand o, bool in_place, Span span) {
  switch (target.kind) {
  case NodeKind::Name:
    if (in_place)
      if (auto at = env_.names.find(target.text);
          at != env_.names.end() && at->second.type && at->second.type->is_array())
        return store_array(name(target).expr, o, true, span);
    return assign_name(target.text, std::move(o), span);
  case NodeKind::Subscript: return store(target, o, in_place, span);
  case NodeKind::Tuple:
  case NodeKind::List: return unpack(target, std::move(o), span);
  case NodeKind::Attribute: refuse(Diag::AttributeStore, target.span, {target.text});
  case NodeKind::Starred: refuse(Diag::Unsupported, target.span, {"a starred target"});
  default: refuse(Diag::Unsupported, target.span, {name_of(target.kind)});
  }
}

void Body::assign_name(const std::string& name, Operand o, Span span) {
  Binding b;
  b.span = span;
  ir::Expr* x = carried(o, span, true);
  if (!x) {
    b.constant = o.constant;
    env_.names[name] = b;
    return;
  }
  b.type = x->type;
  b.slot = slots_.variable(name, b.type);
  emit(span, ir::Assign{b.slot, x});
  env_.names[name] = b;
}

void Body::assign_tuple(const Node& target, const Node& node) {
  if (node.kind != NodeKind::Tuple && node.kind != NodeKind::List)
    return unpack(target, expression(node), node.span);
  // `u, v = v, u`: every right side is evaluated before any name is bound.
  if (target.kids[0]->kids.size() != node[0].kids.size())
    refuse(Diag::UnpackCount, node.span, {std::to_string(target[0].kids.size()), std::to_string(node[0].kids.size())});
  std::vector<Operand> values;
  for (const Node* item : node[0].kids) {
    Operand o = expression(*item);
    if (o.expr)
      o.expr = keep(o.expr);
    values.push_back(std::move(o));
  }
  for (size_t k = 0; k < values.size(); ++k)
    assign(target[0][k], values[k], false, target[0][k].span);
}

void Body::if_statement(const Node& s) {
  Operand cond = condition(s[0]);
  if (const bool* known = cond.as<bool>()) { // the other arm is not looked at
    if (!ir::is_pure(*cond.expr))
      emit(s[0].span, ir::Evaluate{cond.expr});
    for (const Node* k : s[*known ? 1 : 2].kids)
      if (env_.live)
        statement(*k);
    return;
  }
  Env before = env_;
  ir::Stmt* branch = out_.make(s.span, ir::If{cond.expr, {}, {}});
  block_->push_back(branch);
  auto& node = std::get<ir::If>(branch->node);
  statements(s[1], node.yes);
  Env after_yes = std::exchange(env_, std::move(before));
  statements(s[2], node.no);
  std::vector<Edge> edges{{std::move(after_yes), &node.yes}, {std::move(env_), &node.no}};
  env_ = join(slots_, edges);
  move(out_, edges, env_);
}

void Body::leave_loop(bool is_break, Span span) {
  emit(span, ir::Group{}); // takes the moves of this edge
  auto& moves = std::get<ir::Group>(block_->back()->node).body;
  const Loop& loop = loops_.back();
  if (is_break)
    emit(span, ir::Break{depth_ - loop.break_depth});
  else if (loop.unrolled)
    emit(span, ir::Break{depth_ - loop.continue_depth});
  else
    emit(span, ir::Continue{depth_ - loop.continue_depth});
  auto& edges = is_break ? loops_.back().breaks : loops_.back().continues;
  edges.push_back({env_, &moves});
  env_.live = false;
}

void Body::loop(ir::Block& into, const std::function<void()>& body, int outer) {
  ir::Block* before = block_; // its end is the edge from above
  const Env entry = env_;
  Env header = entry;
  for (int round = 0; round < 12; ++round) {
    const size_t returns = returns_.size();
    into.clear();
    env_ = header;
    loops_.emplace_back();
    loops_.back().break_depth = depth_ + 1;
    loops_.back().continue_depth = depth_ += outer + 1;
    block_ = &into;
    body();
    block_ = before;
    depth_ -= outer + 1;
    std::vector<Edge> edges{{entry, before}, {env_, &into}};
    for (const Edge& e : loops_.back().continues)
      edges.push_back(e);
    Env joined = join(slots_, edges);
    if (joined.same(header)) {
      // The loop statement is already in the block above: the moves go in front of it.
      ir::Stmt* self = before->back();
      before->pop_back();
      move(out_, edges, header);
      before->push_back(self);
      env_ = std::move(header);
      return; // loops_.back() still holds the breaks, for finish_loop
    }
    loops_.pop_back();
    returns_.resize(returns);
    header = std::move(joined);
  }
  throw std::logic_error("mpijit: the types of a loop do not settle"); // a chain of joins is far shorter
}

void Body::finish_loop(ir::Stmt* loop, const Node& orelse, Env exhausted, std::vector<Edge> breaks) {
  ir::Block& otherwise = std::holds_alternative<ir::For>(loop->node) ? std::get<ir::For>(loop->node).orelse
                                                                     : std::get<ir::While>(loop->node).orelse;
  env_ = std::move(exhausted);
  if (env_.live)
    statements(orelse, otherwise);
  std::vector<Edge> edges{{std::move(env_), &otherwise}};
  for (Edge& e : breaks)
    edges.push_back(std::move(e));
  env_ = join(slots_, edges);
  move(out_, edges, env_);
}

void Body::while_statement(const Node& s) {
  ir::Stmt* stmt = out_.make(s.span, ir::While{});
  auto& node = std::get<ir::While>(stmt->node);
  Env exhausted;
  bool never = false;
  block_->push_back(stmt);
  loop(node.body, [&] {
    Operand cond = condition(s[0]);
    node.cond = cond.expr;
    exhausted = env_;
    if (const bool* known = cond.as<bool>()) {
      never = !*known;
      exhausted.live = never;
    }
    if (never)
      env_.live = false;
    else
      statements(s[1], node.body);
  });
  std::vector<Edge> breaks = std::move(loops_.back().breaks);
  loops_.pop_back();
  finish_loop(stmt, s[2], std::move(exhausted), std::move(breaks));
}

std::string Body::constant_message(const Node& n) {
  if (empty(n))
    return {};
  Operand o = expression(n);
  if (const auto* text = o.as<std::string>())
    return *text;
  if (o.constant && o.expr)
    return to_string(*o.constant);
  refuse(Diag::ConstantMessage, n.span);
}

void Body::raise_statement(const Node& s) {
  if (empty(s[0]))
    refuse(Diag::Unsupported, s.span, {"raise without an exception"});
  const Node& exc = s[0];
  const bool is_call = exc.kind == NodeKind::Call;
  Operand cls = expression(is_call ? exc[0] : exc);
  const auto* name = cls.as<ExceptionName>();
  const int32_t code = name ? find_error(name->name) : 0;
  if (!code)
    refuse(Diag::RaiseClass, exc.span);
  std::string message;
  if (is_call) {
    Arguments args = arguments(exc, name->name);
    if (args.positional.size() > 1 || !args.keywords.empty())
      refuse(Diag::ConstantMessage, exc.span);
    if (!args.positional.empty())
      message = constant_message(*args.positional[0]);
  }
  emit(s.span, ir::Raise{code, message});
  env_.live = false;
}

void Body::return_statement(const Node& s) {
  Operand o;
  if (!empty(s[0]))
    o = expression(s[0]);
  if (o.as<ModuleName>() || o.as<ExceptionName>())
    refuse(Diag::ReturnStatic, s.span);
  ir::Expr* x = o.expr || o.constant ? carried(o, s[0].span) : nullptr;
  if (never_) {
    emit(s.span, ir::Evaluate{x});
    return;
  }
  if (x && holds_static(x->type))
    refuse(Diag::ReturnStatic, s.span);
  emit(s.span, ir::Return{x});
  returns_.push_back({block_->back(), x ? x->type : types::none()});
  env_.live = false;
}

} // namespace mpijit::jit::inference
