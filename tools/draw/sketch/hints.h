#pragma once

#include "engine/model/diagram.h"
#include "engine/model/system.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::draw {

/// What an author says about the drawing, in attributes of the diagram that the engine never reads: `ui.row` and
/// `ui.column` of a block or subsystem, from 0 along the flow, and `ui.draw="wire|tag"` of a connect.
struct Hints {
  struct Pin {
    int row = -1, column = -1; ///< -1: where it looks best
  };
  enum class Line { any, wire, tag };

  std::map<std::string, Pin> pins;   ///< by path: "rig", "rig.sensor"
  std::map<std::string, Line> lines; ///< by destination: "clamp.wrench", "rig.command.pose"
  std::vector<std::string> problems; ///< in words, with file and line
};

/// The hints in the file of the diagram and in those of its subsystems.
Hints hints_of(const System& system, const Sources& sources);

} // namespace hilda::draw
