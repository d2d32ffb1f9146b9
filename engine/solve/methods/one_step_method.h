#pragma once

#include "engine/solve/methods/curve.h"
#include "engine/solve/methods/right_hand_side.h"

#include <span>
#include <vector>

namespace hilda {

/// What an error may be, in SI: of each state |e| <= absolute + relative |x|, in the mean over their squares.
struct Tolerances {
  double relative = 0;
  std::vector<double> absolute;
};

/// A method that goes from one time to the next without memory of the steps before, as far as an error estimate
/// allows, and gives the states at every time in between. Step control is Hairer's (Hairer, Norsett and Wanner,
/// Solving Ordinary Differential Equations I, II.4).
class OneStepMethod : public Curve {
public:
  /// @param order   of the error estimate, plus 1: how an error goes with the step
  /// @param growth  the most that a step is longer than the one before
  OneStepMethod(RightHandSide& f, Tolerances tolerances, int order, double growth, double memory);
  OneStepMethod(const OneStepMethod&) = delete;
  OneStepMethod& operator=(const OneStepMethod&) = delete;

  /// [loop] From this state on. The length of the first step is what the last one was to be, else it is estimated.
  void begin(double t, const std::vector<double>& x, double longest);
  /// [loop] One step that ends at `limit` at the latest and is no longer than `longest`. False where it would be
  /// shorter than `shortest`: the error stays too large, or a block objects.
  bool step(double limit, double longest, double shortest);
  /// [loop] Takes the last step back: the next one begins where it began.
  void undo() noexcept;
  double from() const override { return t0_; }
  double to() const override { return t1_; }
  const std::vector<double>& end_state() const { return x1_; }
  /// [loop] Where the step ends, another state: what projection made of it.
  void replace_end(const std::vector<double>& x) noexcept;
  void at(double t, std::vector<double>& x) noexcept override;
  /// The state that had the largest part in the error of the last try.
  std::size_t worst() const { return worst_; }
  double tried() const { return tried_; }

  /// Everything that the steps to come depend on, for checkpoints.
  std::vector<std::span<double>> numbers();

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
  double tried_ = 0;
  std::size_t worst_ = 0;
};

} // namespace hilda
