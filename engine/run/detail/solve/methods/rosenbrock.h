// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/elimination.h"
#include "engine/run/detail/solve/methods/jacobian.h"
#include "engine/run/detail/solve/methods/one_step_method.h"

#include <array>

namespace hilda::run {

/// Rodas5P (Steinebach, BIT Numerical Mathematics 63, 2023): a Rosenbrock method of order 5 with an error estimate and
/// a continuous extension of order 4, eight linear equations a step and no iteration. For stiff equations of moderate
/// size.
class Rosenbrock final : public OneStepMethod {
public:
  static constexpr std::size_t most_states = 2000; ///< its matrix is dense

  Rosenbrock(RightHandSide& f, const Tolerances& tolerances, StateInfluence influence);

private:
  void prepare(bool carry) override;
  void attempt(double h) override;
  void settle(double h) override;
  void dense(double theta, std::vector<double>& x) const noexcept override;
  void add_numbers(std::vector<std::span<double>>& list) override;

  Jacobian jacobian_;
  Elimination elimination_;
  std::array<std::vector<double>, 8> k_;
  std::array<std::vector<double>, 5> curve_; ///< of the last step: its ends, and three that bend it
  std::vector<double> slope_, stage_;
};

} // namespace hilda::run
