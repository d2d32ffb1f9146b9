// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/response/landmarks.h"

#include "engine/analysis/channel.h"
#include "engine/analysis/detail/state_space/balance.h"
#include "engine/analysis/detail/state_space/decompositions.h"

#include <algorithm>
#include <cmath>

namespace hilda::analysis {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

constexpr Index most_states = 80; ///< an eigenvalue problem of twice as many takes a tenth of a second

/// x' = A x + B u, y = C x + D u with one of each.
struct Realization {
  MatrixXd A, B, C;
  double D = 0;
};

bool is_regular(const MatrixXd& A) { return is_invertible(A.cast<std::complex<double>>()); }

/// s = (z - 1) / (z + 1) puts the unit circle on the imaginary axis, exactly: L(e^(i w T)) is L(i tan(w T / 2)) of what
/// this gives. False where a pole is at z = -1.
bool make_continuous(const LinearModel& channel, Realization& made) {
  const Index n = channel.A.rows();
  made = {channel.A, channel.B, channel.C, channel.D(0, 0)};
  if (channel.period == 0) return true;
  const MatrixXd one = MatrixXd::Identity(n, n), sum = one + channel.A;
  if (!is_regular(sum)) return false;
  const MatrixXd into = solved(sum, channel.B);
  made.A = solved(sum, channel.A - one);
  made.B = std::sqrt(2.0) * into;
  made.C = std::sqrt(2.0) * solved(sum.transpose(), channel.C.transpose()).transpose();
  made.D = channel.D(0, 0) - (channel.C * into)(0, 0);
  return true;
}

VectorXcd eigenvalues(const MatrixXd& A) { return eigensystem(scaled(A, balance(A)), false).values; }

/// Roots of L(s) L(-s) = 1: the poles of L and its mirror image, each the other's input.
VectorXcd unit_roots(const Realization& l) {
  const Index n = l.A.rows();
  double rest = 1 - l.D * l.D;
  if (std::abs(rest) < 1e-12) rest = 1e-12;
  MatrixXd M(2 * n, 2 * n);
  M.topLeftCorner(n, n) = l.A + l.B * l.C * (l.D / rest);
  M.topRightCorner(n, n) = -l.B * l.C / rest;
  M.bottomLeftCorner(n, n) = l.B * l.C / rest;
  M.bottomRightCorner(n, n) = -l.A - l.B * l.C * (l.D / rest);
  return eigenvalues(M);
}

/// Roots of L(s) = L(-s): the zeros of their difference, found as 1 / (s - s0), of which those at infinity are 0.
VectorXcd real_roots(const Realization& l, double s0) {
  const Index n = l.A.rows();
  MatrixXd M = MatrixXd::Zero(2 * n + 1, 2 * n + 1);
  M.topLeftCorner(n, n) = l.A, M.block(n, n, n, n) = -l.A;
  M.topLeftCorner(2 * n, 2 * n).diagonal().array() -= s0;
  M.block(0, 2 * n, n, 1) = l.B, M.block(n, 2 * n, n, 1) = l.B;
  M.block(2 * n, 0, 1, n) = l.C, M.block(2 * n, n, 1, n) = l.C;
  if (!is_regular(M)) return {};
  MatrixXd N = MatrixXd::Zero(2 * n + 1, 2 * n + 1);
  N.topLeftCorner(2 * n, 2 * n).setIdentity();
  const VectorXcd inverses = eigenvalues(solved(M, N).topLeftCorner(2 * n, 2 * n));
  return inverses.unaryExpr([&](std::complex<double> p) { return std::abs(p) * s0 > 1e-9 ? s0 + 1.0 / p : 0.0; });
}

/// Frequencies of roots that lie near the imaginary axis, as rounding leaves them.
void add_near_axis(const VectorXcd& roots, double period, std::vector<double>& found) {
  for (const std::complex<double> root : roots) {
    const double place = std::abs(root.imag());
    if (!std::isfinite(place) || place == 0 || std::abs(root.real()) > 0.05 * place) continue;
    found.push_back(period > 0 ? 2 / period * std::atan(place) : place);
  }
}

/// Where most of a list lies.
double middle_of(const std::vector<double>& sizes, double otherwise) {
  return sizes.empty() ? otherwise : sizes[sizes.size() / 2];
}

} // namespace

Landmarks landmarks(const LinearModel& channel) {
  Landmarks found;
  const auto add_size = [&](std::complex<double> pole, std::vector<double>& list) {
    const double size = std::abs(channel.continuous(pole));
    const bool of_a_delay = channel.period > 0 && std::abs(pole) < 1e-3; // 0 up to rounding
    if (!of_a_delay && std::isfinite(size) && size > 0) list.push_back(size);
  };
  for (const Pole& pole : channel.poles_with_errors())
    if (!integrates(channel, pole)) add_size(pole.value, found.poles);
  for (const std::complex<double> pole : closed_poles(channel))
    if (!integrates(channel, {pole, 0})) add_size(pole, found.closed);
  std::sort(found.poles.begin(), found.poles.end());
  std::sort(found.closed.begin(), found.closed.end());
  Realization even;
  const Index n = channel.A.rows();
  if (n == 0 || n > most_states || !make_continuous(channel, even)) return found;
  add_near_axis(unit_roots(even), channel.period, found.crossings);
  double s0 = middle_of(found.closed, middle_of(found.poles, 1));
  if (channel.period > 0) s0 = std::tan(std::min(s0 * channel.period / 2, 1.5));
  add_near_axis(real_roots(even, 1.37 * s0), channel.period, found.crossings);
  std::sort(found.crossings.begin(), found.crossings.end());
  return found;
}

} // namespace hilda::analysis
