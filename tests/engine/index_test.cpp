// SPDX-License-Identifier: BSD-3-Clause
// Indices of different kinds do not mix, and lists that are named by an index take it as it is.

#include "engine/run/memory.h"
#include "engine/run/plan.h"
#include "tests/modules.h"

#include <gmock/gmock.h>
#include <set>
#include <string>
#include <type_traits>
#include <unordered_set>

using ::testing::ElementsAre;

namespace hilda::test {
namespace {

template <class List, class Position>
concept TakesIndex = requires(List list, Position at) {
  list[at];
};
template <class Position, class Other>
concept Compares = requires(Position one, Other other) {
  one == other;
};
template <class Block, class Slot>
concept MemoryTakes = requires(const Memory& memory, Block block, Slot slot) {
  memory.span(block, slot);
};

using Blocks = decltype(System::blocks);

// What must not compile: a wire where a block is expected, a bare number where an index is, an index as a number.
static_assert(TakesIndex<Blocks, BlockIndex> && TakesIndex<Blocks, std::size_t>);
static_assert(!TakesIndex<Blocks, WireIndex> && !TakesIndex<Blocks, SlotIndex> && !TakesIndex<Blocks, GuardIndex>);
static_assert(!TakesIndex<std::vector<int>, BlockIndex>);
static_assert(MemoryTakes<BlockIndex, SlotIndex>);
static_assert(!MemoryTakes<SlotIndex, BlockIndex> && !MemoryTakes<WireIndex, SlotIndex> && !MemoryTakes<int, int>);
static_assert(!std::is_convertible_v<int, BlockIndex> && !std::is_convertible_v<BlockIndex, int>);
static_assert(!std::is_convertible_v<BlockIndex, std::size_t> && !std::is_convertible_v<BlockIndex, bool>);
static_assert(!std::is_constructible_v<BlockIndex, WireIndex> && !std::is_assignable_v<BlockIndex&, WireIndex>);
static_assert(Compares<BlockIndex, BlockIndex> && !Compares<BlockIndex, WireIndex> && !Compares<BlockIndex, int>);
// The loop keeps them in its calls, and in atomics.
static_assert(std::is_trivially_copyable_v<BlockIndex> && sizeof(BlockIndex) == sizeof(std::int32_t));

TEST(Index, IsNoneUntilItIsGivenANumber) {
  EXPECT_FALSE(BlockIndex().valid());
  EXPECT_EQ(BlockIndex().signed_number(), -1);
  EXPECT_TRUE(BlockIndex(0).valid());
  EXPECT_EQ(BlockIndex(7).number(), 7u);
  EXPECT_EQ(BlockIndex(std::size_t{7}), BlockIndex(7));
}

TEST(Index, IsOrderedWithNoneFirst) {
  const std::set<BlockIndex> ordered{BlockIndex(2), BlockIndex(), BlockIndex(0)};
  EXPECT_THAT(ordered, ElementsAre(BlockIndex(), BlockIndex(0), BlockIndex(2)));
  const std::unordered_set<BlockIndex> found{BlockIndex(2), BlockIndex(), BlockIndex(2)};
  EXPECT_EQ(found.size(), 2u);
}

TEST(Indexed, GivesItsIndicesInOrder) {
  Indexed<WireIndex, std::string> list{"a", "b", "c"};
  std::string all;
  for (const WireIndex at : list.indices()) all += list[at];
  EXPECT_EQ(all, "abc");
  for (const WireIndex at : Indexed<WireIndex, int>().indices()) FAIL() << at.signed_number();
}

TEST(Indexed, KnowsWhereTheNextElementWillStand) {
  Indexed<WireIndex, std::string> list{"a"};
  const WireIndex next = list.next();
  EXPECT_FALSE(list.has(next));
  EXPECT_FALSE(list.has(WireIndex()));
  list.push_back("b");
  EXPECT_TRUE(list.has(next));
  EXPECT_EQ(list[next], "b");
}

TEST(Indexed, HoldsFlags) {
  Indexed<BlockIndex, bool> flags(3, false);
  flags[BlockIndex(1)] = true;
  EXPECT_FALSE(flags[BlockIndex(0)]);
  EXPECT_TRUE(flags[BlockIndex(1)]);
}

} // namespace
} // namespace hilda::test
