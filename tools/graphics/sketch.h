// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "tools/graphics/detail/draw/sketch/hints.h"
#include "tools/graphics/detail/draw/sketch/note_text.h"
#include "tools/modules.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hilda::graphics::draw {

struct SketchOptions {
  int depth = 0;                     ///< how many levels of subsystems are opened
  std::string inside;                ///< path of the subsystem to draw; empty: the diagram
  Hints hints;                       ///< of the author, about places and wires
  std::set<std::string> opened = {}; ///< paths of subsystems that are opened, whatever the depth
};

struct Sketch;

/// What the drawing shows as one symbol: a block, a subsystem, a port of what is drawn, or a note.
struct Symbol {
  enum class Kind { block, subsystem, port, gain, sum, note };
  Kind kind = Kind::block;
  std::string path;                         ///< "rig.sensor"
  std::string name, type;                   ///< "sensor", "SensorSource"
  std::vector<std::string> details;         ///< key parameters as the author wrote them, "stiffness 176.275 N/mm"
  std::string signs;                        ///< of a sum
  std::vector<std::string> inputs, outputs; ///< names of the ports with wires, from the top
  int rate = 0;                             ///< index into Sketch::rates; -1: several, in a closed subsystem
  bool discrete_state = false, continuous_state = false;
  bool breaks_loops = false;            ///< no output follows from an input of the same tick
  bool in_loop = false;                 ///< of an algebraic loop
  std::shared_ptr<const Sketch> inside; ///< of an opened subsystem
  Hints::Pin pin;                       ///< where the author needs it
  std::vector<NoteLine> lines = {};     ///< of a note
  double note_width = 0;                ///< px
};

/// One signal, or a part of it, on its way from an output to an input.
struct Tap {
  int output = -1;    ///< index into the outputs of the net's symbol
  int input = -1;     ///< index into the inputs of the arrow's symbol
  std::string part;   ///< ".force" of the signal; empty: all of it
  std::string signal; ///< the block's output where it begins, with the part: "rig.sensor.measured.force"
  friend bool operator==(const Tap&, const Tap&) = default;
};

/// Where a net ends: at one symbol, whose inputs it reaches together.
struct Arrow {
  int to = -1; ///< symbol
  std::vector<Tap> taps = {};
  bool in_loop = false;
  Hints::Line line = Hints::Line::any; ///< how the author needs it
  Hints::Bend bend = {};               ///< where it turns, as the author needs it; empty: where it looks best
  bool bus = false;                    ///< one port, and several signals nevertheless
  bool several() const { return bus || taps.size() > 1; }
  friend bool operator==(const Arrow&, const Arrow&) = default;
};

/// Outputs of a symbol that travel as one line, since they go to nearly the same places.
struct Net {
  int from = -1; ///< symbol
  std::vector<int> outputs;
  std::vector<Arrow> arrows = {}; ///< one a symbol, and one an input of a sum
  std::string title = {};         ///< every wire in full
  friend bool operator==(const Net&, const Net&) = default;
};

struct ShownRate {
  std::string text; ///< "1 ms", "continuous"
  bool continuous = false;
  friend bool operator==(const ShownRate&, const ShownRate&) = default;
};

/// The things to draw, without places.
struct Sketch {
  std::string inside;                     ///< path of the subsystem that is drawn; empty: the diagram
  std::string title, remark, description; ///< "pida"; "mode sim"; what the file says of itself
  std::vector<Symbol> symbols;            ///< in the order of the file
  std::vector<Net> nets;
  std::vector<ShownRate> rates;        ///< of the whole diagram, also where an inside is drawn
  std::vector<Hints::Area> areas = {}; ///< behind the symbols
};

/// @param loop_wires  wires of algebraic loops
Sketch sketch_of(const System& system, const SketchOptions& options, const std::vector<WireIndex>& loop_wires);

/// Symbols on all levels.
std::size_t symbol_count(const Sketch& sketch);

/// The paths of all subsystems, for `inside` and near misses.
std::vector<std::string> subsystem_paths(const System& system);

/// "stiffness 176.275 N/mm" for parameters that say something about a symbol: numbers that are neither zero nor the
/// default, at most `most` lines.
std::vector<std::string> key_parameters(const SystemBlock& block, std::size_t most);
std::vector<std::string> key_parameters(const System& system, const std::string& subsystem, std::size_t most);

/// "5 ms" of a period in s.
std::string rate_text(double period);

} // namespace hilda::graphics::draw
