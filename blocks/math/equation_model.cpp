// SPDX-License-Identifier: BSD-3-Clause
#include "equation_model.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace equations {
namespace {

/// The attributes that an element may have.
std::vector<std::string> attributes_of(const std::string& tag) {
  if (tag == "equation") return {"is", "when", "doc"};
  if (tag == "parameter") return {"name", "value", "unit", "shape", "doc"};
  if (tag == "state") return {"name", "initial", "unit", "shape", "doc"};
  return {"name", "unit", "shape", "doc"};
}

} // namespace

bool Model::declare(std::uint64_t index) {
  if (!is_tag(child(index), "state")) return declare_port(index);
  const std::optional<Declared> made = read_declared(index);
  if (!made) return false;
  symbols_[made->name] = {.kind = Symbol::Kind::memory, .type = made->type};
  states.push_back({.name = made->name, .type = made->type, .child = index});
  add_initial(*made);
  return true;
}

bool Model::read_line(std::uint64_t index) {
  const char *is = attribute(index, "is"), *when = attribute(index, "when");
  if (is == nullptr) {
    refuse(index, nullptr, "has no attribute 'is'", "write <equation is=\"x' = v\"/>");
    return false;
  }
  Line line;
  line.child = index;
  const char* reading = "is";
  try {
    line.equation = read_equation(is);
    reading = "when";
    if (when != nullptr) line.when = read_expression(when), line.has_when = true;
  } catch (const Refusal& refusal) {
    refuse(index, reading, refusal.what(), refusal.help);
    return false;
  }
  if (line.has_when && line.equation.form != Equation::Form::next) {
    refuse(index, "when", "has a condition, but sets no next value",
           "when it becomes true a state is set: write n+ = n + 1");
    return false;
  }
  lines_.push_back(std::move(line));
  return true;
}

bool Model::reads_input(const Node& node) const {
  std::vector<std::string> names;
  collect_names(node, names);
  return std::any_of(names.begin(), names.end(), [&](const std::string& each) {
    const auto found = from_input_.find(each);
    return find(inputs_, each) != nullptr || (found != from_input_.end() && found->second);
  });
}

void Model::compile_outputs(Compiler& compiler, bool from_inputs) {
  for (const Line& line : defining_) {
    const Declared* declared = find(outputs_, line.equation.left);
    if (from_input_.at(line.equation.left) != from_inputs && declared != nullptr) continue;
    if (!from_inputs && from_input_.at(line.equation.left)) continue;
    at_fault_ = line.child;
    compiler.define(line.equation.left, line.equation.right);
  }
  for (const Declared& each : outputs_) {
    if (from_input_.at(each.name) != from_inputs) continue;
    at_fault_ = each.child;
    for (const Line& line : defining_)
      if (line.equation.left == each.name) at_fault_ = line.child;
    Node name{.kind = Node::Kind::name, .number = 0, .text = each.name, .of = {}};
    const Compiler::Value value = compiler.compile(name);
    compiler.fit(value, each.type, "the output '" + each.name + "'");
    compiler.store(value, each.type, each.at);
  }
}

/// What a `when` sets as its condition becomes true; at a tick all next values, and the conditions as they are now.
void Model::compile_updates(Compiler& compiler, bool at_events) {
  struct Setting {
    const State* of;
    Compiler::Value value, condition;
    bool always;
  };
  std::vector<Setting> settings;
  std::vector<std::pair<Compiler::Value, std::uint64_t>> conditions_now;
  std::size_t next = 0;
  const Type plain{};
  const auto named = [](const std::string& text) {
    return Node{.kind = Node::Kind::name, .number = 0, .text = text, .of = {}};
  };
  for (const Line& line : lines_) {
    if (line.equation.form != Equation::Form::next || (at_events && !line.has_when)) continue;
    at_fault_ = line.child;
    const State& of = *find(states, line.equation.left);
    Setting made{&of, compiler.compile(line.equation.right), {}, !line.has_when};
    compiler.fit(made.value, of.type, "the state '" + of.name + "'");
    if (line.has_when) {
      const Condition& condition = conditions[next++];
      const std::string number = std::to_string(next), before = "when " + number, fired = "fired " + number;
      symbols_[before] = {.kind = Symbol::Kind::memory, .offset = condition.last};
      symbols_[fired] = {.kind = Symbol::Kind::memory, .offset = condition.fired};
      const Node fresh{
          .kind = Node::Kind::operation,
          .number = 0,
          .text = "&&",
          .of = {line.when, {.kind = Node::Kind::inversion, .number = 0, .text = "", .of = {named(before)}}}};
      made.condition = compiler.compile(at_events ? named(fired) : fresh);
      compiler.fit(made.condition, plain, "the condition");
      if (!at_events) conditions_now.emplace_back(compiler.compile(line.when), condition.last);
    }
    settings.push_back(made);
  }
  // All right sides are those before: nothing is written until all is read.
  for (const Setting& each : settings)
    if (each.always)
      compiler.store(each.value, each.of->type, each.of->at);
    else
      compiler.store_if(each.condition, each.value, each.of->type, each.of->at);
  for (const auto& [value, at] : conditions_now) compiler.store(value, plain, at);
}

void Model::compile_distances(Compiler& compiler) {
  std::size_t next = 0;
  for (const Line& line : lines_) {
    if (!line.has_when) continue;
    at_fault_ = line.child;
    compiler.store(compiler.distance(line.when), Type{}, conditions[next++].distance);
  }
}

/// A state that has a rate of change is set by a `when`, and none at each tick, which would not be an event.
bool Model::sets_between_ticks() const {
  bool sets = false;
  for (const Line& line : lines_) {
    if (line.equation.form != Equation::Form::next || !find(states, line.equation.left)->continuous) continue;
    if (!line.has_when) return false;
    sets = true;
  }
  return sets;
}

bool Model::compile() {
  for (const Line& line : defining_) from_input_[line.equation.left] = reads_input(line.equation.right);
  // Each line by itself, so that all faults are reported; a line on which both kinds of outputs depend, once.
  std::vector<std::uint64_t> refused;
  const auto attempt = [&](const auto& work) {
    try {
      work();
    } catch (const Refusal& refusal) {
      if (std::find(refused.begin(), refused.end(), at_fault_) != refused.end()) return;
      refused.push_back(at_fault_);
      refuse(at_fault_, "is", refusal.what(), refusal.help);
    }
  };
  Compiler of_states(symbols_, numbers, unit_text()), of_inputs(symbols_, numbers, unit_text()),
      rates(symbols_, numbers, unit_text()), updates(symbols_, numbers, unit_text()),
      events(symbols_, numbers, unit_text()), distances_of(symbols_, numbers, unit_text());
  attempt([&] { compile_outputs(of_states, false); });
  attempt([&] { compile_outputs(of_inputs, true); });
  const Powers second = seconds();
  for (const Line& line : lines_) {
    if (line.equation.form != Equation::Form::derivative) continue;
    at_fault_ = line.child;
    attempt([&] {
      const State& of = *find(states, line.equation.left);
      Type rate = of.type;
      for (std::size_t i = 0; i < rate.unit.size(); ++i) rate.unit[i] -= second[i];
      const Compiler::Value value = rates.compile(line.equation.right);
      rates.fit(value, rate, "the rate of change of '" + of.name + "'");
      rates.store(value, rate, of.derivative);
    });
  }
  attempt([&] { compile_updates(updates, false); });
  if (!refused.empty()) return false;
  if (has_events) compile_updates(events, true), compile_distances(distances_of);
  feeding_ = of_inputs.inputs;
  follows_time = of_states.time || of_inputs.time || rates.time || distances_of.time;
  state_output = std::move(of_states.program);
  output = std::move(of_inputs.program);
  derivative = std::move(rates.program);
  update = std::move(updates.program);
  event = std::move(events.program);
  distances = std::move(distances_of.program);
  return true;
}

void Model::add_slots() {
  for (const Declared& each : inputs_) add_slot(HILDA_INPUT, each, feeding_.contains(each.name) ? 0 : HILDA_IN_UPDATE);
  for (const Declared& each : outputs_)
    add_slot(HILDA_OUTPUT, each, from_input_.at(each.name) ? 0 : HILDA_STATE_OUTPUT);
  for (const Declared& each : parameters_) add_slot(HILDA_PARAMETER, each, HILDA_LIVE);
  for (const State& each : states) {
    Declared what{.name = each.name,
                  .unit = attribute(each.child, "unit") == nullptr ? "" : attribute(each.child, "unit"),
                  .shape = {},
                  .doc = {},
                  .initial = {},
                  .type = each.type};
    if (attribute(each.child, "doc") != nullptr) what.doc = attribute(each.child, "doc");
    what.at = each.at;
    add_slot(HILDA_STATE, what, each.continuous ? HILDA_CONTINUOUS : 0, each.derivative);
  }
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    Declared what;
    what.name = "when_" + std::to_string(i + 1);
    what.doc = "Whether this condition was true at the last sample";
    what.at = conditions[i].last;
    add_slot(HILDA_STATE, what, 0);
    if (!has_events) continue;
    what.name += "_distance";
    what.doc = "Above 0 where the condition is true";
    what.at = conditions[i].distance;
    add_slot(HILDA_WORK, what, HILDA_CROSSING, conditions[i].side);
  }
  close_slots();
}

bool Model::read() {
  if (!read_body() || !lay_out()) return false;
  add_slots();
  return true;
}

bool Model::read_body() {
  bool good = true;
  if (body_.child_count == 0) {
    refuse(0, nullptr, "has no equations", "write them inside: <state name=\"x\"/> <equation is=\"x' = -x/tau\"/>");
    return false;
  }
  take_plain_time();
  add_constants();
  for (std::uint64_t i = 0; i < body_.child_count; ++i) {
    const std::string tag = child(i).tag;
    good = knows_attributes(i, attributes_of(tag)) && good;
    good = (tag == "equation" ? read_line(i) : declare(i)) && good;
  }
  return good && assign() && sort_lines() && check_conditions();
}

bool Model::lay_out() {
  place_ports();
  for (State& each : states) {
    symbols_[each.name].offset = each.at = place(each.type);
    if (each.continuous) each.derivative = place(each.type);
    each.initial = find(parameters_, each.name + "_initial")->at;
  }
  has_events = sets_between_ticks();
  const auto more = [&] { return has_events ? place(Type{}) : 0; };
  for (const Line& line : lines_)
    if (line.has_when)
      conditions.push_back({.last = place(Type{}), .distance = more(), .side = more(), .fired = more()});
  return compile();
}

} // namespace equations
