// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/live_change.h"

#include "engine/base/error.h"
#include "engine/quantity/bare_number.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hilda::compile {
namespace {

using Json = nlohmann::json;

std::string path_of(const System& system, const BlockParameter& which) {
  const SystemBlock& block = system.blocks[which.block];
  return block.path + "." + block.type->slots[block.parameters[which.index].slot].name;
}

/// "restart with --set plant.mass='2 kg'"
std::string restart_with(const std::vector<Attribute>& settings) {
  std::string text = "restart with";
  for (const Attribute& each : settings) text += " --set " + each.name + "='" + each.text + "'";
  return text;
}

std::string named_by(const std::vector<Attribute>& settings) {
  std::string names;
  for (const Attribute& each : settings) names += (names.empty() ? "" : ", ") + in_quotes(each.name);
  return names;
}

std::optional<std::vector<ParameterText>> texts_of(const System& system, const std::vector<Attribute>& settings,
                                                   Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  std::vector<ParameterText> texts;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const Attribute& setting = settings[i];
    const auto same = [&setting](const Attribute& other) { return other.name == setting.name; };
    if (std::any_of(settings.begin(), settings.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      diagnostics.error("duplicate-setting", setting.where, in_quotes(setting.name) + " is set twice in one request",
                        "keep one");
      continue;
    }
    std::optional<ParameterText> text = find_parameter(system, setting.name);
    if (!text) {
      const std::string near = nearest(setting.name, parameter_paths(system));
      diagnostics.error("unknown-setting", setting.where, "there is no parameter " + in_quotes(setting.name),
                        near.empty() ? "a path is that of a block and its parameter, or of a <parameter>"
                                     : "did you mean " + in_quotes(near) + "?");
      continue;
    }
    text->given = setting;
    texts.push_back(*std::move(text));
  }
  if (diagnostics.errors() != before) return std::nullopt;
  return texts;
}

/// Of a block's parameter that gets other numbers.
void look_at_block(const System& system, const ParameterChange::InBlock& each, const std::vector<Attribute>& settings,
                   Diagnostics& diagnostics, ChangeNeeds& needs) {
  const SystemBlock& block = system.blocks[each.parameter.block];
  const ParameterValue& parameter = block.parameters[each.parameter.index];
  const Slot& slot = block.type->slots[parameter.slot];
  if (same_numbers(each.value, parameter.value)) return;
  if (slot.is(HILDA_RECONFIGURE)) {
    needs = ChangeNeeds::rebuild;
    return;
  }
  const std::string path = path_of(system, each.parameter);
  const Location where = settings.front().where;
  std::vector<Note> notes;
  if (settings.size() != 1 || settings.front().name != path)
    notes.push_back({parameter.where, in_quotes(path) + " depends on it"});
  if (!slot.is(HILDA_LIVE))
    diagnostics.error("live-fixed", where, in_quotes(path) + " is fixed while the diagram runs",
                      restart_with(settings) + (slot.doc.empty() ? "" : "; it is: " + slot.doc), std::move(notes));
  else if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH)
    diagnostics.error("live-text", where, in_quotes(path) + " is a text, and texts stay while the diagram runs",
                      restart_with(settings), std::move(notes));
}

/// Where a bare number is set instead of one with a unit: it may be read otherwise than it was meant.
void compare_units(const System& system, const ParameterText& text, Diagnostics& diagnostics) {
  const std::optional<Value> given = literal_number(text.given.text);
  if (!given) return;
  const bool named = text.parameter.valid();
  const Value& now = named ? system.parameters[text.parameter].value
                           : system.blocks[text.in_block.block].parameters[text.in_block.index].value;
  // A block's value is kept in the declared unit; its text has the author's.
  const std::optional<Value> written = literal_number(now.text);
  const Value& replaced = written ? *written : now;
  std::string unit;
  if (!named) {
    const SystemBlock& block = system.blocks[text.in_block.block];
    const Slot& slot = block.type->slots[block.parameters[text.in_block.index].slot];
    if (slot.unit.fixed()) unit = slot.unit_text;
  }
  if (const auto both = two_readings(text.given.name, *given, replaced, unit))
    diagnostics.warning("setting-bare", text.given.where, both->what, both->help);
}

void look_for_users(const System& system, const ParameterChange& change, Diagnostics& diagnostics) {
  const ParameterDependencies dependencies(system);
  for (const ParameterText& text : change.texts) {
    if (!text.parameter.valid()) continue;
    const Dependents dependents = dependencies.of({text.parameter});
    if (dependents.blocks.empty() && dependents.settled.empty())
      diagnostics.error("live-unused", text.given.where,
                        "no running block depends on " + in_quotes(system.parameters[text.parameter].path),
                        "it counts before the first tick, or not at all: restart with --set");
  }
}

} // namespace

std::optional<LiveChange> look_at_change(const System& system, const std::vector<Attribute>& settings,
                                         Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  if (settings.empty()) return LiveChange{};
  const Location where = settings.front().where;
  const auto texts = texts_of(system, settings, diagnostics);
  if (!texts) return std::nullopt;
  Diagnostics found;
  std::optional<ParameterChange> change = change_parameters(system, *texts, found);
  diagnostics.take(found, false);
  if (std::any_of(found.all().begin(), found.all().end(),
                  [](const Diagnostic& each) { return each.code == "value-shape"; }))
    diagnostics.error("live-shape", where,
                      "the shapes of " + named_by(settings) + " were settled when the diagram was loaded",
                      "another shape needs another plan: " + restart_with(settings));
  if (!change) return std::nullopt;
  LiveChange looked;
  for (const ParameterChange::InBlock& each : change->blocks)
    look_at_block(system, each, settings, diagnostics, looked.needs);
  for (const SettledText& each : change->settled)
    diagnostics.error("live-settled", where,
                      "what depends on " + named_by(settings) + " counts once, before the first tick",
                      restart_with(settings), {{each.where, "it is used here"}});
  look_for_users(system, *change, diagnostics);
  for (const ParameterText& text : *texts) compare_units(system, text, diagnostics);
  if (diagnostics.errors() != before) return std::nullopt;
  looked.change = *std::move(change);
  return looked;
}

std::string settings_text(const std::vector<LiveSetting>& settings) {
  Json list = Json::array();
  for (const LiveSetting& each : settings) list.push_back({each.path, each.text});
  return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<std::vector<LiveSetting>> settings_from_text(const std::string& text) {
  const Json list = Json::parse(text, nullptr, false);
  if (!list.is_array()) return std::nullopt;
  std::vector<LiveSetting> settings;
  for (const Json& each : list) {
    if (!each.is_array() || each.size() != 2 || !each[0].is_string() || !each[1].is_string()) return std::nullopt;
    settings.push_back({each[0].get<std::string>(), each[1].get<std::string>()});
  }
  return settings;
}

} // namespace hilda::compile
