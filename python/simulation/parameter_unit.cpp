// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/parameter_unit.h"

namespace hilda::python {
namespace {

/// A parameter of real numbers of a block.
struct BlockParameter {
  const Slot* slot = nullptr; ///< null: the path names none
  std::optional<Unit> unit;
};

BlockParameter of_block(const Runtime& runtime, BlockIndex index, const std::string& name) {
  const SystemBlock& block = runtime.system().blocks[index];
  const BlockType& layout = runtime.memory().layout(index);
  const SlotIndex at = layout.find(name, HILDA_PARAMETER);
  if (!at.valid() || !block.slot_types.has(at) || layout.slots[at].element != HILDA_F64) return {};
  return {&layout.slots[at], block.slot_types[at].unit};
}

BlockParameter block_parameter(const Runtime& runtime, const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {};
  for (const BlockIndex b : runtime.system().blocks.indices())
    if (path.compare(0, dot, runtime.system().blocks[b].path) == 0) return of_block(runtime, b, path.substr(dot + 1));
  return {};
}

/// A parameter of a diagram; null where the path names none.
const NamedParameter* named(const Runtime& runtime, const std::string& path) {
  for (const NamedParameter& parameter : runtime.system().parameters)
    if (parameter.path == path) return &parameter;
  return nullptr;
}

} // namespace

std::optional<Unit> open_unit(const Runtime& runtime, const std::string& path) {
  if (const NamedParameter* parameter = named(runtime, path))
    return parameter->value.kind == Value::Kind::number ? parameter->value.unit() : std::nullopt;
  const BlockParameter found = block_parameter(runtime, path);
  return found.slot == nullptr || found.slot->unit.fixed() ? std::nullopt : found.unit;
}

std::string unit_of_bare_number(const Runtime& runtime, const std::string& path) {
  const NamedParameter* parameter = named(runtime, path);
  if (parameter == nullptr) {
    const BlockParameter found = block_parameter(runtime, path);
    const bool scaled =
        found.slot != nullptr && (found.slot->declared.factor() != 1 || found.slot->declared.offset != 0);
    if (scaled && found.slot->unit.fixed() && found.unit) return found.unit->text();
  }
  const std::optional<Unit> unit = open_unit(runtime, path);
  if (!unit || unit->dimensionless()) return "";
  return parameter == nullptr || parameter->value.reading().energy ? unit->text() : unit->rotational().text();
}

} // namespace hilda::python
