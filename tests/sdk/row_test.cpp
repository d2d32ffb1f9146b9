// SPDX-License-Identifier: BSD-3-Clause
// A block's own functions for rows, and for output and update in one, are what the engine is given.

#include <gmock/gmock.h>
#include <hilda/block.h>

namespace {
using namespace hilda;

/// Counts what is called.
struct Counting : Block {
  void output(const Tick&) override { ++outputs; }
  void update(const Tick&) override { ++updates; }
  int outputs = 0, updates = 0;
};

struct InOne : Counting {
  void output_and_update(const Tick&) override { ++both; }
  int both = 0;
};

struct InARow : Counting {
  static void output_row(Row<InARow> row) {
    int place = 0;
    for (InARow& block : row) block.place = ++place, block.stops = row.tick(block).index();
  }
  static void output_and_update_row(Row<InARow> row) {
    for (InARow& block : row) block.size = row.size();
  }
  int place = 0;
  std::uint64_t size = 0;
  std::int64_t stops = 0;
};

struct Ending : Block {
  void output(const Tick& t) override {
    if (ends) t.fail("for this test");
  }
  void update(const Tick& t) override {
    if (ends) t.fail("for this test");
  }
  bool ends = false;
};

template <int N> struct Sized : Counting {
  static void output_row(Row<Sized> row) requires(N == 1) {
    for (Sized& block : row) block.outputs = 100;
  }
};

/// Calls a function for rows with blocks that lie farther apart than their size.
template <typename T> struct Rows {
  using Many = void (*)(void*, std::uint64_t, std::uint64_t, const hilda_tick*);
  void call(Many many, hilda_control* control = nullptr) {
    hilda_tick tick{};
    tick.index = 7;
    tick.control = control;
    many(&blocks[0], 2 * sizeof(T), 3, &tick);
  }
  T blocks[6];
};

TEST(Row, WithoutAFunctionOfItsOwnEachBlockIsCalled) {
  const hilda_block_type type = detail::describe<Counting>("Counting", "", 0);
  Rows<Counting> rows;
  rows.call(type.output_many), rows.call(type.step_many);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(rows.blocks[i].outputs, i % 2 == 0 ? 2 : 0) << i;
    EXPECT_EQ(rows.blocks[i].updates, i % 2 == 0 ? 1 : 0) << i;
  }
}

TEST(Row, OutputAndUpdateInOneTakesThePlaceOfBoth) {
  const hilda_block_type type = detail::describe<InOne>("InOne", "", 0);
  Rows<InOne> rows;
  rows.call(type.step_many);
  EXPECT_EQ(rows.blocks[0].both, 1);
  EXPECT_EQ(rows.blocks[0].outputs + rows.blocks[0].updates, 0);
  rows.call(type.output_many);
  EXPECT_EQ(rows.blocks[0].outputs, 1) << "an output alone is still asked for";
}

TEST(Row, ABlocksOwnFunctionSeesTheWholeRowInItsOrder) {
  const hilda_block_type type = detail::describe<InARow>("InARow", "", 0);
  Rows<InARow> rows;
  rows.call(type.output_many);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(rows.blocks[i].place, i % 2 == 0 ? i / 2 + 1 : 0) << i;
  EXPECT_EQ(rows.blocks[4].stops, 7);
  EXPECT_EQ(rows.blocks[0].outputs, 0);
  rows.call(type.step_many);
  EXPECT_EQ(rows.blocks[4].size, 3u);
}

/// The block that ended the run is named, not the first of its row.
TEST(Row, ABlocksVerdictIsItsOwn) {
  const hilda_block_type type = detail::describe<Ending>("Ending", "", 0);
  for (const int last : {0, 2, 4}) {
    Rows<Ending> rows;
    rows.blocks[last].ends = true;
    for (const auto many : {type.output_many, type.update_many, type.step_many}) {
      hilda_control control{};
      rows.call(many, &control);
      EXPECT_EQ(control.verdict, HILDA_FAIL) << last;
      EXPECT_EQ(control.record, &rows.blocks[last]) << last;
    }
  }
}

TEST(Row, AFunctionForOneSizeIsTakenForThatSizeAlone) {
  Rows<Sized<1>> one;
  one.call(detail::describe<Sized<1>>("Sized", "", 0).output_many);
  EXPECT_EQ(one.blocks[2].outputs, 100);
  Rows<Sized<3>> three;
  three.call(detail::describe<Sized<3>>("Sized", "", 0).output_many);
  EXPECT_EQ(three.blocks[2].outputs, 1);
}

} // namespace
