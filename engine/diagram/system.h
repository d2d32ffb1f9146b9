// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/catalogue/catalogue.h"
#include "engine/catalogue/signal_type.h"
#include "engine/diagram/detail/model/parameter.h"
#include "engine/diagram/detail/model/quality_limits.h"
#include "engine/diagram/motion_limits.h"
#include "engine/diagram/realtime_settings.h"
#include "engine/diagram/solver_settings.h"
#include "engine/modules.h"
#include "engine/quantity/rational.h"
#include "engine/quantity/seldom.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace hilda::diagram {

using BlockIndex = Index<struct BlockTag>; ///< into System::blocks
using WireIndex = Index<struct WireTag>;   ///< into System::wires
using GuardIndex = Index<struct GuardTag>; ///< into System::guards

/// A part of a signal: `.force.x` of a wrench, `[2]` of a vector. Empty path: the whole signal.
struct PortRef {
  BlockIndex block{};
  SlotIndex slot{};
  int item = -1;                              ///< of a repeated port
  Seldom<std::vector<std::string>> part = {}; ///< "force", "x"; "[2]"
};

/// A block that is a piece of wire: routing/Goto, From, Bundle, Unbundle. It vanishes when the diagram is flattened;
/// what passed through one is known for drawings and messages.
struct Junction {
  enum class Kind { sender, receiver, bundle, unbundle } kind = Kind::sender;
  std::string path;               ///< "rig.state"
  std::string tag;                ///< of a sender (Goto) and a receiver (From)
  std::vector<std::string> parts; ///< of a bundle, in order
  Location where;
};

using JunctionIndex = Index<Junction>; ///< into System::junctions

/// A signal has passed through a junction, by its part of this name.
struct Passage {
  JunctionIndex junction;
  std::string part;
};

/// A wire from one output to one input. Where it passes subsystem borders, `where` is the connect nearest to its
/// destination, `via` the others on its way.
struct Wire {
  PortRef from, to;
  Location where;
  Seldom<std::vector<Location>> via;
  Seldom<std::vector<Passage>> through = {}; ///< nearest to the source first
  Seldom<std::string> part = {}; ///< ".position": of a wire to an input with parts, which is one for each of them
  /// filled by inference: where in the source's elements the part begins, and its type
  int offset = 0;
  SignalType type;
};

/// A condition under which blocks run: nested, `parent` is the enclosing subsystem's.
struct Guard {
  GuardIndex parent{}; ///< none: it is the outermost
  PortRef signal;      ///< boolean; no block: always enabled (a pure reset)
  bool has_enable = false;
  PortRef reset;
  bool has_reset = false;
  PortRef trigger; ///< boolean: blocks run in the ticks in which it changes
  enum class Edge { none, rising, falling, either } edge = Edge::none;
  bool reset_outputs = false; ///< outputs="reset": zeroed while disabled
  std::string path;           ///< of the block or subsystem that has it
  Location where;
};

/// The sample time asked for.
struct SampleTime {
  enum class Kind { inherited, continuous, periodic } kind = Kind::inherited;
  Rational period; ///< s, exact
  Location where;
};

/// One block of the flattened system.
struct SystemBlock {
  std::string path; ///< "rig.sensor"
  const BlockType* type = nullptr;
  std::vector<ParameterValue> parameters; ///< one for each parameter slot: given or default
  SampleTime sample_time;
  GuardIndex guard{}; ///< none: it always runs
  Location where;
  Seldom<std::string> doc;
  bool miswired = false; ///< a wire that was probably meant for one of its inputs has been refused

  // filled by check
  struct Port {
    SlotIndex slot{};
    int item = -1;
    SignalType type;
    WireIndex wire{}; ///< input: the wire that drives it, or none
  };
  std::vector<Port> ports;                   ///< inputs and outputs in slot order, repeated ones item by item
  Indexed<SlotIndex, SignalType> slot_types; ///< of parameters, states and works
  std::int64_t divider = 1;                  ///< base ticks a sample time
  bool continuous = false;                   ///< runs at minor steps too
  bool feeds_through = true;                 ///< conditional slots
};

/// Two signals the product of which is the power that flows from one element to another. An element is a block or a
/// subsystem, by its path.
struct PowerPort {
  std::string name, rule, doc;
  PortRef effort, flow;
  std::string from, to; ///< empty: nothing whose energy is accounted for
  Location where;
  /// filled by inference: where in the sources' elements the parts begin, and how many elements they have
  int effort_offset = 0, flow_offset = 0, count = 0;
};

/// A port of a subsystem and the signal that passes through it: what it promises is checked, and logs know the signal
/// by its name too.
struct Promise {
  PortRef signal;
  std::string port;        ///< "rig.wrench"
  std::string shape, unit; ///< as written; empty: not promised
  Location where;
  bool per_element = false; ///< of a subsystem that is there for each element of its inputs
};

/// A `<connect>` that says its signal's shape: the signal has it where nothing else says one, and is held to it.
struct WireShape {
  PortRef signal;
  std::string wire; ///< "loop.y -> sum.u[1]"
  std::string text; ///< "3"
  Location where;
};

/// What may be asked of an input that moves something.
struct Limits {
  PortRef input;
  MotionLimits limits;
  Location where;
};

/// Names of signals in a `<log>` or `<figure>`: "lead.led", "rig", "rig.*.force", relative to the diagram that contains
/// it.
struct SignalList {
  std::string scope; ///< path of that diagram; empty: the top
  std::vector<std::string> words;
  Location where;
};

/// One `<log>`: which outputs are recorded, and which of their samples.
struct LogRule {
  SignalList signals;
  bool decides = true; ///< false: a diagram around it has such elements, which count
  Rational every;      ///< s; 0: each sample
  PortRef when;        ///< boolean; no block: always
  Location where;
  /// filled by inference: the outputs, the power ports by index, base ticks between samples, the place of `when` in
  /// its signal
  std::vector<PortRef> outputs;
  std::vector<std::size_t> power_ports;
  std::int64_t divider = 1;
  int when_offset = 0;
};

/// One `<figure>`: signals that a report shows first.
struct FigureRule {
  std::string title;
  SignalList signals;
};

/// What a measured output must be like before anything is armed.
struct Quality {
  PortRef output;
  QualityLimits limits = {};
  std::array<std::vector<Location>, QualityLimits::count> through = {}; ///< where the parameters are that give them
  std::string doc;                                                      ///< what to do where it is not
  Location where;
};

/// How fast a parameter may change while the diagram runs: of the diagram, or of a block.
struct LiveRate {
  std::string path; ///< "controller.kp"
  Value given;      ///< as evaluated
  Location where;
  // filled by check: what the path names, and the rate
  ParameterIndex parameter{};
  BlockIndex block{}; ///< where `parameter` is none
  std::size_t index = 0;
  double rate = 0; ///< of each element, in SI, per s
};

using QualityIndex = Index<Quality>; ///< into System::quality

/// A diagram flattened for one mode, to be checked, planned and run.
struct System {
  std::string name;
  std::string mode;
  std::string doc;
  Rational period; ///< s, of the diagram: the sample time of blocks that inherit none
  Rational base;   ///< s, the tick: the greatest period of which all sample times are multiples (filled by check)
  Indexed<BlockIndex, SystemBlock> blocks;
  Indexed<WireIndex, Wire> wires;
  Indexed<GuardIndex, Guard> guards;
  Indexed<JunctionIndex, Junction> junctions;
  ParameterTable parameters;
  std::vector<PowerPort> power_ports;
  std::vector<Limits> limits;
  Indexed<QualityIndex, Quality> quality;
  std::vector<Promise> promises;
  std::vector<WireShape> wire_shapes;
  RealtimeSettings realtime;
  SolverSettings solver;
  std::vector<LogRule> logs; ///< the last that names a signal counts
  std::vector<FigureRule> figures;
  std::vector<LiveRate> live_rates;
  Location where;
  std::vector<std::shared_ptr<const BlockType>> own_types; ///< made for one block each, by make_own_type
};

/// "1 ms", "continuous"
std::string rate_text(const System& system, const SystemBlock& block);
/// The common multiple of all sample times, in ticks.
std::int64_t hyperperiod(const System& system);
/// The port that is meant, or null.
SystemBlock::Port* find_port(SystemBlock& block, const PortRef& ref);
const SystemBlock::Port* find_port(const SystemBlock& block, const PortRef& ref);

} // namespace hilda::diagram
