// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/dense_output.h"

#include <cstddef>
#include <span>
#include <vector>

namespace hilda::run {

/// What an error may be, in SI: of each state |e| <= absolute + relative |x|, in the mean over their squares.
struct Tolerances {
  double relative = 0;
  std::vector<double> absolute;
};

/// Goes from one time to the next, as far as an error estimate allows, and gives the states at every time of its last
/// step.
class Method : public DenseOutput {
public:
  /// [loop] From this state on, without what was before. `longest`: of the steps to come.
  virtual void begin(double t, const std::vector<double>& x, double longest) = 0;
  /// [loop] One step that ends at `limit` at the latest and is no longer than `longest`. False where it would be
  /// shorter than `shortest`: the error stays too large, or a block objects.
  virtual bool step(double limit, double longest, double shortest) = 0;
  /// [loop] Takes the last step back: the next one begins where it began. False: it cannot.
  virtual bool undo() noexcept = 0;
  virtual const std::vector<double>& end_state() const = 0;
  /// [loop] Where the step ends, another state: what projection made of it.
  virtual void replace_end(const std::vector<double>& x) = 0;
  /// The state that had the largest part in the error of the last try.
  virtual std::size_t worst() const = 0;

  /// Of the polynomials that `at` gives, at the most.
  virtual int curve_degree() const { return 4; }

  /// What the steps to come depend on, for checkpoints.
  virtual std::vector<std::span<double>> numbers() = 0;
  /// The numbers are those of `begin`: anyone who goes back calls `repeat` and makes the steps since then again.
  virtual bool repeats() const { return false; }
  /// [loop] To where `begin` was called last.
  virtual void repeat() {}
};

} // namespace hilda::run
