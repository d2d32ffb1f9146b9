// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/netft_config.h"
#include "tests/drivers_ati/golden_packet.h"

#include <gmock/gmock.h>

namespace hilda::netft {
namespace {

using test::golden_text;
using ::testing::HasSubstr;

/// The golden page with something else instead of `from`.
std::string page_with(const std::string& from, const std::string& to) {
  std::string page = golden_text("netftapi2.xml");
  const std::size_t at = page.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return page.replace(at, from.size(), to);
}

std::string problem_of(const std::string& page) {
  std::string problem;
  EXPECT_FALSE(parse_config(page, problem)) << page;
  return problem;
}

TEST(NetFtConfig, IsReadFromThePage) {
  std::string problem;
  const auto config = parse_config(golden_text("netftapi2.xml"), problem);
  ASSERT_TRUE(config) << problem;
  EXPECT_EQ(config->counts_per_force, 1e6);
  EXPECT_EQ(config->counts_per_torque, 2000000.5);
  EXPECT_EQ(config->newtons, 1);
  EXPECT_EQ(config->newton_metres, 1);
  EXPECT_TRUE(config->streams);
  EXPECT_EQ(config->rate, 7000);
  EXPECT_EQ(config->status, 0u);
}

TEST(NetFtConfig, MissingOrSenselessCountsAreRefused) {
  EXPECT_THAT(problem_of(page_with("<cfgcpf>1000000</cfgcpf>", "")), HasSubstr("no cfgcpf (counts per force)"));
  EXPECT_THAT(problem_of(page_with("<cfgcpt>2000000.5</cfgcpt>", "")), HasSubstr("no cfgcpt (counts per torque)"));
  for (const char* wrong : {"0", "-1000", "nan", "inf", "1e999", "", "many", "1000000 N", "0x10"})
    EXPECT_THAT(problem_of(page_with("<cfgcpf>1000000<", "<cfgcpf>" + std::string(wrong) + "<")),
                HasSubstr("cfgcpf = \"" + std::string(wrong) + "\""));
}

TEST(NetFtConfig, UnitsAreUnderstoodOrRefused) {
  EXPECT_THAT(problem_of(page_with("<scfgfu>N<", "<scfgfu>dyn<")), HasSubstr("scfgfu = \"dyn\""));
  EXPECT_THAT(problem_of(page_with("<scfgtu>Nm<", "<scfgtu>N/m<")), HasSubstr("scfgtu = \"N/m\""));
  EXPECT_THAT(problem_of(page_with("<scfgfu>N</scfgfu>", "")), HasSubstr("no scfgfu"));
  EXPECT_THAT(problem_of(page_with("<scfgtu>Nm</scfgtu>", "")), HasSubstr("no scfgtu"));
  std::string problem;
  const auto config = parse_config(page_with("<scfgfu>N<", "<scfgfu> lbf <"), problem);
  ASSERT_TRUE(config) << problem;
  EXPECT_DOUBLE_EQ(config->newtons, 4.4482216152605);
}

TEST(NetFtConfig, WhatAPageLacksCanBeGiven) {
  const GivenConfig given{1000, 500, "lbf", "lbf-in"};
  ASSERT_TRUE(given.whole());
  std::string problem;
  const auto bare = parse_config("<netft><comrdte>Enabled</comrdte></netft>", problem, given);
  ASSERT_TRUE(bare) << problem;
  EXPECT_EQ(bare->counts_per_force, 1000);
  EXPECT_EQ(bare->counts_per_torque, 500);
  EXPECT_DOUBLE_EQ(bare->newtons, 4.4482216152605);
  EXPECT_NEAR(bare->newton_metres, 0.1129848, 5e-8);
  // Units alone are what some boxes lack.
  const auto units = parse_config("<cfgcpf>1000000</cfgcpf><cfgcpt>500000</cfgcpt>", problem, {0, 0, "N", "Nm"});
  ASSERT_TRUE(units) << problem;
  EXPECT_EQ(units->counts_per_force, 1e6);
  EXPECT_FALSE(parse_config("<cfgcpf>1000000</cfgcpf><cfgcpt>500000</cfgcpt>", problem, {0, 0, "N", ""}));
  EXPECT_THAT(problem, HasSubstr("no scfgtu (unit of torque); give the parameter `torque_unit`"));
}

TEST(NetFtConfig, WhatIsGivenMayNotContradictThePage) {
  const std::string page = golden_text("netftapi2.xml");
  std::string problem;
  EXPECT_TRUE(parse_config(page, problem, {1e6, 2000000.5, "N", "N-m"})) << problem;
  EXPECT_FALSE(parse_config(page, problem, {1000, 0, "", ""}));
  EXPECT_THAT(problem, HasSubstr("the parameter `counts_per_force` says 1000, the box's cfgcpf says 1e+06"));
  EXPECT_FALSE(parse_config(page, problem, {0, 0, "", "Nmm"}));
  EXPECT_THAT(problem, HasSubstr("the parameter `torque_unit` says Nmm, the box's scfgtu says Nm"));
  EXPECT_FALSE(parse_config(page, problem, {0, 0, "dyn", ""}));
  EXPECT_THAT(problem, HasSubstr("the parameter `force_unit` says \"dyn\""));
}

TEST(NetFtConfig, KnowsTheBoxesUnits) {
  // BIPM, SI brochure; NIST SP 811, appendix B: lbf, kgf.
  EXPECT_EQ(force_unit("N"), 1);
  EXPECT_EQ(force_unit("kN"), 1000);
  EXPECT_DOUBLE_EQ(*force_unit("klbf"), 4448.2216152605);
  EXPECT_DOUBLE_EQ(*force_unit("kg"), 9.80665);
  EXPECT_DOUBLE_EQ(*force_unit("kgf"), 9.80665);
  EXPECT_DOUBLE_EQ(*force_unit("g"), 0.00980665);
  EXPECT_EQ(torque_unit("Nm"), 1);
  EXPECT_EQ(torque_unit("N-m"), 1);
  EXPECT_EQ(torque_unit("Nmm"), 0.001);
  EXPECT_EQ(torque_unit("kNm"), 1000);
  EXPECT_NEAR(*torque_unit("lbf-in"), 0.1129848, 5e-8);
  EXPECT_NEAR(*torque_unit("lbf-ft"), 1.3558179, 5e-8);
  EXPECT_NEAR(*torque_unit("kgf-cm"), 0.0980665, 1e-12);
  EXPECT_FALSE(force_unit(""));
  EXPECT_FALSE(torque_unit("N"));
  EXPECT_FALSE(force_unit("Nm"));
}

TEST(NetFtConfig, SeesThatRdtIsDisabled) {
  std::string problem;
  EXPECT_FALSE(parse_config(page_with(">Enabled<", ">Disabled<"), problem)->streams);
  EXPECT_FALSE(parse_config(page_with(">Enabled<", ">0<"), problem)->streams);
  EXPECT_TRUE(parse_config(page_with("<comrdte>Enabled</comrdte>", ""), problem)->streams) << "older boxes do not say";
}

TEST(NetFtConfig, ReadsStatusInBothBases) {
  std::string problem;
  EXPECT_EQ(parse_config(page_with("<runstat>0<", "<runstat>0x80000004<"), problem)->status, 0x80000004u);
  EXPECT_EQ(parse_config(page_with("<runstat>0<", "<runstat>65536<"), problem)->status, 65536u);
  EXPECT_FALSE(parse_config(page_with("<runstat>0<", "<runstat>fine<"), problem)->status.has_value());
}

TEST(NetFtConfig, SurvivesAnyPrefixOfAPage) {
  const std::string page = golden_text("netftapi2.xml");
  int whole = 0;
  for (std::size_t length = 0; length <= page.size(); ++length) {
    std::string problem;
    const auto config = parse_config(page.substr(0, length), problem);
    EXPECT_EQ(config.has_value(), problem.empty()) << length;
    whole += config ? 1 : 0;
  }
  EXPECT_GT(whole, 0);
}

TEST(NetFtConfig, SaysNothingUnprintable) {
  const std::string problem =
      problem_of(page_with("<cfgcpf>1000000<", "<cfgcpf>\x1b[31m\n" + std::string(500, 'x') + "<"));
  EXPECT_LT(problem.size(), 200u);
  for (const char c : problem) EXPECT_GE(c, ' ') << problem;
}

TEST(NetFtConfig, PageOfTheDeviceReadsBack) {
  Config config;
  config.counts_per_force = 4448.2216152605, config.counts_per_torque = 1e9, config.force_unit = "lbf";
  config.torque_unit = "lbf-in", config.rate = 250, config.status = 1u << 16;
  std::string problem;
  const auto back = parse_config(config_page(config), problem);
  ASSERT_TRUE(back) << problem;
  EXPECT_EQ(back->counts_per_force, config.counts_per_force);
  EXPECT_EQ(back->counts_per_torque, config.counts_per_torque);
  EXPECT_EQ(back->rate, 250);
  EXPECT_EQ(back->status, 1u << 16);
  EXPECT_NEAR(back->newton_metres, 0.1129848, 5e-8);
}

} // namespace
} // namespace hilda::netft
