// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/period.h"

#include "engine/base/error.h"
#include "engine/quantity/no_names.h"

#include <filesystem>
#include <fmt/format.h>
#include <numbers>

namespace hilda::compile {
namespace {

/// Of rad/s, which measures the same, no one would say that it is a sample rate.
bool is_rate(const Value& value) {
  return value.scalar() && value.kind == Value::Kind::number && value.unit_text().ends_with("Hz");
}

/// `${2 * 15 Hz}`, of which an expression knows that it is 188 rad/s: in Hz again.
Value in_hertz(const Value& value, const std::string& text) {
  static const Unit hertz = parse_unit("Hz")->unit;
  const bool calculated = text.find("${") != std::string::npos && text.find("Hz") != std::string::npos;
  if (!calculated || !value.scalar() || value.unit() != hertz || is_rate(value)) return value;
  const Result<Value> read = read_value(decimal(value.numbers[0] / (2 * std::numbers::pi)) + " Hz", NoNames());
  return read ? *read : value;
}

/// Of a rate in Hz the time between samples, exactly: 1/30 s of 30 Hz. None where the value is not one.
std::optional<Rational> time_of_rate(const Value& value) {
  if (!is_rate(value)) return std::nullopt;
  const double turns = value.numbers[0] / (2 * std::numbers::pi); // 1/s
  const std::optional<Rational> rate = turns > 0 ? Rational::near(turns) : std::nullopt;
  return rate && Rational(0) < *rate ? std::optional(Rational(1) / *rate) : std::nullopt;
}

/// The period is a time, also where it was written as a rate: `${period}` and the summary have it in seconds.
std::string without_rate(const std::string& text, std::vector<std::string>& remarks) {
  const Result<Value> value = read_value(text, NoNames());
  const std::optional<Rational> time = value ? time_of_rate(in_hertz(*value, text)) : std::nullopt;
  if (!time) return text;
  remarks.push_back("period " + text + " is a sample time of " + decimal(time->value() * 1000) + " ms");
  return "${" + std::to_string(time->numerator()) + "/" + std::to_string(time->denominator()) + "} s";
}

/// A number of s or Hz that cannot be a time between samples.
void refuse_time(const std::string& what, const Value& value, double number, Location where, Diagnostics& diagnostics) {
  const std::string unit = value.unit_text().empty() ? "s" : value.unit_text();
  const std::string fault = number > 0 ? " is not a time between samples: it is too long or too short"
                                       : " is not possible: it must be above 0 " + unit;
  diagnostics.error("bad-time", where, what + ": " + in_quotes(value.text) + fault,
                    "write a time such as 1 ms or ${1/3} ms, or a rate such as 1 kHz");
}

/// `${1/(30 Hz)}`, of which an author may think that it is a thirtieth of a second.
void warn_of_radian(const std::string& what, const std::string& text, const Value& value, double seconds,
                    Location where, Diagnostics& diagnostics) {
  static const Unit of_radian = parse_unit("s/rad")->unit;
  const bool follows = text.find("period") != std::string::npos; // from a period that is reported
  if (!value.scalar() || value.unit() != of_radian || follows) return;
  const double turns = 1 / (2 * std::numbers::pi * seconds);
  diagnostics.warning(
      "time-radian", where,
      fmt::format("{}: {} is {:.6g} ms, the time of a radian and not of a turn: in a calculation Hz is 2 pi rad/s",
                  what, in_quotes(text), 1000 * seconds),
      fmt::format("for {0:.6g} samples a second write \"{0:.6g} Hz\"; where the time of a radian is meant, multiply it "
                  "by 1 rad",
                  turns));
}

std::optional<Rational> time_of(const std::string& what, const std::string& text, const Value& value, Location where,
                                Diagnostics& diagnostics) {
  if (const std::optional<Rational> period = time_of_rate(value)) return period;
  if (is_rate(value)) return refuse_time(what, value, value.numbers[0], where, diagnostics), std::nullopt;
  static const UnitReading second = *parse_unit("s");
  const Result<Shaped> fitted = fit(value, {Wanted::Element::real, Extent::scalar(), second, "s"});
  if (!fitted) {
    const Error& why = fitted.error();
    if (!why.already_reported()) diagnostics.error(why.code.c_str(), where, what + ": " + why.what, why.help);
    return std::nullopt;
  }
  const double seconds = fitted->numbers[0];
  const std::optional<Rational> exact = seconds > 0 ? Rational::near(seconds) : std::nullopt;
  if (!exact || !(Rational(0) < *exact)) return refuse_time(what, value, seconds, where, diagnostics), exact;
  warn_of_radian(what, text, value, seconds, where, diagnostics);
  return exact;
}

} // namespace

std::optional<Rational> read_time(const std::string& what, const std::string& text, Location where, ScopeIndex scope,
                                  Evaluation& evaluation) {
  const std::optional<Value> value = evaluation.settle(text, where, scope);
  return value ? time_of(what, text, in_hertz(*value, text), where, evaluation.diagnostics()) : std::nullopt;
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
  period.given.text = without_rate(period.given.text, context.remarks);
  const Value* value = flat.evaluation.value(ParameterTable::period);
  flat.system.parameters.settle({"${period}", period.given.where, flat.top->scope});
  const std::optional<Rational> exact = value != nullptr
                                            ? time_of("period", period.given.text, in_hertz(*value, period.given.text),
                                                      period.given.where, context.diagnostics)
                                            : std::nullopt;
  if (!exact) flat.evaluation.give_up(ParameterTable::period); // ${period} elsewhere is a consequence
  if (rig == nullptr || !exact) return exact.value_or(fallback);
  const std::string file = std::filesystem::path(*period.given.where.file).filename().string();
  context.remarks.push_back("period " + value->text + " is fixed by rig " + file);
  if (setting == nullptr) return *exact;
  const std::optional<Rational> asked =
      read_time("period", setting->text, setting->where, flat.top->scope, flat.evaluation);
  if (asked && !(*asked == *exact))
    context.diagnostics.error("period-conflict", setting->where,
                              "the period is set to " + hilda::base::in_quotes(setting->text) + ", but the rig " +
                                  hilda::base::in_quotes(file) + " fixes it to " + hilda::base::in_quotes(value->text),
                              "remove the setting, or choose another rig",
                              {{period.given.where, "the rig's period is given here"}});
  return *exact;
}

} // namespace hilda::compile
