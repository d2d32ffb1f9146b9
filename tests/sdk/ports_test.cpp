// SPDX-License-Identifier: BSD-3-Clause
// What a block reads and writes where the engine has put its numbers: ports, parameters, states and their rings.
#include "tests/sdk/declared_block.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using test::DeclaredBlock;
using ::testing::ElementsAre;

struct Ports : Block {
  Output<double> first{*this, "first", "1", "So that no slot of interest lies at the record's begin"};
  Input<double> number{*this, "number", "N", "A number", optional};
  Input<Wrench> wrench{*this, "wrench", "A wrench", actuation};
  Input<bool> yes{*this, "yes", "A boolean"};
  Input<Matrix> matrix{*this, "matrix", "m n", "N/m", "A matrix", in_update};
  Input<Elements<2>> two{*this, "two", "*s", "m", "Two"};
  Inputs<Vector> many{*this, "many", "n", "m", "Vectors", conditional};
  Inputs<Elements<3>> threes{*this, "threes", "*s", "s", "Triples", primes};
  Input<Booleans> truths{*this, "truths", "m n", "1", "Booleans"};
  State<Booleans> kept_truths{*this, "kept_truths", "m n", "1", "Booleans"};
  Input<Integers> integers{*this, "integers", "m n", "1", "Integers"};
  State<Integers> kept_integers{*this, "kept_integers", "m n", "1", "Integers"};
  Output<Vector> vector{*this, "vector", "n", "N", "A vector", from_state};
  Outputs<Matrix> matrices{*this, "matrices", "m n", "N", "Matrices", as_many_as("count")};
};

TEST(Ports, DeclareWhatTheyAre) {
  const DeclaredBlock<Ports> block;
  struct Wanted {
    const char *name, *shape, *unit;
    hilda_role role;
    hilda_element element;
    hilda_kind kind;
    std::uint32_t flags;
  };
  const std::uint32_t repeated = HILDA_BOUND | HILDA_REPEATED;
  const Wanted all[] = {
      {"number", "", "N", HILDA_INPUT, HILDA_F64, HILDA_PLAIN, HILDA_OPTIONAL},
      {"wrench", nullptr, nullptr, HILDA_INPUT, HILDA_F64, HILDA_WRENCH, HILDA_ACTUATION},
      {"yes", "", nullptr, HILDA_INPUT, HILDA_U8, HILDA_PLAIN, 0},
      {"matrix", "m n", "N/m", HILDA_INPUT, HILDA_F64, HILDA_PLAIN, HILDA_BOUND | HILDA_IN_UPDATE},
      {"two", "2", "m", HILDA_INPUT, HILDA_F64, HILDA_PLAIN, 0},
      {"many", "n", "m", HILDA_INPUT, HILDA_F64, HILDA_PLAIN, repeated | HILDA_CONDITIONAL},
      {"threes", "3", "s", HILDA_INPUT, HILDA_F64, HILDA_PLAIN, repeated | HILDA_PRIMES},
      {"truths", "m n", "1", HILDA_INPUT, HILDA_U8, HILDA_PLAIN, HILDA_BOUND},
      {"kept_truths", "m n", "1", HILDA_STATE, HILDA_U8, HILDA_PLAIN, HILDA_BOUND},
      {"integers", "m n", "1", HILDA_INPUT, HILDA_I64, HILDA_PLAIN, HILDA_BOUND},
      {"kept_integers", "m n", "1", HILDA_STATE, HILDA_I64, HILDA_PLAIN, HILDA_BOUND},
      {"vector", "n", "N", HILDA_OUTPUT, HILDA_F64, HILDA_PLAIN, HILDA_BOUND | HILDA_STATE_OUTPUT},
      {"matrices", "m n", "N", HILDA_OUTPUT, HILDA_F64, HILDA_PLAIN, repeated},
  };
  ASSERT_EQ(block.slots().size(), std::size(all) + 1);
  for (const Wanted& each : all) {
    const hilda_slot& slot = block.slot(each.name);
    EXPECT_EQ(slot.size, sizeof(hilda_slot)) << each.name;
    EXPECT_STREQ(slot.shape, each.shape) << each.name;
    EXPECT_STREQ(slot.unit, each.unit) << each.name;
    EXPECT_EQ(slot.role, std::uint32_t{each.role}) << each.name;
    EXPECT_EQ(slot.element, std::uint32_t{each.element}) << each.name;
    EXPECT_EQ(slot.kind, std::uint32_t{each.kind}) << each.name;
    EXPECT_EQ(slot.flags, each.flags) << each.name;
    EXPECT_EQ(slot.minimum, -INFINITY) << each.name;
    EXPECT_EQ(slot.maximum, INFINITY) << each.name;
    EXPECT_NE(slot.offset, 0u) << each.name;
  }
  EXPECT_STREQ(block.slot("number").doc, "A number");
  EXPECT_STREQ(block.slot("matrices").count, "count");
  EXPECT_EQ(block.slot("many").count, nullptr);
}

TEST(Ports, OutsideOfAPrototypeDeclareNothing) {
  const Ports block;
  EXPECT_EQ(detail::recording, nullptr);
  EXPECT_EQ(block.matrix.size(), 0);
  EXPECT_EQ(block.many.size(), 0);
  EXPECT_EQ(block.matrices.size(), 0);
}

TEST(Ports, ReadWhereTheWireLies) {
  DeclaredBlock<Ports> block;
  EXPECT_FALSE(block->number.connected());
  EXPECT_FALSE(block->matrix.connected());
  EXPECT_FALSE(block->two.connected());
  EXPECT_EQ(block->number.value_or(7), 7);
  const double number = 3;
  block.put("number", &number);
  EXPECT_TRUE(block->number.connected());
  EXPECT_EQ(*block->number, 3);
  EXPECT_EQ(block->number.value_or(7), 3);
  EXPECT_EQ(block->number.data(), &number);
  const double six[] = {1, 2, 3, 4, 5, 6};
  block.put("wrench", &six[0]);
  EXPECT_EQ((*block->wrench).force(), Vector3(1, 2, 3));
  EXPECT_EQ((*block->wrench).torque(), Vector3(4, 5, 6));
  const std::uint8_t truth[] = {0, 1};
  block.put("yes", &truth[0]);
  EXPECT_FALSE(*block->yes);
  block.put("yes", &truth[1]);
  EXPECT_TRUE(*block->yes);
  block.put("matrix", hilda_view{six, 2, 3});
  EXPECT_TRUE(block->matrix.connected());
  EXPECT_EQ(block->matrix.size(), 6);
  EXPECT_EQ(block->matrix.rows(), 2);
  EXPECT_EQ(block->matrix.cols(), 3);
  EXPECT_EQ((*block->matrix)(1, 2), 6);
  EXPECT_EQ((*block->matrix)(0, 1), 3) << "column by column";
  block.put("two", &six[2]);
  EXPECT_TRUE(block->two.connected());
  EXPECT_EQ((*block->two)[1], 4);
}

TEST(Ports, OfBooleansAndIntegersHaveAllElementsOfAMatrix) {
  DeclaredBlock<Ports> block;
  const std::uint8_t truths[] = {0, 1, 1, 0, 0, 1};
  const std::int64_t integers[] = {1, 2, 3, 4, 5, 6};
  std::uint8_t kept_truths[6] = {};
  std::int64_t kept_integers[6] = {};
  block.put("truths", hilda_view{truths, 2, 3});
  block.put("integers", hilda_view{integers, 2, 3});
  block.put("kept_truths", hilda_array{kept_truths, 2, 3});
  block.put("kept_integers", hilda_array{kept_integers, 2, 3});
  EXPECT_EQ((*block->truths).size(), 6);
  EXPECT_EQ((*block->integers).sum(), 21);
  block->kept_truths = *block->truths;
  block->kept_integers = 2 * *block->integers;
  EXPECT_THAT(kept_truths, ElementsAre(0, 1, 1, 0, 0, 1));
  EXPECT_THAT(kept_integers, ElementsAre(2, 4, 6, 8, 10, 12));
  EXPECT_EQ(block->kept_integers.size(), 6);
  EXPECT_EQ((*std::as_const(block->kept_truths)).size(), 6);
}

TEST(Ports, ThatRepeatReadEachItem) {
  DeclaredBlock<Ports> block;
  const double six[] = {1, 2, 3, 4, 5, 6};
  const hilda_view vectors[] = {{six, 2, 1}, {six + 2, 4, 1}};
  block.put("many", hilda_views{vectors, 2});
  EXPECT_EQ(block->many.size(), 2);
  EXPECT_EQ(block->many[0].size(), 2);
  EXPECT_EQ(block->many[1].size(), 4);
  EXPECT_EQ(block->many[1][3], 6);
  const hilda_view triples[] = {{six + 3, 3, 1}, {six, 3, 1}};
  block.put("threes", hilda_views{triples, 2});
  EXPECT_EQ(block->threes.size(), 2);
  EXPECT_EQ(block->threes[0][0], 4);
  EXPECT_EQ(block->threes[1][2], 3);
}

TEST(Ports, WriteWhereTheEngineReads) {
  DeclaredBlock<Ports> block;
  block->first = 2.5;
  EXPECT_EQ(*block->first, 2.5);
  EXPECT_EQ(*block->first.data(), 2.5);
  double memory[9] = {};
  block.put("vector", hilda_array{memory, 3, 1});
  block->vector = Vector3(1, 2, 3);
  EXPECT_THAT(std::vector<double>(memory, memory + 4), ElementsAre(1, 2, 3, 0));
  EXPECT_EQ(block->vector.size(), 3);
  EXPECT_EQ(block->vector.rows(), 3);
  EXPECT_EQ(block->vector.cols(), 1);
  EXPECT_EQ(block->vector.data(), memory);
  const hilda_array items[] = {{memory + 3, 1, 2}, {memory + 5, 2, 2}};
  block.put("matrices", hilda_arrays{items, 2});
  EXPECT_EQ(block->matrices.size(), 2);
  block->matrices[0](0, 1) = 7;
  block->matrices[1](0, 1) = 8;
  EXPECT_EQ(memory[4], 7);
  EXPECT_EQ(memory[7], 8);
}

struct TwoOutputs : Block {
  Output<double> a{*this, "a", "1", ""}, b{*this, "b", "1", ""};
  State<Vector3> s{*this, "s", "1", ""}, t{*this, "t", "1", ""};
  Work<Matrix3> w{*this, "w", "1", ""}, v{*this, "v", "1", ""};
  Output<Elements<2>> e{*this, "e", "", "1", ""}, f{*this, "f", "", "1", ""};
  ContinuousState<Vector3> x{*this, "x", "m", ""}, z{*this, "z", "m", ""};
};

TEST(Ports, AssignedToEachOtherCopyTheValue) {
  TwoOutputs block;
  block.b = 4.0;
  block.a = block.b;
  EXPECT_EQ(*block.a, 4);
  block.t = Vector3(1, 2, 3);
  block.s = block.t;
  EXPECT_EQ(*block.s, Vector3(1, 2, 3));
  block.v = Matrix3(Matrix3::Identity());
  block.w = block.v;
  EXPECT_EQ(*block.w, Matrix3::Identity());
  block.f = Eigen::Array2d(5, 6);
  block.e = block.f;
  EXPECT_EQ((*block.e)[1], 6);
  EXPECT_EQ(block.e.size(), 2);
  EXPECT_EQ(block.e.rows(), 2);
  EXPECT_EQ(block.e.cols(), 1);
  EXPECT_EQ(block.e.data()[0], 5);
  block.z = Vector3(7, 8, 9);
  block.z.dot() = Vector3(1, 0, 1);
  block.x = block.z;
  block.x.dot() = block.z.dot();
  EXPECT_EQ(*block.x, Vector3(7, 8, 9));
  EXPECT_EQ(*std::as_const(block.x), Vector3(7, 8, 9));
  EXPECT_EQ(Vector3(block.x), Vector3(7, 8, 9));
  EXPECT_EQ(*block.x.dot(), Vector3(1, 0, 1));
}

TEST(Ports, OfAContinuousStateTellWhereItsDerivativeLies) {
  DeclaredBlock<TwoOutputs> block;
  const hilda_slot& slot = block.slot("z");
  EXPECT_EQ(slot.flags, std::uint32_t{HILDA_CONTINUOUS});
  EXPECT_EQ(slot.role, std::uint32_t{HILDA_STATE});
  block.put_at(slot.offset, Vector3(1, 2, 3));
  block.put_at(slot.second_offset, Vector3(4, 5, 6));
  EXPECT_EQ(*block->z, Vector3(1, 2, 3));
  EXPECT_EQ(*block->z.dot(), Vector3(4, 5, 6));
  EXPECT_EQ(block.slot("s").flags, 0u);
  EXPECT_EQ(block.slot("w").role, std::uint32_t{HILDA_WORK});
}

struct Line : Block {
  Output<double> first{*this, "first", "1", ""};
  Ring<> line{*this, "line", "n", "m", "The last values"};
};

TEST(Ring, IsReadFromTheOldestToTheNewest) {
  DeclaredBlock<Line> block;
  EXPECT_EQ(block.slot("line").flags, std::uint32_t{HILDA_RING});
  EXPECT_EQ(block.slot("line").role, std::uint32_t{HILDA_STATE});
  block->line.push(Eigen::Array2d(1, 2)); // of no size yet: nothing happens
  EXPECT_EQ(block->line.size(), 0);
  double memory[6] = {};
  block.put("line", hilda_ring{memory, 0, 3, 2, 1});
  EXPECT_EQ(block->line.size(), 3);
  for (int i = 1; i <= 5; ++i) block->line.push(Eigen::Array2d(i, -i));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(block->line[i].size(), 2);
    EXPECT_EQ(block->line[i][0], 3 + i) << i;
    EXPECT_EQ(block->line[i][1], -3 - i) << i;
  }
  block->line.fill(Eigen::Array2d(9, 8));
  EXPECT_THAT(memory, ElementsAre(9, 8, 9, 8, 9, 8));
  block.put("line", hilda_ring{memory, 0, 2, 1, 3}); // entries of 1 x 3
  block->line.push(Eigen::Array3d(1, 2, 3));
  EXPECT_THAT(memory, ElementsAre(1, 2, 3, 8, 9, 8));
  EXPECT_EQ(block->line[0].size(), 3);
  block->line.push(5.0);
  EXPECT_THAT(memory, ElementsAre(1, 2, 3, 5, 5, 5)) << "one number for all";
  block->line.resize(7);
  EXPECT_EQ(block->line.size(), 7);
}

} // namespace
} // namespace hilda::test
