// The compiler's one door: program text and argument types in, machine code out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpijit::jit {

struct Options {
  bool boundscheck = true;
  int opt = 2;            // 0 none, 2 our pass list, 3 LLVM's O3
  std::string fastmath;   // LLVM's flag names separated by blanks ("fast" for all); empty: none
  std::string dump;       // stages to print on stderr: syntax,ir,llvm,asm
  int verify = 0;         // 1: check the typed IR after every pass and LLVM's after the last; 2: after each of LLVM's
  bool keep_text = false; // fill ir, llvm, assembly of the result
};

struct Compiled {
  void* entry = nullptr;          // int32_t entry(const int64_t* arguments, int64_t* result)
  std::string result_type;        // text of the result's type
  bool communicates = false;      // enters MPI: run it under the process-wide lock without the GIL
  bool uses_mpi = false;          // needs the session begun
  std::vector<std::string> notes; // said once to the user at compile time
  int instructions = 0;           // LLVM instructions after optimisation
  std::string ir, llvm, assembly;
};

struct CompileFailure {
  std::string text;    // what the user reads, at most eight lines
  std::string message; // its sentence alone
  std::string file;
  int line = 0, column = 0;
};

/// Compiles functions[0] of the program for these argument types (in type.h's text form). Returns true and
/// fills `out`, or false and fills `failure`. Thread safe. Throws std::logic_error for a bug of ours (a
/// broken IR rule), never for bad input.
bool compile(const std::string& program, const std::vector<std::string>& argument_types, const Options& options,
             Compiled& out, CompileFailure& failure);

} // namespace mpijit::jit
