#pragma once

#include "engine/model/system.h"

#include <string>
#include <vector>

namespace hilda::draw {

struct SketchOptions {
  int depth = 0;      ///< how many levels of subsystems are opened
  std::string inside; ///< path of the subsystem to draw; empty: the diagram
};

/// What the drawing shows as one symbol: a block, a closed subsystem, or a port of what is drawn.
struct Symbol {
  enum class Kind { block, subsystem, port, gain, sum };
  Kind kind = Kind::block;
  std::string path;                 ///< "rig.sensor"
  std::string name, type;           ///< "sensor", "SensorSource"
  std::vector<std::string> details; ///< key parameters, "stiffness 176.275 kN/m"
  std::string signs;                ///< of a sum
  int frame = -1;                   ///< index into Sketch::frames
  int rate = 0;                     ///< index into Sketch::rates; -1: several, in a closed subsystem
  bool discrete_state = false, continuous_state = false;
  bool breaks_loops = false; ///< no output follows from an input of the same tick
  bool in_loop = false;      ///< of an algebraic loop
};

/// An opened subsystem.
struct Frame {
  std::string path, name;
  int parent = -1;
};

/// One line: signals that go together from one symbol to others.
struct Net {
  int from = -1; ///< symbol
  struct End {
    int symbol = -1;
    int item = -1; ///< of a repeated input
  };
  std::vector<End> to;
  std::vector<std::string> labels; ///< names and units, a line each; empty where they would say nothing
  bool in_loop = false;
  std::string title; ///< every wire in full
};

struct Rate {
  std::string text; ///< "1 ms", "continuous"
  bool continuous = false;
};

/// What is to be drawn, without places.
struct Sketch {
  std::string title, subtitle;
  std::vector<Symbol> symbols; ///< in the order of the file
  std::vector<Frame> frames;   ///< parents before their children
  std::vector<Net> nets;
  std::vector<Rate> rates;
};

/// @param loop_wires  wires of algebraic loops, as indices into system.wires
Sketch sketch_of(const System& system, const SketchOptions& options, const std::vector<int>& loop_wires);

/// The paths of all subsystems, for `inside` and near misses.
std::vector<std::string> subsystem_paths(const System& system);

/// "stiffness 176.275 kN/m" for parameters that say something about a symbol: numbers that are neither zero nor the
/// default, at most `most` lines.
std::vector<std::string> key_parameters(const SystemBlock& block, std::size_t most);
std::vector<std::string> key_parameters(const System& system, const std::string& subsystem, std::size_t most);

} // namespace hilda::draw
