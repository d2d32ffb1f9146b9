// hilda linearize: its files, its words, its exit codes.
#include "program.h"

#include <cmath>
#include <complex>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <vector>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string diagrams = HILDA_SOURCE_DIR "/diagrams/";

std::vector<std::vector<double>> numbers(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line, cell;
  std::getline(lines, line); // the head
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

TEST(LinearizeCommand, WritesMatricesPolesAndTheFrequencyResponse) {
  const Workplace here;
  const Outcome done =
      here.hilda("linearize '" + diagrams +
                 "emulation_transmissivity.xml' --set inertia_ratio=0.055 --from lambda.y --to f.y --out model "
                 "--lowest 1 --highest 100 --points 3");
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.out, testing::AllOf(HasSubstr("about the state at t = 0 s"),
                                       HasSubstr("continuous: 3 states, 1 inputs, 1 outputs"), HasSubstr("right to")));
  for (const char* part : {"A", "B", "C", "D"}) EXPECT_TRUE(here.has(std::string("model_") + part + ".csv")) << part;
  EXPECT_THAT(here.read("model_poles.csv"),
              StartsWith("real,imaginary,natural frequency [rad/s],damping ratio,error\n"));
  const auto poles = numbers(here.read("model_poles.csv"));
  ASSERT_EQ(poles.size(), 3u);
  EXPECT_NEAR(poles[0][0], -0.20226, 1e-5); // ten per cent above the edge of Aghili's Eq. 33
  EXPECT_THAT(here.read("model_response.csv"), StartsWith("frequency [rad/s],lambda.y to f.y magnitude [dB],"));
  const auto response = numbers(here.read("model_response.csv"));
  ASSERT_EQ(response.size(), 3u);
  EXPECT_NEAR(response[1][0], 10, 1e-9);
  const std::complex<double> s(0, 10), k = 5.5, D = (20.0 * s + 100.0) / (s * s);
  const std::complex<double> T = k * (1.0 + D) / (s + k * (1.0 + D)); // Eq. 34, multiplied out
  EXPECT_NEAR(response[1][1], 20 * std::log10(std::abs(T)), 1e-6);
}

TEST(LinearizeCommand, WarnsAtTheEdgeOfAContact) {
  const Workplace here;
  const Outcome done =
      here.hilda("linearize '" + diagrams +
                 "emulation_unconstrained.xml' --set 'start=0.05 m' --from emulator.disturbance.y --to "
                 "emulator.wall.force --out model");
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.err, testing::AllOf(HasSubstr("warning: the state is at a kink"),
                                       HasSubstr(" per emulator.arm.angle"), HasSubstr("help: ")));
}

TEST(LinearizeCommand, RefusesWhatItCannotDo) {
  const Workplace here;
  const std::string start = "linearize '" + diagrams + "emulation_transmissivity.xml' ";
  const Outcome unknown = here.hilda(start + "--from lamda.y --to f.y");
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_THAT(unknown.err, testing::AllOf(HasSubstr("error[linearize-signal]"), HasSubstr("lambda.y")));
  EXPECT_EQ(here.hilda(start + "--from lambda.y").exit, 64);
  EXPECT_EQ(here.hilda(start + "--from lambda.y --to f.y --points 0").exit, 64);
}

} // namespace
} // namespace hilda::test
