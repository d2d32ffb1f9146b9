// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "tools/graphics/figure.h"
#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::graphics::plot {

/// A log to plot from, and what its curves are called where there are several.
struct NamedLog {
  std::string name;
  Log log;
};

/// The signals that one panel should show: "rig.sensor.measured.force.x", "*.energy", "lead.led=after the lead".
struct PanelWish {
  std::vector<std::string> signals;
  std::string quantity; ///< of the axis; empty: the signals' common name
};

/// The panels that are wished for, from all logs over one another; signals of different units go to separate
/// panels. None, and `error`, where a signal is in none of the logs or a panel would hold too many curves.
std::optional<std::vector<Panel>> panels_of(std::vector<NamedLog>& logs, const std::vector<PanelWish>& wishes,
                                            std::string& error);

} // namespace hilda::graphics::plot
