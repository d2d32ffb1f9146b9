// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/events.h"
#include "engine/run/detail/solve/fixed_step.h"

#include <optional>
#include <vector>

namespace hilda::run {

/// Carries continuous states over one base tick with a fixed step that ends where a crossing changes its sign: there
/// blocks are notified, and a step over the rest of the tick follows. Between two events the equation is smooth, as
/// blocks hold their modes, and the states at any time are a shorter step of the method, so that the time of a crossing
/// is of the method's order. From tick to tick it remembers on which side crossings were last.
class LocatedStep final : public DenseOutput {
public:
  /// Everything given must stay where it is.
  void bind(const System& system, const Memory& memory, ContinuousPart& part, FixedStep& method, GuardStates& guards);

  /// [loop] Throws what a block throws. From `now` (the base tick's time) over `h`. Outputs of continuous blocks are as
  /// computed at `now`, before and after. False: it cannot continue, see `problem`.
  bool step(const hilda_tick& now, double h);

  const char* problem() const { return problem_; }
  BlockIndex culprit() const { return events_.last_block(); }
  const SolverStatistics& statistics() const { return statistics_; }
  SolverCounts counts() const;
  void count_from(const SolverCounts& counts);
  std::vector<SolverCause> event_causes() const { return events_.causes(); }

  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

  double from() const override { return t0_; }
  double to() const override { return t1_; }
  void at(double t, std::vector<double>& x) override;

private:
  bool begin(double t);
  bool advance();
  bool take_event(double t);
  bool bounces_for_ever();
  bool tell_chatter(double t);

  SolverStatistics statistics_;
  std::optional<RightHandSide> f_;
  FixedStep* method_ = nullptr;
  Events events_;
  double t0_ = 0, t1_ = 0, end_ = 0, least_ = 0; ///< least_: s, what is left of a tick at its end
  std::vector<double> x0_, x1_;
  hilda_control* control_ = nullptr; ///< of the tick
  char problem_[300] = {};
};

} // namespace hilda::run
