// SPDX-License-Identifier: BSD-3-Clause
// math/Function: what an expression means, and the message for one that cannot be read.
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

/// What `${}` brings keeps its sign and its value in SI; the same written out is the check.
TEST(Function, TakesParametersAsConstants) {
  const auto last = [](const std::string& expression) {
    const std::string parameters = "<parameter name=\"a\" value=\"-5\"/><parameter name=\"mass\" value=\"2 g\"/>"
                                   "<parameter name=\"tilt\" value=\"30 deg\"/><parameter name=\"on\" value=\"true\"/>"
                                   "<parameter name=\"law\" value=\"${a} + u\"/>";
    const Trial trial = sound_trial(parameters +
                                    "<block name=\"c\" type=\"sources/Constant\" value=\"3\"/>"
                                    "<block name=\"f\" type=\"math/Function\" expression=\"" +
                                    expression + "\"/>" + "<connect from=\"c.y\" to=\"f.u\"/>");
    return trial["f.y"].at(1);
  };
  EXPECT_EQ(last("${a}^2 + 0*u"), 25);
  EXPECT_EQ(last("u - ${a}"), 8);
  EXPECT_EQ(last("2^${a}*32"), 1);
  EXPECT_EQ(last("u*${mass}"), 3 * 0.002);
  EXPECT_EQ(last("u*${mass} + 1/${2*mass}"), 3 * 0.002 + 1 / 0.004);
  EXPECT_EQ(last("sin(${tilt})*u"), std::sin(30 * (M_PI / 180)) * 3);
  EXPECT_EQ(last("2*${law}"), -4);
  EXPECT_EQ(last("${law}"), -2);
  EXPECT_EQ(last("${mass}"), 0.002);
  EXPECT_EQ(last("${on} ? u : -u"), 3);
  EXPECT_EQ(last("${a - 1}*${a - 2}*${a - 1}"), -6 * -7 * -6);
}

TEST(Function, GroupsPowersToTheRightWhateverTheyAreOf) {
  const std::vector<std::pair<std::string, double>> atoms = {{"u", 1.3},   {"v", 0.7},      {"2", 2},      {"1.5", 1.5},
                                                             {"(v)", 0.7}, {"${three}", 3}, {"sqrt(4)", 2}};
  std::string body = "<parameter name=\"three\" value=\"3\"/>"
                     "<block name=\"cu\" type=\"sources/Constant\" value=\"1.3\"/>"
                     "<block name=\"cv\" type=\"sources/Constant\" value=\"0.7\"/>";
  std::vector<double> wanted;
  for (const auto& [base, x] : atoms)
    for (const auto& [middle, y] : atoms)
      for (const auto& [top, z] : atoms) {
        const std::string name = "f" + std::to_string(wanted.size());
        body += "<block name=\"" + name + "\" type=\"math/Function\" expression=\"0*u + 0*v - 2*" + base + "^" +
                middle + "^" + top + "\"/>" + wire("cu.y", name + ".u") + wire("cv.y", name + ".v");
        wanted.push_back(-2 * std::pow(x, std::pow(y, z)));
      }
  const Trial trial = sound_trial(body);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(trial["f" + std::to_string(i) + ".y"].at(1), wanted[i], 1e-13 * std::abs(wanted[i]))
        << atoms[i / 49].first << '^' << atoms[i / 7 % 7].first << '^' << atoms[i % 7].first;
}

TEST(Function, EvaluatesAnExpressionOfInputsAndTime) {
  const Trial trial = sound_trial("<block name=\"p\" type=\"sources/Noise\" deviation=\"1 2\"/><block name=\"q\" "
                                  "type=\"sources/Noise\" deviation=\"1 2\"/>"
                                  "<block name=\"f\" type=\"math/Function\" expression=\"u &lt; 0 ? -a*u : atan2(u, a) "
                                  "+ 2*pi*t^2 + max(u, a, 0.5)\"/>" +
                                  wire("p.y", "f.u") + wire("q.y", "f.a"));
  for (std::size_t k = 0; k < trial["f.y"].ticks(); ++k)
    for (std::size_t i = 0; i < 2; ++i) {
      const double u = trial["p.y"].at(k, i), a = trial["q.y"].at(k, i), t = 1e-3 * static_cast<double>(k);
      EXPECT_NEAR(trial["f.y"].at(k, i), u < 0 ? -a * u : std::atan2(u, a) + 2 * M_PI * t * t + std::max({u, a, 0.5}),
                  1e-13);
    }
}

TEST(Function, ThatCannotBeReadIsNamedWithThePlace) {
  const auto errors = [](const std::string& expression) {
    return run_trial(fed("math/Function", "expression=\"" + expression + "\"")).errors;
  };
  EXPECT_THAT(errors("2*u + q"), HasSubstr("inputs u, v, w, a, b, c that are wired"));
  EXPECT_THAT(errors("2*(u"), HasSubstr("cannot be read"));
  EXPECT_THAT(errors("u^^2"), HasSubstr("\"^"));
  EXPECT_THAT(errors("2*u@2"), HasSubstr("cannot be read at character 4: '@'"));
  EXPECT_THAT(errors("u, 2"), HasSubstr("several values"));
  EXPECT_THAT(errors("rnd(u)"), HasSubstr("cannot be read")) << "no source of chance outside the seeds";
}

} // namespace
} // namespace hilda::test
