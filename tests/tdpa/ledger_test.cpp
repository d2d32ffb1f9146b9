// SPDX-License-Identifier: BSD-3-Clause
// Energy as something one can look at: the account of the power ports against sums taken by hand from the signals.

#include "tests/project_folders.h"
#include "tests/tdpa/tdpa_run.h"

#include <gtest/gtest.h>

namespace hilda::test {
namespace {

/// The account of a run after its last tick.
struct Account {
  std::map<std::string, Ledger::Port> ports;
  std::map<std::string, Ledger::Element> elements;
  double worst_residual = 0;
  std::string text;
};

Account account_of(const std::string& diagram, const std::vector<std::string>& settings, TdpaRun& run,
                   const std::string& rig = {}) {
  Account account;
  run = run_tdpa({.diagram = diagram, .settings = settings, .replaced = {}, .rig = rig}, [&](const Runtime& runtime) {
    account.worst_residual = std::max(account.worst_residual, std::abs(runtime.ledger().residual()));
    account.text = account_text(runtime.ledger());
    for (const Ledger::Port& port : runtime.ledger().ports()) account.ports[port.name] = port;
    for (const Ledger::Element& element : runtime.ledger().elements()) account.elements[element.path] = element;
  });
  EXPECT_EQ(run.errors, "");
  return account;
}

struct LedgerCase {
  std::string name, diagram;
  std::vector<std::string> settings;
};
void PrintTo(const LedgerCase& given, std::ostream* to) { *to << given.name; }

class EnergyLedger : public ::testing::TestWithParam<LedgerCase> {};

TEST_P(EnergyLedger, IsTheSumOfWhatWasSent) {
  TdpaRun run;
  const Account account = account_of(GetParam().diagram, GetParam().settings, run);
  double contact = 0, measured = 0, controlled = 0, satellite = 0, made = 0, scale = 0;
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    const TdpaRun::Row& row = run.rows[k];
    contact += run.period * row.wall.dot(row.robot);
    measured += run.period * row.measured.dot(row.commanded);
    controlled += run.period * row.applied.dot(row.commanded);
    if (k > 0) satellite += run.period * run.rows[k - 1].applied.dot(run.rows[k - 1].body);
    made += row.made_translation.sum() + row.made_rotation;
    scale += run.period * row.measured.cwiseProduct(row.commanded).cwiseAbs().sum();
  }
  const double off = 1e-11 * scale;
  EXPECT_NEAR(account.ports.at("contact").energy, contact, off);
  EXPECT_NEAR(account.ports.at("measured").energy, measured, off);
  EXPECT_NEAR(account.ports.at("controlled").energy, controlled, off);
  EXPECT_NEAR(account.ports.at("satellite").energy, satellite, off);
  EXPECT_NEAR(account.elements.at("body").made(), made, off) << "the integration makes dH and nothing else";
  EXPECT_NEAR(account.elements.at("controller").made(), controlled - measured, off);
  EXPECT_NEAR(account.elements.at("body").stored, run.kinetic(run.last().body), off);
  EXPECT_LE(account.worst_residual, 1e-13 * scale) << "of the account";
  EXPECT_LE(account.elements.at("controller").made(), off) << "a controller only dissipates";
}

INSTANTIATE_TEST_SUITE_P(Diagrams, EnergyLedger,
                         ::testing::Values(LedgerCase{"uncompensated", "tdpa_uncompensated", {}},
                                           LedgerCase{"tdpa", "tdpa", {}}, LedgerCase{"full", "tdpa_full", {}},
                                           LedgerCase{"negative", "tdpa_full", {"sign=-1"}},
                                           LedgerCase{"noise", "tdpa_full", {"force_noise=0.05 N"}},
                                           LedgerCase{"damped", "tdpa", {"damping=10 N s/m"}},
                                           LedgerCase{"docking", "tdpa_docking", {}},
                                           LedgerCase{"docking_axis", "tdpa_docking", {"grouping=axis"}}),
                         [](const auto& given) { return given.param.name; });

TEST(EnergyLedger, SaysWhereTheEnergyCameFrom) {
  TdpaRun run;
  const Account account = account_of("tdpa_uncompensated", {}, run);
  EXPECT_NEAR(account.elements.at("rig.robot").made(), 5.56894, 1e-4) << "the delay";
  EXPECT_NEAR(account.elements.at("rig.room").made(), -0.27811, 1e-4);
  EXPECT_NEAR(account.elements.at("body").made(), 0.27866, 1e-4);
  EXPECT_EQ(account.elements.at("controller").made(), 0.0) << "it only observes";
  EXPECT_EQ(account.text, "rig.robot made 5.569 J; body made 0.2787 J; rig.room dissipated 0.2781 J");
}

TEST(EnergyLedger, WithoutDelayTheRobotMakesNothing) {
  TdpaRun run;
  const Account account =
      account_of("tdpa_full", {"response_delay=0 s", "controller=off", "passive_integrator=off"}, run);
  EXPECT_EQ(account.elements.at("rig.robot").made(), 0.0);
  EXPECT_EQ(account.elements.at("rig").made(), 0.0) << "the sensor";
}

TEST(EnergyLedger, ADampedWallDissipates) {
  TdpaRun run;
  const Account account = account_of("tdpa_uncompensated", {"damping=10 N s/m", "response_delay=0 s"}, run);
  EXPECT_NEAR(account.elements.at("rig.room").made(), -0.70045, 1e-4);
}

TEST(EnergyLedger, VanishesInPartOnARigThatDoesNotTell) {
  TdpaRun run;
  TdpaLoop loop(
      {.diagram = "tdpa", .settings = {}, .replaced = {}, .rig = source_folder() + "/diagrams/rigs/two_walls.xml"});
  Runtime* const runtime = loop.runtime();
  ASSERT_NE(runtime, nullptr) << loop.errors();
  std::vector<std::string> names;
  for (const Ledger::Port& port : runtime->ledger().ports()) names.push_back(port.name);
  EXPECT_NE(std::find(names.begin(), names.end(), "measured"), names.end());
  EXPECT_NE(std::find(names.begin(), names.end(), "satellite"), names.end());
  for (int k = 0; k < 2000; ++k) ASSERT_TRUE(runtime->step()) << "tick " << k;
}

TEST(EnergyLedger, GoesOnFromACheckpoint) {
  TdpaLoop loop({.diagram = "tdpa_full", .settings = {}, .replaced = {}, .rig = {}});
  Runtime* const runtime = loop.runtime();
  ASSERT_NE(runtime, nullptr) << loop.errors();
  for (int k = 0; k < 800; ++k) ASSERT_TRUE(runtime->step());
  const Checkpoint saved = runtime->checkpoint();
  for (int k = 0; k < 800; ++k) ASSERT_TRUE(runtime->step());
  const std::vector<Ledger::Port> first = runtime->ledger().ports();
  ASSERT_NE(first[1].energy, 0.0);
  ASSERT_TRUE(runtime->restore(saved));
  for (int k = 0; k < 800; ++k) ASSERT_TRUE(runtime->step());
  const std::vector<Ledger::Port> second = runtime->ledger().ports();
  for (std::size_t p = 0; p < first.size(); ++p) {
    EXPECT_EQ(first[p].energy, second[p].energy) << first[p].name;
    EXPECT_EQ(first[p].lowest, second[p].lowest) << first[p].name;
  }
}

} // namespace
} // namespace hilda::test
