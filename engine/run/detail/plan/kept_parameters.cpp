// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/kept_parameters.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

namespace hilda::run {
namespace {

/// A text's place counts: the engine has written it, and lets no one else do so.
Span span_of(const Memory& memory, BlockIndex block, SlotIndex slot, const Slot& of) {
  Span span = memory.span(block, slot);
  if (of.element == HILDA_TEXT || of.element == HILDA_PATH || of.element == HILDA_CHOICE) span.count = 1;
  return span;
}

std::string words(const Slot& slot, const std::byte* element) {
  if (slot.element == HILDA_TEXT || slot.element == HILDA_PATH) {
    const char* text = nullptr;
    std::memcpy(&text, element, sizeof text);
    return text != nullptr ? fmt::format("'{}'", std::string(text, strnlen(text, 60))) : "null";
  }
  if (slot.element == HILDA_U8) return *element == std::byte{0} ? "false" : "true";
  if (slot.element == HILDA_F64) {
    double number = 0;
    std::memcpy(&number, element, sizeof number);
    return fmt::format("{:g}", number);
  }
  std::int64_t number = 0;
  std::memcpy(&number, element, sizeof number);
  return std::to_string(number);
}

} // namespace

KeptParameters::KeptParameters(const Memory& memory, const System& system, BlockIndex block) {
  const BlockType& layout = memory.layout(block);
  for (const ParameterValue& each : system.blocks[block].parameters) {
    const Slot& slot = layout.slots[each.slot];
    Kept kept{&slot, span_of(memory, block, each.slot, slot), {}};
    kept.now.pieces([&kept](const void* data, std::size_t bytes) {
      const auto* from = static_cast<const std::byte*>(data);
      kept.before.insert(kept.before.end(), from, from + bytes);
    });
    all_.push_back(std::move(kept));
  }
}

std::string KeptParameters::changed() const {
  for (const Kept& kept : all_) {
    const std::size_t width = kept.now.width();
    for (std::size_t i = 0; i < kept.now.count; ++i) {
      const std::byte* was = kept.before.data() + i * width;
      const auto* is = static_cast<const std::byte*>(kept.now.at(i));
      if (std::equal(was, was + width, is)) continue;
      const std::string index = kept.now.count > 1 ? fmt::format("[{}]", i) : "";
      const std::string before = words(*kept.slot, was);
      return fmt::format("{}{}: {} -> {}", kept.slot->name, index, before,
                         kept.slot->element == HILDA_TEXT || kept.slot->element == HILDA_PATH ? "another text"
                                                                                              : words(*kept.slot, is));
    }
  }
  return {};
}

} // namespace hilda::run
