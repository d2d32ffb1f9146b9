#pragma once

#include "tools/draw/sketch.h"

#include <optional>
#include <string>

namespace hilda::draw {

/// The sketch as a control engineer draws it, as SVG: signals run from left to right, feedback back over its own line;
/// none, and `error`, where it cannot be laid out or is too large to be looked at.
std::optional<std::string> diagram_svg(const Sketch& sketch, std::string& error);

} // namespace hilda::draw
