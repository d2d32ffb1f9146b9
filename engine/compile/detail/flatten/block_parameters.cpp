// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/block_parameters.h"

#include "engine/base/budget.h"
#include "engine/base/error.h"
#include "engine/catalogue/driven_type.h"
#include "engine/compile/detail/flatten/variants.h"
#include "engine/plugin/kept_paths.h"
#include "engine/quantity/bare_number.h"

#include <algorithm>
#include <cmath>

namespace hilda::compile {
namespace {

std::vector<std::string> parameter_names(const TypeInfo& info) {
  std::vector<std::string> names;
  for (const SlotIndex slot : info.parameters) names.push_back(info.type->slots[slot].name);
  return names;
}

/// "lag.time_constant[0]": "lag" and "time_constant"; empty names where there is no dot.
std::pair<std::string_view, std::string_view> block_and_port(std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view port = path.substr(dot + 1);
  return {path.substr(0, dot), port.substr(0, port.find_first_of(".["))};
}

/// A number in a slot's range and its declared unit, where the type has no default: the value in its record until a
/// wire gives another.
double number_within(const Slot& slot) {
  const double low = slot.minimum, high = slot.maximum;
  const bool zero = (slot.is(HILDA_ABOVE) ? low < 0 : low <= 0) && (slot.is(HILDA_BELOW) ? high > 0 : high >= 0);
  if (zero) return 0;
  if (std::isfinite(low) && std::isfinite(high)) return (low + high) / 2;
  return std::isfinite(low) ? low + 1 : high - 1;
}

} // namespace

ParameterWires::ParameterWires(std::string mode, const Catalogue& catalogue) : mode_(std::move(mode)) {
  for (const BlockType* type : catalogue.all())
    for (const Slot& slot : type->slots)
      if (may_be_driven(*type, slot) && names_.insert(slot.name).second) beginnings_[beginning(slot.name)] = true;
}

std::size_t ParameterWires::beginning(std::string_view name) {
  return static_cast<unsigned char>(name.front()) * longest + std::min(name.size(), longest - 1);
}

const ParameterWires::Wires& ParameterWires::of(const DiagramDecl& diagram, Which which) {
  const auto [place, fresh] = wires_.try_emplace({&diagram, which});
  if (!fresh) return place->second;
  for (const ConnectDecl& connect : diagram.connects) {
    const auto [block, port] = block_and_port(connect.to);
    if (port.empty()) continue;
    if (which == Which::all || (beginnings_[beginning(port)] && names_.contains(port)))
      place->second[block].push_back(&connect);
  }
  return place->second;
}

std::vector<SlotIndex> ParameterWires::driven(const DiagramDecl& diagram, const std::string& block,
                                              const BlockType& type) {
  std::vector<SlotIndex> found;
  const Wires& wires = of(diagram, type.ports == nullptr ? Which::by_catalogue : Which::all);
  const auto to_block = wires.find(block);
  if (to_block == wires.end()) return found;
  for (const SlotIndex slot : type.slots.indices()) {
    const Slot& parameter = type.slots[slot];
    if (may_be_driven(type, parameter) && !type.find(parameter.name, HILDA_INPUT).valid() &&
        first_to(to_block->second, parameter.name) != nullptr)
      found.push_back(slot);
  }
  return found;
}

const ConnectDecl* ParameterWires::wire_to(const DiagramDecl& diagram, const std::string& block,
                                           const std::string& parameter) {
  const Wires& wires = of(diagram, names_.contains(parameter) ? Which::by_catalogue : Which::all);
  const auto found = wires.find(block);
  return found == wires.end() ? nullptr : first_to(found->second, parameter);
}

const ConnectDecl* ParameterWires::first_to(const std::vector<const ConnectDecl*>& wires,
                                            const std::string& parameter) const {
  for (const ConnectDecl* connect : wires)
    if (block_and_port(connect->to).second == parameter && in_mode(connect->mode, mode_)) return connect;
  return nullptr;
}

const Sources::File* source_of(const Sources& sources, Location where) {
  for (const auto& file : sources.files())
    if (&file->name == where.file) return file->absolute.empty() ? nullptr : file.get();
  return nullptr;
}

std::vector<ParameterValue> BlockParameterReader::read(const BlockDecl& block, const TypeInfo& info, const Instance& at,
                                                       SettingNode* settings, bool& complete) {
  working_at(block.where);
  std::vector<ParameterValue> values;
  values.reserve(info.parameters.size());
  std::size_t used = 0;
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    const Slot& slot = info.type->slots[info.parameters[i]];
    const auto given = std::find_if(block.parameters.begin(), block.parameters.end(),
                                    [&](const Attribute& attribute) { return attribute.name == slot.name; });
    if (given != block.parameters.end()) ++used;
    const Attribute* setting = settings != nullptr ? settings->take(slot.name) : nullptr;
    if (is_driven(*info.type, info.parameters[i])) {
      if (setting != nullptr)
        refuse_second(slot, block, at, setting->text, setting->where);
      else if (given != block.parameters.end())
        refuse_second(slot, block, at, given->text, given->where);
      values.push_back(info.defaults[i]);
      values.back().where = block.where;
      if (!slot.initial)
        values.back().value = slot.element == HILDA_U8 ? Value::of_boolean(false) : Value::bare(number_within(slot));
      continue;
    }
    if (setting == nullptr && given == block.parameters.end()) {
      values.push_back(info.defaults[i]);
      values.back().where = block.where;
      values.back().scope = at.scope; // for a text that a running diagram may be given
      if (!slot.initial) {
        report_missing(slot, block, info, at);
        complete = false;
      }
      continue;
    }
    values.push_back({info.parameters[i], {}, setting != nullptr ? setting->where : given->where});
    const std::string& text = setting != nullptr ? setting->text : given->text;
    complete = evaluate(slot, text, values.back().where, at, values.back()) && complete;
    if (setting != nullptr && (given != block.parameters.end() || slot.initial))
      compare_units(slot, at.path_of(block.name) + "." + slot.name, values.back(),
                    given != block.parameters.end() ? given->text : *slot.initial);
  }
  if (used < block.parameters.size()) {
    const std::vector<std::string> names = parameter_names(info);
    for (const Attribute& attribute : block.parameters)
      if (std::find(names.begin(), names.end(), attribute.name) == names.end()) report_unknown(attribute, block, info);
  }
  return values;
}

/// Where a bare number is set instead of one with a unit: it may be read otherwise than it was meant.
void BlockParameterReader::compare_units(const Slot& slot, const std::string& path, const ParameterValue& set,
                                         const std::string& before) {
  const std::optional<Value> replaced = literal_number(before);
  if (!replaced) return;
  const bool fixed = slot.unit.fixed() && !slot.unit_text.empty();
  if (const auto both = two_readings(path, set.value, *replaced, fixed ? slot.unit_text : ""))
    context_.diagnostics.warning("setting-bare", set.where, both->what, both->help);
}

/// A parameter that a wire drives is given a value, too.
void BlockParameterReader::refuse_second(const Slot& slot, const BlockDecl& block, const Instance& at,
                                         const std::string& text, Location where) {
  const ConnectDecl* wire = wires_.wire_to(*at.diagram, block.name, slot.name);
  const std::string path = at.path_of(block.name) + "." + slot.name;
  context_.diagnostics.error("driven-parameter", where,
                             hilda::base::in_quotes(path) + " is given as " + hilda::base::in_quotes(text) +
                                 ", and a wire drives it" +
                                 (wire != nullptr ? ", from " + hilda::base::in_quotes(wire->from) : std::string()),
                             "remove one of the two; what drives it gives its value at every tick",
                             {{wire != nullptr ? wire->where : block.where, "the wire is here"}});
}

/// Where the block has an attribute of an unknown name, that is what is reported: it may be the one that is missing.
void BlockParameterReader::report_missing(const Slot& slot, const BlockDecl& block, const TypeInfo& info,
                                          const Instance& at) {
  const std::vector<std::string> names = parameter_names(info);
  for (const Attribute& attribute : block.parameters)
    if (std::find(names.begin(), names.end(), attribute.name) == names.end()) return;
  const bool fixed_unit =
      !slot.unit_text.empty() && slot.unit_text != "1" && slot.unit_text.find('@') == std::string::npos;
  context_.diagnostics.error("missing-parameter", block.where,
                             hilda::base::in_quotes(at.path_of(block.name)) + " of type " + info.type->name +
                                 " has no " + hilda::base::in_quotes(slot.name),
                             "add " + slot.name + "=\"...\"" + (fixed_unit ? " in " + slot.unit_text : "") +
                                 (slot.doc.empty() ? "" : ": " + slot.doc));
}

void BlockParameterReader::report_unknown(const Attribute& attribute, const BlockDecl& block, const TypeInfo& info) {
  std::vector<std::string> names = parameter_names(info);
  const std::string own =
      names.empty() ? info.type->name + " has no parameters" : info.type->name + " has: " + listed(names);
  names.insert(names.end(), {"sample_time", "enable", "reset", "outputs", "doc", "mode"});
  const std::string near = context_.suggestions.near(attribute.name, names);
  std::string missing;
  for (const SlotIndex slot : info.parameters) {
    const Slot& each = info.type->slots[slot];
    const auto is_it = [&each](const Attribute& given) { return given.name == each.name; };
    if (!each.initial && !is_driven(*info.type, slot) && near != each.name &&
        std::none_of(block.parameters.begin(), block.parameters.end(), is_it))
      missing += (missing.empty() ? "; it needs " : ", ") + hilda::base::in_quotes(each.name);
  }
  context_.diagnostics.error("unknown-attribute", attribute.where,
                             hilda::base::in_quotes(block.name) + " of type " + info.type->name + " has no parameter " +
                                 hilda::base::in_quotes(attribute.name),
                             (near.empty() ? own : "did you mean " + hilda::base::in_quotes(near) + "? " + own) +
                                 missing);
}

bool BlockParameterReader::evaluate(const Slot& slot, const std::string& text, Location where, const Instance& at,
                                    ParameterValue& into) {
  std::optional<Value> value = evaluation_.read(text, where, at.scope);
  if (!value) return false;
  into.value = *std::move(value);
  if (text.find("${") != std::string::npos) into.text = text;
  into.scope = at.scope;
  return slot.element != HILDA_PATH || settle_path(where, at, into.value);
}

/// A path is looked for from the file where it is written, then from those of the diagrams around it, since `${}` may
/// have brought it from there.
bool BlockParameterReader::settle_path(Location where, const Instance& at, Value& value) {
  if (value.text.empty()) {
    value = Value::of_text("");
    return true;
  }
  if (const std::string kept = KeptPaths::kept(value.text); !kept.empty()) {
    value = Value::of_text(kept);
    return true;
  }
  std::vector<const Sources::File*> from;
  const auto consider = [&](Location place) {
    const Sources::File* file = source_of(context_.sources, place);
    if (file != nullptr && std::find(from.begin(), from.end(), file) == from.end()) from.push_back(file);
  };
  consider(where);
  for (const Instance* around = &at; around != nullptr; around = around->parent) consider(around->diagram->where);
  Error first;
  for (const Sources::File* file : from) {
    const Result<std::string> found = context_.roots.find(value.text, file->absolute);
    if (found) {
      KeptPaths::found(value.text, *found);
      value = Value::of_text(*found);
      return true;
    }
    if (file == from.front()) first = found.error();
  }
  context_.diagnostics.error(first.code.c_str(), where, first.what, first.help);
  return false;
}

} // namespace hilda::compile
