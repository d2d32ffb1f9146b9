// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/dense_output.h"
#include "engine/run/detail/solve/methods/right_hand_side.h"

#include <array>
#include <optional>
#include <vector>

namespace hilda::run {

/// On which side of zero each crossing is, and when along a step the first of them changes it. At zero it has no side.
/// Where it leaves zero the step ends, so that its block computes as the new side says; that is an event where the last
/// side that was not zero was the other one.
class CrossingSearch {
public:
  /// `tick`: s, of the base period.
  void bind(std::vector<Crossing> crossings, RightHandSide& f, double tick);
  bool empty() const { return crossings_.empty(); }
  /// [loop] None can change its sign until blocks hear of an event or steps restart: all are infinite.
  bool idle() const noexcept;
  const Crossing& crossing(std::size_t i) const { return crossings_[i]; }
  double side(std::size_t i) const { return sides_[i]; }

  /// [loop] Forgets the sides, and computes crossings in these states: every block looks itself.
  void forget(double t, const std::vector<double>& x);
  /// [loop] Takes the sides as crossings are computed.
  void take_sides() noexcept;
  /// [loop] Gives blocks their sides: after a checkpoint, or where other code may have had their memory.
  void tell() noexcept;
  /// [loop] The first time at which a side has changed along a step, or none. Looks at `looks` evenly
  /// spaced times, and between two of them as closely as times can be distinguished.
  std::optional<double> first(DenseOutput& dense);
  /// [loop] Did the blocks of all that have changed there hold their sides until then?
  bool held() const { return held_; }
  /// [loop] The event of one led it back, and it was not seen back before it continued: it went through what it should
  /// have bounced off, in a bounce too small to be seen in this step.
  bool went_through() const { return went_through_; }
  /// [loop] Computes crossings at a time, from the states as they are: with outputs, and with derivatives.
  void compute(double t);
  /// [loop] They are computed: those that have come from one side to the other; they have the new ones now.
  const std::vector<std::size_t>& fire() noexcept;
  /// [loop] Steps restart and crossings are computed: those that are at zero and about to leave it have the side
  /// that they leave for. The same list as of `fire`.
  const std::vector<std::size_t>& leave_zero(double t);
  /// [loop] How many these gave another side, with those that came to zero or left it without an event.
  int turned() const { return turned_; }
  /// [loop] The events of those that fired write states. True where one did so a moment before, at a time that can
  /// hardly be distinguished from this one: it is too close to zero to say on which side it is.
  bool note_written(double t) noexcept;
  /// For methods whose first steps after an event are too coarse to say more: events that are not further apart, in
  /// seconds, count as one.
  void set_least_apart(double seconds) noexcept { least_apart_ = seconds; }
  /// [loop] All events of this time are over; crossings are computed as they leave the states. False, of such methods:
  /// an event that writes states leads on beyond zero, where that of less than a tick before led back. The curve of the
  /// step was too coarse for a bounce so small.
  bool settle(double t);

  std::vector<double>& sides() { return sides_; }
  /// By crossing: the last side that was not 0; 0 where there was none yet.
  std::vector<double>& last_sides() { return last_sides_; }
  const std::vector<double>& last_sides() const { return last_sides_; }
  /// By crossing: how far beyond zero it was when its event led it back, until it is back; -1 of all others.
  std::vector<double>& beyond() { return beyond_; }
  const std::vector<double>& beyond() const { return beyond_; }
  /// By crossing: when its event wrote states last; -1 before.
  std::vector<double>& written() { return written_; }
  const std::vector<double>& written() const { return written_; }
  /// By crossing: when an event that wrote states led it back, as a ball that bounces; -1 where the last one did not.
  /// Only of methods with `set_least_apart`.
  std::vector<double>& bounced() { return bounced_; }
  const std::vector<double>& bounced() const { return bounced_; }
  /// By crossing: its value, also of a block that is not active, which computes none: for a checkpoint.
  std::vector<double>& levels() { return levels_; }
  void note_levels();
  void put_levels() noexcept;
  /// By crossing, not 0: it comes to zero and stays there for a look.
  std::vector<double>& rests() { return rests_; }

private:
  void look(DenseOutput& dense, double t);
  void measure_rates(double t);
  bool changes(std::size_t i, double value) const noexcept;
  bool any_changed() const noexcept;
  void turn(std::size_t i, double side);
  void change_along(double t, double beside);
  void note_rests(std::size_t k) noexcept;
  bool leaves_zero() const noexcept;
  double narrow_from_begin(DenseOutput& dense);
  void note_held() noexcept;
  bool missed_a_bounce() noexcept;
  double chord(double low, double high) const noexcept;
  std::optional<double> hidden(std::size_t k) const noexcept;
  double narrow(DenseOutput& dense, double low, double high);

  static constexpr std::size_t looks = 4;
  RightHandSide* f_ = nullptr;
  std::vector<Crossing> crossings_;
  std::vector<double> sides_;                         ///< -1, 0 or 1
  std::vector<double> last_sides_;                    ///< the last that was not 0
  std::vector<double> low_, high_, last_high_;        ///< values at the ends of a bracket
  std::array<std::vector<double>, looks + 1> values_; ///< at every look
  std::vector<double> x_, slope_;
  std::vector<double> rests_, beyond_, written_, bounced_, levels_;
  bool held_ = false, went_through_ = false;
  int turned_ = 0;
  double least_apart_ = 0; ///< s
  enum : unsigned char { untold, at_zero, beyond_zero };
  std::vector<unsigned char> told_; ///< by crossing: where it was when it fired at this time
  std::vector<std::size_t> fired_;  ///< in this round
  std::vector<std::size_t> rated_;  ///< crossings of which the rate counts
  std::vector<double> here_, rates_, after_;
  double tick_ = 0;         ///< s
  double beside_ = 0;       ///< s: how far to either side a rate is measured
  double beside_event_ = 0; ///< s: the same where an event leads a crossing
};

} // namespace hilda::run
