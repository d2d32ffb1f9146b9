// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/layout/composition.h"
#include "tools/modules.h"

#include <nlohmann/json_fwd.hpp>

namespace hilda::graphics::draw {

/// The drawing as data, for who paints it and listens to the mouse (the page of `hilda studio`): what `draw` paints, at
/// the same places, px from the left upper corner. docs/studio.md has the fields.
/// @param places  of the drawing before: all symbols that it has stay where they were. Of this one afterwards
/// @param routes  of the drawing before: wires are routed again only where something has changed. Of this one
/// afterwards
nlohmann::ordered_json scene(const Sketch& sketch, Arrangement& places, RouteMemories& routes);

/// The drawing of `before` made that of `now`, where they differ in texts alone and every symbol keeps its size. False,
/// and it is not changed: who is where has to be found again.
bool retell(nlohmann::ordered_json& drawn, const Sketch& before, const Sketch& now);

} // namespace hilda::graphics::draw
