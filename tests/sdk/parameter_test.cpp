// SPDX-License-Identifier: BSD-3-Clause
// What a diagram sets: numbers, texts, expressions, choices; one number for all elements or one for each; delays.
#include "tests/sdk/declared_block.h"

#include <gmock/gmock.h>
#include <hilda/per_element.h>
#include <hilda/whole_ticks.h>

namespace hilda::test {
namespace {

using test::DeclaredBlock;

enum class Word { first, second };

struct Parameters : Block {
  Output<double> first{*this, "first", "1", ""};
  Parameter<double> gain{*this, "gain", "N/m", "A gain", above(1.0), below(2.0), by_default("1.5"), live};
  Parameter<double> turned{*this, "turned", "1", "The ends in the other order", below(2.0), above(1.0)};
  Parameter<double> low{*this, "low", "1", "", at_most(3.0), reconfigure};
  Parameter<double> high{*this, "high", "1", "", at_least(-1.0)};
  Parameter<double> inner{*this, "inner", "1", "", between(-2.0, 5.0)};
  Parameter<std::int64_t> count{*this, "count", "How many"};
  Parameter<Text> text{*this, "text", "A text"};
  Parameter<Path> path{*this, "path", "A file"};
  Parameter<Expression> expression{*this, "expression", "An expression"};
  Parameter<Word> word{*this, "word", "A word"};
  Parameter<Choice> choice{*this, "choice", "paper|work", "A word as sources of 0.1 have it"};
};

TEST(Parameters, DeclareRangeDefaultAndKind) {
  const DeclaredBlock<Parameters> block;
  const hilda_slot& gain = block.slot("gain");
  EXPECT_EQ(gain.minimum, 1);
  EXPECT_EQ(gain.maximum, 2);
  EXPECT_EQ(gain.flags, std::uint32_t{HILDA_ABOVE | HILDA_BELOW | HILDA_LIVE});
  EXPECT_STREQ(gain.initial, "1.5");
  EXPECT_EQ(gain.role, std::uint32_t{HILDA_PARAMETER});
  EXPECT_EQ(block.slot("turned").minimum, 1);
  EXPECT_EQ(block.slot("turned").maximum, 2);
  EXPECT_EQ(block.slot("low").initial, nullptr);
  EXPECT_EQ(block.slot("low").minimum, -INFINITY);
  EXPECT_EQ(block.slot("low").maximum, 3);
  EXPECT_EQ(block.slot("low").flags, std::uint32_t{HILDA_RECONFIGURE});
  EXPECT_EQ(block.slot("high").minimum, -1);
  EXPECT_EQ(block.slot("high").maximum, INFINITY);
  EXPECT_EQ(block.slot("high").flags, 0u);
  EXPECT_EQ(block.slot("inner").flags, 0u);
  EXPECT_EQ(block.slot("inner").minimum, -2);
  EXPECT_EQ(block.slot("inner").maximum, 5);
  EXPECT_EQ(block.slot("count").element, std::uint32_t{HILDA_I64});
  for (const char* name : {"text", "path", "expression", "word", "choice"}) EXPECT_STREQ(block.slot(name).shape, "");
  EXPECT_EQ(block.slot("text").element, std::uint32_t{HILDA_TEXT});
  EXPECT_EQ(block.slot("text").flags, 0u);
  EXPECT_EQ(block.slot("path").element, std::uint32_t{HILDA_PATH});
  EXPECT_EQ(block.slot("expression").element, std::uint32_t{HILDA_TEXT});
  EXPECT_EQ(block.slot("expression").flags, std::uint32_t{HILDA_EXPRESSION});
  EXPECT_STREQ(block.slot("word").choices, "first|second");
  EXPECT_STREQ(block.slot("choice").choices, "paper|work");
  EXPECT_EQ(block.slot("choice").element, std::uint32_t{HILDA_CHOICE});
  EXPECT_EQ(block.slot("text").choices, nullptr);
}

TEST(Parameters, AreReadWhereTheEngineHasWrittenThem) {
  DeclaredBlock<Parameters> block;
  EXPECT_STREQ(*block->text, "");
  EXPECT_STREQ(*block->path, "");
  EXPECT_EQ(*block->expression, "");
  EXPECT_EQ(*block->choice, 0);
  EXPECT_EQ(*block->word, Word::first);
  block.put("gain", 1.25);
  block.put("count", std::int64_t{7});
  block.put<const char*>("text", "said");
  block.put<const char*>("path", "/a/file");
  block.put("choice", std::int64_t{1});
  block.put("word", std::int64_t{1});
  EXPECT_EQ(*block->gain, 1.25);
  EXPECT_EQ(block->gain + 1, 2.25);
  EXPECT_EQ(*block->count, 7);
  EXPECT_STREQ(*block->text, "said");
  EXPECT_STREQ(*block->path, "/a/file");
  EXPECT_EQ(*block->choice, 1);
  EXPECT_EQ(*block->word, Word::second);
}

/// "name=number" of each, and the text before them.
std::string read_expression(const char* text) {
  DeclaredBlock<Parameters> block;
  block.put("expression", text);
  std::string read = *block->expression;
  for (const auto& constant : block->expression.constants())
    read += " | " + constant.name + "=" + std::to_string(constant.number);
  return read;
}

TEST(Parameters, AnExpressionIsItsTextAndItsConstants) {
  EXPECT_EQ(read_expression("2*x"), "2*x");
  EXPECT_EQ(read_expression("${gain}*x\x1f${gain}=0.5"), "${gain}*x | ${gain}=0.500000");
  EXPECT_EQ(read_expression("a+b+c\x1f"
                            "a=1\x1f"
                            "b=-2.5e3\x1f"
                            "c=3"),
            "a+b+c | a=1.000000 | b=-2500.000000 | c=3.000000");
  EXPECT_EQ(read_expression("x\x1f"
                            "a="),
            "x | a=0.000000");
  EXPECT_EQ(read_expression("x\x1fno number"), "x");
  EXPECT_EQ(read_expression("x\x1f"
                            "a=1\x1fno number"),
            "x | a=1.000000");
}

/// Says what was reported.
struct Told {
  Told() {
    instance.size = sizeof instance;
    instance.path = "rig.block";
    instance.period = 0.004;
    instance.engine = this;
    instance.report = [](void* to, const char* slot, const char* text) {
      static_cast<Told*>(to)->said += std::string(slot != nullptr ? slot : "-") + " " + text + "\n";
    };
  }
  hilda_instance instance{};
  std::string said;
};

struct Each : Block {
  Output<double> first{*this, "first", "1", ""};
  PerElement<Dynamic> lower{*this, "lower", "N", ""}, upper{*this, "upper", "N", ""};
  PerElement<1> one{*this, "one", "N", "", by_default("3")};
};

struct PerElementParameter : ::testing::Test {
  PerElementParameter() {
    block.put("lower", hilda_array{low, 3, 1});
    block.put("upper", hilda_array{high, 3, 1});
  }
  std::string check(Eigen::Index rows, Eigen::Index cols) {
    Told told;
    block->lower.check(Instance(&told.instance), rows, cols);
    return told.said;
  }
  std::string order() {
    Told told;
    check_order(Instance(&told.instance), block->lower, block->upper, "least", "most");
    return told.said;
  }
  DeclaredBlock<Each> block;
  double low[6] = {1, 2, 3, 4, 5, 6}, high[6] = {1, 4, 9, 16, 25, 36};
};

TEST_F(PerElementParameter, HasAShapeOfItsOwn) {
  EXPECT_STREQ(block.slot("lower").shape, "*lower");
  EXPECT_STREQ(block.slot("upper").shape, "*upper");
  EXPECT_STREQ(block.slot("one").shape, "");
  EXPECT_STREQ(block.slot("one").initial, "3");
  block.put("one", 3.5);
  EXPECT_EQ(block->one[17], 3.5);
  EXPECT_EQ(block->one.size(), 1);
}

TEST_F(PerElementParameter, IsOneNumberForAllOrOneForEach) {
  EXPECT_EQ(block->lower.size(), 3);
  EXPECT_EQ(block->lower[2], 3);
  EXPECT_EQ(check(3, 1), "");
  EXPECT_EQ(check(3, 2), "lower has 3 values for a signal of 3x2; give one number for all elements, or one for each\n");
  EXPECT_EQ(check(2, 1), "lower has 3 values for a signal of 2; give one number for all elements, or one for each\n");
  block.put("lower", hilda_array{low, 2, 3});
  EXPECT_EQ(check(2, 3), "");
  EXPECT_EQ(check(3, 2),
            "lower has 2x3 values for a signal of 3x2; give one number for all elements, or one for each\n");
  block.put("lower", hilda_array{low, 1, 1});
  EXPECT_EQ(check(3, 2), "");
  EXPECT_EQ(block->lower[5], 1);
}

TEST_F(PerElementParameter, OfALowerLimitDoesNotLieAboveTheUpperOne) {
  low[3] = 100; // behind the last
  EXPECT_EQ(order(), "");
  low[2] = 9.5;
  EXPECT_EQ(order(), "least element 2 lies above most (in SI: 9.500000 > 9.000000); exchange the two\n");
  low[0] = 2; // the first is reported
  EXPECT_EQ(order(), "least element 0 lies above most (in SI: 2.000000 > 1.000000); exchange the two\n");
  high[0] = 9.25; // one for all
  block.put("upper", hilda_array{high, 1, 1});
  EXPECT_EQ(order(), "least element 2 lies above most (in SI: 9.500000 > 9.250000); exchange the two\n");
  low[0] = 3;
  block.put("lower", hilda_array{low, 1, 1});
  block.put("upper", hilda_array{high + 1, 2, 1});
  EXPECT_EQ(order(), "");
  low[0] = 8; // above the first of two
  EXPECT_EQ(order(), "least element 0 lies above most (in SI: 8.000000 > 4.000000); exchange the two\n");
}

TEST_F(PerElementParameter, OfOtherNumbersIsNotCompared) {
  low[1] = 100;
  block.put("upper", hilda_array{high, 2, 1});
  EXPECT_EQ(order(), "") << "check() has said so";
}

/// Of a delay in ticks of 4 ms: "ticks+fraction", or what is reported.
std::string ticks_of(double delay, Fractional fractional) {
  Told told;
  const Ticks ticks = whole_ticks(Instance(&told.instance), "delay", delay, fractional);
  if (!told.said.empty()) {
    EXPECT_EQ(ticks.ticks, 0);
    EXPECT_EQ(ticks.fraction, 0);
    return told.said;
  }
  return std::to_string(ticks.ticks) + "+" + std::to_string(ticks.fraction);
}

TEST(WholeTicks, IsAWholeNumberWithinABillionth) {
  for (const Fractional each : {Fractional::refuse, Fractional::round, Fractional::interpolate}) {
    EXPECT_EQ(ticks_of(0.02, each), "5+0.000000");
    EXPECT_EQ(ticks_of(0.0, each), "0+0.000000");
    EXPECT_EQ(ticks_of(0.02 * (1 + 0.9e-9), each), "5+0.000000");
    EXPECT_EQ(ticks_of(0.004 * 0.9e-9, each), "0+0.000000");
    EXPECT_EQ(ticks_of(0.004 * (1 - 0.9e-9), each), "1+0.000000");
  }
  EXPECT_NE(ticks_of(0.02 * (1 + 1.5e-9), Fractional::refuse), "5+0.000000");
  EXPECT_NE(ticks_of(0.004 * 1.5e-9, Fractional::refuse), "0+0.000000") << "below one tick a billionth of a tick";
}

TEST(WholeTicks, OtherwiseIsRefusedRoundedOrKept) {
  EXPECT_EQ(ticks_of(0.011, Fractional::interpolate), "2+0.750000");
  EXPECT_EQ(ticks_of(0.011, Fractional::round), "3+0.000000");
  EXPECT_EQ(ticks_of(0.009, Fractional::round), "2+0.000000");
  EXPECT_EQ(ticks_of(0.003, Fractional::round), "1+0.000000");
  EXPECT_EQ(ticks_of(0.001, Fractional::round),
            "delay is shorter than half a tick and would be rounded to nothing; give 0 s or 4 ms\n");
  EXPECT_EQ(ticks_of(0.011, Fractional::refuse), "delay is not a whole number of ticks of 4 ms; give 8 ms or 12 ms, or "
                                                 "set fractional to round or interpolate\n");
  Told told;
  told.instance.period = 0.00125;
  whole_ticks(Instance(&told.instance), "delay", 0.003, Fractional::refuse);
  EXPECT_EQ(told.said, "delay is not a whole number of ticks of 1.25 ms; give 2.5 ms or 3.75 ms, or set fractional to "
                       "round or interpolate\n");
}

} // namespace
} // namespace hilda::test
