// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/summary_parameters.h"

#include "engine/plugin/kept_paths.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hilda::session {
namespace {

using Json = nlohmann::ordered_json;

/// One number, a list, or a list of rows; `element(i)` is the i-th in memory order, column by column. A matrix of one
/// column is one: read back as a vector it would be a diagonal.
template <typename Element> Json shaped(const Extent& extent, const Element& element) {
  const int rows = extent.rows, cols = extent.cols;
  if (extent.rank == 0) return element(0);
  Json list = Json::array();
  for (int row = 0; row < rows; ++row) {
    if (extent.rank == 1) {
      list.push_back(element(static_cast<std::size_t>(row)));
      continue;
    }
    Json line = Json::array();
    for (int col = 0; col < cols; ++col)
      line.push_back(
          element(static_cast<std::size_t>(col) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(row)));
    list.push_back(std::move(line));
  }
  return list;
}

} // namespace

Json parameter_value(const Value& value) {
  if (value.kind == Value::Kind::text) return value.text;
  const auto element = [&](std::size_t i) -> Json {
    if (value.kind == Value::Kind::boolean) return value.numbers[i] != 0;
    const double number = value.numbers[i];
    const bool whole = number == std::round(number) && std::abs(number) < 9e15;
    return whole ? Json(static_cast<std::int64_t>(number)) : Json(number); // a seed of 7 is 7, not 7.0
  };
  return shaped(value.extent, element);
}

namespace {

Extent extent_in_use(const SystemBlock& block, SlotIndex slot, const SignalType& type, std::size_t count) {
  if (count == 1) return Extent::scalar();
  const bool known = type.elements() == count;
  const int rows = known ? type.rows : static_cast<int>(count), cols = known ? type.cols : 1;
  const bool matrix = std::any_of(block.parameters.begin(), block.parameters.end(), [&](const ParameterValue& each) {
    return each.slot == slot && each.value.extent == Extent::matrix(rows, cols);
  });
  return matrix || cols != 1 ? Extent::matrix(rows, cols) : Extent::vector(rows);
}

/// The file that a block has opened by this path: in a compiled program it lies elsewhere.
std::string meant_by(const std::string& path) {
  for (const auto& [written, found] : KeptPaths::all())
    if (found.opened_as == path) return found.absolute;
  return path;
}

/// As it lies in the block's record.
Json value_in_use(const Memory& memory, const SystemBlock& of, BlockIndex block, SlotIndex index, const Slot& slot,
                  const SignalType& type) {
  const Span span = memory.span(block, index);
  const auto element = [&](std::size_t i) -> Json {
    switch (slot.element) {
    case HILDA_I64: return *static_cast<const std::int64_t*>(span.at(i));
    case HILDA_U64: return *static_cast<const std::uint64_t*>(span.at(i));
    case HILDA_U8: return *static_cast<const std::uint8_t*>(span.at(i)) != 0;
    case HILDA_TEXT:
    case HILDA_PATH: {
      const char* text = *static_cast<const char* const*>(span.at(i));
      if (text == nullptr) return "";
      return slot.element == HILDA_PATH ? meant_by(text) : text;
    }
    case HILDA_CHOICE: {
      const auto choice = static_cast<std::size_t>(*static_cast<const std::int64_t*>(span.at(i)));
      return choice < slot.choices.size() ? Json(slot.choices[choice]) : Json(nullptr);
    }
    case HILDA_F64: break;
    }
    return *static_cast<const double*>(span.at(i));
  };
  if (span.data == nullptr || span.count == 0) return Json::array();
  return shaped(extent_in_use(of, index, type, span.count), element);
}

} // namespace

nlohmann::ordered_json parameter_values(const Runtime& runtime) {
  const System& system = runtime.system();
  Json::object_t values; // paths are unique: appended without a search, for there may be 100,000
  for (const NamedParameter& parameter : system.parameters)
    values.emplace_back(parameter.path, parameter_value(parameter.value));
  const auto is_period = [](const NamedParameter& parameter) { return parameter.path == "period"; };
  if (std::none_of(system.parameters.begin(), system.parameters.end(), is_period))
    values.emplace_back("period", system.period.value());
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    const BlockType& layout = runtime.memory().layout(b);
    for (const SlotIndex s : layout.slots.indices()) {
      const Slot& slot = layout.slots[s];
      if (slot.role != HILDA_PARAMETER) continue;
      const SignalType type = block.slot_types.has(s) ? block.slot_types[s] : SignalType();
      values.emplace_back(block.path + "." + slot.name, value_in_use(runtime.memory(), block, b, s, slot, type));
    }
  }
  return values;
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace hilda::session
