// The bounds pass (and that which makes counted loops for it) against an opponent: random loops over random, also
// extreme, integers are run before and after the pass by a small interpreter of the typed IR. Both runs must make the
// same accesses and end the same way, and no access may leave its array unchecked.
#include "ir_kernel.h"

#include "ir/walk.h"
#include "passes/passes.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace mpijit::jit::ir {
namespace {

__extension__ typedef __int128 Wide;

// ---- running -----------------------------------------------------------------------------------------------

/// Runs a function whose slots are ints and arrays without contents. What happens is a list of numbers.
class Machine {
public:
  struct Array {
    int64_t name;
    std::vector<int64_t> shape;
  };
  std::map<int, int64_t> ints;
  std::map<int, Array> arrays;
  std::vector<int64_t> events;
  bool left_an_array = false, used_fast = false, used_cold = false, gave_up = false;

  void run(const Function& f) {
    try {
      block(f.body);
    } catch (Enough) {
      gave_up = true;
    }
  }

private:
  enum class End { Next, Break, Continue, Raise };
  static constexpr int64_t raised = -1;
  struct Error {};
  struct Enough {};

  void tick() {
    if (events.size() > 300 || ++steps_ > 5000)
      throw Enough{};
  }
  static int64_t wrap(Wide x) { return static_cast<int64_t>(static_cast<uint64_t>(x)); }

  End block(const Block& b) {
    for (const Stmt* s : b)
      if (const End end = statement(*s); end != End::Next)
        return end;
    return End::Next;
  }

  End statement(const Stmt& s) {
    try {
      tick();
      if (const auto* n = std::get_if<Assign>(&s.node)) {
        if (n->value->type->is_array())
          arrays[n->slot] = array(n->value);
        else
          ints[n->slot] = value(n->value);
      } else if (const auto* n = std::get_if<Evaluate>(&s.node)) {
        value(n->value);
      } else if (const auto* n = std::get_if<Store>(&s.node)) {
        access(n->array, n->index);
      } else if (const auto* n = std::get_if<If>(&s.node)) {
        return block(value(n->cond) ? n->yes : n->no);
      } else if (const auto* n = std::get_if<Group>(&s.node)) {
        return block(n->body);
      } else if (const auto* n = std::get_if<For>(&s.node)) {
        return loop(*n);
      } else if (const auto* n = std::get_if<While>(&s.node)) {
        while (value(n->cond))
          if (const End end = block(n->body); end == End::Raise || end == End::Break)
            return end == End::Raise ? end : End::Next;
          else
            tick();
      } else if (const auto* n = std::get_if<Nest>(&s.node)) {
        const bool fast = std::all_of(n->ranges.begin(), n->ranges.end(), [&](auto& t) { return holds(t); });
        (fast ? used_fast : used_cold) = true;
        return block(fast ? n->fast : n->cold);
      } else {
        return std::holds_alternative<Break>(s.node) ? End::Break : End::Continue;
      }
      return End::Next;
    } catch (Error) {
      events.push_back(raised);
      return End::Raise;
    }
  }

  End loop(const For& n) {
    const Wide start = value(n.start), stop = value(n.stop), step = value(n.step);
    if (step == 0)
      throw Error{};
    for (Wide at = start; step > 0 ? at < stop : at > stop; at += step) {
      ints[n.slot] = static_cast<int64_t>(at);
      tick();
      if (const End end = block(n.body); end == End::Raise || end == End::Break)
        return end == End::Raise ? end : End::Next;
    }
    return block(n.orelse);
  }

  bool holds(const RangeTest& t) {
    const Wide low = wide(t.low), high = wide(t.high);
    return low > high || (low >= 0 && high < (t.array ? shape(t.array)[static_cast<size_t>(t.axis)] : t.size));
  }
  Wide wide(const Expr* e) {
    if (const auto* n = std::get_if<Unary>(&e->node))
      return -wide(n->x);
    if (const auto* n = std::get_if<Binary>(&e->node)) {
      const Wide a = wide(n->a), b = wide(n->b);
      return n->op == BinaryOp::Add ? a + b : n->op == BinaryOp::Sub ? a - b : a * b;
    }
    return value(e);
  }

  Array array(const Expr* e) {
    if (const auto* n = std::get_if<Read>(&e->node))
      return arrays.at(n->slot);
    if (const auto* n = std::get_if<Permute>(&e->node)) {
      const Array whole = array(n->array);
      Array permuted{whole.name, {}};
      for (int axis : n->axes)
        permuted.shape.push_back(whole.shape[static_cast<size_t>(axis)]);
      return permuted;
    }
    const auto& n = std::get<View>(e->node);
    const Array whole = array(n.array);
    Array part{whole.name, {}};
    for (size_t axis = 0; axis < n.axes.size(); ++axis)
      if (const auto* index = std::get_if<Index>(&n.axes[axis]))
        reach(*index, whole.shape[axis]);
      else
        part.shape.push_back(whole.shape[axis]);
    return part;
  }
  std::vector<int64_t> shape(const Expr* e) { return array(e).shape; }

  void reach(const Index& index, int64_t length) {
    int64_t i = value(index.value);
    if (index.wrap && i < 0)
      i = wrap(Wide(i) + length);
    if (i < 0 || i >= length) {
      left_an_array |= !index.check;
      throw Error{};
    }
    events.push_back(i);
  }
  void access(const Expr* from, const std::vector<Index>& index) {
    const Array whole = array(from);
    for (size_t axis = 0; axis < index.size(); ++axis)
      reach(index[axis], whole.shape[axis]);
    events.push_back(whole.name);
  }

  int64_t value(const Expr* e) {
    if (const auto* n = std::get_if<Const>(&e->node))
      return n->i;
    if (const auto* n = std::get_if<Read>(&e->node))
      return ints[n->slot];
    if (const auto* n = std::get_if<Dim>(&e->node))
      return shape(n->array)[static_cast<size_t>(n->axis)];
    if (const auto* n = std::get_if<Bind>(&e->node))
      return ints[n->slot] = value(n->value);
    if (const auto* n = std::get_if<Unary>(&e->node))
      return wrap(-Wide(value(n->x)));
    if (const auto* n = std::get_if<Compare>(&e->node)) {
      const int64_t a = value(n->a), b = value(n->b);
      switch (n->op) {
      case CompareOp::Eq: return a == b;
      case CompareOp::NotEq: return a != b;
      case CompareOp::Lt: return a < b;
      case CompareOp::LtE: return a <= b;
      case CompareOp::Gt: return a > b;
      case CompareOp::GtE: return a >= b;
      }
    }
    if (const auto* n = std::get_if<Choose>(&e->node))
      return value(value(n->cond) ? n->yes : n->no);
    if (const auto* n = std::get_if<Load>(&e->node)) {
      access(n->array, n->index);
      return 0;
    }
    return binary(std::get<Binary>(e->node));
  }
  int64_t binary(const Binary& n) {
    const Wide a = value(n.a), b = value(n.b);
    switch (n.op) {
    case BinaryOp::Add: return wrap(a + b);
    case BinaryOp::Sub: return wrap(a - b);
    case BinaryOp::Mult: return wrap(a * b);
    default: break;
    }
    if (b == 0)
      throw Error{};
    const Wide quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return wrap(n.op == BinaryOp::FloorDiv ? quotient : a - quotient * b);
  }

  int steps_ = 0;
};

// ---- making up ---------------------------------------------------------------------------------------------

class Opponent : public Kernel {
public:
  /// Every third kernel is of one or two loops with little but what they may be cut for, and of more extreme numbers.
  explicit Opponent(unsigned seed) : random_(seed), plain_(seed % 3 == 0) {
    for (const char* name : {"n", "m"})
      ints_.push_back(b.parameter(name, "int"));
    for (const char* name : {"u", "v"})
      lines_.push_back(b.parameter(name, "float64[:]"));
    plane_ = b.parameter("a", "float64[:, :]");
    for (const char* name : {"i", "j", "k", "p", "q"})
      ints_.push_back(b.slot(name, "int"));
    spare_ = b.slot("w", "float64[:]");
    Block body{b.assign(spare_, b.read(lines_[0]))};
    for (int k : {2, 3, 4, 5, 6})
      body.push_back(b.assign(ints_[static_cast<size_t>(k)], b.number(pick(3))));
    if (pick(plain_ ? 4 : 2) == 0)
      body.push_back(b.assign(ints_[0], b.dim(lines_[0], 0)));
    for (int k = 0; k < 2; ++k)
      body.push_back(plain_ ? plain_loop(0) : loop(0));
    f.body = std::move(body);
  }

  Machine machine() {
    static constexpr int64_t extremes[] = {INT64_MAX, INT64_MIN, INT64_MAX - 1, INT64_MIN + 1, int64_t{1} << 62};
    auto number = [&] { return pick(plain_ ? 4 : 6) ? pick(12) - 3 : extremes[pick(5)]; };
    Machine m;
    m.ints[ints_[0]] = number();
    m.ints[ints_[1]] = number();
    auto length = [&] { return pick(20) ? int64_t{pick(9)} : INT64_MAX; };
    m.arrays[lines_[0]] = {1000, {length()}};
    m.arrays[lines_[1]] = {1001, {length()}};
    m.arrays[plane_] = {1002, {length(), length()}};
    return m;
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int any_int() { return ints_[static_cast<size_t>(pick(static_cast<int>(ints_.size())))]; }
  int any_line() { return pick(8) ? lines_[static_cast<size_t>(pick(2))] : spare_; }

  Expr* constant() {
    return pick(30) ? b.number(pick(7) - 3) : b.number((int64_t{1} << (28 + pick(35))) * (pick(2) ? 1 : -1));
  }
  Expr* leaf() {
    switch (pick(6)) {
    case 0: return constant();
    case 1: return b.dim(any_line(), 0);
    case 2: return b.dim(plane_, pick(2));
    default: return b.read(any_int());
    }
  }
  /// Mostly what the pass understands, now and then something else.
  Expr* integer() {
    switch (pick(16)) {
    case 0: return b.mult(constant(), leaf());
    case 1: return b.mult(leaf(), leaf());
    case 2: return b.binary(BinaryOp::Mod, b.add(leaf(), leaf()), pick(2) ? b.number(1 + pick(4)) : leaf());
    case 3: return b.binary(BinaryOp::FloorDiv, leaf(), b.number(2));
    case 4: return b.sub(leaf(), leaf());
    case 5: return pick(3) ? leaf() : b.bind(any_int(), b.add(leaf(), constant()));
    case 6: return pick(3) ? leaf() : b.choose(condition(), leaf(), b.bind(any_int(), leaf()));
    case 7: return pick(2) ? leaf() : b.sub(leaf(), b.add(leaf(), constant())); // may begin below zero
    case 8: return b.make(types::weak_int(), Unary{UnaryOp::Neg, leaf()});
    default: return b.add(leaf(), constant());
    }
  }
  Expr* condition() {
    static constexpr CompareOp ops[] = {CompareOp::Eq,  CompareOp::NotEq, CompareOp::Lt,
                                        CompareOp::LtE, CompareOp::Gt,    CompareOp::GtE};
    const CompareOp op = ops[pick(6)];
    if (pick(5) == 0) { // and, or
      Expr* cond = condition();
      return pick(2) ? b.choose(cond, condition(), b.constant("bool", 0))
                     : b.choose(cond, b.constant("bool", 1), condition());
    }
    if (counters_.empty() || pick(3) == 0)
      return b.compare(op, leaf(), leaf());
    Expr* counter = pick(3) ? b.read(counters_.back()) : b.add(b.read(counters_.back()), constant());
    Expr* other = pick(2) && !plain_ ? b.number(pick(4)) : b.sub(end(), b.number(pick(3)));
    return pick(4) ? b.compare(op, counter, other) : b.compare(op, other, counter);
  }
  /// What loops end at most often.
  Expr* end() { return pick(2) ? b.read(ints_[0]) : b.dim(lines_[0], 0); }
  /// What an index of the loops around is most often, from below zero or backwards too.
  Expr* index() {
    if (counters_.empty() || pick(2))
      return integer();
    Expr* counter = b.read(counters_[static_cast<size_t>(pick(static_cast<int>(counters_.size())))]);
    switch (pick(8)) {
    case 6: return b.binary(BinaryOp::Mod, b.add(counter, pick(3) ? b.number(pick(4) - 2) : leaf()), end());
    case 7: return b.binary(BinaryOp::Mod, b.sub(end(), b.add(counter, b.number(pick(2)))), end());
    case 0: return b.make(types::weak_int(), Unary{UnaryOp::Neg, counter});
    case 1: return b.sub(b.make(types::weak_int(), Unary{UnaryOp::Neg, counter}), constant());
    case 2: return b.sub(b.add(counter, b.read(counters_.back())), leaf());
    case 3: return b.sub(counter, leaf());
    default: return b.sub(counter, b.number(pick(4)));
    }
  }
  Expr* element() { return pick(3) ? b.load(any_line(), {index()}) : plane_element(); }
  Expr* plane_element() {
    Expr* turned = b.permute(b.read(plane_), {1, 0}, "float64[:, :]");
    switch (pick(4)) {
    case 0: return b.load(turned, {index(), index()});
    case 1: return b.load(row(pick(2) ? turned : b.read(plane_)), {index()});
    default: return b.load(plane_, {index(), index()});
    }
  }
  Expr* row(Expr* plane) { return b.view(plane, {Index{index()}, Range{}}, "float64[:]"); }

  Stmt* plain_loop(int depth) {
    const int slot = ints_[static_cast<size_t>(2 + depth)];
    counters_.push_back(slot);
    Block body;
    for (int k = 1 + pick(2); k > 0; --k) {
      auto access = [&] { return b.evaluate(b.load(lines_[static_cast<size_t>(pick(2))], {neighbour()})); };
      switch (pick(4)) {
      case 0: body.push_back(access()); break;
      case 1: body.push_back(b.branch(condition(), {b.make(Continue{})})); [[fallthrough]];
      default: body.push_back(b.branch(condition(), {access()}, {access()}));
      }
    }
    if (depth == 0 && pick(3) == 0)
      body.push_back(plain_loop(1));
    counters_.pop_back();
    if (pick(6) == 0) { // counts by hand
      body.push_back(b.assign(slot, b.add(b.read(slot), b.number(1))));
      Expr* cond = b.compare(CompareOp::Lt, b.read(slot), end());
      return b.make(Group{{b.assign(slot, b.number(pick(2))), b.make(While{cond, body, {}}),
                           b.evaluate(b.load(lines_[0], {b.read(slot)}))}});
    }
    return b.loop(slot, pick(4) ? b.number(pick(2)) : leaf(), pick(4) ? end() : b.sub(end(), b.number(pick(3))), body);
  }
  Expr* neighbour() {
    Expr* counter = b.read(counters_.back());
    Expr* by = pick(2) ? b.number(pick(4)) : b.read(ints_[static_cast<size_t>(pick(2))]);
    Expr* moved = pick(2) ? b.add(counter, by) : pick(3) ? b.sub(counter, by) : b.sub(end(), b.add(counter, by));
    return pick(2) ? moved : b.binary(BinaryOp::Mod, moved, end());
  }

  Stmt* loop(int depth) {
    static constexpr int steps[] = {1, 1, 1, 1, -1, 2, 3, -2};
    const int slot = any_int();
    counters_.push_back(slot);
    Block body = block(depth + 1);
    counters_.pop_back();
    Stmt* s = b.loop(slot, integer(), integer(), std::move(body), steps[pick(8)]);
    auto& n = std::get<For>(s->node);
    if (pick(12) == 0)
      n.step = leaf();
    if (pick(10) == 0)
      n.orelse = {b.evaluate(element())};
    if (pick(2)) // the usual loop
      n.start = b.number(pick(2)), n.stop = b.sub(pick(2) ? b.read(ints_[0]) : b.dim(lines_[0], 0), b.number(pick(2)));
    return s;
  }
  Block block(int depth) {
    Block out;
    for (int k = 1 + pick(3); k > 0; --k)
      out.push_back(statement(depth));
    return out;
  }
  Stmt* statement(int depth) {
    switch (pick(depth < 3 ? 16 : 11)) {
    case 0: return b.assign(any_int(), integer());
    case 1:
      return pick(2) ? b.branch(condition(), {b.evaluate(element())}, {b.assign(any_int(), integer())})
                     : b.branch(condition(), {b.assign(any_int(), index())}, {b.evaluate(element())});
    case 2:
      return pick(2) ? b.evaluate(element())
                     : b.branch(condition(), {b.make(pick(2) ? Stmt::Node(Break{}) : Continue{})});
    case 3:
      return pick(4) ? b.evaluate(element())
                     : b.assign(spare_, pick(2) ? row(b.read(plane_)) : b.read(lines_[static_cast<size_t>(pick(2))]));
    case 4: return pick(6) ? b.evaluate(element()) : b.assign(lines_[0], b.read(spare_));
    case 5: return b.store(any_line(), {integer()}, b.constant("float64", 0));
    case 11:
    case 12:
    case 13:
    case 14: return loop(depth);
    case 15: return pick(3) ? loop(depth) : b.make(While{condition(), block(depth + 1), {}});
    default: return b.evaluate(element());
    }
  }

  std::mt19937 random_;
  bool plain_;
  std::vector<int> ints_, lines_;
  std::vector<int> counters_; // of the loops around
  int plane_ = 0, spare_ = 0;
};

/// Is there a nest with fewer remainders in its fast body than in the cold one?
bool folds(const Stmt& s) {
  auto remainders = [](const Block& b) {
    int found = 0;
    each_expr(b, [&](const Expr& e) {
      const auto* n = std::get_if<Binary>(&e.node);
      found += n && n->op == BinaryOp::Mod;
    });
    return found;
  };
  bool found = false;
  each_stmt(Block{const_cast<Stmt*>(&s)}, [&](const Stmt& inside) {
    const auto* nest = std::get_if<Nest>(&inside.node);
    found |= nest && remainders(nest->fast) < remainders(nest->cold);
  });
  return found;
}

/// More than enough for a change, when run by hand.
unsigned most_seeds() {
  const char* text = std::getenv("MPIJIT_TEST_SEEDS");
  return text ? static_cast<unsigned>(std::atoi(text)) : 2500;
}

TEST(BoundsRandom, SameAccessesAndNoneOutside) {
  int fast = 0, cold = 0, cut = 0, folded = 0;
  for (unsigned seed = 0; seed < most_seeds(); ++seed) {
    Opponent kernel(seed);
    const std::string source = print(kernel.f);
    Block original = clone(kernel.f, kernel.f.body);
    kernel.after(passes::count_loops);
    kernel.after(passes::bounds);
    folded += std::count_if(kernel.f.body.begin(), kernel.f.body.end(), [](const Stmt* s) { return folds(*s); });
    cut += print(kernel.f).find("$split") != std::string::npos;
    Function before;
    before.body = original;
    for (int round = 0; round < 8; ++round) {
      Machine first = kernel.machine(), second = first;
      first.run(before);
      second.run(kernel.f);
      ASSERT_FALSE(second.left_an_array) << seed << "\n" << source << print(kernel.f);
      if (first.gave_up || second.gave_up) { // not after the same number of steps: both began alike
        const size_t common = std::min(first.events.size(), second.events.size());
        first.events.resize(common);
        second.events.resize(common);
      }
      ASSERT_EQ(first.events, second.events) << seed << "\n" << source << print(kernel.f);
      fast += second.used_fast;
      cold += second.used_cold;
    }
  }
  EXPECT_GT(fast, 100);
  EXPECT_GT(cold, 100);
  EXPECT_GT(cut, 20);
  EXPECT_GT(folded, 20);
}

} // namespace
} // namespace mpijit::jit::ir
