// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/solve/cvode/newton_matrix.h"
#include "engine/run/detail/solve/methods/method.h"

#include <exception>
#include <memory>
#include <optional>
#include <sundials/sundials_context.h>
#include <sundials/sundials_nonlinearsolver.h>

namespace hilda::run {

/// CVODE over a diagram's equations. What it remembers of steps is its own, so a checkpoint holds where they began, and
/// they are made again.
class Multistep final : public Method {
public:
  /// Adams, for equations that are not stiff.
  Multistep(RightHandSide& f, const Tolerances& tolerances);
  /// Backward differences.
  Multistep(RightHandSide& f, const Tolerances& tolerances, StateInfluence influence,
            std::optional<SparseElimination> sparse);
  ~Multistep() override;
  Multistep(const Multistep&) = delete;
  Multistep& operator=(const Multistep&) = delete;

  void begin(double t, const std::vector<double>& x, double longest) override;
  bool step(double limit, double longest, double shortest) override;
  bool undo() noexcept override { return false; }
  double from() const override { return t0_; }
  double to() const override { return t1_; }
  const std::vector<double>& end_state() const override { return x1_; }
  void replace_end(const std::vector<double>& x) override;
  void at(double t, std::vector<double>& x) override;
  std::size_t worst() const override { return worst_; }
  int curve_degree() const override { return degree_; }
  std::vector<std::span<double>> numbers() override;
  bool repeats() const override { return true; }
  void repeat() override;

private:
  void create(int formulas, const Tolerances& tolerances);
  void make_ready();
  void restart(double t);
  void note(bool made);
  template <typename Work> int shielded(const Work& work) noexcept;
  static int slope_of(double t, N_Vector x, N_Vector slope, void* self);
  static int jacobian_of(double t, N_Vector x, N_Vector slope, SUNMatrix matrix, void* self, N_Vector, N_Vector,
                         N_Vector);

  RightHandSide& f_;
  std::vector<double> x_, slope_; ///< what a block is given, and gives
  std::vector<double> begun_, x1_;
  double begun_at_ = 0, t0_ = 0, t1_ = 0;
  std::size_t worst_ = 0;
  int degree_ = 5;
  long failures_ = 0;  ///< since the last restart
  bool ready_ = false; ///< slopes are the diagram's
  bool moved_ = false; ///< x1_ is not what CVODE has there
  std::exception_ptr thrown_;

  SUNContext context_ = nullptr;
  N_Vector end_ = nullptr, between_ = nullptr, error_ = nullptr, weights_ = nullptr;
  void* cvode_ = nullptr;
  SUNNonlinearSolver iteration_ = nullptr;
  std::unique_ptr<NewtonMatrix> newton_;
};

} // namespace hilda::run
