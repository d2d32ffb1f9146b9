// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/arrangement.h"
#include "tools/graphics/detail/draw/layout/routing.h"
#include "tools/modules.h"

#include <optional>
#include <string>

namespace hilda::graphics::draw {

/// How a drawing turned out; what `hilda draw --measure` prints.
struct LayoutQuality {
  double width = 0, height = 0; ///< of the symbols and lines, px
  int crossings = 0, bends = 0, tags = 0, shared = 0;
  double length = 0; ///< of all lines, px
  int rows = 0;
  /// Height of the smallest text when the drawing fills a screen of 1600 x 900, px.
  double text_on_screen() const;
  /// Less is better.
  double score() const;
};

struct Composition {
  Placement placement;
  Routes routes;
  LayoutQuality quality;
};

struct CompositionOptions {
  int rows = 0;                    ///< 0: as many as score best
  std::string start;               ///< path of the symbol with which the first row begins; empty: where the flow begins
  std::optional<Arrangement> like; ///< of an earlier drawing: kept, unless another scores 10 % better
  bool hold = false;               ///< the earlier drawing is kept in any case
  RouteMemories* routes = nullptr; ///< of the earlier drawing, if it is kept; of this one afterwards
};

/// Places and lines of a sketch: every way to fold the ranks into one to four rows is tried, the best are routed, and
/// the one that scores best is taken. An earlier drawing's arrangement stays, unless that is 10 % better.
Composition compose(const Sketch& sketch, const std::vector<Inside>& insides, const CompositionOptions& options);

} // namespace hilda::graphics::draw
