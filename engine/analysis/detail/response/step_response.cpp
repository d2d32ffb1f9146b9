// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/step_response.h"

#include "engine/analysis/channel.h"
#include "engine/analysis/detail/response/step_figures.h"
#include "engine/analysis/sampled_response.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hilda::analysis {
namespace {

/// Neither grows nor stays: by more than rounding makes of it.
bool fades(std::complex<double> s) { return s.real() < -1e-9 * std::abs(s); }

/// How far the slowest pole asks to look, s.
double horizon(const LinearModel& channel) {
  double wanted = channel.period * static_cast<double>(2 * channel.A.rows() + 10); // the length of a pure delay line
  for (const std::complex<double> pole : channel.poles()) {
    const std::complex<double> s = channel.continuous(pole);
    if (grows(channel, pole, 1e-9)) return std::log(50.0) / s.real(); // the first grows fastest
    if (!std::isfinite(s.real()) || std::abs(s) < 1e-6) continue;
    wanted = std::max(wanted, fades(s) ? std::log(1000.0) / -s.real() : 20 / std::abs(s));
  }
  return wanted > 0 ? wanted : 1;
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
    once = stride_of_ticks(channel, ticks);
  } else {
    once = stride_of_time(channel, step);
  }
  Eigen::VectorXd x = Eigen::VectorXd::Zero(channel.A.rows());
  for (std::int64_t k = 0; static_cast<double>(k) * step <= end * (1 + 1e-9); ++k) {
    response.time.push_back(static_cast<double>(k) * step);
    response.value.push_back((channel.C * x)(0) + channel.D(0, 0));
    x = once.A * x + once.B;
  }
  const double steady = steady_gain(channel);
  response.settles =
      std::isfinite(steady) && (poles.empty() || poles.front() == 0.0 || fades(channel.continuous(poles.front())));
  if (!poles.empty()) response.pole = poles.front();
  if (!response.settles) return response;
  response.steady = steady;
  add_step_figures(channel, response);
  return response;
}

} // namespace hilda::analysis
