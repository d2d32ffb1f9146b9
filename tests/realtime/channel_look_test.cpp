// SPDX-License-Identifier: BSD-3-Clause
// What coarse or late measurements do, against the figures that runs gave.

#include "engine/session/detail/channels/channel_quality.h"
#include "tests/modules.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

/// diagrams/pida.xml at 4 ms: 279 kg on 176.275 N/mm at 20 mm/s goes in by 0.8 mm.
const ContactFacts pida{0.02, 176275, 300.0 * 4000.0 / 4300.0, 0.004};

ChannelQuality pose(double resolution, double noise = 0) { return {"rig.robot.pose", "m", resolution, noise, -1, 250}; }
ChannelQuality force(double resolution, double age) { return {"rig.sensor.force", "N", resolution, 0, age, 250}; }

TEST(ChannelEffect, CoarsePosesAreWhatTheTrialSaw) {
  EXPECT_NEAR(pida.depth(), 0.8e-3, 0.01e-3);
  // Two decimals of a millimetre: PIDA's energy ratio came out as 1.26.
  EXPECT_NEAR(effect_of(pose(1e-5), pida).energy, 1.26, 0.02);
  // One decimal: a stiffness of 141,844 instead of 176,275 N/m, a fifth less; the estimate says an eighth.
  EXPECT_NEAR(effect_of(pose(1e-4), pida).stiffness, 0.125, 0.01);
  // Four decimals do no harm.
  EXPECT_LT(effect_of(pose(1e-7), pida).energy, 1.003);
  EXPECT_LT(effect_of(pose(1e-7), pida).stiffness, 2e-4);
}

TEST(ChannelEffect, NoiseCountsWhereItIsMoreThanAStep) {
  EXPECT_EQ(effect_of(pose(1e-6, 1e-5), pida).energy, effect_of(pose(1e-5), pida).energy);
}

TEST(ChannelEffect, ALateForceMakesEnergy) {
  // Half a period of a contact, in which a force late by d does work as a damper of -k d would: exp(pi w d).
  const double w = std::sqrt(pida.stiffness / pida.mass);
  EXPECT_NEAR(effect_of(force(0, 1e-3), pida).energy, std::exp(M_PI * w * 1e-3), 1e-12);
  EXPECT_NEAR(effect_of(force(1.4, -1), pida).stiffness, 0.01, 0.001) << "of a peak of 140 N";
}

TEST(ChannelEffect, IsNotMadeUpWhereNoContactIsTold) {
  EXPECT_LT(effect_of(pose(1e-5), ContactFacts{}).energy, 0);
  EXPECT_THAT(channel_table({pose(1e-5)}, ContactFacts{}), testing::HasSubstr("the diagram describes no contact"));
}

TEST(ChannelTable, SaysWhatWasNotSeen) {
  const std::string table = channel_table({pose(-1), force(1e-5, 5e-4)}, pida);
  EXPECT_THAT(table, testing::ContainsRegex("rig.robot.pose +not seen +0 m +- +250/s +not known: it never changed"));
  EXPECT_THAT(table, testing::ContainsRegex("rig.sensor.force +10 uN +0 N +500 us +250/s +stiffness"));
}

} // namespace
} // namespace hilda::test
