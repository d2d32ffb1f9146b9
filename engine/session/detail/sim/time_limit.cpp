// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/time_limit.h"

#include "engine/quantity/no_names.h"

#include <cmath>

namespace hilda::session {
namespace {

std::optional<double> seconds(const Value& value, std::string& problem) {
  Wanted wanted;
  wanted.extent = Extent::scalar();
  wanted.unit = UnitReading{Unit(Unit::Base::time), 1, 0, 0, false};
  wanted.unit_text = "s";
  const Result<Shaped> shaped = fit(value, wanted);
  if (!shaped) {
    problem = shaped.error().what;
    return std::nullopt;
  }
  const double time = shaped->numbers.at(0);
  if (time > 0) return time;
  problem = std::isnan(time) ? "it is not a number" : "it is not above zero";
  return std::nullopt;
}

} // namespace

std::optional<double> read_duration(const std::string& text, std::string& problem) {
  const Result<Value> value = read_value(text, NoNames());
  if (value) return seconds(*value, problem);
  problem = value.error().what;
  return std::nullopt;
}

std::optional<double> time_limit(const System& system, const std::string& given, Diagnostics& diagnostics) {
  std::string problem;
  if (!given.empty()) return read_duration(given, problem);
  for (const NamedParameter& parameter : system.parameters) {
    if (parameter.path != "duration") continue;
    if (const auto time = seconds(parameter.value, problem)) return time;
    diagnostics.error("bad-duration", parameter.given.where, "the parameter 'duration' is not a time: " + problem,
                      "give it as value=\"20 s\"");
  }
  return std::nullopt;
}

} // namespace hilda::session
