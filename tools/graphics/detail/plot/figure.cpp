// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/figure.h"

#include "tools/graphics/detail/plot/ticks.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hilda::graphics::plot {
namespace {

constexpr const char* minus_sign = "\xE2\x88\x92";
constexpr double under = 1.2; // px by which the first of several runs is wider than the last
constexpr double font = 11, small = 10, left = 62, right = 14, legend_line = 16, foot = 40, gap = 14;

/// Distinct by dashes and darkness as well as by hue (Okabe and Ito's colours).
struct Pen {
  const char* colour;
  const char* on_dark;
  const char* dash;
  double width;
};
constexpr std::array<Pen, 8> pens{{{"#000000", "#f4f4f4", "", 1.3},
                                   {"#d55e00", "#ff8c42", "6 2.5", 1.4},
                                   {"#0072b2", "#59b4f0", "1.6 2", 1.7},
                                   {"#009e73", "#2fd6a5", "9 2.5 2 2.5", 1.3},
                                   {"#cc79a7", "#e9a3c9", "", 2.4},
                                   {"#e69f00", "#f5c242", "12 4", 1.4},
                                   {"#56b4e9", "#a5dbff", "4 1.5 1.2 1.5 1.2 1.5", 1.5},
                                   {"#7f7f7f", "#b5b5b5", "2.5 2.5", 1.2}}};

/// Drawn in addition to the curves.
struct Ground {
  const char *paper, *ink, *grid;
};
Ground ground_of(Theme theme) {
  switch (theme) {
  case Theme::print: break;
  case Theme::dark: return {"#16191e", "#e8e8e8", "#3a404a"};
  case Theme::page: return {"var(--ground)", "var(--ink)", "var(--grid)"};
  }
  return {"#ffffff", "#000000", "#d4d4d4"};
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void take(double v) {
    if (!drawable(v)) return;
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
      if ((*curve.time)[i] >= time.low && (*curve.time)[i] <= time.high) {
        range.take(curve.values[i]);
        if (i < curve.least.size()) range.take(curve.least[i]), range.take(curve.greatest[i]);
      }
  if (panel.limit) range.take(*panel.limit);
  if (range.empty()) range = {0, 1};
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  double span = range.high - range.low;
  if (span <= 1e-13 * size || span == 0) span = size > 0 ? 0.2 * size : 2; // nothing but the last bits
  const double middle = (range.low + range.high) / 2, half = std::max(range.high - range.low, span) / 2;
  range = {panel.lowest.value_or(middle - 1.06 * half), panel.highest.value_or(middle + 1.06 * half)};
  if (!(range.high > range.low)) range = {middle - 1.06 * half, middle + 1.06 * half};
  return range;
}

/// "3 values of plant.y are infinite and not drawn"; empty where all that is seen has its place.
std::string not_drawn(const Panel& panel, const Range& time) {
  std::string text;
  for (const Curve& curve : panel.curves) {
    std::size_t infinite = 0, huge = 0;
    for (std::size_t i = 0; i < std::min(curve.values.size(), curve.time->size()); ++i) {
      const double value = curve.values[i];
      if ((*curve.time)[i] < time.low || (*curve.time)[i] > time.high || std::isnan(value) || drawable(value)) continue;
      ++(std::isinf(value) ? infinite : huge);
    }
    if (infinite + huge == 0) continue;
    const char* const what = huge == 0 ? "infinite" : infinite == 0 ? "beyond 1e300" : "infinite or beyond 1e300";
    text += fmt::format("{}{} {}{}{} {}", text.empty() ? "" : "; ", infinite + huge,
                        infinite + huge == 1 ? "value" : "values", curve.label.empty() ? "" : " of ", curve.label,
                        infinite + huge == 1 ? "is " : "are ") +
            what;
  }
  return text.empty() ? text : text + ": not drawn";
}

/// The offset of an axis whose values differ only in their last digits: 293.15 for values around it, a nK apart. 0: no
/// offset.
double counted_from(const Range& values) {
  const double span = values.high - values.low, size = std::max(std::abs(values.low), std::abs(values.high));
  if (span > 1e-5 * size) return 0;
  const double step = std::pow(10.0, std::ceil(std::log10(span)) + 1);
  return std::round((values.low + values.high) / 2 / step) * step;
}

/// Of points in px: those that look like the one before are left out, and those far outside come nearer.
std::vector<double> drawn_path(const std::vector<double>& path) {
  constexpr double far = 1e4, near = 0.2;
  std::vector<double> kept;
  for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
    const double x = std::clamp(path[i], -far, far), y = std::clamp(path[i + 1], -far, far);
    const bool same = kept.size() > 1 && std::hypot(x - kept[kept.size() - 2], y - kept.back()) < near;
    if (!same || i + 3 >= path.size()) kept.insert(kept.end(), {x, y});
  }
  return kept;
}

class Painter {
public:
  explicit Painter(const Figure& figure)
      : figure_(figure), ground_(ground_of(figure.theme)), time_(time_range(figure)) {}

  std::string text() {
    y_ = 8;
    if (!figure_.title.empty()) {
      const double room = (figure_.width - left - right) / 1.1; // bold type is wider
      out_.text(left, y_ + 10, svg::fitted(figure_.title, font + 1, room), type(font + 1, svg::Anchor::start, true));
      y_ += 18;
    }
    for (std::size_t p = 0; p < figure_.panels.size(); ++p) panel(figure_.panels[p], p + 1 == figure_.panels.size());
    return out_.text(figure_.width, y_ + foot - gap, ground_.paper);
  }

private:
  double inner() const { return figure_.width - left - right; }
  svg::TextStyle type(double size, svg::Anchor anchor, bool bold = false) const {
    return {.size = size, .anchor = anchor, .bold = bold, .fill = ground_.ink};
  }

  /// Of several runs each has a colour, and each signal a dash; of one run each signal has both.
  svg::Style pen(int colour, int dash) const {
    const std::size_t hue = static_cast<std::size_t>(colour) % pens.size();
    const Pen& line = pens[static_cast<std::size_t>(dash) % pens.size()];
    const std::string ink = figure_.theme == Theme::page   ? fmt::format("var(--pen{})", hue)
                            : figure_.theme == Theme::dark ? pens[hue].on_dark
                                                           : pens[hue].colour;
    return {.stroke = ink, .width = line.width, .dash = line.dash, .extra = "stroke-linejoin=\"round\""};
  }
  svg::Style run_pen(int run, int signal = 0) const {
    svg::Style style = pen(run, signal);
    const double later = static_cast<double>(figure_.runs.size()) - 1;
    style.width += under * (1 - run / later); // the earlier, the wider: so that it is seen below another one
    return style;
  }
  static int signals_of(const Panel& panel) {
    int most = 0;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) most = std::max(most, signal_of(panel, c) + 1);
    return most;
  }
  bool several() const { return figure_.runs.size() > 1; }
  svg::Style pen_of(const Panel& panel, std::size_t curve) const {
    const int signal = several() ? signal_of(panel, curve) : static_cast<int>(curve);
    const int run = panel.curves[curve].run;
    return several() ? run_pen(run, signal) : pen(signal, signal);
  }
  /// Number of a curve's signal among those of its panel.
  static int signal_of(const Panel& panel, std::size_t curve) {
    std::vector<std::string> seen;
    for (const Curve& each : panel.curves) {
      if (std::find(seen.begin(), seen.end(), each.label) == seen.end()) seen.push_back(each.label);
      if (&each == &panel.curves[curve]) break;
    }
    return static_cast<int>(std::find(seen.begin(), seen.end(), panel.curves[curve].label) - seen.begin());
  }

  void panel(const Panel& panel, bool last) {
    legend(panel);
    const double height = figure_.plane ? inner() : figure_.panel_height;
    const double top = y_, bottom = y_ + height, half = (time_.high - time_.low) / 2;
    const Range values = figure_.plane ? Range{-half, half} : value_range(panel, time_);
    const double base = figure_.plane ? 0 : counted_from(values), low = values.low - base, high = values.high - base;
    const AxisUnit unit =
        figure_.plane ? AxisUnit{1, panel.unit} : axis_unit(panel.unit, std::max(std::abs(low), std::abs(high)) / 1.06);
    const Scale x{time_.low, time_.high, left, left + inner()};
    const Scale y{low / unit.factor, high / unit.factor, bottom, top};
    grid(x, y, last);
    curves(panel, x, y, base, unit);
    if (panel.limit) {
      const double at = y((*panel.limit - base) / unit.factor);
      if (at >= top && at <= bottom) out_.line(left, at, left + inner(), at, limit_pen);
    }
    out_.rectangle(left, top, inner(), height, 0, {.stroke = ground_.ink, .width = 0.9});
    if (const std::string missing = not_drawn(panel, time_); !missing.empty())
      out_.text(left + 8, top + 14, svg::fitted(missing, small, inner() - 16), type(small, svg::Anchor::start));
    std::string label = panel.quantity;
    if (base != 0)
      out_.text(left + inner() - 6, top + 13,
                fmt::format("{}{:.12g}{}{} +", base < 0 ? minus_sign : "", std::abs(base),
                            panel.unit.empty() ? "" : " ", panel.unit),
                type(small, svg::Anchor::end));
    if (!unit.text.empty()) label += (label.empty() ? "[" : " [") + unit.text + "]";
    svg::TextStyle turned = type(font, svg::Anchor::middle);
    turned.turned = -90;
    out_.text(13, (top + bottom) / 2, svg::fitted(label, font, height + gap), turned);
    y_ = bottom + gap;
  }

  void grid(const Scale& x, const Scale& y, bool with_labels) {
    const svg::Style line{.stroke = ground_.grid, .width = 0.6}, tick{.stroke = ground_.ink, .width = 0.9};
    const Ticks across = !figure_.places.empty() ? word_ticks()
                         : figure_.decades       ? decade_ticks(x.low, x.high)
                                           : round_ticks(x.low, x.high, std::max(2, static_cast<int>(inner() / 62)));
    const double across_a_tick = figure_.plane ? 40 : 21;
    const Ticks up = round_ticks(y.low, y.high, std::max(2, static_cast<int>((y.from - y.to) / across_a_tick)));
    for (std::size_t i = 0; i < across.at.size(); ++i) {
      const double at = x(across.at[i]);
      out_.line(at, y.from, at, y.to, line);
      out_.line(at, y.from, at, y.from - 4, tick);
      if (!with_labels) continue;
      const double half = svg::text_width(across.labels[i], small) / 2;
      out_.text(std::min(at, figure_.width - half - 1), y.from + 14, across.labels[i],
                type(small, svg::Anchor::middle));
    }
    for (std::size_t i = 0; i < up.at.size(); ++i) {
      const double at = y(up.at[i]);
      out_.line(x.from, at, x.to, at, line);
      out_.line(x.from, at, x.from + 4, at, tick);
      out_.text(x.from - 5, at + 3.5, up.labels[i], type(small, svg::Anchor::end));
    }
    if (with_labels) out_.text((x.from + x.to) / 2, y.from + 30, figure_.across, type(font, svg::Anchor::middle));
  }

  Ticks word_ticks() const {
    Ticks ticks;
    const double room = inner() / static_cast<double>(figure_.places.size()) - 4;
    for (const std::string& each : figure_.places) {
      ticks.at.push_back(static_cast<double>(ticks.at.size()));
      ticks.labels.push_back(svg::fitted(each, small, room));
    }
    return ticks;
  }

  /// From the least to the greatest of what a point stands for.
  void bars(const Curve& curve, const Scale& x, const Scale& y, double base, const AxisUnit& unit, svg::Style pen) {
    pen.dash = "", pen.width = 1;
    for (std::size_t i = 0; i < curve.least.size(); ++i) {
      const double at = x((*curve.time)[i]);
      if (drawable(curve.least[i]) && drawable(curve.greatest[i]) && curve.greatest[i] > curve.least[i])
        out_.line(at, y((curve.least[i] - base) / unit.factor), at, y((curve.greatest[i] - base) / unit.factor), pen);
    }
  }

  void curves(const Panel& panel, const Scale& x, const Scale& y, double base, const AxisUnit& unit) {
    const std::string clip = fmt::format("{}axes{}", figure_.id, ++clips_);
    out_.raw(fmt::format("<clipPath id=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n", clip,
                         svg::px(x.from), svg::px(y.to), svg::px(x.to - x.from), svg::px(y.from - y.to)));
    out_.begin("clip-path=\"url(#" + clip + ")\"");
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const Curve& curve = panel.curves[c];
      const bool path = figure_.plane || curve.mark != Mark::line;
      bars(curve, x, y, base, unit, pen_of(panel, c));
      for (std::vector<double>& line :
           path ? pieces(curve) : decimated(curve, x.low, x.high, static_cast<int>(2 * inner()))) {
        for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
          line[i] = x(line[i]);
          line[i + 1] = y((line[i + 1] - base) / unit.factor);
        }
        if (curve.mark != Mark::line)
          marks(line, curve.mark, pen_of(panel, c));
        else if (line.size() == 2)
          point(line[0], line[1], pen_of(panel, c)); // a single sample
        else
          out_.polyline(path ? drawn_path(line) : without_flats(line), pen_of(panel, c));
      }
    }
    out_.end();
  }

  void point(double x, double y, svg::Style pen) {
    const double radius = 1.5 + 0.5 * pen.width;
    pen.fill = pen.stroke, pen.dash = "", pen.width = 1.3;
    out_.circle(x, y, radius, pen);
  }

  /// At each point of a line in px; in full lines whatever the pen's dash.
  void marks(const std::vector<double>& points, Mark mark, svg::Style pen) {
    constexpr double half = 4;
    if (mark == Mark::dots) {
      out_.polyline(points, pen);
      for (std::size_t i = 0; i + 1 < points.size(); i += 2) point(points[i], points[i + 1], pen);
      return;
    }
    pen.dash = "", pen.width = 1.5;
    for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
      const double x = points[i], y = points[i + 1];
      if (mark == Mark::circle) {
        out_.circle(x, y, half, pen);
        continue;
      }
      out_.line(x - half, y - half, x + half, y + half, pen);
      out_.line(x - half, y + half, x + half, y - half, pen);
    }
  }

  struct Entry {
    std::optional<svg::Style> pen; ///< none: a text alone
    std::string text;
    Mark mark = Mark::line;
  };

  std::vector<Entry> entries(const Panel& panel) const {
    std::vector<Entry> all;
    if (several())
      for (std::size_t r = 0; r < figure_.runs.size(); ++r)
        if (std::any_of(panel.curves.begin(), panel.curves.end(),
                        [r](const Curve& curve) { return curve.run == static_cast<int>(r); }))
          all.push_back({run_pen(static_cast<int>(r)), figure_.runs[r]});
    // What belongs to each dash; where there is one signal alone, its name without a line that is not in the picture.
    const bool dashes = signals_of(panel) > 1;
    int signals = 0;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      if (panel.curves[c].label.empty()) continue;
      if (!several()) all.push_back({pen_of(panel, c), panel.curves[c].label, panel.curves[c].mark});
      if (!several() || signal_of(panel, c) != signals) continue;
      if (dashes)
        all.push_back({pen(static_cast<int>(pens.size()) - 1, signals++), panel.curves[c].label});
      else
        all.insert(all.begin(), {std::nullopt, panel.curves[c].label}), ++signals;
    }
    if (panel.limit)
      all.push_back(
          {limit_pen, fmt::format("limit {:.4g}{}", *panel.limit, panel.unit.empty() ? "" : " " + panel.unit)});
    if (!panel.note.empty()) all.push_back({std::nullopt, panel.note});
    return all;
  }

  /// Above the axes, in as many lines as it takes; one curve that the axis names needs none.
  void legend(const Panel& panel) {
    const std::vector<Entry> all = entries(panel);
    if (all.empty()) return;
    constexpr double sample = 28, space = 33, between = 14;
    double x = left, y = y_ + 9;
    for (const Entry& each : all) {
      const double lead = each.pen ? space : 0;
      const std::string text = svg::fitted(each.text, small, figure_.width - right - left - space);
      const double width = lead + svg::text_width(text, small);
      if (x > left && x + width > figure_.width - right) {
        x = left;
        y += legend_line;
      }
      if (each.pen && each.mark == Mark::line)
        out_.line(x, y - 3.5, x + sample, y - 3.5, *each.pen);
      else if (each.pen)
        marks({x + sample / 2, y - 3.5}, each.mark, *each.pen);
      out_.text(x + lead, y, text, type(small, svg::Anchor::start));
      x += width + between;
    }
    y_ = y + 7;
  }

  const svg::Style limit_pen{.stroke = "#ff2d2d", .width = 1.4};
  const Figure& figure_;
  const Ground ground_;
  Range time_;
  svg::Document out_;
  double y_ = 0;
  int clips_ = 0;
};

} // namespace

std::string figure_svg(const Figure& figure) { return Painter(figure).text(); }

} // namespace hilda::graphics::plot
