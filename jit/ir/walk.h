// Visiting every expression and statement below a node, for passes that care about few kinds. The one place
// that knows which fields of a node are children.
#pragma once

#include "ir/ir.h"

#include <functional>

namespace mpijit::jit::ir {

/// Calls f with a reference to each direct child expression pointer (never null ones), in the order in which
/// they are evaluated: a Store's value comes first, then its array and indices, as in Python.
void each_child(Expr& e, const std::function<void(Expr*&)>& f);
void each_child(Stmt& s, const std::function<void(Expr*&)>& f);
/// Calls f with each statement list directly inside s.
void each_block(Stmt& s, const std::function<void(Block&)>& f);

/// Every expression at or below, children first.
void each_expr(Expr*& e, const std::function<void(Expr*&)>& f);
/// Every expression of every statement at or below.
void each_expr(Block& b, const std::function<void(Expr*&)>& f);
/// Every statement at or below, outer first.
void each_stmt(Block& b, const std::function<void(Stmt&)>& f);

/// The same for those who only look.
void each_child(const Expr& e, const std::function<void(const Expr&)>& f);
void each_child(const Stmt& s, const std::function<void(const Expr&)>& f);
void each_block(const Stmt& s, const std::function<void(const Block&)>& f);
void each_expr(const Expr& e, const std::function<void(const Expr&)>& f);
void each_expr(const Stmt& s, const std::function<void(const Expr&)>& f);
void each_expr(const Block& b, const std::function<void(const Expr&)>& f);
void each_stmt(const Block& b, const std::function<void(const Stmt&)>& f);

/// A deep copy in f, also of nodes that live in another function (slots and frames then mean that one's).
Expr* clone(Function& f, const Expr* e);
Block clone(Function& f, const Block& b);

} // namespace mpijit::jit::ir
