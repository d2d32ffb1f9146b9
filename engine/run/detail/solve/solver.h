// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/fixed_step.h"
#include "engine/run/detail/solve/located_step.h"
#include "engine/run/detail/solve/variable_step.h"
#include "engine/run/late_events.h"
#include "engine/run/step_length.h"

#include <memory>

namespace hilda::run {

/// Carries continuous states from tick to tick: by a fixed step, or by one as long as an error allows.
class Solver {
public:
  /// Everything given must stay where it is. False after errors (reported). `running`: takes the call that runs.
  /// `modes`: is used at events. `observer`: makes the calls of minor steps; or null.
  bool bind(const System& system, const Memory& memory, const Schedule& schedule, GuardStates& guards,
            const SolverSettings& settings, RunningCall& running, ModeWitness& modes, CallObserver* observer,
            Diagnostics& diagnostics);
  bool idle() const { return part_.size() == 0; }

  /// [loop] Throws what a block throws. From the tick `tick` at `now` over `h` to `until`, the time of the next one.
  /// Outputs of continuous blocks are as computed at `now`, before and after. False: see `problem`.
  bool step(const hilda_tick& now, std::int64_t tick, double h, double until) {
    if (variable_ != nullptr) return variable_->step(now, tick, until);
    if (located_ != nullptr) return located_->step(now, h);
    if (late_ != nullptr) late_->begin();
    fixed_.step(now, h);
    if (late_ != nullptr) late_->look(now, tick, h);
    fixed_.leave();
    return true;
  }
  /// [loop] Parameters are others now, or states.
  void forget() noexcept {
    if (variable_ != nullptr) variable_->forget();
  }
  const char* problem() const {
    return variable_ != nullptr ? variable_->problem() : located_ != nullptr ? located_->problem() : "";
  }
  BlockIndex culprit() const {
    return variable_ != nullptr ? variable_->culprit() : located_ != nullptr ? located_->culprit() : BlockIndex();
  }

  /// Between two ticks, of a simulation with a fixed step: looks whether the step is short enough for what the states
  /// do, at the times at which that is due. No bit of the run changes.
  void look_at_step(const hilda_tick& now, std::int64_t tick);
  /// What these looks have found; null before the first.
  const StepLengthFinding* step_length() const { return watched_ != nullptr ? &watched_->worst() : nullptr; }
  /// Before the first step of a simulation: from there on these are looked for, where steps are fixed and locate none.
  void watch_events(const std::vector<TickEvent>& events, const Memory& memory, const GuardStates& guards);
  bool takes_one_step_a_tick() const { return variable_ == nullptr && located_ == nullptr && part_.size() > 0; }
  /// What was found of them; null where no one looks.
  const LateEvents* late_events() const { return late_.get(); }
  /// "servo.x", and its block: by its place among all states.
  std::string state_name(std::size_t state) const { return find_state(state).name; }
  BlockIndex state_block(std::size_t state) const { return find_state(state).block; }

  const SolverSettings& settings() const { return settings_; }
  /// Null where the step is fixed, or there is nothing to carry.
  const VariableStep* variable() const { return variable_.get(); }
  /// Null but where the step is fixed and crossings are located.
  const LocatedStep* located() const { return located_.get(); }

  /// All that is counted so far, and from there on: of a run that goes back the final history counts.
  SolverCounts counts() const;
  void count_from(const SolverCounts& counts);

  /// For checkpoints: nothing of a fixed step without located crossings.
  void save(std::vector<unsigned char>& bytes) const {
    if (variable_ != nullptr) variable_->save(bytes);
    if (located_ != nullptr) located_->save(bytes);
  }
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at) {
    if (located_ != nullptr) return located_->load(bytes, at);
    return variable_ == nullptr || variable_->load(bytes, at);
  }

private:
  struct State {
    BlockIndex block;
    std::string name;
  };
  State find_state(std::size_t state) const;

  SolverSettings settings_;
  ContinuousPart part_;
  FixedStep fixed_;
  std::unique_ptr<LocatedStep> located_;
  std::unique_ptr<VariableStep> variable_;
  std::unique_ptr<StepLength> watched_;
  std::unique_ptr<LateEvents> late_;
  const System* system_ = nullptr;
};

} // namespace hilda::run
