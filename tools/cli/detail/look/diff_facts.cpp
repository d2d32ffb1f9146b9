// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/look/diff_facts.h"

#include "engine/base/word_list.h"
#include "engine/diagram/element_kinds.h"
#include "engine/diagram/search_roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace hilda::cli {
namespace {

/// The same number, but for the rounding of two units.
bool same_number(double a, double b) {
  constexpr double rounding = 1e-12;
  return a == b || std::abs(a - b) <= rounding * std::max(std::abs(a), std::abs(b)) || (std::isnan(a) && std::isnan(b));
}

std::string list_text(const std::vector<double>& numbers, int rows, int cols) {
  constexpr std::size_t shown = 12;
  if (numbers.size() > shown) {
    std::string text;
    for (std::size_t i = 0; i < 3; ++i) text += decimal(numbers[i]) + " ";
    return text + "... (" + std::to_string(rows) + (cols > 1 ? "x" + std::to_string(cols) : "") + " numbers)";
  }
  const bool flat = cols <= 1 || static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols) != numbers.size();
  const int lines = flat ? 1 : rows, width = flat ? static_cast<int>(numbers.size()) : cols;
  std::string text;
  for (int row = 0; row < lines; ++row)
    for (int col = 0; col < width; ++col) {
      if (!text.empty()) text += col == 0 ? "; " : " ";
      text += decimal(numbers[static_cast<std::size_t>(flat ? col : col * rows + row)]);
    }
  return text;
}

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Fact parameter_fact(const SystemBlock& block, const ParameterValue& parameter) {
  const SlotIndex index = parameter.slot;
  const Slot& slot = block.type->slots[index];
  const Value& value = parameter.value;
  switch (slot.element) {
  case HILDA_TEXT: return {"\"" + value.text + "\"", value.text, {}, block.path};
  case HILDA_CHOICE: return {value.text, value.text, {}, block.path};
  case HILDA_PATH: // a file means what is in it
    return {value.text.empty() ? "no file" : shown_path(value.text), bytes_of(value.text), {}, block.path};
  case HILDA_U8: {
    std::string text;
    for (const double number : value.numbers)
      text += (text.empty() ? "" : " ") + std::string(number != 0 ? "true" : "false");
    return {text, text, value.numbers, block.path};
  }
  case HILDA_F64:
  case HILDA_I64:
  case HILDA_U64: break;
  }
  std::string text = list_text(value.numbers, value.extent.rows, value.extent.cols);
  const Shared<Unit> unit = block.slot_types.has(index) ? block.slot_types[index].unit : Shared<Unit>();
  if (unit && !unit->dimensionless() && slot.kind == HILDA_PLAIN) text += " " + unit->text();
  return {text, value.extent.text(), value.numbers, block.path};
}

/// "rig.sensor.wrench.force.x"
std::string end_text(const System& system, const PortRef& ref) {
  if (!ref.block.valid() || !ref.slot.valid()) return "?";
  const SystemBlock& block = system.blocks[ref.block];
  std::string text = block.path + "." + block.type->slots[ref.slot].name;
  if (ref.item >= 0) text += "[" + std::to_string(ref.item) + "]";
  for (const std::string& part : ref.part) text += (part.front() == '[' ? "" : ".") + part;
  return text;
}

/// The same for all spellings of one part: wrench.force.x is wrench[0].
std::string part_key(const System& system, PortRef ref, int offset, int count) {
  ref.part.clear();
  return end_text(system, ref) + " " + std::to_string(offset) + " " + std::to_string(count);
}

void collect_blocks(const System& system, Facts& facts) {
  for (const SystemBlock& block : system.blocks) {
    if (block.type == nullptr) continue;
    facts.of[Facts::block][block.path] = {block.type->name, block.type->name, {}, ""};
    for (const ParameterValue& parameter : block.parameters)
      facts.of[Facts::parameter][block.path + "." + block.type->slots[parameter.slot].name] =
          parameter_fact(block, parameter);
    const std::string rate = rate_text(system, block);
    facts.of[Facts::rate][block.path] = {rate, rate, {}, block.path};
  }
}

void collect_wires(const System& system, Facts& facts) {
  for (const Wire& wire : system.wires) {
    if (!wire.to.block.valid()) continue;
    const std::string key = part_key(system, wire.from, wire.offset, wire.type.rows * wire.type.cols);
    facts.of[Facts::wire][end_text(system, wire.to)] = {
        end_text(system, wire.from), key, {}, system.blocks[wire.to.block].path};
  }
}

void collect_conditions(const System& system, Facts& facts) {
  for (const Guard& guard : system.guards) {
    std::string text;
    if (guard.has_enable) text += "enabled by " + end_text(system, guard.signal);
    if (guard.has_reset) add_word(text, "reset by " + end_text(system, guard.reset));
    if (guard.edge != Guard::Edge::none) {
      static constexpr const char* edges[] = {"", "rising", "falling", "either"};
      add_word(text, std::string("at ") + edges[static_cast<int>(guard.edge)] + " edges of " +
                         end_text(system, guard.trigger));
    }
    if (guard.has_enable) text += guard.reset_outputs ? ", zero while disabled" : ", holds while disabled";
    facts.of[Facts::condition][guard.path] = {text, text, {}, ""};
  }
}

void collect_power_ports(const System& system, Facts& facts) {
  for (const PowerPort& port : system.power_ports) {
    const std::string more = " (" + port.rule + ")" + (port.from.empty() ? "" : " from " + port.from) +
                             (port.to.empty() ? "" : " to " + port.to);
    facts.of[Facts::power_port][port.name] = {end_text(system, port.effort) + " x " + end_text(system, port.flow) +
                                                  more,
                                              part_key(system, port.effort, port.effort_offset, port.count) + " x " +
                                                  part_key(system, port.flow, port.flow_offset, port.count) + more,
                                              {},
                                              ""};
  }
}

/// "m/s"; of a plain signal its limits are in its own unit.
std::string limit_unit(std::size_t kind) {
  const std::string unit = MotionLimits::units[kind];
  return unit.empty() ? "" : " " + unit;
}

void collect_limits(const System& system, Facts& facts) {
  for (const Limits& each : system.limits) {
    const std::string input = end_text(system, each.input);
    const std::string& block = system.blocks[each.input.block].path;
    const auto enter = [&](const std::string& name, double number, const std::string& unit) {
      facts.of[Facts::limit][input + " " + name] = {decimal(number) + unit, "", {number}, block};
    };
    for (std::size_t kind = 0; kind < MotionLimits::count; ++kind)
      if (std::isfinite(each.limits.most[kind]))
        enter(MotionLimits::names[kind], each.limits.most[kind], limit_unit(kind));
    enter("stop_time", each.limits.stop_time, " s");
    enter("hold", each.limits.hold, " s");
  }
}

void collect_quality(const System& system, Facts& facts) {
  for (const Quality& each : system.quality)
    for (std::size_t kind = 0; kind < QualityLimits::count; ++kind) {
      if (!each.limits.asks_for(static_cast<QualityLimits::Kind>(kind))) continue;
      const double number = each.limits.given[kind];
      const char* const unit = kind == QualityLimits::delay ? " s" : kind == QualityLimits::rate ? " 1/s" : "";
      facts.of[Facts::quality][end_text(system, each.output) + " " + QualityLimits::names[kind]] = {
          decimal(number) + unit, "", {number}, system.blocks[each.output.block].path};
    }
}

/// The words as they are known from the top.
std::string list_text(const SignalList& list) {
  std::string text;
  for (const std::string& word : list.words)
    text += (text.empty() ? "" : " ") + (list.scope.empty() ? word : list.scope + "." + word);
  return text;
}

/// By what they name: of several elements for the same signals the last counts.
void collect_observed(const System& system, Facts& facts) {
  for (const LogRule& rule : system.logs) {
    if (!rule.decides) continue;
    std::string text = "recorded";
    if (Rational(0) < rule.every) text += " every " + time_text(rule.every);
    if (rule.when.block.valid()) text += " while " + end_text(system, rule.when);
    facts.of[Facts::log][list_text(rule.signals)] = {text, text, {}, ""};
  }
  for (const FigureRule& rule : system.figures) {
    const std::string text = list_text(rule.signals);
    facts.of[Facts::figure][rule.title] = {text, text, {}, ""};
  }
}

void collect_live(const System& system, Facts& facts) {
  for (const LiveRate& each : system.live_rates)
    facts.of[Facts::live][each.path] = {"at most " + decimal(each.rate) + " a second, in SI", "", {each.rate}, ""};
}

/// How long it runs, in s.
std::optional<double> duration_of(const System& system) {
  for (const NamedParameter& parameter : system.parameters) {
    if (parameter.path != "duration") continue;
    const Result<Shaped> fitted =
        fit(parameter.value, {Wanted::Element::real, Extent::scalar(), *parse_unit("s"), "s"});
    if (fitted) return fitted->numbers[0];
  }
  return std::nullopt;
}

void collect_run(const System& system, Facts& facts) {
  auto& run = facts.of[Facts::run];
  const std::string period = time_text(system.period);
  run["period"] = {period, period, {}, ""};
  const SolverSettings& solver = system.solver;
  const std::string name = solver_name(solver.kind);
  run["solver"] = {name, name, {}, ""};
  if (solver.located) run["events"] = {"located", "located", {}, ""};
  if (has_variable_step(solver.kind)) {
    run["rtol"] = {decimal(solver.rtol), "", {solver.rtol}, ""};
    run["atol"] = {decimal(solver.atol), "", {solver.atol}, ""};
    run["max_step"] = {decimal(solver.max_step) + " s", "", {solver.max_step}, ""};
    for (const StateTolerance& each : solver.states)
      run["atol " + each.path] = {each.given.text, each.given.text, {}, ""};
  }
  if (const std::optional<double> duration = duration_of(system))
    run["duration"] = {decimal(*duration) + " s", "", {*duration}, ""};
  if (system.realtime.where.file == nullptr) return;
  const std::string priority = std::to_string(system.realtime.priority);
  run["realtime priority"] = {priority, priority, {}, ""};
  const std::string lost = std::to_string(system.realtime.lost_in_a_row);
  run["realtime lost_in_a_row"] = {lost, lost, {}, ""};
  std::string processors;
  for (const int each : system.realtime.processors)
    processors += (processors.empty() ? "" : " ") + std::to_string(each);
  if (processors.empty()) processors = "any";
  run["realtime processors"] = {processors, processors, {}, ""};
}

struct KindWords {
  const char* title;
  std::string_view name;
};
constexpr std::array<KindWords, Facts::kinds> kind_words{{{"Run", "run"},
                                                          {"Blocks", "block"},
                                                          {"Parameters", "parameter"},
                                                          {"Wires", "wire"},
                                                          {"Rates", "rate"},
                                                          {"Conditions", "condition"},
                                                          {"Power ports", elements::power_port.tag},
                                                          {"Limits of motion", "limit"},
                                                          {"Quality of measurements", "quality"},
                                                          {"Recording", "log"},
                                                          {"Figures", "figure"},
                                                          {"Live parameters", "live"}}};

} // namespace

bool Fact::equals(const Fact& other) const {
  if (key != other.key || numbers.size() != other.numbers.size()) return false;
  return std::equal(numbers.begin(), numbers.end(), other.numbers.begin(), &same_number);
}

const char* title_of(Facts::Kind kind) { return kind_words[kind].title; }

std::string_view name_of(Facts::Kind kind) { return kind_words[kind].name; }

Facts facts_of(const System& system) {
  Facts facts;
  collect_run(system, facts);
  collect_blocks(system, facts);
  collect_wires(system, facts);
  collect_conditions(system, facts);
  collect_power_ports(system, facts);
  collect_limits(system, facts);
  collect_quality(system, facts);
  collect_observed(system, facts);
  collect_live(system, facts);
  return facts;
}

std::vector<DiagramDifference> differences(const Facts& a, const Facts& b) {
  std::vector<DiagramDifference> all;
  std::set<std::string> other; // blocks whose details have nothing to be compared with
  for (int k = 0; k < Facts::kinds; ++k) {
    const auto kind = static_cast<Facts::Kind>(k);
    std::set<std::string> names;
    for (const Facts* side : {&a, &b})
      for (const auto& entry : side->of[kind]) names.insert(entry.first);
    for (const std::string& name : names) {
      const auto in_a = a.of[kind].find(name), in_b = b.of[kind].find(name);
      const Fact* left = in_a == a.of[kind].end() ? nullptr : &in_a->second;
      const Fact* right = in_b == b.of[kind].end() ? nullptr : &in_b->second;
      if (left != nullptr && right != nullptr && left->equals(*right)) continue;
      const Fact* either = left != nullptr ? left : right;
      if (either == nullptr || other.count(either->block) != 0) continue;
      if (kind == Facts::block) other.insert(name);
      all.push_back({kind, name, left, right});
    }
  }
  return all;
}

} // namespace hilda::cli
