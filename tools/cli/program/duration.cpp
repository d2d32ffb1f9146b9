#include "tools/cli/program/duration.h"

#include "engine/value/value.h"

#include <fmt/format.h>

namespace hilda::cli {
namespace {

/// No parameter can be named on the command line's times.
class NoNames : public Scope {
public:
  Outcome<const Value*> find(const std::string&) const override { return nullptr; }
  std::vector<std::string> names() const override { return {}; }
};

std::optional<double> seconds(const Value& value, std::string& problem) {
  Wanted wanted;
  wanted.extent = Extent::scalar();
  wanted.unit = UnitReading{Unit(Unit::Base::time), 1, 0, 0, false};
  wanted.unit_text = "s";
  const Outcome<Shaped> shaped = fit(value, wanted);
  if (!shaped) {
    problem = shaped.complaint().what;
    return std::nullopt;
  }
  const double time = shaped->numbers.at(0);
  if (time > 0) return time;
  problem = "it is not above zero";
  return std::nullopt;
}

std::optional<double> seconds(const std::string& text, std::string& problem) {
  const Outcome<Value> value = read_value(text, NoNames());
  if (value) return seconds(*value, problem);
  problem = value.complaint().what;
  return std::nullopt;
}

} // namespace

bool is_hardware(const System& system) { return system.mode == "hardware"; }

void add_duration_option(Command command, std::string& text, const std::string& description) {
  const auto is_time = [](const std::string& given) {
    std::string problem;
    return seconds(given, problem) ? std::string()
                                   : fmt::format("'{}' is not a time such as 20s or 3min: {}", given, problem);
  };
  command.option("--for", text, description).type_name("TIME").check(is_time);
}

std::optional<double> time_limit(const System& system, const std::string& given, Diagnostics& diagnostics) {
  std::string problem;
  if (!given.empty()) return seconds(given, problem);
  for (const NamedParameter& parameter : system.parameters) {
    if (parameter.path != "duration") continue;
    if (const auto time = seconds(parameter.value, problem)) return time;
    diagnostics.error("bad-duration", parameter.given.where, "the parameter 'duration' is not a time: " + problem,
                      "give it as value=\"20 s\"");
  }
  return std::nullopt;
}

} // namespace hilda::cli
