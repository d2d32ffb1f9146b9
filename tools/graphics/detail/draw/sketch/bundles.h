// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/sketch.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::draw {

/// A wire between two symbols of a sketch.
struct Strand {
  int from = -1, output = -1, to = -1, input = -1;
  std::string part, title, signal;
  bool in_loop = false, bus = false;
  Hints::Line line = Hints::Line::any;
  Hints::Bend bend = {};
};

/// Puts strands together: outputs of a symbol that go to nearly the same places (Jaccard's index of their destinations
/// at least 1/2) travel as one net, with one arrow for each symbol that it reaches. Inputs that one arrow reaches come
/// to be side by side in Symbol::inputs.
void bundle(Sketch& sketch, std::vector<Strand> strands);

} // namespace hilda::graphics::draw
