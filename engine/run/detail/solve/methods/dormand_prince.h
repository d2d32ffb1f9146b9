// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/one_step_method.h"

#include <array>

namespace hilda::run {

/// The explicit method of Dormand and Prince (1980), order 5 with an error estimate of order 4 and Shampine's
/// continuous extension of order 4: six right-hand sides a step. For equations that are not stiff.
class DormandPrince final : public OneStepMethod {
public:
  DormandPrince(RightHandSide& f, Tolerances tolerances);

private:
  void prepare(bool carry) override;
  void attempt(double h) override;
  void settle(double h) override;
  void dense(double theta, std::vector<double>& x) const noexcept override;
  void add_numbers(std::vector<std::span<double>>& list) override;

  std::array<std::vector<double>, 7> k_;
  std::array<std::vector<double>, 5> curve_; ///< of the last step
  std::vector<double> stage_;
};

} // namespace hilda::run
