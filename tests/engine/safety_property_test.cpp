// SPDX-License-Identifier: BSD-3-Clause
// Whatever goes into a gate, the samples that come out, one after the other as a device sees them, keep every limit in
// value, rate and acceleration: from the first one on, on the ramp to rest, over lost cycles and after a restart.
// Seeded; a failure names its seed.
#include "engine/run/detail/safety/motion_gate.h"
#include "tests/engine/loop.h"
#include "tests/engine/motion_attack.h"
#include "tests/modules.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

constexpr double periods[] = {1e-3, 2e-3, 4e-3, 5e-3, 8e-3, 12e-3};

struct Subject {
  const char* name;
  hilda_kind kind;
};
class GateOf : public ::testing::TestWithParam<Subject> {};
/// Of devices that stay where the last command put them, other than those that keep a speed or a force.
class PositionGateOf : public GateOf {};

/// One sequence: starts at rest, is driven by `attack`, and once at rest is restarted where it is.
void attack(hilda_kind kind, std::uint64_t seed) {
  Dice dice(seed);
  const double period = periods[static_cast<std::size_t>(dice.below(6))];
  const L drawn = draw_limits(kind, period, dice);
  L limits = drawn;
  if (dice.one_in(4))
    for (double& most : limits.most)
      if (dice.one_in(2)) most = std::numeric_limits<double>::infinity();
  if (dice.one_in(2))
    for (const L::Kind each : {L::jerk, L::angular_jerk}) limits.most[each] = std::exp(dice.between(1, 9));
  MotionGate gate;
  gate.bind(kind, elements_of(kind), period, limits, true);
  Witness witness(kind, period, limits);
  Values rest = draw_rest(kind, drawn, dice);
  witness.rest_at(rest);
  int lost = 0;
  for (int start = 0; start < 4; ++start) {
    ASSERT_TRUE(gate.start_at(rest.data()));
    Wanderer wanderer(kind, period, drawn, rest, dice.one_in(3) ? 1.0 : dice.between(0.2, 1.1));
    const int attack_every = dice.one_in(3) ? 3 : 150, lose_every = dice.one_in(2) ? 1000000 : 12;
    const int stop_at = dice.below(400);
    bool stopping = false;
    const auto stop = [&] {
      stopping = true;
      gate.begin_stop();
    };
    for (int k = 0; !(stopping && gate.at_rest()); ++k) {
      ASSERT_LT(k, 1000000) << "no rest, seed " << seed;
      if (lost == 0 && dice.one_in(lose_every)) lost = 1 + dice.below(dice.one_in(4) ? 30 : 2);
      if (k == stop_at && !stopping) stop();
      Values asked = wanderer.next(dice);
      if (dice.one_in(attack_every)) spoil(asked, dice);
      if (lost > 0) {
        --lost;
        const Values before = gate.passed();
        if (!stopping && !gate.miss(asked.data())) stop();
        ASSERT_EQ(gate.passed(), before) << "it moved in a lost cycle, seed " << seed;
        continue;
      }
      if (!stopping && !gate.pass(asked.data())) stop();
      if (stopping) gate.ramp();
      ASSERT_TRUE(witness.keeps(gate.passed())) << witness.error << ", seed " << seed << ", sample " << k;
    }
    if (kind == HILDA_POSE || kind == HILDA_PLAIN) {
      ASSERT_LE(witness.speed(), 1e-9) << "not at rest, seed " << seed;
      rest = gate.passed();
      witness.rest_at(rest);
    } else {
      ASSERT_EQ(gate.passed(), rest) << "not at zero, seed " << seed;
      witness.stands_at(rest);
    }
  }
}

TEST_P(GateOf, KeepsEveryLimitWhateverIsAsked) {
  for (std::uint64_t seed = 1; seed <= 1500 && !HasFatalFailure(); ++seed) attack(GetParam().kind, seed);
}

/// A legal motion within a wide range.
struct Legal {
  Legal(hilda_kind kind, std::uint64_t seed, double share)
      : dice(seed), period(periods[static_cast<std::size_t>(dice.below(6))]),
        limits(wide(draw_limits(kind, period, dice))), rest(draw_rest(kind, limits, dice)),
        wanderer(kind, period, limits, rest, share) {
    gate.bind(kind, elements_of(kind), period, limits, true);
    EXPECT_TRUE(gate.start_at(rest.data()));
  }
  static L wide(L limits) {
    for (const L::Kind range : {L::position, L::rotation, L::magnitude}) limits.most[range] = 20;
    return limits;
  }
  Dice dice;
  double period;
  L limits;
  Values rest;
  Wanderer wanderer;
  MotionGate gate;
};

TEST_P(GateOf, PassesAMotionThatStandsAtItsLimitsToTheBit) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Legal motion(GetParam().kind, seed, 1 - 1e-6);
    for (int k = 0; k < 300; ++k) {
      const Values asked = motion.wanderer.next(motion.dice);
      ASSERT_TRUE(motion.gate.pass(asked.data()))
          << L::names[motion.gate.violation().limit] << ' ' << motion.gate.violation().asked << " of "
          << motion.gate.violation().allowed << ", seed " << seed << ", sample " << k;
      ASSERT_EQ(motion.gate.passed(), asked) << "seed " << seed;
    }
  }
}

TEST_P(GateOf, IsNotStoppedByLostCyclesAndIsBackToTheBit) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Legal motion(GetParam().kind, seed, 0.8);
    Witness witness(GetParam().kind, motion.period, motion.limits);
    witness.rest_at(motion.rest);
    Values asked;
    for (int k = 0; k < 5000; ++k) {
      if (k == 1000) motion.wanderer.halt();
      asked = motion.wanderer.next(motion.dice);
      if (k < 900 && k % 100 < 1 + static_cast<int>(seed % 6)) {
        ASSERT_TRUE(motion.gate.miss(asked.data())) << "seed " << seed << ", sample " << k;
        continue;
      }
      ASSERT_TRUE(motion.gate.pass(asked.data()))
          << L::names[motion.gate.violation().limit] << ' ' << motion.gate.violation().asked << " of "
          << motion.gate.violation().allowed << ", seed " << seed << ", sample " << k;
      ASSERT_TRUE(witness.keeps(motion.gate.passed())) << witness.error << ", seed " << seed << ", sample " << k;
    }
    ASSERT_EQ(motion.gate.passed(), asked) << "seed " << seed;
  }
}

/// The device takes a sample or not, and is at rest in each cycle without one; it reports that afterwards. What it
/// takes keeps every limit from where it is and as fast as it is.
void lose_answers(hilda_kind kind, std::uint64_t seed) {
  Legal motion(kind, seed, 0.8);
  Witness witness(kind, motion.period, motion.limits);
  witness.rest_at(motion.rest);
  Values has = motion.rest;
  const int lose_every = 2 + motion.dice.below(40), stop_at = 1000 + motion.dice.below(200);
  hilda_fate fate = HILDA_FATE_TAKEN;
  bool sent = false, stopping = false;
  for (int k = 0; !(stopping && motion.gate.at_rest()); ++k) {
    ASSERT_LT(k, 100000) << "no rest, seed " << seed;
    if (sent) motion.gate.settle(fate);
    ASSERT_EQ(motion.gate.passed(), has) << "it knows what the device has, seed " << seed << ", sample " << k;
    if (k == stop_at) stopping = true, motion.gate.begin_stop();
    const Values asked = motion.wanderer.next(motion.dice);
    if (motion.dice.one_in(3 * lose_every)) { // a cycle that could not be answered
      if (!stopping) { ASSERT_TRUE(motion.gate.miss(asked.data())); }
      witness.stands_at(has);
      fate = HILDA_FATE_STOOD, sent = true;
      continue;
    }
    if (stopping)
      motion.gate.ramp();
    else
      ASSERT_TRUE(motion.gate.pass(asked.data())) << "seed " << seed << ", sample " << k;
    sent = true;
    if (motion.dice.one_in(lose_every)) {
      fate = HILDA_FATE_LOST;
      witness.stands_at(has);
      continue;
    }
    fate = HILDA_FATE_TAKEN;
    has = motion.gate.passed();
    ASSERT_TRUE(witness.keeps(has)) << witness.error << ", seed " << seed << ", sample " << k;
  }
}

TEST_P(PositionGateOf, KeepsEveryLimitFromWhatTheDeviceHas) {
  for (std::uint64_t seed = 1; seed <= 300 && !HasFatalFailure(); ++seed) lose_answers(GetParam().kind, seed);
}

TEST(LostCycle, LeavesAnOffsetThatDecaysWithinATenthOfASecond) {
  L limits;
  limits.most[L::speed] = 1;
  limits.most[L::acceleration] = 10;
  MotionGate gate;
  gate.bind(HILDA_POSE, 7, 4e-3, limits, true);
  Values asked{0, 0, 0, 1, 0, 0, 0};
  ASSERT_TRUE(gate.start_at(asked.data()));
  double v = 0, at_first = 0;
  for (int k = 0; k < 1000; ++k) {
    v = std::min(v + 0.5 * 4e-3, 0.2);
    asked[0] += v * 4e-3;
    if (k == 500 || k == 501) {
      ASSERT_TRUE(gate.miss(asked.data()));
      continue;
    }
    const double before = gate.passed()[0];
    ASSERT_TRUE(gate.pass(asked.data()));
    const double offset = asked[0] - gate.passed()[0];
    EXPECT_GE(gate.passed()[0] - before, 0) << k;
    if (k == 502) {
      at_first = offset;
      EXPECT_NEAR(offset, 2 * 0.2 * 4e-3, 0.1e-3) << "two samples behind";
      EXPECT_NEAR(gate.passed()[0] - before, 0.2 * 4e-3, 0.1e-3) << "no step";
    }
    if (k == 527) { EXPECT_NEAR(offset / at_first, std::exp(-1), 0.05) << "0.1 s later"; }
    if (k < 500) { EXPECT_EQ(offset, 0) << k; }
  }
  EXPECT_EQ(gate.passed(), asked);
}

TEST(LostCycle, DoesNotHideAStepOfTheCommand) {
  L limits;
  limits.most[L::speed] = 1;
  limits.most[L::acceleration] = 10;
  for (const bool in_the_lost_cycle : {false, true}) {
    MotionGate gate;
    gate.bind(HILDA_POSE, 7, 4e-3, limits, true);
    Values asked{0, 0, 0, 1, 0, 0, 0};
    ASSERT_TRUE(gate.start_at(asked.data()));
    ASSERT_TRUE(gate.miss(asked.data()));
    asked[0] = 0.1;
    EXPECT_FALSE(in_the_lost_cycle ? gate.miss(asked.data()) : gate.pass(asked.data()));
    EXPECT_EQ(gate.violation().limit, L::speed);
    EXPECT_EQ(gate.passed()[0], 0);
  }
}

TEST(Start, PassesNothingBeforeTheRestIsKnown) {
  MotionGate gate;
  gate.bind(HILDA_POSE, 7, 1e-3, {}, true);
  const Values asked{0, 0, 0, 1, 0, 0, 0};
  EXPECT_FALSE(gate.started());
  EXPECT_FALSE(gate.pass(asked.data()));
  EXPECT_FALSE(gate.miss(asked.data()));
  for (const Values& bad : {Values{0, 0, 0, 0, 0, 0, 0}, Values{0, NAN, 0, 1, 0, 0, 0}, Values{0, 0, 0, 2, 0, 0, 0}})
    EXPECT_FALSE(gate.start_at(bad.data()));
  EXPECT_FALSE(gate.started());
  ASSERT_TRUE(gate.start_at(asked.data()));
  EXPECT_TRUE(gate.pass(asked.data()));
}

TEST(GateWithoutLimits, StaysFiniteOnTheWayToRest) {
  struct Jump {
    double from, acceleration;
  };
  constexpr double none = std::numeric_limits<double>::infinity();
  for (const Jump& jump : {Jump{-1.7e308, none}, Jump{-1.7e308, 1}, Jump{1.6985e308, none}}) {
    // the speed overflows, and with it the time that the ramp would take; or where it would lead to
    L limits;
    limits.most[L::acceleration] = jump.acceleration;
    MotionGate gate;
    gate.bind(HILDA_PLAIN, 1, 1e-3, limits);
    for (const double asked : {jump.from, 1.7e308}) ASSERT_TRUE(gate.pass(&asked));
    gate.begin_stop();
    int samples = 0;
    for (; !gate.at_rest(); gate.ramp(), ++samples) ASSERT_TRUE(samples < 1000 && std::isfinite(gate.passed()[0]));
    ASSERT_TRUE(std::isfinite(gate.passed()[0]));
  }
}

TEST(SafetyStage, KeepsEveryLimitOfEveryInputWhateverEndsTheRun) {
  struct Wire {
    const char* name;
    hilda_kind kind;
  };
  constexpr Wire wires[] = {
      {"pose", HILDA_POSE}, {"twist", HILDA_TWIST}, {"wrench", HILDA_WRENCH}, {"vector", HILDA_PLAIN}};
  const int milliseconds[] = {1, 2, 4, 5, 8, 12};
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Dice dice(seed);
    const int ms = milliseconds[seed % 6];
    const double period = ms * 1e-3;
    std::string body =
        "<block name='device' type='probes/Device' place='0.3 0.2 0.1 m' broken_from='" +
        std::to_string(dice.one_in(4) ? dice.below(300) : 1000000) +
        "'/>\n<block name='hand' type='probes/Hand'/>\n<block name='bad' type='probes/PoisonState' from='" +
        std::to_string(dice.one_in(4) ? dice.below(300) : 1000000) + "'/>\n";
    std::vector<L> limits;
    std::vector<Witness> witnesses;
    std::vector<Wanderer> wanderers;
    for (const Wire& wire : wires) {
      const L drawn = limits.emplace_back(draw_limits(wire.kind, period, dice));
      body += fmt::format("<connect from='hand.{0}' to='device.{0}'/>\n<limits on='device.{0}' stop_time='{1:.17g} s'",
                          wire.name, drawn.stop_time);
      for (std::size_t k = 0; k < L::count; ++k) {
        if (!std::isfinite(drawn.most[k])) continue;
        body += fmt::format(" {}='{:.17g}'", L::names[k], drawn.most[k]);
      }
      body += "/>\n";
    }
    RuntimeOptions options;
    options.hardware = true;
    Loop loop(body, options, std::to_string(ms) + " ms");
    Runtime& runtime = loop.runtime();
    ASSERT_EQ(runtime.hold(), Runtime::HoldResult::holding);
    for (std::size_t w = 0; w < std::size(wires); ++w) {
      const auto rest = runtime.gates()[w].rest;
      witnesses.emplace_back(wires[w].kind, period, limits[w]).rest_at({rest.begin(), rest.end()});
      wanderers.emplace_back(wires[w].kind, period, limits[w], Values(rest.begin(), rest.end()), 0.9);
    }
    const int stop_at = dice.below(400);
    double emits = loop.value("device.emits");
    bool going = true;
    for (int k = 0; going; ++k) {
      ASSERT_LT(k, 200000) << "no end, seed " << seed;
      for (std::size_t w = 0; w < std::size(wires); ++w) {
        Values asked = wanderers[w].next(dice);
        if (dice.one_in(400)) spoil(asked, dice);
        auto* hand = static_cast<double*>(runtime.find_signal(std::string("hand.") + wires[w].name)->span.data);
        std::copy(asked.begin(), asked.end(), hand);
      }
      const bool lost = dice.one_in(9);
      if (lost) runtime.cycle_lost();
      if (k == stop_at) runtime.request_stop("an operator");
      going = runtime.compute();
      ASSERT_EQ(loop.value("device.emits") - emits, lost ? 0 : 1) << "seed " << seed << ", tick " << k;
      emits = loop.value("device.emits");
      for (std::size_t w = 0; !lost && w < std::size(wires); ++w) {
        const SystemSignal& wire = *runtime.find_signal(std::string("device.wire_") + wires[w].name);
        const auto* sent = static_cast<const double*>(wire.span.data);
        ASSERT_TRUE(witnesses[w].keeps(Values(sent, sent + wire.span.count)))
            << wires[w].name << ": " << witnesses[w].error << ", seed " << seed << ", tick " << k;
      }
      going = going && runtime.advance();
    }
    EXPECT_NE(runtime.ending().kind, Ending::Kind::none) << "seed " << seed;
    EXPECT_LE(witnesses[0].speed(), 1e-9) << "seed " << seed;
    EXPECT_LE(witnesses[3].speed(), 1e-9) << "seed " << seed;
  }
}

std::string name_of(const ::testing::TestParamInfo<Subject>& each) { return each.param.name; }

INSTANTIATE_TEST_SUITE_P(Each, GateOf,
                         ::testing::Values(Subject{"pose", HILDA_POSE}, Subject{"twist", HILDA_TWIST},
                                           Subject{"wrench", HILDA_WRENCH}, Subject{"plain", HILDA_PLAIN}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Each, PositionGateOf,
                         ::testing::Values(Subject{"pose", HILDA_POSE}, Subject{"plain", HILDA_PLAIN}), name_of);

} // namespace
} // namespace hilda::test
