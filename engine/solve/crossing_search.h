#pragma once

#include "engine/solve/methods/curve.h"
#include "engine/solve/methods/right_hand_side.h"

#include <array>
#include <optional>
#include <vector>

namespace hilda {

/// On which side of zero each crossing stands, and when along a step the first of them changes it. One that begins at
/// zero has no side yet: it takes the first that it comes to, and that is no event.
class CrossingSearch {
public:
  void bind(std::vector<Crossing> crossings, RightHandSide& f);
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
  std::optional<double> first(Curve& curve);
  /// [loop] Did the blocks of all that have changed there hold their sides until then?
  bool held() const { return held_; }
  /// [loop] Computes crossings at a time, from the states as they are: with outputs, and with derivatives.
  void compute(double t);
  /// [loop] They are computed: those that have changed their sides; they have the new ones now.
  const std::vector<std::size_t>& fire() noexcept;

  std::vector<double>& sides() { return sides_; }

private:
  void look(Curve& curve, double t);
  bool any_changed() const noexcept;
  double chord(double low, double high) const noexcept;
  std::optional<double> hidden(std::size_t k) const noexcept;
  double narrow(Curve& curve, double low, double high);

  static constexpr std::size_t looks = 4;
  RightHandSide* f_ = nullptr;
  std::vector<Crossing> crossings_;
  std::vector<double> sides_;                         ///< -1, 0 or 1
  std::vector<double> low_, high_, last_high_;        ///< values at the ends of a bracket
  std::array<std::vector<double>, looks + 1> values_; ///< at every look
  std::vector<double> x_, slope_;
  bool held_ = false;
  std::vector<std::size_t> fired_;
};

} // namespace hilda
