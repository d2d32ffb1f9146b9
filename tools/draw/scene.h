#pragma once

#include "tools/draw/layout/composition.h"

#include <nlohmann/json_fwd.hpp>

namespace hilda::draw {

/// The drawing as data, for who paints it and listens to the mouse (the page of `hilda studio`): what `draw` paints, at
/// the same places, px from the left upper corner. docs/studio.md has the fields.
/// @param places  of the drawing before: all symbols that it has stay where they were. Of this one afterwards
nlohmann::ordered_json scene(const Sketch& sketch, Arrangement& places);

} // namespace hilda::draw
