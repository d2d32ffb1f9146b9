#include "tools/report/page_figures.h"

#include <algorithm>
#include <cmath>

namespace hilda::report {
namespace {

constexpr std::size_t most_curves = 8;

/// Which signals a figure takes: by block type and, where given, by a part of the name behind the block's path.
struct Source {
  const char* type; ///< beginning of the block's type
  const char* part; ///< what the name contains
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
        {"power_port", "energy"},
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

/// Where there is no rule for a run: its first numbers that move, by unit.
std::vector<PageFigure> first_signals(const std::vector<PageSignal>& signals) {
  std::vector<PageFigure> figures;
  for (const PageSignal& signal : signals) {
    if (signal.constant) continue;
    const auto same = [&signal](const PageFigure& figure) { return figure.unit == signal.unit; };
    auto figure = std::find_if(figures.begin(), figures.end(), same);
    if (figure == figures.end()) {
      if (figures.size() == 4) continue;
      figure = figures.insert(
          figure, {signal.unit.empty() ? "Signals without unit" : "Signals in " + signal.unit, signal.unit, {}});
    }
    if (figure->signals.size() < most_curves) figure->signals.push_back(signal.name);
  }
  return figures;
}

} // namespace

std::vector<PageFigure> figures_of(const std::vector<PageSignal>& signals) {
  std::vector<PageFigure> figures;
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
  return figures.empty() ? first_signals(signals) : figures;
}

} // namespace hilda::report
