#include "dispatcher.h"

#include "program.h"
#include "sites.h"
#include "specialisation.h"

#include "types/wire.h"

#include <algorithm>
#include <memory>
#include <structmember.h>

namespace mpijit::bind {
namespace {

// The specialisations compiled for one state of the captured names. Never freed before the dispatcher: a call
// may be running in another thread.
struct Version {
  BoundProgram program; // what _source.py made for this state
  std::vector<std::unique_ptr<Specialisation>> specialisations;
};

struct Dispatcher {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* py_func;
  PyObject* binder;                                // made at the first call that is not plainly positional
  Py_ssize_t count;                                // parameters, or -1 when every call needs the binder
  int most_words;                                  // of any specialisation's arguments
  std::vector<std::unique_ptr<Version>>* versions; // versions[0] is the one last used
};

// Versions beyond this many are kept for running calls but no longer searched.
constexpr size_t searched_versions = 8;
constexpr int most_attempts = 16;

PyObject* specialise;  // _jit._specialise(kernel, arguments): compiles and adds, or raises
PyObject* make_binder; // _jit._make_binder(kernel): a function with the kernel's signature, returning its arguments

Dispatcher* as_dispatcher(PyObject* object) { return reinterpret_cast<Dispatcher*>(object); }

PyObject* globals_of(const Dispatcher* self) { return PyFunction_GET_GLOBALS(self->py_func); }

// The version whose guards hold now, moved to the front; null when there is none.
Version* current_version(const Dispatcher* self) {
  auto& versions = *self->versions;
  const size_t searched = std::min(versions.size(), searched_versions);
  for (size_t i = 0; i < searched; ++i) {
    if (versions[i]->program.holds()) [[likely]] {
      if (i != 0)
        std::swap(versions[i], versions[0]);
      return versions[0].get();
    }
  }
  return nullptr;
}

bool compile_for(Dispatcher* self, const Lenders& arguments) {
  Ref tuple(PyTuple_New(arguments.count));
  if (!tuple)
    return false;
  for (Py_ssize_t i = 0; i < arguments.count; ++i)
    PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(arguments.values[i]));
  Ref done(PyObject_CallFunctionObjArgs(specialise, reinterpret_cast<PyObject*>(self), tuple.get(), nullptr));
  return static_cast<bool>(done);
}

PyObject* run(const Dispatcher* self, const Specialisation& found, const BoundProgram& program, int64_t* words,
              Lenders arguments) {
  if (program.words() == 0) [[likely]]
    return found.run(words, arguments, globals_of(self));
  program.write(words + found.argument_words);
  const std::vector<Ref> held = program.hold_arrays();
  arguments.captured = &held;
  return found.run(words, arguments, globals_of(self));
}

// Runs the kernel on exactly one value per parameter.
PyObject* dispatch(Dispatcher* self, const Lenders& arguments) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (Version* version = current_version(self)) [[likely]] {
      WordBuffer words(self->most_words);
      auto& candidates = version->specialisations;
      for (size_t i = 0; i < candidates.size(); ++i) {
        const Match match = candidates[i]->write(arguments.values, words.get());
        if (match == Match::No)
          continue;
        if (match == Match::Raised)
          return nullptr;
        const Specialisation* found = candidates[i].get();
        if (i != 0)
          std::swap(candidates[i], candidates[0]);
        return run(self, *found, found->own ? *found->own : version->program, words.get(), arguments);
      }
    }
    if (!compile_for(self, arguments))
      return nullptr;
  }
  PyErr_SetString(PyExc_RuntimeError, "mpijit: the kernel's captured names changed while it was being compiled, "
                                      "again and again");
  return nullptr;
}

// Keywords, defaults, star-arguments and wrong calls: a Python function of the same signature sorts them out.
PyObject* bind_and_dispatch(Dispatcher* self, PyObject* const* args, size_t flags, PyObject* keywords) {
  if (!self->binder) {
    self->binder = PyObject_CallOneArg(make_binder, reinterpret_cast<PyObject*>(self));
    if (!self->binder)
      return nullptr;
  }
  Ref bound(PyObject_Vectorcall(self->binder, args, flags, keywords));
  if (!bound)
    return nullptr;
  return dispatch(self, {reinterpret_cast<PyTupleObject*>(bound.get())->ob_item, PyTuple_GET_SIZE(bound.get())});
}

PyObject* call_compiled(PyObject* callable, PyObject* const* args, size_t flags, PyObject* keywords) {
  auto* self = as_dispatcher(callable);
  const Py_ssize_t given = PyVectorcall_NARGS(flags);
  if (given != self->count || keywords) [[unlikely]]
    return bind_and_dispatch(self, args, flags, keywords);
  return dispatch(self, {args, given});
}

PyObject* call_interpreted(PyObject* callable, PyObject* const* args, size_t flags, PyObject* keywords) {
  return PyObject_Vectorcall(as_dispatcher(callable)->py_func, args, flags, keywords);
}

// ---- what _jit.py sees ---------------------------------------------------------------------------------

// Dispatcher(py_func, interpreted)
PyObject* make(PyTypeObject* type, PyObject* args, PyObject*) {
  PyObject* function;
  int interpreted;
  if (!PyArg_ParseTuple(args, "O!p:Dispatcher", &PyFunction_Type, &function, &interpreted))
    return nullptr;
  auto* self = reinterpret_cast<Dispatcher*>(type->tp_alloc(type, 0));
  if (!self)
    return nullptr;
  const auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
  const bool plain = code->co_kwonlyargcount == 0 && !(code->co_flags & (CO_VARARGS | CO_VARKEYWORDS));
  self->vectorcall = interpreted ? call_interpreted : call_compiled;
  self->py_func = Py_NewRef(function);
  self->count = plain ? code->co_argcount : -1;
  self->versions = new std::vector<std::unique_ptr<Version>>;
  return reinterpret_cast<PyObject*>(self);
}

// Lets go of what a version holds; its code stays, for a call may be running it.
void forget(Version& version) {
  version.program.clear();
  for (const auto& made : version.specialisations)
    if (made->own) {
      made->fixed.clear();
      made->own->clear();
    }
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  const auto* self = as_dispatcher(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->py_func);
  Py_VISIT(self->binder);
  if (self->versions)
    for (const auto& version : *self->versions) {
      if (const int stop = version->program.traverse(visit, arg))
        return stop;
      for (const auto& made : version->specialisations)
        if (made->own) {
          const int stop = made->fixed.traverse(visit, arg);
          if (const int other = stop ? stop : made->own->traverse(visit, arg))
            return other;
        }
    }
  return 0;
}

int clear(PyObject* object) {
  auto* self = as_dispatcher(object);
  for (const auto& version : *self->versions)
    forget(*version);
  Py_CLEAR(self->binder);
  return 0;
}

void deallocate(PyObject* object) {
  auto* self = as_dispatcher(object);
  PyObject_GC_UnTrack(object);
  delete self->versions;
  Py_CLEAR(self->binder);
  Py_CLEAR(self->py_func);
  free_instance(object);
}

PyObject* bind_method(PyObject* self, PyObject* instance, PyObject*) {
  return instance && instance != Py_None ? PyMethod_New(self, instance) : Py_NewRef(self);
}

// _program(): the program text for the captured names' present state, or None when it has to be made.
PyObject* program(PyObject* object, PyObject*) {
  const Version* version = current_version(as_dispatcher(object));
  return version ? Py_NewRef(version->program.text()) : Py_NewRef(Py_None);
}

// _add_version(program, guards, missing, arrays)
PyObject* add_version(PyObject* object, PyObject* args) {
  PyObject *text, *guards, *missing, *arrays;
  if (!PyArg_ParseTuple(args, "UOOO:_add_version", &text, &guards, &missing, &arrays))
    return nullptr;
  auto version = std::make_unique<Version>();
  if (!version->program.assign(text, guards, missing, arrays))
    return nullptr;
  auto& versions = *as_dispatcher(object)->versions;
  versions.insert(versions.begin(), std::move(version));
  if (versions.size() > searched_versions)
    forget(*versions[searched_versions]);
  Py_RETURN_NONE;
}

jit::Type parse(PyObject* text) {
  const char* utf8 = PyUnicode_AsUTF8(text);
  if (!utf8)
    return nullptr;
  const auto type = jit::parse_type(utf8);
  if (!type)
    PyErr_Format(PyExc_ValueError, "%R is not the text of a type", text);
  return type.value_or(nullptr);
}

bool parse_all(PyObject* texts, std::vector<jit::Type>& types) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(texts); ++i) {
    const jit::Type type = parse(PyTuple_GET_ITEM(texts, i));
    if (!type)
      return false;
    types.push_back(type);
  }
  return true;
}

// The version that add and has speak of: the one made for this program text.
Version* version_of(Dispatcher* self, PyObject* text) {
  for (const auto& version : *self->versions)
    if (version->program.text() == text)
      return version.get();
  PyErr_SetString(PyExc_ValueError, "no version of the kernel has this program text");
  return nullptr;
}

// _has(program, types): is there a specialisation for these types?
PyObject* has(PyObject* object, PyObject* args) {
  PyObject *text, *texts;
  std::vector<jit::Type> types;
  if (!PyArg_ParseTuple(args, "UO!:_has", &text, &PyTuple_Type, &texts) || !parse_all(texts, types))
    return nullptr;
  const Version* version = version_of(as_dispatcher(object), text);
  if (!version)
    return nullptr;
  for (const auto& specialisation : version->specialisations)
    if (specialisation->parameters == types)
      Py_RETURN_TRUE;
  Py_RETURN_FALSE;
}

// The specialisation made for the same program and types with things passed that are the same in all but identity:
// it takes the new ones instead, so that functions made anew for each call do not pile up.
Specialisation* made_before(Version& version, const Specialisation& made) {
  if (made.own)
    for (const auto& before : version.specialisations)
      if (before->own && before->parameters == made.parameters &&
          PyUnicode_Compare(before->own->text(), made.own->text()) == 0)
        return before.get();
  return nullptr;
}

// _add(program, types, result_type, entry, uses_mpi, communicates, own), own being None or, when functions are
// passed, (program, guards, missing, arrays, passed)
PyObject* add(PyObject* object, PyObject* args) {
  auto* self = as_dispatcher(object);
  auto made = std::make_unique<Specialisation>();
  PyObject *text, *texts, *result, *own;
  unsigned long long entry;
  int uses_mpi, communicates;
  if (!PyArg_ParseTuple(args, "UO!UKppO:_add", &text, &PyTuple_Type, &texts, &result, &entry, &uses_mpi, &communicates,
                        &own) ||
      !parse_all(texts, made->parameters) || !(made->result = parse(result)))
    return nullptr;
  Version* version = version_of(self, text);
  if (!version)
    return nullptr;
  made->entry = reinterpret_cast<int32_t (*)(const int64_t*, int64_t*)>(entry);
  made->uses_mpi = uses_mpi;
  made->communicates = communicates;
  for (const jit::Type type : made->parameters)
    made->argument_words += jit::wire_words(type);
  made->result_words = jit::wire_words(made->result);
  made->site = definition_site(reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(self->py_func)));
  if (own != Py_None) {
    PyObject *program, *guards, *missing, *arrays, *passed;
    made->own = std::make_unique<BoundProgram>();
    if (!PyArg_ParseTuple(own, "UOOOO:own", &program, &guards, &missing, &arrays, &passed) ||
        !made->own->assign(program, guards, missing, arrays) || !made->fixed.assign(passed))
      return nullptr;
  }
  const int arrays = made->own ? made->own->words() : version->program.words();
  self->most_words = std::max(self->most_words, made->argument_words + arrays);
  if (Specialisation* before = made_before(*version, *made)) {
    std::swap(before->own, made->own);
    std::swap(before->fixed, made->fixed);
    Py_RETURN_NONE;
  }
  version->specialisations.push_back(std::move(made));
  Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"_program", program, METH_NOARGS, nullptr},
    {"_add_version", add_version, METH_VARARGS, nullptr},
    {"_has", has, METH_VARARGS, nullptr},
    {"_add", add, METH_VARARGS, nullptr},
    {},
};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Dispatcher, vectorcall), READONLY, nullptr},
    {"py_func", T_OBJECT_EX, offsetof(Dispatcher, py_func), READONLY, "The Python function itself."},
    {},
};
PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(make)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_descr_get, reinterpret_cast<void*>(bind_method)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_tp_dealloc, reinterpret_cast<void*>(deallocate)},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {},
};
PyType_Spec spec{"mpijit._core.Dispatcher", sizeof(Dispatcher), 0,
                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, slots};

PyTypeObject* dispatcher_type;

// Before Python 3.12 a class made in Python does not inherit vectorcall.
PyObject* enable_vectorcall(PyObject*, PyObject* subclass) {
  if (!PyType_Check(subclass) || !PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(subclass), dispatcher_type)) {
    PyErr_SetString(PyExc_TypeError, "enable_vectorcall takes a subclass of Dispatcher");
    return nullptr;
  }
  auto* type = reinterpret_cast<PyTypeObject*>(subclass);
  type->tp_vectorcall_offset = offsetof(Dispatcher, vectorcall);
  type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  PyType_Modified(type);
  Py_RETURN_NONE;
}

PyObject* set_slow_path(PyObject*, PyObject* args) {
  PyObject *first, *second;
  if (!PyArg_ParseTuple(args, "OO:set_slow_path", &first, &second))
    return nullptr;
  Py_XSETREF(specialise, Py_NewRef(first));
  Py_XSETREF(make_binder, Py_NewRef(second));
  Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"enable_vectorcall", enable_vectorcall, METH_O, "Let calls of a subclass of Dispatcher use vectorcall."},
    {"set_slow_path", set_slow_path, METH_VARARGS, "Name the functions that compile and that bind arguments."},
    {},
};

} // namespace

PyObject* function_of(PyObject* value) {
  if (PyFunction_Check(value))
    return value;
  return PyObject_TypeCheck(value, dispatcher_type) ? as_dispatcher(value)->py_func : nullptr;
}

bool add_dispatcher(PyObject* module) {
  Ref type(PyType_FromSpec(&spec));
  if (!type || PyModule_AddFunctions(module, functions) < 0 ||
      PyModule_AddObjectRef(module, "Dispatcher", type.get()) < 0)
    return false;
  dispatcher_type = reinterpret_cast<PyTypeObject*>(type.release());
  return true;
}

} // namespace mpijit::bind
