#include "engine/flatten/period.h"

#include "engine/diagnostics/complaint.h"

#include <filesystem>

namespace hilda {
namespace {

std::optional<Rational> time_of(const std::string& what, const Value& value, Location where, Diagnostics& diagnostics) {
  static const UnitReading second = *parse_unit("s");
  const Outcome<Shaped> fitted = fit(value, {Wanted::Element::real, Extent::scalar(), second, "s"});
  if (!fitted) {
    const Complaint& why = fitted.complaint();
    if (!why.already_reported()) diagnostics.error(why.code.c_str(), where, what + ": " + why.what, why.help);
    return std::nullopt;
  }
  const double seconds = fitted->numbers[0];
  const std::optional<Rational> exact = seconds > 0 ? Rational::near(seconds) : std::nullopt;
  if (!exact || !(Rational(0) < *exact))
    diagnostics.error("bad-time", where, what + ": a time of " + decimal(seconds) + " s is not possible",
                      "it must be above zero and a fraction such as 1 ms or ${1/3} ms");
  return exact;
}

} // namespace

std::optional<Rational> read_time(const std::string& what, const std::string& text, Location where, ScopeIndex scope,
                                  Evaluation& evaluation) {
  const std::optional<Value> value = evaluation.settle(text, where, scope);
  return value ? time_of(what, *value, where, evaluation.diagnostics()) : std::nullopt;
}

Rational settle_period(Flattened& flat, const Instance* rig, FlattenContext& context) {
  const Rational fallback(1, 1000);
  NamedParameter& period = flat.system.parameters[ParameterTable::period];
  const Attribute* setting = flat.settings != nullptr ? flat.settings->take("period") : nullptr;
  if (rig != nullptr) {
    period.given = {period.given.name, rig->diagram->period, rig->diagram->where};
    period.scope = rig->scope;
  } else if (setting != nullptr) {
    period.given = {period.given.name, setting->text, setting->where};
  }
  const Value* value = flat.evaluation.value(ParameterTable::period);
  flat.system.parameters.settle({"${period}", period.given.where, flat.top->scope});
  const std::optional<Rational> exact =
      value != nullptr ? time_of("period", *value, period.given.where, context.diagnostics) : std::nullopt;
  if (rig == nullptr || !exact) return exact.value_or(fallback);
  const std::string file = std::filesystem::path(*period.given.where.file).filename().string();
  context.remarks.push_back("period " + value->text + " is fixed by rig " + file);
  if (setting == nullptr) return *exact;
  const std::optional<Rational> asked =
      read_time("period", setting->text, setting->where, flat.top->scope, flat.evaluation);
  if (asked && !(*asked == *exact))
    context.diagnostics.error("period-conflict", setting->where,
                              "the period is set to " + hilda::in_quotes(setting->text) + ", but the rig " +
                                  hilda::in_quotes(file) + " fixes it to " + hilda::in_quotes(value->text),
                              "remove the setting, or choose another rig",
                              {{period.given.where, "the rig's period is given here"}});
  return *exact;
}

} // namespace hilda
