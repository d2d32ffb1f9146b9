// SPDX-License-Identifier: BSD-3-Clause
#include "chart_model.h"

#include <algorithm>
#include <cstring>
#include <optional>

// Which states and transitions there are.

namespace charts {
namespace {

std::vector<std::string> attributes_of(const std::string& tag) {
  if (tag == "state") return {"name", "start", "final", "entry", "during", "exit", "doc"};
  if (tag == "transition") return {"from", "to", "when", "do", "doc"};
  if (tag == "parameter") return {"name", "value", "unit", "shape", "doc"};
  if (tag == "output") return {"name", "initial", "unit", "shape", "doc"};
  return {"name", "unit", "shape", "doc"};
}

} // namespace

bool Chart::read_flag(std::uint64_t index, const char* name, bool& flag) const {
  const char* text = attribute(index, name);
  flag = text != nullptr && std::strcmp(text, "true") == 0;
  if (text == nullptr || flag || std::strcmp(text, "false") == 0) return true;
  refuse(index, name, std::string("is not a value of '") + name + "'", "it is true or false");
  return false;
}

bool Chart::declare(std::uint64_t index) {
  const char* name = attribute(index, "name");
  if (name != nullptr && std::strcmp(name, "state") == 0) {
    refuse(index, "name", "has the name 'state', which the output with the active state has", "choose another name");
    return false;
  }
  return declare_port(index);
}

bool Chart::add_state(std::uint64_t index) {
  ChartState made;
  made.child = index;
  const char* name = attribute(index, "name");
  if (name == nullptr || !equations::is_identifier(name)) {
    refuse(index, "name",
           name == nullptr ? "has no name" : std::string("has the name '") + name + "', which a state cannot have",
           "a name is letters, digits and '_', not beginning with a digit");
    return false;
  }
  made.name = made.path = name;
  for (const ChartState& each : states)
    if (each.name == made.name) {
      refuse(index, "name", "has the name '" + made.name + "', which another state has",
             "each state has its own name, those inside others too");
      return false;
    }
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].child == child(index).within) made.parent = static_cast<int>(i);
  if (made.parent >= 0) made.path = states[static_cast<std::size_t>(made.parent)].name + "." + made.name;
  if (!read_flag(index, "start", made.start) || !read_flag(index, "final", made.ends)) return false;
  states.push_back(std::move(made));
  return true;
}

/// The state that `from` or `to` names; -1 after a report.
int Chart::state_named(std::uint64_t index, const char* end) const {
  const char* name = attribute(index, end);
  std::vector<std::string> names;
  for (const ChartState& each : states) names.push_back(each.name);
  const auto found = name == nullptr ? names.end() : std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "" : ", ") + each;
  refuse(index, end,
         name == nullptr ? std::string("has no attribute '") + end + "'"
                         : std::string("leads ") + end + " '" + name + "', which is not a state of this chart" +
                               equations::near_miss(name, names),
         "there are: " + list);
  return -1;
}

bool Chart::add_transition(std::uint64_t index) {
  ChartTransition made;
  made.child = index;
  made.from = state_named(index, "from");
  made.to = state_named(index, "to");
  if (made.from < 0 || made.to < 0) return false;
  ChartState& from = states[static_cast<std::size_t>(made.from)];
  if (from.ends) {
    refuse(index, "from", "leaves '" + from.name + "', which is final",
           "remove the transition, or final=\"true\" of that state");
    return false;
  }
  from.transitions.push_back(transitions.size());
  transitions.push_back(std::move(made));
  return true;
}

/// The one state with which a chart, or a state that holds states, begins.
bool Chart::find_start(int parent) {
  const std::string where = parent < 0 ? "the chart" : "'" + states[static_cast<std::size_t>(parent)].name + "'";
  int& begins = parent < 0 ? start : states[static_cast<std::size_t>(parent)].first;
  const ChartState* any = nullptr;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const ChartState& each = states[i];
    if (each.parent != parent) continue;
    if (any == nullptr) any = &each;
    if (!each.start) continue;
    if (begins >= 0) {
      refuse(each.child, "name",
             "is where " + where + " begins, but so is '" + states[static_cast<std::size_t>(begins)].name + "'",
             "one of them has start=\"true\"");
      return false;
    }
    begins = static_cast<int>(i);
  }
  if (any == nullptr || begins >= 0) return true;
  refuse(any->child, nullptr, "is one of several of which none says that " + where + " begins with it",
         "give one of them start=\"true\"");
  return false;
}

bool Chart::join() {
  bool good = find_start(-1);
  for (std::size_t i = 0; i < states.size(); ++i)
    if (states[i].parent < 0) good = find_start(static_cast<int>(i)) && good;
  int number = 0;
  for (ChartState& each : states) {
    each.number = each.first < 0 ? number++ : -1;
    if (each.first >= 0 && each.ends) {
      refuse(each.child, "final", "is final, but holds states", "final=\"true\" belongs to one of those inside");
      good = false;
    }
  }
  return good;
}

bool Chart::read() {
  bool good = true;
  add_constants();
  numbers.push_back(0); // time in the state
  symbols_["time in state"] = {.kind = Symbol::Kind::number, .offset = time_in_state};
  symbols_["time in state"].type.unit = seconds();
  for (std::uint64_t i = 0; i < body_.child_count; ++i) {
    const std::string tag = child(i).tag;
    good = knows_attributes(i, attributes_of(tag)) && good;
    if (tag == "state")
      good = add_state(i) && good;
    else if (tag != "transition")
      good = declare(i) && good;
  }
  if (good && states.empty()) {
    refuse(body_.child_count, nullptr, "has no states",
           "write them inside: <state name=\"off\" start=\"true\"/> <state name=\"on\"/> <transition from=\"off\" "
           "to=\"on\" when=\"after(2 s)\"/>");
    return false;
  }
  if (!good) return false;
  for (std::uint64_t i = 0; i < body_.child_count; ++i)
    if (equations::is_tag(child(i), "transition")) good = add_transition(i) && good;
  good = join() && good;
  // All other faults are reported at once: the lines are read even where a transition leads nowhere.
  for (std::size_t i = 0, count = outputs_.size(); i < count; ++i) add_initial(outputs_[i]);
  place_all();
  if (!compile() || !good) return false;
  remark_on_ways();
  remark_on_order();
  add_slots();
  return true;
}

void Chart::place_all() {
  period = place(sizeof(double)), path = place(sizeof(char*));
  state_port = place(sizeof(std::int64_t));
  place_ports();
  for (const Declared& each : outputs_) row_bytes += static_cast<std::uint64_t>(each.type.count()) * sizeof(double);
  ports = outputs_.empty() ? record_size : outputs_.front().at;
  kept = place(row_bytes);
  work = place(row_bytes);
  for (const Declared& each : outputs_) {
    symbols_[each.name].kind = Symbol::Kind::memory;
    symbols_[each.name].offset = each.at - ports + work;
    initials.push_back({each.at - ports + kept, find(parameters_, each.name + "_initial")->at,
                        static_cast<std::uint64_t>(each.type.count()) * sizeof(double)});
  }
  const std::uint64_t word = sizeof(std::int64_t);
  active = place(word), since = place(2 * word);
  visits = place(states.size() * word), samples = place(states.size() * word);
}

std::string Chart::names_of_states() const {
  std::string names;
  for (const ChartState& each : states)
    if (each.number >= 0) names += (names.empty() ? "" : "|") + each.path;
  return names;
}

void Chart::add_slots() {
  for (const Declared& each : inputs_) add_slot(HILDA_INPUT, each, used_.contains(each.name) ? 0 : HILDA_IN_UPDATE);
  const auto whole = [&](std::uint32_t role, const char* name, const char* doc, std::uint64_t at, std::size_t count) {
    Declared what;
    what.name = name, what.doc = doc, what.at = at, what.type.rows = static_cast<int>(count);
    hilda_slot& slot = add_slot(role, what, 0);
    slot.element = HILDA_I64;
    return &slot;
  };
  std::string doc = "Number of the active state";
  for (const ChartState& each : states)
    if (each.number >= 0) doc += (each.number == 0 ? ": " : ", ") + std::to_string(each.number) + " " + each.path;
  whole(HILDA_OUTPUT, "state", doc.c_str(), state_port, 1)->choices = keep(names_of_states());
  for (const Declared& each : outputs_) add_slot(HILDA_OUTPUT, each, 0);
  for (const Declared& each : parameters_) add_slot(HILDA_PARAMETER, each, HILDA_LIVE);
  for (const Declared& each : outputs_) {
    Declared row = each;
    row.name = each.name + ".kept", row.doc = "What actions gave " + each.name, row.at = each.at - ports + kept;
    add_slot(HILDA_STATE, row, 0);
    row.name = each.name + ".work", row.doc = each.name + " within a sample", row.at = each.at - ports + work;
    add_slot(HILDA_WORK, row, 0);
  }
  whole(HILDA_STATE, "chart.active", "The active state; -1 before the first sample", active, 1);
  whole(HILDA_STATE, "chart.since", "Samples at which it, and the one around it, were entered", since, 2);
  whole(HILDA_STATE, "chart.visits", "How often each state was entered", visits, states.size());
  whole(HILDA_STATE, "chart.samples", "How many samples each state was active", samples, states.size());
  close_slots();
}

} // namespace charts
