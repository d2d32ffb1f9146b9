// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/wire/witness/arm.h"
#include "tests/wire/witness/capture.h"

#include <functional>
#include <optional>
#include <random>

namespace witness {

/// The robot's end of RSI with a separate clock. Each cycle it sends a telegram, and at the cycle's end takes the
/// answer that carries its IPOC; any other is not an answer, and counts in Delay as on a KRC.
class Robot {
public:
  using Send = std::function<void(const std::string&)>;
  Robot(const Script& script, Arm& arm, Capture& capture, Send send);

  void start(Instant at) { next_ = at; }
  /// When it must be called next.
  Instant due() const { return next_; }
  /// A millisecond of its clock is over.
  void tick();
  void deliver(const std::string& answer);

  void freeze(Instant until);      ///< the whole controller is at rest
  void restart_rsi(Instant pause); ///< RSI ends and restarts: IPOC, Delay and corrections from zero
  /// The same, but IPOC continues with the controller's clock.
  void restart_rsi_on_time(Instant pause);
  /// From the next cycle on: a cycle that has begun keeps the one of its telegram.
  void set_ipoc(std::int64_t ipoc) { next_ipoc_ = ipoc; }
  void leap_by(std::int64_t more) { next_ipoc_ = ipoc_ + ipoc_step_ + more; }
  void brake();                        ///< stops where it is, reports that, and continues sending
  void unplug(const std::string& why); ///< RSI ends
  bool running() const { return running_; }
  /// When an answer first asked for a motion; `never` before.
  Instant moved_at() const { return moved_at_; }
  std::int64_t ipoc() const { return ipoc_; }
  std::string telegram();

private:
  void begin_cycle();
  void end_cycle();
  void take(const std::array<double, 6>& correction);
  void clamp();

  Arm& arm_;
  Capture& capture_;
  Send send_;
  Instant next_ = never;
  int cycle_, tick_ = 0; ///< ms
  std::int64_t ipoc_, ipoc_step_, ipoc_modulus_;
  std::optional<std::int64_t> next_ipoc_;
  bool relative_, in_a_row_, running_ = true, braked_ = false;
  bool answered_ = false; ///< an answer came, be it the right one or not: from then on it counts
  int decimals_, timeout_;
  double clamp_, clamp_turn_, monitor_; ///< mm, deg, mm
  double noise_;                        ///< mm, of RIst
  std::mt19937_64 random_;
  Eigen::Isometry3d programmed_; ///< RSol: the path without corrections
  std::int64_t delay_ = 0;
  std::optional<std::array<double, 6>> answer_; ///< of this cycle
  bool stop_asked_ = false;
  Offset asked_ = Offset::Zero(), way_from_ = Offset::Zero(), origin_ = Offset::Zero();
  Instant moved_at_ = never;
};

} // namespace witness
