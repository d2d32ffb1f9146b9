// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/kuka_frame.h"
#include "drivers/kuka_rsi/sentence.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hilda::kuka {

/// [loop] Sees where a robot takes its answers and does not go along: POSCORR cuts a correction off at its limits
/// without a word, coordinate by coordinate, and the robot would start again with a jerk where the command comes back.
///
/// Coordinates are those of the correction from the start pose: X Y Z (mm), A B C and, last, its whole angle (deg),
/// which MaxRotAngle limits.
struct FollowingWatch {
  struct Rules {
    double period = 4e-3;         ///< s
    double response_time = 60e-3; ///< s: a robot shows an answer that late at the most
    double step = 1e-6;           ///< mm and deg: one step of the poses that it sends
  };
  using Coordinates = std::array<double, 7>;
  enum class Finding { follows, stands, never_moved };

  Coordinates had{}, was{}; ///< of the tick before: what the robot had, where it was
  Coordinates led{};        ///< ticks in which each coordinate was led on in one direction, with its sign
  Coordinates stood{};      ///< ticks in which it did not move along
  int at = -1;              ///< the coordinate that was found

  /// From one pose to another.
  static Coordinates between(const Pose& from, const Pose& to, CorrectionFrame frame) {
    const Six six = correction_between(from, to, frame);
    const double cosine = std::min(1.0, std::fabs(from.orientation.dot(to.orientation)));
    return {six[0], six[1], six[2], six[3], six[4], six[5], 2 * std::acos(cosine) * 180 / M_PI};
  }

  /// One tick. `counts`: the last answer was taken, and this tick's pose is new.
  Finding look(const Coordinates& has, const Coordinates& is, bool counts, const Rules& rules) {
    const Coordinates had_before = had, was_before = was;
    had = has, was = is, at = -1;
    if (!counts) {
      led = stood = {};
      return Finding::follows;
    }
    const bool turned_away = std::fabs(has[4]) > near_pole || std::fabs(is[4]) > near_pole; // A and C mean little
    for (std::size_t i = 0; i < had.size(); ++i) {
      const double lead = has[i] - had_before[i], sign = lead < 0 ? -1 : 1;
      // Slower than that, the poses' last decimal hides the motion.
      const double least = std::max((i < 3 ? led_speed : led_turn) * rules.period, 0.4 * rules.step);
      const bool leads = std::fabs(lead) > least && !(i >= 3 && i < 6 && turned_away);
      led[i] = !leads ? 0 : led[i] * sign > 0 ? led[i] + sign : sign;
      stood[i] = leads && std::fabs(is[i] - was_before[i]) < 0.05 * std::fabs(lead) ? stood[i] + 1 : 0;
      const bool stands = stood[i] >= std::max(5.0, stands_for / rules.period);
      if (stands && std::fabs(led[i]) * rules.period > rules.response_time + stands_for) at = static_cast<int>(i);
    }
    if (at < 0) return Finding::follows;
    const auto i = static_cast<std::size_t>(at);
    return stood[i] >= std::fabs(led[i]) ? Finding::never_moved : Finding::stands;
  }

  /// Why the run ends.
  const char* words(Finding finding, const Rules& rules, Sentence& to) const {
    if (at < 0) return "";
    static constexpr std::array<const char*, 7> along{" along x", " along y", " along z",     " along A",
                                                      " along B", " along C", " in its angle"};
    const char* const axis = along[static_cast<std::size_t>(at)];
    if (finding == Finding::stands)
      to.begin() << "the robot takes the answers and does not move" << axis
                 << ": the limits of POSCORR cut the correction off, or it is held (" << (at < 3 ? "m" : "deg")
                 << " from the start pose)";
    else
      to.begin() << "the robot takes the answers and has not moved" << axis << " since it was led on, for "
                 << std::fabs(led[static_cast<std::size_t>(at)]) * rules.period * 1e3
                 << " ms: it shows answers later than response_time (" << rules.response_time * 1e3
                 << " ms; give its dead time and more: hilda measure-delay), or it is held (" << (at < 3 ? "m" : "deg")
                 << " from the start pose)";
    return to.text();
  }
  /// Where that coordinate is, m or deg.
  double place() const { return at < 0 ? 0 : was[static_cast<std::size_t>(at)] * (at < 3 ? 1e-3 : 1); }

private:
  static constexpr double led_speed = 10, led_turn = 1; ///< mm/s and deg/s of a command that a robot must follow
  static constexpr double stands_for = 0.020;           ///< s
  static constexpr double near_pole = 80;               ///< deg
};

} // namespace hilda::kuka
