// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/parameter_unit.h"

namespace hilda::python {
namespace {

std::optional<Unit> of_block(const Runtime& runtime, BlockIndex index, const std::string& name) {
  const SystemBlock& block = runtime.system().blocks[index];
  const BlockType& layout = runtime.memory().layout(index);
  const SlotIndex at = layout.find(name, HILDA_PARAMETER);
  if (!at.valid() || !block.slot_types.has(at)) return std::nullopt;
  const Slot& slot = layout.slots[at];
  if (slot.element != HILDA_F64 || slot.unit.fixed()) return std::nullopt;
  return block.slot_types[at].unit;
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
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  for (const BlockIndex b : runtime.system().blocks.indices())
    if (path.compare(0, dot, runtime.system().blocks[b].path) == 0) return of_block(runtime, b, path.substr(dot + 1));
  return std::nullopt;
}

std::string open_unit_text(const Runtime& runtime, const std::string& path) {
  const std::optional<Unit> unit = open_unit(runtime, path);
  if (!unit || unit->dimensionless()) return "";
  const NamedParameter* parameter = named(runtime, path);
  return parameter == nullptr || parameter->value.reading().energy ? unit->text() : unit->rotational().text();
}

} // namespace hilda::python
