// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/loaded_diagram.h"
#include "engine/run/start.h"
#include "engine/session/summary_figures.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"
#include "tests/modules.h"
#include "tests/standard_plugins.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <memory>
#include <variant>

namespace hilda::test {
namespace {

using testing::HasSubstr;

std::string chart(const std::string& body, const std::string& attributes = "") {
  return "<block name=\"b\" type=\"math/Chart\"" + attributes + ">\n" + body + "</block>\n";
}
std::string way(const std::string& from, const std::string& to, const std::string& rest = "") {
  return "<transition from=\"" + from + "\" to=\"" + to + "\" " + rest + "/>\n";
}

/// A number that changes at 3 ms, 7 ms and so on: 0 0 0 1 1 1 1 0 ...
const std::string pulse =
    "<block name=\"p\" type=\"sources/Pulse\" high=\"1\" width=\"4 ms\" repeat=\"8 ms\" first=\"3 ms\"/>\n" +
    wire("p.y", "b.u");

TEST(Chart, StaysInAStateForAsLongAsAfterSays) {
  // 2 + 3 samples round and round, begun at tick 0
  for (const std::string period : {"1 ms", "0.3 ms", "7 ms"}) {
    const Trial trial =
        sound_trial(chart("<output name=\"y\"/><parameter name=\"long\" value=\"${3*period}\"/>"
                          "<state name=\"low\" start=\"true\" entry=\"y = 0\"/><state name=\"high\" entry=\"y = 1\"/>" +
                          way("low", "high",
                              "when=\"after(" +
                                  std::string(period == "1 ms"     ? "2 ms"
                                              : period == "0.3 ms" ? "600 us"
                                                                   : "0.014 s") +
                                  ")\"") +
                          way("high", "low", "when=\"after(long)\"")),
                    {.duration = 0.1, .period = period});
    for (std::size_t tick = 0; tick < trial["b.y"].ticks(); ++tick) {
      EXPECT_EQ(trial["b.y"].at(tick), tick % 5 < 2 ? 0 : 1) << period << " " << tick;
      EXPECT_EQ(trial["b.state"].at(tick), tick % 5 < 2 ? 0 : 1) << period << " " << tick;
    }
  }
}

TEST(Chart, TakesATransitionInTheSampleInWhichItsGuardHolds) {
  const Trial trial =
      sound_trial(chart("<input name=\"u\"/><output name=\"n\" initial=\"5\"/>"
                        "<state name=\"off\" start=\"true\"/><state name=\"on\" entry=\"n = n + 1\"/>" +
                        way("off", "on", "when=\"u > 0.5\"") + way("on", "off", "when=\"u &lt; 0.5\"")) +
                  pulse);
  double count = 5;
  for (std::size_t tick = 0; tick < 100; ++tick) {
    const bool on = trial["p.y"].at(tick) > 0.5;
    if (tick > 0 && on && trial["p.y"].at(tick - 1) < 0.5) ++count;
    EXPECT_EQ(trial["b.state"].at(tick), on ? 1 : 0) << tick;
    EXPECT_EQ(trial["b.n"].at(tick), count) << tick;
  }
}

/// What actions write down, a digit each, in their order.
std::string note(const std::string& digit) { return "\"n = 10*n + " + digit + "\""; }

TEST(Chart, LeavesThenActsThenEntersFromTheInsideToTheOutside) {
  const std::string states = "<output name=\"n\"/>"
                             "<state name=\"out\" start=\"true\" entry=" +
                             note("1") + " exit=" + note("2") + "><state name=\"a\" start=\"true\" entry=" + note("3") +
                             " exit=" + note("4") + "/><state name=\"b\" entry=" + note("5") + "/></state>" +
                             "<state name=\"in\" entry=" + note("6") +
                             "><state name=\"c\" start=\"true\" entry=" + note("7") + "/></state>";
  const auto digits = [&](const std::string& ways) {
    return sound_trial(chart(states + ways), {.duration = 0.003})["b.n"].at(2);
  };
  const std::string back = way("in", "out", "when=\"after(9 s)\"") + way("b", "a", "when=\"after(9 s)\"");
  EXPECT_EQ(digits(way("a", "in", "do=" + note("8")) + back), 1342867);                  // 1 3, 4 2 8 6 7
  EXPECT_EQ(digits(way("a", "b", "do=" + note("8")) + way("b", "in") + back), 13485267); // the outer one stays
  EXPECT_EQ(digits(way("out", "out", "do=" + note("8") + " when=\"after(1 ms)\"") + way("out", "in") +
                   way("in", "b", "when=\"after(9 s)\"")),
            134281342813.0); // to itself: left and entered again, inside too
}

TEST(Chart, TakesOuterTransitionsFirstAndThoseBeforeInTheFile) {
  const std::string states = "<output name=\"n\"/><state name=\"out\" start=\"true\"><state name=\"a\" start=\"true\"/>"
                             "<state name=\"b\"/></state><state name=\"x\"/><state name=\"y\"/>";
  const auto second = [&](const std::string& ways) {
    return sound_trial(chart(states + ways), {.duration = 0.002})["b.state"].at(1);
  };
  const std::string rest =
      way("b", "a", "when=\"n > 0\"") + way("x", "out", "when=\"n > 0\"") + way("y", "out", "when=\"n > 0\"");
  const std::string never = " when=\"n > 1\"";
  EXPECT_EQ(
      second(way("a", "b", "when=\"n == 0\"") + way("out", "x", "when=\"n == 0\"") + way("out", "y", never) + rest), 2);
  EXPECT_EQ(second(way("out", "y", "when=\"n == 0\"") + way("out", "x", "when=\"n == 0\"") +
                   way("a", "b", "when=\"n == 0\"") + rest),
            3);
  EXPECT_EQ(second(way("a", "b", "when=\"n == 0\"") + way("out", "x", never) + way("out", "y", never) + rest), 1);
}

TEST(Chart, ActsDuringAStateAtSamplesWithoutATransition) {
  const Trial trial = sound_trial(
      chart("<output name=\"n\"/><output name=\"v\" unit=\"m/s\" shape=\"2\" initial=\"1 2 m/s\"/>"
            "<state name=\"a\" start=\"true\" during=\"n = n + 1; v = 2*v\"/><state name=\"b\" during=\"n = n - 1\"/>" +
            way("a", "b", "when=\"n >= 3\"") + way("b", "a", "when=\"n &lt;= 0\"")));
  const std::vector<double> counts = {0, 1, 2, 3, 3, 2, 1, 0, 0, 1};
  for (std::size_t tick = 0; tick < counts.size(); ++tick) EXPECT_EQ(trial["b.n"].at(tick), counts[tick]) << tick;
  EXPECT_THAT(trial["b.v"].row(4), testing::ElementsAre(8, 16));
}

TEST(Chart, CountsTimeInTheStateAroundFromItsOwnEntry) {
  const Trial trial = sound_trial(
      chart("<state name=\"out\" start=\"true\"><state name=\"a\" start=\"true\"/><state name=\"b\"/></state>"
            "<state name=\"end\" final=\"true\"/>" +
            way("a", "b", "when=\"after(2 ms)\"") + way("b", "a", "when=\"after(2 ms)\"") +
            way("out", "end", "when=\"after(7 ms)\"")));
  const std::vector<double> states = {0, 0, 1, 1, 0, 0, 1, 2, 2, 2};
  for (std::size_t tick = 0; tick < states.size(); ++tick) EXPECT_EQ(trial["b.state"].at(tick), states[tick]) << tick;
}

TEST(Chart, SaysHowLongItWasInEachState) {
  const std::string text = "<diagram format=\"1\" name=\"two\" period=\"1 ms\">\n" +
                           chart("<state name=\"a\" start=\"true\"/><state name=\"b\"/>" +
                                 way("a", "b", "when=\"after(30 ms)\"") + way("b", "a", "when=\"after(20 ms)\"")) +
                           "</diagram>\n";
  LoadedDiagram diagram(standard_plugins({"math"}).catalogue(), DiagramText{"two.xml", text});
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram, {});
  ASSERT_TRUE(runtime) << diagram.diagnostics().text();
  for (int tick = 0; tick < 100; ++tick) ASSERT_TRUE(runtime->compute() && runtime->advance());
  runtime->stop();
  std::string said;
  for (const SummaryRow& row : gather_figures(*runtime).rows)
    for (const SummaryFigure& column : row.columns) {
      const double* number = std::get_if<double>(&column.value);
      said += column.key + "=" +
              (number != nullptr ? fmt::format("{:.6g}", *number) : std::get<std::string>(column.value)) + " ";
    }
  EXPECT_EQ(said, "chart=b state=a entered=2 time=0.06 chart=b state=b entered=2 time=0.04 ");
}

TEST(Chart, BeginsAnewAtAReset) {
  const Trial trial = sound_trial(
      "<block name=\"r\" type=\"sources/Pulse\" high=\"1\" width=\"1 ms\" repeat=\"10 ms\" first=\"9 ms\"/>\n"
      "<block name=\"c\" type=\"math/Compare\" operation=\"greater\" with=\"0.5\"/>\n" +
      wire("r.y", "c.a") +
      chart("<output name=\"n\" initial=\"3\"/><state name=\"a\" start=\"true\"/><state name=\"b\" entry=\"n = n + "
            "1\"/>" +
                way("a", "b", "when=\"after(2 ms)\"") + way("b", "a", "when=\"after(2 ms)\""),
            " reset=\"c.y\""));
  for (const std::size_t begin : {9u, 19u, 29u}) {
    EXPECT_EQ(trial["b.state"].at(begin + 1), 0);
    EXPECT_EQ(trial["b.state"].at(begin + 2), 1);
    EXPECT_EQ(trial["b.n"].at(begin), 3);
    EXPECT_EQ(trial["b.n"].at(begin + 9), 5);
  }
}

std::string waiting_for(const std::string& wait, const std::string& declared, const std::string& more = "") {
  return chart(declared + "<state name=\"a\" start=\"true\"/><state name=\"b\"/>" +
               way("a", "b", "when=\"after(" + wait + ")\"") + way("b", "a", "when=\"after(2 ms)\"")) +
         more;
}

TEST(Chart, RefusesToWaitForATimeBelowZeroOrNone) {
  const char* said = "after() in the transition from 'a' to 'b' is given a time below zero, or none";
  const auto parameter = [](const std::string& value) { return "<parameter name=\"long\" value=\"" + value + "\"/>"; };
  EXPECT_EQ(run_trial(waiting_for("long", parameter("0 s"))).errors, "");
  EXPECT_THAT(run_trial(waiting_for("long", parameter("-3 ms"))).errors, HasSubstr(said));
  EXPECT_THAT(run_trial(waiting_for("-long", parameter("3 ms"))).errors, HasSubstr(said));
  EXPECT_THAT(run_trial(waiting_for("sqrt(-1)*long", parameter("3 ms"))).errors, HasSubstr(said));
  // as a signal gives it: 10 ms, and from 4 ms on below zero
  const Trial trial = run_trial(waiting_for("u", "<input name=\"u\" unit=\"s\"/>",
                                            "<block name=\"s\" type=\"sources/Step\" time=\"4 ms\" before=\"10 ms\" "
                                            "after=\"-1 ms\"/>\n" +
                                                wire("s.y", "b.u")));
  EXPECT_EQ(trial.errors, "");
  EXPECT_EQ(trial.ending.kind, Ending::Kind::failed);
  EXPECT_EQ(trial.ending.block, "b");
  EXPECT_THAT(trial.ending.text, HasSubstr(said));
  EXPECT_EQ(trial.ending.time, 0.004);
}

TEST(Chart, CannotBeContinuous) {
  EXPECT_THAT(run_trial(chart("<state name=\"a\" start=\"true\"/>", " sample_time=\"continuous\"")).errors,
              HasSubstr("steps its state at ticks and cannot be continuous"));
}

} // namespace
} // namespace hilda::test
