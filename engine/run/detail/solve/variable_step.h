// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/run/detail/solve/events.h"
#include "engine/run/detail/solve/held_values.h"
#include "engine/run/detail/solve/methods/method.h"
#include "engine/run/detail/solve/methods/right_hand_side.h"
#include "engine/run/detail/solve/past/past_signals.h"

#include <memory>
#include <string>
#include <vector>

namespace hilda::run {

/// Carries continuous states with steps as long as the tolerances allow, over as many ticks as that is: a tick reads
/// the curve through a step. A step restarts where something that it takes as given has changed: a value of a
/// discrete block that reaches a continuous one, a state that a block wrote, a guard, a parameter; and where a crossing
/// changes its sign.
class VariableStep {
public:
  /// Null after errors (reported). Everything given must stay where it is.
  static std::unique_ptr<VariableStep> create(const System& system, const Memory& memory, ContinuousPart& part,
                                              GuardStates& guards, const SolverSettings& settings,
                                              Diagnostics& diagnostics);

  /// [loop] Throws what a block throws. From the tick `tick` at `now` to `until`, the time of the next one. Outputs of
  /// continuous blocks are as computed at `now`, before and after. False: it cannot continue, see `problem`.
  bool step(const hilda_tick& now, std::int64_t tick, double until);
  /// [loop] Parameters are others now.
  void forget() noexcept { forgotten_ = true; }

  const char* problem() const { return problem_; }
  BlockIndex culprit() const { return culprit_; }
  const SolverStatistics& statistics() const { return counts_.of_steps; }
  SolverCounts counts() const;
  /// As they were when the run was where it has gone back to.
  void count_from(const SolverCounts& counts);
  /// Who forced restarts, and which states had the largest part in a step's error; the most frequent first.
  std::vector<SolverCause> restart_causes() const;
  std::vector<SolverCause> event_causes() const { return events_.causes(); }
  std::vector<SolverCause> limiting_states() const;

  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

private:
  VariableStep(const System& system, const Memory& memory, ContinuousPart& part, const SolverSettings& settings);
  bool begin(double t);
  void note_begin() noexcept;
  void repeat(const hilda_tick& now, std::int64_t tick);
  double time_of(std::int64_t tick) const noexcept;
  double limit_of(std::int64_t hit) const noexcept;
  double longest() const noexcept;
  bool restarts(std::int64_t tick) noexcept;
  bool advance(double limit, double longest);
  void note_past(double t);
  bool take_event();
  bool accept(double to);
  bool chatters(double t) noexcept;
  bool bounces_for_ever(double t) noexcept;
  void note_step() noexcept;
  bool give_up(double shortest) noexcept;
  bool too_many_steps() noexcept;
  /// Everything that the steps to come depend on, but for held_.
  std::vector<std::span<double>> numbers();
  std::string state_name(std::size_t state) const;
  BlockIndex owner_of(std::size_t state) const noexcept;

  const System& system_;
  const Memory& memory_;
  const SolverSettings settings_;
  SolverCounts counts_; ///< but for events
  RightHandSide f_;
  std::unique_ptr<Method> method_;
  Events events_;
  HeldValues held_;
  PastSignals past_;
  const double period_;
  std::vector<double> x_, given_; ///< given_: the states as the last tick was given them
  double begun_ = 0;              ///< 0: not yet
  /// 1: at event_ a crossing changes its sign, and the step counts up to there; 2: a break of the past arrives.
  double pending_ = 0, event_ = 0;
  bool forgotten_ = false;
  /// Where the method began last, for one that repeats its steps after a checkpoint: they have yet to be.
  struct Begin {
    double tick = 0;
    std::vector<double> sides, last_sides, beyond, written, bounced;
    std::vector<unsigned char> restless, restless_later;
  } last_begin_;
  bool to_repeat_ = false;
  std::int64_t tick_ = 0;
  BlockIndex culprit_;
  char problem_[400] = {};
};

} // namespace hilda::run
