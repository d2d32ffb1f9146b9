// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/run_differences.h"

#include "tools/graphics/detail/plot/ticks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hilda::graphics::plot {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// A curve between its samples: held, or on the line from one to the next; NaN where nothing is known.
double value_at(const Curve& curve, double at) {
  const std::vector<double>& time = *curve.time;
  const std::size_t count = std::min(time.size(), curve.values.size());
  const auto end = time.begin() + static_cast<std::ptrdiff_t>(count);
  const auto next = static_cast<std::size_t>(std::upper_bound(time.begin(), end, at) - time.begin());
  if (next == 0) return nothing;
  const std::size_t i = next - 1;
  if (at == time[i]) return curve.values[i];
  if (curve.held > 0) return at < time[i] + curve.held || next < count ? curve.values[i] : nothing;
  if (next == count || (curve.gap > 0 && time[next] - time[i] > curve.gap)) return nothing;
  const double part = (at - time[i]) / (time[next] - time[i]);
  return curve.values[i] + part * (curve.values[next] - curve.values[i]);
}

Curve difference(const Curve& first, const Curve& later) {
  Curve made = later;
  for (std::size_t i = 0; i < std::min(made.values.size(), made.time->size()); ++i)
    made.values[i] -= value_at(first, (*made.time)[i]);
  return made;
}

/// The same signal in the first run; null: it has none.
const Curve* first_of(const Panel& panel, const Curve& later) {
  for (const Curve& each : panel.curves)
    if (each.run == 0 && later.run != 0 && each.label == later.label) return &each;
  return nullptr;
}

double greatest(const std::vector<double>& values) {
  double most = -1; // none is known
  for (const double value : values)
    if (drawable(value)) most = std::max(most, std::abs(value));
  return most;
}

double range_of(const Panel& panel) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Curve& curve : panel.curves)
    for (const double value : curve.values)
      if (drawable(value)) low = std::min(low, value), high = std::max(high, value);
  return high > low ? high - low : std::abs(high);
}

/// By how much a run differs at most, in all its signals; negative where nothing can be compared.
double most_of(const Panel& panel, int run) {
  double most = -1;
  for (const Curve& later : panel.curves)
    if (const Curve* const first = later.run == run ? first_of(panel, later) : nullptr)
      most = std::max(most, greatest(difference(*first, later).values));
  return most;
}

} // namespace

void note_hidden_runs(std::vector<Panel>& panels, const std::vector<std::string>& runs) {
  constexpr double a_line = 0.005; // of the panel's height
  for (Panel& panel : panels) {
    const double range = range_of(panel);
    for (std::size_t run = 1; run < runs.size(); ++run) {
      const double most = most_of(panel, static_cast<int>(run));
      if (most < 0 || most > a_line * range) continue;
      panel.note += fmt::format("{}{} lies on {}: ", panel.note.empty() ? "" : "; ", runs[run], runs.front());
      panel.note +=
          most == 0 ? "equal" : fmt::format("at most {:.2g}{} apart", most, panel.unit.empty() ? "" : " " + panel.unit);
    }
  }
}

std::vector<Panel> with_differences(std::vector<Panel> panels, const std::vector<std::string>& runs) {
  std::vector<Panel> all;
  for (Panel& panel : panels) {
    Panel below;
    below.quantity = runs.size() == 2 ? runs[1] + " \xE2\x88\x92 " + runs[0] : "less " + runs.front();
    below.unit = panel.unit;
    for (const Curve& later : panel.curves)
      if (const Curve* const first = first_of(panel, later)) below.curves.push_back(difference(*first, later));
    all.push_back(std::move(panel));
    if (!below.curves.empty()) all.push_back(std::move(below));
  }
  return all;
}

} // namespace hilda::graphics::plot
