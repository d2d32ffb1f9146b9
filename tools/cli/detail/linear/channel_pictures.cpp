// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/linear/channel_pictures.h"

#include "engine/analysis/unwrapped_phase.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace hilda::cli {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<double>;

plot::Curve curve(const std::string& label, Numbers across, Numbers up, plot::Mark mark = plot::Mark::line) {
  plot::Curve made;
  made.label = label;
  made.time = std::make_shared<Numbers>(std::move(across));
  made.values = std::move(up);
  made.mark = mark;
  return made;
}

Numbers logarithms(Numbers of) {
  for (double& each : of) each = std::log10(each);
  return of;
}

/// Degrees, without jumps.
Numbers phases(const ChannelStudy& study) {
  Numbers all = unwrapped_phase(study.channel, study.sampled);
  for (double& each : all) each *= degrees;
  return all;
}

/// Phase at a frequency between two samples.
double phase_at(const SampledResponse& sampled, const Numbers& phases, double frequency) {
  const auto after = std::lower_bound(sampled.frequencies.begin(), sampled.frequencies.end(), frequency);
  if (after == sampled.frequencies.end()) return phases.back();
  const auto i = static_cast<std::size_t>(after - sampled.frequencies.begin());
  if (i == 0) return phases.front();
  const double low = std::log(sampled.frequencies[i - 1]), high = std::log(sampled.frequencies[i]);
  return phases[i - 1] + (phases[i] - phases[i - 1]) * (std::log(frequency) - low) / (high - low);
}

/// The margins that count: where the gain crosses 0 dB, and where the phase crosses -180 degrees, or a turn more.
void mark_margins(const ChannelStudy& study, const Numbers& phase, plot::Figure& figure) {
  Numbers across, gain, lag;
  const auto note = [&](double frequency, double decibels) {
    if (frequency <= 0) return; // at rest, which lies left of every picture of decades
    across.push_back(std::log10(frequency));
    gain.push_back(decibels);
    lag.push_back(phase_at(study.sampled, phase, frequency));
  };
  const auto draw = [&](const char* label, plot::Mark mark) {
    if (!across.empty()) {
      figure.panels[0].curves.push_back(curve(label, across, gain, mark));
      figure.panels[1].curves.push_back(curve("", across, lag, mark));
    }
    across.clear(), gain.clear(), lag.clear();
  };
  for (const GainMargin* each : {study.margins->least_increase(), study.margins->least_decrease()})
    if (each != nullptr) note(each->frequency, -20 * std::log10(each->factor));
  draw("gain margin", plot::Mark::circle);
  for (const PhaseMargin* each : {study.margins->least_angle(), study.margins->least_delay()})
    if (each != nullptr) note(each->frequency, 0);
  draw("phase margin", plot::Mark::cross);
}

plot::Figure plane(const std::string& title, const std::string& across, const std::string& up, double from, double to) {
  plot::Figure figure;
  figure.title = title, figure.across = across, figure.plane = true;
  figure.from = from, figure.to = to;
  figure.panels = {{up, "", {}}};
  return figure;
}

plot::Curve unit_circle() {
  Numbers x, y;
  constexpr int points = 360;
  for (int k = 0; k <= points; ++k) {
    const double angle = 2 * std::numbers::pi * k / points;
    x.push_back(std::cos(angle)), y.push_back(std::sin(angle));
  }
  return curve("unit circle", x, y);
}

} // namespace

plot::Figure bode_figure(const std::vector<ChannelStudy>& channels, const std::string& title) {
  plot::Figure figure;
  figure.title = title, figure.across = "Frequency [rad/s]", figure.decades = true;
  figure.panels = {{"Magnitude", "dB", {}}, {"Phase", "deg", {}}};
  for (const ChannelStudy& study : channels) {
    const Numbers across = logarithms(study.sampled.frequencies);
    Numbers gain, phase = phases(study);
    for (std::size_t i = 0; i < study.sampled.values.size(); ++i) {
      const double size = std::abs(study.sampled.values[i]);
      const bool shown = size > 1e-15 && std::isfinite(size); // nothing of what does not reach the output
      gain.push_back(shown ? 20 * std::log10(size) : nothing);
      if (!shown) phase[i] = nothing;
    }
    figure.panels[0].curves.push_back(curve(study.name, across, gain));
    figure.panels[1].curves.push_back(curve("", across, phase));
  }
  for (const ChannelStudy& study : channels)
    if (study.margins && study.one_response && !study.sampled.values.empty())
      mark_margins(study, phases(study), figure);
  return figure;
}

plot::Figure nyquist_figure(const std::vector<ChannelStudy>& channels, const std::string& title) {
  double largest = 1.2;
  for (const ChannelStudy& study : channels)
    for (const std::complex<double> value : study.sampled.values) largest = std::max(largest, std::abs(value));
  const double reach = largest > 10 ? 4 : 1.1 * largest;
  plot::Figure figure = plane(title, "Real part", "Imaginary part", -reach, reach);
  for (const ChannelStudy& study : channels) {
    Numbers x, y;
    for (const double side : {1.0, -1.0}) {
      for (const std::complex<double> value : study.sampled.values)
        x.push_back(value.real()), y.push_back(side * value.imag());
      x.push_back(nothing), y.push_back(nothing);
    }
    figure.panels[0].curves.push_back(curve(study.name, x, y));
  }
  figure.panels[0].curves.push_back(unit_circle());
  figure.panels[0].curves.push_back(curve("-1", {-1}, {0}, plot::Mark::cross));
  return figure;
}

plot::Figure step_figure(const std::vector<ChannelStudy>& channels, const std::string& title) {
  plot::Figure figure;
  figure.title = title;
  figure.panels = {{"Response to a step of 1", "", {}}};
  figure.panel_height = 220;
  for (const ChannelStudy& study : channels) {
    plot::Curve made = curve(study.name, study.step->time, study.step->value);
    const std::vector<double>& time = study.step->time;
    if (study.channel.period > 0 && time.size() > 1) made.held = time[1] - time[0];
    figure.panels[0].curves.push_back(std::move(made));
  }
  return figure;
}

plot::Figure pole_figure(const LinearModel& model, const std::vector<Pole>& poles, const std::string& title) {
  Numbers x, y;
  double left = 0, right = 0, up = 0;
  for (const Pole& pole : poles) {
    x.push_back(pole.value.real()), y.push_back(pole.value.imag());
    left = std::min(left, x.back()), right = std::max(right, x.back()), up = std::max(up, std::abs(y.back()));
  }
  const bool discrete = model.period > 0;
  if (discrete) left = std::min(left, -1.0), right = std::max(right, 1.0);
  double half = 1.15 * std::max(up, (right - left) / 2);
  if (half == 0) half = 1;
  const double middle = (left + right) / 2;
  plot::Figure figure =
      plane(title, discrete ? "Real part of z" : "Real part of s [1/s]",
            discrete ? "Imaginary part of z" : "Imaginary part of s [rad/s]", middle - half, middle + half);
  figure.panels[0].curves.push_back(curve("poles", x, y, plot::Mark::cross));
  if (discrete) figure.panels[0].curves.push_back(unit_circle());
  return figure;
}

} // namespace hilda::cli
