// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/trim/least_squares.h"

#include <algorithm>
#include <cmath>
#include <unsupported/Eigen/NonLinearOptimization>

namespace hilda::analysis {
namespace {

/// In the form that Eigen asks for. It needs at least as many distances as there are unknowns: the others are 0.
struct Problem {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  Problem(Eigen::Index unknowns, Eigen::Index count, const Distances& of)
      : unknowns_(unknowns), count_(count), distances_(of) {}
  int inputs() const { return static_cast<int>(unknowns_); }
  int values() const { return static_cast<int>(std::max(unknowns_, count_)); }

  int operator()(const Eigen::VectorXd& point, Eigen::VectorXd& found) const {
    // far away, so that the search turns back from where the diagram does not run
    constexpr double far = 1e6;
    const std::optional<Eigen::VectorXd> all = distances_(point);
    found = Eigen::VectorXd::Zero(values());
    if (all && all->size() == count_ && all->allFinite())
      found.head(count_) = *all;
    else
      found.head(count_).setConstant(far);
    return 0;
  }

  /// By central differences, of a step that does not shrink with the unknown: they are divided by a tick.
  int df(const Eigen::VectorXd& point, Eigen::MatrixXd& slopes) const {
    constexpr double relative = 1e-6;
    Eigen::VectorXd moved = point, ahead, behind;
    for (Eigen::Index i = 0; i < unknowns_; ++i) {
      const double step = relative * std::max(1.0, std::abs(point[i]));
      moved[i] = point[i] + step;
      (*this)(moved, ahead);
      moved[i] = point[i] - step;
      (*this)(moved, behind);
      moved[i] = point[i];
      slopes.col(i) = (ahead - behind) / (2 * step);
    }
    return 0;
  }

private:
  Eigen::Index unknowns_, count_;
  const Distances& distances_;
};

} // namespace

Eigen::VectorXd least_squares(const Eigen::VectorXd& start, const Distances& distances) {
  const std::optional<Eigen::VectorXd> first = distances(start);
  if (!first) return start;
  Problem problem(start.size(), first->size(), distances);
  Eigen::LevenbergMarquardt<Problem> search(problem);
  search.parameters.ftol = search.parameters.xtol = 1e-15;
  search.parameters.gtol = 0;
  search.parameters.maxfev = 150;
  Eigen::VectorXd point = start;
  using Status = Eigen::LevenbergMarquardtSpace::Status;
  Status status = search.minimizeInit(point);
  constexpr double zero = 1e-13; // towards a solution at 0 the search would continue for ever
  while (status != Status::ImproperInputParameters && search.fvec.cwiseAbs().maxCoeff() > zero) {
    status = search.minimizeOneStep(point);
    if (status != Status::Running) break;
  }
  return point;
}

} // namespace hilda::analysis
