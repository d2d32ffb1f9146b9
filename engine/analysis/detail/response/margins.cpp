// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/margins.h"

#include "engine/analysis/channel.h"
#include "engine/analysis/detail/response/root.h"
#include "engine/analysis/detail/state_space/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hilda::analysis {
namespace {

constexpr double pi = std::numbers::pi;

/// Rounding, and what a measured model is right to, let a loop that is at rest be a little off the edge.
double slack_of(const LinearModel& loop) { return std::clamp(3 * loop.error(), 1e-9, 1e-8); }

GainMargin gain_margin(const LinearModel& loop, double frequency) {
  return {frequency, 1 / std::abs(response_at(loop, frequency))};
}

PhaseMargin phase_margin(const LinearModel& loop, double frequency) {
  double angle = std::arg(-response_at(loop, frequency)); // of L + 180 degrees
  if (std::abs(angle) < 1e-12) angle = 0;
  const double lag = angle > 0 ? angle : angle + 2 * pi;
  return {frequency, angle, lag / frequency};
}

/// Below, on or above the real axis; what rounding leaves of a response that is real (two integrators) is on it.
int side_of(std::complex<double> value) {
  if (!(std::abs(value.imag()) > 1e-12 * std::abs(value))) return 0;
  return value.imag() < 0 ? -1 : 1;
}

/// The real axis is crossed left of 0, from the last look that had a side to the next that has.
void add_gain_margins(const LinearModel& loop, const SampledResponse& sampled, Margins& found) {
  std::size_t before = 0;
  int side = 0;
  for (std::size_t i = 0; i < sampled.values.size(); ++i) {
    const int here = side_of(sampled.values[i]);
    if (here == 0) continue;
    if (side == -here && sampled.values[before].real() < 0 && sampled.values[i].real() < 0)
      found.gain.push_back(
          gain_margin(loop, root_between(sampled.frequencies[before], sampled.frequencies[i],
                                         [&](double frequency) { return response_at(loop, frequency).imag(); })));
    side = here, before = i;
  }
}

void add_phase_margins(const LinearModel& loop, const SampledResponse& sampled, Margins& found) {
  for (std::size_t i = 1; i < sampled.values.size(); ++i)
    if ((std::abs(sampled.values[i - 1]) < 1) != (std::abs(sampled.values[i]) < 1))
      found.phase.push_back(
          phase_margin(loop, root_between(sampled.frequencies[i - 1], sampled.frequencies[i], [&](double frequency) {
                         return std::abs(response_at(loop, frequency)) - 1;
                       })));
}

/// At pi/period a discrete response is real: the curve ends on the axis and does not cross it.
void add_end(const LinearModel& loop, const SampledResponse& sampled, Margins& found) {
  if (loop.period == 0 || sampled.values.empty()) return;
  const std::complex<double> end = sampled.values.back();
  const bool at_border = sampled.frequencies.back() > pi / loop.period * (1 - 1e-9);
  const bool known = !found.gain.empty() && found.gain.back().frequency > pi / loop.period * (1 - 1e-6);
  if (at_border && !known && end.real() < 0 && std::abs(end.imag()) < 1e-6 * std::abs(end.real()))
    found.gain.push_back({pi / loop.period, 1 / std::abs(end)});
}

/// At rest it is real, too: the curve and its mirror image meet there, which is a crossing where it is left of 0.
void add_rest(const LinearModel& loop, const SampledResponse& sampled, Margins& found) {
  const double rest = steady_gain(loop);
  double largest = 0;
  for (const std::complex<double> value : sampled.values) largest = std::max(largest, std::abs(value));
  if (std::isfinite(rest) && rest < -1e-9 * largest) found.gain.insert(found.gain.begin(), {0, 1 / -rest});
}

/// By the poles of the closed loop, the least stable first.
void judge(const LinearModel& loop, Margins& found) {
  const double slack = slack_of(loop);
  const auto& poles = found.closed;
  const bool growing = !poles.empty() && grows(loop, poles.front(), slack);
  found.edge = found.solvable && !growing && !poles.empty() && !decays(loop, poles.front(), slack);
  found.stable = found.solvable && !growing && !found.edge;
}

template <class Margin, class Less> const Margin* least(const std::vector<Margin>& all, Less less) {
  const auto best = std::min_element(all.begin(), all.end(), less);
  return best == all.end() ? nullptr : &*best;
}

} // namespace

const GainMargin* Margins::least_increase() const {
  const GainMargin* best = nullptr;
  for (const GainMargin& each : gain)
    if (each.factor >= 1 && (best == nullptr || each.factor < best->factor)) best = &each;
  return best;
}

const GainMargin* Margins::least_decrease() const {
  const GainMargin* best = nullptr;
  for (const GainMargin& each : gain)
    if (each.factor < 1 && (best == nullptr || each.factor > best->factor)) best = &each;
  return best;
}

const PhaseMargin* Margins::least_angle() const {
  return least(phase, [](const PhaseMargin& a, const PhaseMargin& b) { return std::abs(a.angle) < std::abs(b.angle); });
}

const PhaseMargin* Margins::least_delay() const {
  return least(phase, [](const PhaseMargin& a, const PhaseMargin& b) { return a.delay < b.delay; });
}

Margins margins(const LinearModel& loop, const SampledResponse& sampled, const LinearModel* closed) {
  Margins found = stability_alone(loop, closed);
  found.complete = sampled.complete;
  add_gain_margins(loop, sampled, found);
  add_phase_margins(loop, sampled, found);
  add_end(loop, sampled, found);
  add_rest(loop, sampled, found);
  const Valley nearest = lowest_of(loop, sampled, [](std::complex<double> value) { return std::abs(1.0 + value); });
  found.nearest = nearest.value, found.nearest_frequency = nearest.place;
  return found;
}

Margins stability_alone(const LinearModel& loop, const LinearModel* closed) {
  Margins found;
  found.solvable = 1 + loop.D(0, 0) != 0;
  found.closed = closed != nullptr ? closed->poles() : closed_poles(loop);
  judge(loop, found);
  return found;
}

namespace {

/// The least stable pole with the loop's gain multiplied by `factor`. Each tick then adds (factor - 1) times the signal
/// that came back, as it is before the addition.
std::complex<double> pole_with(const LinearModel& closed, double factor) {
  const double share = (factor - 1) / factor;
  const Eigen::Index ticks = closed.D.rows();
  LinearModel other;
  other.period = closed.period;
  const Eigen::MatrixXd through = Eigen::MatrixXd::Identity(ticks, ticks) - share * closed.D;
  other.A = closed.A + share * closed.B * solved(through, closed.C);
  return other.poles().front();
}

} // namespace

Margins margins_by_ticks(const LinearModel& closed) {
  Margins found;
  found.closed = closed.poles();
  judge(closed, found);
  if (closed.A.size() == 0) return found;
  const auto growth = [&](double logarithm) { return std::abs(pole_with(closed, std::exp(logarithm))) - 1; };
  const double end = std::log(1e4);
  constexpr int looks = 400;
  double before = growth(-end);
  for (int k = 1; k <= looks; ++k) {
    const double low = -end + 2 * end * (k - 1) / looks, high = -end + 2 * end * k / looks;
    const double after = growth(high);
    if ((before < 0) != (after < 0)) {
      const double factor = std::exp(root_between(low, high, growth));
      found.gain.push_back({std::numeric_limits<double>::quiet_NaN(), factor});
    }
    before = after;
  }
  return found;
}

} // namespace hilda::analysis
