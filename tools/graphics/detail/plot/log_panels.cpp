// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/log_panels.h"

#include "engine/log/signal_pattern.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace hilda::graphics::plot {
namespace {

constexpr std::size_t most_curves = 32;

/// A word of a wish: a pattern, and the name under which it is shown.
struct Word {
  std::string pattern, label;
};

Word word_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  return sign == std::string::npos ? Word{text, ""} : Word{text.substr(0, sign), text.substr(sign + 1)};
}

/// One requested curve, before its samples are read.
struct WantedCurve {
  std::size_t log = 0;
  std::string element, label, unit, field;
  double held = 0, gap = 0; ///< s
};

std::vector<WantedCurve> wanted_by(std::vector<NamedLog>& logs, const Word& word) {
  std::vector<WantedCurve> found;
  for (std::size_t l = 0; l < logs.size(); ++l) {
    const auto elements = elements_of(logs[l].log, word.pattern);
    for (const ElementPlace& each : elements) {
      const LogChannel& channel = logs[l].log.schema().channels[each.channel];
      const LogField& field = channel.fields[each.field];
      std::string label = word.label.empty() ? each.name : word.label;
      if (!word.label.empty() && elements.size() > 1) label += element_suffix(field, each.element);
      const double period = seconds_at(logs[l].log.schema().period, channel.divider);
      const bool whole_numbers = field.element != LogElement::f64;
      found.push_back({l, each.name, std::move(label), element_unit(field, each.element), field.name,
                       channel.held || whole_numbers ? period : 0, channel.when.empty() ? 0 : 1.5 * period});
    }
  }
  return found;
}

/// "Kinetic energy" of "service.kinetic_energy" and "target.kinetic_energy"; empty where they differ.
std::string common_field(const std::vector<WantedCurve>& curves) {
  for (const WantedCurve& each : curves)
    if (each.field != curves.front().field) return {};
  std::string spoken = curves.empty() ? "" : curves.front().field;
  if (spoken.size() == 1) { // a port called y says nothing: its block does
    const std::string& name = curves.front().element;
    const bool one =
        std::all_of(curves.begin(), curves.end(), [&name](const auto& each) { return each.element == name; });
    return one ? name.substr(0, name.find('.' + spoken)) : std::string();
  }
  std::replace(spoken.begin(), spoken.end(), '_', ' ');
  if (!spoken.empty()) spoken[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(spoken[0])));
  return spoken;
}

/// By unit, in the order of their first curves.
std::vector<std::vector<WantedCurve>> by_unit(std::vector<WantedCurve> curves) {
  std::vector<std::vector<WantedCurve>> groups;
  for (WantedCurve& each : curves) {
    const auto same = [&each](const std::vector<WantedCurve>& group) { return group.front().unit == each.unit; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(group, std::vector<WantedCurve>{});
    group->push_back(std::move(each));
  }
  return groups;
}

/// Reads all curves of all panels with one pass over each log.
bool read(std::vector<NamedLog>& logs, const std::vector<std::vector<WantedCurve>>& groups, std::vector<Panel>& panels,
          std::string& error) {
  for (std::size_t l = 0; l < logs.size(); ++l) {
    std::vector<std::string> names;
    for (const auto& group : groups)
      for (const WantedCurve& each : group)
        if (each.log == l) names.push_back(each.element);
    const auto signals = logs[l].log.signals(names, error);
    if (!signals) return false;
    std::size_t next = 0;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t c = 0; c < groups[g].size(); ++c) {
        if (groups[g][c].log != l) continue;
        const Signal& signal = (*signals)[next++];
        panels[g].curves[c].time = {signal.axis, &signal.axis->seconds};
        panels[g].curves[c].values = signal.column();
      }
  }
  return true;
}

} // namespace

std::optional<std::vector<Panel>> panels_of(std::vector<NamedLog>& logs, const std::vector<PanelWish>& wishes,
                                            std::string& error) {
  std::vector<std::vector<WantedCurve>> groups;
  std::vector<Panel> panels;
  for (const PanelWish& wish : wishes) {
    std::vector<WantedCurve> curves;
    for (const std::string& text : wish.signals) {
      const Word word = word_of(text);
      const std::vector<WantedCurve> found = wanted_by(logs, word);
      if (found.empty()) {
        error = logs.front().log.missing(word.pattern);
        return std::nullopt;
      }
      curves.insert(curves.end(), found.begin(), found.end());
    }
    if (curves.size() > most_curves) {
      error = fmt::format("{} curves in one panel are too many to tell apart ({} at most): name fewer signals",
                          curves.size(), most_curves);
      return std::nullopt;
    }
    for (std::vector<WantedCurve>& group : by_unit(std::move(curves))) {
      Panel panel{wish.quantity.empty() ? common_field(group) : wish.quantity, group.front().unit, {}};
      for (const WantedCurve& each : group)
        panel.curves.push_back({each.label, nullptr, {}, each.held, each.gap, static_cast<int>(each.log)});
      panels.push_back(std::move(panel));
      groups.push_back(std::move(group));
    }
  }
  if (!read(logs, groups, panels, error)) return std::nullopt;
  return panels;
}

} // namespace hilda::graphics::plot
