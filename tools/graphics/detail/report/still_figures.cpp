// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/report/still_figures.h"

#include "tools/graphics/figure.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

namespace hilda::graphics::report {
namespace {

using Times = std::shared_ptr<const std::vector<double>>;

/// One run's signals by name, on axes that curves share.
class RunCurves {
public:
  explicit RunCurves(const PageSignals& signals) : signals_(signals) {
    double end = 0;
    for (const PageAxis& axis : signals.axes) {
      axes_.push_back(std::make_shared<const std::vector<double>>(axis.times));
      if (!axis.times.empty()) end = std::max(end, axis.times.back());
    }
    whole_ = std::make_shared<const std::vector<double>>(std::vector<double>{0, end > 0 ? end : 1});
    for (const PageSignal& signal : signals.signals) by_name_.emplace(signal.name, &signal);
  }

  void add_to(plot::Panel& panel, const std::string& name, int run) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return;
    const PageSignal& signal = *found->second;
    if (signal.samples == 0) return;
    if (signal.constant) {
      panel.curves.push_back({name, whole_, {signal.low, signal.low}, 0, 0, run});
      return;
    }
    const auto axis = static_cast<std::size_t>(signal.axis);
    panel.curves.push_back(
        {name, axes_[axis], signal.values, signal.held ? signals_.axes[axis].step : 0, signal.gap, run});
  }

private:
  const PageSignals& signals_;
  std::vector<Times> axes_; ///< as PageSignals::axes
  Times whole_;             ///< begin and end, for constants
  std::map<std::string, const PageSignal*> by_name_;
};

} // namespace

std::string still_figures(const std::vector<PageFigure>& figures, const std::vector<std::string>& runs,
                          const std::vector<PageSignals>& signals) {
  const std::vector<RunCurves> all(signals.begin(), signals.end());
  std::string html;
  for (const PageFigure& figure : figures) {
    plot::Figure still;
    still.theme = plot::Theme::page, still.id = fmt::format("f{}_", &figure - figures.data());
    still.width = 460, still.panel_height = 170, still.runs = runs;
    plot::Panel panel{"", figure.unit, {}};
    for (std::size_t r = 0; r < all.size(); ++r)
      for (const std::string& name : figure.signals) all[r].add_to(panel, name, static_cast<int>(r));
    still.panels.push_back(std::move(panel));
    html += fmt::format("<figure class=\"panel still\"><h3>{}</h3>\n{}</figure>\n", svg::escaped(figure.title),
                        plot::figure_svg(still));
  }
  return html;
}

} // namespace hilda::graphics::report
