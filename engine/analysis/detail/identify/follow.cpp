// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/follow.h"

#include "engine/analysis/detail/identify/least_squares.h"
#include "engine/analysis/detail/identify/spline.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

namespace hilda::analysis {
namespace {

constexpr double two_sided_95 = 1.96;
/// Parts of a sample at which the acceleration is given: going straight from command to command makes it ripple.
constexpr int fine = 8;

Eigen::VectorXd vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

double deviation(const Eigen::VectorXd& v) { return std::sqrt((v.array() - v.mean()).square().mean()); }

Estimate estimate(const Fit& fit, Eigen::Index i) {
  return {fit.parameters[i], two_sided_95 * std::sqrt(fit.covariance(i, i))};
}

struct TrimmedFit {
  Fit fit;
  Eigen::ArrayXd keep; ///< 1 for samples that count, else 0
  double kept() const { return keep.sum(); }
  double residual() const { return std::sqrt(fit.sum_of_squares / kept()); }
};

Residuals masked(const Residuals& residuals, const Eigen::ArrayXd& keep) {
  return [&residuals, &keep](const Eigen::VectorXd& p) -> Eigen::VectorXd {
    return (residuals(p).array() * keep).matrix();
  };
}

/// Fits all samples, then fits again without the outliers, as after a cycle that was lost. An outlier's residual is
/// more than eight standard deviations and more than a thousandth of `size`. Outliers are left out only where they are
/// fewer than one sample in ten: more of them are not an accident.
TrimmedFit trimmed_least_squares(const Residuals& residuals, const Eigen::VectorXd& start, const Eigen::VectorXd& steps,
                                 double size) {
  TrimmedFit result{least_squares(residuals, start, steps), {}};
  Eigen::ArrayXd left = residuals(result.fit.parameters).array().abs();
  result.keep = Eigen::ArrayXd::Ones(left.size());
  for (int round = 0; round < 2; ++round) {
    Eigen::ArrayXd sorted = left;
    double* const middle = sorted.data() + sorted.size() / 2;
    std::nth_element(sorted.data(), middle, sorted.data() + sorted.size());
    // the median of |normal| is 1/1.4826 of its standard deviation
    const double bound = std::max(8.0 * 1.4826 * *middle, 1e-3 * size);
    const Eigen::ArrayXd keep = (left <= bound).cast<double>();
    if (keep.minCoeff() == 1.0 || 10.0 * (1.0 - keep.mean()) > 1.0) return result;
    result = {least_squares(masked(residuals, keep), result.fit.parameters, steps), keep};
    left = residuals(result.fit.parameters).array().abs();
  }
  return result;
}

/// Bayesian information criterion: smaller is better.
double criterion(const Fit& fit, double samples) {
  return samples * std::log(fit.sum_of_squares / samples) +
         static_cast<double>(fit.parameters.size()) * std::log(samples);
}

/// The command through dead time and second order. Robots go straight from one command to the next; a smooth curve
/// would be right at the samples only, and its difference taken for lag.
class Follower {
public:
  explicit Follower(const FollowRecord& record)
      : command_(record.commanded, record.period), period_(record.period), samples_(record.commanded.size()) {}

  Eigen::VectorXd delayed(double dead_time) const {
    Eigen::VectorXd y(size());
    for (Eigen::Index k = 0; k < size(); ++k) y[k] = command_.straight(time(k) - dead_time);
    return y;
  }
  /// At every `fine` part of a sample.
  std::vector<double> delayed_acceleration(double dead_time) const {
    std::vector<double> a;
    for (Eigen::Index k = 0; k < size(); ++k)
      for (int i = 0; i < fine; ++i) a.push_back(command_.curvature(time(k) + i * period_ / fine - dead_time));
    return a;
  }

  /// Steps of the integration a sample, as many as the poles ask for.
  int steps(double wn, double xi) const {
    const double fastest = wn * std::max(1.0, 2.0 * xi);
    return std::clamp(static_cast<int>(std::ceil(period_ * fastest / 0.5)), 2, 200);
  }

  /// Classical Runge-Kutta with `steps` a sample; begins at rest. `acceleration` is that at each step.
  Eigen::VectorXd followed(double dead_time, double wn, double xi, int steps,
                           std::vector<double>* acceleration = nullptr) const {
    const double h = period_ / steps;
    Eigen::VectorXd y(size());
    double x = command_.straight(-dead_time), v = 0.0;
    const auto pull = [&](double t, double at, double rate) {
      return wn * wn * (command_.straight(t - dead_time) - at) - 2.0 * xi * wn * rate;
    };
    for (Eigen::Index k = 0; k < size(); ++k) {
      y[k] = x;
      for (int i = 0; i < steps; ++i) {
        const double t = time(k) + i * h, half = 0.5 * h;
        const double v1 = v, a1 = pull(t, x, v);
        if (acceleration != nullptr) acceleration->push_back(a1);
        const double v2 = v + half * a1, a2 = pull(t + half, x + half * v1, v2);
        const double v3 = v + half * a2, a3 = pull(t + half, x + half * v2, v3);
        const double v4 = v + h * a3, a4 = pull(t + h, x + h * v3, v4);
        x += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
      }
    }
    return y;
  }

private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(samples_); }
  double time(Eigen::Index k) const { return period_ * static_cast<double>(k); }

  Spline command_;
  double period_;
  std::size_t samples_;
};

/// The rest of `actual` after the best gain and offset of a model's output.
double misfit(const Eigen::VectorXd& model, const Eigen::VectorXd& actual) {
  const Eigen::ArrayXd m = model.array() - model.mean(), y = actual.array() - actual.mean();
  const double square = m.square().sum();
  const double gain = square > 0.0 ? (m * y).sum() / square : 0.0;
  return (y - gain * m).square().sum();
}

/// Of delays from `first` to `last` in steps of half a sample: the one with the least misfit.
template <typename MisfitAt> double best_delay(double first, double last, double period, const MisfitAt& misfit_at) {
  double best = 0.0, least = std::numeric_limits<double>::infinity();
  for (int half = 0;; ++half) {
    const double delay = first + half * (0.5 * period);
    if (!(delay <= last)) return best;
    if (const double left = misfit_at(delay); left < least) least = left, best = delay;
  }
}

/// Dead time alone, by a scan.
double scanned_delay(const Follower& follower, const Eigen::VectorXd& actual, const FollowRecord& record) {
  const double longest = std::min(0.5, 0.25 * record.period * static_cast<double>(actual.size()));
  return best_delay(0.0, longest, record.period, [&](double delay) { return misfit(follower.delayed(delay), actual); });
}

// Parameters: gain, offset, dead time; and with the second order log of wn and of xi, which keeps both above 0.
constexpr Eigen::Index gain_at = 0, offset_at = 1, delay_at = 2, frequency_at = 3, damping_at = 4;

Fit fit_delay(const Follower& follower, const Eigen::VectorXd& actual, double begin, const Eigen::ArrayXd& keep) {
  Eigen::VectorXd start(3), steps(3);
  start << 1.0, actual[0], begin;
  steps << 1e-4, 1e-7, 1e-5;
  const Residuals residuals = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
    return ((p[gain_at] * follower.delayed(p[delay_at]) - actual).array() + p[offset_at]).matrix();
  };
  return least_squares(masked(residuals, keep), start, steps);
}

TrimmedFit fit_second_order(const Follower& follower, const Eigen::VectorXd& actual, double whole_delay,
                            double period) {
  // A second order is 2 xi/wn of delay at low frequencies: the dead time is about what is left of the whole.
  double least = std::numeric_limits<double>::infinity();
  Eigen::VectorXd start(5), steps(5);
  for (const double frequency : {2.0, 5.0, 10.0, 20.0, 40.0, 80.0})
    for (const double xi : {0.4, 0.7, 1.0}) {
      const double wn = 2.0 * std::numbers::pi * frequency, delay = std::max(0.0, whole_delay - 2.0 * xi / wn);
      if (wn * period > std::numbers::pi) continue;
      const double left = misfit(follower.followed(delay, wn, xi, follower.steps(wn, xi)), actual);
      if (left >= least) continue;
      least = left;
      start << 1.0, actual[0], delay, std::log(wn), std::log(xi);
    }
  steps << 1e-4, 1e-7, 1e-5, 1e-3, 1e-3;
  // The same number for all, or the sum would jump where it changes.
  const int steps_a_sample = 2 * follower.steps(std::exp(start[frequency_at]), std::exp(start[damping_at]));
  const double fastest = std::log(4.0 * std::numbers::pi / period);
  return trimmed_least_squares(
      [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
        if (p[frequency_at] > fastest || std::abs(p[damping_at]) > 4.0)
          return Eigen::VectorXd::Constant(actual.size(), std::numeric_limits<double>::infinity());
        const double wn = std::exp(p[frequency_at]), xi = std::exp(p[damping_at]);
        const Eigen::VectorXd y = follower.followed(p[delay_at], wn, xi, steps_a_sample);
        return ((p[gain_at] * y - actual).array() + p[offset_at]).matrix();
      },
      start, steps, deviation(actual));
}

/// exp of an estimate of a logarithm.
Estimate exponential(const Estimate& e) { return {std::exp(e.value), std::exp(e.value) * e.half_width}; }

std::string micrometres(double metres) { return std::to_string(std::lround(metres * 1e6)) + " um"; }

/// What makes a record useless, or nothing.
std::string error(const FollowRecord& record) {
  if (record.commanded.size() != record.actual.size()) return "commands and reports differ in number";
  if (record.commanded.size() < 100) return "fewer than 100 samples were recorded";
  const double motion = deviation(vector(record.commanded)), answer = deviation(vector(record.actual));
  if (motion < 1e-6) return "the command hardly moved: " + micrometres(motion) + " about its mean";
  if (answer < 0.1 * motion)
    return "the robot did not follow: it moved " + micrometres(answer) + " about its mean where the command moved " +
           micrometres(motion);
  return "";
}

} // namespace

double FollowEstimate::simulated_dead_time(double period) const {
  return std::max(0.0, dead_time.value - (second_order ? 0.5 * period : 0.0));
}

FollowEstimate identify_follow(const FollowRecord& record, std::string& problem) {
  problem = error(record);
  FollowEstimate result;
  if (!problem.empty()) return result;
  const Follower follower(record);
  const Eigen::VectorXd actual = vector(record.actual);
  const double whole = scanned_delay(follower, actual, record);
  const TrimmedFit second = fit_second_order(follower, actual, whole, record.period);
  const Fit plain = fit_delay(follower, actual, whole, second.keep);
  const Estimate frequency = estimate(second.fit, frequency_at);
  // A natural frequency far above the excitation cannot be distinguished from dead time.
  result.second_order =
      frequency.half_width < 0.12 && criterion(second.fit, second.kept()) < criterion(plain, second.kept());
  const Fit& fit = result.second_order ? second.fit : plain;
  result.dead_time = estimate(fit, delay_at);
  result.gain = estimate(fit, gain_at);
  if (result.second_order) {
    result.natural_frequency = exponential(frequency);
    result.damping_ratio = exponential(estimate(fit, damping_at));
    follower.followed(result.dead_time.value, result.natural_frequency.value, result.damping_ratio.value, fine,
                      &result.acceleration);
  } else {
    result.acceleration = follower.delayed_acceleration(result.dead_time.value);
  }
  result.acceleration_period = record.period / fine;
  for (double& a : result.acceleration) a *= result.gain.value;
  result.residual = std::sqrt(fit.sum_of_squares / second.kept());
  result.left_out = record.actual.size() - static_cast<std::size_t>(second.kept());
  result.motion = deviation(vector(record.commanded));
  if (result.residual > 0.3 * deviation(actual))
    problem = "the model leaves " + micrometres(result.residual) + " of " + micrometres(deviation(actual)) +
              " unexplained: the robot did something else than follow";
  return result;
}

namespace {

// Parameters of force and motion together: those of the second order, then these.
constexpr Eigen::Index mass_at = 5, bias_at = 6, force_delay_at = 7;

/// Robot and sensor in one fit: the same second order explains the reported motion and, by its acceleration, the force.
/// A sensor fitted to a motion that was fitted before would know nothing of what that motion leaves open, which is
/// most of the doubt about the delay between the two. Each side counts by what is left of it.
Fit fit_together(const FollowRecord& record, const FollowEstimate& motion, const Eigen::VectorXd& force,
                 const SensorEstimate& sensor) {
  const Follower follower(record);
  const Eigen::VectorXd actual = vector(record.actual);
  const double of_motion = std::max(motion.residual, 1e-12), of_force = std::max(sensor.residual, 1e-12);
  const double fastest = std::log(4.0 * std::numbers::pi / record.period);
  Eigen::VectorXd start(8), steps(8);
  start << motion.gain.value, 0.0, motion.dead_time.value, std::log(motion.natural_frequency.value),
      std::log(motion.damping_ratio.value), sensor.mass.value, 0.0, sensor.delay.value;
  steps << 1e-4, 1e-7, 1e-5, 1e-3, 1e-3, 1e-4, 1e-4, 1e-5;
  const Residuals residuals = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
    const Eigen::Index n = actual.size();
    if (p[frequency_at] > fastest || std::abs(p[damping_at]) > 4.0)
      return Eigen::VectorXd::Constant(2 * n, std::numeric_limits<double>::infinity());
    std::vector<double> acceleration;
    const Eigen::VectorXd y =
        follower.followed(p[delay_at], std::exp(p[frequency_at]), std::exp(p[damping_at]), fine, &acceleration);
    const Spline curve(std::move(acceleration), record.period / fine);
    Eigen::VectorXd left(2 * n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double a = p[gain_at] * curve.value(record.period * static_cast<double>(k) - p[force_delay_at]);
      left[k] = (p[gain_at] * y[k] + p[offset_at] - actual[k]) / of_motion;
      left[n + k] = (p[bias_at] - p[mass_at] * a - force[k]) / of_force;
    }
    return left;
  };
  const Eigen::VectorXd first = residuals(start);
  start[offset_at] = -of_motion * first.head(actual.size()).mean();
  start[bias_at] = -of_force * first.tail(actual.size()).mean();
  return trimmed_least_squares(residuals, start, steps, 0.0).fit;
}

/// The sensor against the motion as it was fitted.
SensorEstimate sensor_alone(const FollowEstimate& motion, const Eigen::VectorXd& measured, double period) {
  SensorEstimate result;
  const Spline curve(motion.acceleration, motion.acceleration_period);
  const auto inertia = [&](double delay) {
    Eigen::VectorXd pull(measured.size());
    for (Eigen::Index k = 0; k < measured.size(); ++k) pull[k] = -curve.value(period * static_cast<double>(k) - delay);
    return pull;
  };
  const double begin = best_delay(-0.02, 0.1, period, [&](double delay) { return misfit(inertia(delay), measured); });
  Eigen::VectorXd start(3), steps(3);
  start << 1.0, measured.mean(), begin;
  steps << 1e-4, 1e-4, 1e-5;
  const TrimmedFit trimmed = trimmed_least_squares(
      [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
        return ((p[gain_at] * inertia(p[delay_at]) - measured).array() + p[offset_at]).matrix();
      },
      start, steps, deviation(measured));
  result.mass = estimate(trimmed.fit, gain_at);
  result.delay = estimate(trimmed.fit, delay_at);
  result.residual = trimmed.residual();
  return result;
}

} // namespace

SensorEstimate identify_sensor(const FollowRecord& record, const FollowEstimate& motion,
                               const std::vector<double>& force) {
  if (motion.acceleration.empty() || force.size() < 100 || force.size() != record.actual.size()) return {};
  const Eigen::VectorXd measured = vector(force);
  SensorEstimate result = sensor_alone(motion, measured, record.period);
  const auto stands_out = [&] {
    return result.mass.value > 2.0 * result.mass.half_width && result.delay.half_width < 0.005;
  };
  if (stands_out()) {
    if (motion.second_order) {
      const SensorEstimate alone = result;
      const Fit both = fit_together(record, motion, measured, result);
      result.mass = estimate(both, mass_at);
      result.delay = estimate(both, force_delay_at);
      if (!stands_out()) { // all eight at once may not converge where the motion is known to the nanometre
        result = alone;
        result.delay.half_width = std::hypot(alone.delay.half_width, motion.dead_time.half_width);
      }
    } else {
      result.delay.half_width = std::hypot(result.delay.half_width, motion.dead_time.half_width);
    }
  }
  result.known = stands_out();
  return result;
}

std::string doubt(const SensorEstimate& sensor, const std::optional<double>& payload) {
  if (!sensor.known) return "";
  const auto number = [](double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return std::string(text);
  };
  if (payload) {
    const double room = std::max(0.25 * std::max(*payload, sensor.mass.value), 3.0 * sensor.mass.half_width);
    if (std::abs(sensor.mass.value - *payload) > room)
      return "a payload of " + number(sensor.mass.value) + " kg explains the force, the rig's payload_mass is " +
             number(*payload) +
             " kg: either that is wrong, or the force is not this payload's inertia alone (a contact, or a robot "
             "without second order, whose acceleration comes in bursts that records catch or miss)";
  }
  if (sensor.delay.value + sensor.delay.half_width < 0.0)
    return "the force is " + number(-1e3 * sensor.delay.value) +
           " ms ahead of the reported motion: the robot's reports come that much later than the sensor's records (its "
           "controller, or the network), and the sensor's own delay cannot be determined";
  return "";
}

} // namespace hilda::analysis
