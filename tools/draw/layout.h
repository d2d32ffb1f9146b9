#pragma once

#include "tools/draw/sketch.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::draw {

struct Size {
  double width = 0, height = 0; ///< px
};

/// Where a net passes a rank without ending there.
struct Pass {
  int rank = 0;
  double y = 0; ///< px
};

/// Symbols in columns from left to right ("ranks"), with their heights settled; the widths of what lies between the
/// columns depend on the wires and come later.
struct Layout {
  std::vector<int> rank;                ///< by symbol
  std::vector<double> y;                ///< by symbol: of its middle, px
  std::vector<std::vector<Pass>> ahead; ///< by net: on the way to ends further right
  std::vector<std::vector<Pass>> back;  ///< by net: on the way to ends that are not: feedback
  int ranks = 0;
};

/// Ranks by longest path along the signal flow, so that feedback alone runs to the left; order and heights within the
/// ranks by Graphviz (Gansner et al. 1993), as its program dot finds them. None, and `error`, where it cannot.
std::optional<Layout> lay_out(const Sketch& sketch, const std::vector<Size>& sizes, std::string& error);

/// For each symbol its rank; a net's end that is not further right than its start is feedback.
std::vector<int> ranks_of(const Sketch& sketch);

} // namespace hilda::draw
