// SPDX-License-Identifier: BSD-3-Clause
// hilda linearize: its files, its words, its exit codes.
#include "program.h"
#include "tests/project_folders.h"

#include <cmath>
#include <complex>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numbers>
#include <sstream>
#include <vector>

namespace hilda::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string diagrams = source_folder() + "/diagrams/";

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
  const Result done =
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

TEST(LinearizeCommand, WarnsWhereNothingLeadsFromOneSignalToTheOther) {
  const Workplace here;
  here.write("lag.xml", R"(<diagram format="1" name="lag" period="1 ms">
    <block name="push" type="sources/Step" after="1" sample_time="continuous"/>
    <block name="lag" type="continuous/TransferFunction" numerator="1" denominator="1 1"/>
    <connect from="push.y" to="lag.u"/>
  </diagram>)");
  EXPECT_THAT(here.hilda("linearize lag.xml --from lag.y --to push.y").err,
              HasSubstr("warning: nothing leads from lag.y to push.y: their response is zero"));
  EXPECT_EQ(here.hilda("linearize lag.xml --from push.y --to lag.y").err, "");
}

TEST(LinearizeCommand, WarnsAtTheEdgeOfAContact) {
  const Workplace here;
  const Result done = here.hilda("linearize '" + diagrams +
                                 "emulation_unconstrained.xml' --set 'start=0.05 m' --from emulator.disturbance.y --to "
                                 "emulator.wall.force --out model");
  EXPECT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.err, testing::AllOf(HasSubstr("warning: the state is at a kink"),
                                       HasSubstr(" per emulator.arm.angle"), HasSubstr("help: ")));
}

TEST(LinearizeCommand, RefusesWhatItCannotDo) {
  const Workplace here;
  const std::string start = "linearize '" + diagrams + "emulation_transmissivity.xml' ";
  const Result unknown = here.hilda(start + "--from lamda.y --to f.y");
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_THAT(unknown.err, testing::AllOf(HasSubstr("error[linearize-signal]"), HasSubstr("lambda.y")));
  EXPECT_EQ(here.hilda(start + "--from lambda.y").exit, 64);
  EXPECT_EQ(here.hilda(start + "--from lambda.y --to f.y --points 0").exit, 64);
  EXPECT_EQ(here.hilda(start + "--from lambda.y --to f.y --lowest 10 --highest 1").exit, 64);
}

/// A plant 1 / (s (s + 1) (s + 2)) under a gain, at the edge of stability with 6.
std::string third_order(const std::string& gain) {
  return R"(<diagram format="1" name="loop" period="1 ms">
  <block name="wanted" type="sources/Constant" value="1"/>
  <block name="error" type="math/Sum" signs="+-"/>
  <block name="gain" type="math/Gain" gain=")" +
         gain + R"("/>
  <block name="plant" type="continuous/TransferFunction" numerator="1" denominator="1 3 2 0"/>
  <connect from="wanted.y" to="error.u[0]"/>
  <connect from="plant.y" to="error.u[1]"/>
  <connect from="error.y" to="gain.u"/>
  <connect from="gain.y" to="plant.u"/>
</diagram>
)";
}

TEST(LinearizeCommand, OpensALoopForItsMargins) {
  const Workplace here;
  here.write("loop.xml", third_order("1.5"));
  const Result done =
      here.hilda("linearize loop.xml --loop gain.y --margins --bode b.svg --nyquist n.svg --poles p.svg");
  ASSERT_EQ(done.exit, 0) << done.err;
  EXPECT_THAT(done.out, testing::AllOf(HasSubstr("margins of the loop at gain.y, closed with -1: stable"),
                                       HasSubstr("gain     x 4 (+12.04 dB) at 1.4142 rad/s"),
                                       HasSubstr("phase    41.5"), HasSubstr("nearest"), HasSubstr("it integrates")));
  for (const char* picture : {"b.svg", "n.svg", "p.svg"})
    EXPECT_THAT(here.read(picture), HasSubstr("</svg>")) << picture;
  EXPECT_THAT(here.read("b.svg"), testing::AllOf(HasSubstr("Magnitude [dB]"), HasSubstr("gain margin")));
  EXPECT_THAT(here.read("n.svg"), HasSubstr("unit circle"));
  EXPECT_THAT(here.read("out/loop_margins.csv"),
              testing::AllOf(StartsWith("channel,kind,frequency [rad/s],factor,angle [deg],delay [s]\n"),
                             HasSubstr("the loop at gain.y,stable")));
  here.write("loop.xml", third_order("7"));
  EXPECT_THAT(here.hilda("linearize loop.xml --loop gain.y --margins").out,
              HasSubstr("closed with -1: NOT STABLE, the pole "));
}

TEST(LinearizeCommand, TellsOfAStepThatGrowsOrSettles) {
  const Workplace here;
  here.write("loop.xml", third_order("1.5"));
  const std::string words = "linearize loop.xml --from wanted.y --to plant.y --discrete --step-response s.svg";
  const Result settles = here.hilda(words);
  ASSERT_EQ(settles.exit, 0) << settles.err;
  EXPECT_THAT(settles.out, testing::AllOf(HasSubstr("step response of wanted.y to plant.y: settles at 1, rise "),
                                          HasSubstr("_{A,B,C,D,poles,response,step}.csv")));
  EXPECT_THAT(here.read("out/loop_step.csv"), StartsWith("time [s],wanted.y to plant.y\n0,0\n"));
  here.write("loop.xml", third_order("7"));
  EXPECT_THAT(here.hilda(words).out, HasSubstr("step response of wanted.y to plant.y: does not settle: the pole "));
  EXPECT_THAT(here.hilda("linearize loop.xml --loop gain.y --step-response s.svg").out, HasSubstr(" integrates; at "));
}

TEST(LinearizeCommand, SaysWhereThereIsNoMargin) {
  const Workplace here;
  here.write("lag.xml", R"(<diagram format="1" name="lag" period="1 ms">
  <block name="u" type="sources/Constant" value="1" sample_time="continuous"/>
  <block name="lag" type="continuous/TransferFunction" numerator="0.5" denominator="1 1"/>
  <connect from="u.y" to="lag.u"/>
</diagram>)");
  const Result done = here.hilda("linearize lag.xml --from u.y --to lag.y --margins");
  EXPECT_THAT(done.out,
              testing::AllOf(HasSubstr("gain     no margin: the phase does not cross -180 degrees"),
                             HasSubstr("phase    no margin: |L| does not cross 0 dB, it stays below 1 from ")));
}

TEST(LinearizeCommand, DoesNotDependOnTheSolver) {
  const Workplace here;
  here.write("loop.xml", third_order("1.5"));
  const std::string words = "linearize loop.xml --from gain.y --to plant.y --discrete --for 0.5s --out ";
  ASSERT_EQ(here.hilda(words + "fixed").exit, 0);
  std::string varied = third_order("1.5");
  varied.replace(varied.find("period="), 0, "solver=\"dopri5\" ");
  here.write("loop.xml", varied);
  ASSERT_EQ(here.hilda(words + "varied").exit, 0);
  EXPECT_EQ(here.read("fixed_A.csv"), here.read("varied_A.csv"));
}

TEST(LinearizeCommand, TakesTheSignalsThatPlotTakes) {
  const Workplace here;
  const std::string start = "linearize '" + diagrams + "pida.xml' --for 10ms --out m ";
  const Result part = here.hilda(start + "--from rig.wrench.force.x --to satellites.service.pose.position");
  ASSERT_EQ(part.exit, 0) << part.err;
  EXPECT_THAT(here.read("m_C.csv"), HasSubstr("\nsatellites.service.pose.position.z,"));
  EXPECT_THAT(here.read("m_B.csv"), HasSubstr("wrench.force.x\n"));
  EXPECT_THAT(here.hilda(start + "--from rig.wrench.force.x --to 'satellites.service.pose.position.?'").out,
              HasSubstr(" 1 inputs, 3 outputs"));
  const Result slip = here.hilda(start + "--from rig.wrench.forse.x --to satellites.service.pose");
  EXPECT_EQ(slip.exit, 2);
  EXPECT_THAT(slip.err, testing::AllOf(HasSubstr("error[linearize-signal]"), HasSubstr("'rig.wrench.force'")));
  const Result wide = here.hilda(start + "--loop rig.wrench");
  EXPECT_EQ(wide.exit, 2);
  EXPECT_THAT(wide.err, HasSubstr("has 6 numbers, and a loop is opened at one"));
  for (const char* torn : {"rig.wrench.", "rig.wrench[", "rig.wrench[]", "rig.wrench.force..x", "[", "rig.wrench[99]"})
    EXPECT_EQ(here.hilda(start + "--from rig.wrench.force.x --to '" + torn + "'").exit, 2) << torn;
  EXPECT_EQ(here.hilda(start + "--from rig.wrench.force.x --loop rig.wrench.force.x").exit, 64);
}

TEST(LinearizeCommand, TheDelayOfALineThatIsFullIsExactAndOneThatFillsIsSaid) {
  const Workplace here;
  here.write("late.xml", R"(<diagram format="1" name="late" period="10 ms">
  <block name="u" type="sources/Constant" value="1"/>
  <block name="half" type="math/Gain" gain="0.5"/>
  <block name="late" type="continuous/TransportDelay" delay="100 ms"/>
  <connect from="u.y" to="half.u"/>
  <connect from="half.y" to="late.u"/>
</diagram>)");
  const std::string words = "linearize late.xml --from u.y --to late.y --margins --lowest 20 --highest 300 --points 2";
  EXPECT_THAT(here.hilda(words).err,
              testing::AllOf(HasSubstr("warning: the next tick changes late.count, which the model holds"),
                             HasSubstr("help: linearise later")));
  const Result full = here.hilda(words + " --for 1s");
  EXPECT_EQ(full.err, "");
  EXPECT_THAT(full.out, HasSubstr("x 2 (+6.02 dB) at 31.416 rad/s"));
  const auto response = numbers(here.read("out/late_response.csv"));
  ASSERT_EQ(response.size(), 2u);
  EXPECT_NEAR(response[0][2], -20 * 0.1 * 180 / std::numbers::pi, 1e-7); // a delay's phase
}

TEST(LinearizeCommand, ABlockAtItsLimitIsTold) {
  const Workplace here;
  const auto loop = [](const std::string& most) {
    return R"(<diagram format="1" name="loop" period="1 ms">
  <block name="ref" type="sources/Constant" value="1"/>
  <block name="pid" type="continuous/Pid" kp="3" lower="-)" +
           most + R"(" upper=")" + most + R"("/>
  <block name="plant" type="continuous/TransferFunction" numerator="2" denominator="0.4 1"/>
  <connect from="ref.y" to="pid.setpoint"/>
  <connect from="plant.y" to="pid.measured"/>
  <connect from="pid.command" to="plant.u"/>
</diagram>)";
  };
  here.write("tight.xml", loop("0.1"));
  here.write("wide.xml", loop("100"));
  EXPECT_THAT(here.hilda("linearize tight.xml --loop pid.command --margins --for 0.5s").err,
              testing::AllOf(HasSubstr("warning: at its limit"), HasSubstr("'pid.command' at upper = 0.1")));
  EXPECT_EQ(here.hilda("linearize wide.xml --loop pid.command --margins --for 0.5s").err, "");
}

TEST(LinearizeCommand, ALoopThatALimitHoldsOpenHasNoMarginsInTableAndPicture) {
  const Workplace here;
  const std::string words = "linearize '" + source_folder() +
                            "/examples/models/servo_pid.xml' --loop pid.command --margins --bode loop.svg --out m";
  const Result done = here.hilda(words);
  EXPECT_THAT(done.err, HasSubstr("warning: at its limit"));
  EXPECT_THAT(done.out,
              testing::AllOf(HasSubstr("margins of the loop at pid.command: NOT KNOWN, 'pid.command' at upper"),
                             testing::Not(HasSubstr("stable\n"))));
  EXPECT_THAT(here.read("m_margins.csv"), HasSubstr("not known: "));
  EXPECT_THAT(here.read("loop.svg"), HasSubstr("NO ANSWER"));
  const Result free = here.hilda(words + " --for 3s");
  EXPECT_EQ(free.err, "");
  EXPECT_THAT(free.out, testing::AllOf(HasSubstr("closed with -1: stable"), HasSubstr("phase    75.12 deg")));
  EXPECT_THAT(here.read("loop.svg"), testing::Not(HasSubstr("NO ANSWER")));
}

TEST(LinearizeCommand, AJumpIsToldInWords) {
  const Workplace here;
  here.write("sign.xml", R"(<diagram format="1" name="sign" period="1 ms">
  <block name="u" type="sources/Constant" value="0" sample_time="continuous"/>
  <block name="sign" type="math/Sign"/>
  <block name="x" type="continuous/Integrator"/>
  <connect from="u.y" to="sign.u"/> <connect from="sign.y" to="x.u"/>
</diagram>)");
  const Result done = here.hilda("linearize sign.xml --from u.y --to x.y");
  EXPECT_THAT(done.err, testing::AllOf(HasSubstr("warning: the state is at a jump"), HasSubstr("x.x per u.y"),
                                       HasSubstr("help: ")));
  EXPECT_THAT(done.out, HasSubstr("A, B, C, D not determined, at a jump"));
}

TEST(LinearizeCommand, ASlopeWithoutABoundIsToldInWords) {
  const Workplace here;
  here.write("orifice.xml", R"xml(<diagram format="1" name="orifice" period="1 ms">
  <block name="u" type="sources/Constant" value="0" sample_time="continuous"/>
  <block name="flow" type="math/Function" expression="sign(u) * sqrt(abs(u))"/>
  <block name="x" type="continuous/Integrator"/>
  <connect from="u.y" to="flow.u"/> <connect from="flow.y" to="x.u"/>
</diagram>)xml");
  const Result done = here.hilda("linearize orifice.xml --from u.y --to x.y");
  EXPECT_THAT(done.err,
              testing::AllOf(HasSubstr("warning: the slope of 1 entries grows as the step shrinks, first x.x per u.y;"),
                             HasSubstr("help: linearise away from the root")));
  EXPECT_THAT(done.out, HasSubstr("A, B, C, D not determined, where a slope has no bound"));
}

TEST(LinearizeCommand, ThePhaseOfTheTableHasNoJumps) {
  const Workplace here;
  here.write("late.xml", R"(<diagram format="1" name="late" period="10 ms">
  <block name="u" type="sources/Constant" value="1"/>
  <block name="late" type="discrete/Delay" samples="50"/>
  <connect from="u.y" to="late.u"/>
</diagram>)");
  ASSERT_EQ(here.hilda("linearize late.xml --from u.y --to late.y --lowest 1 --highest 300 --points 3").exit, 0);
  for (const std::vector<double>& row : numbers(here.read("out/late_response.csv")))
    EXPECT_NEAR(row[2], -row[0] * 0.5 * 180 / std::numbers::pi, 1e-6);
}

TEST(LinearizeCommand, ADiscretePoleAtZeroHasADamping) {
  const Workplace here;
  here.write("late.xml", R"(<diagram format="1" name="late" period="10 ms">
  <block name="u" type="sources/Constant" value="1"/>
  <block name="late" type="discrete/UnitDelay"/>
  <connect from="u.y" to="late.u"/>
</diagram>)");
  const Result done = here.hilda("linearize late.xml --from u.y --to late.y --for 1s");
  EXPECT_THAT(done.out, testing::AllOf(HasSubstr("rad/s, damping 1.0000"), testing::Not(HasSubstr("damping -nan"))));
}

} // namespace
} // namespace hilda::test
