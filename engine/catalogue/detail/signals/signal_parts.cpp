// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_parts.h"

#include "engine/catalogue/signal_text.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace hilda::catalogue {
namespace {

struct NamedPart {
  Unit::Base of;
  const char* name;
  Unit::Part part;
  int offset, rows;
};

constexpr std::array<NamedPart, 6> named_parts{{{Unit::Base::wrench, "force", Unit::Part::force, 0, 3},
                                                {Unit::Base::wrench, "torque", Unit::Part::torque, 3, 3},
                                                {Unit::Base::twist, "linear", Unit::Part::linear, 0, 3},
                                                {Unit::Base::twist, "angular", Unit::Part::angular, 3, 3},
                                                {Unit::Base::pose, "position", Unit::Part::position, 0, 3},
                                                {Unit::Base::pose, "orientation", Unit::Part::orientation, 3, 4}}};

int rows_of(Unit::Base base) { return base == Unit::Base::pose ? 7 : 6; }

bool is_named(const SignalType& type, Unit::Base base) {
  return type.unit && !type.unit->power(base).zero() && type.rows == rows_of(base) && type.cols == 1;
}

/// The parts that a signal has, for the help.
std::string parts_of(const SignalType& type) {
  std::string names;
  for (const NamedPart& part : named_parts)
    if (is_named(type, part.of)) names += (names.empty() ? "." : ", .") + std::string(part.name);
  if (!names.empty()) return names;
  if (type.kind == HILDA_QUATERNION) return ".w, .x, .y, .z";
  if (type.cols == 1 && type.rows == 3) return ".x, .y, .z and [0] to [2]";
  if (type.cols == 1 && type.rows > 1) return "[0] to [" + std::to_string(type.rows - 1) + "]";
  if (type.cols > 1)
    return "[0][0] to [" + std::to_string(type.rows - 1) + "][" + std::to_string(type.cols - 1) + "], row and column";
  return "";
}

/// Walks into a signal component by component.
class Walk {
public:
  explicit Walk(const SignalType& whole) { here_.type = whole; }

  bool step(const std::string& component) {
    if (component.starts_with('[')) return index(component);
    if (row_ >= 0) return false;
    return named(component) || axis(component);
  }
  bool complete() const { return row_ < 0; }
  const PartType& here() const { return here_; }

private:
  bool named(const std::string& name) {
    for (const NamedPart& part : named_parts)
      if (name == part.name && is_named(here_.type, part.of)) {
        take(part.offset, part.rows, here_.type.unit->part(part.part));
        if (part.part == Unit::Part::orientation && here_.type.unit->dimensionless())
          here_.type.kind = HILDA_QUATERNION;
        return true;
      }
    return false;
  }
  bool axis(const std::string& name) {
    const bool quaternion = here_.type.kind == HILDA_QUATERNION;
    if (name.size() != 1 || here_.type.cols != 1 || (!quaternion && here_.type.rows != 3)) return false;
    const std::string axes = quaternion ? "wxyz" : "xyz";
    const std::size_t place = axes.find(name[0]);
    if (place == std::string::npos) return false;
    take(static_cast<int>(place), 1, here_.type.unit);
    return true;
  }
  /// "[2]" of a vector; "[1]" and then "[0]" of a matrix: row and column
  bool index(const std::string& text) {
    int value = -1;
    const char* end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data() + 1, end, value);
    if (error != std::errc() || stop != end || *end != ']' || value < 0) return false;
    SignalType& type = here_.type;
    if (row_ >= 0) {
      if (value >= type.cols) return false;
      take(value * type.rows + std::exchange(row_, -1), 1, type.unit);
      return true;
    }
    if (value >= type.rows) return false;
    if (type.cols > 1) {
      row_ = value;
      return true;
    }
    take(value, 1, unit_at(value));
    return true;
  }
  std::optional<Unit> unit_at(int row) const {
    for (const NamedPart& part : named_parts)
      if (is_named(here_.type, part.of) && row >= part.offset && row < part.offset + part.rows)
        return here_.type.unit->part(part.part);
    return here_.type.unit;
  }
  void take(int offset, int rows, std::optional<Unit> unit) {
    here_.offset += offset;
    here_.type.rows = rows;
    here_.type.cols = 1;
    here_.type.unit = unit;
    here_.type.kind = HILDA_PLAIN;
  }

  PartType here_;
  int row_ = -1; ///< of a matrix, whose column is still to come
};

} // namespace

std::optional<PartType> find_part(const SignalType& whole, const std::vector<std::string>& part, std::string& why,
                                  std::string& help) {
  Walk walk(whole);
  for (const std::string& component : part) {
    const SignalType before = walk.here().type;
    if (walk.step(component)) continue;
    const std::string parts = parts_of(before);
    why = describe(before) + " has no part " + in_quotes(component);
    help = parts.empty() ? "connect it as a whole" : "its parts are " + parts;
    return std::nullopt;
  }
  if (!walk.complete()) {
    why = "an element of a matrix needs row and column";
    help = "write both: [1][0]";
    return std::nullopt;
  }
  return walk.here();
}

std::string part_that_is(const SignalType& whole, const SignalType& wanted) {
  for (const NamedPart& part : named_parts)
    if (is_named(whole, part.of) && part.rows == wanted.rows && wanted.cols == 1 && wanted.unit &&
        whole.unit->part(part.part) == *wanted.unit)
      return part.name;
  return "";
}

} // namespace hilda::catalogue
