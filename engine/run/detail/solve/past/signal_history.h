// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hilda::run {

/// What a signal was, step by step: in each the polynomial through its values at Chebyshev's points, which has the
/// digits of the solver's own curve. Next to it the times at which the signal or a derivative of it may jump.
class SignalHistory {
public:
  /// `elements` of the signal; `degree` of the polynomials.
  SignalHistory(std::size_t elements, std::size_t degree);

  /// A time at which the derivative of this order may jump; 0: the signal itself. It is a double for checkpoints.
  struct Break {
    double time, order;
  };
  /// What lies between two breaks is smooth.
  struct Piece {
    double begin, end;
  };

  /// [loop] Room for one more step, from `from` to `to`: its values, the elements of each point one behind the other.
  std::span<double> add(double from, double to);
  /// When the i-th point of a step is.
  double point(std::size_t i, double from, double to) const noexcept;
  std::size_t points() const { return weights_.size(); }

  /// [loop] What is later is not so any more.
  void cut(double time) noexcept;
  /// [loop] No one will ask for what is earlier.
  void drop(double time) noexcept;
  void forget() noexcept;

  void add_break(Break at) { breaks_.push_back(at); }
  std::vector<Break>& breaks() { return breaks_; }
  const std::vector<Break>& breaks() const { return breaks_; }
  /// The piece that a time is in, or begins but for `near`.
  Piece piece(double time, double near) const noexcept;
  /// [loop] The values at a time, as the curves of a piece have them; null before the first one.
  const double* at(double time, Piece piece);
  /// [loop] The same where the newest step ends.
  const double* end();

  void save(std::vector<unsigned char>& bytes) const;
  bool load(const std::vector<unsigned char>& bytes, std::size_t& at);

private:
  struct Step {
    double begin, end; ///< of the polynomial
    double until;      ///< where it does not count any more
  };
  const double* values_at(std::size_t step, double time);

  std::size_t elements_;
  std::vector<double> nodes_, weights_; ///< of the points, on -1 to 1
  std::vector<Step> steps_;
  std::vector<double> values_; ///< of all points of all steps
  std::vector<Break> breaks_;
  std::vector<double> found_;
};

} // namespace hilda::run
