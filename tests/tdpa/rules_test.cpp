// SPDX-License-Identifier: BSD-3-Clause
// What must hold at every step, over all diagrams and away from their defaults; and that each rule can fail.

#include "tests/tdpa/rules.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

const std::string full_inertia = "inertia=18 2.5 -1.5; 2.5 20 3; -1.5 3 22 kg m2";

struct RuleCase {
  std::string name, diagram;
  std::vector<std::string> settings;
};
void PrintTo(const RuleCase& given, std::ostream* to) { *to << given.name; }

class EveryStep : public ::testing::TestWithParam<RuleCase> {};

TEST_P(EveryStep, RulesHoldToRounding) {
  const TdpaRun run =
      run_tdpa({.diagram = GetParam().diagram, .settings = GetParam().settings, .replaced = {}, .rig = {}});
  ASSERT_EQ(run.errors, "");
  EXPECT_EQ(text(broken_rules(run)), "");
}

INSTANTIATE_TEST_SUITE_P(
    AllDiagrams, EveryStep,
    ::testing::Values(
        RuleCase{"uncompensated", "tdpa_uncompensated", {}}, RuleCase{"tdpa", "tdpa", {}},
        RuleCase{"full", "tdpa_full", {}}, RuleCase{"docking", "tdpa_docking", {}},
        RuleCase{"drift", "integrator_drift", {}}, RuleCase{"passive_integrator", "passive_integrator", {}},
        RuleCase{"passive_integrator_negative", "passive_integrator", {"sign=-1", full_inertia}},
        RuleCase{"full_negative", "tdpa_full", {"sign=-1"}}, RuleCase{"full_inertia", "tdpa_full", {full_inertia}},
        RuleCase{"full_inertia_port_negative", "tdpa_full", {full_inertia, "grouping=port", "sign=-1"}},
        RuleCase{"no_delay", "tdpa_full", {"response_delay=0 s"}},
        RuleCase{"forward", "tdpa_full", {"pose_rule=forward"}},
        RuleCase{"noise", "tdpa_full", {"force_noise=0.05 N", "seed=7"}},
        RuleCase{"noise_port", "tdpa_full", {"force_noise=0.05 N", "grouping=port"}},
        RuleCase{"damped", "tdpa_full", {"damping=15 N s/m", "rotational_damping=1 N m s/rad"}},
        RuleCase{"initial_energy", "tdpa_full", {"controller.initial_energy=0.01 0.01 0.01 0.01 0.01 0.01 J"}},
        RuleCase{"docking_axis", "tdpa_docking", {"grouping=axis"}},
        RuleCase{"docking_negative", "tdpa_docking", {"sign=-1"}},
        RuleCase{"docking_friction",
                 "tdpa_docking",
                 {"friction=0.3", "damping=30 N s/m", "inertia=116 15 0; 15 160 0; 0 0 160 kg m2"}},
        RuleCase{"coarse",
                 "tdpa",
                 {"period=4 ms", "response_delay=12 ms", full_inertia, "velocity=0.3 0.45 0.6 m/s",
                  "angular_velocity=0.03 0.06 0.09 rad/s"}}),
    [](const auto& given) { return given.param.name; });

TEST(EveryStep, NoiseOfTheSensorIsItsOwn) {
  const TdpaRun run = run_tdpa({.diagram = "tdpa_full", .settings = {"force_noise=0.05 N"}, .replaced = {}, .rig = {}});
  ASSERT_EQ(run.errors, "");
  double square = 0.0, torque = 0.0;
  for (const TdpaRun::Row& row : run.rows) {
    square += (row.measured - row.wall).head<3>().squaredNorm();
    torque += (row.measured - row.wall).tail<3>().norm();
  }
  EXPECT_NEAR(std::sqrt(square / (3.0 * static_cast<double>(run.rows.size()))), 0.05, 0.002);
  EXPECT_EQ(torque, 0.0);
}

struct Mutation {
  std::string name, rule;
  std::vector<std::pair<std::string, std::string>> replaced;
  std::vector<std::string> settings = {full_inertia};
};
void PrintTo(const Mutation& given, std::ostream* to) { *to << given.name; }

/// One mistake each; the same check that every diagram passes must name the rule that it breaks.
class Mutant : public ::testing::TestWithParam<Mutation> {};

TEST_P(Mutant, BreaksItsRule) {
  const Mutation& given = GetParam();
  const TdpaRun right = run_tdpa({.diagram = "tdpa_full", .settings = given.settings, .replaced = {}, .rig = {}});
  ASSERT_EQ(right.errors, "");
  ASSERT_EQ(text(broken_rules(right)), "");
  const TdpaRun wrong =
      run_tdpa({.diagram = "tdpa_full", .settings = given.settings, .replaced = given.replaced, .rig = {}});
  ASSERT_EQ(wrong.errors, "");
  const std::vector<Broken> broken = broken_rules(wrong);
  EXPECT_TRUE(breaks(broken, given.rule)) << "broken: " << text(broken);
}

std::pair<std::string, std::string> wire(const std::string& from, const std::string& to, const std::string& instead) {
  const auto connect = [&](const std::string& source) { return "from=\"" + source + "\" to=\"" + to + "\""; };
  return {connect(from), connect(instead)};
}
std::pair<std::string, std::string> controller(const std::string& fault) {
  return {"type=\"passivity/PassivityController\"", "type=\"mutants/FaultyController\" fault=\"" + fault + "\""};
}
std::pair<std::string, std::string> integrator(const std::string& fault) {
  return {"type=\"passivity/PassiveIntegrator\"", "type=\"mutants/FaultyIntegrator\" fault=\"" + fault + "\""};
}
std::pair<std::string, std::string> body(const std::string& fault) {
  return {"type=\"dynamics/RigidBody\" integrator=\"euler\"", "type=\"mutants/FaultyBody\" fault=\"" + fault + "\""};
}

INSTANTIATE_TEST_SUITE_P(
    OneMistakeEach, Mutant,
    ::testing::Values(
        Mutation{"controller_wired_out", "passive", {wire("controller.controlled", "body.wrench", "rig.wrench")}},
        Mutation{
            "controller_wired_out_by_account", "account", {wire("controller.controlled", "body.wrench", "rig.wrench")}},
        Mutation{"observer_clamped", "passive", {controller("clamped")}},
        Mutation{"observer_clamped_by_account", "account", {controller("clamped")}},
        Mutation{"observer_flipped", "dissipation", {controller("flipped")}},
        Mutation{"observer_flipped_by_account", "account", {controller("flipped")}},
        Mutation{"controller_guards_small_speeds", "passive", {controller("guarded")}},
        Mutation{"controller_one_tick_late", "passive", {controller("tick_late")}},
        Mutation{
            "controller_sees_the_body", "account", {wire("integrator.corrected", "controller.twist", "body.twist")}},
        Mutation{
            "integrator_wired_out", "half_step", {wire("integrator.corrected", "rig.command.twist", "body.twist")}},
        Mutation{"integrator_sees_the_sensor",
                 "translation",
                 {wire("controller.controlled", "integrator.wrench", "rig.wrench")}},
        Mutation{"integrator_without_cross_term", "rotation", {integrator("no_cross_term")}},
        Mutation{"integrator_divides_by_this_force", "half_step", {integrator("this_force")}},
        Mutation{"integrator_as_printed_in_eq_32", "half_turn", {integrator("printed_row")}},
        Mutation{"integrator_forgets_an_axis", "half_step", {integrator("forgets_y")}},
        Mutation{"body_without_gyroscopic_torque", "rotation", {body("no_gyro")}},
        Mutation{"body_with_gyroscopic_torque_flipped", "rotation", {body("gyro_flipped")}},
        Mutation{"body_heavier_than_said", "momentum", {body("heavy")}},
        Mutation{"body_integrates_twice_per_tick", "translation", {body("midpoint")}}),
    [](const auto& given) { return given.param.name; });

} // namespace
} // namespace hilda::test
