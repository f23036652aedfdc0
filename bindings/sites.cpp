#include "sites.h"

#include <functional>
#include <string>
#include <unordered_map>

namespace mpijit::bind {
namespace {

// One call place of one code object. The table keeps the code alive, so that its address stays its own.
struct Place {
  PyCodeObject* code;
  int instruction; // -1: the definition
  bool operator==(const Place&) const = default;
};

struct PlaceHash {
  size_t operator()(const Place& place) const {
    return std::hash<const void*>()(place.code) * 31 + static_cast<size_t>(place.instruction);
  }
};

struct Site {
  std::string file, kernel;
  mpijit_site site;
};

// Both are reached with the GIL held only, and never destroyed: finalise comes after static destructors.
std::unordered_map<Place, const mpijit_site*, PlaceHash>& table() {
  static auto* places = new std::unordered_map<Place, const mpijit_site*, PlaceHash>;
  return *places;
}

std::string text_of(PyObject* text) {
  const char* utf8 = PyUnicode_AsUTF8(text);
  if (!utf8)
    PyErr_Clear();
  return utf8 ? utf8 : "?";
}

const mpijit_site* intern(const Place& place, int line) {
  auto* site = new Site{text_of(place.code->co_filename), text_of(place.code->co_name), {}};
  site->site = {site->file.c_str(), site->kernel.c_str(), line, 1};
  Py_INCREF(place.code);
  table().emplace(place, &site->site);
  return &site->site;
}

} // namespace

const mpijit_site* caller_site() {
  PyFrameObject* frame = PyEval_GetFrame();
  if (!frame)
    return nullptr;
  PyCodeObject* code = PyFrame_GetCode(frame);
  const Place place{code, PyFrame_GetLasti(frame)};
  const auto found = table().find(place);
  const mpijit_site* site = found != table().end() ? found->second : intern(place, PyFrame_GetLineNumber(frame));
  Py_DECREF(code);
  return site;
}

const mpijit_site* definition_site(PyCodeObject* code) {
  const Place place{code, -1};
  const auto found = table().find(place);
  return found != table().end() ? found->second : intern(place, code->co_firstlineno);
}

} // namespace mpijit::bind
