#include "engine/summary/summary_parameters.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hilda {
namespace {

using Json = nlohmann::ordered_json;

/// One number, a list, or a list of rows; `element(i)` is the i-th in memory order, column by column.
template <typename Element> Json shaped(int rows, int cols, bool scalar, const Element& element) {
  if (scalar) return element(0);
  Json list = Json::array();
  for (int row = 0; row < rows; ++row) {
    if (cols == 1) {
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
  return shaped(value.extent.rows, value.extent.cols, value.extent.rank == 0, element);
}

namespace {

/// As it lies in the block's record.
Json value_in_use(const Memory& memory, BlockIndex block, SlotIndex index, const Slot& slot, const SignalType& type) {
  const Span span = memory.span(block, index);
  const auto element = [&](std::size_t i) -> Json {
    switch (slot.element) {
    case HILDA_I64: return *static_cast<const std::int64_t*>(span.at(i));
    case HILDA_U64: return *static_cast<const std::uint64_t*>(span.at(i));
    case HILDA_U8: return *static_cast<const std::uint8_t*>(span.at(i)) != 0;
    case HILDA_TEXT:
    case HILDA_PATH: {
      const char* text = *static_cast<const char* const*>(span.at(i));
      return text != nullptr ? text : "";
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
  const bool known = type.elements() == span.count;
  const int rows = known ? type.rows : static_cast<int>(span.count);
  return shaped(rows, known ? type.cols : 1, span.count == 1, element);
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
      values.emplace_back(block.path + "." + slot.name, value_in_use(runtime.memory(), b, s, slot, type));
    }
  }
  return values;
}

std::string json_text(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace hilda
