#include "handles.h"

#include "exceptions.h"
#include "running.h"
#include "sites.h"

#include "mpijit/runtime.h"

#include <cstring>
#include <structmember.h>
#include <structseq.h>

namespace mpijit::bind {

PyTypeObject* request_type;
PyTypeObject* comm_type;
PyTypeObject* operator_type;
PyTypeObject* in_place_type;
PyTypeObject* status_type;

namespace {

PyObject* make_handle(PyTypeObject* type, int64_t value, const char* name) {
  PyObject* handle = type->tp_alloc(type, 0);
  if (handle) {
    reinterpret_cast<Handle*>(handle)->value = value;
    reinterpret_cast<Handle*>(handle)->name = name;
  }
  return handle;
}

// "mpijit.mpi.Request" -> "Request"
const char* short_name(PyTypeObject* type) {
  const char* dot = std::strrchr(type->tp_name, '.');
  return dot ? dot + 1 : type->tp_name;
}

PyObject* repr(PyObject* self) {
  const auto* handle = reinterpret_cast<Handle*>(self);
  if (handle->name)
    return PyUnicode_FromFormat("mpijit.mpi.%s", handle->name);
  if (handle->value == 0)
    return PyUnicode_FromFormat("<mpijit.mpi.%s: null>", short_name(Py_TYPE(self)));
  return PyUnicode_FromFormat("<mpijit.mpi.%s %u.%u>", short_name(Py_TYPE(self)), static_cast<unsigned>(handle->value),
                              static_cast<unsigned>(static_cast<uint64_t>(handle->value) >> 32));
}

PyObject* compare(PyObject* a, PyObject* b, int op) {
  if (Py_TYPE(a) != Py_TYPE(b) || (op != Py_EQ && op != Py_NE))
    Py_RETURN_NOTIMPLEMENTED;
  return PyBool_FromLong((handle_value(a) == handle_value(b)) == (op == Py_EQ));
}

Py_hash_t hash(PyObject* self) {
  const Py_hash_t value = static_cast<Py_hash_t>(handle_value(self));
  return value == -1 ? -2 : value;
}

PyObject* reduce(PyObject* self, PyObject*) {
  const auto* handle = reinterpret_cast<Handle*>(self);
  if (handle->name)
    return PyUnicode_FromString(handle->name);
  PyErr_Format(PyExc_TypeError, "cannot pickle a %s: it has a meaning in its own process only",
               short_name(Py_TYPE(self)));
  return nullptr;
}

PyObject* itself(PyObject* self, PyObject*) { return Py_NewRef(self); }

PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__copy__", itself, METH_NOARGS, nullptr},
    {"__deepcopy__", itself, METH_O, nullptr},
    {},
};

PyMemberDef members[] = {
    {"handle", T_LONGLONG, offsetof(Handle, value), READONLY, "The runtime's 64-bit value."},
    {},
};

using Query = int32_t (*)(const mpijit_site*, int64_t, int64_t*);

template <Query query> PyObject* comm_property(PyObject* self, void*) {
  int64_t result = 0;
  if (!begin_session(caller_site()))
    return nullptr;
  const int32_t status = query(caller_site(), handle_value(self), &result);
  return status ? raise_recorded(status, nullptr) : PyLong_FromLongLong(result);
}

PyGetSetDef no_properties[] = {{}};
PyGetSetDef comm_properties[] = {
    {"rank", comm_property<mpijit_rank>, nullptr, "The rank of this process, 0 <= rank < size.", nullptr},
    {"size", comm_property<mpijit_size>, nullptr, "The number of processes.", nullptr},
    {},
};

PyTypeObject* make_type(const char* name, const char* doc, const char* kind, PyGetSetDef* properties) {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char*>(doc)},
      {Py_tp_repr, reinterpret_cast<void*>(repr)},
      {Py_tp_richcompare, reinterpret_cast<void*>(compare)},
      {Py_tp_hash, reinterpret_cast<void*>(hash)},
      {Py_tp_methods, methods},
      {Py_tp_members, members},
      {Py_tp_getset, properties},
      {Py_tp_dealloc, reinterpret_cast<void*>(free_instance)},
      {},
  };
  PyType_Spec spec{name, sizeof(Handle), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  Ref type(PyType_FromSpec(&spec));
  Ref text(PyUnicode_InternFromString(kind));
  // _source.py tells a captured handle by this attribute.
  if (!type || !text || PyObject_SetAttrString(type.get(), "_mpijit_kind", text.get()) < 0)
    return nullptr;
  return reinterpret_cast<PyTypeObject*>(type.release());
}

PyStructSequence_Field status_fields[] = {
    {"source", "the rank the message came from"},
    {"tag", "the message's tag"},
    {"count", "elements of the buffer's dtype"},
    {"nbytes", "bytes"},
    {},
};
PyStructSequence_Desc status_description = {
    "mpijit.mpi.Status", "What a receive or a wait says of its message: source, tag, count, nbytes.", status_fields, 4};

bool add(PyObject* module, const char* name, PyObject* owned) {
  Ref object(owned);
  return object && PyModule_AddObjectRef(module, name, object.get()) == 0;
}

struct Named {
  const char* name;
  int64_t value;
};
constexpr Named operators[] = {
#define ROUTINE(...)
#define C_ROUTINE(...)
#define C_METHOD(...)
#define OPERATOR(name, mpi, kinds) {#name, MPIJIT_##name},
#include "mpijit/routines.inc"
#undef OPERATOR
#undef C_METHOD
#undef C_ROUTINE
#undef ROUTINE
};

} // namespace

PyObject* make_request(int64_t handle) { return make_handle(request_type, handle, nullptr); }

PyObject* make_status(const int64_t* words) {
  Ref status(PyStructSequence_New(status_type));
  if (!status)
    return nullptr;
  for (int i = 0; i < 4; ++i) {
    PyObject* item = PyLong_FromLongLong(words[i]);
    if (!item)
      return nullptr;
    PyStructSequence_SetItem(status.get(), i, item);
  }
  return status.release();
}

bool add_handles(PyObject* module) {
  request_type = make_type("mpijit.mpi.Request", "A started communication; wait for it with wait or waitall.",
                           "request", no_properties);
  comm_type = make_type("mpijit.mpi.Comm", "A communicator.", "comm", comm_properties);
  operator_type = make_type("mpijit.mpi.Operator", "A reduction operator of MPI.", "operator", no_properties);
  in_place_type = make_type("mpijit.mpi.InPlace", "The class of IN_PLACE.", "in_place", no_properties);
  status_type = PyStructSequence_NewType(&status_description);
  if (!request_type || !comm_type || !operator_type || !in_place_type || !status_type)
    return false;
  PyTypeObject* types[] = {request_type, comm_type, operator_type, in_place_type, status_type};
  for (PyTypeObject* type : types)
    if (PyModule_AddObjectRef(module, short_name(type), reinterpret_cast<PyObject*>(type)) < 0)
      return false;
  for (const Named& row : operators)
    if (!add(module, row.name, make_handle(operator_type, row.value, row.name)))
      return false;
  return add(module, "COMM_WORLD", make_handle(comm_type, MPIJIT_COMM_WORLD, "COMM_WORLD")) &&
         add(module, "IN_PLACE", make_handle(in_place_type, 0, "IN_PLACE")) &&
         add(module, "REQUEST_NULL", make_handle(request_type, 0, "REQUEST_NULL"));
}

} // namespace mpijit::bind
