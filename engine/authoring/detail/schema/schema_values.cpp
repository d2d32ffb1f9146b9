// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/schema/schema_values.h"

#include "engine/diagram/attribute_words.h"
#include "engine/diagram/element_kinds.h"
#include "engine/diagram/solver_settings.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

namespace hilda::authoring::schema {
namespace {

enum class Sign { any, not_negative, positive };

const std::string identifier = "[A-Za-z_][A-Za-z0-9_]*";
const std::string dotted = identifier + "(\\." + identifier + ")*";
const std::string index = "(\\[[0-9]+(,[0-9]+)?\\])*";
const std::string signal = identifier + index + "(\\." + identifier + index + ")*";
/// Of one signal or of several.
const std::string signal_pattern = "[A-Za-z0-9_*?\\[\\],.]*[A-Za-z0-9_*?\\]]";
/// Text without "${".
const std::string plain = "([^$]|$+[^${])*$*";
const std::string expression = "([^$]|$+[^${])*($+\\{[^}]+\\}([^$]|$+[^${])*)+$*";
const std::string exponent = "([eE][+\\-]?[0-9]+)?";
/// Parentheses are balanced, two deep.
const std::string within_unit = "([^();$]|\\(([^();$]|\\([^();$]*\\))*\\))*";
const std::string unit = "(1/)?[\\p{L}%°′″]" + within_unit;

/// Separated by blanks or commas.
std::string list_of(const std::string& one) { return "[\\s,]*" + one + "([\\s,]+" + one + ")*[\\s,]*"; }

std::string number(Sign sign) {
  const std::string unsigned_number = "(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)" + exponent + "|inf)";
  if (sign == Sign::any) return "[+\\-]?" + unsigned_number;
  if (sign == Sign::not_negative) return "(\\+?" + unsigned_number + "|-(0+(\\.0*)?|\\.0+)" + exponent + ")";
  return "\\+?(([0-9]*[1-9][0-9]*(\\.[0-9]*)?|[0-9]*\\.[0-9]*[1-9][0-9]*)" + exponent + "|inf)";
}

/// Numbers with one unit behind the last. @param count  how many; 0: any, in rows or not
std::string list(Sign sign, std::int64_t count) {
  const std::string one = number(sign);
  std::string more;
  if (count == 0) more = "([\\s;]+" + one + ")*";
  if (count > 1) more = "([\\s;]+" + one + "){" + std::to_string(count - 1) + "}";
  return "\\s*" + one + more + "\\s*(;\\s*)?(" + unit + ")?\\s*";
}

std::vector<std::string> words(std::span<const std::string_view> all) { return {all.begin(), all.end()}; }

const char* sign_name(Sign sign) {
  if (sign == Sign::positive) return ".positive";
  return sign == Sign::not_negative ? ".not_negative" : "";
}

ValueRule numbers(Sign sign, std::int64_t count) {
  const std::string name = count == 0 ? "list" : count == 1 ? "number" : "vector" + std::to_string(count);
  return {name + sign_name(sign), {}, {list(sign, count), expression}, {}};
}

/// A temperature in degC may be below zero where it is not below 0 K.
bool has_zero_point(const Slot& slot) {
  return !slot.unit.fixed() || !slot.unit.constant.unit.power(Unit::Base::temperature).zero();
}

Sign sign_of(const Slot& slot) {
  if (!(slot.minimum >= 0) || has_zero_point(slot)) return Sign::any;
  return slot.is(HILDA_ABOVE) || slot.minimum > 0 ? Sign::positive : Sign::not_negative;
}

/// 0: unknown, or a matrix.
std::int64_t count_of(const Slot& slot) {
  if (slot.shape_text.empty()) return 1;
  const bool vector = slot.shape.fixed() && slot.shape.cols.constant == 1 && !slot.is(HILDA_REPEATED);
  return vector && slot.shape_text.find(' ') == std::string::npos ? slot.shape.rows.constant : 0;
}

/// What means something on a subsystem, and the period.
std::vector<std::string> reserved_names() {
  std::vector<std::string> names;
  for (const AttributeKind& each : elements::subsystem.attributes) names.emplace_back(each.name);
  names.emplace_back("period");
  return names;
}

std::vector<ValueRule> make_named_rules() {
  const std::vector<std::string> booleans = {"true", "false", "on", "off"};
  const std::string times = list(Sign::positive, 1);
  return {
      {"expression", {}, {expression}, {}},
      {"text", {}, {plain, expression}, {}},
      {"name", {}, {identifier}, {}},
      {"port_name", {}, {dotted}, {}},
      {"parameter_name", {}, {identifier}, reserved_names()},
      {"mode", {}, {identifier}, {"replay"}},
      {"signal", {}, {signal}, {}},
      {"signal_list", {}, {list_of(signal_pattern)}, {}},
      {"setting_path", {}, {dotted}, {}},
      {"element_path", {"."}, {dotted}, {}},
      {"file", {}, {"([^/].*)?"}, {}},
      {"sample_time", {"inherited", "continuous"}, {times, expression}, {}},
      {"period", {}, {times, expression}, {}},
      {"solver", solver_names(), {}, {}},
      {"events", {"located"}, {}, {}},
      {"outputs", words(held_or_reset), {}, {}},
      {"edge", words(trigger_edges), {}, {}},
      {"flag", booleans, {}, {}},
      {"boolean", booleans, {expression}, {}},
      {"booleans", {}, {"\\s*(true|false|on|off)(\\s+(true|false|on|off))*\\s*", expression}, {}},
      {"shape", {"scalar", "wrench", "twist", "pose", "quaternion"}, {"[0-9]+(\\s+[0-9]+)?"}, {}},
      {"unit", {}, {within_unit}, {}},
      {"power_rule", words(power_rules), {}, {}},
      {"priority", {}, {"[1-9][0-9]?", expression}, {}},
      {"count_of_lost", {}, {"[0-9]{1,3}|1000", expression}, {}},
      {"processors", {}, {"\\s*[0-9]+(\\s+[0-9]+)*\\s*", expression}, {}},
      {"format", {"1"}, {}, {}},
      numbers(Sign::any, 1),
      numbers(Sign::not_negative, 1),
      numbers(Sign::positive, 1),
      numbers(Sign::any, 0),
      numbers(Sign::not_negative, 0),
      numbers(Sign::positive, 0),
  };
}

} // namespace

const std::vector<ValueRule>& named_rules() {
  static const std::vector<ValueRule> rules = make_named_rules();
  return rules;
}

const ValueRule& rule(const std::string& name) {
  const auto& all = named_rules();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ValueRule& each) { return each.name == name; });
  if (found == all.end()) throw std::logic_error("the schema has no rule " + name);
  return *found;
}

const ValueRule& expression_rule() { return rule("expression"); }

ValueRule rule_of(const Slot& parameter) {
  if (parameter.element == HILDA_TEXT) return rule("text");
  if (parameter.element == HILDA_PATH) return rule("file");
  if (parameter.element == HILDA_CHOICE) return {"", parameter.choices, {expression}, {}};
  if (parameter.element == HILDA_U8) return rule(count_of(parameter) == 1 ? "boolean" : "booleans");
  ValueRule made = numbers(sign_of(parameter), count_of(parameter));
  if (parameter.initial && parameter.initial->empty()) {
    made.name += ".or_empty";
    made.patterns.emplace_back("\\s*");
  }
  return made;
}

} // namespace hilda::authoring::schema
