// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/page_figures.h"

#include "engine/diagram/element_kinds.h"
#include "engine/log/log_figures.h"
#include "engine/log/signal_pattern.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace hilda::graphics::report {
namespace {

constexpr std::size_t most_curves = 8;

/// Which signals a figure takes: by block type and, where given, by a part of the name behind the block's path.
struct Source {
  std::string_view type; ///< beginning of the block's type
  const char* part;      ///< what the name contains
};
struct Rule {
  const char* title;
  const char* unit;
  std::vector<Source> sources; ///< in order of preference; all are taken until the figure is full
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all{
      {"Contact velocity",
       "m/s",
       {{"kinematics/PointMotion", "velocity"},
        {"dynamics/RobotSink", "twist.linear"},
        {"kuka_rsi/RsiRobot", "twist.linear"}}},
      {"Contact force",
       "N",
       {{"kinematics/WrenchOnWall", "force"},
        {"passivity/ContactPassivityController", "controlled.force"},
        {"contact/PullClamp", "clamped.force"},
        {"passivity/PassivityController", "controlled.force"},
        {"contact/SensorSource", "force"},
        {"contact/ToolSensor", "force"},
        {"ati_netft/NetFt", "force"},
        {"arm/SphereContact", "force"}}},
      {"Energy",
       "J",
       {{"dynamics/RigidBody", "energy"},
        {"passivity/KineticEnergy", "total"},
        {elements::power_port.tag, "energy"},
        {"arm/", "energy"},
        {"emulation/", "energy"}}},
      {"Identified stiffness", "N/m", {{"estimation/", "stiffness"}}},
      {"Identified damping", "N s/m", {{"estimation/", "damping"}}},
      {"Energy observer",
       "J",
       {{"passivity/ContactPassivityController", "energy"},
        {"passivity/PassivityController", "total"},
        {"passivity/EnergyObserver", "total"},
        {"passivity/PassivityController", ".energy["}}},
      {"Passivity controller",
       "N",
       {{"passivity/ContactPassivityController", "added.force"}, {"passivity/PassivityController", "removed.force"}}},
      {"Corrected velocity", "m/s", {{"passivity/PassiveIntegrator", "correction.linear"}}},
      {"Joint angle", "rad", {{"arm/", ".q["}}},
      {"Time within a tick", "s", {{"realtime", ""}}},
  };
  return all;
}

double size_of(const PageSignal& signal) { return std::max(std::abs(signal.low), std::abs(signal.high)); }

bool fits(const PageSignal& signal, const Source& source) {
  return signal.block_type.starts_with(source.type) && signal.name.find(source.part) != std::string::npos;
}

std::vector<const PageSignal*> without_zeros(std::vector<const PageSignal*> signals) {
  double largest = 0;
  for (const PageSignal* each : signals) largest = std::max(largest, size_of(*each));
  std::erase_if(signals, [largest](const PageSignal* each) { return size_of(*each) <= 1e-9 * largest; });
  return signals;
}

std::string title_of_unit(const std::string& unit) {
  return unit.empty() ? "Signals without unit" : "Signals in " + unit;
}

/// The change of a signal relative to its size: 0 for a constant, 2 for one that goes as far below zero as above.
double change_of(const PageSignal& signal) {
  return signal.constant ? 0 : (signal.high - signal.low) / std::max(size_of(signal), 1e-300);
}

bool taken_by(const PageSignal& signal, const std::vector<std::string>& sinks) {
  return std::any_of(sinks.begin(), sinks.end(),
                     [&](const std::string& each) { return pattern_means(each, signal.name); });
}

/// Where nothing says what a run is about: what its sinks take, then what changed most; four units at most.
std::vector<PageFigure> what_moved(const std::vector<PageSignal>& signals, const std::vector<std::string>& sinks) {
  std::vector<std::pair<double, const PageSignal*>> ranked;
  for (const PageSignal& signal : signals)
    if (!signal.constant) ranked.emplace_back(change_of(signal) + (taken_by(signal, sinks) ? 10 : 0), &signal);
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<PageFigure> figures;
  for (const auto& [rank, signal] : ranked) {
    const auto same = [unit = signal->unit](const PageFigure& figure) { return figure.unit == unit; };
    auto figure = std::find_if(figures.begin(), figures.end(), same);
    if (figure == figures.end()) {
      if (figures.size() == 4) continue;
      figure = figures.insert(figure, {title_of_unit(signal->unit), signal->unit, {}});
    }
    if (figure->signals.size() < most_curves) figure->signals.push_back(signal->name);
  }
  return figures;
}

/// Signals of one `<figure>` that differ in unit get separate panels, under its title.
std::vector<PageFigure> asked_for(const std::vector<PageSignal>& signals, const Log& log) {
  std::vector<PageFigure> figures;
  for (const LogFigure& asked : log::figures_of(log.schema())) {
    const std::size_t first = figures.size();
    for (const std::string& word : asked.signals)
      for (const ElementPlace& place : elements_of(log, word)) {
        const auto signal = std::find_if(signals.begin(), signals.end(),
                                         [&](const PageSignal& each) { return each.name == place.name; });
        if (signal == signals.end()) continue;
        const auto same = [&](const PageFigure& figure) { return figure.unit == signal->unit; };
        auto figure = std::find_if(figures.begin() + static_cast<std::ptrdiff_t>(first), figures.end(), same);
        if (figure == figures.end()) figure = figures.insert(figure, {asked.title, signal->unit, {}});
        if (std::find(figure->signals.begin(), figure->signals.end(), signal->name) == figure->signals.end())
          figure->signals.push_back(signal->name);
      }
  }
  return figures;
}

} // namespace

std::vector<PageFigure> figures_of(const std::vector<PageSignal>& signals, const Log& log,
                                   const std::vector<std::string>& sinks) {
  std::vector<PageFigure> figures = asked_for(signals, log);
  if (!figures.empty()) return figures;
  for (const Rule& rule : rules()) {
    std::vector<const PageSignal*> found;
    for (const Source& source : rule.sources)
      for (const PageSignal& signal : signals)
        if (signal.unit == rule.unit && fits(signal, source)) found.push_back(&signal);
    found = without_zeros(std::move(found));
    if (found.empty()) continue;
    if (found.size() > most_curves) found.resize(most_curves);
    PageFigure figure{rule.title, rule.unit, {}};
    for (const PageSignal* each : found) figure.signals.push_back(each->name);
    figures.push_back(std::move(figure));
  }
  return figures.empty() ? what_moved(signals, sinks) : figures;
}

} // namespace hilda::graphics::report
