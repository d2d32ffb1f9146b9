#include "engine/analyse/response/sampled_response.h"

#include "engine/analyse/response/channel.h"
#include "engine/analyse/state_space/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hilda {
namespace {

constexpr double most_turn = std::numbers::pi / 24, most_ratio = 1.1;

/// Sizes of the poles in the s plane, without those that say nothing.
std::vector<double> pole_frequencies(const LinearModel& channel) {
  std::vector<double> all;
  for (const Pole& pole : channel.poles_with_errors()) {
    const double size = std::abs(channel.continuous(pole.value));
    const bool of_a_delay = channel.period > 0 && std::abs(pole.value) < 1e-3; // 0 up to rounding
    if (!of_a_delay && !integrates(channel, pole) && std::isfinite(size)) all.push_back(size);
  }
  return all;
}

bool apart(std::complex<double> a, std::complex<double> b) {
  const double sizes = std::abs(a) / std::abs(b);
  if (!(sizes > 0) || !std::isfinite(sizes)) return false; // of nothing there is no phase
  return sizes > most_ratio || sizes < 1 / most_ratio || std::abs(std::arg(a / b)) > most_turn;
}

} // namespace

Band band_of(const LinearModel& channel) {
  const std::vector<double> sizes = pole_frequencies(channel);
  const double border = channel.period > 0 ? std::numbers::pi / channel.period : 0;
  if (sizes.empty()) return border > 0 ? Band{1e-3 * border, border} : Band{1e-2, 1e2};
  const auto [slowest, fastest] = std::minmax_element(sizes.begin(), sizes.end());
  if (border > 0) return {std::min(1e-2 * *slowest, 1e-2 * border), border};
  return {1e-2 * *slowest, 1e2 * *fastest};
}

std::complex<double> response_at(const LinearModel& channel, double frequency) {
  return channel.response(frequency)(0, 0);
}

SampledResponse sample_response(const LinearModel& channel, const Band& band, std::size_t most) {
  std::vector<double> net = pole_frequencies(channel);
  constexpr int first = 120;
  for (int k = 0; k <= first; ++k)
    net.push_back(band.lowest * std::pow(band.highest / band.lowest, static_cast<double>(k) / first));
  net.back() = band.highest; // to the bit
  std::sort(net.begin(), net.end());
  SampledResponse sampled;
  const auto add = [&](double frequency, std::complex<double> value) {
    sampled.frequencies.push_back(frequency), sampled.values.push_back(value);
  };
  std::vector<std::pair<double, std::complex<double>>> ahead; ///< the nearest last
  for (const double next : net) {
    if (next < band.lowest || next > band.highest) continue;
    if (!sampled.frequencies.empty() && next <= sampled.frequencies.back() * (1 + 1e-12)) continue;
    ahead.assign(1, {next, response_at(channel, next)});
    while (!ahead.empty()) {
      const auto [frequency, value] = ahead.back();
      const bool coarse = !sampled.values.empty() && apart(value, sampled.values.back()) &&
                          frequency > sampled.frequencies.back() * (1 + 1e-9);
      if (coarse && sampled.frequencies.size() + ahead.size() < most) {
        const double between = std::sqrt(frequency * sampled.frequencies.back());
        ahead.emplace_back(between, response_at(channel, between));
        continue;
      }
      sampled.complete = sampled.complete && !coarse;
      add(frequency, value);
      ahead.pop_back();
    }
  }
  return sampled;
}

Valley lowest_of(const LinearModel& channel, const SampledResponse& sampled,
                 const std::function<double(std::complex<double>)>& of) {
  Valley best{0, std::numeric_limits<double>::infinity()};
  std::size_t place = 0;
  for (std::size_t i = 0; i < sampled.frequencies.size(); ++i)
    if (const double value = of(sampled.values[i]); value < best.value)
      best = {sampled.frequencies[i], value}, place = i;
  if (place == 0 || place + 1 >= sampled.frequencies.size()) return best; // it falls on, beyond the band
  const Valley finer = valley_between(sampled.frequencies[place - 1], sampled.frequencies[place + 1],
                                      [&](double frequency) { return of(response_at(channel, frequency)); });
  return finer.value < best.value ? finer : best;
}

double steady_gain(const LinearModel& channel) {
  if (channel.A.size() == 0) return channel.D(0, 0);
  const std::vector<Pole> poles = channel.poles_with_errors();
  const bool integrator =
      std::any_of(poles.begin(), poles.end(), [&](const Pole& pole) { return integrates(channel, pole); });
  Eigen::MatrixXcd rest = -channel.A.cast<std::complex<double>>();
  if (channel.period > 0) rest.diagonal().array() += 1.0;
  if (!integrator && is_invertible(rest))
    return channel.D(0, 0) +
           (channel.C.cast<std::complex<double>>() * inverse(rest) * channel.B.cast<std::complex<double>>())(0, 0)
               .real();
  // an integrator that the output does not show (the rate of what is integrated) has a gain at rest all the same
  const double low = band_of(channel).lowest;
  const std::complex<double> here = response_at(channel, low), lower = response_at(channel, low / 10);
  if (std::abs(lower) < 3 * std::abs(here)) return lower.real();
  return std::copysign(std::numeric_limits<double>::infinity(), lower.real());
}

namespace {

/// Where an undamped pole makes the response infinite, rad/s; 0: nowhere in the band. Both as far as the pole's error
/// lets one tell, and the response does grow towards it: the output may not show the pole.
double infinite_at(const LinearModel& channel, const SampledResponse& sampled) {
  for (const Pole& pole : channel.poles_with_errors()) {
    const std::complex<double> s = channel.continuous(pole.value);
    const double place = std::abs(s.imag());
    if (place < sampled.frequencies.front() || place > sampled.frequencies.back()) continue;
    if (std::abs(s.real()) > std::clamp(3 * pole.error, 1e-12, 1e-9) * std::abs(s)) continue;
    const auto beside = [&](double share) { return std::abs(response_at(channel, place * (1 - share))); };
    if (beside(1e-6) > 3 * beside(1e-5) && beside(1e-5) > 3 * beside(1e-4)) return place;
  }
  return 0;
}

} // namespace

ResponseFigures response_figures(const LinearModel& channel, const SampledResponse& sampled) {
  ResponseFigures figures;
  if (sampled.values.empty()) return figures;
  const Valley top = lowest_of(channel, sampled, [](std::complex<double> value) { return -std::abs(value); });
  figures.peak = -top.value;
  if (top.place > sampled.frequencies.front()) figures.peak_frequency = top.place;
  if (const double place = infinite_at(channel, sampled); place > 0)
    figures.peak = std::numeric_limits<double>::infinity(), figures.peak_frequency = place;
  figures.steady = steady_gain(channel);
  const double wanted = std::abs(figures.steady) / std::numbers::sqrt2;
  if (!std::isfinite(wanted) || wanted == 0) return figures;
  for (std::size_t i = 1; i < sampled.values.size(); ++i)
    if (std::abs(sampled.values[i - 1]) >= wanted && std::abs(sampled.values[i]) < wanted) {
      figures.bandwidth = root_between(sampled.frequencies[i - 1], sampled.frequencies[i], [&](double frequency) {
        return std::abs(response_at(channel, frequency)) - wanted;
      });
      break;
    }
  return figures;
}

} // namespace hilda
