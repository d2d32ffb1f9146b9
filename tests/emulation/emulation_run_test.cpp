// SPDX-License-Identifier: BSD-3-Clause
// Both schemes of Aghili's emulation in time: against the target itself, and what an actuator's lag does.

#include "tests/diagrams/diagram_run.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

using testing::HasSubstr;

DiagramRun run(const std::string& diagram, const std::vector<std::string>& settings, double duration) {
  DiagramRun r = run_diagram({diagram, settings, {}, duration});
  EXPECT_EQ(r.errors, "");
  EXPECT_EQ(r.ending.kind, Ending::Kind::none) << r.ending.text;
  return r;
}

TEST(IdealActuator, MakesTheEmulationTheTargetItself) {
  for (const char* diagram : {"emulation_constrained", "emulation_unconstrained"})
    for (const char* ratio : {"inertia_ratio=0.5", "inertia_ratio=1", "inertia_ratio=0.02"}) {
      const DiagramRun r = run(diagram, {"actuator_bandwidth=0", ratio}, 3.0);
      EXPECT_GT(r.figures.at("ideal_force.max"), 20.0);
      EXPECT_LT(r.figures.at("force_error.max"), 1e-8 * r.figures.at("ideal_force.max")) << diagram << " " << ratio;
      EXPECT_LT(r.figures.at("constraint_error_max"), 1e-9);
    }
}

TEST(IdealActuator, MakesTheTwoLinkEmulationTheTargetItself) {
  for (const char* scheme : {"scheme=constrained", "scheme=unconstrained"}) {
    const DiagramRun r = run("emulation_two_link", {"actuator_bandwidth=0", scheme}, 3.0);
    EXPECT_GT(r.figures.at("ideal_force.max"), 20.0);
    EXPECT_LT(r.figures.at("force_error.max"), 1e-8 * r.figures.at("ideal_force.max")) << scheme;
    EXPECT_NEAR(r.figures.at("contact.first_time"), 0.860, 0.001);
  }
}

TEST(TwoLink, SlidesAlongTheWallWithTheTargetsForce) {
  const DiagramRun r = run("emulation_two_link", {}, 5.0);
  EXPECT_NEAR(r.figures.at("final_force.x"), -39.73, 0.01);
  EXPECT_NEAR(r.figures.at("final_force.y"), -1.82, 0.01);
  EXPECT_LT(r.figures.at("inverse_kinematics_error_max"), 1e-9);
}

TEST(TwoLink, DoesNotStartWhereItIsSingularOrCannotBe) {
  const auto errors = [](const char* start) { return run_diagram({"emulation_two_link", {start}, {}, 0.1}).errors; };
  EXPECT_THAT(errors("start=2 0 m"), testing::AllOf(HasSubstr("initial_position"), HasSubstr("singular")));
  EXPECT_THAT(errors("start=3 0 m"), HasSubstr("out of the arm's reach"));
}

TEST(TwoLink, JointAnglesByTheTransposedJacobianComeLate) {
  const auto error = [](const char* gain) {
    return run("emulation_two_link", {"actuator_bandwidth=0", "inverse_kinematics=transpose", gain}, 2.0)
        .figures.at("inverse_kinematics_error_max");
  };
  const double weak = error("inverse_kinematics_gain=100"), strong = error("inverse_kinematics_gain=1000");
  EXPECT_GT(weak, 1e-3);
  EXPECT_LT(strong, weak / 5); // the theorem's ball shrinks with the gain
}

TEST(Actuator, WithABandwidthLeavesAnErrorButNotAtTheEnd) {
  for (const char* diagram : {"emulation_constrained", "emulation_unconstrained"}) {
    const DiagramRun r = run(diagram, {}, 10.0);
    EXPECT_NEAR(r.figures.at("contact.first_time"), 1.241, 0.001) << diagram;
    EXPECT_NEAR(r.figures.at("final_force.x"), -46.80, 0.02) << diagram;
    EXPECT_NEAR(r.figures.at("ideal_force.final.x"), -46.796, 0.001) << diagram;
    EXPECT_NEAR(r.figures.at("force_error.l1"), 1.61, 0.02) << diagram;
  }
}

TEST(Disturbance, LeavesAnErrorOfPlaceInTheUnconstrainedScheme) {
  // Eqs. 27 and 28 at rest: e = d / (l Mbar_r g_p) = 2 / (5 * 100).
  const DiagramRun r = run("emulation_unconstrained", {"actuator_bandwidth=0", "disturbance=2 N m/rad"}, 10.0);
  EXPECT_NEAR(r.figures.at("constraint_error_max"), 2.0 / (5 * 100), 1e-4);
}

TEST(InertiaRatio, BelowTheEdgeMakesTheContactBounce) {
  const DiagramRun r = run_diagram({"emulation_constrained", {"inertia_ratio=0.04"}, {}, 10.0});
  EXPECT_EQ(r.errors, "");
  EXPECT_GT(r.figures.at("force_error.max"), 60.0);
}

TEST(Arms, AreOfOneOrTwoLinksThatBodiesCouldBe) {
  const auto errors = [](const std::string& parameters) {
    return run_diagram({"<diagram format=\"1\" name=\"a\" period=\"1 ms\"><block name=\"f\" type=\"sources/Constant\" "
                        "value=\"0 N\" "
                        "sample_time=\"continuous\"/><block name=\"t\" type=\"sources/Constant\" value=\"0 N m/rad\" "
                        "sample_time=\"continuous\"/><block name=\"a\" type=\"emulation/RigidArm\" " +
                            parameters +
                            "/><connect from=\"f.y\" to=\"a.force\"/><connect from=\"t.y\" to=\"a.torque\"/></diagram>",
                        {},
                        {},
                        0.01})
        .errors;
  };
  const std::string sound = "length=\"1 m\" initial_position=\"0.1 m\" ";
  EXPECT_EQ(errors(sound + "inertia=\"5 kg m2\""), "");
  EXPECT_EQ(errors(sound + "inertia=\"5 kg m2\" mass=\"0 kg\" friction=\"0 N m s/rad\""), "");
  EXPECT_THAT(errors(sound + "inertia=\"0 kg m2\""), HasSubstr("is not above 0; every link has one"));
  EXPECT_THAT(errors(sound + "inertia=\"-1 kg m2\""), HasSubstr("is not above 0; every link has one"));
  EXPECT_THAT(errors(sound + "inertia=\"5 kg m2\" mass=\"-1e-9 kg\""), HasSubstr("mass: is below 0"));
  EXPECT_THAT(errors("length=\"0 m\" initial_position=\"0.1 m\" inertia=\"5 kg m2\""), HasSubstr("longer than 0"));
  EXPECT_THAT(errors("length=\"1 1 1 m\" initial_position=\"1 1 1 m\" inertia=\"5 kg m2\""), HasSubstr("has 3 links"));
  EXPECT_THAT(errors(sound + "inertia=\"5 5 kg m2\""), HasSubstr("inertia: has 2 values"));
}

/// The feedback of section 2.1: the multiplier needs the arm's acceleration, and that the torque.
constexpr const char* with_force_feedback = R"(<diagram format="1" name="feedback" period="0.2 ms">
  <block name="zero" type="sources/Constant" value="0 m" sample_time="continuous"/>
  <block name="still" type="sources/Constant" value="0 m/s" sample_time="continuous"/>
  <block name="none" type="sources/Constant" value="0 N" sample_time="continuous"/>
  <block name="free" type="sources/Constant" value="0 m/s2" sample_time="continuous"/>
  <block name="mobility" type="sources/Constant" value="0.1 1/kg" sample_time="continuous"/>
  <block name="arm" type="emulation/RigidArm" length="1 m" inertia="5 kg m2" initial_position="0.01 m"/>
  <block name="model" type="emulation/RigidArmModel" length="1 m" inertia="5 kg m2" sample_time="continuous"/>
  <block name="control" type="emulation/EmulationControl" sample_time="continuous"/>
  <block name="actuator" type="emulation/Actuator" bandwidth="0 rad/s"/>
  <block name="constraint" type="emulation/ConstraintForce" sample_time="continuous"/>
  <connect from="arm.q" to="model.q"/> <connect from="arm.qd" to="model.qd"/>
  <connect from="none.y" to="control.force"/> <connect from="none.y" to="arm.force"/>
  <connect from="arm.x" to="control.x_r"/> <connect from="arm.xd" to="control.xd_r"/>
  <connect from="zero.y" to="control.x"/> <connect from="still.y" to="control.xd"/>
  <connect from="free.y" to="control.free_acceleration"/> <connect from="mobility.y" to="control.mobility"/>
  <connect from="model.jacobian" to="control.jacobian"/> <connect from="model.inertia" to="control.inertia"/>
  <connect from="model.load" to="control.load"/> <connect from="model.drift" to="control.drift"/>
  <connect from="control.torque" to="actuator.command"/> <connect from="actuator.torque" to="arm.torque"/>
  <connect from="arm.acceleration" to="constraint.acceleration"/> <connect from="model.jacobian" to="constraint.jacobian"/>
  <connect from="model.drift" to="constraint.drift"/> <connect from="free.y" to="constraint.free_acceleration"/>
  <connect from="mobility.y" to="constraint.mobility"/> <connect from="constraint.lambda" to="control.lambda"/>
</diagram>)";

TEST(ForceErrorFeedback, IsAnAlgebraicLoopAndTheEngineSaysSo) {
  const DiagramRun r = run_diagram({with_force_feedback, {}, {}, 0.1});
  EXPECT_THAT(r.errors, testing::AllOf(HasSubstr("algebraic-loop"), HasSubstr("constraint.lambda"),
                                       HasSubstr("actuator.torque"), HasSubstr("arm.acceleration")));
}

} // namespace
} // namespace hilda::test
