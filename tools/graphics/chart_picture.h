// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/draw/sketch/chart.h"
#include "tools/modules.h"

#include <string>

namespace hilda::graphics::draw {

/// A state chart as SVG: states in a column, as they are in the file, those that hold others as frames around them;
/// transitions to the next state straight down, others in lanes next to them, downwards on the right, upwards on the
/// left, each with its guard and action.
std::string chart_picture(const ChartSketch& chart);

} // namespace hilda::graphics::draw
