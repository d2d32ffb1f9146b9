// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/call_observer.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/schedule.h"

#include <vector>

namespace hilda::run {

/// Hears of times before outputs are computed.
class TimeListener {
public:
  virtual ~TimeListener() = default;
  /// [loop]
  virtual void passes(double time) = 0;
};

/// The continuous blocks of a system, as a differential equation: their states, and what these change by. What discrete
/// blocks put out stays as the last tick left it.
class ContinuousPart {
public:
  /// `running`: takes the call that runs, for anyone who asks after a crash. `modes`: is used at events. `observer`:
  /// makes the calls; or null.
  void bind(const Schedule& schedule, const GuardStates& guards, RunningCall& running, ModeWitness& modes,
            CallObserver* observer);
  std::size_t size() const { return size_; }
  void listen(TimeListener* listener) { listener_ = listener; }

  /// [loop] Minor steps of this tick follow. `control`: what their blocks write a verdict to.
  /// `located`: crossings are, and blocks compute as their sides say.
  void enter(const hilda_tick& now, hilda_control* control, bool located) noexcept;
  const hilda_tick& tick() const { return tick_; }
  /// [loop] Outputs of the tick, which minor steps overwrite, and which are held. Those of a block that is not active
  /// any more stay as it left them.
  void save_outputs() noexcept;
  void restore_outputs() noexcept;
  /// [loop] All outputs at a time, from the states as they are.
  void outputs_at(double time);
  /// [loop] Derivatives, from outputs and states as they are; 0 where a guard is closed.
  void derivatives(std::vector<double>& k);
  void get_state(std::vector<double>& x) const noexcept;
  void put_state(const std::vector<double>& x) noexcept;
  /// [loop] x0 + h k
  void put_state(const std::vector<double>& x0, const std::vector<double>& k, double h) noexcept;
  void project() { call(schedule_->project); }

  const Schedule& schedule() const { return *schedule_; }
  RunningCall& running() { return *running_; }
  ModeWitness& modes() { return *modes_; }

private:
  void call(const std::vector<Call>& calls);

  const Schedule* schedule_ = nullptr;
  const GuardStates* guards_ = nullptr;
  RunningCall* running_ = nullptr;
  ModeWitness* modes_ = nullptr;
  CallObserver* observer_ = nullptr;
  TimeListener* listener_ = nullptr;
  std::size_t size_ = 0;
  hilda_tick tick_{};
  std::vector<unsigned char> outputs_;
};

} // namespace hilda::run
