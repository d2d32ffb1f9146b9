#pragma once

#include "engine/solve/methods/dense_output.h"
#include "engine/solve/methods/right_hand_side.h"

#include <array>
#include <optional>
#include <vector>

namespace hilda {

/// On which side of zero each crossing stands, and when along a step the first of them changes it. One that begins at
/// zero has no side yet: it takes the first that it comes to, and that is no event.
class CrossingSearch {
public:
  /// `tick`: s, of the base period.
  void bind(std::vector<Crossing> crossings, RightHandSide& f, double tick);
  bool empty() const { return crossings_.empty(); }
  /// [loop] None can change its sign until blocks are told of an event or steps begin anew: all are infinite.
  bool idle() const noexcept;
  const Crossing& crossing(std::size_t i) const { return crossings_[i]; }
  double side(std::size_t i) const { return sides_[i]; }

  /// [loop] Forgets the sides, and computes crossings in these states: every block looks itself.
  void forget(double t, const std::vector<double>& x);
  /// [loop] Takes the sides as crossings are computed.
  void take_sides() noexcept;
  /// [loop] Tells blocks their sides: after a checkpoint, or where other code may have had their memory.
  void tell() noexcept;
  /// [loop] The first time at which a side has changed along a step, or none. Looks at `looks` evenly
  /// spaced times, and between two of them as closely as times can be told apart.
  std::optional<double> first(DenseOutput& dense);
  /// [loop] Did the blocks of all that have changed there hold their sides until then?
  bool held() const { return held_; }
  /// [loop] One was set to zero by its event and has gone on to the side that it came to: it went through what it
  /// should have bounced off, in bounces too small to be told apart.
  bool went_through() const { return went_through_; }
  /// [loop] Computes crossings at a time, from the states as they are: with outputs, and with derivatives.
  void compute(double t);
  /// [loop] They are computed: those that have changed their sides; they have the new ones now.
  const std::vector<std::size_t>& fire() noexcept;
  /// [loop] All events of this time are over.
  void settle() noexcept;

  std::vector<double>& sides() { return sides_; }
  /// By crossing, not 0: it fired last, and its event has set it to zero. Until the step after it.
  std::vector<double>& at_zero() { return at_zero_; }

private:
  void look(DenseOutput& dense, double t);
  void measure_rates(double t);
  bool any_changed() const noexcept;
  bool left_by_the_side_it_came_to() noexcept;
  double chord(double low, double high) const noexcept;
  std::optional<double> hidden(std::size_t k) const noexcept;
  double narrow(DenseOutput& dense, double low, double high);

  static constexpr std::size_t looks = 4;
  RightHandSide* f_ = nullptr;
  std::vector<Crossing> crossings_;
  std::vector<double> sides_;                         ///< -1, 0 or 1
  std::vector<double> low_, high_, last_high_;        ///< values at the ends of a bracket
  std::array<std::vector<double>, looks + 1> values_; ///< at every look
  std::vector<double> x_, slope_;
  bool held_ = false, went_through_ = false;
  std::vector<double> at_zero_;
  std::vector<unsigned char> told_; ///< by crossing: it has fired at this time
  std::vector<std::size_t> fired_;  ///< in this round
  std::vector<std::size_t> rated_;  ///< crossings of which the rate counts
  std::vector<double> here_, rates_;
  double beside_ = 0; ///< s: how far to either side a rate is measured
};

} // namespace hilda
