// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/linear/channel_study.h"

#include "engine/analysis/channel.h"
#include "tools/cli/detail/linear/say.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace hilda::cli {
namespace {

constexpr std::size_t most_crossings = 6;

std::string pole_text(std::complex<double> pole) { return fmt::format("{:.5g}{:+.5g}i", pole.real(), pole.imag()); }

double decibels(double factor) { return 20 * std::log10(factor); }

ChannelStudy study(const LinearModel& channel, const std::string& name, const StudyWishes& wishes) {
  ChannelStudy found{.channel = channel,
                     .name = name,
                     .sampled = {},
                     .figures = {},
                     .margins = {},
                     .one_response = wishes.signal_holds,
                     .step = {},
                     .no_way = wishes.no_way};
  if (wishes.response || wishes.margins) {
    Band band = band_of(channel);
    if (wishes.highest > 0) band.highest = wishes.highest;
    if (wishes.lowest > 0) band.lowest = wishes.lowest;
    if (band.lowest >= band.highest) { // what was not asked for gives way
      if (wishes.lowest > 0)
        band.highest = 10 * band.lowest;
      else
        band.lowest = 1e-3 * band.highest;
    }
    found.sampled = sample_response(channel, band);
  }
  if (wishes.response) found.figures = response_figures(channel, found.sampled);
  if (wishes.margins)
    found.margins = wishes.signal_holds          ? margins(channel, found.sampled, wishes.closed)
                    : wishes.by_ticks != nullptr ? margins_by_ticks(*wishes.by_ticks)
                                                 : stability_alone(channel, wishes.closed);
  if (found.no_way.empty() && found.channel.A.rows() == 0 && found.channel.D(0, 0) == 0)
    found.no_way = "nothing leads from the one to the other";
  if (wishes.step) found.step = step_response(channel, wishes.until);
  return found;
}

void print_response(const ChannelStudy& study) {
  const ResponseFigures& figures = study.figures;
  say("response of {}: ", study.name);
  if (figures.peak == 0) {
    say("none, the input does not reach the output\n");
    return;
  }
  if (std::isfinite(figures.steady))
    say("{:.5g} at rest", figures.steady);
  else
    say("it integrates");
  if (std::isinf(figures.peak))
    say(", infinite at {:.5g} rad/s, where a pole has no damping", figures.peak_frequency);
  else if (figures.peak_frequency > 0)
    say(", peak {:.5g} ({:.2f} dB) at {:.5g} rad/s", figures.peak, decibels(figures.peak), figures.peak_frequency);
  if (figures.bandwidth > 0) say(", -3 dB at {:.5g} rad/s", figures.bandwidth);
  say("\n");
}

/// "  gain   x 3.162 (10.00 dB) at 17.3 rad/s", the one that counts first.
void print_gain(const Margins& found) {
  if (found.gain.empty()) {
    say("  gain     no margin: the phase does not cross -180 degrees\n");
    return;
  }
  const auto line = [](const char* head, const GainMargin& margin) {
    const std::string place = std::isnan(margin.frequency) ? "" : fmt::format(" at {:.5g} rad/s", margin.frequency);
    say("  {:<8} x {:.5g} ({:+.2f} dB){}\n", head, margin.factor, decibels(margin.factor), place);
  };
  const GainMargin *more = found.least_increase(), *less = found.least_decrease();
  if (more != nullptr) line("gain", *more);
  if (less != nullptr) line(more == nullptr ? "gain" : "", *less);
  std::size_t others = 0;
  for (const GainMargin& each : found.gain)
    if (&each != more && &each != less && others++ < most_crossings) line("", each);
  if (others > most_crossings) say("           and {} more\n", others - most_crossings);
}

void print_phase(const ChannelStudy& study) {
  const Margins& found = *study.margins;
  if (found.phase.empty()) {
    const bool below = study.sampled.values.empty() || std::abs(study.sampled.values.front()) < 1;
    say("  phase    no margin: |L| does not cross 0 dB, it stays {} 1 from {:.3g} to {:.5g} rad/s\n",
        below ? "below" : "above", study.sampled.frequencies.empty() ? 0 : study.sampled.frequencies.front(),
        study.sampled.frequencies.empty() ? 0 : study.sampled.frequencies.back());
    return;
  }
  const PhaseMargin* least = found.least_angle();
  std::size_t others = 0;
  const auto line = [&](const char* head, const PhaseMargin& margin) {
    const std::string delay = found.stable ? fmt::format(", a delay of {:.5g} s", margin.delay) : "";
    say("  {:<8} {:.2f} deg at {:.5g} rad/s{}\n", head, margin.angle * degrees, margin.frequency, delay);
  };
  line("phase", *least);
  for (const PhaseMargin& each : found.phase)
    if (&each != least && others++ < most_crossings) line("", each);
  if (others > most_crossings) say("           and {} more\n", others - most_crossings);
  if (const PhaseMargin* soonest = found.least_delay(); found.stable && soonest != least) line("delay", *soonest);
}

void print_gain_by_ticks(const ChannelStudy& study) {
  if (!study.margins->gain.empty())
    print_gain(*study.margins);
  else
    say("  gain     no margin was found\n");
  say("  phase    not known: no one response belongs to several sample times\n");
}

void print_margins(const ChannelStudy& study) {
  const Margins& found = *study.margins;
  if (!study.no_way.empty()) {
    say("margins of {}: NOT KNOWN, {}\n", study.name, study.no_way);
    return;
  }
  say("margins of {}, closed with -1: {}\n", study.name,
      !found.solvable ? "that loop has no solution, 1 + D is 0"
      : found.stable  ? "stable"
      : found.edge
          ? fmt::format("AT THE EDGE of stability, the pole {} does not decay", pole_text(found.closed.front()))
          : fmt::format("NOT STABLE, the pole {} grows", pole_text(found.closed.front())));
  if (!study.one_response) return print_gain_by_ticks(study);
  print_gain(found);
  print_phase(study);
  if (found.nearest > 0)
    say("  nearest  {:.4g} to -1 at {:.5g} rad/s, the peak of the sensitivity is {:.4g}\n", found.nearest,
        found.nearest_frequency, 1 / found.nearest);
}

/// The figures are the model's; a picture that ends before is reported.
void print_settling(const StepResponse& step) {
  say("settles at {:.6g}", step.steady);
  if (!step.resolved) {
    say(", with so many swings before that no figures are given\n");
    return;
  }
  if (step.steady != 0) say(", rise {:.4g} s, overshoot {:.2f} %", step.rise_time, 100 * step.overshoot);
  if (step.undershoot > 0) say(", undershoot {:.2f} %", 100 * step.undershoot);
  const char* of = step.steady != 0 ? "" : " of its peak";
  if (step.settling_time > step.time.back())
    say(", not settled within the {:.4g} s shown but within 2 %{} after {:.4g} s", step.time.back(), of,
        step.settling_time);
  else
    say(", within 2 %{} after {:.4g} s", of, step.settling_time);
  say(", peak {:.6g} at {:.4g} s\n", step.peak, step.peak_time);
}

void print_step(const ChannelStudy& study) {
  const StepResponse& step = *study.step;
  say("step response of {}: ", study.name);
  if (step.settles) return print_settling(step);
  const std::complex<double> s = study.channel.continuous(step.pole);
  const std::string pole = fmt::format("the pole {:.5g}{:+.5g}i", step.pole.real(), step.pole.imag());
  if (grows(study.channel, step.pole, 1e-9))
    say("does not settle: {} grows, twofold each {:.4g} s\n", pole, std::numbers::ln2 / s.real());
  else if (std::abs(s.imag()) > 1e-6)
    say("does not settle: {} swings on at {:.5g} rad/s\n", pole, std::abs(s.imag()));
  else
    say("does not settle: {} integrates; at {:.4g} s it is {:.6g}\n", pole, step.time.back(), step.value.back());
}

} // namespace

std::vector<ChannelStudy> study_channels(const LinearModel& model, const StudyWishes& wishes, bool opened) {
  std::vector<ChannelStudy> all;
  for (Eigen::Index input = 0; input < model.B.cols(); ++input)
    for (Eigen::Index output = 0; output < model.C.rows(); ++output) {
      const LinearModel one = channel(model, input, output);
      all.push_back(study(one, opened ? "the loop at " + one.inputs.front() : channel_name(one), wishes));
    }
  return all;
}

std::string reservation(const std::vector<ChannelStudy>& channels) {
  for (const ChannelStudy& study : channels)
    if (!study.no_way.empty()) return study.no_way;
  return {};
}

void print_study(const ChannelStudy& study) {
  if (!study.sampled.values.empty() && (study.figures.peak > 0 || !study.margins)) print_response(study);
  if (study.margins) print_margins(study);
  if (!study.sampled.complete)
    say("  not all crossings of {} were looked for: its delay turns the phase too often; give --lowest and --highest\n",
        study.name);
  if (study.step) print_step(study);
}

} // namespace hilda::cli
