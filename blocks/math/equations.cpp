// SPDX-License-Identifier: BSD-3-Clause
#include "equation_model.h"

#include "expression_words.h"
#include "written_block.h"

#include <cstddef>
#include <cstring>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/ports.h>
#include <memory>
#include <new>

// math/Equations, which has the slots that the diagram declares: it uses the C interface directly, for a C++ block
// cannot have members that are not known when it is compiled.

namespace {

using equations::Model;
using equations::RecordHead;

RecordHead& head_of(void* record) { return *static_cast<RecordHead*>(record); }
double& number_at(void* record, std::uint64_t offset) {
  return *reinterpret_cast<double*>(static_cast<char*>(record) + offset);
}

void run_phase(const equations::Program& program, void* record, const hilda_tick* now) {
  equations::run(program, head_of(record).numbers, record, now->time);
}

std::int32_t configure_equations(void* record, const hilda_instance*) { return equations::configure_record(record); }

/// A condition that is true at the start has not become so.
void initialize_equations(void* record, const hilda_instance*) {
  const Model& model = Model::of(head_of(record));
  for (const Model::State& each : model.states)
    std::memcpy(&number_at(record, each.at), &number_at(record, each.initial),
                static_cast<std::size_t>(each.type.count()) * sizeof(double));
  for (const Model::Condition& each : model.conditions) number_at(record, each.last) = 1;
}

void equations_state_output(void* record, const hilda_tick* now) {
  run_phase(Model::of(head_of(record)).state_output, record, now);
}
void equations_output(void* record, const hilda_tick* now) {
  run_phase(Model::of(head_of(record)).output, record, now);
}
void equations_update(void* record, const hilda_tick* now) {
  run_phase(Model::of(head_of(record)).update, record, now);
}
void equations_derivative(void* record, const hilda_tick* now) {
  const Model& model = Model::of(head_of(record));
  run_phase(model.derivative, record, now);
  if (model.has_events && now->size > offsetof(hilda_tick, located) && now->located != 0)
    run_phase(model.distances, record, now);
}

/// As update() does at a tick: what a condition sets is set where it becomes true.
void equations_event(void* record, const hilda_tick* now, const hilda_fired* fired, std::uint64_t count) {
  const Model& model = Model::of(head_of(record));
  for (const Model::Condition& each : model.conditions) {
    double &last = number_at(record, each.last), &sets = number_at(record, each.fired);
    sets = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (fired[i].crossing != &number_at(record, each.distance)) continue;
      const double now_true = fired[i].direction > 0 ? 1 : 0;
      if (last == 0) sets = now_true;
      last = now_true;
    }
  }
  if (count > 0) run_phase(model.event, record, now);
  for (const Model::Condition& each : model.conditions) number_at(record, each.fired) = 0;
}

const void* equations_extension(const char* name);

constexpr const char* equations_doc =
    "Equations, several lines with their own names, written inside the block: <input>, <output>, <parameter> and "
    "<state> declare names with shape and unit, <equation is=\"x' = v\"/> a rate of change, <equation is=\"n+ = n + "
    "1\"/> a next value, <equation is=\"y = k*x\"/> an output or another value; with when=\"v > 0\" a next value "
    "is "
    "taken at the sample at which the condition has become true, and where it is that of a state with a rate of change "
    "and crossings are located, at that very time. Shape and unit of every line are checked; rad counts "
    "as "
    "1. Where nothing inside has a unit, time is a plain number, too. Operators + - * / ^, comparisons, && || ! and c "
    "? a : b; elements x[0], A[0,1]; A*x is the matrix product. "
    "Functions sin cos tan asin acos atan sinh cosh tanh exp ln log (the same) log10 sqrt abs floor ceil round sign "
    "atan2 hypot mod pow min max, dot cross norm sum times divide transpose vector; pi, and the time t.";

hilda_block_type plain_equations(const char* name, const char* doc, std::uint32_t flags) {
  return equations::plain_type(name, doc, flags, &equations_extension);
}

using OwnEquations = equations::Written<Model>;

const hilda_block_type* make_equations(const hilda_body* body) {
  auto made = OwnEquations::read(body, plain_equations("Equations", equations_doc, 0));
  if (made == nullptr) return nullptr;
  hilda_block_type& type = made->type;
  const Model& model = *made->model;
  type.configure = &configure_equations;
  if (model.follows_time) type.flags |= HILDA_FOLLOWS_TIME;
  if (!model.states.empty()) type.initialize = &initialize_equations;
  if (!model.state_output.empty()) type.state_output = &equations_state_output;
  if (!model.output.empty()) type.output = &equations_output;
  if (!model.update.empty()) type.update = &equations_update;
  if (!model.derivative.empty()) type.derivative = &equations_derivative;
  if (model.has_events) type.event = &equations_event;
  return &made.release()->type;
}

constexpr const char* equation_tags[] = {"input", "output", "parameter", "state", "equation"};
constexpr hilda_ports_1 equation_ports = {
    sizeof(hilda_ports_1), 5, equation_tags, &make_equations, &equations::bind_record, &OwnEquations::release, nullptr};

const void* equations_extension(const char* name) {
  return std::strcmp(name, "hilda.ports/1") == 0 ? &equation_ports : nullptr;
}

const hilda::detail::Registration equations_registration{"Equations", equations_doc, {&plain_equations}};

} // namespace
