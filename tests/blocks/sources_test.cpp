// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"
#include <hilda/random.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace hilda::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

double time_of(std::size_t tick) { return 1e-3 * static_cast<double>(tick); }
std::string source(const std::string& type, const std::string& attributes) {
  return "<block name=\"s\" type=\"sources/" + type + "\" " + attributes + "/>\n";
}
TEST(Sources, ConstantsOfEveryShape) {
  EXPECT_THAT(sound_trial(source("Constant", "value=\"3 mm\""))["s.y"].row(5), ElementsAre(0.003));
  EXPECT_THAT(sound_trial(source("Constant", "value=\"1 2 3\""))["s.y"].row(5), ElementsAre(1, 2, 3));
  EXPECT_THAT(sound_trial(source("Constant", "value=\"1 2; 3 4\""))["s.y"].row(5), ElementsAre(1, 3, 2, 4));
  EXPECT_EQ(sound_trial(source("Constant", "value=\"3 mm\"")).units.at("s.y"), "m");
  EXPECT_THAT(sound_trial(source("BooleanConstant", "value=\"true\""))["s.y"].row(5), ElementsAre(1));
}

TEST(Sources, ClockTellsTheTime) {
  const Trial trial = sound_trial(source("Clock", ""), {.duration = 1, .period = "0.7 ms"});
  for (std::size_t k = 0; k < trial["s.time"].ticks(); ++k)
    EXPECT_DOUBLE_EQ(trial["s.time"].at(k), 0.0007 * static_cast<double>(k));
}

TEST(Sources, AStepHappensAtItsTickWhateverTheRounding) {
  for (int at = 0; at < 100; ++at) {
    const Trial trial =
        sound_trial(source("Step", "time=\"" + std::to_string(at) + " ms\" after=\"5 6\" before=\"-1\""));
    for (std::size_t k = 0; k < 100; ++k)
      ASSERT_EQ(trial["s.y"].at(k, 1), k >= static_cast<std::size_t>(at) ? 6 : -1) << at;
  }
  const Trial odd = sound_trial(source("Step", "time=\"0.3 s\" after=\"1\""), {.duration = 0.5, .period = "0.1 ms"});
  EXPECT_EQ(odd["s.y"].at(2999), 0);
  EXPECT_EQ(odd["s.y"].at(3000), 1);
}

TEST(Sources, ARampRisesBetweenTwoTimes) {
  const Trial trial = sound_trial(source("Ramp", "slope=\"2 -4 m/s\" start=\"20 ms\" end=\"60 ms\" initial=\"1 m\""));
  for (std::size_t k = 0; k < 100; ++k) {
    const double run = std::min(std::max(time_of(k) - 0.02, 0.0), 0.04);
    EXPECT_NEAR(trial["s.y"].at(k, 0), 1 + 2 * run, 1e-15);
    EXPECT_NEAR(trial["s.y"].at(k, 1), 1 - 4 * run, 1e-15);
  }
  EXPECT_THAT(run_trial(source("Ramp", "slope=\"1\" start=\"2 s\" end=\"1 s\"")).errors, HasSubstr("before start"));
  EXPECT_EQ(run_trial(source("Ramp", "slope=\"1 1/s\" start=\"1 s\" end=\"1 s\"")).errors, "");
  EXPECT_THAT(run_trial(source("Ramp", "slope=\"1 2 1/s\" initial=\"1 2 3\"")).errors, HasSubstr("initial"));
}

TEST(Sources, ASineTakesItsFrequencyInHertzAndItsPhaseInDegrees) {
  const Trial trial =
      sound_trial(source("Sine", "amplitude=\"2 3 N\" frequency=\"50 Hz\" phase=\"0 90 deg\" bias=\"1 N\""));
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_NEAR(trial["s.y"].at(k, 0), 1 + 2 * std::sin(100 * M_PI * time_of(k)), 1e-12);
    EXPECT_NEAR(trial["s.y"].at(k, 1), 1 + 3 * std::cos(100 * M_PI * time_of(k)), 1e-12);
  }
}

TEST(Sources, PulsesBeginAndEndAtTheirTicksForLong) {
  const Trial trial = sound_trial(
      source("Pulse", "high=\"2 3\" low=\"-1\" repeat=\"7 ms\" width=\"3 ms\" first=\"4 ms\""), {.duration = 20});
  for (std::size_t k = 0; k < trial["s.y"].ticks(); ++k)
    ASSERT_EQ(trial["s.y"].at(k, 1), k >= 4 && (k - 4) % 7 < 3 ? 3 : -1) << k;
  const Trial single = sound_trial(source("Pulse", "high=\"1\" width=\"3 ms\" first=\"4 ms\""));
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(single["s.y"].at(k), k >= 4 && k < 7 ? 1 : 0);
  EXPECT_THAT(run_trial(source("Pulse", "high=\"1\" width=\"3 ms\" repeat=\"2 ms\"")).errors,
              HasSubstr("longer than repeat"));
}

/// The phase of a chirp by numerical integration of its frequency (midpoints).
double swept_phase(double t, double from, double to, double duration, bool linear) {
  constexpr int steps = 20000;
  double phase = 0;
  for (int i = 0; i < steps; ++i) {
    const double share = std::min((i + 0.5) / steps * t / duration, 1.0);
    phase += (linear ? from + (to - from) * share : from * std::pow(to / from, share)) * t / steps;
  }
  return phase;
}

TEST(Sources, AChirpIsTheSineOfTheIntegralOfItsFrequency) {
  for (const bool linear : {true, false}) {
    const Trial trial = sound_trial(
        source("Chirp", std::string("amplitude=\"2\" from=\"1 Hz\" to=\"20 Hz\" duration=\"0.5 s\" sweep=\"") +
                            (linear ? "linear" : "exponential") + "\""),
        {.duration = 0.7});
    for (std::size_t k = 0; k < 700; k += 37)
      EXPECT_NEAR(trial["s.y"].at(k), 2 * std::sin(swept_phase(time_of(k), 2 * M_PI, 40 * M_PI, 0.5, linear)), 2e-4)
          << k;
  }
}

struct Moments {
  double mean = 0, variance = 0, skewness = 0, kurtosis = 0, lag = 0;
};
Moments moments(const Trace& trace, std::size_t element) {
  Moments m;
  const auto n = static_cast<double>(trace.ticks());
  for (std::size_t k = 0; k < trace.ticks(); ++k) m.mean += trace.at(k, element) / n;
  for (std::size_t k = 0; k < trace.ticks(); ++k) {
    const double d = trace.at(k, element) - m.mean;
    m.variance += d * d / n, m.skewness += d * d * d / n, m.kurtosis += d * d * d * d / n;
    if (k > 0) m.lag += d * (trace.at(k - 1, element) - m.mean) / n;
  }
  m.skewness /= std::pow(m.variance, 1.5), m.kurtosis /= m.variance * m.variance, m.lag /= m.variance;
  return m;
}

TEST(Sources, NoiseHasTheMomentsOfItsDistribution) {
  for (const bool normal : {true, false}) {
    const Trial trial =
        sound_trial(source("Noise", std::string("deviation=\"2 0.5 1\" mean=\"3\" seed=\"11\" distribution=\"") +
                                        (normal ? "normal" : "uniform") + "\""),
                    {.duration = 40});
    const double deviation[] = {2, 0.5, 1}, n = 40000;
    for (std::size_t i = 0; i < 3; ++i) {
      const Moments m = moments(trial["s.y"], i);
      EXPECT_NEAR(m.mean, 3, 4 * deviation[i] / std::sqrt(n));
      EXPECT_NEAR(std::sqrt(m.variance), deviation[i], 4 * deviation[i] / std::sqrt(2 * n));
      EXPECT_NEAR(m.skewness, 0, 4 * std::sqrt(6 / n));
      EXPECT_NEAR(m.kurtosis, normal ? 3 : 1.8, 4 * std::sqrt(24 / n));
      EXPECT_NEAR(m.lag, 0, 4 / std::sqrt(n)) << "white";
    }
  }
}

TEST(Sources, ElementsOfNoiseAreIndependent) {
  const Trial trial = sound_trial(source("Noise", "deviation=\"1 1 1\""), {.duration = 40});
  for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 1}, {1, 2}, {0, 2}}) {
    double product = 0;
    for (std::size_t k = 0; k < 40000; ++k) product += trial["s.y"].at(k, i) * trial["s.y"].at(k, j) / 40000;
    EXPECT_NEAR(product, 0, 4 / std::sqrt(40000.0));
  }
}

TEST(Sources, NoiseIsTheSameInEveryRunAndDiffersBySeedAndPath) {
  const auto noise = [](const std::string& seed) {
    return sound_trial("<block name=\"s\" type=\"sources/Noise\" deviation=\"1 1\" seed=\"" + seed +
                       "\"/><block name=\"z\" type=\"sources/Noise\" deviation=\"1 1\" seed=\"" + seed + "\"/>");
  };
  const Trial one = noise("1"), again = noise("1"), two = noise("2");
  EXPECT_EQ(one["s.y"].values, again["s.y"].values);
  // No value of one stream comes up in another, at any shift.
  std::vector<double> first = one["s.y"].values, second = two["s.y"].values, other = one["z.y"].values;
  for (std::vector<double>* list : {&first, &second, &other}) std::sort(list->begin(), list->end());
  std::vector<double> common;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(common));
  std::set_intersection(first.begin(), first.end(), other.begin(), other.end(), std::back_inserter(common));
  EXPECT_TRUE(common.empty());
}

TEST(Sources, NoiseBeginsAnewAtAReset) {
  const Trial trial = sound_trial("<block name=\"at\" type=\"sources/Pulse\" high=\"1\" width=\"1 ms\" first=\"50 "
                                  "ms\"/><block name=\"again\" type=\"math/RealToBool\"/>" +
                                  wire("at.y", "again.u") + source("Noise", "deviation=\"1 2 3\" reset=\"again.y\""));
  for (std::size_t k = 0; k < 50; ++k) EXPECT_EQ(trial["s.y"].row(k + 50), trial["s.y"].row(k));
}

TEST(Sources, TheGeneratorIsSplitMix64) {
  Generator random(1234567); // Reference values: Vigna's splitmix64.c, seed 1234567.
  EXPECT_EQ(random.bits(), 6457827717110365317u);
  EXPECT_EQ(random.bits(), 3203168211198807973u);
  EXPECT_EQ(random.bits(), 9817491932198370423u);
}

/// A table of a test, removed after it.
class File {
public:
  explicit File(const std::string& text) {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() / ("hilda_signal_file_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    name_ = "table" + std::to_string(count++) + ".csv";
    std::ofstream(folder_ / name_) << text;
  }
  ~File() { std::filesystem::remove_all(folder_); }
  /// A trial of a diagram in the file's folder.
  Trial play(const std::string& attributes) const {
    return run_trial(source("SignalFile", "file=\"" + name_ + "\" " + attributes),
                     {.file = (folder_ / "trial.xml").string()});
  }

private:
  std::filesystem::path folder_;
  std::string name_;
};

TEST(Sources, ASignalFileIsPlayedBack) {
  const File file("# recorded by hand\ntime;force x;torque\n0.010;1;-1\n0.020;3;-2\n\n0.050;0;+4e0\n");
  const Trial linear = file.play("");
  ASSERT_EQ(linear.errors, "");
  EXPECT_EQ(linear.audit, "");
  EXPECT_THAT(linear["s.y"].row(0), ElementsAre(1, -1));
  EXPECT_THAT(linear["s.y"].row(10), ElementsAre(1, -1));
  EXPECT_THAT(linear["s.y"].row(15), ElementsAre(testing::DoubleNear(2, 1e-12), testing::DoubleNear(-1.5, 1e-12)));
  EXPECT_THAT(linear["s.y"].row(20), ElementsAre(3, -2));
  EXPECT_THAT(linear["s.y"].row(35), ElementsAre(testing::DoubleNear(1.5, 1e-12), testing::DoubleNear(1, 1e-12)));
  EXPECT_THAT(linear["s.y"].row(99), ElementsAre(0, 4));
  const Trial hold = file.play("columns=\"torque\" between=\"hold\" after=\"zero\" scale=\"2 N\"");
  ASSERT_EQ(hold.errors, "");
  EXPECT_EQ(hold["s.y"].at(19), -2);
  EXPECT_EQ(hold["s.y"].at(20), -4);
  EXPECT_EQ(hold["s.y"].at(50), 8);
  EXPECT_EQ(hold["s.y"].at(51), 0);
  EXPECT_EQ(hold.units.at("s.y"), "N");
  const Trial repeat = file.play("columns=\"2\" after=\"repeat\"");
  EXPECT_NEAR(repeat["s.y"].at(55), -1.5, 1e-9);
  const Trial stop = file.play("after=\"stop\"");
  EXPECT_EQ(stop.ending.kind, Ending::Kind::stopped);
  EXPECT_NEAR(stop.ending.time, 0.051, 1e-9);
}

TEST(Sources, ColumnsWhoseNamesHoldBlanksAreNamedAloneOrBetweenCommas) {
  const File file("time,my force,x\n0,1,5\n1,1,5\n");
  const auto first = [&](const std::string& columns) {
    const Trial trial = file.play("columns=\"" + columns + "\"");
    EXPECT_EQ(trial.errors, "") << columns;
    return trial["s.y"].row(0);
  };
  EXPECT_THAT(first("my force"), ElementsAre(1));
  EXPECT_THAT(first("x, my force"), ElementsAre(5, 1));
  EXPECT_THAT(first("2,1"), ElementsAre(5, 1));
  EXPECT_THAT(first("x 1"), ElementsAre(5, 1));
  EXPECT_THAT(file.play("columns=\"x my force\"").errors,
              HasSubstr("has no column \"my\"; its columns are time, my force, x; names with blanks are separated by "
                        "commas"));
}

/// [D8] As spreadsheets write them: RFC 4180, and the line ends of old ones.
TEST(Sources, CellsInQuotesHoldSeparatorsAndQuotes) {
  for (const char* table : {R"(time,"Torque, Request","the ""real"" one"
0,1,5
1,"1","5"
)",
                            R"("time, s";"Torque, Request";"the ""real"" one"
0;1;5
1;1;5
)"}) {
    const File file(table);
    const Trial quoted = file.play("columns=\"Torque, Request\"");
    EXPECT_EQ(quoted.errors, "");
    EXPECT_THAT(quoted["s.y"].row(0), ElementsAre(1));
    EXPECT_THAT(file.play("columns=\"the &quot;real&quot; one\"")["s.y"].row(0), ElementsAre(5));
  }
  const Trial returns = File("t,y\r0,1\r0.05,2\r0.06,3\r").play("between=\"hold\"");
  EXPECT_EQ(returns.errors, "");
  EXPECT_EQ(returns["s.y"].at(55), 2);
  EXPECT_EQ(File("t,y\r\n0,1\r\n1,2").play("").errors, "") << "the last line may lack its end";
  EXPECT_THAT(File("t,y\r0,1\r1,x\r").play("").errors, HasSubstr("line 3 holds \"x\""));
}

TEST(Sources, ARepeatedSignalFileIsTheSameInEveryRound) {
  for (const char* table : {"0,7\n0.005,5\n0.01,10\n",
                            "\xEF\xBB\xBF"
                            "0,7\n0.005,5\n0.01,10\n",
                            "0.003,7\n0.008,5\n0.013,10\n"})
    for (const char* between : {"linear", "hold"}) {
      const Trial trial = File(table).play("after=\"repeat\" between=\"" + std::string(between) + "\"");
      ASSERT_EQ(trial.errors, "");
      const std::size_t begin = std::string(table).find("0.003") == 0 ? 3 : 0;
      EXPECT_EQ(trial["s.y"].at(begin), 7);
      for (std::size_t k = begin + 10; k < trial["s.y"].ticks(); ++k)
        EXPECT_NEAR(trial["s.y"].at(k), trial["s.y"].at(k - 10), 1e-9) << table << k;
    }
}

TEST(Sources, ABrokenSignalFileIsRefusedWithItsLine) {
  const auto errors = [](const std::string& text, const std::string& attributes = "") {
    return File(text).play(attributes).errors;
  };
  EXPECT_THAT(errors("0,1\n1,x\n"), HasSubstr("line 2 holds \"x\""));
  EXPECT_THAT(errors("0,1\n1,nan\n"), HasSubstr("line 2 holds \"nan\", which is not a finite number"));
  EXPECT_THAT(errors("0,1\n1,2,3\n"), HasSubstr("line 2 has 3 values"));
  EXPECT_THAT(errors("t,y\n"), HasSubstr("no line of numbers"));
  EXPECT_THAT(errors("0,1\n0,2\n"), HasSubstr("not later than the row before"));
  EXPECT_THAT(errors("t,y\n0,1\n1,2\n", "columns=\"z\""), HasSubstr("its columns are t, y"));
  EXPECT_THAT(errors("t,y,y\n0,1,2\n1,2,3\n", "columns=\"y\""), HasSubstr("more than one column \"y\""));
  for (const char* first : {"0,O.5", "0;0,5", "0,0x10", "0,1e400", "0,1d0", "0.O,1", "-0.1s,1", ".5 s,1", "0,"})
    EXPECT_THAT(errors(std::string(first) + "\n1,1\n2,2\n"), HasSubstr("line 1 holds \"")) << first;
  EXPECT_EQ(errors(",0,1\n0,1,2\n1,2,3\n"), "") << "names that are numbers";
  EXPECT_EQ(errors("\xEF\xBB\xBF"
                   "t,y\n0,1\n1,2\n",
                   "columns=\"y\""),
            "");
  EXPECT_EQ(errors("\xEF\xBB\xBF"
                   "t,y\n0,1\n1,2\n",
                   "columns=\"t\""),
            "")
      << "the mark is not part of the name";
  EXPECT_EQ(errors("t,y,y\n0,1,2\n1,2,3\n", "columns=\"2\""), "");
  EXPECT_THAT(errors("0\n1\n"), HasSubstr("one column only"));
  EXPECT_THAT(errors(std::string("\0\x01\xff", 3)), HasSubstr("line 1 holds a NUL byte"));
  EXPECT_THAT(errors(std::string("0,1\n1,\0\n", 8)), HasSubstr("line 2 holds a NUL byte"));
  EXPECT_THAT(errors(std::string("\xFF\xFEt\0,\0y\0\n\0", 10)), HasSubstr("is in UTF-16; save it as UTF-8"));
  EXPECT_THAT(errors(std::string(2'000'000, '7')), HasSubstr("longer than a million characters"));
  EXPECT_NE(errors(""), "");
}

} // namespace
} // namespace hilda::test
