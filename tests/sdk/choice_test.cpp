// SPDX-License-Identifier: BSD-3-Clause
// The words of a choice are the names of an enum class's values.

#include <gmock/gmock.h>
#include <hilda/block.h>

namespace {
using namespace hilda;

enum class Windup { clamp, back_calculation, none };
enum class Operation { and_, or_, not_ };
enum class Only { one };
enum class Most { a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p };

template <typename E> std::string words() { return detail::Words<E>::text.data(); }

TEST(Choice, WordsAreTheNamesOfTheValues) {
  EXPECT_EQ(words<Windup>(), "clamp|back_calculation|none");
  EXPECT_EQ(words<Only>(), "one");
  EXPECT_EQ(words<Most>(), "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p");
}

TEST(Choice, AnUnderscoreBehindANameThatIsCPlusPlussOwnIsLeftOut) { EXPECT_EQ(words<Operation>(), "and|or|not"); }

struct Block1 : Block {
  Parameter<Windup> windup{*this, "windup", "What it does", by_default("none")};
};

TEST(Choice, DeclaresASlotWithItsWordsAndReadsTheIndexAsTheValue) {
  const detail::Declaration& declared = detail::declaration<Block1>();
  ASSERT_EQ(declared.slots.size(), 1u);
  const hilda_slot& slot = declared.slots[0];
  EXPECT_EQ(slot.role, HILDA_PARAMETER);
  EXPECT_EQ(slot.element, HILDA_CHOICE);
  EXPECT_STREQ(slot.choices, "clamp|back_calculation|none");
  EXPECT_STREQ(slot.initial, "none");

  Block1 block;
  EXPECT_EQ(*block.windup, Windup::clamp);
  const std::int64_t index = 2;
  std::memcpy(reinterpret_cast<char*>(&block) + slot.offset, &index, sizeof index); // as the engine does
  EXPECT_EQ(*block.windup, Windup::none);
}

} // namespace
