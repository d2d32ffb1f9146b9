// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/bare_number.h"

#include "engine/base/error.h"
#include "engine/quantity/no_names.h"

#include <algorithm>
#include <cmath>

namespace hilda::quantity {

std::optional<Value> literal_number(std::string_view text) {
  if (text.find("${") != std::string_view::npos) return std::nullopt;
  Result<Value> read = read_value(text, NoNames());
  if (!read || read->kind != Value::Kind::number || read->problem()) return std::nullopt;
  return *std::move(read);
}

bool drops_unit(const Value& given, const Value& replaced) {
  const auto in_every_unit = [](double number) { return number == 0 || !std::isfinite(number); };
  return given.kind == Value::Kind::number && given.bases().empty() && given.basis == Value::Basis::bare &&
         replaced.kind == Value::Kind::number && replaced.unit() && !replaced.unit()->dimensionless() &&
         !std::all_of(given.numbers.begin(), given.numbers.end(), in_every_unit);
}

std::optional<Error> two_readings(const std::string& path, const Value& given, const Value& replaced,
                                  const std::string& unit) {
  if (!drops_unit(given, replaced)) return std::nullopt;
  const std::string read_in = unit.empty() ? replaced.unit()->written_text() : unit;
  const std::string& had = replaced.unit_text();
  const UnitReading& reading = replaced.reading();
  if ((reading.factor() == 1 && reading.offset == 0) || read_in == had) return std::nullopt;
  const std::string set = path + "='" + given.text;
  const std::string read = unit.empty() ? given.text + ", " + given.text + " " + read_in + " where a unit is expected"
                                        : given.text + " " + read_in;
  return make_error("setting-bare",
                    in_quotes(path) + " is set to " + in_quotes(given.text) + ", without a unit, and replaces " +
                        in_quotes(replaced.text) + ": it is read as " + read + ", and not as " + given.text + " " + had,
                    "write " + set + " " + had + "' if you mean that, or " + set + " " + read_in + "'");
}

} // namespace hilda::quantity
