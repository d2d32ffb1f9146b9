// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/response/step_figures.h"

#include "engine/analysis/detail/response/root.h"
#include "engine/analysis/detail/state_space/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace hilda::analysis {
namespace {

/// Where a response was looked at, and from where it can be followed on.
struct Look {
  double time = 0, value = 0;
  Eigen::VectorXd state;
};

/// The answer to a step of 1 from its start until nothing moves any more.
class StepWalk {
public:
  explicit StepWalk(const LinearModel& channel) : channel_(channel) {
    for (const std::complex<double> pole : channel.poles()) {
      const std::complex<double> s = channel.continuous(pole);
      if (!std::isfinite(s.real())) continue; // a delay line's, see shortest_until_
      modes_.push_back({finest / std::abs(s), -s.real()});
      end_ = std::max(end_, long_gone / -s.real());
      unit_ = std::min(unit_, modes_.back().step);
    }
    const double n = static_cast<double>(channel.A.rows());
    if (channel.period > 0) unit_ = channel.period, shortest_until_ = (2 * n + 10) * channel.period;
    end_ = std::max(end_, shortest_until_);
    most_ = static_cast<std::int64_t>(1e9 / (n * n + 100));
  }

  /// Calls `take(before, here)` look by look, `before` null at the first; false where it would be too many.
  template <class Take> bool go(Take take) {
    Look before, here{0, value_of(Eigen::VectorXd::Zero(channel_.A.rows())), Eigen::VectorXd::Zero(channel_.A.rows())};
    take(static_cast<const Look*>(nullptr), here);
    for (std::int64_t k = 0; here.time < end_; ++k) {
      if (k >= most_) return false;
      const int level = level_at(here.time);
      const Stride& stride = stride_at(level);
      std::swap(before, here);
      here.state = stride.A * before.state + stride.B;
      here.time = before.time + std::ldexp(unit_, level);
      here.value = value_of(here.state);
      take(static_cast<const Look*>(&before), here);
    }
    return true;
  }

  /// So long behind a look: of a discrete channel on a straight line between two ticks.
  double value_after(const Look& from, double time) const {
    if (channel_.A.rows() == 0 || !(time > 0)) return value_of(from.state);
    if (channel_.period == 0) return value_of(behind(from, stride_of_time(channel_, time)));
    const double ticks = std::floor(time / channel_.period * (1 + 1e-12));
    const double share = std::max(0.0, time / channel_.period - ticks);
    const Eigen::VectorXd first = behind(from, stride_of_ticks(channel_, static_cast<std::int64_t>(ticks)));
    const double value = value_of(first);
    return value + share * (value_of(channel_.A * first + channel_.B.col(0)) - value);
  }

private:
  static constexpr double finest = std::numbers::pi / 20; ///< of a turn of 2 pi
  static constexpr double long_gone = 16;                 ///< e^-16
  struct Mode {
    double step = 0, decay = 0;
  };

  double value_of(const Eigen::VectorXd& state) const { return (channel_.C * state)(0) + channel_.D(0, 0); }
  static Eigen::VectorXd behind(const Look& from, const Stride& stride) { return stride.A * from.state + stride.B; }
  /// The step is the unit, so many times doubled.
  int level_at(double time) const {
    if (time < shortest_until_) return 0;
    double step = std::max(end_ / 64, unit_);
    for (const Mode& mode : modes_)
      if (mode.decay * time < long_gone) step = std::min(step, mode.step);
    return step > unit_ ? static_cast<int>(std::log2(step / unit_)) : 0;
  }
  const Stride& stride_at(int level) {
    const auto at = static_cast<std::size_t>(level);
    if (strides_.size() <= at) strides_.resize(at + 1);
    if (!strides_[at])
      strides_[at] = channel_.period > 0 ? stride_of_ticks(channel_, std::int64_t{1} << level)
                                         : stride_of_time(channel_, std::ldexp(unit_, level));
    return *strides_[at];
  }

  const LinearModel& channel_;
  std::vector<Mode> modes_;
  std::vector<std::optional<Stride>> strides_;
  double end_ = 0, unit_ = std::numeric_limits<double>::infinity(), shortest_until_ = 0;
  std::int64_t most_ = 0;
};

/// A time at which what a function makes of the value changes its sign, between a look and `until`.
template <class Of> double time_between(const StepWalk& walk, const Look& from, double until, Of of) {
  return from.time + root_between(0, until - from.time, [&](double time) { return of(walk.value_after(from, time)); });
}

/// The greatest of what a function makes of the value, and when first levels are crossed upwards.
template <class Of> class Peak {
public:
  Peak(const StepWalk& walk, Of of) : walk_(walk), of_(of) {}

  void take(const Look* before, const Look& here) {
    if (before != nullptr && at_end_) behind_ = here.time, at_end_ = false;
    if (before != nullptr && !(of_(here.value) > best_)) return;
    best_ = of_(here.value), here_ = here, from_ = before != nullptr ? *before : here, at_end_ = true;
  }
  /// Sought between the looks next to the greatest.
  Valley place(bool discrete) const {
    Valley found{here_.time, here_.value};
    if (at_end_ || behind_ <= from_.time) return found;
    if (discrete) return found;
    const Valley finer =
        valley_between(0, behind_ - from_.time, [&](double time) { return -of_(walk_.value_after(from_, time)); });
    if (-finer.value > best_) found = {from_.time + finer.place, walk_.value_after(from_, finer.place)};
    return found;
  }

private:
  const StepWalk& walk_;
  Of of_;
  Look from_, here_;
  double best_ = 0, behind_ = 0;
  bool at_end_ = false;
};

/// When it is first as far as a share of `steady`; NaN: not yet.
void look_for(double& found, double share, double steady, const StepWalk& walk, const Look* before, const Look& here) {
  const double sign = steady < 0 ? -1 : 1;
  const auto beyond = [&](double value) { return sign * (value - share * steady); };
  if (!std::isnan(found) || beyond(here.value) < 0) return;
  found = before == nullptr ? here.time : time_between(walk, *before, here.time, beyond);
}

/// From when on it stays within `band` of `steady`; infinite: it does not.
double settling_time(StepWalk& walk, double steady, double band) {
  double settled = 0;
  const auto outside = [&](double value) { return std::abs(value - steady) - band; };
  walk.go([&](const Look* before, const Look& here) {
    if (outside(here.value) > 0)
      settled = std::numeric_limits<double>::infinity();
    else if (std::isinf(settled))
      settled = time_between(walk, *before, here.time, outside);
  });
  return settled;
}

} // namespace

Stride stride_of_ticks(const LinearModel& channel, std::int64_t ticks) {
  Stride once{channel.A, channel.B.col(0)};
  Stride all{Eigen::MatrixXd::Identity(once.A.rows(), once.A.cols()), Eigen::VectorXd::Zero(once.B.size())};
  for (; ticks > 0; ticks /= 2) {
    if (ticks % 2 != 0) all = {once.A * all.A, once.A * all.B + once.B};
    if (ticks > 1) once = {once.A * once.A, once.A * once.B + once.B};
  }
  return all;
}

Stride stride_of_time(const LinearModel& channel, double time) {
  const Discretization held = discretized(channel.A, channel.B.col(0), time);
  return {held.A, held.B};
}

void add_step_figures(const LinearModel& channel, StepResponse& response) {
  StepWalk walk(channel);
  const bool discrete = channel.period > 0;
  const double sign = response.steady < 0 ? -1 : 1, nothing = std::numeric_limits<double>::quiet_NaN();
  Peak towards(walk, [sign](double value) { return sign * value; });
  Peak against(walk, [sign](double value) { return -sign * value; });
  Peak largest(walk, [](double value) { return std::abs(value); });
  double low = nothing, high = nothing;
  response.resolved = walk.go([&](const Look* before, const Look& here) {
    towards.take(before, here), against.take(before, here), largest.take(before, here);
    look_for(low, 0.1, response.steady, walk, before, here);
    look_for(high, 0.9, response.steady, walk, before, here);
  });
  if (!response.resolved) return;
  Valley peak = largest.place(discrete);
  if (std::abs(response.steady) <= 1e-9 * std::abs(peak.value)) { // of what rounding leaves there is no share
    response.steady = 0;
  } else {
    peak = towards.place(discrete);
    response.overshoot = std::max(0.0, peak.value / response.steady - 1);
    if (response.overshoot < 1e-9) response.overshoot = 0;
    response.undershoot = std::max(0.0, -against.place(discrete).value / response.steady);
    if (response.undershoot < 1e-9) response.undershoot = 0;
    response.rise_time = high - low;
  }
  response.peak = peak.value, response.peak_time = peak.place;
  response.settling_time =
      settling_time(walk, response.steady, 0.02 * std::abs(response.steady == 0 ? response.peak : response.steady));
}

} // namespace hilda::analysis
