// SPDX-License-Identifier: BSD-3-Clause
// Which version of the boundary a plugin asks for: the one that it uses, not the one of the headers.
#include <gtest/gtest.h>
#include <hilda/flags.h>
#include <hilda/used_minor.h>

#include <array>

namespace {

using hilda::detail::used_minor;

/// A plugin of two types, of which the second has the two slots and the flags given.
struct Table {
  std::array<hilda_slot, 2> slots{};
  std::array<hilda_block_type, 2> types{};
  hilda_plugin plugin{};

  Table() {
    for (hilda_slot& slot : slots) slot.size = sizeof slot, slot.role = HILDA_INPUT, slot.element = HILDA_F64;
    for (hilda_block_type& type : types) type.size = sizeof type;
    types[1].slots = slots.data(), types[1].slot_count = 2, types[1].slot_stride = sizeof slots[0];
    plugin.size = sizeof plugin, plugin.types = types.data(), plugin.type_count = types.size();
    plugin.type_stride = sizeof types[0];
  }
};

TEST(UsedMinor, IsZeroForEverythingThatVersionOneHad) {
  Table table;
  EXPECT_EQ(used_minor(table.plugin), 0u);
  table.types[1].flags = HILDA_REALTIME_UNSAFE | HILDA_EXTERNAL_STATE | HILDA_VARIANT | HILDA_SINK;
  for (std::uint32_t bit = 0; bit < 19; ++bit) {
    table.slots[1].flags = 1u << bit;
    EXPECT_EQ(used_minor(table.plugin), 0u) << "slot flag " << bit;
  }
}

TEST(UsedMinor, IsOneForEachFlagThatCameLater) {
  for (std::uint32_t bit = 19; bit < 32; ++bit) {
    Table table;
    table.slots[1].flags = 1u << bit;
    EXPECT_EQ(used_minor(table.plugin), 1u) << "slot flag " << bit;
  }
  for (const std::uint32_t flag : {HILDA_RAISES_FLAGS, HILDA_FOLLOWS_TIME, HILDA_STEADY}) {
    Table table;
    table.types[1].flags = flag;
    EXPECT_EQ(used_minor(table.plugin), 1u) << flag;
  }
}

TEST(UsedMinor, IsOneForACrossingThatIsWorkAndZeroForOneThatIsAnOutput) {
  Table table;
  table.slots[1].flags = HILDA_CROSSING;
  table.slots[1].role = HILDA_OUTPUT;
  EXPECT_EQ(used_minor(table.plugin), 0u);
  table.slots[1].role = HILDA_WORK;
  EXPECT_EQ(used_minor(table.plugin), 1u);
}

TEST(UsedMinor, IsOneForMembersThatCameLaterWhereTheTypeIsLongEnoughToHaveThem) {
  Table table;
  table.types[0].fault = "why";
  EXPECT_EQ(used_minor(table.plugin), 1u);
  table.types[0].size = offsetof(hilda_block_type, fault);
  EXPECT_EQ(used_minor(table.plugin), 0u) << "what lies there is not the type's";
  table.types[1].event = [](void*, const hilda_tick*, const hilda_fired*, std::uint64_t) {};
  EXPECT_EQ(used_minor(table.plugin), 1u);
}

TEST(UsedMinor, DoesNotAskForMoreBecauseOfAttach) {
  Table table;
  table.plugin.attach = [](const hilda_host*) -> std::int32_t { return 0; };
  EXPECT_EQ(used_minor(table.plugin), 0u);
}

} // namespace
