// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/schedule/guards.h"
#include "engine/run/detail/solve/methods/method.h"
#include "engine/run/detail/solve/methods/right_hand_side.h"
#include "engine/run/detail/solve/past/signal_history.h"
#include "engine/run/memory.h"

#include <hilda/past.h>

#include <vector>

namespace hilda::run {

/// The inputs that blocks put out a while later, as the solver's curves have them. A time at which such a signal may
/// have jumped, or a derivative of it up to the order of the method, comes again one age later as the end of a step.
///
/// The time of a block that is not active stays.
class PastSignals final : public TimeListener {
public:
  /// Everything given must stay where it is.
  void bind(const System& system, const Memory& memory, RightHandSide& f, const GuardStates& guards,
            const Method& method);
  bool empty() const { return delays_.empty(); }
  /// s: no step may be longer, or it would ask for what it has yet to find; infinite where there is nothing.
  double shortest_age() const { return shortest_age_; }

  /// [loop] Steps of a tick follow. A signal that is reset now has no past.
  void enter(double t);
  /// [loop] Steps restart at this time: what was found beyond it does not count. `arrived`: as a break arrives, and
  /// for nothing else.
  void begin(double t, bool arrived);
  /// [loop] All outputs are those of the time at which steps begin: a signal that has jumped is distinguished from one
  /// with a kink.
  void note_jumps();
  /// [loop] When the next break arrives after this time, or infinite.
  double next_arrival(double after) const noexcept;
  /// [loop] Remembers a step that counts, as far as `to`.
  void remember(DenseOutput& step, double to);
  /// [loop] What was found beyond this time does not count; the steps behind it are made again.
  void cut(double t);
  /// [loop] Before outputs between two ticks.
  void passes(double t) override;
  /// [loop] Before outputs of a tick: the piece that begins there counts.
  void pass_tick(double t);

  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

private:
  struct Delay {
    Delay(std::size_t count, std::size_t degree) : elements(count), history(count, degree) {}
    double own(double t) const { return t - stood[0]; }
    bool stands() const { return stood[1] >= 0; }

    GuardIndex guard{};
    const hilda_past_1* ability = nullptr;
    void* record = nullptr;
    const double* input = nullptr;
    std::size_t elements;
    double age = 0;
    SignalHistory history;
    SignalHistory::Piece piece{};
    /// How long it was not active, and since when it is not; below 0: it is.
    double stood[2] = {0, -1};
  };
  double arrival(const Delay& delay, double time) const noexcept;
  double order_of_arrivals(double t) const noexcept;
  static void recall(const Delay& delay, const double* values);

  RightHandSide* f_ = nullptr;
  const GuardStates* guards_ = nullptr;
  std::vector<Delay> delays_;
  std::vector<double> x_;
  std::vector<std::span<double>> rooms_; ///< of the step that is remembered
  double shortest_age_ = 0, period_ = 0, near_ = 0;
  Rational base_;
  double most_order_ = 0;
  bool repeats_ = false;
  double passed_ = -1; ///< the tick that was passed last
};

} // namespace hilda::run
