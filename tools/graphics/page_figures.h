// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/report/page_signal.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::report {

/// A plot that the page shows before any is requested: signals of one unit.
struct PageFigure {
  std::string title, unit;
  std::vector<std::string> signals;
};

/// What the diagram's `<figure>` elements ask for, by unit. Without them the figures of the papers on contact (He and
/// Shen 2022) and on passivity, as far as the run has their signals: contact velocity, contact force, energy,
/// identified stiffness and damping, energy observer and controller. Elements that stay zero next to others of their
/// figure are left out. A run that has none of them gets what its sinks take, and then what changed most.
std::vector<PageFigure> figures_of(const std::vector<PageSignal>& signals, const Log& log,
                                   const std::vector<std::string>& sinks);

} // namespace hilda::graphics::report
