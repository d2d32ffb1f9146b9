// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tests/modules.h"

#include <deque>
#include <gtest/gtest.h>
#include <hilda/abi.h>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace hilda::test {

/// Builds a plugin's descriptor slot by slot, laid out one after the other in the record.
class Descriptor {
public:
  explicit Descriptor(const char* name) {
    type.size = sizeof(hilda_block_type);
    type.name = name;
    type.doc = "A block of a test.";
    type.record_align = 8;
    type.slot_stride = sizeof(hilda_slot);
    type.output = [](void*, const hilda_tick*) {};
  }

  hilda_slot& slot(hilda_role role, const char* name, const char* shape, const char* unit, std::uint32_t flags = 0) {
    hilda_slot& s = slots.emplace_back();
    s.size = sizeof(hilda_slot);
    s.role = role;
    s.element = HILDA_F64;
    s.flags = flags;
    s.name = name;
    s.shape = shape;
    s.unit = unit;
    s.minimum = -std::numeric_limits<double>::infinity();
    s.maximum = std::numeric_limits<double>::infinity();
    return s;
  }
  Descriptor& in(const char* name, const char* shape = "", const char* unit = "", std::uint32_t flags = 0) {
    slot(HILDA_INPUT, name, shape, unit, flags | bound(shape));
    return *this;
  }
  Descriptor& out(const char* name, const char* shape = "", const char* unit = "", std::uint32_t flags = 0) {
    slot(HILDA_OUTPUT, name, shape, unit, flags | bound(shape));
    if ((flags & HILDA_STATE_OUTPUT) != 0) type.state_output = [](void*, const hilda_tick*) {};
    return *this;
  }
  Descriptor& parameter(const char* name, const char* shape = "", const char* unit = "", const char* initial = nullptr,
                        std::uint32_t flags = 0) {
    slot(HILDA_PARAMETER, name, shape, unit, flags | bound(shape)).initial = initial;
    return *this;
  }
  Descriptor& state(const char* name, const char* shape = "", const char* unit = "", std::uint32_t flags = 0) {
    slot(HILDA_STATE, name, shape, unit, flags | bound(shape));
    if ((flags & HILDA_CONTINUOUS) != 0) type.derivative = [](void*, const hilda_tick*) {};
    return *this;
  }
  /// The slot added last has this kind.
  Descriptor& kind(hilda_kind kind) {
    slots.back().kind = kind;
    slots.back().shape = slots.back().unit = nullptr;
    slots.back().flags &= ~std::uint32_t{HILDA_BOUND};
    return *this;
  }
  Descriptor& element(hilda_element element) {
    slots.back().element = element;
    return *this;
  }
  Descriptor& range(double minimum, double maximum) {
    slots.back().minimum = minimum, slots.back().maximum = maximum;
    return *this;
  }
  Descriptor& choices(const char* words) {
    slots.back().choices = words;
    return element(HILDA_CHOICE);
  }
  Descriptor& count(const char* text) {
    slots.back().count = text;
    return *this;
  }

  /// Gives every slot separate 512 bytes.
  const hilda_block_type& finish() {
    constexpr std::uint64_t room = 512;
    std::uint64_t offset = 0;
    for (hilda_slot& s : slots) {
      s.offset = offset, offset += room;
      if ((s.flags & HILDA_CONTINUOUS) != 0) s.second_offset = offset, offset += room;
    }
    type.record_size = offset;
    type.slots = slots.data();
    type.slot_count = static_cast<std::uint32_t>(slots.size());
    return type;
  }
  /// As the catalogue would hold it; a mistake in the descriptor fails the test.
  std::unique_ptr<BlockType> make() {
    std::vector<std::string> problems;
    auto result = describe(finish(), "test", "libtest.so", problems);
    for (const std::string& problem : problems) ADD_FAILURE() << problem;
    return result;
  }

  hilda_block_type type{};
  std::vector<hilda_slot> slots;

private:
  static std::uint32_t bound(const char* shape) {
    const bool named =
        shape != nullptr && std::string(shape).find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos;
    return named ? std::uint32_t{HILDA_BOUND} : 0u;
  }
};

} // namespace hilda::test
