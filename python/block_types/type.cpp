// SPDX-License-Identifier: BSD-3-Clause
#include "python/block_types/type.h"

#include "python/block_types/library.h"
#include "python/block_types/member.h"
#include "python/block_types/phases.h"
#include "python/block_types/record.h"

#include <algorithm>
#include <cstring>
#include <hilda/flags.h>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

namespace hilda::python_blocks {

const char* phase_name(Phase phase) {
  static constexpr const char* names[phase_count] = {"",        "configure", "prepare", "initialize",  "start", "stop",
                                                     "summary", "output",    "update",  "derivatives", "event"};
  return names[static_cast<std::size_t>(phase)];
}

namespace {

std::map<const hilda_slot*, Type*>& types() {
  static auto* const all = new std::map<const hilda_slot*, Type*>;
  return *all;
}
std::mutex& types_lock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

std::string text_of(PyObject* object) {
  const char* const text = object != nullptr && PyUnicode_Check(object) != 0 ? PyUnicode_AsUTF8(object) : nullptr;
  return text != nullptr ? text : "";
}

std::string text_attribute(PyObject* object, const char* name) {
  return text_of(Ref(PyObject_GetAttrString(object, name)).get());
}

hilda_role role_of(std::string_view word) {
  return word == "input"    ? HILDA_INPUT
         : word == "output" ? HILDA_OUTPUT
         : word == "state"  ? HILDA_STATE
         : word == "work"   ? HILDA_WORK
                            : HILDA_PARAMETER;
}

hilda_element element_of(std::string_view word) {
  return word == "integer"   ? HILDA_I64
         : word == "boolean" ? HILDA_U8
         : word == "text"    ? HILDA_TEXT
         : word == "choice"  ? HILDA_CHOICE
                             : HILDA_F64;
}

Form form_of(std::uint32_t element) {
  switch (element) {
  case HILDA_I64: return Form::integer;
  case HILDA_U64: return Form::unsigned_integer;
  case HILDA_U8: return Form::boolean;
  case HILDA_TEXT: return Form::text;
  case HILDA_CHOICE: return Form::choice;
  default: return Form::number;
  }
}

hilda_kind kind_of(std::string_view word) {
  return word == "wrench"       ? HILDA_WRENCH
         : word == "twist"      ? HILDA_TWIST
         : word == "pose"       ? HILDA_POSE
         : word == "quaternion" ? HILDA_QUATERNION
                                : HILDA_PLAIN;
}

std::uint32_t flag_of(std::string_view word) {
  return word == "optional"       ? HILDA_OPTIONAL
         : word == "in_update"    ? HILDA_IN_UPDATE
         : word == "state_output" ? HILDA_STATE_OUTPUT
         : word == "live"         ? HILDA_LIVE
         : word == "above"        ? HILDA_ABOVE
         : word == "below"        ? HILDA_BELOW
         : word == "continuous"   ? HILDA_CONTINUOUS
         : word == "modal"        ? HILDA_MODE
         : word == "crossing"     ? HILDA_CROSSING
         : word == "repeated"     ? HILDA_REPEATED | HILDA_BOUND
                                  : 0;
}

/// The facts of a slot, as block.py has them.
class SlotMaker {
public:
  SlotMaker(Type& type, PyObject* facts) : type_(type), facts_(facts) {}

  void make() {
    hilda_slot& slot = type_.slots.emplace_back();
    slot.size = sizeof slot;
    slot.name = keep(0);
    slot.role = role_of(text(1));
    slot.element = element_of(text(2));
    slot.kind = kind_of(text(3));
    PyObject* const flags = at(4);
    for (Py_ssize_t i = 0; i < PyList_Size(flags); ++i) slot.flags |= flag_of(text_of(PyList_GetItem(flags, i)));
    slot.shape = keep(5);
    slot.unit = keep(6);
    slot.doc = keep(7);
    slot.initial = keep(8);
    slot.choices = keep(9);
    slot.minimum = PyFloat_AsDouble(at(10));
    slot.maximum = PyFloat_AsDouble(at(11));
    slot.count = keep(13);
    const bool scalar = slot.kind == HILDA_PLAIN && slot.shape != nullptr && *slot.shape == 0;
    if (!scalar) slot.flags |= HILDA_BOUND;
    slot.offset = add_member(slot, "");
    if ((slot.flags & HILDA_CONTINUOUS) != 0) slot.second_offset = add_member(slot, "_dot");
    if ((slot.flags & HILDA_CROSSING) != 0) slot.second_offset = add_member(slot, "_side");
  }

private:
  PyObject* at(Py_ssize_t i) const { return PyTuple_GetItem(facts_, i); }
  std::string text(Py_ssize_t i) const { return text_of(at(i)); }
  const char* keep(Py_ssize_t i) { return at(i) == Py_None ? nullptr : type_.keep(text(i)); }

  /// `suffix`: of the second member of a slot, such as the derivative.
  std::uint64_t add_member(const hilda_slot& slot, std::string_view suffix) {
    Member& member = type_.members.emplace_back();
    member.name = text(14).append(suffix); // a part of a port has the name of its attribute
    member.role = static_cast<hilda_role>(slot.role);
    member.form = form_of(slot.element);
    member.bound = (slot.flags & HILDA_BOUND) != 0;
    member.repeated = (slot.flags & HILDA_REPEATED) != 0;
    member.in_update = (slot.flags & HILDA_IN_UPDATE) != 0;
    member.derivative = suffix == "_dot";
    member.side = suffix == "_side";
    member.modal = (slot.flags & HILDA_MODE) != 0;
    member.offset = type_.table.record_size;
    member.place = type_.members.size() - 1;
    if (at(12) != Py_None) member.initial = PyFloat_AsDouble(at(12));
    std::string_view choices = slot.choices != nullptr ? slot.choices : "";
    while (!choices.empty()) {
      const std::size_t end = std::min(choices.find('|'), choices.size());
      member.choices.emplace_back(choices.substr(0, end));
      choices.remove_prefix(std::min(end + 1, choices.size()));
    }
    type_.table.record_size += member.bound ? sizeof(hilda_view) : 8;
    return member.offset;
  }

  Type& type_;
  PyObject* const facts_;
};

/// A class below `owner` and RecordObject, with a descriptor for each member.
PyObject* bound_class(Type& type, PyObject* owner) {
  const Ref space(PyDict_New());
  for (Member& member : type.members) {
    const Ref descriptor(new_descriptor(member));
    if (!descriptor || PyDict_SetItemString(space.get(), member.name.c_str(), descriptor.get()) != 0) return nullptr;
  }
  const Ref slots(PyTuple_New(0));
  PyDict_SetItemString(space.get(), "__module__", Ref(PyObject_GetAttrString(owner, "__module__")).get());
  const Ref bases(PyTuple_Pack(2, owner, reinterpret_cast<PyObject*>(record_class())));
  return PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyType_Type), "sOO", type.name.c_str(), bases.get(),
                               space.get());
}

void find_methods(Type& type, PyObject* phases) {
  for (std::size_t p = 1; p < phase_count; ++p) {
    const char* const name = phase_name(static_cast<Phase>(p));
    const Ref word(PyUnicode_FromString(name));
    if (PySet_Contains(phases, word.get()) == 1) type.methods[p] = PyObject_GetAttrString(type.bound, name);
  }
}

std::unique_ptr<Type> make(PyObject* owner, PyObject* spec) {
  auto type = std::make_unique<Type>();
  type->name = text_attribute(owner, "__name__");
  type->doc = text_attribute(spec, "doc");
  type->file = text_attribute(spec, "file");
  const Ref line(PyObject_GetAttrString(spec, "line")), facts(PyObject_GetAttrString(spec, "facts")),
      phases(PyObject_GetAttrString(spec, "phases"));
  if (!line || !facts || !phases) return nullptr;
  type->line = static_cast<int>(PyLong_AsLong(line.get()));
  type->table.record_size = sizeof(Head);
  type->slots.reserve(static_cast<std::size_t>(PyList_Size(facts.get())) + 1); // never null: it names the type
  for (Py_ssize_t i = 0; i < PyList_Size(facts.get()); ++i) SlotMaker(*type, PyList_GetItem(facts.get(), i)).make();
  type->bound = bound_class(*type, owner);
  if (type->bound == nullptr || PyErr_Occurred() != nullptr) return nullptr;
  find_methods(*type, phases.get());
  fill_table(*type);
  return type;
}

} // namespace

Type* type_with(const hilda_slot* slots) {
  const std::lock_guard hold(types_lock());
  const auto found = types().find(slots);
  return found == types().end() ? nullptr : found->second;
}

Type* type_of(PyObject* owner) {
  const Ref spec(call_library("_spec_of", owner));
  if (!spec) return nullptr;
  static constexpr const char* name = "made";
  if (const Ref made(PyObject_GetAttrString(spec.get(), name)); made)
    return static_cast<Type*>(PyCapsule_GetPointer(made.get(), nullptr));
  PyErr_Clear();
  std::unique_ptr<Type> fresh = make(owner, spec.get());
  if (!fresh) return nullptr;
  const Ref capsule(PyCapsule_New(fresh.get(), nullptr, nullptr));
  if (!capsule || PyObject_SetAttrString(spec.get(), name, capsule.get()) != 0) return nullptr;
  Type* const type = fresh.release();
  const std::lock_guard hold(types_lock());
  types()[type->table.slots] = type;
  return type;
}

} // namespace hilda::python_blocks
