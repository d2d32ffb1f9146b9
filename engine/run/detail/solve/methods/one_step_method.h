// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/methods/method.h"
#include "engine/run/detail/solve/methods/right_hand_side.h"

#include <vector>

namespace hilda::run {

/// A method that goes from one time to the next without memory of the steps before, as far as an error estimate
/// allows, and gives the states at every time in between. Step control is Hairer's (Hairer, Norsett and Wanner,
/// Solving Ordinary Differential Equations I, II.4).
class OneStepMethod : public Method {
public:
  /// @param order   of the error estimate, plus 1: how an error goes with the step
  /// @param growth  the most that a step is longer than the one before
  OneStepMethod(RightHandSide& f, Tolerances tolerances, int order, double growth, double memory);
  OneStepMethod(const OneStepMethod&) = delete;
  OneStepMethod& operator=(const OneStepMethod&) = delete;

  /// [loop] The length of the first step is what the last one was to be, else it is estimated.
  void begin(double t, const std::vector<double>& x, double longest) override;
  bool step(double limit, double longest, double shortest) override;
  bool undo() noexcept override;
  double from() const override { return t0_; }
  double to() const override { return t1_; }
  const std::vector<double>& end_state() const override { return x1_; }
  void replace_end(const std::vector<double>& x) noexcept override;
  void at(double t, std::vector<double>& x) noexcept override;
  std::size_t worst() const override { return worst_; }
  std::vector<std::span<double>> numbers() override;

protected:
  /// What all tries of a step from (t0_, x0_) share. `carry`: the last step ended there, as it was.
  virtual void prepare(bool carry) = 0;
  /// x1_ and error_ of a step of length h.
  virtual void attempt(double h) = 0;
  /// The step of length h counts: what `dense` needs.
  virtual void settle(double h) = 0;
  virtual void dense(double theta, std::vector<double>& x) const noexcept = 0;
  virtual void add_numbers(std::vector<std::span<double>>& list) = 0;

  RightHandSide& f_;
  double t0_ = 0, t1_ = 0;
  std::vector<double> x0_, x1_, error_;

private:
  double norm(const std::vector<double>& e, const std::vector<double>& a, const std::vector<double>& b) noexcept;
  double first_step(double longest);
  double next_length(double error, double h) const noexcept;

  Tolerances tolerances_;
  const double exponent_, growth_, memory_;
  std::vector<double> slope_, probe_; ///< of the first step's estimate
  double next_ = 0;                   ///< s; 0: not known yet
  double before_ = 1e-4;              ///< error of the last accepted step
  double undone_next_ = 0, undone_before_ = 1e-4;
  double ready_ = 0; ///< what of the next step is known: one of the words in the source
  std::size_t worst_ = 0;
};

} // namespace hilda::run
