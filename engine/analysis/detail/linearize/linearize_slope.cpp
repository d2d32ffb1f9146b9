// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/linearize_slope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hilda::analysis {
namespace {

constexpr int steps = 7;
constexpr double ratio = 10;
constexpr double rounding = std::numeric_limits<double>::epsilon();
constexpr double leap = 2.1; ///< by which a tenth of the step divides less: half of a leap may be at a step's very end

/// One-sided slopes of one entry at every step; NaN where there is none.
struct Sides {
  std::array<double, steps> ahead, behind, step;
  double size = 0;

  double central(int k) const { return 0.5 * (ahead[at(k)] + behind[at(k)]); }
  double gap(int k) const { return std::abs(ahead[at(k)] - behind[at(k)]); }
  double noise(int k) const { return rounding * size / step[at(k)]; }
  double largest(int k) const { return std::max(std::abs(ahead[at(k)]), std::abs(behind[at(k)])); }
  /// f(h) - f(0) of one side.
  double change(const std::array<double, steps>& side, int k) const { return std::abs(side[at(k)]) * step[at(k)]; }
  /// From step `last` on to a thousand times it, a tenth of the step makes of it no less than 1/factor; and it is not a
  /// rounding.
  bool hardly_shrinks(const std::array<double, steps>& side, int last, double factor) const {
    if (!(change(side, last) > 1e3 * rounding * size) || !std::isfinite(change(side, last))) return false;
    for (int k = last; k > last - 3; --k)
      if (!(change(side, k - 1) < factor * change(side, k))) return false;
    return true;
  }
  /// At 0, or so near to it that fewer than three steps stay on this side of the leap.
  bool leaps(const std::array<double, steps>& side) const {
    if (hardly_shrinks(side, steps - 1, leap)) return true;
    for (int k = steps - 2; k > steps - 4; --k)
      if (hardly_shrinks(side, k, leap) && change(side, k) > 1e2 * change(side, k + 1)) return true;
    return false;
  }
  /// As a root does: the slope grows without end, and nothing leaps.
  bool steepens(const std::array<double, steps>& side) const { return hardly_shrinks(side, steps - 1, 8); }
  /// Next to a leap.
  double slope_beyond(const std::array<double, steps>& side) const {
    constexpr int last = 3;
    double best = 0, least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < last; ++k) {
      const double here = side[at(k)] * step[at(k)], nearer = side[at(k + 1)] * step[at(k + 1)];
      const double slope = (here - nearer) / (step[at(k)] - step[at(k + 1)]);
      if (std::abs(slope) < least) best = slope, least = std::abs(slope);
    }
    return best;
  }
  /// No step moves it at all.
  bool constant() const {
    const auto still = [](double s) { return s == 0 || std::isnan(s); };
    return std::all_of(ahead.begin(), ahead.end(), still) && std::all_of(behind.begin(), behind.end(), still);
  }

private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
};

struct SlopeEstimate {
  double value = 0, error = std::numeric_limits<double>::infinity();
  bool kink = false, jump = false, steep = false;
};

/// A kink's gap does not shrink with the step; that of a smooth function shrinks like the step, and rounding's grows.
bool is_kink(const Sides& s, int k, double error) {
  const double large = s.largest(k);
  return s.gap(k + 1) > 0.5 * s.gap(k) && s.gap(k) > 0.5 * s.gap(k + 1) && s.gap(k) > 1e-3 * large &&
         s.gap(k) > 10 * error;
}

/// What leaps has slopes that grow as 1/h, whichever side they are of: the least change is then that of the largest
/// step, and shows nothing.
bool is_jump(const Sides& s) { return s.leaps(s.ahead) || s.leaps(s.behind); }

SlopeEstimate chosen(const Sides& s) {
  SlopeEstimate best;
  if (is_jump(s)) {
    best.value = 0.5 * (s.slope_beyond(s.ahead) + s.slope_beyond(s.behind));
    best.jump = std::isfinite(best.value);
    return best;
  }
  int place = -1;
  for (int k = 1; k + 1 < steps; ++k) {
    const double change =
        std::max(std::abs(s.central(k - 1) - s.central(k)), std::abs(s.central(k) - s.central(k + 1)));
    const double error = change + s.noise(k);
    if (!(error < best.error)) continue; // also where one of the three is none
    best.error = error;
    place = k;
  }
  if (place < 0) return best;
  best.value = s.central(place) + (s.central(place) - s.central(place - 1)) / (ratio * ratio - 1);
  if (s.constant()) best.error = 0;
  best.kink = is_kink(s, place, best.error);
  if (best.kink) best.error += 0.5 * s.gap(place);
  best.steep = !best.kink && (s.steepens(s.ahead) || s.steepens(s.behind));
  if (best.steep) best.error = std::numeric_limits<double>::infinity();
  return best;
}

/// One-sided slopes of all entries, step by step.
class Ladder {
public:
  Ladder(const Deviation& deviation, std::size_t entries, double largest) : entries_(entries), moved_(entries, 0) {
    for (std::size_t k = 0; k < steps; ++k) {
      step_[k] = largest / std::pow(ratio, static_cast<double>(k));
      fill(ahead_[k], deviation(step_[k]), step_[k]);
      fill(behind_[k], deviation(-step_[k]), -step_[k]);
    }
  }
  /// False: no step moves this entry at all, and each of them was available.
  bool moved(std::size_t i) const { return missing_ || moved_[i] != 0; }
  Sides sides(std::size_t i, double size) const {
    Sides s;
    for (std::size_t k = 0; k < steps; ++k) s.ahead[k] = ahead_[k][i], s.behind[k] = behind_[k][i];
    s.step = step_, s.size = size;
    return s;
  }

private:
  void fill(std::vector<double>& slopes, const std::optional<Eigen::VectorXd>& change, double h) {
    slopes.assign(entries_, NAN);
    missing_ = missing_ || !change;
    if (!change) return;
    for (std::size_t i = 0; i < entries_; ++i) {
      const double by = (*change)[static_cast<Eigen::Index>(i)];
      slopes[i] = by / h;
      moved_[i] |= static_cast<unsigned char>(!(by == 0)); // also where it is none
    }
  }

  std::size_t entries_;
  std::array<std::vector<double>, steps> ahead_, behind_;
  std::array<double, steps> step_{};
  std::vector<unsigned char> moved_;
  bool missing_ = false;
};

} // namespace

std::optional<Slope> slope(const Deviation& deviation, const Eigen::VectorXd& sizes, double largest) {
  const auto entries = static_cast<std::size_t>(sizes.size());
  const Ladder ladder(deviation, entries, largest);
  Slope result;
  result.value = Eigen::VectorXd::Zero(sizes.size());
  result.error = Eigen::VectorXd::Zero(sizes.size());
  result.kinks.assign(entries, false);
  result.jumps.assign(entries, false);
  result.steep.assign(entries, false);
  for (std::size_t i = 0; i < entries; ++i) {
    if (!ladder.moved(i)) continue;
    const Eigen::Index row = static_cast<Eigen::Index>(i);
    const SlopeEstimate entry = chosen(ladder.sides(i, sizes[row]));
    if (!entry.jump && !entry.steep && !std::isfinite(entry.error)) return std::nullopt;
    result.value[row] = entry.value;
    result.error[row] = entry.error;
    result.kinks[i] = entry.kink;
    result.jumps[i] = entry.jump;
    result.steep[i] = entry.steep;
  }
  return result;
}

} // namespace hilda::analysis
