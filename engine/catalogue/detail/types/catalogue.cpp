// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/catalogue.h"

namespace hilda::catalogue {

SlotIndex BlockType::find(const std::string& slot, hilda_role role) const {
  for (const SlotIndex i : slots.indices())
    if (slots[i].role == role && slots[i].name == slot) return i;
  return {};
}

const BlockType* Catalogue::find(const std::string& name) const {
  const auto found = types_.find(name);
  if (found != types_.end()) return found->second.get();
  const auto shown = shown_.find(name);
  return shown == shown_.end() ? nullptr : shown->second;
}

std::vector<const BlockType*> Catalogue::all() const {
  std::vector<const BlockType*> result;
  result.reserve(types_.size());
  for (const auto& [name, type] : types_) result.push_back(type.get());
  for (const auto& [name, type] : shown_) result.push_back(type);
  return result;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> result;
  result.reserve(types_.size());
  for (const auto& [name, type] : types_) result.push_back(name);
  for (const auto& [name, type] : shown_) result.push_back(name);
  return result;
}

void Catalogue::show(const BlockType& type) { shown_.insert_or_assign(type.name, &type); }

bool Catalogue::add(std::unique_ptr<BlockType> type) {
  const std::string name = type->name;
  if (!types_.emplace(name, std::move(type)).second) return false;
  std::size_t place = 0;
  for (auto& [other, entry] : types_) {
    entry->order = place++;
    for (auto& variant : entry->variants) variant->order = entry->order;
  }
  return true;
}

void Catalogue::refuse(const std::string& plugin, RefusedPlugin why) {
  refused_.insert_or_assign(plugin, std::move(why));
}

const RefusedPlugin* Catalogue::refused(const std::string& plugin) const {
  const auto found = refused_.find(plugin);
  return found == refused_.end() ? nullptr : &found->second;
}

const char* role_name(hilda_role role) {
  switch (role) {
  case HILDA_INPUT: return "input";
  case HILDA_OUTPUT: return "output";
  case HILDA_PARAMETER: return "parameter";
  case HILDA_STATE: return "state";
  case HILDA_WORK: return "work";
  }
  return "slot";
}

const char* element_name(hilda_element element) {
  switch (element) {
  case HILDA_F64: return "real";
  case HILDA_I64: return "integer";
  case HILDA_U64: return "unsigned integer";
  case HILDA_U8: return "boolean";
  case HILDA_TEXT: return "text";
  case HILDA_PATH: return "path";
  case HILDA_CHOICE: return "choice";
  }
  return "?";
}

const char* kind_name(hilda_kind kind) {
  switch (kind) {
  case HILDA_WRENCH: return "wrench";
  case HILDA_TWIST: return "twist";
  case HILDA_POSE: return "pose";
  case HILDA_QUATERNION: return "quaternion";
  case HILDA_PLAIN: break;
  }
  return "";
}

std::size_t element_size(hilda_element element) { return element == HILDA_U8 ? 1 : 8; }

} // namespace hilda::catalogue
