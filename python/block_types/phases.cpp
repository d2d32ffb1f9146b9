// SPDX-License-Identifier: BSD-3-Clause
#include "python/block_types/phases.h"

#include "engine/catalogue/catalogue.h"
#include "python/block_types/library.h"
#include "python/block_types/record.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <hilda/flags.h>
#include <string>
#include <string_view>
#include <utility>

namespace hilda::python_blocks {
namespace {

const Type* type_in(const void* record) { return static_cast<const Head*>(record)->type; }

/// The phase of an object while it lives, and the tick that its `t` shows.
class Running {
public:
  Running(RecordObject& object, Phase phase, const hilda_tick* now) : object_(object) {
    object_.phase = phase;
    object_.tick->now = now;
  }
  ~Running() {
    object_.phase = Phase::none;
    object_.tick->now = nullptr;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

private:
  RecordObject& object_;
};

/// What went wrong, with the place in the class's file. Takes Python's error.
std::string error(const Type& type, Phase phase) {
  const Ref error(take_error());
  const Ref function(library_function("_failed"));
  const Ref text(PyObject_CallFunction(function.get(), "Oss", error.get() != nullptr ? error.get() : Py_None,
                                       type.file.c_str(), phase_name(phase)));
  const char* const words = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  std::string said = words != nullptr ? words : std::string(phase_name(phase)) + " fails, and says no reason";
  PyErr_Clear();
  return said;
}

/// The bytes of the block's states.
template <typename Each> void each_state(const RecordObject& object, Each&& each) {
  for (const Member& member : object.type->members) {
    if (member.role != HILDA_STATE || member.derivative) continue;
    char* const at = object.record + member.offset;
    const std::size_t width = member.form == Form::boolean ? 1 : 8;
    if (!member.bound) {
      each(at, width);
      continue;
    }
    const auto& array = *reinterpret_cast<const hilda_array*>(at);
    each(static_cast<char*>(array.data),
         width * static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.cols));
  }
}

void save_states(RecordObject& object) {
  object.saved->clear();
  each_state(object,
             [&](const char* data, std::size_t size) { object.saved->insert(object.saved->end(), data, data + size); });
}

void restore_states(RecordObject& object) {
  const char* from = object.saved->data();
  each_state(object, [&](char* data, std::size_t size) {
    std::memcpy(data, from, size);
    from += size;
  });
}

/// The arguments of a phase behind self.
struct With {
  const hilda_tick* now = nullptr;
  PyObject* fired = nullptr; ///< of an event
};

bool call(RecordObject& object, Phase phase, const With& with) {
  PyObject* const arguments[3] = {reinterpret_cast<PyObject*>(&object), reinterpret_cast<PyObject*>(object.tick),
                                  with.fired};
  const std::size_t count = phase == Phase::event ? 3 : phase >= Phase::output ? 2 : 1;
  const Running running(object, phase, with.now);
  const Ref done(PyObject_Vectorcall(object.type->methods[static_cast<std::size_t>(phase)], arguments, count, nullptr));
  return static_cast<bool>(done);
}

/// Ctrl-C in Python comes in the middle of a method: the phase is done once more, from the same states, and the
/// interrupt comes again when the tick is over.
bool call_whole(RecordObject& object, Phase phase, const With& with) {
  const bool writes_states = phase == Phase::update || phase == Phase::event;
  if (writes_states) save_states(object);
  if (call(object, phase, with)) return true;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) return false;
  PyErr_Clear();
  if (writes_states) restore_states(object);
  const bool whole = call(object, phase, with);
  PyErr_SetInterrupt();
  return whole;
}

/// Ends the run: a method has raised Python's present error.
void fail(void* record, Phase phase, const hilda_tick* now) {
  const std::string why = error(*type_in(record), phase);
  if (now->control->verdict != HILDA_GO) return;
  now->control->verdict = HILDA_FAIL;
  now->control->record = record;
  now->control->text = kept_for_ever(why);
  now->control->value = std::nan("");
}

template <Phase phase> void in_loop(void* record, const hilda_tick* now) {
  if (!alive()) return;
  const Hold hold;
  RecordObject* const object = object_of(record);
  if (object == nullptr || !call_whole(*object, phase, {now})) fail(record, phase, now);
}

/// Where the numbers of a member lie, and how many there are.
std::pair<const double*, std::uint64_t> numbers_of(const void* record, const Member& member) {
  const char* const at = static_cast<const char*>(record) + member.offset;
  if (!member.bound) return {reinterpret_cast<const double*>(at), 1};
  const auto& array = *reinterpret_cast<const hilda_array*>(at);
  return {static_cast<const double*>(array.data),
          static_cast<std::uint64_t>(array.rows) * static_cast<std::uint64_t>(array.cols)};
}

/// "(name, element, direction)" of what has changed its sign. Null with Python's error set.
PyObject* named(const void* record, const hilda_fired& fired) {
  const std::less<const double*> before;
  for (const Member& member : type_in(record)->members) {
    if (member.role != HILDA_WORK || member.side) continue;
    const auto [first, count] = numbers_of(record, member);
    if (before(fired.crossing, first) || !before(fired.crossing, first + count)) continue;
    return Py_BuildValue("sni", member.name.c_str(), static_cast<Py_ssize_t>(fired.crossing - first), fired.direction);
  }
  PyErr_SetString(PyExc_RuntimeError, "a crossing that the block does not have");
  return nullptr;
}

/// The argument `fired`. Null with Python's error set.
PyObject* fired_object(const void* record, const hilda_fired* fired, std::uint64_t count) {
  const Ref names(PyList_New(0)), directions(PyList_New(0)), make(library_function("_fired"));
  if (!names || !directions || !make) return nullptr;
  for (const Member& member : type_in(record)->members)
    if (member.role == HILDA_WORK && !member.side)
      PyList_Append(names.get(), Ref(PyUnicode_FromString(member.name.c_str())).get());
  for (std::uint64_t i = 0; i < count; ++i) {
    const Ref each(named(record, fired[i]));
    if (!each || PyList_Append(directions.get(), each.get()) != 0) return nullptr;
  }
  return PyObject_CallFunctionObjArgs(make.get(), names.get(), directions.get(), nullptr);
}

void event(void* record, const hilda_tick* now, const hilda_fired* fired, std::uint64_t count) {
  if (!alive()) return;
  const Hold hold;
  const Ref argument(fired_object(record, fired, count));
  RecordObject* const object = argument ? object_of(record) : nullptr;
  if (object == nullptr || !call_whole(*object, Phase::event, {now, argument.get()})) fail(record, Phase::event, now);
}

/// Before the loop and after it: 0, or 1 after a report.
std::int32_t beside(void* record, Phase phase, const hilda_instance* self) {
  const Hold hold;
  const Type& type = *type_in(record);
  RecordObject* const object = object_of(record);
  if (object != nullptr) {
    if (self != nullptr && object->path == nullptr) {
      object->path = PyUnicode_FromString(self->path);
      object->period = self->period;
      object->seed = self->seed;
      object->simulated = self->simulated != 0;
    }
    if (type.methods[static_cast<std::size_t>(phase)] == nullptr || call_whole(*object, phase, {})) return 0;
  }
  const std::string why = error(type, phase);
  if (self != nullptr) self->report(self->engine, nullptr, why.c_str());
  return 1;
}

std::int32_t configure(void* record, const hilda_instance* self) { return beside(record, Phase::configure, self); }
void prepare(void* record, const hilda_instance* self) { beside(record, Phase::prepare, self); }
std::int32_t start(void* record, const hilda_instance* self) { return beside(record, Phase::start, self); }
void stop(void* record) {
  if (!alive() || beside(record, Phase::stop, nullptr) == 0) return;
}

/// Gives a line of what `summary` returns to the engine.
void give_line(const hilda_summary_sink& sink, PyObject* line) {
  const char *what = nullptr, *key = nullptr, *text = nullptr;
  double number = 0;
  if (PyArg_ParseTuple(line, "ssds", &what, &key, &number, &text) == 0) return;
  switch (*what) {
  case 'n': return sink.number(sink.engine, key, number, text);
  case 't': return sink.text(sink.engine, key, text);
  case 'r': return sink.begin_row(sink.engine, key);
  default: return sink.end_row(sink.engine);
  }
}

/// What the method summary returns. What it raises is the text "summary_error": the run is over.
void summarize(const void* record, const hilda_summary_sink* sink) {
  if (!alive()) return;
  const Hold hold;
  const Type& type = *type_in(record);
  RecordObject* const object = object_of(const_cast<void*>(record));
  Ref lines;
  if (object != nullptr) {
    const Running running(*object, Phase::summary, nullptr);
    const Ref given(PyObject_CallOneArg(type.methods[static_cast<std::size_t>(Phase::summary)],
                                        reinterpret_cast<PyObject*>(object)));
    if (given) lines = Ref(call_library("_summary", given.get()));
  }
  for (Py_ssize_t i = 0; lines && i < PyList_Size(lines.get()); ++i) give_line(*sink, PyList_GetItem(lines.get(), i));
  if (PyErr_Occurred() == nullptr) return;
  const char* const path = object != nullptr && object->path != nullptr ? PyUnicode_AsUTF8(object->path) : "";
  sink->text(sink->engine, "summary_error",
             ("block " + std::string(path) + ": " + error(type, Phase::summary)).c_str());
}

const void* extension(const char* name) {
  static constexpr hilda_summary_1 summary{sizeof(hilda_summary_1), 0, &summarize};
  return std::string_view(name) == "hilda.summary/1" ? &summary : nullptr;
}

void set_all(const Member& member, char* data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto whole = static_cast<std::int64_t>(member.initial);
    if (member.form == Form::number)
      std::memcpy(data + 8 * i, &member.initial, 8);
    else if (member.form == Form::boolean)
      data[i] = member.initial != 0 ? 1 : 0;
    else
      std::memcpy(data + 8 * i, &whole, 8);
  }
}

void initialize(void* record, const hilda_instance* self) {
  for (const Member& member : type_in(record)->members) {
    if (member.role != HILDA_STATE || member.derivative) continue;
    char* const at = static_cast<char*>(record) + member.offset;
    if (!member.bound) {
      set_all(member, at, 1);
      continue;
    }
    const auto& array = *reinterpret_cast<const hilda_array*>(at);
    set_all(member, static_cast<char*>(array.data),
            static_cast<std::size_t>(array.rows) * static_cast<std::size_t>(array.cols));
  }
  beside(record, Phase::initialize, self);
}

void destroy(void* record) {
  if (static_cast<Head*>(record)->object == nullptr || !alive()) return;
  const Hold hold;
  let_go(record);
}

} // namespace

void fill_table(Type& type) {
  const auto has = [&type](Phase phase) { return type.methods[static_cast<std::size_t>(phase)] != nullptr; };
  hilda_block_type& table = type.table;
  table.size = sizeof table;
  table.flags = HILDA_REALTIME_UNSAFE | HILDA_SIMULATION_ONLY;
  table.name = type.name.c_str();
  table.doc = type.doc.c_str();
  table.record_align = 16;
  table.slots = type.slots.data();
  table.slot_count = static_cast<std::uint32_t>(type.slots.size());
  table.slot_stride = sizeof(hilda_slot);
  table.destroy = &destroy;
  table.configure = &configure;
  if (has(Phase::prepare)) table.prepare = &prepare;
  table.initialize = &initialize;
  if (has(Phase::start)) table.start = &start;
  if (has(Phase::stop)) table.stop = &stop;
  bool moore = false, sink = true;
  for (const hilda_slot& slot : type.slots) {
    if (slot.role == HILDA_OUTPUT) sink = false;
    if (slot.role == HILDA_OUTPUT && (slot.flags & HILDA_STATE_OUTPUT) != 0) moore = true;
  }
  if (sink) table.flags |= HILDA_SINK;
  if (has(Phase::output)) (moore ? table.state_output : table.output) = &in_loop<Phase::output>;
  if (has(Phase::update)) table.update = &in_loop<Phase::update>;
  if (has(Phase::derivatives)) table.derivative = &in_loop<Phase::derivatives>;
  if (has(Phase::derivatives)) table.flags |= HILDA_FOLLOWS_TIME;
  if (has(Phase::event)) table.event = &event;
  if (has(Phase::summary)) table.extension = &extension;
}

} // namespace hilda::python_blocks
