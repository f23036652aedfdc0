// The extension module _compiler: the compiler's one door for Python. Loaded at the first compile, and LLVM with
// it.
#include "compile.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "target/target.h"

#include <cstdint>
#include <stdexcept>

namespace py = pybind11;

namespace mpijit::bind {
namespace {

// Those that _jit.py passes on; others have been dealt with there.
jit::Options options_from(const py::dict& given) {
  jit::Options options;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    if (name == "boundscheck")
      options.boundscheck = value.cast<bool>();
    else if (name == "opt")
      options.opt = value.cast<int>();
    else if (name == "fastmath")
      options.fastmath = value.cast<std::string>();
    else if (name == "verify")
      options.verify = value.cast<int>();
    else if (name == "dump")
      options.dump = value.cast<std::string>();
    else if (name == "keep_text")
      options.keep_text = value.cast<bool>();
    else
      throw py::type_error("unknown compiler option " + name);
  }
  return options;
}

[[noreturn]] void raise(const jit::CompileFailure& failure) {
  const py::object type = py::module_::import("mpijit._errors").attr("CompileError");
  const py::object error = type(failure.text, py::arg("message") = failure.message, py::arg("filename") = failure.file,
                                py::arg("lineno") = failure.line, py::arg("offset") = failure.column);
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

py::dict compile(const std::string& program, const std::vector<std::string>& types, const py::dict& given) {
  const jit::Options options = options_from(given);
  jit::Compiled compiled;
  jit::CompileFailure failure;
  bool good = false;
  {
    py::gil_scoped_release release;
    good = jit::compile(program, types, options, compiled, failure);
  }
  if (!good)
    raise(failure);
  py::dict result;
  result["entry"] = reinterpret_cast<uintptr_t>(compiled.entry);
  result["result_type"] = compiled.result_type;
  result["communicates"] = compiled.communicates;
  result["uses_mpi"] = compiled.uses_mpi;
  result["notes"] = compiled.notes;
  result["instructions"] = compiled.instructions;
  result["ir"] = compiled.ir;
  result["llvm"] = compiled.llvm;
  result["asm"] = compiled.assembly;
  return result;
}

py::dict versions() {
  const jit::Cpu& cpu = jit::Cpu::host();
  py::dict result;
  result["llvm"] = LLVM_VERSION_STRING;
  result["cpu"] = cpu.name();
  result["features"] = cpu.features();
  return result;
}

} // namespace
} // namespace mpijit::bind

PYBIND11_MODULE(_compiler, module) {
  module.doc() = "The compiler: program text and argument types in, machine code out.";
  module.def("compile", &mpijit::bind::compile, py::arg("program"), py::arg("types"), py::arg("options"),
             "Compile the program's first function for these argument types; CompileError says what is refused.");
  module.def("versions", &mpijit::bind::versions, "LLVM's version, this machine's CPU and its features.");
}
