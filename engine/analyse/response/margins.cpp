#include "engine/analyse/response/margins.h"

#include "engine/analyse/response/channel.h"
#include "engine/analyse/response/root.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hilda {
namespace {

constexpr double pi = std::numbers::pi;

/// Rounding lets a loop that stands still be a little off the circle.
constexpr double slack = 1e-9;

GainMargin gain_margin(const LinearModel& loop, double frequency) {
  return {frequency, 1 / std::abs(response_at(loop, frequency))};
}

PhaseMargin phase_margin(const LinearModel& loop, double frequency) {
  const double angle = std::arg(-response_at(loop, frequency)); // of L + 180 degrees
  const double lag = angle > 0 ? angle : angle + 2 * pi;
  return {frequency, angle, lag / frequency};
}

/// The real axis is crossed left of 0.
bool crosses_left(std::complex<double> a, std::complex<double> b) {
  return (a.imag() < 0) != (b.imag() < 0) && a.real() < 0 && b.real() < 0;
}

void add_crossings(const LinearModel& loop, const SampledResponse& sampled, Margins& found) {
  for (std::size_t i = 1; i < sampled.values.size(); ++i) {
    const std::complex<double> before = sampled.values[i - 1], after = sampled.values[i];
    const double low = sampled.frequencies[i - 1], high = sampled.frequencies[i];
    if (crosses_left(before, after))
      found.gain.push_back(gain_margin(
          loop, root_between(low, high, [&](double frequency) { return response_at(loop, frequency).imag(); })));
    if ((std::abs(before) < 1) != (std::abs(after) < 1))
      found.phase.push_back(phase_margin(
          loop, root_between(low, high, [&](double frequency) { return std::abs(response_at(loop, frequency)) - 1; })));
  }
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

Margins margins(const LinearModel& loop, const SampledResponse& sampled) {
  Margins found;
  found.complete = sampled.complete;
  add_crossings(loop, sampled, found);
  add_end(loop, sampled, found);
  const Valley nearest = lowest_of(loop, sampled, [](std::complex<double> value) { return std::abs(1.0 + value); });
  found.nearest = nearest.value, found.nearest_frequency = nearest.place;
  found.solvable = 1 + loop.D(0, 0) != 0;
  found.closed = closed_poles(loop);
  found.stable = found.solvable && (found.closed.empty() || !grows(loop, found.closed.front(), slack));
  return found;
}

} // namespace hilda
