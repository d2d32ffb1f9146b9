// SPDX-License-Identifier: BSD-3-Clause
// A device that takes samples at times of the clock, and a process that does not run for a while: what the device sees
// keeps the limits in time, sample by sample as it takes them. All time is the test's own.

#include "tests/engine/cell.h"

#include <array>
#include <gmock/gmock.h>
#include <limits>
#include <random>

namespace hilda::test {
namespace {

constexpr double hold = 0.1;

enum class DeviceKind { pose, vector, twist };

/// Whose cycles the peer's are: its own, until it was at rest; or they begin again with each packet.
enum class PeerCycles { own, of_packets };

/// The other end: it looks for a packet once a cycle. A place that did not come is the place that it has; a
/// twist that did not come continues for the time `hold`.
class Peer {
public:
  Peer(DeviceKind kind, double cycle, PeerCycles cycles) : kind_(kind), cycle_(cycle), cycles_(cycles) {}

  void take(double at, double value) {
    while (look_ > 0 && look_ <= at) look();
    if (look_ < 0 || cycles_ == PeerCycles::of_packets || (kind_ == DeviceKind::twist ? at - came_ > hold : stood_))
      look_ = at + cycle_ / 2;
    stood_ = false;
    if (kind_ == DeviceKind::twist && came_ > 0 && at - came_ > hold) velocity_ = 0; // its own halt
    newest_ = value, any_ = true, came_ = at;
  }
  double most_acceleration = 0, most_speed = 0;

private:
  void look() {
    look_ += cycle_;
    if (!any_) {
      stood_ = true;
      if (kind_ != DeviceKind::twist) velocity_ = 0;
      return;
    }
    const double velocity = kind_ == DeviceKind::twist ? newest_ : (newest_ - place_) / cycle_;
    most_acceleration = std::max(most_acceleration, std::abs(velocity - velocity_) / cycle_);
    most_speed = std::max(most_speed, std::abs(velocity));
    place_ = newest_, velocity_ = velocity, any_ = false;
  }

  DeviceKind kind_;
  double cycle_;
  PeerCycles cycles_;
  double look_ = -1, came_ = -1, newest_ = 0, place_ = 0, velocity_ = 0;
  bool any_ = false, stood_ = false;
};

struct Freeze {
  double from = 0, length = 0; ///< s
};

/// A command within a speed and an acceleration.
struct Motion {
  double speed = 0.15, acceleration = 2, turn = 0; ///< rad/s of a cosine between 0 and the speed; 0: it rises and stays
  double at(double t) const {
    return turn > 0 ? speed * (1 - std::cos(turn * t)) / 2 : std::min(speed, acceleration * t);
  }
};

struct Limit {
  double speed = 0.2, acceleration = 4, jerk = std::numeric_limits<double>::infinity();
};

/// A loop by the timer, in simulated time: waking, computing and sending take a while, and a freeze may fall into
/// each.
class TimedRun : SendClock {
public:
  TimedRun(DeviceKind kind, double period, int divider, std::vector<Freeze> freezes, const std::string& more = "",
           const Motion& motion = {}, const Limit& limit = {})
      : loop_(body(kind, divider * period, more, limit), on_hardware(), text(period)),
        runtime(loop_.runtime()), peers{Peer(kind, divider * period, PeerCycles::own),
                                        Peer(kind, divider * period, PeerCycles::of_packets)},
        limit(limit), kind_(kind), period_(period), motion_(motion), freezes_(std::move(freezes)) {
    command_ = static_cast<double*>(runtime
                                        .find_signal(kind == DeviceKind::pose     ? "hand.pose"
                                                     : kind == DeviceKind::vector ? "hand.vector"
                                                                                  : "hand.twist")
                                        ->span.data);
    if (kind == DeviceKind::pose) command_[3] = 1;
    EXPECT_EQ(runtime.hold(), Runtime::HoldResult::holding);
    EXPECT_TRUE(runtime.timed());
    runtime.send_by(this);
  }

  /// False: the run has ended.
  bool tick() {
    const std::int64_t next = cycle_ + 1;
    cycle_ = std::max(next, static_cast<std::int64_t>(std::ceil(now_ / period_)));
    due_ = static_cast<double>(cycle_) * period_;
    now_ = due_;
    pass(20e-6);
    runtime.pace({next > 1 ? cycle_ - next + 1 : 1, overdue_});
    overdue_ = 0;
    const double speed = motion_.at(static_cast<double>(++ticks_) * period_);
    if (kind_ == DeviceKind::twist)
      command_[0] = speed;
    else
      command_[0] += speed * period_;
    bool going = false;
    captured([&] { going = runtime.compute(); });
    pass(30e-6);
    return going && runtime.advance();
  }
  /// After the last tick.
  void leave() {
    captured([&] { runtime.leave(); });
  }
  double now() const { return now_; }
  double sent() const { return loop_.value(wire()); }

  Loop loop_;
  Runtime& runtime;
  std::array<Peer, 2> peers;
  const Limit limit;

private:
  static std::string text(double period) { return std::to_string(period * 1e3) + " ms"; }
  static std::string body(DeviceKind kind, double cycle, const std::string& more, const Limit& limit) {
    const std::string port = kind == DeviceKind::pose ? "pose" : kind == DeviceKind::vector ? "vector" : "twist";
    const std::string speed = std::to_string(limit.speed), acceleration = std::to_string(limit.acceleration);
    const std::string moving = "speed='" + speed + " m/s' angular_speed='1 rad/s' acceleration='" + acceleration +
                               " m/s2' angular_acceleration='20 rad/s2' ";
    const std::string jerk = std::isinf(limit.jerk)       ? ""
                             : kind == DeviceKind::vector ? " jerk='" + std::to_string(limit.jerk) + "'"
                                                          : " jerk='" + std::to_string(limit.jerk) + " m/s3'";
    const std::string limits = kind == DeviceKind::pose ? "position='2 m' rotation='1 rad' " + moving
                               : kind == DeviceKind::vector
                                   ? "magnitude='2' rate='" + speed + "' acceleration='" + acceleration + "'"
                                   : moving + "hold='100 ms'";
    return "<block name='device' type='probes/Device' paces='false' sample_time='" + text(cycle) +
           "'/><block name='hand' type='probes/Hand'/><block name='clock' type='sources/Clock'/>" +
           "<connect from='hand." + port + "' to='device." + port + "'/><limits on='device." + port + "' " + limits +
           jerk + " stop_time='20 ms'/>" + more;
  }
  std::string wire() const {
    return kind_ == DeviceKind::pose     ? "device.wire_pose"
           : kind_ == DeviceKind::vector ? "device.wire_vector"
                                         : "device.wire_twist";
  }
  std::int64_t overdue() noexcept override {
    pass(100e-6);
    overdue_ = static_cast<std::int64_t>(std::floor((now_ - due_) / period_ + 0.5));
    return overdue_;
  }
  template <typename Work> void captured(const Work& work) {
    const double before = loop_.value("device.emits");
    work();
    if (loop_.value("device.emits") > before)
      for (Peer& peer : peers) peer.take(now_, loop_.value(wire()));
  }
  void pass(double time) {
    const double before = now_;
    now_ += time;
    for (const Freeze& freeze : freezes_) {
      if (before <= freeze.from && freeze.from < now_) now_ += freeze.length;
      if (now_ > freeze.from && now_ - freeze.from < freeze.length) now_ = freeze.from + freeze.length;
    }
  }

  DeviceKind kind_;
  double period_, now_ = 0, due_ = 0;
  std::int64_t cycle_ = 0, overdue_ = 0, ticks_ = 0;
  Motion motion_;
  std::vector<Freeze> freezes_; ///< in the order of time
  double* command_ = nullptr;
};

constexpr const char* patient = "<realtime lost_in_a_row='1000'/>";

void expect_limits_kept(const TimedRun& run, const std::string& what) {
  for (const Peer& peer : run.peers) {
    const char* whose = &peer == &run.peers[0] ? ", a peer with cycles of its own" : ", a peer with those of packets";
    EXPECT_LE(peer.most_acceleration, run.limit.acceleration * (1 + 1e-6)) << what << whose;
    EXPECT_LE(peer.most_speed, run.limit.speed * (1 + 1e-6)) << what << whose;
  }
}

class AFreeze : public ::testing::TestWithParam<DeviceKind> {};

TEST_P(AFreeze, MakesNoStepOnTheWireHoweverLongItIs) {
  constexpr double begin = 0.2;
  for (const double period : {1e-3, 4e-3, 10e-3})
    for (const int divider : {1, 2, 3, 5})
      for (const double length : {2e-3, 3e-3, 4e-3, 6e-3, 9e-3, 16e-3, 50e-3, 90e-3, 97e-3, 104e-3, 300e-3, 0.99})
        for (const double phase : {0.0, 0.004, 0.013, 0.3, 0.52, 0.9}) {
          const Freeze freeze{begin + phase * period, length};
          TimedRun run(GetParam(), period, divider, {freeze}, patient);
          while (run.now() < begin + length + 0.4)
            ASSERT_TRUE(run.tick()) << run.runtime.ending().text << " at " << run.now();
          expect_limits_kept(run, std::to_string(period) + " s, each " + std::to_string(divider) + ", frozen for " +
                                      std::to_string(length) + " s at " + std::to_string(phase));
          EXPECT_GT(run.peers[0].most_speed, 0.14) << "it moved";
        }
}

/// Two or three freezes of parts of a cycle come together: the packets are then a part of a cycle behind their first
/// place, and a gap of one cycle and a third is a cycle without a packet for one peer and not for another.
TEST_P(AFreeze, UpToThreeCyclesLongMakesNoStepHoweverManyCame) {
  constexpr double period = 2e-3;
  int runs = 0;
  for (const Limit& limit : {Limit{0.2, 2}, Limit{0.2, 4}, Limit{0.5, 20}})
    for (const Motion& motion :
         {Motion{0.75 * limit.speed, limit.acceleration / 2, 0},
          Motion{0.75 * limit.speed, limit.acceleration / 2, limit.acceleration / 1.5 / limit.speed}})
      for (const int divider : {1, 2, 3, 4, 5})
        for (int late = 0; late <= 30; ++late) {
          std::mt19937 draw(static_cast<std::mt19937::result_type>(runs++));
          std::uniform_real_distribution<double> any(0, 1);
          const double cycle = divider * period, begin = 0.2;
          std::vector<Freeze> freezes;
          double from = begin;
          for (int i = 0; i < 12; ++i) {
            freezes.push_back({from, i % 2 == 0 ? 0.1 * late * cycle : any(draw) * cycle});
            from += freezes.back().length + (0.5 + 4 * any(draw)) * cycle;
          }
          TimedRun run(GetParam(), period, divider, freezes, patient, motion, limit);
          while (run.now() < from + 0.1) ASSERT_TRUE(run.tick()) << run.runtime.ending().text << " at " << run.now();
          expect_limits_kept(run, "each " + std::to_string(divider) + ", late by " + std::to_string(0.1 * late) +
                                      " cycles, limit " + std::to_string(limit.acceleration));
          EXPECT_GT(run.peers[0].most_speed, 0.5 * limit.speed) << "it moved";
        }
}

TEST_P(AFreeze, OfMoreCyclesThanMayBeLostInARowEndsTheRunAtRest) {
  for (const double phase : {0.0, 0.01, 0.4}) {
    TimedRun run(GetParam(), 4e-3, 1, {{0.2 + phase * 4e-3, 300e-3}});
    int ticks = 0;
    while (run.tick()) ASSERT_LT(++ticks, 1000);
    const Ending ending = run.runtime.ending();
    EXPECT_EQ(ending.kind, Ending::Kind::failed);
    EXPECT_EQ(ending.block, "device");
    EXPECT_THAT(ending.text,
                ::testing::ContainsRegex("7[456] cycles in a row in which it was sent nothing in time "
                                         ".lost_in_a_row of <realtime> allows 5.: this process did not run"));
    EXPECT_NEAR(ending.time, 0.2, 5e-3);
    expect_limits_kept(run, "on the way to rest");
    if (GetParam() == DeviceKind::twist) { EXPECT_EQ(run.sent(), 0); }
  }
}

TEST_P(AFreeze, OfFewerCyclesDoesNot) {
  for (const double length : {6e-3, 10e-3, 19e-3}) {
    TimedRun run(GetParam(), 4e-3, 1, {{0.2, length}});
    while (run.now() < 0.6) ASSERT_TRUE(run.tick()) << run.runtime.ending().text;
    expect_limits_kept(run, std::to_string(length));
  }
}

TEST_P(AFreeze, OnTheWayToRestKeepsTheLimitsToo) {
  for (const double length : {3e-3, 6e-3, 30e-3, 150e-3})
    for (const double phase : {0.0, 0.01, 0.4}) {
      TimedRun run(GetParam(), 4e-3, 1, {{0.208 + phase * 4e-3, length}}, patient);
      while (run.now() < 0.2) ASSERT_TRUE(run.tick());
      run.runtime.request_stop("an operator");
      int ticks = 0;
      while (run.tick()) ASSERT_LT(++ticks, 1000);
      expect_limits_kept(run, std::to_string(length) + " at " + std::to_string(phase));
      if (GetParam() == DeviceKind::twist) { EXPECT_EQ(run.sent(), 0); }
    }
}

/// Cycles that are lost around and on the ramp, some of them for about as long as a twist continues by itself.
TEST_P(AFreeze, OnTheWayToRestLeavesNoVelocityWhateverIsLost) {
  constexpr double period = 4e-3;
  int on_ramp = 0;
  for (int seed = 0; seed < 400; ++seed) {
    std::mt19937 draw(static_cast<std::mt19937::result_type>(seed));
    std::uniform_real_distribution<double> any(0, 1);
    const int divider = 1 + seed % 3;
    Limit limit;
    if (seed % 2 == 1) limit.jerk = 40;
    const double cycle = divider * period, stop_at = 0.2 + 0.2 * any(draw);
    std::vector<Freeze> freezes;
    double from = stop_at - 0.05;
    for (int i = 0; i < 8; ++i) {
      const double length = any(draw) < 0.3 ? hold + (2 * any(draw) - 1.5) * cycle : 3 * any(draw) * cycle;
      freezes.push_back({from, length});
      from += length + 4 * any(draw) * cycle;
    }
    TimedRun run(GetParam(), period, divider, freezes, patient, {0.15, 2, 10}, limit);
    while (run.now() < stop_at) ASSERT_TRUE(run.tick()) << run.runtime.ending().text;
    run.runtime.request_stop("an operator");
    int ticks = 0;
    while (run.tick()) ASSERT_LT(++ticks, 1000);
    on_ramp += ticks > 2 * divider ? 1 : 0;
    run.leave();
    const std::string what = "seed " + std::to_string(seed) + ", each " + std::to_string(divider);
    expect_limits_kept(run, what);
    if (GetParam() == DeviceKind::twist) { EXPECT_EQ(run.sent(), 0) << what; }
  }
  EXPECT_GT(on_ramp, GetParam() == DeviceKind::twist ? 100 : 10) << "others came to rest at once";
}

INSTANTIATE_TEST_SUITE_P(Timed, AFreeze, ::testing::Values(DeviceKind::pose, DeviceKind::vector, DeviceKind::twist),
                         [](const auto& each) {
                           return each.param == DeviceKind::pose     ? "Pose"
                                  : each.param == DeviceKind::vector ? "Vector"
                                                                     : "Twist";
                         });

TEST(ADryRun, HasNoDeviceThatCouldMissASample) {
  RuntimeOptions options = on_hardware();
  options.dry_run = true;
  const Cell cell("", "paces='false'", options);
  EXPECT_FALSE(cell.runtime.timed());
}

TEST(ADeviceThatPacesTheLoop, SaysItself) {
  const Cell cell;
  EXPECT_FALSE(cell.runtime.timed());
}

/// Cycles that a pacing device reports at once, after a freeze: a burst for a device at another wire.
TEST(Cadence, LetsOneSampleOfABurstThrough) {
  Cadence cadence;
  cadence.bind(1, 0);
  const auto next = [&](std::int64_t periods) {
    const Cadence::Finding found = cadence.settle({periods, 0});
    const bool sends = !cadence.early() && !found.unsure;
    if (sends) cadence.send();
    return sends ? found.stands ? "from rest" : "continues" : "withheld";
  };
  EXPECT_STREQ(next(1), "continues");
  EXPECT_STREQ(next(1), "continues");
  EXPECT_STREQ(next(7), "from rest");
  for (int i = 0; i < 6; ++i) EXPECT_STREQ(next(0), "withheld");
  EXPECT_STREQ(next(1), "continues");
}

/// A sample that was sent one tick late begins the cycle of such a device one tick later.
TEST(Cadence, CountsASilenceFromWhenTheSampleWasSent) {
  for (const std::int64_t overdue : {0, 1}) {
    Cadence cadence;
    cadence.bind(5, 0);
    cadence.settle({1, 0});
    cadence.send();
    EXPECT_FALSE(cadence.settle({1, overdue}).lost);
    const Cadence::Finding found = cadence.settle({7, 0});
    EXPECT_TRUE(found.stands);
    EXPECT_EQ(found.unsure, overdue == 1);
  }
}

/// One tick of three lost, twice: the second gap of four ticks is too long from where the first sample put the cycles,
/// and not from the sample before. One more cycle makes sure.
TEST(Cadence, WaitsUntilADeviceStandsWhoseCyclesItDoesNotKnow) {
  Cadence cadence;
  cadence.bind(3, 0);
  const auto sample = [&](std::initializer_list<std::int64_t> ticks) {
    Cadence::Finding found;
    for (const std::int64_t periods : ticks) found = cadence.settle({periods, 0});
    const bool sends = !cadence.early() && !found.unsure;
    if (sends) cadence.send();
    return sends ? found.stands ? "from rest" : "continues" : "withheld";
  };
  EXPECT_STREQ(sample({1}), "continues");
  EXPECT_STREQ(sample({1, 1, 1}), "continues");
  EXPECT_STREQ(sample({1, 2, 1}), "continues"); // a third of a cycle behind
  EXPECT_STREQ(sample({1, 1, 1}), "continues");
  EXPECT_STREQ(sample({2, 1, 1}), "withheld"); // two thirds
  EXPECT_STREQ(sample({1, 1, 1}), "from rest");
  EXPECT_STREQ(sample({1, 1, 1}), "continues");
  EXPECT_STREQ(sample({1, 2, 2}), "from rest"); // a gap of five ticks is too long for both
}

} // namespace
} // namespace hilda::test
