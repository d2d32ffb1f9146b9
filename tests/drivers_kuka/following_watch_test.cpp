// SPDX-License-Identifier: BSD-3-Clause
// A robot that takes the answers and does not go along is found in every coordinate, and one that is only late is not.
#include "drivers/kuka_rsi/following_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hilda::kuka::test {
namespace {

using testing::HasSubstr;
using Finding = FollowingWatch::Finding;

constexpr double period = 4e-3;

struct Trial {
  double late = 0.02;      ///< s, of the robot
  double limit = HUGE_VAL; ///< of POSCORR, mm or deg
  double speed = 30;       ///< mm/s or deg/s, of a sine's largest
  double frequency = 0.5;  ///< Hz
  FollowingWatch::Rules rules{period, 60e-3, 1e-4};
  std::size_t at = 0;

  FollowingWatch watch{};
  Finding found = Finding::follows;
  double time = 0; ///< when it was found

  double command(double t) const {
    const double w = 2 * M_PI * frequency;
    return t < 0 ? 0 : speed / w * std::sin(w * t);
  }
  void run(double seconds) {
    for (int k = 0; k * period < seconds && found == Finding::follows; ++k) {
      time = k * period;
      FollowingWatch::Coordinates has{}, is{};
      has[at] = command(time);
      const double shown = std::clamp(command(time - late), -limit, limit);
      is[at] = std::round(shown / rules.step) * rules.step;
      found = watch.look(has, is, true, rules);
    }
  }
};

TEST(FollowingWatch, FindsWhatIsCutOffInEachCoordinate) {
  for (std::size_t at = 0; at < 7; ++at) {
    Trial trial;
    trial.at = at, trial.limit = 2;
    trial.run(2);
    EXPECT_EQ(trial.found, Finding::stands) << at;
    EXPECT_EQ(trial.watch.at, static_cast<int>(at));
    EXPECT_LT(trial.time, 0.5) << "before the command comes back";
    Sentence text;
    EXPECT_THAT(trial.watch.words(trial.found, trial.rules, text),
                HasSubstr(at < 6 ? std::string("does not move along ") + "xyzABC"[at] + ": the limits of POSCORR"
                                 : "does not move in its angle: the limits of POSCORR"));
    EXPECT_NEAR(trial.watch.place(), at < 3 ? 2e-3 : 2, 1e-9);
  }
}

TEST(FollowingWatch, LetsARobotBeAsLateAsResponseTime) {
  for (const double late : {0.0, 0.02, 0.06, 0.075})
    for (const double frequency : {0.2, 0.5, 2.0})
      for (std::size_t at = 0; at < 7; ++at) {
        Trial trial;
        trial.at = at, trial.late = late, trial.frequency = frequency;
        trial.run(6);
        EXPECT_EQ(trial.found, Finding::follows) << late << " " << frequency << " " << at << " " << trial.time;
      }
}

TEST(FollowingWatch, SaysThatResponseTimeIsTooSmallForALaterRobot) {
  Trial trial;
  trial.late = 0.15, trial.at = 4;
  trial.run(2);
  EXPECT_EQ(trial.found, Finding::never_moved);
  Sentence text;
  EXPECT_STREQ(trial.watch.words(trial.found, trial.rules, text),
               "the robot takes the answers and has not moved along B since it was led on, for 84.0 ms: it shows "
               "answers later than response_time (60.0 ms; give its dead time and more: hilda measure-delay), or it is "
               "held (deg from the start pose)");
}

TEST(FollowingWatch, DoesNotMistakeCoarsePosesForAHeldRobot) {
  for (const double step : {0.1, 0.01, 0.001})
    for (const double speed : {0.5, 2.0, 5.0, 12.0, 30.0})
      for (std::size_t at = 0; at < 7; ++at) {
        Trial trial;
        trial.at = at, trial.speed = speed, trial.rules.step = step;
        trial.run(4);
        EXPECT_EQ(trial.found, Finding::follows) << step << " " << speed << " " << at;
      }
}

TEST(FollowingWatch, CountsNothingAcrossACycleWithoutAnAnswer) {
  FollowingWatch watch;
  const FollowingWatch::Rules rules{period, 60e-3, 1e-4};
  FollowingWatch::Coordinates has{};
  for (int k = 0; k < 200; ++k) {
    has[2] += 0.4;
    EXPECT_EQ(watch.look(has, {}, k % 15 != 0, rules), Finding::follows) << k;
  }
}

} // namespace
} // namespace hilda::kuka::test
