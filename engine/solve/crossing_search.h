#pragma once

#include "engine/solve/methods/one_step_method.h"

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
  const Crossing& crossing(std::size_t i) const { return crossings_[i]; }
  double side(std::size_t i) const { return sides_[i]; }

  /// [loop] Takes the sides from these states, in which every block looks itself.
  void begin(double t, const std::vector<double>& x);
  /// [loop] Tells blocks their sides: after a checkpoint, or where other code may have had their memory.
  void tell() noexcept;
  /// [loop] The first time at which a side has changed along the method's last step, or none. Looks at `looks` evenly
  /// spaced times, and between two of them as closely as times can be told apart.
  std::optional<double> first(const OneStepMethod& method);
  /// [loop] Did the blocks of all that have changed there hold their sides until then?
  bool held() const { return held_; }
  /// [loop] Computes crossings at a time, from the states as they are: with outputs, and with derivatives.
  void compute(double t);
  /// [loop] They are computed: those that have changed their sides; they have the new ones now.
  const std::vector<std::size_t>& fire() noexcept;

  std::vector<double>& sides() { return sides_; }

private:
  void look(const OneStepMethod& method, double t);
  bool any_changed() const noexcept;
  double chord(double low, double high) const noexcept;
  std::optional<double> hidden(std::size_t k) const noexcept;
  double narrow(const OneStepMethod& method, double low, double high);

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
