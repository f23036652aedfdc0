// Which fields of a node are its children; everything else follows from that.
#include "ir/walk.h"

namespace mpijit::jit::ir {
namespace {

using Visit = std::function<void(Expr*&)>;

void visit(Expr*& e, const Visit& f) {
  if (e)
    f(e);
}
void visit(std::vector<Expr*>& list, const Visit& f) {
  for (Expr*& e : list)
    visit(e, f);
}
void visit(std::vector<Index>& list, const Visit& f) {
  for (Index& i : list)
    visit(i.value, f);
}

void visit_axis(Index& i, const Visit& f) { visit(i.value, f); }
void visit_axis(Range& r, const Visit& f) {
  visit(r.start, f);
  visit(r.stop, f);
  visit(r.step, f);
}
void visit_axis(NewAxis&, const Visit&) {}

} // namespace

void each_child(Expr& e, const Visit& f) {
  match(
      e.node, [](Const&) {}, [](Text&) {}, [](Read&) {}, [&](Unary& n) { visit(n.x, f); },
      [&](Binary& n) {
        visit(n.a, f);
        visit(n.b, f);
      },
      [&](Compare& n) {
        visit(n.a, f);
        visit(n.b, f);
      },
      [&](Cast& n) { visit(n.x, f); },
      [&](Choose& n) {
        visit(n.cond, f);
        visit(n.yes, f);
        visit(n.no, f);
      },
      [&](Math& n) { visit(n.args, f); }, [&](Dim& n) { visit(n.array, f); }, [&](Stride& n) { visit(n.array, f); },
      [&](Load& n) {
        visit(n.array, f);
        visit(n.index, f);
      },
      [&](View& n) {
        visit(n.array, f);
        for (auto& axis : n.axes)
          std::visit([&](auto& a) { visit_axis(a, f); }, axis);
      },
      [&](Permute& n) { visit(n.array, f); },
      [&](Broadcast& n) {
        visit(n.array, f);
        visit(n.shape, f);
      },
      [&](Part& n) { visit(n.array, f); }, [&](Alloc& n) { visit(n.shape, f); },
      [&](MakeTuple& n) { visit(n.items, f); }, [&](Item& n) { visit(n.tuple, f); },
      [&](StatusField& n) { visit(n.status, f); }, [&](Call& n) { visit(n.args, f); },
      [&](MpiCall& n) { visit(n.args, f); }, [&](Bind& n) { visit(n.value, f); },
      [&](Check& n) {
        visit(n.cond, f);
        visit(n.x, f);
      },
      [&](Elementwise& n) {
        for (Input& input : n.inputs)
          visit(input.value, f);
        visit(n.shape, f);
        for (Let& let : n.lets)
          visit(let.value, f);
        visit(n.body, f);
      },
      [&](Reduce& n) { visit(n.x, f); },
      [&](Product& n) {
        visit(n.a, f);
        visit(n.b, f);
      },
      [&](Reshape& n) {
        visit(n.array, f);
        visit(n.shape, f);
      });
}

void each_child(Stmt& s, const Visit& f) {
  match(
      s.node, [&](Assign& n) { visit(n.value, f); },
      [&](Store& n) {
        visit(n.value, f);
        visit(n.array, f);
        visit(n.index, f);
      },
      [&](StoreArray& n) {
        visit(n.value, f);
        visit(n.target, f);
      },
      [&](Evaluate& n) { visit(n.value, f); }, [&](If& n) { visit(n.cond, f); },
      [&](For& n) {
        visit(n.start, f);
        visit(n.stop, f);
        visit(n.step, f);
      },
      [&](While& n) { visit(n.cond, f); }, [](Once&) {}, [](Break&) {}, [](Continue&) {},
      [&](Return& n) { visit(n.value, f); }, [](Raise&) {}, [&](Print& n) { visit(n.args, f); }, [](Release&) {},
      [](Group&) {},
      [&](Nest& n) {
        for (RangeTest& t : n.ranges) {
          if (t.array)
            visit(t.array, f);
          visit(t.low, f);
          visit(t.high, f);
        }
      });
}

void each_block(Stmt& s, const std::function<void(Block&)>& f) {
  match(
      s.node, [](Assign&) {}, [](Store&) {}, [](StoreArray&) {}, [](Evaluate&) {},
      [&](If& n) {
        f(n.yes);
        f(n.no);
      },
      [&](For& n) {
        f(n.body);
        f(n.orelse);
      },
      [&](While& n) {
        f(n.body);
        f(n.orelse);
      },
      [&](Once& n) { f(n.body); }, [](Break&) {}, [](Continue&) {}, [](Return&) {}, [](Raise&) {}, [](Print&) {},
      [](Release&) {}, [&](Group& n) { f(n.body); },
      [&](Nest& n) {
        f(n.fast);
        f(n.cold);
      });
}

void each_expr(Expr*& e, const Visit& f) {
  each_child(*e, [&](Expr*& child) { each_expr(child, f); });
  f(e);
}

void each_expr(Block& b, const Visit& f) {
  for (Stmt* s : b) {
    each_child(*s, [&](Expr*& e) { each_expr(e, f); });
    each_block(*s, [&](Block& inner) { each_expr(inner, f); });
  }
}

void each_stmt(Block& b, const std::function<void(Stmt&)>& f) {
  for (Stmt* s : b) {
    f(*s);
    each_block(*s, [&](Block& inner) { each_stmt(inner, f); });
  }
}

// Looking is visiting without writing, so the const forms borrow the others.

void each_child(const Expr& e, const std::function<void(const Expr&)>& f) {
  each_child(const_cast<Expr&>(e), [&](Expr*& child) { f(*child); });
}
void each_child(const Stmt& s, const std::function<void(const Expr&)>& f) {
  each_child(const_cast<Stmt&>(s), [&](Expr*& child) { f(*child); });
}
void each_block(const Stmt& s, const std::function<void(const Block&)>& f) {
  each_block(const_cast<Stmt&>(s), [&](Block& inner) { f(inner); });
}
void each_expr(const Expr& e, const std::function<void(const Expr&)>& f) {
  each_child(e, [&](const Expr& child) { each_expr(child, f); });
  f(e);
}
void each_expr(const Stmt& s, const std::function<void(const Expr&)>& f) {
  each_child(s, [&](const Expr& child) { each_expr(child, f); });
  each_block(s, [&](const Block& inner) { each_expr(inner, f); });
}
void each_expr(const Block& b, const std::function<void(const Expr&)>& f) {
  for (const Stmt* s : b)
    each_expr(*s, f);
}
void each_stmt(const Block& b, const std::function<void(const Stmt&)>& f) {
  each_stmt(const_cast<Block&>(b), [&](Stmt& s) { f(s); });
}

Expr* clone(Function& f, const Expr* e) {
  Expr* copy = f.make(e->type, e->span, e->node);
  copy->frame = e->frame;
  each_child(*copy, [&](Expr*& child) { child = clone(f, child); });
  return copy;
}

Block clone(Function& f, const Block& b) {
  Block copies;
  for (const Stmt* s : b) {
    Stmt* copy = f.make(s->span, s->node);
    copy->frame = s->frame;
    each_child(*copy, [&](Expr*& child) { child = clone(f, child); });
    each_block(*copy, [&](Block& inner) { inner = clone(f, inner); });
    copies.push_back(copy);
  }
  return copies;
}

} // namespace mpijit::jit::ir
