// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::graphics::plot {

/// How the points of a curve are drawn; dots: a line with a dot at each point.
enum class Mark { line, cross, circle, dots };

/// One number over time. Time rises; NaN breaks the line.
struct Curve {
  std::string label;
  std::shared_ptr<const std::vector<double>> time; ///< s
  std::vector<double> values;                      ///< SI; as many as there are times
  double held = 0; ///< s that each value lasts: drawn as steps; 0: a line from one to the next
  double gap = 0;  ///< s between samples from which on nothing is known in between; 0: there are no gaps
  int run = 0;     ///< index into Figure::runs
  Mark mark = Mark::line;
  std::vector<double> least = {}, greatest = {}; ///< a bar at each point, with marks alone; empty: none
};

/// Curves of one unit on one pair of axes.
struct Panel {
  std::string quantity; ///< of the vertical axis: "Contact force"; may be empty
  std::string unit;     ///< SI
  std::vector<Curve> curves;
  std::string note = {};                           ///< a few words next to the legend
  std::optional<double> limit = {};                ///< a level line
  std::optional<double> lowest = {}, highest = {}; ///< ends of the axis; those of the curves where not given
};

/// What a figure is drawn for. The page of a run says itself what is light and dark: by its variables --pen0 to --pen7,
/// --ink, --grid and --ground.
enum class Theme { print, dark, page };

/// Panels one below the other over one axis of time.
struct Figure {
  std::string title;
  std::vector<std::string> runs; ///< where several runs lie over one another: colours tell them, dashes the signals
  Theme theme = Theme::print;
  std::string id;                  ///< begins the names of its parts, where several figures are in one page
  std::string across = "Time [s]"; ///< what the horizontal axis shows
  std::vector<std::string> places; ///< words at 0, 1, 2, ... across instead of numbers
  bool decades = false;            ///< the curves' `time` is the logarithm to base 10 of what that shows
  /// Curves are paths: `time` is how far across, and need not rise; both axes have one scale, and the vertical one has
  /// 0 in its middle. `from` and `to` are given, and the height follows.
  bool plane = false;
  std::vector<Panel> panels;
  std::optional<double> from, to; ///< s; all of the data where not given
  double width = 480;             ///< px, 96 an inch
  double panel_height = 150;      ///< px, of the axes alone
};

/// As SVG for print: ticks at round numbers, units with prefixes, a legend over each panel, lines that can be
/// distinguished without colour. A curve is decimated to the first, least, greatest and last value of each half of a
/// px, so that no peak is lost and the file stays small.
std::string figure_svg(const Figure& figure);

/// Points of a curve as they are drawn, steps where it holds its values; x and y alternate; one list a line.
std::vector<std::vector<double>> decimated(const Curve& curve, double from, double to, int columns);
/// The same of a path, or of marks: every point, one list for each piece without NaN.
std::vector<std::vector<double>> pieces(const Curve& curve);

} // namespace hilda::graphics::plot
