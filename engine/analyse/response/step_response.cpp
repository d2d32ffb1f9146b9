#include "engine/analyse/response/step_response.h"

#include "engine/analyse/response/channel.h"
#include "engine/analyse/response/sampled_response.h"
#include "engine/analyse/state_space/decompositions.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hilda {
namespace {

/// x' = A x + B once, for u = 1.
struct Stride {
  Eigen::MatrixXd A;
  Eigen::VectorXd B;
  void square() {
    B += A * B;
    A = A * A;
  }
  /// This one, and then the other.
  Stride then(const Stride& other) const { return {other.A * A, other.A * B + other.B}; }
};

Stride repeated(Stride once, std::int64_t times) {
  Stride all{Eigen::MatrixXd::Identity(once.A.rows(), once.A.cols()), Eigen::VectorXd::Zero(once.B.size())};
  for (; times > 0; times /= 2, once.square())
    if (times % 2 != 0) all = all.then(once);
  return all;
}

/// Neither grows nor stays: by more than rounding makes of it.
bool decays(std::complex<double> s) { return s.real() < -1e-9 * std::abs(s); }

/// How far the slowest pole asks to look, s.
double horizon(const LinearModel& channel) {
  double wanted = channel.period * static_cast<double>(2 * channel.A.rows() + 10); // the length of a pure delay line
  for (const std::complex<double> pole : channel.poles()) {
    const std::complex<double> s = channel.continuous(pole);
    if (grows(channel, pole, 1e-9)) return std::log(50.0) / s.real(); // the first grows fastest
    if (!std::isfinite(s.real()) || std::abs(s) < 1e-6) continue;
    wanted = std::max(wanted, decays(s) ? std::log(1000.0) / -s.real() : 20 / std::abs(s));
  }
  return wanted > 0 ? wanted : 1;
}

double crossing_time(const StepResponse& response, double level) {
  const double sign = response.steady < 0 ? -1 : 1;
  for (std::size_t i = 0; i < response.value.size(); ++i) {
    if (sign * response.value[i] < sign * level) continue;
    if (i == 0) return response.time[0];
    const double before = response.value[i - 1], step = response.value[i] - before;
    return response.time[i - 1] + (response.time[i] - response.time[i - 1]) * (level - before) / step;
  }
  return response.time.empty() ? 0 : response.time.back();
}

void add_figures(StepResponse& response) {
  const double sign = response.steady < 0 ? -1 : 1;
  for (std::size_t i = 0; i < response.value.size(); ++i)
    if (i == 0 || sign * response.value[i] > sign * response.peak)
      response.peak = response.value[i], response.peak_time = response.time[i];
  if (response.steady == 0) return;
  response.overshoot = std::max(0.0, response.peak / response.steady - 1);
  if (response.overshoot < 1e-9) response.overshoot = 0;
  response.rise_time = crossing_time(response, 0.9 * response.steady) - crossing_time(response, 0.1 * response.steady);
  const double band = 0.02 * std::abs(response.steady);
  for (std::size_t i = response.value.size(); i-- > 0;)
    if (std::abs(response.value[i] - response.steady) > band) {
      response.settling_time = response.time[std::min(i + 1, response.time.size() - 1)];
      break;
    }
}

} // namespace

StepResponse step_response(const LinearModel& channel, double until, int samples) {
  StepResponse response;
  const std::vector<std::complex<double>> poles = channel.poles();
  const double end = until > 0 ? until : horizon(channel);
  Stride once;
  double step = end / samples;
  if (channel.period > 0) {
    const auto ticks = std::max<std::int64_t>(1, std::llround(end / channel.period / samples));
    step = channel.period * static_cast<double>(ticks);
    once = repeated({channel.A, channel.B.col(0)}, ticks);
  } else {
    const Discretization held = discretized(channel.A, channel.B.col(0), step);
    once = {held.A, held.B};
  }
  Eigen::VectorXd x = Eigen::VectorXd::Zero(channel.A.rows());
  for (std::int64_t k = 0; static_cast<double>(k) * step <= end * (1 + 1e-9); ++k) {
    response.time.push_back(static_cast<double>(k) * step);
    response.value.push_back((channel.C * x)(0) + channel.D(0, 0));
    x = once.A * x + once.B;
  }
  const double steady = steady_gain(channel);
  response.settles =
      std::isfinite(steady) && (poles.empty() || poles.front() == 0.0 || decays(channel.continuous(poles.front())));
  if (!poles.empty()) response.pole = poles.front();
  if (!response.settles) return response;
  response.steady = steady;
  add_figures(response);
  return response;
}

} // namespace hilda
