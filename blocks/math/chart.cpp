// SPDX-License-Identifier: BSD-3-Clause
#include "chart_model.h"
#include "written_block.h"

#include <cstring>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/ports.h>
#include <memory>

// math/Chart, which has the slots that the diagram declares, as math/Equations has.

namespace {

using charts::Chart;
using charts::ChartState;
using charts::ChartTransition;
using charts::ChartWait;

template <class T> T* at(void* record, std::uint64_t offset) {
  return reinterpret_cast<T*>(static_cast<char*>(record) + offset);
}
template <class T> const T* at(const void* record, std::uint64_t offset) {
  return reinterpret_cast<const T*>(static_cast<const char*>(record) + offset);
}

/// Which state is active, and since which samples: the one around it (or itself, where none is) and itself.
struct Position {
  std::int64_t active, outer_since, since;
};

Position position_of(const void* record) {
  const Chart& model = Chart::of(record);
  const auto* since = at<std::int64_t>(record, model.since);
  const std::int64_t active = *at<std::int64_t>(record, model.active);
  // What a checkpoint of another hand says may be no state, or one that holds others: the chart begins then.
  const bool one = active >= 0 && active < static_cast<std::int64_t>(model.states.size()) &&
                   model.states[static_cast<std::size_t>(active)].first < 0;
  return {one ? active : -1, since[0], since[1]};
}

/// One sample of a chart, over the row of outputs that is worked on.
class Walk {
public:
  Walk(void* record, const hilda_tick* now, Position& position, std::int64_t* visits)
      : model_(Chart::of(record)), record_(record), now_(now), at_(position), visits_(visits) {}

  /// At most one transition: of the outer state before those of the inner one, each in the order of the file.
  void step() {
    if (at_.active < 0) return enter(model_.start, false);
    const int inner = static_cast<int>(at_.active), outer = state(inner).parent;
    if (outer >= 0 && leave_by(outer, at_.outer_since)) return;
    if (leave_by(inner, outer >= 0 ? at_.since : at_.outer_since)) return;
    if (outer >= 0) run(state(outer).during);
    run(state(inner).during);
  }

private:
  const ChartState& state(int index) const { return model_.states[static_cast<std::size_t>(index)]; }
  double* numbers() const { return static_cast<equations::RecordHead*>(record_)->numbers; }
  void run(const equations::Program& program) { equations::run(program, numbers(), record_, now_->time); }

  bool leave_by(int from, std::int64_t since) {
    // a billionth of a sample more, so that a time that is a whole number of samples is reached with the last of them
    const double period = *at<double>(record_, model_.period);
    numbers()[Chart::time_in_state] = (static_cast<double>(now_->index) - static_cast<double>(since) + 1e-9) * period;
    for (const std::size_t each : state(from).transitions) {
      const ChartTransition& transition = model_.transitions[each];
      for (const ChartWait& wait : transition.waits)
        if (!wait.fixed && !can_be_waited(wait)) return false;
      run(transition.guard);
      if (transition.has_guard && numbers()[transition.truth] == 0) continue;
      take(transition);
      return true;
    }
    return false;
  }

  /// A time that a signal gives; where it is none the run ends.
  bool can_be_waited(const ChartWait& wait) {
    run(wait.program);
    const double time = numbers()[wait.at];
    if (time >= 0) return true;
    hilda_control& control = *now_->control;
    if (control.verdict < HILDA_FAIL)
      control.verdict = HILDA_FAIL, control.record = record_, control.text = wait.refusal, control.value = time;
    return false;
  }

  /// What the transition stays within is neither left nor entered.
  void take(const ChartTransition& transition) {
    const ChartState &inner = state(static_cast<int>(at_.active)), &to = state(transition.to);
    const bool within = inner.parent >= 0 && to.parent == inner.parent;
    run(inner.leaving);
    if (inner.parent >= 0 && !within) run(state(inner.parent).leaving);
    run(transition.action);
    enter(transition.to, within);
  }

  void enter(int target, bool within) {
    const ChartState& to = state(target);
    if (to.parent >= 0 && !within) arrive(to.parent, at_.outer_since);
    arrive(target, to.parent >= 0 ? at_.since : at_.outer_since);
    if (to.first >= 0)
      enter(to.first, true);
    else
      at_.active = target;
  }

  void arrive(int target, std::int64_t& since) {
    since = now_->index;
    if (visits_ != nullptr) ++visits_[target];
    run(state(target).entry);
  }

  const Chart& model_;
  void* record_;
  const hilda_tick* now_;
  Position& at_;
  std::int64_t* visits_;
};

std::int32_t configure_chart(void* record, const hilda_instance* self) {
  if (self->continuous != 0) {
    self->report(self->engine, nullptr,
                 "a chart takes its transitions at samples and cannot be continuous: give it a "
                 "sample_time, or put a discrete/ZeroOrderHold before it");
    return 1;
  }
  *at<double>(record, Chart::of(record).period) = self->period;
  char*& path = *at<char*>(record, Chart::of(record).path);
  delete[] path;
  path = new char[std::strlen(self->path) + 1];
  std::strcpy(path, self->path);
  return equations::configure_record(record);
}

/// Times that parameters give.
void prepare_chart(void* record, const hilda_instance* self) {
  const Chart& model = Chart::of(record);
  double* const numbers = static_cast<equations::RecordHead*>(record)->numbers;
  for (const ChartTransition& transition : model.transitions)
    for (const ChartWait& wait : transition.waits) {
      if (!wait.fixed) continue;
      equations::run(wait.program, numbers, record, 0);
      if (!(numbers[wait.at] >= 0)) self->report(self->engine, nullptr, wait.refusal);
    }
}

void initialize_chart(void* record, const hilda_instance*) {
  const Chart& model = Chart::of(record);
  *at<std::int64_t>(record, model.active) = -1;
  for (const Chart::Initial& each : model.initials)
    std::memcpy(at<char>(record, each.to), at<char>(record, each.from), each.bytes);
}

/// The sample, without its consequences.
void chart_output(void* record, const hilda_tick* now) {
  const Chart& model = Chart::of(record);
  Position position = position_of(record);
  std::memcpy(at<char>(record, model.work), at<char>(record, model.kept), model.row_bytes);
  Walk(record, now, position, nullptr).step();
  std::memcpy(at<char>(record, model.ports), at<char>(record, model.work), model.row_bytes);
  *at<std::int64_t>(record, model.state_port) = model.states[static_cast<std::size_t>(position.active)].number;
}

/// The sample once more, and what follows from it is kept.
void chart_update(void* record, const hilda_tick* now) {
  const Chart& model = Chart::of(record);
  Position position = position_of(record);
  std::memcpy(at<char>(record, model.work), at<char>(record, model.kept), model.row_bytes);
  Walk(record, now, position, at<std::int64_t>(record, model.visits)).step();
  std::memcpy(at<char>(record, model.kept), at<char>(record, model.work), model.row_bytes);
  *at<std::int64_t>(record, model.active) = position.active;
  auto* since = at<std::int64_t>(record, model.since);
  since[0] = position.outer_since, since[1] = position.since;
  auto* samples = at<std::int64_t>(record, model.samples);
  const ChartState& active = model.states[static_cast<std::size_t>(position.active)];
  ++samples[position.active];
  if (active.parent >= 0) ++samples[active.parent];
}

void destroy_chart(void* record) {
  if (static_cast<equations::RecordHead*>(record)->body != nullptr) {
    char*& path = *at<char*>(record, Chart::of(record).path);
    delete[] path;
    path = nullptr;
  }
  equations::destroy_record(record);
}

/// A row for each state of each chart: how often it was entered, and how long it was active.
void summarize_chart(const void* record, const hilda_summary_sink* to) {
  if (static_cast<const equations::RecordHead*>(record)->body == nullptr) return; // its states have not been written
  const Chart& model = Chart::of(record);
  const char* const path = *at<char*>(record, model.path);
  const double period = *at<double>(record, model.period);
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    to->begin_row(to->engine, "states");
    to->text(to->engine, "chart", path == nullptr ? "" : path);
    to->text(to->engine, "state", model.states[i].path.c_str());
    to->number(to->engine, "entered", static_cast<double>(at<std::int64_t>(record, model.visits)[i]), "");
    to->number(to->engine, "time", static_cast<double>(at<std::int64_t>(record, model.samples)[i]) * period, "s");
    to->end_row(to->engine);
  }
}

const void* chart_extension(const char* name);

constexpr const char* chart_doc =
    "A state chart, written inside the block: <input>, <output>, <parameter>, <state> and <transition>. One state is "
    "active; at each sample the first of its transitions, in the order of the file, whose guard holds is taken: "
    "<transition from=\"red\" to=\"green\" when=\"after(20 s) && cars > 0\" do=\"n = n + 1\"/>. Exit "
    "actions of what is left, then do, then entry actions of what is entered; where no transition is taken, during. "
    "Actions give outputs values, which they keep: entry=\"lamp = 1; n = n + 1\". A state may hold states, once: those "
    "around come first, and start=\"true\" says with which the chart and each such state begin. after(2 s) holds when "
    "the state has been active that long. The output state is the number of the active state, with its name. "
    "Expressions, shapes and units are those of math/Equations. Source: D. Harel, Statecharts: a visual formalism for "
    "complex systems, Science of Computer Programming 8 (1987).";

hilda_block_type plain_chart(const char* name, const char* doc, std::uint32_t flags) {
  hilda_block_type type = equations::plain_type(name, doc, flags, &chart_extension);
  type.destroy = &destroy_chart; // it holds its path, too
  return type;
}

using OwnChart = equations::Written<Chart>;

const hilda_block_type* make_chart(const hilda_body* body) {
  auto made = OwnChart::read(body, plain_chart("Chart", chart_doc, 0));
  if (made == nullptr) return nullptr;
  hilda_block_type& type = made->type;
  type.configure = &configure_chart;
  type.prepare = &prepare_chart;
  type.initialize = &initialize_chart;
  type.output = &chart_output;
  type.update = &chart_update;
  return &made.release()->type;
}

constexpr const char* chart_tags[] = {"input", "output", "parameter", "state", "transition"};
constexpr hilda_ports_1 chart_ports = {sizeof(hilda_ports_1), 5,      chart_tags, &make_chart, &equations::bind_record,
                                       &OwnChart::release,    "state"};
constexpr hilda_summary_1 chart_summary = {sizeof(hilda_summary_1), 0, &summarize_chart};

const void* chart_extension(const char* name) {
  if (std::strcmp(name, "hilda.summary/1") == 0) return &chart_summary;
  return std::strcmp(name, "hilda.ports/1") == 0 ? &chart_ports : nullptr;
}

const hilda::detail::Registration chart_registration{"Chart", chart_doc, {&plain_chart}};

} // namespace
