// A device that takes samples at times of the clock, and a process that does not run for a while: what the device sees
// keeps the limits in time, sample by sample as it takes them. All time is the test's own.

#include "tests/engine/cell.h"

#include <gmock/gmock.h>

namespace hilda::test {
namespace {

constexpr double speed_limit = 0.2, acceleration_limit = 4, hold = 0.1;

enum class DeviceKind { pose, vector, twist };

/// The other end: it looks for a packet once a cycle. A place that did not come is the place that it has; a
/// twist that did not come continues for the time `hold`.
class Peer {
public:
  Peer(DeviceKind kind, double cycle) : kind_(kind), cycle_(cycle) {}

  void take(double at, double value) {
    while (look_ > 0 && look_ <= at) look();
    if (look_ < 0 || (kind_ == DeviceKind::twist ? at - came_ > hold : stood_)) look_ = at + cycle_ / 2;
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
  double cycle_, look_ = -1, came_ = -1, newest_ = 0, place_ = 0, velocity_ = 0;
  bool any_ = false, stood_ = false;
};

struct Freeze {
  double from = 0, length = 0; ///< s
};

/// A loop by the timer, in simulated time: waking, computing and sending take a while, and a freeze may fall into
/// each.
class TimedRun : SendClock {
public:
  TimedRun(DeviceKind kind, double period, int divider, const Freeze& freeze, const std::string& more = "")
      : loop_(body(kind, divider * period, more), on_hardware(), text(period)), runtime(loop_.runtime()),
        peer(kind, divider * period), kind_(kind), period_(period), freeze_(freeze) {
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
    speed_ = std::min(0.15, speed_ + 2 * period_);
    if (kind_ == DeviceKind::twist)
      command_[0] = speed_;
    else
      command_[0] += speed_ * period_;
    const double before = loop_.value("device.emits");
    const bool going = runtime.compute();
    if (loop_.value("device.emits") > before) peer.take(now_, loop_.value(wire()));
    pass(30e-6);
    return going && runtime.advance();
  }
  double now() const { return now_; }
  double sent() const { return loop_.value(wire()); }

  Loop loop_;
  Runtime& runtime;
  Peer peer;

private:
  static std::string text(double period) { return std::to_string(period * 1e3) + " ms"; }
  static std::string body(DeviceKind kind, double cycle, const std::string& more) {
    const std::string port = kind == DeviceKind::pose ? "pose" : kind == DeviceKind::vector ? "vector" : "twist";
    const std::string limits = kind == DeviceKind::pose
                                   ? "position='2 m' rotation='1 rad' speed='0.2 m/s' angular_speed='1 "
                                     "rad/s' acceleration='4 m/s2' angular_acceleration='20 rad/s2'"
                               : kind == DeviceKind::vector ? "magnitude='2' rate='0.2' acceleration='4'"
                                                            : "speed='0.2 m/s' angular_speed='1 rad/s' acceleration='4 "
                                                              "m/s2' angular_acceleration='20 rad/s2' hold='100 ms'";
    return "<block name='device' type='probes/Device' paces='false' sample_time='" + text(cycle) +
           "'/><block name='hand' type='probes/Hand'/><block name='clock' type='sources/Clock'/>" +
           "<connect from='hand." + port + "' to='device." + port + "'/><limits on='device." + port + "' " + limits +
           " stop_time='20 ms'/>" + more;
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
  void pass(double time) {
    const double before = now_;
    now_ += time;
    if (before <= freeze_.from && freeze_.from < now_) now_ += freeze_.length;
    if (now_ > freeze_.from && now_ - freeze_.from < freeze_.length) now_ = freeze_.from + freeze_.length;
  }

  DeviceKind kind_;
  double period_, now_ = 0, due_ = 0, speed_ = 0;
  std::int64_t cycle_ = 0, overdue_ = 0;
  Freeze freeze_;
  double* command_ = nullptr;
};

constexpr const char* patient = "<realtime lost_in_a_row='1000'/>";

void expect_limits_kept(const TimedRun& run, const std::string& what) {
  EXPECT_LE(run.peer.most_acceleration, acceleration_limit * (1 + 1e-6)) << what;
  EXPECT_LE(run.peer.most_speed, speed_limit * (1 + 1e-6)) << what;
}

class AFreeze : public ::testing::TestWithParam<DeviceKind> {};

TEST_P(AFreeze, MakesNoStepOnTheWireHoweverLongItIs) {
  constexpr double begin = 0.2;
  for (const double period : {1e-3, 4e-3, 10e-3})
    for (const int divider : {1, 2, 3, 5})
      for (const double length : {2e-3, 3e-3, 4e-3, 6e-3, 9e-3, 16e-3, 50e-3, 90e-3, 97e-3, 104e-3, 300e-3, 0.99})
        for (const double phase : {0.0, 0.004, 0.013, 0.3, 0.52, 0.9}) {
          const Freeze freeze{begin + phase * period, length};
          TimedRun run(GetParam(), period, divider, freeze, patient);
          while (run.now() < begin + length + 0.4)
            ASSERT_TRUE(run.tick()) << run.runtime.ending().text << " at " << run.now();
          expect_limits_kept(run, std::to_string(period) + " s, each " + std::to_string(divider) + ", frozen for " +
                                      std::to_string(length) + " s at " + std::to_string(phase));
          EXPECT_GT(run.peer.most_speed, 0.14) << "it moved";
        }
}

TEST_P(AFreeze, OfMoreCyclesThanMayBeLostInARowEndsTheRunAtRest) {
  for (const double phase : {0.0, 0.01, 0.4}) {
    TimedRun run(GetParam(), 4e-3, 1, {0.2 + phase * 4e-3, 300e-3});
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
    TimedRun run(GetParam(), 4e-3, 1, {0.2, length});
    while (run.now() < 0.6) ASSERT_TRUE(run.tick()) << run.runtime.ending().text;
    expect_limits_kept(run, std::to_string(length));
  }
}

TEST_P(AFreeze, OnTheWayToRestKeepsTheLimitsToo) {
  for (const double length : {3e-3, 6e-3, 30e-3, 150e-3})
    for (const double phase : {0.0, 0.01, 0.4}) {
      TimedRun run(GetParam(), 4e-3, 1, {0.208 + phase * 4e-3, length}, patient);
      while (run.now() < 0.2) ASSERT_TRUE(run.tick());
      run.runtime.request_stop("an operator");
      int ticks = 0;
      while (run.tick()) ASSERT_LT(++ticks, 1000);
      expect_limits_kept(run, std::to_string(length) + " at " + std::to_string(phase));
      if (GetParam() == DeviceKind::twist) { EXPECT_EQ(run.sent(), 0); }
    }
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
    return sends ? found.stands ? "from rest" : "goes on" : "withheld";
  };
  EXPECT_STREQ(next(1), "goes on");
  EXPECT_STREQ(next(1), "goes on");
  EXPECT_STREQ(next(7), "from rest");
  for (int i = 0; i < 6; ++i) EXPECT_STREQ(next(0), "withheld");
  EXPECT_STREQ(next(1), "goes on");
}

} // namespace
} // namespace hilda::test
