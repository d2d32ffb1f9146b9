// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tdpa/rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda::test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Keeps the worst of a rule.
class Ledger {
public:
  explicit Ledger(double tolerance) : tolerance_(tolerance) {}
  void note(const std::string& rule, double by) {
    worst_[rule] = std::isnan(by) ? INFINITY : std::max(worst_[rule], by);
  }
  std::vector<Broken> broken() const {
    std::vector<Broken> list;
    for (const auto& [rule, by] : worst_)
      if (by > tolerance_) list.push_back({rule, by});
    return list;
  }

private:
  double tolerance_;
  std::map<std::string, double> worst_;
};

bool same_bits(const Vector6d& a, const Vector6d& b) { return (a.array() == b.array()).all(); }

void check_port(const TdpaRun& run, Ledger& ledger) {
  Vector6d sum = run.initial_energy, throughput = Vector6d::Zero();
  double lowest = 0.0, off = 0.0;
  for (const TdpaRun::Row& row : run.rows) {
    const Vector6d work = run.period * row.applied.cwiseProduct(row.commanded);
    sum -= work;
    throughput += work.cwiseAbs();
    lowest = std::min(lowest, run.port ? sum.sum() : sum.minCoeff());
    off = std::max(off, std::abs(row.claimed_total - sum.sum()));
    if (!run.port) off = std::max(off, (row.claimed - sum).cwiseAbs().maxCoeff());
  }
  const double scale = std::max(throughput.sum(), 1e-300);
  ledger.note("account", off / scale);
  if (run.controller) ledger.note("passive", -lowest / scale);
}

void check_controller(const TdpaRun& run, Ledger& ledger) {
  for (const TdpaRun::Row& row : run.rows) {
    if (!run.controller) {
      ledger.note("share", same_bits(row.applied, row.measured) ? 0.0 : 1.0);
      continue;
    }
    const Vector6d taken = (row.measured - row.applied).cwiseProduct(row.commanded);
    const double scale = row.measured.cwiseProduct(row.commanded).cwiseAbs().sum();
    if (scale > 0.0) ledger.note("dissipation", -(run.port ? taken.sum() : taken.minCoeff()) / scale);
    for (int i = 0; i < 6; ++i) {
      if (row.measured[i] == 0.0) {
        ledger.note("share", row.applied[i] == 0.0 ? 0.0 : 1.0);
        continue;
      }
      const double share = row.applied[i] / row.measured[i];
      ledger.note("share", std::max(-share, share - 1.0));
    }
  }
}

void check_body(const TdpaRun& run, Ledger& ledger) {
  Vector3d impulse = Vector3d::Zero();
  double most = 0.0, fastest = 1e-300;
  for (const TdpaRun::Row& row : run.rows) {
    most = std::max(most, run.kinetic(row.body));
    fastest = std::max(fastest, run.mass * row.body.head<3>().norm());
  }
  most = std::max(most, 1e-300);
  for (std::size_t k = 1; k < run.rows.size(); ++k) {
    const TdpaRun::Row &now = run.rows[k], &then = run.rows[k - 1];
    const double linear = run.period * then.body.head<3>().dot(then.applied.head<3>());
    const double angular = run.period * then.body.tail<3>().dot(then.applied.tail<3>());
    const double moved = run.translation(now.body) - run.translation(then.body) - linear - now.made_translation.sum();
    const double turned = run.rotation(now.body) - run.rotation(then.body) - angular - now.made_rotation;
    ledger.note("translation", std::abs(moved) / most);
    ledger.note("rotation", std::abs(turned) / most);
    impulse += run.period * then.applied.head<3>();
    const Vector3d gained = run.mass * (now.body - run.rows[0].body).head<3>();
    ledger.note("momentum", (gained - impulse).norm() / fastest);
  }
}

void check_integrator(const TdpaRun& run, Ledger& ledger) {
  const Matrix3d inverse = run.inertia.inverse();
  const double a = run.sign > 0 ? 0.5 : 1.5, b = run.sign > 0 ? 0.5 : -0.5;
  ledger.note("half_step", same_bits(run.rows[0].commanded, run.rows[0].body) ? 0.0 : 1.0);
  for (std::size_t k = 1; k < run.rows.size(); ++k) {
    const TdpaRun::Row &now = run.rows[k], &then = run.rows[k - 1];
    if (!run.integrator) {
      ledger.note("half_step", same_bits(now.commanded, now.body) ? 0.0 : 1.0);
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      const double scale = std::abs(now.body[i]) + std::abs(then.body[i]);
      const double off = std::abs(now.commanded[i] - (a * now.body[i] + b * then.body[i]));
      if (scale > 0.0 || off > 0.0) ledger.note("half_step", off / scale);
    }
    const Vector3d w = then.body.tail<3>();
    const Vector3d chi = then.applied.tail<3>() + (run.inertia * w).cross(w);
    const double made = 0.5 * run.period * run.period * chi.dot(inverse * chi);
    const double square = chi.squaredNorm();
    Vector3d turned = Vector3d::Zero();
    if (square > 0.0) turned = made / (run.period * square) * chi;
    const double off = (now.body.tail<3>() - run.sign * turned - now.commanded.tail<3>()).norm();
    ledger.note("half_turn", off / std::max(now.body.tail<3>().norm(), 1e-300));
  }
}

void check_rig(const TdpaRun& run, Ledger& ledger) {
  const auto ticks = static_cast<std::size_t>(std::lround(run.response_delay / run.period));
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    const TdpaRun::Row& now = run.rows[k];
    const Vector6d& sent = run.rows[k >= ticks ? k - ticks : 0].commanded;
    ledger.note("delay", same_bits(now.robot, sent) ? 0.0 : 1.0);
    if (run.force_noise == 0.0 && !run.open_loop) ledger.note("sensor", same_bits(now.measured, now.wall) ? 0.0 : 1.0);
    if (k == 0) continue;
    const TdpaRun::Row& then = run.rows[k - 1];
    const Vector3d step = run.period * (run.forward ? then : now).robot.head<3>();
    ledger.note("pose",
                (now.position - then.position - step).norm() / std::max(now.position.norm(), step.norm() + 1e-300));
  }
}

} // namespace

std::vector<Broken> broken_rules(const TdpaRun& run, double tolerance) {
  if (!run.errors.empty() || run.rows.empty()) return {{"runs", INFINITY}};
  Ledger ledger(tolerance);
  check_port(run, ledger);
  check_controller(run, ledger);
  check_body(run, ledger);
  check_integrator(run, ledger);
  check_rig(run, ledger);
  return ledger.broken();
}

bool breaks(const std::vector<Broken>& broken, const std::string& rule) {
  return std::any_of(broken.begin(), broken.end(), [&](const Broken& each) { return each.rule == rule; });
}

std::string text(const std::vector<Broken>& broken) {
  std::string all;
  for (const Broken& each : broken) all += fmt::format("{} by {:.2g}; ", each.rule, each.by);
  return all;
}

} // namespace hilda::test
