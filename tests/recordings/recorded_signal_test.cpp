// SPDX-License-Identifier: BSD-3-Clause
// A run, and what plays it back: sources/RecordedSignal from the log and from its export.
#include "tests/cli/program.h"

#include "engine/log/log.h"
#include "tests/modules.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr const char* recorded_run = R"(<diagram format="1" name="run" period="1 ms">
  <parameter name="duration" value="100 ms"/>
  <block name="wave" type="sources/Sine" amplitude="20 mm" frequency="7 Hz"/>
  <block name="noise" type="sources/Noise" deviation="1 N" seed="4"/>
  <block name="both" type="routing/FreeMux"/>
  <block name="ramp" type="sources/Ramp" slope="3 m/s"/>
  <block name="above" type="math/Compare" operation="greater" with="5 mm"/>
  <block name="end" type="sinks/Terminator"/>
  <block name="last" type="sinks/Terminator"/>
  <connect from="wave.y" to="both.u[0]"/>
  <connect from="noise.y" to="both.u[1]"/>
  <connect from="both.y" to="end.u"/>
  <connect from="wave.y" to="above.a"/>
  <connect from="ramp.y" to="last.u"/>
</diagram>
)";

std::string player(const std::string& attributes, const std::string& period = "1 ms", const std::string& more = "") {
  return "<diagram format=\"1\" name=\"play\" period=\"" + period +
         "\">\n  <parameter name=\"duration\" value=\"100 ms\"/>\n"
         "  <block name=\"played\" type=\"sources/RecordedSignal\" " +
         attributes + "/>\n" +
         (more.empty() ? "  <block name=\"end\" type=\"sinks/Terminator\"/>\n"
                         "  <connect from=\"played.y\" to=\"end.u\"/>\n"
                       : more) +
         "</diagram>\n";
}

/// A folder with a run's log and its export.
class Recorded {
public:
  Recorded() {
    here_.write("run.xml", recorded_run);
    EXPECT_EQ(here_.hilda("run run.xml --log run.mcap").exit, 0);
    EXPECT_EQ(here_.hilda("export run.mcap --mat").exit, 0);
  }
  Result play(const std::string& diagram) const {
    here_.write("play.xml", diagram);
    return here_.hilda("run play.xml --log play.mcap");
  }
  Signal signal(const std::string& log, const std::string& name) const {
    std::string error;
    std::optional<Log> open = Log::open((here_.path() / log).string(), error);
    std::optional<Signal> found;
    if (open) found = open->signal(name, error);
    EXPECT_TRUE(found) << error;
    return found ? std::move(*found) : Signal();
  }
  std::vector<double> played(std::size_t element = 0) const { return signal("play.mcap", "played.y").column(element); }
  const Workplace& here() const { return here_; }

private:
  Workplace here_;
};

TEST(RecordedSignal, OfALogAndOfItsExportIsEqualToTheBit) {
  const Recorded recorded;
  for (const char* const file : {"run.mcap", "run.mat"})
    for (const char* const name : {"wave.y", "noise.y", "both.y", "above.y"}) {
      const Result run = recorded.play(player("file=\"" + std::string(file) + "\" signal=\"" + name + "\""));
      ASSERT_EQ(run.exit, 0) << file << " " << name << ": " << run.err;
      const Signal was = recorded.signal("run.mcap", name), is = recorded.signal("play.mcap", "played.y");
      ASSERT_EQ(is.samples(), was.samples());
      EXPECT_EQ(is.field.rows, was.field.rows);
      EXPECT_EQ(is.field.unit, was.field.unit) << file << " " << name;
      for (std::size_t e = 0; e < was.field.elements(); ++e) EXPECT_EQ(is.column(e), was.column(e)) << name;
    }
}

TEST(RecordedSignal, IsInterpolatedOrHeldBetweenSamples) {
  const Recorded recorded;
  ASSERT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\"", "250 us")).exit, 0);
  const std::vector<double> linear = recorded.played();
  ASSERT_EQ(linear.size(), 400U);
  for (std::size_t k = 0; k <= 396; ++k) EXPECT_NEAR(linear[k], 3 * 0.25e-3 * static_cast<double>(k), 1e-13) << k;
  EXPECT_EQ(linear[399], linear[396]) << "the last sample holds";
  ASSERT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\" between=\"hold\"", "250 us")).exit, 0);
  const std::vector<double> held = recorded.played(), was = recorded.signal("run.mcap", "ramp.y").column();
  for (std::size_t k = 0; k < 400; ++k) EXPECT_EQ(held[k], was[k / 4]) << k;
  ASSERT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"wave.y\"", "250 us")).exit, 0);
  const std::vector<double> wave = recorded.played(), samples = recorded.signal("run.mcap", "wave.y").column();
  for (std::size_t k = 0; k < 396; ++k) {
    const double share = static_cast<double>(k % 4) / 4;
    EXPECT_NEAR(wave[k], samples[k / 4] + share * (samples[k / 4 + 1] - samples[k / 4]), 1e-14) << k;
    if (k % 4 == 0) { EXPECT_EQ(wave[k], samples[k / 4]) << "to the bit at the run's own ticks"; }
  }
}

TEST(RecordedSignal, BeginsWhereItIsToldAndEndsAsItIsTold) {
  const Recorded recorded;
  ASSERT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\" start=\"50 ms\" after=\"zero\"")).exit, 0);
  const std::vector<double> was = recorded.signal("run.mcap", "ramp.y").column();
  std::vector<double> is = recorded.played();
  for (std::size_t k = 0; k < 50; ++k) EXPECT_EQ(is[k], was[k + 50]) << k;
  EXPECT_EQ(is[50], 0);
  ASSERT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\" start=\"-20 ms\"")).exit, 0);
  is = recorded.played();
  EXPECT_EQ(is[10], was[0]);
  EXPECT_EQ(is[60], was[40]);
  ASSERT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\" start=\"60 ms\" after=\"repeat\"")).exit, 0);
  EXPECT_NEAR(recorded.played()[50], was[11], 1e-12);
  const Result stopped = recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\" start=\"60 ms\" after=\"stop\""));
  EXPECT_EQ(stopped.exit, 0);
  EXPECT_THAT(stopped.out, HasSubstr("played stopped it: the recording is at its end"));
}

TEST(RecordedSignal, HasTheUnitOfTheFileAndAWireThatWantsAnotherIsRefused) {
  const Recorded recorded;
  const std::string into_force = "  <block name=\"push\" type=\"math/Bias\" bias=\"1 N\"/>\n"
                                 "  <connect from=\"played.y\" to=\"push.u\"/>\n";
  EXPECT_EQ(recorded.play(player("file=\"run.mcap\" signal=\"noise.y\"", "1 ms", into_force)).exit, 0);
  const Result wrong = recorded.play(player("file=\"run.mcap\" signal=\"wave.y\"", "1 ms", into_force));
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_THAT(wrong.err, HasSubstr("play.xml:5: error[wire-unit]: 'played.y' (scalar [m]"));
  EXPECT_THAT(wrong.err, HasSubstr("'played' gets its unit from what 'signal' names: 'wave.y'"));
  EXPECT_THAT(wrong.err, HasSubstr("[N]"));
  const std::string into_length = "  <block name=\"push\" type=\"math/Bias\" bias=\"1 mm\"/>\n"
                                  "  <connect from=\"played.y\" to=\"push.u\"/>\n";
  ASSERT_EQ(recorded.play(player("file=\"run.mat\" signal=\"wave.y\"", "1 ms", into_length)).exit, 0);
  const Signal pushed = recorded.signal("play.mcap", "push.y");
  EXPECT_EQ(pushed.field.unit, "m");
  EXPECT_EQ(pushed.value(0), 1e-3);
}

TEST(RecordedSignal, OfWhichNothingIsPlayedIsAWarning) {
  const Recorded recorded;
  const auto said = [&](const std::string& start) {
    return recorded.play(player("file=\"run.mcap\" signal=\"ramp.y\" " + start)).err;
  };
  EXPECT_THAT(said("start=\"5 s\""), HasSubstr("start: is 5 s, behind the end of the recording at 0.099 s"));
  EXPECT_EQ(said("start=\"5 s\" after=\"repeat\""), "");
  EXPECT_EQ(said("start=\"-5 s\""), "") << "that delays it";
  EXPECT_THAT(said("start=\"inf s\""),
              HasSubstr("error[block-configure]: played (sources/RecordedSignal), start: is not"));
}

TEST(RecordedSignal, IsRefusedWithFileAndLine) {
  const Recorded recorded;
  const Result missing = recorded.play(player("file=\"run.mcap\" signal=\"wave.z\""));
  EXPECT_EQ(missing.exit, 2);
  EXPECT_THAT(missing.err, HasSubstr("play.xml:3: error[block-shape]: played (sources/RecordedSignal), signal: the log "
                                     "has no signal \"wave.z\"; the nearest is \"wave.y\""));
  const Result block = recorded.play(player("file=\"run.mcap\" signal=\"wave\""));
  EXPECT_THAT(block.err, HasSubstr("\"wave\" is a block or a subsystem and no signal"));
  const Result unit = recorded.play(player("file=\"run.mat\" signal=\"wave.y\" unit=\"N\""));
  EXPECT_THAT(unit.err,
              HasSubstr("played (sources/RecordedSignal), unit: the file has 'wave.y' in m, and unit is 'N'"));
}

TEST(RecordedSignal, IsFoundByWhatPeopleLookFor) {
  const Workplace here;
  for (const char* const words : {"mat file", "mcap log", "from file", "matlab", "play recording"})
    EXPECT_THAT(here.hilda(std::string("blocks ") + words).out, HasSubstr("RecordedSignal")) << words;
}

} // namespace
} // namespace hilda::test
