// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/script_types.h"

namespace hilda::catalogue {

const BlockType* ScriptScope::find(const std::string& name) {
  for (const BlockType* type : given_)
    if (type->name == name) return type;
  if (!takes(name)) return nullptr;
  const std::size_t before = diagnostics_.errors();
  const BlockType* type = types_->find(name, folder_, diagnostics_);
  if (diagnostics_.errors() != before) reported_.insert(name);
  return type;
}

std::vector<std::string> ScriptScope::names() const {
  std::vector<std::string> names;
  if (types_ != nullptr) names = types_->names(folder_);
  for (const BlockType* type : given_) names.push_back(type->name);
  return names;
}

} // namespace hilda::catalogue
