// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/system.h"
#include "tools/modules.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hilda::graphics::draw {

/// What an author says about the drawing, in attributes of the diagram that the engine never reads: `ui.x` and
/// `ui.y` of a block or subsystem, px, or `ui.row` and `ui.column`, from 0 along the flow, `ui.draw="wire|tag"` and
/// `ui.bend` of a connect; notes and areas; and what it declares that a system without borders has no more.
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
  /// Where a wire turns: from its output on sideways by the first number, then up or down by the second, and so on. The
  /// last piece follows from the input. Px on the grid.
  using Bend = std::vector<double>;
  struct Note {
    std::string inside, path, text; ///< of the system around it; "rig.why"
    double width = 0;               ///< px
  };
  struct Area {
    std::string path, title;
    Place place;
    double width = 0, height = 0; ///< px
    friend bool operator==(const Area&, const Area&) = default;
  };

  std::map<std::string, Pin> pins;   ///< by path: "rig", "rig.sensor"
  std::map<std::string, Line> lines; ///< by destination: "clamp.wrench", "rig.command.pose"
  std::map<std::string, Bend> bends; ///< by destination
  std::vector<Note> notes;           ///< in the order of the files
  std::vector<Area> areas;
  std::set<std::string> outputs;    ///< of subsystems, taken by someone outside or not: "rig.wrench"
  std::vector<Diagnostic> problems; ///< warnings
};

/// The hints in the file of the diagram and in those of its subsystems.
Hints hints_of(const System& system, const Sources& sources);

} // namespace hilda::graphics::draw
