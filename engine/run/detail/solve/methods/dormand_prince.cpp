// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/dormand_prince.h"

#include <utility>

namespace hilda::run {
namespace {

constexpr double most_growth = 10, memory = 0.04;

constexpr std::array<double, 7> nodes = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};

/// Row i: what stage i + 1 takes of the slopes before it. The last row is the step itself.
constexpr std::array<std::array<double, 6>, 6> weights = {
    {{1.0 / 5},
     {3.0 / 40, 9.0 / 40},
     {44.0 / 45, -56.0 / 15, 32.0 / 9},
     {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
     {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
     {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}};

/// The step of order 5 less that of order 4.
constexpr std::array<double, 7> error_weights = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                                 -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/// Shampine (1986): the last coefficient of the curve through a step.
constexpr std::array<double, 7> curve_weights = {-12715105075.0 / 11282082432,  0,
                                                 87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                                 701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                                 69997945.0 / 29380423};

} // namespace

DormandPrince::DormandPrince(RightHandSide& f, Tolerances tolerances)
    : OneStepMethod(f, std::move(tolerances), 5, most_growth, memory), stage_(f.size()) {
  for (auto& k : k_) k.assign(f.size(), 0.0);
  for (auto& c : curve_) c.assign(f.size(), 0.0);
}

void DormandPrince::prepare(bool carry) {
  if (carry)
    std::swap(k_[0], k_[6]); // first same as last
  else
    f_(t0_, x0_, k_[0]);
}

void DormandPrince::attempt(double h) {
  for (std::size_t s = 0; s < weights.size(); ++s) {
    std::vector<double>& x = s + 1 == weights.size() ? x1_ : stage_;
    for (std::size_t i = 0; i < x.size(); ++i) {
      double sum = 0;
      for (std::size_t j = 0; j <= s; ++j) sum += weights[s][j] * k_[j][i];
      x[i] = x0_[i] + h * sum;
    }
    f_(t0_ + nodes[s + 1] * h, x, k_[s + 1]);
  }
  for (std::size_t i = 0; i < error_.size(); ++i) {
    double sum = 0;
    for (std::size_t s = 0; s < k_.size(); ++s) sum += error_weights[s] * k_[s][i];
    error_[i] = h * sum;
  }
}

void DormandPrince::settle(double h) {
  for (std::size_t i = 0; i < x0_.size(); ++i) {
    const double change = x1_[i] - x0_[i], begin = h * k_[0][i] - change;
    double bend = 0;
    for (std::size_t s = 0; s < k_.size(); ++s) bend += curve_weights[s] * k_[s][i];
    curve_[0][i] = x0_[i];
    curve_[1][i] = change;
    curve_[2][i] = begin;
    curve_[3][i] = change - h * k_[6][i] - begin;
    curve_[4][i] = h * bend;
  }
}

void DormandPrince::dense(double theta, std::vector<double>& x) const noexcept {
  const double left = 1 - theta;
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = curve_[0][i] + theta * (curve_[1][i] + left * (curve_[2][i] + theta * (curve_[3][i] + left * curve_[4][i])));
}

void DormandPrince::add_numbers(std::vector<std::span<double>>& list) {
  list.emplace_back(k_[0]);
  list.emplace_back(k_[6]);
  for (auto& c : curve_) list.emplace_back(c);
}

} // namespace hilda::run
