#pragma once

#include "tools/draw/wiring.h"

#include <vector>

namespace hilda::draw {

/// Moves symbols and passes up and down within the order that they have, so that wires run straight where they can:
/// alternate sweeps, each rank solved as an isotonic regression under the distances that its items keep. Where
/// subsystems are opened, only passes outside them move, as the frames must stay apart.
void straighten(const Sketch& sketch, const std::vector<Size>& sizes, const Wiring& wiring, Layout& layout);

} // namespace hilda::draw
