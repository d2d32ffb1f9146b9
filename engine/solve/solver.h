#pragma once

#include "engine/schedule/guards.h"
#include "engine/schedule/schedule.h"

#include <vector>

namespace hilda {

enum class SolverKind : std::uint8_t { euler, rk4 };

/// Carries continuous states over one base tick with a fixed step, and locates the sign changes of `crossing` outputs:
/// a step that contains one is split there, so that a contact does not spoil the order of the method.
class Solver {
public:
  /// `running`: takes the call that runs, for whoever asks after a crash.
  void bind(const Schedule& schedule, const GuardStates& guards, SolverKind kind, RunningCall& running);
  bool idle() const { return schedule_->integrated.empty(); }

  /// [loop] Throws what a block throws. From `now` (the base tick's time) over `h`. Outputs of continuous blocks are as
  /// computed at `now`, before and after.
  void step(const hilda_tick& now, double h);

private:
  void save_outputs() noexcept;
  void restore_outputs() noexcept;
  void outputs_at(double time);
  void derivatives(std::vector<double>& k);
  void set_state(const std::vector<double>& x0, const std::vector<double>& k, double h) noexcept;
  void get_state(std::vector<double>& x) const noexcept;
  void put_state(const std::vector<double>& x) noexcept;
  void advance_from(const std::vector<double>& x0, double time, double h);
  bool smooth(double time, double h);
  double cross(double time, double h);
  void call(const std::vector<Call>& calls);

  const Schedule* schedule_ = nullptr;
  const GuardStates* guards_ = nullptr;
  RunningCall* running_ = nullptr;
  SolverKind kind_ = SolverKind::rk4;
  hilda_tick tick_{};
  std::vector<double> x0_, k1_, k2_, k3_, k4_;
  std::vector<double> before_; ///< crossings at the beginning of a step
  bool crossed_ = false;       ///< one of them has changed its sign since
  std::vector<unsigned char> outputs_;
};

} // namespace hilda
