// SPDX-License-Identifier: BSD-3-Clause
// discrete/Spectrum against closed forms and NumPy.
#include "tests/blocks/references_compared.h"

#include <gmock/gmock.h>
#include <utility>
#include <vector>

namespace hilda::test {
namespace {

using testing::HasSubstr;

constexpr double T = 1e-3; // s

/// A sine of amplitude 3 at `bins` lines of a window of `length` samples, upon a mean of 0.7.
std::string sine(double bins, int length, const std::string& attributes, double phase = 0.4) {
  const double frequency = 2 * M_PI * bins / (length * T);
  char text[300];
  std::snprintf(text, sizeof text,
                "<block name=\"u\" type=\"sources/Sine\" amplitude=\"3 N\" bias=\"0.7 N\" phase=\"%.17g\" "
                "frequency=\"%.17g rad/s\"/>",
                phase, frequency);
  return std::string(text) + "<block name=\"b\" type=\"discrete/Spectrum\" length=\"" + std::to_string(length) + "\" " +
         attributes + "/>" + wire("u.y", "b.u");
}

Trial trial_of(const std::string& body, int length) { return sound_trial(body, {.duration = (length + 1) * T}); }

const char* const windows[] = {"rectangular", "hann", "hamming", "flat_top"};

TEST(Spectrum, OfASineUponALineIsItsAmplitude) {
  for (const char* window : windows)
    for (const int length : {48, 60, 128, 175}) {
      const Trial trial = trial_of(sine(9, length, "window=\"" + std::string(window) + "\""), length);
      const auto tick = static_cast<std::size_t>(length - 1);
      const Trace &amplitude = trial["b.amplitude"], &frequency = trial["b.frequency"];
      ASSERT_EQ(amplitude.width, static_cast<std::size_t>(length / 2 + 1));
      EXPECT_EQ(trial.units.at("b.amplitude"), "N");
      EXPECT_EQ(trial["b.ready"].at(tick - 1), 0);
      EXPECT_EQ(trial["b.peak"].at(tick - 1), 0);
      EXPECT_EQ(trial["b.ready"].at(tick), 1);
      EXPECT_NEAR(amplitude.at(tick, 9), 3, 1e-12) << window << " " << length;
      EXPECT_NEAR(amplitude.at(tick, 0), 0.7, 1e-12) << window << " " << length;
      EXPECT_NEAR(trial["b.peak"].at(tick), 3, 1e-12);
      EXPECT_NEAR(trial["b.dominant"].at(tick), 2 * M_PI * 9 / (length * T), 1e-9);
      const std::size_t reach = std::string(window) == "rectangular" ? 0 : std::string(window) == "flat_top" ? 4 : 1;
      for (std::size_t k = 0; k < amplitude.width; ++k) {
        EXPECT_NEAR(frequency.at(tick, k), 2 * M_PI * static_cast<double>(k) / (length * T), 1e-9);
        if ((k + reach < 9 && k > reach) || k > 9 + reach) {
          EXPECT_NEAR(amplitude.at(tick, k), 0, 1e-12) << window << " " << length << " line " << k;
        }
      }
    }
}

/// A window spreads the mean over its first lines, and that is not a swing of the signal.
TEST(Spectrum, FindsTheSwingBesideALargeMean) {
  for (const char* window : windows)
    for (const int length : {60, 175})
      for (const int bins : {1, 2, 9}) {
        std::string body = sine(bins, length, "window=\"" + std::string(window) + "\"");
        body.replace(body.find("0.7 N"), 5, "500 N");
        const Trial trial = trial_of(body, length);
        const auto tick = static_cast<std::size_t>(length - 1);
        if (bins < 9 && std::string(window) == "flat_top") continue; // it takes 1 and -1 together
        EXPECT_NEAR(trial["b.peak"].at(tick), 3, 1e-9) << window << " " << length << " " << bins;
        EXPECT_NEAR(trial["b.dominant"].at(tick), 2 * M_PI * bins / (length * T), 1e-9) << window << " " << bins;
      }
}

/// Of noise: the mean square of the samples is that of the lines.
TEST(Spectrum, KeepsTheMeanSquareAsParsevalSays) {
  for (const int length : {64, 63, 100}) {
    const Trial trial = trial_of("<block name=\"u\" type=\"sources/Noise\" deviation=\"2\" mean=\"0.5\"/>"
                                 "<block name=\"b\" type=\"discrete/Spectrum\" window=\"rectangular\" length=\"" +
                                     std::to_string(length) + "\"/>" + wire("u.y", "b.u"),
                                 length);
    double samples = 0, lines = 0;
    for (std::size_t n = 0; n < static_cast<std::size_t>(length); ++n)
      samples += std::pow(trial["u.y"].at(n), 2) / length;
    const Trace& amplitude = trial["b.amplitude"];
    for (std::size_t k = 0; k < amplitude.width; ++k) {
      const bool alone = k == 0 || 2 * k == static_cast<std::size_t>(length);
      lines += std::pow(amplitude.at(static_cast<std::size_t>(length) - 1, k), 2) / (alone ? 1 : 2);
    }
    EXPECT_NEAR(lines, samples, 1e-12 * samples) << length;
  }
}

/// Half-way between two lines, where it is worst; and far away from it, where windows differ.
TEST(Spectrum, LeaksBetweenLinesNoMoreThanItsWindow) {
  const struct {
    const char* window;
    double least, most, far; ///< of the amplitude at the next line; 20 lines away
  } cases[] = {{"rectangular", 0.63, 0.645, 2e-2},
               {"hann", 0.845, 0.852, 6e-5},
               {"hamming", 0.815, 0.822, 2e-3},
               {"flat_top", 0.997, 1.003, 2e-5}};
  for (const auto& each : cases) {
    const int length = 256;
    const Trial trial = trial_of(sine(60.5, length, "window=\"" + std::string(each.window) + "\""), length);
    const auto tick = static_cast<std::size_t>(length - 1);
    const Trace& amplitude = trial["b.amplitude"];
    EXPECT_GT(trial["b.peak"].at(tick), 3 * each.least) << each.window;
    EXPECT_LT(trial["b.peak"].at(tick), 3 * each.most) << each.window;
    EXPECT_NEAR(trial["b.dominant"].at(tick), 2 * M_PI * 60.5 / (length * T), 2 * M_PI * 0.5 / (length * T) + 1e-6);
    for (std::size_t k = 81; k < amplitude.width; ++k)
      EXPECT_LT(amplitude.at(tick, k), 3 * each.far) << each.window << " line " << k;
  }
}

TEST(Spectrum, ComesAnewAsTheOverlapSays) {
  const Trial trial = sound_trial("<block name=\"u\" type=\"sources/Noise\" deviation=\"1\"/>"
                                  "<block name=\"b\" type=\"discrete/Spectrum\" length=\"20\" overlap=\"0.75\"/>" +
                                      wire("u.y", "b.u"),
                                  {.duration = 0.1});
  for (std::size_t k = 20; k < 100; ++k) {
    const bool fresh = trial["b.amplitude"].row(k) != trial["b.amplitude"].row(k - 1);
    EXPECT_EQ(fresh, (k - 19) % 5 == 0) << k;
  }
}

TEST(Spectrum, AgreesWithNumPy) {
  for (const auto& [window, wanted] : {std::pair(std::string("hann"), reference::hann_spectrum),
                                       std::pair(std::string("flat_top"), reference::flat_top_spectrum)}) {
    const Trial trial =
        sound_trial(waved("discrete/Spectrum", "length=\"60\" window=\"" + window + "\""), {.duration = 61 * T});
    for (std::size_t k = 0; k < 31; ++k) EXPECT_NEAR(trial["b.amplitude"].at(59, k), wanted[k], 1e-12) << window << k;
  }
}

TEST(Spectrum, OfASlowLengthIsRefused) {
  EXPECT_THAT(run_trial(sine(1, 1009, "")).errors, HasSubstr("has a prime factor above 7; take 1024"));
  EXPECT_THAT(run_trial(sine(1, 3, "")).errors, HasSubstr("at least 4"));
  EXPECT_THAT(run_trial(sine(1, 64, "overlap=\"1\"")).errors, HasSubstr("below 1"));
}

} // namespace
} // namespace hilda::test
