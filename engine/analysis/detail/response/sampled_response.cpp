// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/sampled_response.h"

#include "engine/analysis/channel.h"
#include "engine/analysis/detail/response/landmarks.h"
#include "engine/analysis/detail/state_space/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace hilda::analysis {
namespace {

constexpr double most_turn = std::numbers::pi / 24, most_ratio = 1.1;
constexpr double infinity = std::numeric_limits<double>::infinity();

bool apart(std::complex<double> a, std::complex<double> b) {
  const double sizes = std::abs(a) / std::abs(b);
  if (!(sizes > 0) || !std::isfinite(sizes)) return false; // of nothing there is no phase
  return sizes > most_ratio || sizes < 1 / most_ratio || std::abs(std::arg(a / b)) > most_turn;
}

/// |L| passes 1 there, or the phase -180 degrees: by more than rounding makes of either.
bool crosses_at(const LinearModel& channel, double frequency) {
  constexpr double beside = 0.01, nothing = 1e-12;
  const double border = channel.period > 0 ? std::numbers::pi / channel.period : infinity;
  const std::complex<double> a = response_at(channel, frequency * (1 - beside)),
                             b = response_at(channel, std::min(border, frequency * (1 + beside)));
  if ((std::abs(a) < 1) != (std::abs(b) < 1)) return true;
  const bool known = std::abs(a.imag()) > nothing * std::abs(a) && std::abs(b.imag()) > nothing * std::abs(b);
  return known && (a.imag() < 0) != (b.imag() < 0) && a.real() < 0 && b.real() < 0;
}

/// Crossings as far as the first net finds none beyond them; those that are closed poles where nothing else is known.
std::vector<double> places_to_reach(const LinearModel& channel, const Landmarks& marks) {
  std::vector<double> places;
  for (const double each : marks.crossings)
    if (crosses_at(channel, each)) places.push_back(each);
  const bool too_many_states = marks.crossings.empty();
  if (too_many_states || (places.empty() && marks.poles.empty()))
    places.insert(places.end(), marks.closed.begin(), marks.closed.end());
  std::sort(places.begin(), places.end());
  return places;
}

} // namespace

Band band_of(const LinearModel& channel) {
  const Landmarks marks = landmarks(channel);
  const std::vector<double> places = places_to_reach(channel, marks);
  const std::vector<double>& sizes = marks.poles.empty() ? places : marks.poles;
  const double border = channel.period > 0 ? std::numbers::pi / channel.period : 0;
  if (sizes.empty()) return border > 0 ? Band{1e-3 * border, border} : Band{1e-2, 1e2};
  Band band{1e-2 * sizes.front(), 1e2 * sizes.back()};
  if (!places.empty()) {
    band.lowest = std::min(band.lowest, 0.1 * places.front());
    band.highest = std::max(band.highest, 10 * places.back());
  }
  if (border > 0) return {std::min(band.lowest, 1e-2 * border), border};
  return band;
}

std::complex<double> response_at(const LinearModel& channel, double frequency) {
  return channel.response(frequency)(0, 0);
}

int dead_ticks(const LinearModel& channel) {
  if (channel.period == 0 || channel.D(0, 0) != 0) return 0;
  const Eigen::Index n = channel.A.rows();
  std::vector<bool> seen(static_cast<std::size_t>(n), false);
  std::vector<Eigen::Index> here, next;
  const auto take = [&](Eigen::Index state, double entry) {
    if (entry == 0 || seen[static_cast<std::size_t>(state)]) return;
    seen[static_cast<std::size_t>(state)] = true;
    next.push_back(state);
  };
  for (Eigen::Index i = 0; i < n; ++i) take(i, channel.B(i, 0));
  for (int ticks = 1; !next.empty(); ++ticks) {
    here.swap(next), next.clear();
    for (const Eigen::Index state : here)
      if (channel.C(0, state) != 0) return ticks;
    for (const Eigen::Index state : here)
      for (Eigen::Index i = 0; i < n; ++i) take(i, channel.A(i, state));
  }
  return 0;
}

namespace {

/// Where to look first: evenly over the decades, at every landmark and between each two of them, so that no two
/// crossings lie between two looks.
std::vector<double> first_net(const LinearModel& channel, const Band& band, const std::vector<double>& also) {
  const Landmarks marks = landmarks(channel);
  std::vector<double> net = marks.poles;
  net.insert(net.end(), marks.closed.begin(), marks.closed.end());
  net.insert(net.end(), also.begin(), also.end());
  for (std::size_t i = 0; i < marks.crossings.size(); ++i) {
    const double here = marks.crossings[i];
    net.push_back(here);
    if (i > 0) net.push_back(std::sqrt(here * marks.crossings[i - 1]));
  }
  constexpr int first = 120;
  for (int k = 0; k <= first; ++k)
    net.push_back(band.lowest * std::pow(band.highest / band.lowest, static_cast<double>(k) / first));
  for (double& each : net) // to the bit
    if (std::abs(each / band.highest - 1) < 1e-12) each = band.highest;
  std::sort(net.begin(), net.end());
  return net;
}

/// One response, finer and finer between the looks of a net.
class Sampling {
public:
  explicit Sampling(const LinearModel& channel)
      : channel_(channel), dead_time_(dead_ticks(channel) * channel.period), most_(most_looks(channel)) {}

  SampledResponse run(const Band& band, const std::vector<double>& net) {
    for (const double next : net) {
      if (next < band.lowest || next > band.highest) continue;
      if (!done_.frequencies.empty() && next <= done_.frequencies.back() * (1 + 1e-12)) continue;
      go_to(next);
    }
    return std::move(done_);
  }

private:
  /// A turn takes 48, and there is at most one for each state; a look takes time like the states' square.
  static std::size_t most_looks(const LinearModel& channel) {
    const double states = static_cast<double>(channel.A.rows());
    return static_cast<std::size_t>(4000 + std::min(64 * states, 4e8 / std::max(1.0, states * states)));
  }

  void go_to(double next) {
    ahead_.assign(1, {next, response_at(channel_, next)});
    while (!ahead_.empty()) {
      const auto [frequency, value] = ahead_.back();
      if (is_coarse(frequency, value)) {
        const double between = std::sqrt(frequency * done_.frequencies.back());
        ahead_.emplace_back(between, response_at(channel_, between));
        continue;
      }
      done_.frequencies.push_back(frequency), done_.values.push_back(value);
      ahead_.pop_back();
    }
  }

  /// When there are too many, turns of the dead time alone are passed over.
  bool is_coarse(double frequency, std::complex<double> value) {
    if (done_.values.empty() || frequency <= done_.frequencies.back() * (1 + 1e-9)) return false;
    if (!apart(value, done_.values.back())) return false;
    const std::size_t count = done_.frequencies.size() + ahead_.size();
    if (count < most_) return true;
    done_.complete = false;
    const double turned = (frequency - done_.frequencies.back()) * dead_time_;
    return count < 2 * most_ && apart(value * std::polar(1.0, turned), done_.values.back());
  }

  const LinearModel& channel_;
  double dead_time_;
  std::size_t most_;
  SampledResponse done_;
  std::vector<std::pair<double, std::complex<double>>> ahead_; ///< the nearest last
};

} // namespace

SampledResponse sample_response(const LinearModel& channel, const Band& band, const std::vector<double>& also) {
  return Sampling(channel).run(band, first_net(channel, band, also));
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
  // an integrator that the output does not show (the rate of what is integrated) has a gain at rest nevertheless
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

} // namespace hilda::analysis
