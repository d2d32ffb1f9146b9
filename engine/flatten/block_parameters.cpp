#include "engine/flatten/block_parameters.h"

#include "engine/diagnostics/budget.h"
#include "engine/diagnostics/complaint.h"

#include <algorithm>

namespace hilda {
namespace {

std::vector<std::string> parameter_names(const TypeInfo& info) {
  std::vector<std::string> names;
  for (const SlotIndex slot : info.parameters) names.push_back(info.type->slots[slot].name);
  return names;
}

} // namespace

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
  }
  if (used < block.parameters.size()) {
    const std::vector<std::string> names = parameter_names(info);
    for (const Attribute& attribute : block.parameters)
      if (std::find(names.begin(), names.end(), attribute.name) == names.end()) report_unknown(attribute, block, info);
  }
  return values;
}

/// Where a parameter is missing because its name is misspelt, the misspelt name is what is reported.
void BlockParameterReader::report_missing(const Slot& slot, const BlockDecl& block, const TypeInfo& info,
                                          const Instance& at) {
  const std::vector<std::string> names = parameter_names(info);
  for (const Attribute& attribute : block.parameters)
    if (std::find(names.begin(), names.end(), attribute.name) == names.end() &&
        context_.suggestions.near(attribute.name, names) == slot.name)
      return;
  const bool fixed_unit =
      !slot.unit_text.empty() && slot.unit_text != "1" && slot.unit_text.find('@') == std::string::npos;
  context_.diagnostics.error("missing-parameter", block.where,
                             hilda::in_quotes(at.path_of(block.name)) + " of type " + info.type->name + " has no " +
                                 hilda::in_quotes(slot.name),
                             "add " + slot.name + "=\"...\"" + (fixed_unit ? " in " + slot.unit_text : "") +
                                 (slot.doc.empty() ? "" : ": " + slot.doc));
}

void BlockParameterReader::report_unknown(const Attribute& attribute, const BlockDecl& block, const TypeInfo& info) {
  std::vector<std::string> names = parameter_names(info);
  const std::string own =
      names.empty() ? info.type->name + " has no parameters" : info.type->name + " has: " + listed(names);
  names.insert(names.end(), {"sample_time", "enable", "reset", "outputs", "doc", "mode"});
  const std::string near = context_.suggestions.near(attribute.name, names);
  context_.diagnostics.error("unknown-attribute", attribute.where,
                             hilda::in_quotes(block.name) + " of type " + info.type->name + " has no parameter " +
                                 hilda::in_quotes(attribute.name),
                             near.empty() ? own : "did you mean " + hilda::in_quotes(near) + "? " + own);
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
  std::vector<const Sources::File*> from;
  const auto consider = [&](Location place) {
    const Sources::File* file = source_of(context_.sources, place);
    if (file != nullptr && std::find(from.begin(), from.end(), file) == from.end()) from.push_back(file);
  };
  consider(where);
  for (const Instance* around = &at; around != nullptr; around = around->parent) consider(around->diagram->where);
  Complaint first;
  for (const Sources::File* file : from) {
    const Outcome<std::string> found = context_.roots.find(value.text, file->absolute);
    if (found) {
      value = Value::of_text(*found);
      return true;
    }
    if (file == from.front()) first = found.complaint();
  }
  context_.diagnostics.error(first.code.c_str(), where, first.what, first.help);
  return false;
}

} // namespace hilda
