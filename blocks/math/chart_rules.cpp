// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/chart_model.h"

#include <algorithm>
#include <string_view>

// Guards and actions as programs, and the faults of a chart that can be found before it runs.

namespace charts {
namespace {

using equations::Compiler;
using equations::Equation;
using equations::Refusal;

void refuse_unknown_calls(const Node& node) {
  if (node.kind == Node::Kind::call) equations::refuse_unknown_function(node.text, {"after"});
  for (const Node& each : node.of) refuse_unknown_calls(each);
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (parts.size() > 1 && parts.back().find_first_not_of(' ') == std::string::npos) parts.pop_back();
  return parts;
}

} // namespace

/// Does it depend on anything that may differ at each sample?
bool Chart::changes(const Node& node) const {
  const bool here = node.kind == Node::Kind::name &&
                    (node.text == "t" || find(inputs_, node.text) != nullptr || find(outputs_, node.text) != nullptr);
  return here || std::any_of(node.of.begin(), node.of.end(), [this](const Node& each) { return changes(each); });
}

/// The time alone: a wait below zero would be over before it has begun, and one that is NaN never.
void Chart::wait_for(const Node& time, ChartTransition& of) {
  Compiler compiler(symbols_, numbers, unit_text());
  Type second;
  second.unit = seconds();
  const Compiler::Value value = compiler.compile(time);
  compiler.fit(value, second, "after()");
  const auto name = [this](int state) { return "'" + states[static_cast<std::size_t>(state)].path + "'"; };
  of.waits.push_back({std::move(compiler.program), value.at, !changes(time),
                      keep("after() in the transition from " + name(of.from) + " to " + name(of.to) +
                           " is given a time below zero, or none")});
}

/// after(T) as what it means: the time in the state has reached T.
Node Chart::timed(const Node& node, ChartTransition& of) {
  Node made = node;
  made.of.clear();
  for (const Node& each : node.of) made.of.push_back(timed(each, of));
  if (node.kind != Node::Kind::call || node.text != "after") return made;
  if (node.of.size() != 1) throw Refusal("has after() without one time in it", "write after(2 s), or after(wait)");
  Node& time = made.of[0];
  if (time.kind == Node::Kind::number && time.text.empty())
    throw Refusal("has after() of a number without a unit", "write after(2 s), or after(500 ms)");
  if (time.kind == Node::Kind::number) {
    double factor = 1;
    Symbol symbol{.kind = Symbol::Kind::constant, .type = {}, .number = time.number};
    if (body_.unit(body_.engine, of.child, time.text.c_str(), symbol.type.unit.data(), &factor) != 0)
      throw Refusal("has '" + time.text + "' in after(), which is not a unit", "write after(2 s), or after(500 ms)");
    symbol.number *= factor;
    time.kind = Node::Kind::name;
    time.text = std::to_string(symbols_.size()) + " " + time.text; // no name of the diagram has a blank
    symbols_[time.text] = symbol;
  }
  wait_for(time, of);
  made.kind = Node::Kind::operation, made.text = ">=";
  made.of.insert(made.of.begin(), Node{.kind = Node::Kind::name, .number = 0, .text = "time in state", .of = {}});
  return made;
}

bool Chart::compile_guard(ChartTransition& of) {
  const char* text = attribute(of.child, "when");
  if (text == nullptr) return true;
  try {
    const Node guard = equations::read_expression(text);
    refuse_unknown_calls(guard);
    equations::want_condition(guard);
    Compiler compiler(symbols_, numbers, unit_text());
    const Compiler::Value value = compiler.compile(timed(guard, of));
    compiler.fit(value, Type{}, "the condition");
    used_.insert(compiler.inputs.begin(), compiler.inputs.end());
    of.has_guard = true, of.truth = value.at, of.guard = std::move(compiler.program);
  } catch (const Refusal& refusal) {
    refuse(of.child, "when", refusal.what(), refusal.help);
    return false;
  }
  return true;
}

/// "lamp = 1; n = n + 1": one after the other, each with the values that the one before has left.
bool Chart::compile_actions(std::uint64_t index, const char* name, Program& into) {
  const char* text = attribute(index, name);
  if (text == nullptr) return true;
  try {
    for (const std::string& part : parts_of(text)) {
      const Equation line = equations::read_equation(part);
      const Declared* to = find(outputs_, line.left);
      if (line.form != Equation::Form::value || to == nullptr) {
        std::vector<std::string> names;
        for (const Declared& each : outputs_) names.push_back(each.name);
        throw Refusal("sets '" + line.left + "', which is not an output of this chart" +
                          equations::near_miss(line.left, names),
                      "an action gives an output a value, which it keeps: write y = 1, or y = y + 1; declare <output "
                      "name=\"...\"/>");
      }
      Compiler compiler(symbols_, numbers, unit_text());
      const Compiler::Value value = compiler.compile(line.right);
      compiler.fit(value, to->type, "the output '" + to->name + "'");
      compiler.store(value, to->type, symbols_.at(to->name).offset);
      used_.insert(compiler.inputs.begin(), compiler.inputs.end());
      into.steps.insert(into.steps.end(), compiler.program.steps.begin(), compiler.program.steps.end());
    }
  } catch (const Refusal& refusal) {
    refuse(index, name, refusal.what(), refusal.help);
    return false;
  }
  return true;
}

bool Chart::compile() {
  bool good = true;
  for (ChartState& each : states) {
    good = compile_actions(each.child, "entry", each.entry) && good;
    good = compile_actions(each.child, "during", each.during) && good;
    good = compile_actions(each.child, "exit", each.leaving) && good;
  }
  for (ChartTransition& each : transitions) {
    good = compile_guard(each) && good;
    good = compile_actions(each.child, "do", each.action) && good;
  }
  return good;
}

std::vector<bool> Chart::reachable() const {
  std::vector<bool> reached(states.size(), false);
  std::vector<int> open = {start};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (at < 0 || reached[static_cast<std::size_t>(at)]) continue;
    reached[static_cast<std::size_t>(at)] = true;
    const ChartState& state = states[static_cast<std::size_t>(at)];
    open.push_back(state.first);
    if (state.parent >= 0 && !reached[static_cast<std::size_t>(state.parent)]) {
      reached[static_cast<std::size_t>(state.parent)] = true; // with this one inside, and not its first
      for (const std::size_t t : states[static_cast<std::size_t>(state.parent)].transitions)
        open.push_back(transitions[t].to);
    }
    for (const std::size_t t : state.transitions) open.push_back(transitions[t].to);
  }
  return reached;
}

/// States that no way leads to, and those that no way leads out of.
void Chart::remark_on_ways() {
  const std::vector<bool> reached = reachable();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ChartState& state = states[i];
    if (!reached[i]) {
      warn(state.child, "name", "is never reached: no transition leads there from where the chart begins",
           "add a transition, or remove the state");
      continue;
    }
    const bool outer_leaves = state.parent >= 0 && !states[static_cast<std::size_t>(state.parent)].transitions.empty();
    if (state.first < 0 && !state.ends && states.size() > 1 && state.transitions.empty() && !outer_leaves)
      warn(state.child, "name", "cannot be left: no transition begins there",
           "add a transition, or say that it is meant with final=\"true\"");
  }
}

/// Of one state, transitions behind one without a guard.
void Chart::remark_on_order() {
  for (const ChartState& state : states) {
    const ChartTransition* always = nullptr;
    for (const std::size_t t : state.transitions) {
      const ChartTransition& each = transitions[t];
      if (always != nullptr)
        warn(each.child, "to", "is never taken: a transition without 'when' is before it",
             "the first in the file that holds is taken: move it up, or give that one a condition");
      else if (!each.has_guard)
        always = &each;
    }
  }
}

} // namespace charts
