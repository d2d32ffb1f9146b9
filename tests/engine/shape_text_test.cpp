// SPDX-License-Identifier: BSD-3-Clause
// How a shape is written.
#include "engine/catalogue/shape_text.h"
#include "tests/modules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

TEST(ShapeText, ReadsNumbersNamesArithmeticAndWholeShapes) {
  EXPECT_EQ(parse_shape("")->rows.constant, 1);
  EXPECT_EQ(parse_shape("6 6")->cols.constant, 6);
  const auto sum = parse_shape("2*n+1");
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->rows.constant, 1);
  EXPECT_EQ(sum->rows.terms.at(0).factor, 2);
  EXPECT_EQ(parse_shape("m n")->cols.terms.at(0).name, "n");
  EXPECT_EQ(parse_shape("*s")->whole, "s");
  EXPECT_TRUE(parse_shape("sum(n)")->rows.terms.at(0).sum);
  EXPECT_TRUE(parse_shape("n-n+2")->fixed());
}

TEST(ShapeText, RefusesWhatIsNoShape) {
  for (const char* text : {"2*", "*", "n n n", "N", "3 +n", "-1", "sum(n", "n*2", "99999999999", "1.5", "[3]"})
    EXPECT_FALSE(parse_shape(text)) << text;
}

TEST(ShapeText, EndsWhereItsTextEnds) {
  EXPECT_EQ(parse_shape(std::string_view("12", 1))->rows.constant, 1);
  EXPECT_EQ(parse_shape(std::string_view("3*n7", 3))->rows.terms.at(0).name, "n");
}

TEST(ShapeText, HoldsNoMoreThanABillion) {
  EXPECT_EQ(parse_shape("1000000000")->rows.constant, 1'000'000'000);
  EXPECT_EQ(parse_shape("999999999+1 999999999+1")->cols.constant, 1'000'000'000);
  EXPECT_EQ(parse_shape("1-1")->rows.constant, 0);
  EXPECT_EQ(parse_shape("10000*n")->rows.terms.at(0).factor, 10000);
  for (const char* text : {"1000000001", "1000000000+1", "1-2", "10001*n", "1 1000000000+1"})
    EXPECT_FALSE(parse_shape(text)) << text;
}

TEST(ShapeText, JoinsTermsOfOneName) {
  const auto shape = parse_shape("2*n+3*n-m+4-1 sum(n)-n+sum(n)");
  ASSERT_TRUE(shape);
  ASSERT_EQ(shape->rows.terms.size(), 2u);
  EXPECT_EQ(shape->rows.constant, 3);
  EXPECT_EQ(shape->rows.terms[0].factor, 5);
  EXPECT_EQ(shape->rows.terms[1].factor, -1);
  ASSERT_EQ(shape->cols.terms.size(), 2u) << "the sum over a port's items is another term than one item";
  EXPECT_EQ(shape->cols.terms[0].factor, 2);
  EXPECT_TRUE(shape->cols.terms[0].sum);
  EXPECT_EQ(shape->cols.terms[1].factor, -1);
  EXPECT_EQ(shape->cols.constant, 0);
}

TEST(ShapeText, WrittenForPeople) {
  EXPECT_EQ(shape_text(1, 1), "scalar");
  EXPECT_EQ(shape_text(3, 1), "3");
  EXPECT_EQ(shape_text(1, 3), "1x3");
  EXPECT_EQ(shape_text(0, 1), "0");
}

} // namespace
} // namespace hilda::test
