// See identity.h. What a node holds beside its type and place is print's business.
#include "ir/identity.h"

#include "ir/print.h"
#include "ir/walk.h"

#include <bit>

namespace mpijit::jit::ir {
namespace {

void add(std::string& out, int64_t number) { (out += std::to_string(number)) += ' '; }

void add(std::string& out, const std::string& text) {
  add(out, static_cast<int64_t>(text.size()));
  out += text;
}

void add(std::string& out, const Span& s, int32_t frame) {
  for (const int32_t x : {s.line, s.column, s.end_line, s.end_column, frame})
    add(out, x);
}

} // namespace

std::string identity(const Module& module) {
  std::string out = print(module);
  for (const auto& f : module.functions) {
    add(out, f->name);
    add(out, f->file);
    add(out, f->first_line);
    for (const Inlined& i : f->inlined) {
      add(out, i.name);
      add(out, i.file);
      add(out, i.call, i.parent);
    }
    each_stmt(f->body, [&](const Stmt& s) { add(out, s.span, s.frame); });
    each_expr(f->body, [&](const Expr& e) {
      add(out, e.span, e.frame);
      add(out, std::bit_cast<int64_t>(e.type)); // interned
      if (const auto* c = std::get_if<Const>(&e.node)) {
        add(out, c->i);
        add(out, std::bit_cast<int64_t>(c->f));
      }
    });
  }
  return out;
}

} // namespace mpijit::jit::ir
