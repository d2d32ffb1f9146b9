// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/type_table.h"

namespace hilda::plugin {
namespace {

/// Defaults are literal: they name no parameters.
class NoScope : public Scope {
public:
  Result<const Value*> find(const std::string&) const override { return static_cast<const Value*>(nullptr); }
  std::vector<std::string> names() const override { return {}; }
};

Value default_of(const Slot& slot) {
  if (!slot.initial) return {};
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH || slot.element == HILDA_CHOICE)
    return Value::of_text(*slot.initial);
  Result<Value> value = read_value(*slot.initial, NoScope());
  return value ? *std::move(value) : Value::of_text(*slot.initial);
}

std::unique_ptr<TypeInfo> describe(const BlockType& type) {
  auto info = std::make_unique<TypeInfo>();
  info->type = &type;
  info->ordinal.resize(type.slots.size());
  bool reset = false, reset_on = false;
  for (const SlotIndex i : type.slots.indices()) {
    const Slot& slot = type.slots[i];
    const bool repeated = slot.is(HILDA_REPEATED);
    if (slot.role == HILDA_PARAMETER) {
      info->parameters.push_back(i);
      info->defaults.push_back({i, default_of(slot)});
    } else if (slot.role == HILDA_INPUT) {
      info->inputs.push_back(i);
      if (!repeated) info->ordinal[i] = info->plain_inputs++;
    } else if (slot.role == HILDA_OUTPUT) {
      info->outputs.push_back(i);
    }
    info->repeated = info->repeated || repeated;
    reset = reset || (slot.role == HILDA_INPUT && slot.element == HILDA_U8 && slot.name == "reset");
    reset_on = reset_on || (slot.role == HILDA_PARAMETER && slot.name == "reset_on");
  }
  info->resets_itself = reset && reset_on;
  info->parted = parted_ports(type);
  return info;
}

} // namespace

const TypeInfo* TypeTable::find(std::string_view name) {
  const auto known = by_name_.find(name);
  if (known != by_name_.end()) return known->second.get();
  const BlockType* type = scripts_ != nullptr ? scripts_->find(std::string(name)) : nullptr;
  const bool elsewhere = type == nullptr && (scripts_ == nullptr || !scripts_->takes(std::string(name)));
  if (elsewhere) type = catalogue_.find(std::string(name));
  if (type == nullptr) return nullptr;
  // By the type's own name, which lives as long as the catalogue.
  const TypeInfo* info = (by_name_[type->name] = describe(*type)).get();
  by_type_[type] = info;
  return info;
}

const TypeInfo* TypeTable::add(const BlockType& type) {
  const TypeInfo* info = own_.emplace_back(describe(type)).get();
  by_type_[&type] = info;
  return info;
}

} // namespace hilda::plugin
