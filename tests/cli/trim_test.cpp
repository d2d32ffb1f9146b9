// SPDX-License-Identifier: BSD-3-Clause
// hilda trim: an operating point, as an overlay with which the run stays at rest.
#include "program.h"
#include "tests/project_folders.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <utility>

namespace hilda::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A pendulum of 2 kg and 0.5 m, held by a torque.
constexpr const char* pendulum = R"xml(<diagram format="1" name="pendulum" period="1 ms">
  <parameter name="duration" value="2 s"/>
  <block name="torque" type="sources/Constant" value="1 N m"/>
  <block name="weight" type="math/Function" expression="2*9.81*0.5*sin(u)"/>
  <block name="sum" type="math/Sum" signs="+-"/>
  <block name="turning" type="math/Gain" gain="2 rad/(kg m2)"/>
  <block name="rate" type="continuous/Integrator" initial="1 rad/s"/>
  <block name="angle" type="continuous/Integrator" initial="0.3 rad"/>
  <connect from="torque.y" to="sum.u[0]"/>
  <connect from="weight.y" to="sum.u[1]"/>
  <connect from="sum.y" to="turning.u"/>
  <connect from="turning.y" to="rate.u"/>
  <connect from="rate.y" to="angle.u"/>
  <connect from="angle.y" to="weight.u"/>
</diagram>
)xml";

/// A tank with a valve: dh/dt = 0.2 valve - 0.1 sqrt(h), m.
constexpr const char* tank = R"xml(<diagram format="1" name="tank" period="10 ms">
  <parameter name="duration" value="5 s"/>
  <parameter name="start" value="1.2 m"/>
  <block name="valve" type="sources/Constant" value="0.1"/>
  <block name="flow" type="math/Function" expression="0.2*u - 0.1*sqrt(v)"/>
  <block name="level" type="continuous/Integrator" initial="${start}"/>
  <block name="late" type="discrete/Delay" delay="50 ms"/>
  <block name="figures" type="sinks/Record"/>
  <connect from="valve.y" to="flow.u"/>
  <connect from="level.y" to="flow.v"/>
  <connect from="flow.y" to="level.u"/>
  <connect from="level.y" to="late.u"/>
  <connect from="late.y" to="figures.u"/>
</diagram>
)xml";

/// The least and greatest value of a signal over a run with the overlay.
std::pair<double, double> range(const Workplace& here, const std::string& diagram, const std::string& overlay,
                                const std::string& signal) {
  const Result ran = here.hilda("run '" + diagram + "' --overlay " + overlay + " --quiet --log run.mcap");
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(here.hilda("export run.mcap " + signal + " --csv -o run.csv").exit, 0);
  std::istringstream lines(here.read("run.csv"));
  std::string line;
  std::getline(lines, line);
  std::pair<double, double> found{INFINITY, -INFINITY};
  while (std::getline(lines, line)) {
    const double value = std::stod(line.substr(line.find(',') + 1));
    found = {std::min(found.first, value), std::max(found.second, value)};
  }
  return found;
}

TEST(TrimCommand, HoldsAPendulumAtAnAngle) {
  const Workplace here;
  here.write("p.xml", pendulum);
  const Result done = here.hilda("trim p.xml --vary torque.value --vary rate.initial --vary angle.initial --want "
                                 "'angle.y=0.5 rad' -o rest.xml");
  ASSERT_EQ(done.exit, 0) << done.out << done.err;
  EXPECT_THAT(done.out,
              AllOf(HasSubstr("at rest after "), HasSubstr("torque.value = 4.70316"), HasSubstr("written  rest.xml")));
  EXPECT_NEAR(range(here, "p.xml", "rest.xml", "angle.y").first, 0.5, 1e-9);
  EXPECT_NEAR(range(here, "p.xml", "rest.xml", "angle.y").second, 0.5, 1e-9);
}

TEST(TrimCommand, HoldsACartWithAPoleUpright) {
  const Workplace here;
  const std::string file = source_folder() + "/examples/models/cart_pole.xml";
  const Result done = here.hilda("trim '" + file + "' -o rest.xml"); // all initial values
  ASSERT_EQ(done.exit, 0) << done.out << done.err;
  EXPECT_THAT(here.read("rest.xml"), HasSubstr("angle.initial"));
  EXPECT_NEAR(range(here, file, "rest.xml", "angle.y").second, 0, 1e-8);
}

TEST(TrimCommand, OpensAValveForALevelWithinItsLimits) {
  const Workplace here;
  here.write("t.xml", tank);
  const std::string words = "trim t.xml --vary start --vary late.initial --want 'level.y=0.64 m' -o rest.xml --vary ";
  const Result done = here.hilda(words + "'valve.value=0..1'");
  ASSERT_EQ(done.exit, 0) << done.out << done.err;
  const std::size_t found = done.out.find("valve.value = ");
  ASSERT_NE(found, std::string::npos) << done.out;
  EXPECT_NEAR(std::stod(done.out.substr(found + 14)), 0.4, 1e-9); // 0.2 * 0.4 = 0.1 * 0.8
  EXPECT_NEAR(range(here, "t.xml", "rest.xml", "level.y").first, 0.64, 1e-9);
  EXPECT_NEAR(range(here, "t.xml", "rest.xml", "late.y").second, 0.64, 1e-9);
  const Result shut = here.hilda(words + "'valve.value=0..0.3' -o other.xml");
  EXPECT_EQ(shut.exit, 64); // -o twice
  const Result narrow = here.hilda("trim t.xml --vary start --vary late.initial --want 'level.y=0.64 m' -o other.xml "
                                   "--vary valve.value=0..0.3");
  EXPECT_EQ(narrow.exit, 3);
  EXPECT_THAT(narrow.err, AllOf(HasSubstr("no state at rest was found"), HasSubstr("help: vary more")));
  EXPECT_THAT(narrow.out, HasSubstr("is off by"));
  EXPECT_FALSE(here.has("other.xml"));
  EXPECT_EQ(here.hilda("trim t.xml --vary late.initial -o other.xml --moving 'level*'").exit, 0);
}

std::string diagram(const std::string& period, const std::string& inside) {
  return "<diagram format=\"1\" name=\"d\" period=\"" + period + "\"><parameter name=\"duration\" value=\"5 s\"/>" +
         inside + "</diagram>\n";
}

TEST(TrimCommand, ABlockThatStepsWhereItPutsOutStandsStillToo) {
  const Workplace here;
  here.write("d.xml", diagram("10 ms", R"(<block name="wanted" type="sources/Constant" value="1"/>
  <block name="pid" type="discrete/Pid" kp="2" ki="1 1/s"/>
  <block name="plant" type="continuous/StateSpace" A="-2" B="3" C="1" D="0"/>
  <connect from="wanted.y" to="pid.setpoint"/> <connect from="plant.y" to="pid.measured"/>
  <connect from="pid.command" to="plant.u"/>)"));
  const Result done = here.hilda("trim d.xml -o rest.xml");
  ASSERT_EQ(done.exit, 0) << done.out << done.err;
  EXPECT_THAT(done.out, HasSubstr("pid.initial = 0.66666"));
  const auto [least, greatest] = range(here, "d.xml", "rest.xml", "plant.y");
  EXPECT_NEAR(least, 1, 1e-8);
  EXPECT_NEAR(greatest, 1, 1e-8);
  here.write("d.xml", diagram("10 ms", R"(<block name="u" type="sources/Constant" value="1"/>
  <block name="filter" type="discrete/DiscreteTransferFunction" numerator="1" denominator="1 -0.5"/>
  <block name="x" type="continuous/StateSpace" A="-1" B="1" C="1" D="0"/>
  <connect from="u.y" to="filter.u"/> <connect from="filter.y" to="x.u"/>)"));
  EXPECT_EQ(here.hilda("trim d.xml -o other.xml").exit, 3); // it begins with nothing in it, whatever is varied
}

TEST(TrimCommand, WhatNobodyReadsStandsStillAsFarAsItIsSeen) {
  const Workplace here;
  here.write("d.xml", diagram("10 ms", R"(<block name="u" type="sources/Constant" value="1"/>
  <block name="sum" type="discrete/DiscreteIntegrator" initial="0"/>
  <block name="figures" type="sinks/Record"/>
  <connect from="u.y" to="sum.u"/> <connect from="u.y" to="figures.u"/>)"));
  const Result moves = here.hilda("trim d.xml -o rest.xml");
  EXPECT_EQ(moves.exit, 3);
  EXPECT_THAT(moves.out, HasSubstr("sum.y  is off by 1 per s"));
  EXPECT_EQ(here.hilda("trim d.xml -o rest.xml --moving sum.y").exit, 0);
}

TEST(TrimCommand, WhatIsFarAwayIsNotAtRestForThat) {
  const Workplace here;
  here.write("t.xml", diagram("10 ms", R"xml(<block name="valve" type="sources/Constant" value="0.1"/>
  <block name="flow" type="math/Function" expression="0.2*u - 0.1*sqrt(v)"/>
  <block name="level" type="continuous/Integrator" initial="1.2 m"/>
  <connect from="valve.y" to="flow.u"/> <connect from="level.y" to="flow.v"/> <connect from="flow.y" to="level.u"/>)xml"));
  for (const char* words : {"", " --vary level.initial", " --vary level.initial=0..10m"}) {
    const Result done = here.hilda(std::string("trim t.xml -o rest.xml") + words);
    ASSERT_EQ(done.exit, 0) << words << done.out << done.err;
    EXPECT_NEAR(std::stod(done.out.substr(done.out.find("initial = ") + 10)), 0.04, 1e-8) << words;
    std::filesystem::remove(here / "rest.xml");
  }
  here.write("c.xml", diagram("1 ms", R"(<block name="f" type="math/Function" expression="1 - u^3"/>
  <block name="x" type="continuous/Integrator" initial="50"/>
  <connect from="x.y" to="f.u"/> <connect from="f.y" to="x.u"/>)"));
  const Result cubic = here.hilda("trim c.xml -o cubic.xml"); // RK4's step has other fixed points out there
  ASSERT_EQ(cubic.exit, 0) << cubic.out << cubic.err;
  EXPECT_NEAR(std::stod(cubic.out.substr(cubic.out.find("initial = ") + 10)), 1, 1e-8);
}

TEST(TrimCommand, SaysWhatIsWrong) {
  const Workplace here;
  here.write("t.xml", tank);
  const auto said = [&](const std::string& words) { return here.hilda("trim t.xml " + words).err; };
  EXPECT_THAT(said("--vary level.inital"), AllOf(HasSubstr("error[trim-parameter]"), HasSubstr("'level.initial'")));
  EXPECT_THAT(said("--vary flow.expression"), HasSubstr("is not a real number"));
  EXPECT_THAT(said("--vary start=1..2N"), HasSubstr("must be between"));
  EXPECT_THAT(said("--vary start=2..1"), HasSubstr("give the lower limit first"));
  EXPECT_THAT(said("--vary start --vary start"), HasSubstr("is varied twice"));
  EXPECT_THAT(said("--vary start --want 'levl.y=1 m'"), AllOf(HasSubstr("error[trim-signal]"), HasSubstr("'level.y'")));
  EXPECT_THAT(said("--vary start --want 'level.y=1 N'"), AllOf(HasSubstr("error[trim-value]"), HasSubstr("N")));
  EXPECT_THAT(said("--vary start --want 'level.y=high'"), HasSubstr("that is not a number"));
  EXPECT_THAT(said("--moving levl.x"), AllOf(HasSubstr("error[trim-moving]"), HasSubstr("'level.x'")));
  EXPECT_THAT(said("--vary start --set start=-1m"), HasSubstr("error[trim-start]"));
  EXPECT_EQ(here.hilda("trim t.xml --vary start=3").exit, 64);
  EXPECT_EQ(here.hilda("trim t.xml --want level.y").exit, 64);
}

} // namespace
} // namespace hilda::test
