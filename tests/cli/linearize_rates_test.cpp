// SPDX-License-Identifier: BSD-3-Clause
// hilda linearize of what is sampled: whose sample times count, margins of a loop with several, what is discrete.
#include "program.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The number behind a text, as printed; NaN: it is not there.
double number_behind(const std::string& out, const std::string& text) {
  const std::size_t at = out.find(text);
  return at == std::string::npos ? NAN : std::stod(out.substr(at + text.size()));
}

std::string diagram(const std::string& period, const std::string& inside) {
  return "<diagram format=\"1\" name=\"d\" period=\"" + period + "\">" + inside + "</diagram>\n";
}

/// 20 / (s (s + 3)) behind a hold of 20 ms.
const std::string held_loop = R"(
  <block name="p" type="continuous/TransferFunction" numerator="20" denominator="1 3 0"/>
  <block name="n" type="math/Gain" gain="-1"/>
  <block name="q" type="discrete/ZeroOrderHold" sample_time="20 ms"/>
  <connect from="p.y" to="n.u"/> <connect from="n.y" to="q.u"/> <connect from="q.y" to="p.u"/>)";

/// Slower, and without a wire to anything else.
const std::string aside = R"(
  <block name="z" type="sources/Sine" amplitude="1" frequency="1 rad/s" sample_time="100 ms"/>
  <block name="f" type="discrete/LowPass" cutoff="5 rad/s"/>
  <connect from="z.y" to="f.u"/>)";

TEST(LinearizeRates, OfWhatDoesNotLieInTheLoopDoNotCount) {
  const Workplace here;
  here.write("alone.xml", diagram("1 ms", held_loop));
  here.write("beside.xml", diagram("1 ms", held_loop + aside));
  const std::string words = " --loop p.y --margins --out m";
  const Result alone = here.hilda("linearize alone.xml" + words), beside = here.hilda("linearize beside.xml" + words);
  ASSERT_EQ(alone.exit, 0) << alone.err;
  EXPECT_NEAR(number_behind(alone.out, "gain     x "), 15.152, 1e-3); // of the plant's equal under a hold, by its poles
  EXPECT_EQ(beside.out, alone.out);
  EXPECT_EQ(beside.err, "");
}

TEST(LinearizeRates, OfASlowSourceBeforeTheLoopDoNotCountAndItsStatesAreLeftOut) {
  const Workplace here;
  const std::string loop = R"(
  <block name="sum" type="math/Sum" signs="+-"/>
  <block name="q" type="discrete/ZeroOrderHold" sample_time="20 ms"/>
  <block name="p" type="continuous/TransferFunction" numerator="20" denominator="1 3 0"/>
  <connect from="f.y" to="sum.u[0]"/> <connect from="p.y" to="sum.u[1]"/>
  <connect from="sum.y" to="q.u"/> <connect from="q.y" to="p.u"/>)";
  here.write("filtered.xml", diagram("1 ms", aside + loop));
  const Result done = here.hilda("linearize filtered.xml --loop p.y --margins");
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_NEAR(number_behind(done.out, "gain     x "), 15.152, 1e-3);
  EXPECT_THAT(done.out, HasSubstr("discrete, period 0.02 s: 2 states"));
}

TEST(LinearizeRates, BetweenTwoSignalsAreThoseOfThePartsBetweenAlone) {
  const Workplace here;
  const std::string swing = R"(
  <block name="r" type="sources/Constant" value="0"/>
  <block name="q" type="discrete/ZeroOrderHold" sample_time="20 ms"/>
  <block name="g" type="continuous/TransferFunction" numerator="25" denominator="1 3 25"/>
  <connect from="r.y" to="q.u"/> <connect from="q.y" to="g.u"/>)";
  const std::string slow = R"(<block name="s" type="sources/Constant" value="0" sample_time="1 s"/>
  <block name="f" type="discrete/LowPass" cutoff="1 rad/s"/> <connect from="s.y" to="f.u"/>)";
  here.write("d.xml", diagram("1 ms", swing + slow));
  const Result done = here.hilda("linearize d.xml --from r.y --to g.y --step-response s.svg");
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(HasSubstr("period 0.02 s: 2 states"), HasSubstr("5 rad/s, damping 0.3000")));
  EXPECT_NEAR(number_behind(done.out, "overshoot "), 37.23, 0.15); // exp(-pi d / sqrt(1 - d^2)), at the samples
}

/// (0.3 - 0.299 z^-1) / (1 - z^-1) at one sample time, 0.4 / (1 - 0.6 z^-1) at another, and 20 / (s (s + 3)).
std::string two_rates(const std::string& period, const std::string& one, const std::string& other) {
  return diagram(period, R"(
  <block name="n" type="math/Gain" gain="-1"/>
  <block name="c" type="discrete/DiscreteTransferFunction" numerator="0.3 -0.299" denominator="1 -1" sample_time=")" +
                             one + R"("/>
  <block name="f" type="discrete/DiscreteTransferFunction" numerator="0.4" denominator="1 -0.6" sample_time=")" +
                             other + R"("/>
  <block name="p" type="continuous/TransferFunction" numerator="20" denominator="1 3 0"/>
  <connect from="p.y" to="n.u"/> <connect from="n.y" to="c.u"/> <connect from="c.y" to="f.u"/>
  <connect from="f.y" to="p.u"/>)");
}

TEST(LinearizeRates, OfALoopWithTwoGiveTheGainOfTheClosedLoopItself) {
  // by the spectral radius of the loop's monodromy matrix, with the plant's exact step
  struct Case {
    const char *period, *one, *other;
    double factor;
  };
  const Workplace here;
  for (const Case& each : {Case{"1 ms", "2 ms", "3 ms", 33.93990}, Case{"10 ms", "20 ms", "30 ms", 8.346896},
                           Case{"10 ms", "50 ms", "20 ms", 8.857151}}) {
    here.write("d.xml", two_rates(each.period, each.one, each.other));
    for (const char* place : {"p.y", "c.y", "f.y"}) {
      const Result done = here.hilda(std::string("linearize d.xml --margins --loop ") + place);
      ASSERT_EQ(done.exit, 0) << done.err;
      EXPECT_NEAR(number_behind(done.out, "gain     x "), each.factor, 2e-4 * each.factor)
          << place << " of " << each.one << done.out;
      EXPECT_THAT(done.out, AllOf(HasSubstr("closed with -1: stable"), HasSubstr("phase    not known")));
      EXPECT_THAT(done.err, AllOf(HasSubstr("acts more than once in its period of "), HasSubstr("help: ")));
    }
  }
}

TEST(LinearizeRates, OfAnInnerLoopThatIsClosedDoNotHinderTheOuterOne) {
  const Workplace here;
  here.write("d.xml", diagram("1 ms", R"(
  <block name="outer" type="math/Gain" gain="-2 1/s" sample_time="20 ms"/>
  <block name="sum" type="math/Sum" signs="+-"/>
  <block name="inner" type="math/Gain" gain="30" sample_time="2 ms"/>
  <block name="speed" type="continuous/TransferFunction" numerator="1" denominator="1 3"/>
  <block name="place" type="continuous/Integrator"/>
  <connect from="place.y" to="outer.u"/> <connect from="outer.y" to="sum.u[0]"/> <connect from="speed.y" to="sum.u[1]"/>
  <connect from="sum.y" to="inner.u"/> <connect from="inner.y" to="speed.u"/> <connect from="speed.y" to="place.u"/>)"));
  const Result outer = here.hilda("linearize d.xml --loop outer.y --margins");
  EXPECT_EQ(outer.err, "");
  EXPECT_THAT(outer.out, AllOf(HasSubstr("nearest"), Not(HasSubstr("not known"))));
  EXPECT_NEAR(number_behind(outer.out, "gain     x "), 61.9052, 1e-3); // of the monodromy matrix
  const Result inner = here.hilda("linearize d.xml --loop inner.y --margins");
  EXPECT_THAT(inner.out, HasSubstr("not known"));
  EXPECT_NEAR(number_behind(inner.out, "gain     x "), 33.3334, 1e-3);
}

TEST(LinearizeRates, AtTheLastBlockMakeADiscreteModel) {
  const Workplace here;
  for (const char* last : {"type=\"discrete/ZeroOrderHold\" sample_time=\"100 ms\"",
                           "type=\"math/Gain\" gain=\"1\" sample_time=\"100 ms\"",
                           "type=\"discrete/RateLimiter\" "
                           "rising=\"1000 1/s\" falling=\"1000 1/s\" sample_time=\"100 ms\""}) {
    here.write("d.xml", diagram("1 ms", R"(
  <block name="r" type="sources/Constant" value="0" sample_time="continuous"/>
  <block name="g" type="continuous/TransferFunction" numerator="1" denominator="1 1"/>
  <block name="q" )" + std::string(last) + R"(/>
  <connect from="r.y" to="g.u"/> <connect from="g.y" to="q.u"/>)"));
    const Result done = here.hilda("linearize d.xml --from r.y --to q.y");
    ASSERT_EQ(done.exit, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("discrete, period 0.1 s")) << last;
    EXPECT_THAT(here.hilda("linearize d.xml --from r.y --to g.y").out, HasSubstr("continuous: 1 states"));
  }
}

TEST(LinearizeRates, AChartThatCountsItsSamplesIsNotToBeWaitedFor) {
  const Workplace here;
  here.write("d.xml", diagram("1 ms", R"(
  <block name="r" type="sources/Constant" value="0.5" sample_time="continuous"/>
  <block name="g" type="continuous/TransferFunction" numerator="1" denominator="1 1"/>
  <block name="q" type="math/Chart" sample_time="20 ms"> <input name="u"/> <output name="y"/>
    <state name="on" start="true" during="y = 2 * u"/>
  </block>
  <connect from="r.y" to="g.u"/> <connect from="g.y" to="q.u"/>)"));
  const Result done = here.hilda("linearize d.xml --from r.y --to q.y --for 1s");
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_EQ(done.err, "");
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("discrete, period 0.02 s"), HasSubstr("counted on at each tick: q.chart.samples")));
}

TEST(LinearizeRates, NumbersThatAreNoneAndTimesOfNothingAreRefused) {
  const Workplace here;
  here.write("d.xml", diagram("1 ms", held_loop));
  for (const char* words : {"--highest inf", "--lowest inf", "--lowest nan", "--step nan", "--until 3",
                            "--until inf --step-response s.svg"})
    EXPECT_EQ(here.hilda(std::string("linearize d.xml --loop p.y --margins ") + words).exit, 64) << words;
}

} // namespace
} // namespace hilda::test
