#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/diagram.h"
#include "engine/model/system.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::draw {

/// What an author says about the drawing, in attributes of the diagram that the engine never reads: `ui.x` and
/// `ui.y` of a block or subsystem, px, or `ui.row` and `ui.column`, from 0 along the flow, and `ui.draw="wire|tag"` of
/// a connect; and what it declares that a system without borders has no more.
struct Hints {
  struct Place {
    double x = 0, y = 0; ///< of the left upper corner, px on the grid
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Pin {
    int row = -1, column = -1; ///< -1: where it looks best
    std::optional<Place> place = std::nullopt;
    friend bool operator==(const Pin&, const Pin&) = default;
  };
  enum class Line { any, wire, tag };

  std::map<std::string, Pin> pins;   ///< by path: "rig", "rig.sensor"
  std::map<std::string, Line> lines; ///< by destination: "clamp.wrench", "rig.command.pose"
  std::set<std::string> outputs;     ///< of subsystems, taken by someone outside or not: "rig.wrench"
  std::vector<Diagnostic> problems;  ///< warnings
};

/// The hints in the file of the diagram and in those of its subsystems.
Hints hints_of(const System& system, const Sources& sources);

} // namespace hilda::draw
