// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/driven_type.h"
#include "engine/quantity/unit.h"
#include "tools/graphics/detail/plot/ticks.h"
#include "tools/graphics/sketch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::graphics::draw {
namespace {

constexpr std::size_t longest = 30; ///< characters of a line

std::string spoken(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

bool says_nothing(const Value& value) {
  return std::all_of(value.numbers.begin(), value.numbers.end(), [](double v) { return v == 0 || !std::isfinite(v); });
}

/// Whether the text of a value is a number with its unit, as people write it, and no expression. The unit of a block's
/// parameter has become the slot's by now: "1 Hz" is in rad/s.
bool as_written(const Value& value) {
  const std::size_t end = value.text.find_first_not_of("0123456789.eE+-; ");
  if (value.calculated || value.basis != Value::Basis::measured || end == std::string::npos || end == 0) return false;
  return static_cast<bool>(parse_unit(value.text.substr(end)));
}

/// "20 ms", "0 0 1", "on"; empty where it is too long to be read.
std::string value_text(const Value& value, const std::string& slot_unit) {
  std::string text;
  if (value.kind != Value::Kind::number || as_written(value)) {
    text = value.text; // the author chose the unit
  } else {
    std::string unit = slot_unit;
    if (const auto written = value.unit(); written && !written->dimensionless()) unit = written->written_text();
    double largest = 0;
    for (const double v : value.numbers) largest = std::max(largest, std::abs(v));
    plot::AxisUnit shown = plot::axis_unit(unit, largest);
    // a port is 47101, not 47.101 1e3
    if (value.basis_of(0) == Value::Basis::bare || shown.text.starts_with("1e")) shown = {1, unit};
    for (const double v : value.numbers) text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", v / shown.factor);
    if (!shown.text.empty()) text += " " + shown.text;
  }
  return text.size() > longest ? "" : text;
}

} // namespace

namespace {

/// With `zeros` also what is 0, where the author had to say so: a constant of 0.
std::vector<std::string> told_parameters(const SystemBlock& block, std::size_t most, bool zeros) {
  std::vector<std::string> lines;
  for (const ParameterValue& each : block.parameters) {
    const Slot& slot = block.type->slots[each.slot];
    const bool nothing = each.value.kind == Value::Kind::number && says_nothing(each.value);
    if (lines.size() == most || (nothing && (!zeros || slot.initial)) ||
        (slot.initial && each.value.text == *slot.initial) || is_driven(*block.type, each.slot))
      continue;
    if (slot.name == "seed" || slot.element == HILDA_PATH) continue;
    const bool plain = slot.unit_text.empty() || slot.unit_text == "1" || slot.unit_text.find('@') != std::string::npos;
    const std::string value = value_text(each.value, plain ? "" : slot.unit_text);
    if (!value.empty() && value.size() + slot.name.size() <= longest) lines.push_back(spoken(slot.name) + " " + value);
  }
  return lines;
}

} // namespace

std::vector<std::string> key_parameters(const SystemBlock& block, std::size_t most) {
  const std::vector<std::string> lines = told_parameters(block, most, false);
  return lines.empty() ? told_parameters(block, 1, true) : lines;
}

std::vector<std::string> key_parameters(const System& system, const std::string& subsystem, std::size_t most) {
  std::vector<std::string> lines;
  for (const NamedParameter& each : system.parameters) {
    if (lines.size() == most) break;
    if (!each.path.starts_with(subsystem + ".") || each.path.find('.', subsystem.size() + 1) != std::string::npos)
      continue;
    // of a subsystem's many parameters those with a unit tell most
    if (each.value.kind != Value::Kind::number || each.value.numbers.size() != 1 || says_nothing(each.value)) continue;
    const auto unit = each.value.unit();
    if (!unit || unit->dimensionless()) continue;
    const std::string name = each.path.substr(subsystem.size() + 1), value = value_text(each.value, "");
    if (!value.empty() && value.size() + name.size() <= longest) lines.push_back(spoken(name) + " " + value);
  }
  return lines;
}

} // namespace hilda::graphics::draw
