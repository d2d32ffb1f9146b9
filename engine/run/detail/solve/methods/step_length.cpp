// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/step_length.h"

#include "engine/plugin/floating_point.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

namespace hilda::run {
namespace {

using Number = std::complex<double>;

constexpr std::size_t most_states = 150;   ///< that have to do with each other: eigenvalues cost their cube
constexpr double fine = 1e-3, coarse = 10; ///< how large a state is at the least where its slopes are measured
constexpr double small_enough = 0.01;      ///< error of a step that fits

/// By what one step of the method multiplies, where exp(z) is right.
Number step_factor(SolverKind kind, Number z) {
  if (kind == SolverKind::euler) return 1.0 + z;
  return 1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)));
}

double step_error(SolverKind kind, Number z) {
  const Number right = std::exp(z);
  return std::abs(step_factor(kind, z) - right) / std::max(1.0, std::abs(right));
}

/// States between which some derivative depends on the other, over any number of them.
std::vector<std::vector<std::size_t>> related(const StateInfluence& influence) {
  std::vector<std::size_t> head(influence.rows.size());
  std::iota(head.begin(), head.end(), std::size_t{0});
  const auto find = [&](std::size_t i) {
    while (head[i] != i) i = head[i] = head[head[i]];
    return i;
  };
  for (std::size_t state = 0; state < head.size(); ++state)
    for (const std::uint32_t row : influence.rows[state]) head[find(row)] = find(state);
  std::vector<std::vector<std::size_t>> by_head(head.size()), groups;
  for (std::size_t state = 0; state < head.size(); ++state) by_head[find(state)].push_back(state);
  for (std::vector<std::size_t>& each : by_head)
    if (!each.empty() && each.size() <= most_states) groups.push_back(std::move(each));
  return groups;
}

/// A jump has another slope at each distance, and is not a speed of anything.
double without_jumps(double near, double far) {
  const double larger = std::max(std::abs(near), std::abs(far));
  return std::abs(near - far) > 0.3 * larger || !std::isfinite(larger) ? 0 : near;
}

} // namespace

StepLength::StepLength(const System& system, ContinuousPart& part, SolverKind kind, double step)
    : part_(part), kind_(kind), step_(step), f_(part, uncounted_), influence_(state_influence(system, part.schedule())),
      fine_(f_, influence_, std::vector<double>(part.size(), fine)),
      coarse_(f_, influence_, std::vector<double>(part.size(), coarse)), groups_(related(influence_)), x_(part.size()),
      slope_(part.size()), slopes_(fine_.columns()) {}

bool StepLength::due(std::int64_t tick) noexcept {
  if (tick < 1) return false;
  while (tick % 10 == 0) tick /= 10;
  return tick == 1 || tick == 2 || tick == 5;
}

void StepLength::look(const hilda_tick& now, bool located) {
  f_.enter(now, located);
  part_.save_outputs();
  part_.get_state(x_);
  const bool measured = measure(now.time);
  part_.put_state(x_);
  part_.restore_outputs();
  f_.take_objection();
  if (measured)
    for (const std::vector<std::size_t>& each : groups_) judge(each, now.time);
  FloatingPointFlags::clear(); // a trial is not a result
}

/// False where a block throws: at states that were only tried it says nothing of the run.
bool StepLength::measure(double t) {
  try {
    f_(t, x_, slope_);
    fine_.measure(t, x_, slope_);
    coarse_.measure(t, x_, slope_);
  } catch (...) {
    part_.running().store(nullptr, std::memory_order_relaxed);
    return false;
  }
  for (std::size_t state = 0; state < slopes_.size(); ++state)
    for (std::size_t i = 0; i < slopes_[state].size(); ++i)
      slopes_[state][i] = without_jumps(fine_.columns()[state][i], coarse_.columns()[state][i]);
  return true;
}

void StepLength::judge(const std::vector<std::size_t>& states, double time) {
  const auto n = static_cast<Eigen::Index>(states.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index column = 0; column < n; ++column) {
    const std::size_t state = states[static_cast<std::size_t>(column)];
    for (std::size_t i = 0; i < slopes_[state].size(); ++i) {
      const auto row = std::lower_bound(states.begin(), states.end(), influence_.rows[state][i]) - states.begin();
      matrix(row, column) = slopes_[state][i];
    }
  }
  if (matrix.isZero(0)) return;
  const Eigen::EigenSolver<Eigen::MatrixXd> solved(matrix);
  if (solved.info() != Eigen::Success) return;
  Eigen::MatrixXcd right, left; // eigenvectors, made where one is asked for: an inverse costs as much as all the rest
  for (Eigen::Index k = 0; k < n; ++k) {
    const Number value = solved.eigenvalues()[k], z = value * step_;
    const double error = step_error(kind_, z);
    if (!(error > worst_.error)) continue;
    double fitting = step_;
    for (int i = 0; i < 60 && step_error(kind_, value * fitting) > small_enough; ++i) fitting *= 0.8;
    // its part in each state, whatever their units: by eigenvectors of both sides
    if (right.size() == 0) right = solved.eigenvectors(), left = right.inverse();
    Eigen::Index largest = 0;
    right.col(k).cwiseProduct(left.row(k).transpose()).cwiseAbs().maxCoeff(&largest);
    worst_ = {.error = error,
              .factor = std::abs(step_factor(kind_, z)),
              .right = std::abs(std::exp(z)),
              .swings = std::abs(value.imag()) > std::abs(value.real()),
              .fitting_step = fitting,
              .time = time,
              .state = states[static_cast<std::size_t>(largest)]};
  }
}

} // namespace hilda::run
