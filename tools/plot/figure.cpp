#include "tools/plot/figure.h"

#include "tools/plot/ticks.h"
#include "tools/svg/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hilda::plot {
namespace {

constexpr double font = 11, small = 10, left = 62, right = 14, legend_line = 16, foot = 40, gap = 14;

/// Told apart by dashes and darkness as well as by hue (Okabe and Ito's colours).
struct Pen {
  const char* colour;
  const char* dash;
  double width;
};
constexpr std::array<Pen, 8> pens{{{"#000000", "", 1.3},
                                   {"#d55e00", "6 2.5", 1.4},
                                   {"#0072b2", "1.6 2", 1.7},
                                   {"#009e73", "9 2.5 2 2.5", 1.3},
                                   {"#cc79a7", "", 2.4},
                                   {"#e69f00", "12 4", 1.4},
                                   {"#56b4e9", "4 1.5 1.2 1.5 1.2 1.5", 1.5},
                                   {"#7f7f7f", "2.5 2.5", 1.2}}};

svg::Style pen_style(std::size_t curve) {
  const Pen& pen = pens[curve % pens.size()];
  return {pen.colour, "none", pen.width, pen.dash, "stroke-linejoin=\"round\""};
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double v) {
    if (!std::isfinite(v)) return;
    low = std::min(low, v), high = std::max(high, v);
  }
  bool empty() const { return low > high; }
};

/// From the file's own range to px.
struct Scale {
  double low, high, from, to;
  double operator()(double v) const { return from + (v - low) / (high - low) * (to - from); }
};

/// Leaves out the points inside level pieces of a line in px.
std::vector<double> without_flats(const std::vector<double>& line) {
  std::vector<double> kept;
  for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
    const bool inside = i >= 2 && i + 3 < line.size();
    if (inside && std::abs(line[i + 1] - kept.back()) < 0.01 && std::abs(line[i + 3] - kept.back()) < 0.01) continue;
    kept.insert(kept.end(), {line[i], line[i + 1]});
  }
  return kept;
}

Range time_range(const Figure& figure) {
  Range range;
  for (const Panel& panel : figure.panels)
    for (const Curve& curve : panel.curves)
      if (!curve.time->empty()) range.take(curve.time->front()), range.take(curve.time->back());
  if (range.empty()) range = {0, 1};
  range.low = figure.from.value_or(range.low), range.high = figure.to.value_or(range.high);
  if (!(range.high > range.low)) range.high = range.low + 1;
  return range;
}

/// Of what is seen, with a little room; never less than a few digits of the numbers wide.
Range value_range(const Panel& panel, const Range& time) {
  Range range;
  for (const Curve& curve : panel.curves)
    for (std::size_t i = 0; i < std::min(curve.values.size(), curve.time->size()); ++i)
      if ((*curve.time)[i] >= time.low && (*curve.time)[i] <= time.high) range.take(curve.values[i]);
  if (range.empty()) return {0, 1};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  double span = range.high - range.low;
  if (span <= 1e-9 * size || span == 0) span = size > 0 ? 0.2 * size : 2;
  const double middle = (range.low + range.high) / 2, half = std::max(range.high - range.low, span) / 2;
  return {middle - 1.06 * half, middle + 1.06 * half};
}

class Painter {
public:
  explicit Painter(const Figure& figure) : figure_(figure), time_(time_range(figure)) {}

  std::string text() {
    y_ = 8;
    if (!figure_.title.empty()) {
      out_.text(left, y_ + 10, figure_.title, {font + 1, svg::Anchor::start, true});
      y_ += 18;
    }
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) panel(figure_.panels[p], p + 1 == figure_.panels.size());
    return out_.text(figure_.width, y_ + foot - gap);
  }

private:
  double inner() const { return figure_.width - left - right; }

  void panel(const Panel& panel, bool last) {
    legend(panel);
    const double top = y_, bottom = y_ + figure_.panel_height;
    const Range values = value_range(panel, time_);
    const AxisUnit unit = axis_unit(panel.unit, std::max(std::abs(values.low), std::abs(values.high)) / 1.06);
    const Scale x{time_.low, time_.high, left, left + inner()};
    const Scale y{values.low / unit.factor, values.high / unit.factor, bottom, top};
    grid(x, y, last);
    curves(panel, x, y, unit);
    out_.rectangle(left, top, inner(), figure_.panel_height, 0, {"#000000", "none", 0.9, "", ""});
    std::string label = panel.quantity;
    if (!unit.text.empty()) label += (label.empty() ? "[" : " [") + unit.text + "]";
    out_.text(13, (top + bottom) / 2, label, {font, svg::Anchor::middle, false, false, "#000000", -90});
    y_ = bottom + gap;
  }

  void grid(const Scale& x, const Scale& y, bool with_labels) {
    const svg::Style line{"#d4d4d4", "none", 0.6, "", ""}, tick{"#000000", "none", 0.9, "", ""};
    const Ticks across = round_ticks(x.low, x.high, std::max(2, static_cast<int>(inner() / 62)));
    const Ticks up = round_ticks(y.low, y.high, std::max(2, static_cast<int>(figure_.panel_height / 21)));
    for (std::size_t i = 0; i < across.at.size(); ++i) {
      const double at = x(across.at[i]);
      out_.line(at, y.from, at, y.to, line);
      out_.line(at, y.from, at, y.from - 4, tick);
      if (with_labels) out_.text(at, y.from + 14, across.labels[i], {small, svg::Anchor::middle});
    }
    for (std::size_t i = 0; i < up.at.size(); ++i) {
      const double at = y(up.at[i]);
      out_.line(x.from, at, x.to, at, line);
      out_.line(x.from, at, x.from + 4, at, tick);
      out_.text(x.from - 5, at + 3.5, up.labels[i], {small, svg::Anchor::end});
    }
    if (with_labels) out_.text((x.from + x.to) / 2, y.from + 30, "Time [s]", {font, svg::Anchor::middle});
  }

  void curves(const Panel& panel, const Scale& x, const Scale& y, const AxisUnit& unit) {
    const std::string clip = fmt::format("axes{}", ++clips_);
    out_.raw(fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", clip,
                         svg::px(x.from), svg::px(y.to), svg::px(x.to - x.from), svg::px(y.from - y.to)));
    out_.begin("clip-path=\"url(#" + clip + ")\"");
    for (std::size_t c = 0; c < panel.curves.size(); ++c)
      for (std::vector<double>& line : decimated(panel.curves[c], x.low, x.high, static_cast<int>(2 * inner()))) {
        for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
          line[i] = x(line[i]);
          line[i + 1] = y(line[i + 1] / unit.factor);
        }
        out_.polyline(without_flats(line), pen_style(c));
      }
    out_.end();
  }

  /// Above the axes, in as many lines as it takes; one curve that the axis names needs none.
  void legend(const Panel& panel) {
    if (panel.curves.size() == 1 && panel.curves[0].label.empty()) return;
    double x = left, y = y_ + 9;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const double width = 34 + svg::text_width(panel.curves[c].label, small) + 14;
      if (x > left && x + width > figure_.width - right + 14) {
        x = left;
        y += legend_line;
      }
      out_.line(x, y - 3.5, x + 28, y - 3.5, pen_style(c));
      out_.text(x + 33, y, panel.curves[c].label, {small});
      x += width;
    }
    y_ = y + 7;
  }

  const Figure& figure_;
  Range time_;
  svg::Document out_;
  double y_ = 0;
  int clips_ = 0;
};

} // namespace

std::string figure_svg(const Figure& figure) { return Painter(figure).text(); }

} // namespace hilda::plot
