// A kernel written out in typed IR, for tests of what changes it.
#pragma once

#include "ir/build.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

namespace mpijit::jit::ir {

/// A module of one function `k` that returns nothing unless told otherwise.
struct Kernel {
  Module module;
  Function& f = add_function("k");
  Build b{f};

  Function& add_function(const std::string& name) {
    module.functions.push_back(std::make_unique<Function>());
    Function& made = *module.functions.back();
    made.name = name;
    made.file = name + ".py";
    made.result = types::none();
    return made;
  }

  /// The body, printed, after a pass; the module verifies before and after.
  std::string after(void (*pass)(Module&), Stage stage = Stage::Inferred) {
    EXPECT_EQ(verify(module, Stage::Inferred), std::vector<std::string>());
    pass(module);
    EXPECT_EQ(verify(module, stage), std::vector<std::string>()) << print(module);
    return body(f);
  }
  static std::string body(const Function& f) {
    std::string text = print(f), out;
    size_t at = text.find('\n') + 1;
    while (at < text.size()) {
      const size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (!line.starts_with("  slots ") && !line.starts_with("  frame "))
        out += line.substr(2) + '\n';
      at = end + 1;
    }
    return out;
  }
};

} // namespace mpijit::jit::ir
