// The typed IR's tools: every rule of verify.h broken once, every node printed, clones that share nothing.
#include "ir/effects.h"
#include "ir/walk.h"
#include "ir_kernel.h"

#include <functional>

namespace mpijit::jit::ir {
namespace {

/// A kernel with one slot of each kind.
struct Slots : Kernel {
  int n = b.parameter("n", "int"), x = b.parameter("x", "float"), f32 = b.parameter("f32", "float32");
  int i8 = b.parameter("i8", "int8"), flag = b.parameter("flag", "bool"), u = b.parameter("u", "float64[:, :]");
  int v = b.parameter("v", "float64[::1]"), r = b.parameter("r", "const float64[:]");
  int z = b.parameter("z", "complex128[:]"), t = b.parameter("t", "(int, float64[::1])");
  int status = b.slot("status", "status"), request = b.slot("request", "request"), i = b.slot("i", "int");
  int w = b.slot("w", "float64[::1]"), el = b.slot("el", "float64");

  Expr* of(const char* type, Expr::Node node) { return b.make(*parse_type(type), std::move(node)); }
  Expr* world() { return of("comm", Const{}); }
};

// ---- verify ------------------------------------------------------------------------------------------------

struct Broken {
  int rule;
  std::string what; // is wrong, for the failing test's message
  std::function<Stmt*(Slots&)> make;
  Stage stage = Stage::Inferred;
};

/// The statement that evaluates an expression.
Broken broken(int rule, std::string what, std::function<Expr*(Slots&)> make) {
  return {rule, std::move(what), [make](Slots& k) { return k.b.evaluate(make(k)); }};
}
Broken broken_statement(int rule, std::string what, std::function<Stmt*(Slots&)> make) {
  return {rule, std::move(what), std::move(make)};
}

/// v, element by element.
Expr* each(Slots& k) { return k.b.each({{k.v, k.el}}, k.b.read(k.el), "float64[::1]"); }

std::vector<Broken> broken_expressions() {
  return {
      broken(1, "an operand is missing",
             [](Slots& k) {
               return k.of("int", Unary{UnaryOp::Neg, nullptr});
             }),
      broken(1, "no such slot", [](Slots& k) { return k.of("int", Read{99}); }),
      broken(1, "no such function",
             [](Slots& k) {
               return k.of("none", Call{7, {}});
             }),
      broken(1, "no row",
             [](Slots& k) {
               return k.of("none", MpiCall{nullptr, {}});
             }),
      broken(1, "no type", [](Slots& k) { return k.b.make(nullptr, Const{}); }),
      broken(1, "no such frame",
             [](Slots& k) {
               Expr* e = k.b.number(1);
               e->frame = 3;
               return e;
             }),
      broken(2, "Const of an array", [](Slots& k) { return k.of("float64[:]", Const{}); }),
      broken(2, "Text that is an int", [](Slots& k) { return k.of("int", Text{"a"}); }),
      broken(2, "Read of another type", [](Slots& k) { return k.of("int", Read{k.x}); }),
      broken(2, "Dim of an axis too many", [](Slots& k) { return k.b.dim(k.v, 1); }),
      broken(2, "Stride of an axis too many", [](Slots& k) { return k.b.stride(k.v, 1); }),
      broken(2, "Dim of a scalar", [](Slots& k) { return k.b.dim(k.n, 0); }),
      broken(2, "MakeTuple of another type", [](Slots& k) { return k.of("(int,)", MakeTuple{{k.b.read(k.x)}}); }),
      broken(2, "Item out of range",
             [](Slots& k) {
               return k.of("int", Item{k.b.read(k.t), 2});
             }),
      broken(2, "StatusField of an int",
             [](Slots& k) {
               return k.of("int", StatusField{k.b.read(k.n), 0});
             }),
      broken(3, "mixed operands", [](Slots& k) { return k.b.add(k.b.read(k.n), k.b.read(k.x)); }),
      broken(3, "Not of an int",
             [](Slots& k) {
               return k.of("int", Unary{UnaryOp::Not, k.b.read(k.n)});
             }),
      broken(3, "Compare of mixed operands",
             [](Slots& k) { return k.b.compare(CompareOp::Lt, k.b.read(k.n), k.b.read(k.x)); }),
      broken(3, "Math of an int",
             [](Slots& k) {
               return k.of("int", Math{find_math("sin", 1), {k.b.read(k.n)}});
             }),
      broken(3, "Math with too many arguments",
             [](Slots& k) {
               return k.of("float", Math{find_math("sin", 1), {k.b.read(k.x), k.b.read(k.x)}});
             }),
      broken(4, "Div of ints", [](Slots& k) { return k.b.binary(BinaryOp::Div, k.b.read(k.n), k.b.read(k.n)); }),
      broken(4, "shift of floats", [](Slots& k) { return k.b.binary(BinaryOp::LShift, k.b.read(k.x), k.b.read(k.x)); }),
      broken(4, "sum of bools", [](Slots& k) { return k.b.add(k.b.read(k.flag), k.b.read(k.flag)); }),
      broken(4, "an ordering of complex numbers",
             [](Slots& k) {
               Expr* z = k.b.load(k.z, {k.b.number(0)});
               return k.b.compare(CompareOp::Lt, z, z);
             }),
      broken(4, "a complex remainder",
             [](Slots& k) {
               Expr* z = k.b.load(k.z, {k.b.number(0)});
               return k.b.binary(BinaryOp::Mod, z, z);
             }),
      broken(5, "Convert of a complex number to its part",
             [](Slots& k) { return k.b.cast(CastKind::Convert, k.b.load(k.z, {k.b.number(0)}), "float64"); }),
      broken(5, "Fit of a float", [](Slots& k) { return k.b.cast(CastKind::Fit, k.b.read(k.x), "int8"); }),
      broken(5, "Truncate to int8", [](Slots& k) { return k.b.cast(CastKind::Truncate, k.b.read(k.x), "int8"); }),
      broken(5, "Truth to int", [](Slots& k) { return k.b.cast(CastKind::Truth, k.b.read(k.n), "int"); }),
      broken(5, "Convert of an array", [](Slots& k) { return k.b.cast(CastKind::Convert, k.b.read(k.v), "float"); }),
      broken(5, "Relayout to C",
             [](Slots& k) { return k.b.cast(CastKind::Relayout, k.b.read(k.u), "float64[:, ::1]"); }),
      broken(5, "Relayout to writeable",
             [](Slots& k) { return k.b.cast(CastKind::Relayout, k.b.read(k.r), "float64[:]"); }),
      broken(6, "Choose by an int", [](Slots& k) { return k.b.choose(k.b.read(k.n), k.b.number(1), k.b.number(2)); }),
      broken(6, "Choose between types",
             [](Slots& k) { return k.b.choose(k.b.read(k.flag), k.b.number(1), k.b.real(2)); }),
      broken(7, "an index missing", [](Slots& k) { return k.b.load(k.u, {k.b.number(0)}); }),
      broken(7, "an index that is a float", [](Slots& k) { return k.b.load(k.v, {k.b.real(0)}); }),
      broken(7, "a weak element",
             [](Slots& k) {
               return k.of("float", Load{k.b.read(k.v), {{k.b.number(0)}}});
             }),
      broken(8, "a rank too many", [](Slots& k) { return k.b.view(k.b.read(k.v), {Range{}}, "float64[:, :]"); }),
      broken(8, "an axis missing", [](Slots& k) { return k.b.view(k.b.read(k.u), {Range{}}, "float64[:]"); }),
      broken(8, "a writeable view", [](Slots& k) { return k.b.view(k.b.read(k.r), {Range{}}, "float64[:]"); }),
      broken(8, "a new axis for one of the array's",
             [](Slots& k) { return k.b.view(k.b.read(k.v), {NewAxis{}}, "float64[::1]"); }),
      broken(8, "a new axis that is not in the rank",
             [](Slots& k) {
               return k.b.view(k.b.read(k.v), {NewAxis{}, Range{}}, "float64[::1]");
             }),
      broken(9, "a strided Alloc", [](Slots& k) { return k.b.alloc("float64[:]", {k.b.number(3)}); }),
      broken(9, "a length that is a float", [](Slots& k) { return k.b.alloc("float64[::1]", {k.b.real(3)}); }),
      broken(10, "a Call with too few arguments", [](Slots& k) { return k.b.call(k.module, 0, {}); }),
      broken(10, "a Call of another type",
             [](Slots& k) {
               return k.of("int", Call{1, {k.b.read(k.n)}});
             }),
      broken(10, "a Call with another argument",
             [](Slots& k) {
               return k.of("none", Call{1, {k.b.read(k.x)}});
             }),
      broken(11, "too few arguments", [](Slots& k) { return k.b.mpi("barrier", {}, "none"); }),
      broken(11, "an int for a communicator", [](Slots& k) { return k.b.mpi("rank", {k.b.read(k.n)}, "int"); }),
      broken(11, "another result", [](Slots& k) { return k.b.mpi("wtime", {}, "int"); }),
      broken(11, "receiving into a scalar",
             [](Slots& k) {
               return k.b.mpi("recv", {k.b.read(k.x), k.b.number(0), k.b.number(0), k.world()}, "status");
             }),
      broken(11, "an array reduced into nothing",
             [](Slots& k) {
               return k.b.mpi("allreduce", {k.b.read(k.v), nullptr, k.of("operator", Const{}), k.world()}, "none");
             }),
      broken(12, "a Bind of another type",
             [](Slots& k) {
               return k.of("int", Bind{k.x, k.b.number(1)});
             }),
      broken(22, "a Permute that names an axis twice",
             [](Slots& k) {
               return k.b.permute(k.b.read(k.u), {0, 0}, "float64[:, :]");
             }),
      broken(22, "a Permute of C layout",
             [](Slots& k) {
               return k.b.permute(k.b.read(k.u), {1, 0}, "float64[:, ::1]");
             }),
      broken(22, "a writeable Permute", [](Slots& k) { return k.b.permute(k.b.read(k.r), {0}, "float64[:]"); }),
      broken(27, "a writeable Broadcast",
             [](Slots& k) {
               return k.of("float64[:, :]", Broadcast{k.b.read(k.v), {k.b.number(2), k.b.number(3)}});
             }),
      broken(27, "a Broadcast to fewer axes",
             [](Slots& k) {
               return k.of("const float64[:]", Broadcast{k.b.read(k.u), {k.b.number(2)}});
             }),
      broken(18, "a Check by an int", [](Slots& k) { return k.b.check(k.b.read(k.n), 1, "", k.b.number(1)); }),
      broken(18, "a Check of another type",
             [](Slots& k) {
               return k.of("float", Check{k.b.read(k.flag), 1, "", k.b.number(1)});
             }),
      broken(20, "an element of another type",
             [](Slots& k) {
               return k.b.each({{k.v, k.x}}, k.b.read(k.el), "float64[::1]");
             }),
      broken(20, "a weak element",
             [](Slots& k) {
               return k.b.each({{k.v, k.el}}, k.b.real(1), "float64[::1]");
             }),
      broken(20, "an axis too few",
             [](Slots& k) {
               return k.b.each({{k.u, k.el}}, k.b.read(k.el), "float64[::1]");
             }),
      broken(20, "an element read inside",
             [](Slots& k) {
               return k.b.each({{k.v, k.el}}, k.b.load(k.v, {k.b.number(0)}), "float64[::1]");
             }),
      broken(23, "an axis too many",
             [](Slots& k) {
               return k.of("float64", Reduce{find_reduction("max"), each(k), 2, false});
             }),
      broken(23, "a maximum of what is an array already",
             [](Slots& k) {
               return k.of("float64", Reduce{find_reduction("max"), k.b.read(k.v), 1, false});
             }),
      broken(23, "a weak result",
             [](Slots& k) {
               return k.of("float", Reduce{find_reduction("sum"), k.b.read(k.v), 1, false});
             }),
      broken(23, "a count that is no int",
             [](Slots& k) {
               return k.of("float64", Reduce{find_reduction("sum"), k.b.read(k.v), 1, false, k.x});
             }),
      broken(24, "a Product with a scalar",
             [](Slots& k) {
               return k.of("float64", Product{k.b.read(k.v), k.b.read(k.x), false});
             }),
      broken(24, "a Product of two vectors that is an array",
             [](Slots& k) {
               return k.of("float64[::1]", Product{k.b.read(k.v), k.b.read(k.w), true});
             }),
      broken(25, "a Reshape that changes the layout",
             [](Slots& k) {
               return k.of("float64[:]", Reshape{k.b.read(k.v), {k.b.number(-1)}});
             }),
      broken(26, "a Part of real numbers",
             [](Slots& k) {
               return k.of("float64[:]", Part{k.b.read(k.v), true});
             }),
      broken(18, "a Check with code 0", [](Slots& k) { return k.b.check(k.b.read(k.flag), 0, "", k.b.number(1)); }),
  };
}

std::vector<Broken> broken_statements() {
  auto nest = [](Slots& k, int axis, Block fast) {
    return k.b.make(Nest{{{k.b.read(k.v), axis, k.b.number(0), k.b.number(1)}}, {}, std::move(fast), {}});
  };
  auto owned = [](std::string what, std::function<Stmt*(Slots&)> make) {
    return Broken{17, std::move(what), std::move(make), Stage::Owned};
  };
  auto fresh = [](Slots& k) { return k.b.alloc("float64[::1]", {k.b.number(3)}); };
  return {
      broken_statement(1, "an Assign of nothing", [](Slots& k) { return k.b.assign(k.n, nullptr); }),
      broken_statement(1, "an empty statement", [](Slots& k) { return k.b.make(Group{{nullptr}}); }),
      broken_statement(7, "a Store into a read-only array",
                       [](Slots& k) { return k.b.store(k.r, {k.b.number(0)}, k.b.read(k.el)); }),
      broken_statement(7, "a Store of a weak value",
                       [](Slots& k) { return k.b.store(k.v, {k.b.number(0)}, k.b.real(1)); }),
      broken_statement(12, "an Assign of another type", [](Slots& k) { return k.b.assign(k.n, k.b.real(1)); }),
      broken_statement(13, "an If by an int", [](Slots& k) { return k.b.branch(k.b.read(k.n), {}); }),
      broken_statement(13, "a While by an int",
                       [](Slots& k) {
                         return k.b.make(While{k.b.read(k.n), {}, {}});
                       }),
      broken_statement(13, "a For over a float",
                       [](Slots& k) { return k.b.loop(k.x, k.b.number(0), k.b.number(1), {}); }),
      broken_statement(13, "a For to a float", [](Slots& k) { return k.b.loop(k.i, k.b.number(0), k.b.real(1), {}); }),
      broken_statement(14, "a Break alone", [](Slots& k) { return k.b.make(Break{}); }),
      broken_statement(14, "a Break of a loop too many",
                       [](Slots& k) {
                         return k.b.make(While{k.b.read(k.flag), {k.b.make(Break{1})}, {}});
                       }),
      broken_statement(14, "a Continue in a Once",
                       [](Slots& k) {
                         return k.b.make(While{k.b.read(k.flag), {k.b.make(Once{{k.b.make(Continue{})}})}, {}});
                       }),
      broken_statement(14, "a Continue in an else",
                       [](Slots& k) {
                         return k.b.make(While{k.b.read(k.flag), {k.b.make(Break{})}, {k.b.make(Continue{})}});
                       }),
      broken_statement(15, "a Return of an int", [](Slots& k) { return k.b.give(k.b.number(1)); }),
      broken_statement(16, "a Raise of code 1000",
                       [](Slots& k) {
                         return k.b.make(Raise{1000, "no"});
                       }),
      owned("dropped", [=](Slots& k) { return k.b.evaluate(fresh(k)); }),
      owned("only looked at", [=](Slots& k) { return k.b.assign(k.el, k.b.load(fresh(k), {k.b.number(0)})); }),
      owned("in a borrowing slot", [=](Slots& k) { return k.b.assign(k.w, fresh(k)); }),
      owned("in one arm",
            [=](Slots& k) { return k.b.assign(k.w, k.b.choose(k.b.read(k.flag), k.b.read(k.v), fresh(k))); }),
      owned("bound by a borrowing slot", [=](Slots& k) { return k.b.evaluate(k.b.bind(k.w, fresh(k))); }),
      owned("copied from an owning slot",
            [](Slots& k) {
              k.f.slots[static_cast<size_t>(k.v)].owning = true;
              return k.b.assign(k.w, k.b.read(k.v));
            }),
      broken_statement(21, "a StoreArray of an array",
                       [](Slots& k) {
                         return k.b.make(StoreArray{k.b.read(k.v), k.b.read(k.w)});
                       }),
      broken_statement(
          21, "a StoreArray into a read-only array",
          [](Slots& k) {
            return k.b.make(StoreArray{k.b.read(k.r), k.b.each({{k.v, k.el}}, k.b.read(k.el), "float64[::1]")});
          }),
      broken_statement(19, "a test of an axis too many", [=](Slots& k) { return nest(k, 1, {}); }),
      broken_statement(19, "a test of an array that changes",
                       [=](Slots& k) { return nest(k, 0, {k.b.assign(k.v, k.b.read(k.w))}); }),
      broken_statement(19, "a test that a number is below 0",
                       [](Slots& k) {
                         return k.b.make(Nest{{{nullptr, 0, k.b.read(k.n), k.b.read(k.n)}}, {}, {}, {}});
                       }),
      broken_statement(19, "a scalar that is to be apart",
                       [](Slots& k) {
                         return k.b.make(Nest{{}, {{k.n, k.v}}, {}, {}});
                       }),
  };
}

void expect_caught(const Broken& broken) {
  Slots k;
  Function& g = k.add_function("g");
  Build(g).parameter("p", "int");
  k.b.span = {42, 1, 42, 2};
  k.f.body = {broken.make(k)};
  const std::vector<std::string> sentences = verify(k.module, broken.stage);
  EXPECT_FALSE(sentences.empty()) << broken.rule << " " << broken.what;
  const std::string start = "k: rule " + std::to_string(broken.rule) + ": ";
  for (const std::string& sentence : sentences)
    EXPECT_TRUE(sentence.starts_with(start)) << broken.what << ": " << sentence;
}

TEST(Verify, CatchesEveryRuleInExpressions) {
  for (const Broken& b : broken_expressions())
    expect_caught(b);
}
TEST(Verify, CatchesEveryRuleInStatements) {
  for (const Broken& b : broken_statements())
    expect_caught(b);
}

TEST(Verify, SaysWhere) {
  Slots k;
  k.b.span = {42, 1, 42, 2};
  k.f.body = {k.b.assign(k.n, k.b.real(1))};
  EXPECT_EQ(verify(k.module, Stage::Inferred),
            std::vector<std::string>{"k: rule 12: an Assign puts float into n: int (line 42)"});
}

TEST(Verify, AcceptsOwners) {
  Slots k;
  auto& b = k.b;
  k.f.slots[static_cast<size_t>(k.w)].owning = true;
  k.f.result = *parse_type("(int, float64[::1])");
  auto fresh = [&] { return b.alloc("float64[::1]", {b.number(3)}); };
  k.f.body = {b.assign(k.w, b.choose(b.read(k.flag), fresh(), b.read(k.v))),
              b.assign(k.el, b.load(b.bind(k.w, fresh()), {b.number(0)})), b.make(Release{k.w}),
              b.give(b.tuple({b.number(1), fresh()}))};
  EXPECT_EQ(verify(k.module, Stage::Owned), std::vector<std::string>());
}

// ---- print -------------------------------------------------------------------------------------------------

TEST(Print, EveryExpression) {
  Slots k;
  auto& b = k.b;
  auto n = [&] { return b.read(k.n); };
  Expr* loaded = b.load(k.u, {n(), b.number(-1)});
  auto& index = std::get<Load>(loaded->node).index;
  index[0].wrap = index[0].check = index[1].check = false;
  std::get<Load>(loaded->node).scope = 5;
  const std::pair<Expr*, const char*> cases[] = {
      {b.none(), "None"},
      {b.number(-3), "-3"},
      {b.real(2), "2.0"},
      {b.real(1e300), "1e+300"},
      {b.constant("float32", 0.5), "0.5:float32"},
      {k.of("uint64", Const{-1, 0}), "18446744073709551615:uint64"},
      {b.truth(true), "True"},
      {k.of("operator", Const{0, 0}), "SUM"},
      {k.world(), "comm#0"},
      {k.of("str", Text{"a\n\"b\\"}), R"("a\n\"b\\")"},
      {k.of("int", Unary{UnaryOp::Neg, b.add(n(), n())}), "-(n + n)"},
      {k.of("int", Unary{UnaryOp::Invert, n()}), "~n"},
      {k.of("bool", Unary{UnaryOp::Not, b.read(k.flag)}), "not flag"},
      {b.mult(b.add(n(), n()), b.sub(n(), b.sub(n(), n()))), "(n + n) * (n - (n - n))"},
      {b.binary(BinaryOp::Pow, b.binary(BinaryOp::Pow, n(), n()), b.binary(BinaryOp::Pow, n(), n())),
       "(n ** n) ** n ** n"},
      {b.binary(BinaryOp::Pow, b.number(-1), n()), "(-1) ** n"},
      {b.compare(CompareOp::LtE, n(), b.choose(b.read(k.flag), n(), b.number(2))), "n <= (n if flag else 2)"},
      {b.cast(CastKind::Convert, n(), "float32"), "float32(n)"},
      {b.cast(CastKind::Fit, n(), "int8"), "fit[int8](n)"},
      {b.cast(CastKind::Truncate, b.read(k.x), "int"), "truncate(x)"},
      {b.cast(CastKind::Truth, n(), "bool"), "truth(n)"},
      {b.cast(CastKind::Relayout, b.read(k.v), "float64[:]"), "relayout[float64[:]](v)"},
      {k.of("float", Math{find_math("atan2", 2), {b.read(k.x), b.real(1)}}), "math.atan2(x, 1.0)"},
      {b.dim(k.u, 1), "dim(u, 1)"},
      {loaded, "u[!n, ~-1]@5"},
      {b.view(b.read(k.u), {Index{n(), false, true}, Range{b.number(1), nullptr, b.number(2)}}, "float64[:]"),
       "u[+n, 1::2]"},
      {b.alloc("float64[:, ::1]", {n(), n()}, Fill::None), "empty[float64](n, n)"},
      {b.each({{k.v, k.el}}, b.read(k.el), "float64[::1]"), "each(el in v: el)"},
      {k.of("float64[::1]", Elementwise{{{n(), k.n}}, {{k.el, b.read(k.el)}}, b.read(k.el), {n()}, {k.i}}),
       "each(n in n, i < n: el := el, el)"},
      {k.of("float64", Reduce{find_reduction("sum"), b.read(k.u), 3, false}), "sum(u, 0, 1)"},
      {k.of("float64", Reduce{find_reduction("sum"), each(k), 1, false, k.n}), "sum(each(el in v: el), 0, count := n)"},
      {k.of("float64[::1]", Reduce{find_reduction("argmin"), each(k), 1, true}),
       "argmin(each(el in v: el), 0, keepdims)"},
      {k.of("float64", Product{b.read(k.v), b.read(k.w), false}), "v @ w"},
      {k.of("float64", Product{b.read(k.v), b.read(k.w), true}), "dot(v, w)"},
      {k.of("float64[:, ::1]", Reshape{b.read(k.v), {b.number(2), b.number(-1)}}), "reshape(v, (2, -1))"},
      {k.of("float64[:]", Part{b.read(k.z), true}), "z.imag"},
      {b.tuple({n()}), "(n,)"},
      {b.tuple({}), "()"},
      {b.stride(k.u, 1), "stride(u, 1)"},
      {b.permute(b.read(k.u), {1, 0}, "float64[:, :]"), "permute(u, 1, 0)"},
      {k.of("const float64[:, :]", Broadcast{b.read(k.v), {b.number(2), b.read(k.n)}}), "broadcast(v, (2, n))"},
      {b.view(b.read(k.v), {NewAxis{}, Range{}}, "float64[:, ::1]"), "v[None, :]"},
      {b.item(b.read(k.t), 1), "t.1"},
      {k.of("int", StatusField{b.read(k.status), 2}), "status.count"},
      {b.call(k.module, 0, {n(), n()}), "#0(n, n)"},
      {b.mpi("allreduce", {n(), nullptr, k.of("operator", Const{}), k.world()}, "int"),
       "mpi.allreduce(n, _, SUM, comm#0)"},
      {b.bind(k.i, b.number(1)), "i := 1"},
      {b.check(b.read(k.flag), find_error("ValueError"), "no", b.bind(k.i, n())),
       R"(check(flag, ValueError, "no", i := n))"},
      {k.of("int", Unary{UnaryOp::Neg, nullptr}), "-_"},
  };
  for (const auto& [e, text] : cases) {
    k.f.body = {b.evaluate(e)};
    EXPECT_EQ(Kernel::body(k.f), std::string("evaluate ") + text + "\n");
  }
}

TEST(Print, EveryStatement) {
  Slots k;
  auto& b = k.b;
  auto flag = [&] { return b.read(k.flag); };
  Stmt* loop = b.loop(k.i, b.number(0), b.read(k.n), {b.make(Continue{})}, 2);
  std::get<For>(loop->node).cold = true;
  std::get<For>(loop->node).orelse = {b.make(Release{k.w})};
  Stmt* store = b.store(k.v, {b.number(0)}, b.read(k.el));
  std::get<Store>(store->node).scope = 6;
  k.f.body = {b.assign(k.n, b.number(1)),
              store,
              b.make(StoreArray{b.read(k.w), b.each({{k.v, k.el}}, b.read(k.el), "float64[::1]"), true}),
              b.make(StoreArray{b.read(k.w), b.each({{k.v, k.el}}, b.read(k.el), "float64[::1]")}),
              b.evaluate(b.read(k.n)),
              b.branch(flag(), {b.make(Raise{find_error("IndexError"), "far"})}, {b.make(Group{{b.give()}})}),
              loop,
              b.make(While{flag(), {b.make(Break{})}, {b.give()}}),
              b.loop(k.i, b.number(0), b.number(1), {b.make(Once{{b.make(Break{1}), b.make(Continue{1})}})}),
              b.make(Print{{b.read(k.n), b.read(k.x)}, ", ", "\n"}),
              b.make(Print{{}, " ", ""}),
              b.make(Nest{{{b.read(k.v), 0, b.number(1), b.read(k.n)}, {nullptr, 0, b.read(k.n), b.read(k.n), 8}},
                          {{k.u, k.v}},
                          {b.give()},
                          {b.give(b.none())}})};
  EXPECT_EQ(Kernel::body(k.f), R"(n = 1
v[0]@6 = el
w [...]= each(el in v: el)
w[...] = each(el in v: el)
evaluate n
if flag
  raise IndexError "far"
else
  group
    return
cold for i in range(0, n, 2)
  continue
else
  release w
while flag
  break
else
  return
for i in range(0, 1, 1)
  once
    break 2
    continue 2
print(n, x, sep=", ", end="\n")
print(sep=" ", end="")
nest
  test 1 .. n in dim(v, 0)
  test n .. n in 8
  apart u, v
  fast
    return
  cold
    return None
)");
}

TEST(Print, Functions) {
  Kernel k;
  auto& b = k.b;
  const int u = b.parameter("u", "float64[::1]"), x = b.slot("x", "int"), again = b.slot("x", "float");
  Function& g = k.add_function("g");
  g.result = types::weak_int();
  k.f.slots[static_cast<size_t>(u)].owning = true;
  k.f.communicates = k.f.recursive = true;
  k.f.inlined = {{"h", "h.py", {}, 0}, {"g", "g.py", {}, 1}};
  k.f.body = {b.assign(x, b.call(k.module, 1, {})), b.assign(again, b.real(1))};
  EXPECT_EQ(print(k.module), R"(function k(own u: float64[::1]) -> none [communicates, recursive]
  slots x: int, x.2: float
  frame 1: h
  frame 2: g called in frame 1
  x = g#1()
  x.2 = 1.0

function g() -> int
)");
}

// ---- walk and effects --------------------------------------------------------------------------------------

TEST(Clone, SharesNothing) {
  Slots k;
  auto& b = k.b;
  Stmt* loop =
      b.loop(k.i, b.number(0), b.read(k.n), {b.store(k.v, {b.read(k.i)}, b.load(k.u, {b.read(k.i), b.number(1)}))});
  k.f.body = {loop, b.branch(b.read(k.flag), {b.give()}, {b.assign(k.n, b.number(2))})};
  k.f.body[0]->frame = 1;
  k.f.inlined = {{"h", "h.py", {}, 0}};
  const std::string before = Kernel::body(k.f);

  std::set<const void*> nodes;
  each_stmt(k.f.body, [&](Stmt& s) { nodes.insert(&s); });
  each_expr(k.f.body, [&](Expr*& e) { nodes.insert(e); });
  Block copy = clone(k.f, k.f.body);
  each_stmt(copy, [&](Stmt& s) { EXPECT_FALSE(nodes.count(&s)); });
  each_expr(copy, [&](Expr*& e) {
    EXPECT_FALSE(nodes.count(e));
    if (auto* read = std::get_if<Read>(&e->node))
      read->slot = k.n; // of any type: only printed
  });
  EXPECT_EQ(copy[0]->frame, 1);
  EXPECT_EQ(Kernel::body(k.f), before);
  std::swap(k.f.body, copy);
  EXPECT_NE(Kernel::body(k.f), before);
}

TEST(Walk, ChildrenComeInTheOrderOfEvaluation) {
  Slots k;
  auto& b = k.b;
  Stmt* store = b.store(k.v, {b.number(2)}, b.cast(CastKind::Convert, b.number(1), "float64"));
  std::vector<int64_t> numbers;
  each_expr(*store, [&](const Expr& e) {
    if (const auto* n = std::get_if<Const>(&e.node))
      numbers.push_back(n->i);
  });
  EXPECT_EQ(numbers, (std::vector<int64_t>{1, 2})); // the value of a store first
}

TEST(Effects, OfExpressions) {
  Slots k;
  auto& b = k.b;
  auto n = [&] { return b.read(k.n); };
  Expr* unchecked = b.load(k.v, {n()});
  std::get<Load>(unchecked->node).index[0].check = false;
  EXPECT_TRUE(is_pure(*unchecked));
  EXPECT_TRUE(effects(*unchecked).reads);
  EXPECT_TRUE(effects(*b.load(k.v, {n()})).raises);
  EXPECT_TRUE(is_pure(*b.binary(BinaryOp::Mod, n(), b.number(2))));
  EXPECT_FALSE(is_pure(*b.binary(BinaryOp::Mod, n(), n())));
  EXPECT_TRUE(is_pure(*b.binary(BinaryOp::FloorDiv, b.read(k.i8), b.read(k.i8)))); // strong: 0, no error
  EXPECT_FALSE(is_pure(*b.binary(BinaryOp::LShift, n(), n())));
  EXPECT_FALSE(is_pure(*b.cast(CastKind::Truncate, b.read(k.x), "int")));
  EXPECT_FALSE(is_pure(*k.of("int", Math{find_math("floor", 1), {b.read(k.x)}})));
  EXPECT_TRUE(is_pure(*k.of("float", Math{find_math("sqrt", 1), {b.read(k.x)}})));
  EXPECT_TRUE(effects(*b.alloc("float64[::1]", {n()})).acts);
  EXPECT_TRUE(effects(*b.bind(k.i, n())).acts);
  EXPECT_EQ(assigned_slots(*b.evaluate(b.bind(k.i, n()))), std::set<int>{k.i});
}

} // namespace
} // namespace mpijit::jit::ir
