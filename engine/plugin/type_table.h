// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/port_parts.h"
#include "engine/catalogue/script_types.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hilda::plugin {

/// The lookups that each block needs, done once for its type.
struct TypeInfo {
  const BlockType* type = nullptr;
  std::vector<SlotIndex> parameters;      ///< in slot order
  std::vector<ParameterValue> defaults;   ///< of each, with an empty value where it must be given
  std::vector<SlotIndex> inputs, outputs; ///< in slot order
  /// A slot's place among the inputs that are not repeated.
  Indexed<SlotIndex, std::optional<std::size_t>> ordinal;
  std::size_t plain_inputs = 0; ///< inputs that are not repeated
  bool repeated = false;        ///< has a repeated port
  /// Has a boolean input `reset` and a parameter `reset_on`, with which it does a reset itself.
  bool resets_itself = false;
  std::vector<PartedPort> parted; ///< ports with parts

  bool gives_bus() const {
    return std::any_of(parted.begin(), parted.end(), [](const PartedPort& each) { return each.role == HILDA_OUTPUT; });
  }
};

class TypeTable {
public:
  explicit TypeTable(const Catalogue& catalogue) : catalogue_(catalogue) {}
  /// Types in source files are looked for there first. It must live as long as types are asked for.
  void look_in(ScriptScope* scripts) { scripts_ = scripts; }
  /// Null where there is no such type.
  const TypeInfo* find(std::string_view name);
  const TypeInfo& of(const BlockType& type) const { return *by_type_.find(&type)->second; }
  /// Of a type that was made for one block, which lives as long as this.
  const TypeInfo* add(const BlockType& type);

private:
  const Catalogue& catalogue_;
  ScriptScope* scripts_ = nullptr;
  std::unordered_map<std::string_view, std::unique_ptr<TypeInfo>> by_name_; ///< looked up only, never walked
  std::unordered_map<const BlockType*, const TypeInfo*> by_type_;
  std::vector<std::unique_ptr<TypeInfo>> own_;
};

} // namespace hilda::plugin
