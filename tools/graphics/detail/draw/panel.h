// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/composition.h"
#include "tools/graphics/svg.h"
#include "tools/modules.h"

#include <memory>
#include <utility>
#include <vector>

namespace hilda::graphics::draw {

/// A sketch with everything in its place: its own symbols and lines, and, inside opened subsystems, theirs.
class SketchPanel {
public:
  SketchPanel(const Sketch& sketch, const CompositionOptions& options);

  /// Of all that is painted, px.
  double width() const { return width_; }
  double height() const { return height_; }
  /// Where what is painted begins, in the composition's px.
  double left() const { return left_; }
  double top() const { return top_; }
  const Sketch& sketch() const { return sketch_; }
  const Composition& composition() const { return composition_; }
  /// Of an opened subsystem, and where its upper left corner comes to lie, in the composition's px; null: not opened.
  const SketchPanel* inside(std::size_t symbol) const { return insides_[symbol].get(); }
  std::pair<double, double> inside_place(std::size_t symbol) const;
  const LayoutQuality& quality() const { return composition_.quality; }

  /// With its left upper corner at a place.
  void paint(svg::Document& out, double x, double y) const;

  /// Adds what is where, on all levels.
  void arrange(Arrangement& arrangement) const;

  bool has_tags() const;
  bool has_bundles() const;

private:
  struct Origin {
    double x, y;
  };
  void paint_areas(svg::Document& out, Origin at) const;
  void paint_lines(svg::Document& out, Origin at, bool in_loop) const;
  void paint_line(svg::Document& out, Origin at, std::size_t net, std::size_t arrow) const;
  void paint_junctions(svg::Document& out, Origin at, std::size_t net) const;
  void paint_tags(svg::Document& out, Origin at, int symbol) const;
  void paint_flag(svg::Document& out, Origin at, int symbol, const PortGroup& group) const;
  const PortGroup* group_of(std::size_t net, int arrow, int& symbol) const;
  void extent();

  const Sketch& sketch_;
  std::vector<std::unique_ptr<SketchPanel>> insides_; ///< by symbol; null: not opened
  Composition composition_;
  double left_ = 0, top_ = 0; ///< of what is painted, in the placement's px
  double width_ = 0, height_ = 0;
};

} // namespace hilda::graphics::draw
