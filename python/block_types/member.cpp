// SPDX-License-Identifier: BSD-3-Clause
#include "python/block_types/member.h"

#include "python/block_types/library.h"
#include "python/block_types/record.h"

#include <cstring>

namespace hilda::python_blocks {
namespace {

struct DescriptorObject {
  PyObject_HEAD const Member* member;
};

const Member& member_of(PyObject* descriptor) { return *reinterpret_cast<DescriptorObject*>(descriptor)->member; }

/// Where the elements are; null: nothing drives the input.
struct Place {
  void* data = nullptr;
  std::int32_t rows = 1, cols = 1;
  bool one() const { return rows == 1 && cols == 1; }
};

Place place_of(const RecordObject& object, const Member& member) {
  char* const at = object.record + member.offset;
  if (member.bound) {
    const auto& view = *reinterpret_cast<const hilda_array*>(at);
    return {view.data, view.rows, view.cols};
  }
  if (member.role != HILDA_INPUT) return {at, 1, 1};
  void* data = nullptr;
  std::memcpy(&data, at, sizeof data);
  return {data, 1, 1};
}

/// Why this phase may not read it, or null.
const char* why_unreadable(const RecordObject& object, const Member& member) {
  if (object.record == nullptr || object.phase == Phase::none)
    return "it belongs to a phase of the block that is over: keep numbers, and not the block, for later";
  if (member.role != HILDA_INPUT) return nullptr;
  if (object.phase == Phase::output && member.in_update)
    return "output reads it, which its code did not show: declare hilda.Input(..., feedthrough=True)";
  const bool there = object.phase >= Phase::output;
  return there ? nullptr : "an input has a value in output, update, derivatives and event alone";
}

/// Why this phase may not write it, or null.
const char* why_unwritable(const RecordObject& object, const Member& member) {
  if (object.record == nullptr || object.phase == Phase::none) return "it belongs to a phase of the block that is over";
  const Phase phase = object.phase;
  switch (member.role) {
  case HILDA_INPUT: return "an input is written by what is wired to it";
  case HILDA_PARAMETER: return "a parameter is written by the diagram: keep what changes in a hilda.State";
  case HILDA_OUTPUT: return phase == Phase::output ? nullptr : "an output is written in output alone";
  case HILDA_WORK:
    if (member.side) return "the side of a crossing is written by the solver";
    return phase == Phase::output ? nullptr : "a crossing is written in output alone";
  default: break;
  }
  if (member.derivative) return phase == Phase::derivatives ? nullptr : "a derivative is written in derivatives alone";
  const bool may = phase == Phase::initialize || phase == Phase::update || phase == Phase::event;
  return may ? nullptr : "a state is written in initialize, update and event alone";
}

PyObject* refuse(const RecordObject& object, const Member& member, const char* why) {
  PyErr_Format(PyExc_AttributeError, "%s.%s in %s: %s", object.type->name.c_str(), member.name.c_str(),
               object.phase == Phase::none ? "no phase" : phase_name(object.phase), why);
  return nullptr;
}

const char* element_word(Form form) {
  switch (form) {
  case Form::integer: return "integer";
  case Form::unsigned_integer: return "unsigned integer";
  case Form::boolean: return "boolean";
  default: return "real";
  }
}

std::size_t width(Form form) { return form == Form::boolean ? 1 : 8; }

/// An array on the engine's memory.
PyObject* new_view(const Member& member, const Place& place, bool writable) {
  const auto bytes = static_cast<Py_ssize_t>(width(member.form)) * place.rows * place.cols;
  const Ref memory(PyMemoryView_FromMemory(static_cast<char*>(place.data), bytes, writable ? PyBUF_WRITE : PyBUF_READ));
  const Ref make(library_function("_view"));
  if (!memory || !make) return nullptr;
  return PyObject_CallFunction(make.get(), "Osii", memory.get(), element_word(member.form), place.rows, place.cols);
}

/// The same, kept, for where that lies does not change. Borrowed.
PyObject* view_of(RecordObject& object, const Member& member, const Place& place, bool writable) {
  PyObject*& kept = object.views[2 * member.place + (writable ? 1 : 0)];
  if (kept != nullptr && member.role != HILDA_INPUT) return kept;
  Py_CLEAR(kept);
  return kept = new_view(member, place, writable);
}

template <typename T> T load(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

PyObject* number(const Member& member, const void* data) {
  switch (member.form) {
  case Form::number: return PyFloat_FromDouble(load<double>(data));
  case Form::integer: return PyLong_FromLongLong(load<std::int64_t>(data));
  case Form::unsigned_integer: return PyLong_FromUnsignedLongLong(load<std::uint64_t>(data));
  case Form::boolean: return PyBool_FromLong(load<std::uint8_t>(data));
  case Form::text: {
    const char* const text = load<const char*>(data);
    return PyUnicode_FromString(text != nullptr ? text : "");
  }
  case Form::choice: {
    const auto index = static_cast<std::size_t>(load<std::int64_t>(data));
    return PyUnicode_FromString(index < member.choices.size() ? member.choices[index].c_str() : "");
  }
  }
  Py_RETURN_NONE;
}

/// The items of a repeated port.
struct Items {
  const hilda_array* first; // hilda_view lies alike
  Py_ssize_t count;
};

Items items_of(const RecordObject& object, const Member& member) {
  const auto& all = *reinterpret_cast<const hilda_arrays*>(object.record + member.offset);
  return {all.items, static_cast<Py_ssize_t>(all.count)};
}

PyObject* get_items(const RecordObject& object, const Member& member) {
  const Items items = items_of(object, member);
  Ref tuple(PyTuple_New(items.count));
  const bool writable = why_unwritable(object, member) == nullptr;
  for (Py_ssize_t i = 0; tuple && i < items.count; ++i) {
    const Place place{items.first[i].data, items.first[i].rows, items.first[i].cols};
    PyObject* const item = place.data == nullptr ? Ref::to(Py_None).release()
                           : place.one()         ? number(member, place.data)
                                                 : new_view(member, place, writable);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
  }
  return tuple.release();
}

PyObject* get(PyObject* descriptor, PyObject* instance, PyObject*) {
  if (instance == nullptr) return Ref::to(descriptor).release();
  auto& object = *reinterpret_cast<RecordObject*>(instance);
  const Member& member = member_of(descriptor);
  if (const char* const why = why_unreadable(object, member)) return refuse(object, member, why);
  if (member.repeated) return get_items(object, member);
  const Place place = place_of(object, member);
  if (place.data == nullptr) Py_RETURN_NONE;
  if (place.one()) return number(member, place.data);
  return Ref::to(view_of(object, member, place, why_unwritable(object, member) == nullptr)).release();
}

int misfit(const Member& member, PyObject* value, const char* wanted) {
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError, "%s is %s, and this value is %.100R of type %s", member.name.c_str(), wanted, value,
               Py_TYPE(value)->tp_name);
  return -1;
}

int store(const Member& member, void* data, PyObject* value) {
  switch (member.form) {
  case Form::integer: {
    const Ref index(PyNumber_Index(value));
    const std::int64_t whole = index ? PyLong_AsLongLong(index.get()) : -1;
    if (PyErr_Occurred() != nullptr) return misfit(member, value, "a whole number of 64 bits");
    std::memcpy(data, &whole, sizeof whole);
    return 0;
  }
  case Form::boolean: {
    const int truth = PyObject_IsTrue(value);
    if (truth < 0) return misfit(member, value, "a boolean");
    *static_cast<std::uint8_t*>(data) = static_cast<std::uint8_t>(truth);
    return 0;
  }
  default: {
    const double real = PyFloat_AsDouble(value);
    if (real == -1 && PyErr_Occurred() != nullptr) return misfit(member, value, "one number");
    std::memcpy(data, &real, sizeof real);
    return 0;
  }
  }
}

/// Copies a value into an array of the engine. -1 with Python's error set.
int fill(const Member& member, PyObject* view, PyObject* value) {
  const Ref assign(library_function("_assign"));
  if (view == nullptr || !assign) return -1;
  const Ref done(PyObject_CallFunction(assign.get(), "OOs", view, value, member.name.c_str()));
  return done ? 0 : -1;
}

int set_items(const RecordObject& object, const Member& member, PyObject* value) {
  const Items items = items_of(object, member);
  const Ref values(PySequence_Fast(value, "a repeated output is written with a sequence"));
  if (!values) return -1;
  if (PySequence_Fast_GET_SIZE(values.get()) != items.count) {
    PyErr_Format(PyExc_ValueError, "%s is repeated %zd times, and this sequence has %zd", member.name.c_str(),
                 items.count, PySequence_Fast_GET_SIZE(values.get()));
    return -1;
  }
  for (Py_ssize_t i = 0; i < items.count; ++i) {
    const Place place{items.first[i].data, items.first[i].rows, items.first[i].cols};
    PyObject* const item = PySequence_Fast_GET_ITEM(values.get(), i);
    const int failed =
        place.one() ? store(member, place.data, item) : fill(member, Ref(new_view(member, place, true)).get(), item);
    if (failed != 0) return -1;
  }
  return 0;
}

int set(PyObject* descriptor, PyObject* instance, PyObject* value) {
  auto& object = *reinterpret_cast<RecordObject*>(instance);
  const Member& member = member_of(descriptor);
  const char* const why = value == nullptr ? "it cannot be deleted" : why_unwritable(object, member);
  if (why != nullptr) return refuse(object, member, why) == nullptr ? -1 : 0;
  if (member.repeated) return set_items(object, member, value);
  const Place place = place_of(object, member);
  if (place.one()) return store(member, place.data, value);
  PyObject* const view = view_of(object, member, place, true);
  if (view == value && view != nullptr) return 0; // self.x += ... has changed it in place
  return fill(member, view, value);
}

PyTypeObject* descriptor_class() {
  static PyType_Slot slots[] = {
      {Py_tp_descr_get, reinterpret_cast<void*>(&get)}, {Py_tp_descr_set, reinterpret_cast<void*>(&set)}, {0, nullptr}};
  static PyType_Spec spec{"hilda.Member", sizeof(DescriptorObject), 0, Py_TPFLAGS_DEFAULT, slots};
  static auto* const type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  return type;
}

} // namespace

PyObject* new_descriptor(const Member& member) {
  DescriptorObject* const descriptor = PyObject_New(DescriptorObject, descriptor_class());
  if (descriptor != nullptr) descriptor->member = &member;
  return reinterpret_cast<PyObject*>(descriptor);
}

} // namespace hilda::python_blocks
