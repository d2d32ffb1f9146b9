// SPDX-License-Identifier: BSD-3-Clause
// What a value keeps its numbers and its unit in.

#include "engine/catalogue/signal_type.h"
#include "engine/quantity/value.h"
#include "tests/modules.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

using ::testing::ElementsAre;

TEST(Numbers, GrowFromNoneOverOneToMany) {
  Numbers numbers;
  EXPECT_TRUE(numbers.empty());
  std::vector<double> same;
  for (int i = 0; i < 70; ++i) {
    numbers.push_back(i);
    same.push_back(i);
    ASSERT_EQ(numbers, same);
    ASSERT_EQ(std::vector<double>(numbers), same);
  }
  EXPECT_EQ(numbers.at(69), 69);
  EXPECT_THROW(numbers.at(70), std::out_of_range);
}

TEST(Numbers, AreCopiedAndMovedInEverySize) {
  for (const std::size_t from : {0U, 1U, 2U, 5U})
    for (const std::size_t to : {0U, 1U, 2U, 5U}) {
      Numbers source(std::vector<double>(from, 3)), target(std::vector<double>(to, 4));
      target = source;
      EXPECT_EQ(target, std::vector<double>(from, 3));
      const Numbers& itself = target;
      target = itself;
      EXPECT_EQ(target, std::vector<double>(from, 3));
      if (from > 0) source[0] = 7;
      EXPECT_EQ(target, std::vector<double>(from, 3)) << "a copy has its own numbers";
      Numbers moved(std::vector<double>(to, 4));
      moved = std::move(target);
      EXPECT_EQ(moved, std::vector<double>(from, 3));
      moved.assign(to, 9);
      EXPECT_EQ(moved, std::vector<double>(to, 9));
    }
}

TEST(Numbers, DifferByNumberAndCount) {
  EXPECT_FALSE((Numbers{1, 2}) == (Numbers{1, 3}));
  EXPECT_FALSE((Numbers{1, 2}) == (Numbers{1}));
  EXPECT_FALSE((Numbers{1}) == (Numbers{}));
  EXPECT_TRUE((Numbers{1, 2}) == (Numbers{1, 2}));
}

TEST(Shared, IsNoneOrAValueThatCopiesShare) {
  Shared<std::string> none, one(std::string("N/mm")), copy = one;
  EXPECT_FALSE(none);
  EXPECT_EQ(&*one, &*copy);
  one = std::string("m");
  EXPECT_EQ(*copy, "N/mm");
  EXPECT_EQ(copy, Shared<std::string>(std::string("N/mm")));
  EXPECT_FALSE(copy == one);
  EXPECT_FALSE(copy == none);
  EXPECT_EQ(none.value_or("s"), "s");
  copy = std::move(one);
  EXPECT_EQ(*copy, "m");
  copy = std::nullopt;
  EXPECT_FALSE(copy.has_value());
  EXPECT_EQ(std::optional<std::string>(copy), std::nullopt);
}

/// Of which a diagram of a million blocks has millions.
TEST(Value, IsSmall) {
  EXPECT_LE(sizeof(Value), 80U);
  EXPECT_LE(sizeof(SignalType), 24U);
}

TEST(Value, KeepsWhatFewHaveToItself) {
  Value value = Value::bare(2);
  value.set_problem(make_error("value-number", "what", "help"));
  const Value copy = value;
  value.set_with_constants("2*u");
  value.set_problem(std::nullopt);
  EXPECT_FALSE(value.problem());
  EXPECT_EQ(value.with_constants(), "2*u");
  ASSERT_TRUE(copy.problem());
  EXPECT_EQ(copy.problem()->code, "value-number");
  EXPECT_EQ(copy.with_constants(), "");
  value.set_bases({Value::Basis::bare, Value::Basis::measured});
  EXPECT_EQ(value.basis_of(1), Value::Basis::measured);
  EXPECT_THAT(value.bases(), ElementsAre(Value::Basis::bare, Value::Basis::measured));
  EXPECT_TRUE(copy.bases().empty());
}

} // namespace
} // namespace hilda::test
