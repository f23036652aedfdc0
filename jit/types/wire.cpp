// Sizes of the wire form; see wire.h.
#include "types/wire.h"

namespace mpijit::jit {

int wire_words(Type t) {
  switch (t->kind) {
  case TypeKind::None:
  case TypeKind::Literal:
  case TypeKind::Static: return 0;
  case TypeKind::Scalar: return is_complex(t->dtype) ? 2 : 1;
  case TypeKind::Array: return 2 * t->ndim + 2;
  case TypeKind::Tuple: {
    int words = 0;
    for (Type item : t->items)
      words += wire_words(item);
    return words;
  }
  case TypeKind::String: return 2;
  case TypeKind::Status: return 4;
  case TypeKind::Request:
  case TypeKind::Comm:
  case TypeKind::Operator: return 1;
  }
  return 0;
}

} // namespace mpijit::jit
