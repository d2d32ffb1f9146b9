// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/tick_event.h"
#include "engine/modules.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/detail/solve/fixed_step.h"
#include "engine/run/detail/solve/methods/solver_statistics.h"

#include <cstdint>
#include <vector>

namespace hilda::run {

/// Looks after each fixed step for such events in it, and how long they have to wait for their tick. No bit of the run
/// changes.
class LateEvents {
public:
  /// Everything given must stay where it is.
  LateEvents(const std::vector<TickEvent>& events, const System& system, const Memory& memory,
             const GuardStates& guards, ContinuousPart& part, FixedStep& method);

  /// [loop] A step begins. Outputs are those of the tick.
  void begin() noexcept;
  /// [loop] It has ended: states and outputs are those of its end. Outputs of continuous blocks may be others after it.
  void look(const hilda_tick& now, std::int64_t tick, double h) noexcept;

  struct Found {
    TickEvent event;
    std::int64_t count = 0;
    double latest = 0; ///< s, from the event to the tick that it acts at
  };
  /// Those that happened; none with a count of 0.
  std::vector<Found> found() const;
  bool any() const noexcept;

  /// See SolverCounts; none: nothing was counted before.
  std::vector<LateCount> counts() const;
  void count_from(const std::vector<LateCount>& counts);

private:
  /// Values that are compared, or put back.
  struct Copy {
    std::vector<Span> spans;
    std::vector<unsigned char> bytes;
    void add(const Span& span);
    void take() noexcept;
    void put() const noexcept;
    bool same() const noexcept;
  };
  struct Watched {
    TickEvent event;
    LateCount found;
    const hilda_block_type* type = nullptr;
    void* record = nullptr;
    GuardIndex under{};       ///< it runs under this condition
    std::int64_t divider = 1; ///< ticks between two of its looks
    Copy seen, states;
  };
  void watch_conditions(Watched& watched, const System& system, const Memory& memory) const;
  void watch_block(Watched& watched, const System& system, const Memory& memory) const;
  void note_mode(Watched& watched) noexcept;
  void look_inside(Watched& watched, double h);
  void look_for_instant(Watched& watched, double h);
  std::uint64_t mode_by(Watched& watched, double time);
  std::uint64_t mode_at(Watched& watched, double time);
  std::uint64_t mode_ahead(Watched& watched, double after);
  void look_at(Watched& watched, std::int64_t tick, double h);
  bool happened(Watched& watched, double time);
  bool happened_by(Watched& watched, double time);
  double event_time(Watched& watched, double h, int halvings);

  const GuardStates& guards_;
  ContinuousPart& part_;
  FixedStep& method_;
  std::vector<Watched> watched_;
  std::vector<double> x0_, x1_, slope_;
  hilda_tick now_{};
  hilda_control trial_{};
};

} // namespace hilda::run
