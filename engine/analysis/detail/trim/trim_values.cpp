// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/trim/trim_values.h"

#include "engine/base/error.h"
#include "engine/diagram/suggestion.h"
#include "engine/quantity/no_names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace hilda::analysis {
namespace {

/// Of a search without limits to a number between them; both ends are reached.
double within(double free, double lowest, double highest) {
  const bool below = std::isfinite(lowest), above = std::isfinite(highest);
  if (below && above) return lowest + (highest - lowest) * (std::sin(free) + 1) / 2;
  if (below) return lowest - 1 + std::sqrt(free * free + 1);
  if (above) return highest + 1 - std::sqrt(free * free + 1);
  return free;
}

/// The other way round; a little inside where it is at a limit, which nothing would lead away from.
double free_of(double number, double lowest, double highest) {
  const bool below = std::isfinite(lowest), above = std::isfinite(highest);
  if (below && above) {
    const double share = highest > lowest ? std::clamp((number - lowest) / (highest - lowest), 1e-3, 1 - 1e-3) : 0.5;
    return std::asin(2 * share - 1);
  }
  const double inside = below ? std::max(number - lowest, 1e-3) : std::max(highest - number, 1e-3);
  if (below || above) return std::sqrt((inside + 1) * (inside + 1) - 1);
  return number;
}

bool varies(const Slot& slot) {
  return slot.role == HILDA_PARAMETER && slot.element == HILDA_F64 && slot.kind == HILDA_PLAIN;
}

/// "1 2; 3 4" with the unit behind the last.
std::string text_of(const Extent& extent, const double* numbers, const std::string& unit) {
  std::string text;
  const int rows = extent.rank == 2 ? extent.rows : 1, cols = extent.rank == 0   ? 1
                                                              : extent.rank == 1 ? extent.rows
                                                                                 : extent.cols;
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      const std::ptrdiff_t at = extent.rank == 2 ? static_cast<std::ptrdiff_t>(col) * rows + row : col;
      text += (col > 0 ? " " : "") + decimal(numbers[at]);
    }
    if (extent.rank == 2) text += row + 1 < rows || rows == 1 ? "; " : "";
  }
  return unit.empty() ? text : text + " " + unit;
}

std::optional<Unit> unit_of(const SignalType& type) {
  return type.unit ? std::optional<Unit>(*type.unit) : std::nullopt;
}

/// A limit as written, in SI; none where it is not a number of the unit.
std::optional<double> limit(const std::string& text, const std::optional<Unit>& unit, double otherwise) {
  if (text.empty()) return otherwise;
  const Result<Value> read = read_value(text, NoNames());
  if (!read || read->kind != Value::Kind::number || read->numbers.size() != 1 || std::isnan(read->numbers.front()))
    return std::nullopt;
  if (read->unit() && unit && !(*read->unit() == *unit)) return std::nullopt;
  return read->numbers.front();
}

} // namespace

std::vector<std::string> initial_values(const System& system) {
  std::vector<std::string> paths;
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& parameter : block.parameters)
      if (const Slot& slot = block.type->slots[parameter.slot]; slot.name == "initial" && varies(slot))
        paths.push_back(block.path + ".initial");
  return paths;
}

bool TrimValues::find(const System& system, const std::vector<VariedParameter>& wanted, Diagnostics& diagnostics) {
  bool found = true;
  for (const VariedParameter& each : wanted) found = add(system, each, diagnostics) && found;
  return found;
}

bool TrimValues::add(const System& system, const VariedParameter& wanted, Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& what, const std::string& help) {
    diagnostics.error("trim-parameter", system.where, what, help);
    return false;
  };
  const std::optional<ParameterText> place = find_parameter(system, wanted.path);
  if (!place)
    return refuse("there is no parameter " + in_quotes(wanted.path),
                  Suggestions().help(wanted.path, parameter_paths(system), "name one as --set does: block.parameter"));
  if (std::any_of(all_.begin(), all_.end(), [&](const Varied& other) { return other.place.given.name == wanted.path; }))
    return refuse(in_quotes(wanted.path) + " is varied twice", "name it once");
  const bool named = place->parameter.valid();
  const SystemBlock* block = named ? nullptr : &system.blocks[place->in_block.block];
  const ParameterValue* parameter = named ? nullptr : &block->parameters[place->in_block.index];
  const Value& value = named ? system.parameters[place->parameter].value : parameter->value;
  if (value.kind != Value::Kind::number || (!named && !varies(block->type->slots[parameter->slot])))
    return refuse(in_quotes(wanted.path) + " is not a real number",
                  "vary numbers, such as an initial value or a force");
  const std::optional<Unit> unit = named ? value.unit() : unit_of(block->slot_types[parameter->slot]);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::optional<double> lowest = limit(wanted.lowest, unit, -infinity);
  const std::optional<double> highest = limit(wanted.highest, unit, infinity);
  if (!lowest || !highest)
    return refuse(fmt::format("{} must be between {} and {}", in_quotes(wanted.path), in_quotes(wanted.lowest),
                              in_quotes(wanted.highest)),
                  unit ? "give numbers in " + unit->text() : "give numbers");
  if (!(*lowest < *highest))
    return refuse(fmt::format("{} must be between {} and {}", in_quotes(wanted.path), *lowest, *highest),
                  "give the lower limit first");
  Varied varied{*place,  value.extent, value.numbers, unit && !unit->dimensionless() ? unit->text() : "",
                *lowest, *highest};
  varied.place.given = {wanted.path, "", system.where};
  all_.push_back(std::move(varied));
  return true;
}

Eigen::VectorXd TrimValues::start() const {
  std::vector<double> all;
  for (const Varied& each : all_)
    for (const double number : each.numbers) all.push_back(free_of(number, each.lowest, each.highest));
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

std::vector<ParameterText> TrimValues::texts(const Eigen::VectorXd& point) const {
  std::vector<ParameterText> texts;
  Eigen::Index next = 0;
  for (const Varied& each : all_) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < each.numbers.size(); ++i)
      numbers.push_back(within(point[next++], each.lowest, each.highest));
    texts.push_back(each.place);
    texts.back().given.text = text_of(each.extent, numbers.data(), each.unit);
  }
  return texts;
}

} // namespace hilda::analysis
