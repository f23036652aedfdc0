#include "mpi_functions.h"

#include "buffers.h"
#include "exceptions.h"
#include "handles.h"
#include "host.h"
#include "running.h"
#include "sites.h"

#include "mpijit/runtime.h"
#include "tables/tables.h"

#include <array>
#include <bit>
#include <cstring>
#include <structmember.h>
#include <type_traits>
#include <vector>

namespace mpijit::bind {
namespace {

using jit::Default;
using jit::Effect;
using jit::ParamKind;
using jit::ResultKind;
using jit::RoutineRow;

constexpr int max_params = 8;

// ---- calling a C function by its table row ---------------------------------------------------------------

// Every parameter and the result pointer travel as one word each; Requests takes two.
using Words = std::array<int64_t, 2 * max_params>;

template <class T> T from_word(int64_t word) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(word);
  else
    return static_cast<T>(word);
}

template <auto function> struct Invoke;
template <class... P, int32_t (*function)(const mpijit_site*, P...)> struct Invoke<function> {
  static int32_t call(const mpijit_site* site, const Words& words) {
    return [&]<size_t... i>(std::index_sequence<i...>) { return function(site, from_word<P>(words[i])...); }
    (std::index_sequence_for<P...>{});
  }
};

struct Routine {
  PyObject_HEAD vectorcallfunc vectorcall;
  const RoutineRow* row;
  int32_t (*invoke)(const mpijit_site*, const Words&);
  int count;
  PyObject* names[max_params]; // interned
};

struct Entry {
  const char* name;
  int32_t (*invoke)(const mpijit_site*, const Words&);
};
constexpr Entry entries[] = {
#define ROUTINE(name, ...) {#name, Invoke<mpijit_##name>::call},
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(...)
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
};

// ---- binding arguments ---------------------------------------------------------------------------------

int find_parameter(const Routine* routine, PyObject* name) {
  for (int i = 0; i < routine->count; ++i)
    if (routine->names[i] == name)
      return i;
  for (int i = 0; i < routine->count; ++i)
    if (PyUnicode_Compare(routine->names[i], name) == 0)
      return i;
  return -1;
}

bool is_required(const Routine* routine, int i) {
  return routine->row->params[static_cast<size_t>(i)].fallback == Default::Required;
}

bool too_many(const Routine* routine, Py_ssize_t given) {
  int required = 0;
  for (int i = 0; i < routine->count; ++i)
    required += is_required(routine, i);
  const char* name = routine->row->name.data();
  if (required == routine->count)
    PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s but %zd %s given", name, required,
                 required == 1 ? "" : "s", given, given == 1 ? "was" : "were");
  else
    PyErr_Format(PyExc_TypeError, "%s() takes from %d to %d positional arguments but %zd were given", name, required,
                 routine->count, given);
  return false;
}

// Puts each argument at its parameter's place; null stands for the default.
bool bind(const Routine* routine, PyObject* const* args, Py_ssize_t positional, PyObject* keywords, PyObject** given) {
  const char* name = routine->row->name.data();
  if (positional > routine->count)
    return too_many(routine, positional);
  std::copy(args, args + positional, given);
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, k);
    const int i = find_parameter(routine, keyword);
    if (i < 0 || given[i]) {
      PyErr_Format(PyExc_TypeError,
                   i < 0 ? "%s() got an unexpected keyword argument '%U'"
                         : "%s() got multiple values for argument '%U'",
                   name, keyword);
      return false;
    }
    given[i] = args[positional + k];
  }
  for (int i = 0; i < routine->count; ++i) {
    if (!given[i] && is_required(routine, i)) {
      PyErr_Format(PyExc_TypeError, "%s() missing a required argument: '%U'", name, routine->names[i]);
      return false;
    }
  }
  return true;
}

// ---- one call --------------------------------------------------------------------------------------------

struct Call {
  const Routine* routine;
  Words words{};
  int filled = 0;
  Buffer buffers[2];
  int buffer_count = 0;
  bool made_result = false; // the caller gave no recv
  std::vector<uint64_t> requests;
  int64_t result[4]{};

  explicit Call(const Routine* r) : routine(r) {}

  const char* name() const { return routine->row->name.data(); }
  void add(int64_t word) { words[static_cast<size_t>(filled++)] = word; }
  void add(const void* pointer) { add(reinterpret_cast<int64_t>(pointer)); }

  bool add_buffer(int i, PyObject* value, ParamKind kind) {
    Buffer& buffer = buffers[buffer_count++];
    const Parameter parameter{name(), routine->row->params[static_cast<size_t>(i)].name.data()};
    const bool read = kind == ParamKind::In || kind == ParamKind::InOrSelf;
    if (!(read ? read_buffer(parameter, value, buffer) : write_buffer(parameter, value, buffer)))
      return false;
    add(&buffer.array);
    return true;
  }

  // A buffer the caller left out: like the first one.
  bool add_result_buffer() {
    if (buffer_count == 0) {
      PyErr_Format(PyExc_TypeError, "%s: with IN_PLACE, pass the array to reduce as recv", name());
      return false;
    }
    Buffer& buffer = buffers[buffer_count++];
    if (!like_buffer(buffers[0], buffer))
      return false;
    made_result = true;
    add(&buffer.array);
    return true;
  }

  bool add_handle(int i, PyObject* value, PyTypeObject* type, const char* wanted) {
    if (Py_TYPE(value) == type) {
      add(handle_value(value));
      return true;
    }
    PyErr_Format(PyExc_TypeError, "%s: %U must be %s, not %R", name(), routine->names[i], wanted, value);
    return false;
  }

  bool add_requests(int i, PyObject* value) {
    if (!PyTuple_Check(value) && !PyList_Check(value)) {
      PyErr_Format(PyExc_TypeError, "%s: %U must be a tuple or list of requests, not %R", name(), routine->names[i],
                   value);
      return false;
    }
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(value);
    for (Py_ssize_t k = 0; k < count; ++k) {
      PyObject* item = PySequence_Fast_GET_ITEM(value, k);
      if (Py_TYPE(item) != request_type) {
        PyErr_Format(PyExc_TypeError, "%s: %U[%zd] must be a request, not %R", name(), routine->names[i], k, item);
        return false;
      }
      requests.push_back(static_cast<uint64_t>(handle_value(item)));
    }
    add(requests.data());
    add(count);
    return true;
  }

  bool add_integer(int i, PyObject* value) {
    Ref index(PyFloat_Check(value) ? nullptr : PyNumber_Index(value));
    if (!index) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError, "%s: %U must be an integer, not %R", name(), routine->names[i], value);
      return false;
    }
    add(PyLong_AsLongLong(index.get()));
    return !PyErr_Occurred();
  }

  bool add_argument(int i, PyObject* value) {
    const jit::ParamRow& param = routine->row->params[static_cast<size_t>(i)];
    const bool absent = !value || (value == Py_None && param.fallback == Default::Absent);
    if (absent) {
      if (param.fallback == Default::Absent)
        return add_result_buffer();
      add(jit::default_value(param.fallback));
      return true;
    }
    switch (param.kind) {
    case ParamKind::InOrSelf:
      if (Py_TYPE(value) == in_place_type) {
        add(nullptr);
        return true;
      }
      [[fallthrough]];
    case ParamKind::In:
    case ParamKind::Out:
    case ParamKind::InOut: return add_buffer(i, value, param.kind);
    case ParamKind::Op: return add_handle(i, value, operator_type, "an operator such as SUM");
    case ParamKind::Comm: return add_handle(i, value, comm_type, "a communicator such as COMM_WORLD");
    case ParamKind::Request: return add_handle(i, value, request_type, "a request");
    case ParamKind::Requests: return add_requests(i, value);
    case ParamKind::Dest:
    case ParamKind::Source:
    case ParamKind::Root:
    case ParamKind::SendTag:
    case ParamKind::RecvTag: return add_integer(i, value);
    }
    return false;
  }

  int32_t run(const mpijit_site* site) {
    if (routine->row->result != ResultKind::None && routine->row->result != ResultKind::Reduced)
      add(result);
    if (routine->row->effect == Effect::Pure)
      return routine->invoke(site, words);
    // A started request outlives this call, and with it the object whose memory it uses.
    const bool keeps = routine->row->effect == Effect::Starts && buffer_count > 0;
    if (keeps)
      buffers[0].array.owner = hold(buffers[0].object.get());
    int32_t status = 0;
    {
      Communicating now;
      status = routine->invoke(site, words);
    }
    if (keeps)
      mpijit_release(buffers[0].array.owner);
    return status;
  }

  PyObject* boxed_result() {
    switch (routine->row->result) {
    case ResultKind::None: break;
    case ResultKind::Int: return PyLong_FromLongLong(result[0]);
    case ResultKind::Float: return PyFloat_FromDouble(std::bit_cast<double>(result[0]));
    case ResultKind::Status: return make_status(result);
    case ResultKind::Request: return make_request(result[0]);
    case ResultKind::Reduced: {
      Buffer& last = buffers[buffer_count - 1];
      if (made_result && last.scalarness != Scalarness::Array)
        return scalar_of(last);
      return last.object.release();
    }
    }
    Py_RETURN_NONE;
  }
};

PyObject* call_routine(PyObject* callable, PyObject* const* args, size_t flags, PyObject* keywords) {
  const auto* routine = reinterpret_cast<Routine*>(callable);
  PyObject* given[max_params] = {};
  if (!bind(routine, args, PyVectorcall_NARGS(flags), keywords, given))
    return nullptr;
  Call call(routine);
  for (int i = 0; i < routine->count; ++i)
    if (!call.add_argument(i, given[i]))
      return nullptr;
  const mpijit_site* site = caller_site();
  if (!begin_session(site))
    return nullptr;
  if (const int32_t status = call.run(site))
    return raise_recorded(status, nullptr);
  return call.boxed_result();
}

// ---- the Python type ---------------------------------------------------------------------------------------

const char* spelling(Default fallback) {
  switch (fallback) {
  case Default::Required:
  case Default::Absent: return "None";
  case Default::Zero: return "0";
  case Default::AnySource: return "ANY_SOURCE";
  case Default::AnyTag: return "ANY_TAG";
  case Default::Sum: return "SUM";
  case Default::World: return "COMM_WORLD";
  }
  return "";
}

constexpr const char* kind_names[] = {"In",      "InOrSelf", "Out", "InOut", "Dest",    "Source",  "Root",
                                      "SendTag", "RecvTag",  "Op",  "Comm",  "Request", "Requests"};
constexpr const char* result_names[] = {"None", "Int", "Float", "Status", "Request", "Reduced"};
constexpr const char* effect_names[] = {"Pure", "Communicates", "Starts", "Completes"};

PyObject* get_name(PyObject* self, void*) {
  return PyUnicode_FromString(reinterpret_cast<Routine*>(self)->row->name.data());
}

// (name, kind, default or None when required) of each parameter.
PyObject* get_parameters(PyObject* self, void*) {
  const auto* routine = reinterpret_cast<Routine*>(self);
  Ref list(PyTuple_New(routine->count));
  for (int i = 0; list && i < routine->count; ++i) {
    const jit::ParamRow& param = routine->row->params[static_cast<size_t>(i)];
    const char* fallback = is_required(routine, i) ? nullptr : spelling(param.fallback);
    PyObject* item = Py_BuildValue("(Osz)", routine->names[i], kind_names[static_cast<int>(param.kind)], fallback);
    if (!item)
      return nullptr;
    PyTuple_SET_ITEM(list.get(), i, item);
  }
  return list.release();
}

PyObject* get_result(PyObject* self, void*) {
  return PyUnicode_FromString(result_names[static_cast<int>(reinterpret_cast<Routine*>(self)->row->result)]);
}

PyObject* get_effect(PyObject* self, void*) {
  return PyUnicode_FromString(effect_names[static_cast<int>(reinterpret_cast<Routine*>(self)->row->effect)]);
}

// What _routines.py makes of the row: documentation and signature are wanted rarely, so not at import.
template <int which> PyObject* described(PyObject* self, void*) {
  static constexpr const char* functions[] = {"docstring", "signature"};
  Ref module(PyImport_ImportModule("mpijit._routines"));
  return module ? PyObject_CallMethod(module.get(), functions[which], "O", self) : nullptr;
}

PyObject* get_summary(PyObject* self, void*) {
  return PyUnicode_FromString(reinterpret_cast<Routine*>(self)->row->doc.data());
}

PyObject* repr(PyObject* self) {
  return PyUnicode_FromFormat("<MPI routine mpijit.mpi.%s>", reinterpret_cast<Routine*>(self)->row->name.data());
}

PyObject* reduce(PyObject* self, PyObject*) { return get_name(self, nullptr); }

// Like a built-in function, a routine stored in a class does not become a method.
PyObject* unbound(PyObject* self, PyObject*, PyObject*) { return Py_NewRef(self); }

PyGetSetDef properties[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},
    {"__qualname__", get_name, nullptr, nullptr, nullptr},
    {"__doc__", described<0>, nullptr, nullptr, nullptr},
    {"__signature__", described<1>, nullptr, nullptr, nullptr},
    {"summary", get_summary, nullptr, "The table's own text.", nullptr},
    {"parameters", get_parameters, nullptr, "(name, kind, default) of each parameter.", nullptr},
    {"result", get_result, nullptr, "The kind of result.", nullptr},
    {"effect", get_effect, nullptr, "Pure, Communicates, Starts or Completes.", nullptr},
    {},
};
PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, nullptr}, {}};
PyMemberDef members[] = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Routine, vectorcall), READONLY, nullptr}, {}};
PyType_Slot slots[] = {
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_repr, reinterpret_cast<void*>(repr)},
    {Py_tp_descr_get, reinterpret_cast<void*>(unbound)},
    {Py_tp_dealloc, reinterpret_cast<void*>(free_instance)},
    {Py_tp_getset, properties},
    {Py_tp_methods, methods},
    {Py_tp_members, members},
    {},
};
PyType_Spec spec{"mpijit.mpi.Routine", sizeof(Routine), 0,
                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

PyObject* make_routine(PyTypeObject* type, const Entry& entry) {
  auto* routine = reinterpret_cast<Routine*>(type->tp_alloc(type, 0));
  if (!routine)
    return nullptr;
  routine->vectorcall = call_routine;
  routine->row = jit::find_routine(entry.name);
  routine->invoke = entry.invoke;
  routine->count = routine->row->param_count();
  for (int i = 0; i < routine->count; ++i)
    routine->names[i] = PyUnicode_InternFromString(routine->row->params[static_cast<size_t>(i)].name.data());
  return reinterpret_cast<PyObject*>(routine);
}

} // namespace

bool add_routines(PyObject* module) {
  Ref type(PyType_FromSpec(&spec));
  Ref routines(PyTuple_New(std::ssize(entries)));
  if (!type || !routines)
    return false;
  Py_ssize_t i = 0;
  for (const Entry& entry : entries) {
    PyObject* routine = make_routine(reinterpret_cast<PyTypeObject*>(type.get()), entry);
    if (!routine)
      return false;
    PyTuple_SET_ITEM(routines.get(), i++, routine);
  }
  return PyModule_AddObjectRef(module, "Routine", type.get()) == 0 &&
         PyModule_AddObjectRef(module, "routines", routines.get()) == 0;
}

} // namespace mpijit::bind
