// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/unwrapped_phase.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hilda::analysis {
namespace {

constexpr double quarter = std::numbers::pi / 2, turn = 4 * quarter;

double nearest_turn(double phase, double to) { return phase + turn * std::round((to - phase) / turn); }

/// The phase towards which a response goes at low frequencies: that of K / s^n.
double phase_at_rest(const LinearModel& channel, double frequency) {
  const std::complex<double> here = response_at(channel, frequency), lower = response_at(channel, frequency / 10);
  const double order = std::round(std::log10(std::abs(lower) / std::abs(here)));
  if (!std::isfinite(order)) return std::arg(here);
  const double integrated = -order * quarter;
  const bool negative = (lower * std::polar(1.0, -integrated)).real() < 0;
  if (!negative) return integrated;
  return order == 0 ? -2 * quarter : integrated + 2 * quarter;
}

/// One after the other, of what is left without the dead time.
class Unwrapping {
public:
  Unwrapping(const LinearModel& channel, double first)
      : dead_time_(dead_ticks(channel) * channel.period), phase_(first) {}

  double go_to(double frequency, std::complex<double> value) {
    const double turned = frequency * dead_time_;
    if (std::abs(value) > 0) phase_ = nearest_turn(std::arg(value * std::polar(1.0, turned)), phase_);
    return phase_ - turned;
  }

private:
  double dead_time_, phase_;
};

} // namespace

std::vector<double> unwrapped_phase(const LinearModel& channel, const SampledResponse& sampled) {
  std::vector<double> all;
  if (sampled.frequencies.empty()) return all;
  const double first = sampled.frequencies.front(), natural = std::min(first, band_of(channel).lowest);
  Unwrapping unwrapping(channel, phase_at_rest(channel, natural));
  if (natural < first) {
    const SampledResponse before = sample_response(channel, {natural, first});
    for (std::size_t i = 0; i < before.frequencies.size(); ++i)
      unwrapping.go_to(before.frequencies[i], before.values[i]);
  }
  for (std::size_t i = 0; i < sampled.frequencies.size(); ++i)
    all.push_back(unwrapping.go_to(sampled.frequencies[i], sampled.values[i]));
  return all;
}

std::vector<double> unwrapped_phase_at(const LinearModel& channel, const std::vector<double>& frequencies) {
  if (frequencies.empty()) return {};
  const SampledResponse sampled = sample_response(channel, {frequencies.front(), frequencies.back()}, frequencies);
  const std::vector<double> phases = unwrapped_phase(channel, sampled);
  std::vector<double> all;
  for (const double each : frequencies) {
    const auto place = std::lower_bound(sampled.frequencies.begin(), sampled.frequencies.end(), each * (1 - 1e-12));
    const auto at = std::min(static_cast<std::size_t>(place - sampled.frequencies.begin()), phases.size() - 1);
    all.push_back(nearest_turn(std::arg(response_at(channel, each)), phases[at]));
  }
  return all;
}

} // namespace hilda::analysis
