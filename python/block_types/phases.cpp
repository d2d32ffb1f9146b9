// SPDX-License-Identifier: BSD-3-Clause
#include "python/block_types/phases.h"

#include "engine/catalogue/catalogue.h"
#include "python/block_types/library.h"
#include "python/block_types/record.h"

#include <cmath>
#include <cstring>
#include <hilda/flags.h>
#include <string>

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

bool call(RecordObject& object, Phase phase, const hilda_tick* now) {
  PyObject* const arguments[2] = {reinterpret_cast<PyObject*>(&object), reinterpret_cast<PyObject*>(object.tick)};
  const Running running(object, phase, now);
  const Ref done(PyObject_Vectorcall(object.type->methods[static_cast<std::size_t>(phase)], arguments,
                                     phase >= Phase::output ? 2 : 1, nullptr));
  return static_cast<bool>(done);
}

/// Ctrl-C in Python comes in the middle of a method: the phase is done once more, from the same states, and the
/// interrupt comes again when the tick is over.
bool call_whole(RecordObject& object, Phase phase, const hilda_tick* now) {
  if (phase == Phase::update) save_states(object);
  if (call(object, phase, now)) return true;
  if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) == 0) return false;
  PyErr_Clear();
  if (phase == Phase::update) restore_states(object);
  const bool whole = call(object, phase, now);
  PyErr_SetInterrupt();
  return whole;
}

template <Phase phase> void in_loop(void* record, const hilda_tick* now) {
  if (!alive()) return;
  const Hold hold;
  RecordObject* const object = object_of(record);
  if (object != nullptr && call_whole(*object, phase, now)) return;
  const std::string why = error(*type_in(record), phase);
  if (now->control->verdict != HILDA_GO) return;
  now->control->verdict = HILDA_FAIL;
  now->control->record = record;
  now->control->text = kept_for_ever(why);
  now->control->value = std::nan("");
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
    if (type.methods[static_cast<std::size_t>(phase)] == nullptr || call_whole(*object, phase, nullptr)) return 0;
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
}

} // namespace hilda::python_blocks
