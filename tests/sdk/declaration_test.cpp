// SPDX-License-Identifier: BSD-3-Clause
// What a block's members declare, and that they keep what is assigned.
#include "tests/sdk/declared_block.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using test::DeclaredBlock;

struct Members : Block {
  Output<double> number{*this, "number", "N", ""};
  Output<Elements<3>> three{*this, "three", "", "m/s", ""};
  Output<bool> yes{*this, "yes", ""};
  Output<Elements<>> any{*this, "any", "n n", "1", ""};
  Ring<> line{*this, "line", "n", "N m", ""};
};

TEST(Declaration, SaysShapeAndUnitOfEachMember) {
  const DeclaredBlock<Members> declared;
  EXPECT_STREQ(declared.slot("number").shape, "");
  EXPECT_STREQ(declared.slot("number").unit, "N");
  EXPECT_STREQ(declared.slot("three").shape, "3");
  EXPECT_STREQ(declared.slot("three").unit, "m/s");
  EXPECT_STREQ(declared.slot("line").shape, "n");
  EXPECT_STREQ(declared.slot("line").unit, "N m");
}

struct Shapes : Block {
  Output<Vector3> column{*this, "column", "1", ""};
  Output<Fixed<1, 3>> row{*this, "row", "1", ""};
  Output<Fixed<2, 3>> matrix{*this, "matrix", "1", ""};
};

TEST(Declaration, SaysRowsAndColumns) {
  const DeclaredBlock<Shapes> declared;
  EXPECT_STREQ(declared.slot("column").shape, "3");
  EXPECT_STREQ(declared.slot("row").shape, "1 3");
  EXPECT_STREQ(declared.slot("matrix").shape, "2 3");
}

TEST(Declaration, MembersKeepWhatIsAssigned) {
  DeclaredBlock<Members> declared;
  declared->three = Eigen::Array3d(1, 2, 3);
  EXPECT_EQ((*declared->three).matrix(), Vector3(1, 2, 3));
  declared->yes = true;
  EXPECT_EQ(*declared->yes.data(), 1);
  declared->yes = false;
  EXPECT_EQ(*declared->yes.data(), 0);
}

TEST(Declaration, ElementsOfAMatrixAreAllOfThem) {
  DeclaredBlock<Members> declared;
  double memory[] = {1, 2, 3, 4, 5, 6};
  declared.put("any", hilda_array{memory, 2, 3});
  EXPECT_EQ((*declared->any).size(), 6);
  const Members& members = *declared;
  EXPECT_EQ((*members.any).size(), 6);
  EXPECT_EQ((*members.any).sum(), 21);
}

} // namespace
} // namespace hilda::test
