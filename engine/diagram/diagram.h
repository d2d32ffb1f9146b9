// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/attribute.h"
#include "engine/modules.h"
#include "engine/quantity/seldom.h"

#include <memory>
#include <string>
#include <vector>

namespace hilda::diagram {

/// `<parameter name="response_delay" value="20 ms" doc="..." mode="sim"/>`: its text is the value, `${}` unevaluated.
struct ParameterDecl : Attribute {
  std::string doc;
  std::string mode;      ///< empty: in every mode
  bool required = false; ///< written without a value: must be forwarded or set
  std::string group;     ///< heading above it in a form
};

/// `<input name="command.pose"/>`, `<output name="wrench"/>`: a diagram's own ports. Inside the subsystem an input
/// is a source and an output a destination, by their bare names.
struct PortDecl {
  std::string name;
  std::string doc;
  std::string mode;
  std::string shape;     ///< optional promise, checked: "3", "wrench"
  std::string unit;      ///< optional promise, checked
  bool optional = false; ///< input: may stay undriven
  /// Input: its value from outside in a top diagram, until another value is set. A name: given.
  Attribute default_value = {};
  Location where;
  bool per_element = false; ///< of a subsystem with for_each: its shape is the number of them

  bool has_default() const { return !default_value.name.empty(); }
};

/// An element inside a `<block>`: `<state name="x" unit="m"/>`. What it means is the block's matter.
struct ChildDecl {
  static constexpr std::size_t in_block = static_cast<std::size_t>(-1);
  std::string tag;
  std::vector<Attribute> attributes;
  Location where;
  std::size_t within = in_block; ///< the element in which it is, among those of the block
};

/// `<block name="lead" type="contact/PhaseLead" time_constant="2 ms"/>`
struct BlockDecl {
  std::string name;
  std::string type;
  Seldom<std::string> mode;
  Seldom<std::string> sample_time; ///< empty: inherited
  Seldom<std::string> enable;      ///< path of a boolean signal, or empty
  Seldom<std::string> reset;
  Seldom<std::string> outputs; ///< "hold" (also where empty) or "reset" while disabled
  Seldom<std::string> doc;
  std::vector<Attribute> parameters;
  Seldom<std::vector<ChildDecl>> children;
  Location where;
};

/// `<connect from="rig.wrench.force" to="norm.u" shape="3"/>`
struct ConnectDecl {
  std::string from;
  std::string to;
  Seldom<std::string> mode;
  Seldom<Attribute> shape = {}; ///< of the signal; empty: not given
  Location where;
};

/// `<power_port name="robot" effort="rig.wrench" flow="robot.twist" rule="backward" from="rig" to="controller"/>`: two
/// signals whose product is a power, accounted for by the run: positive from one element to the other.
struct PowerPortDecl {
  std::string name;
  std::string effort;
  std::string flow;
  std::string rule;     ///< backward | forward | trapezoid
  std::string from, to; ///< blocks or subsystems; may be empty
  std::string mode;
  std::string doc;
  Location where;
};

/// `<limits on="robot.command_pose" speed="0.2 m/s" acceleration="1 m/s2"/>`: what the safety stage lets through to an
/// input that moves something. The attributes are those of MotionLimits, `stop_time` and `hold`.
struct LimitsDecl {
  std::string on;
  std::string mode;
  std::string doc;
  std::vector<Attribute> values;
  Location where;
};

/// `<quality on="robot.pose" resolution="0.001 mm" noise="0.01 mm"/>`: what a measured signal must be like before
/// anything is armed. The attributes are those of QualityLimits.
struct QualityDecl {
  std::string on;
  std::string mode;
  std::string doc;
  std::vector<Attribute> values;
  Location where;
};

/// `<realtime priority="80" processors="1"/>`: how the thread of the loop runs where it is paced.
struct RealtimeDecl {
  std::string mode;
  std::string doc;
  std::vector<Attribute> values; ///< priority, processors
  Location where;
};

/// `<log signals="lead.led rig.*" every="10 ms" when="gate.in_contact"/>`: what of the outputs is recorded.
struct LogDecl {
  Attribute signals, every, when; ///< empty texts where they are not given
  std::string mode;
  std::string doc;
  Location where;
};

/// `<figure title="Contact force" signals="rig.wrench.force"/>`: what a report shows first.
struct FigureDecl {
  std::string title;
  Attribute signals;
  std::string mode;
  std::string doc;
  Location where;
};

/// `<live path="controller.kp" rate="100 N/m/s"/>`: how fast a parameter may change while the diagram runs.
struct LiveDecl {
  std::string path; ///< of a parameter or of a block's parameter
  Attribute rate;
  std::string mode;
  std::string doc;
  Location where;
};

struct DiagramDecl;

/// `<subsystem name="rig" mode="sim" src="rigs/two_walls.xml" response_delay="${response_delay}"/>`, or with its body
/// inline. Attributes that are not reserved set the body's parameters.
struct SubsystemDecl {
  std::string name;
  std::string src; ///< as written; empty: inline
  std::string mode;
  std::string sample_time;
  std::string enable;
  std::string reset;
  std::string outputs;
  std::string trigger;  ///< path of a boolean signal at whose edges it runs, or empty
  std::string edge;     ///< "rising" (also where empty), "falling" or "either"
  Attribute for_each{}; ///< of how many elements of its inputs there is one each; no name: it is one
  std::string doc;
  std::vector<Attribute> parameters;
  std::shared_ptr<const DiagramDecl> body; ///< null where it could not be read (already reported)
  Location where;
};

/// One file (or one inline body) as written; nothing is resolved yet.
struct DiagramDecl {
  std::string name;
  std::string doc;
  std::string period;                     ///< empty: none given
  Attribute solver, rtol, atol, max_step; ///< of the top diagram; no names: none given
  Location where;
  std::vector<ParameterDecl> parameters;
  std::vector<PortDecl> inputs, outputs;
  std::vector<BlockDecl> blocks;
  std::vector<SubsystemDecl> subsystems;
  std::vector<ConnectDecl> connects;
  std::vector<PowerPortDecl> power_ports;
  std::vector<LimitsDecl> limits;
  std::vector<QualityDecl> quality;
  std::vector<RealtimeDecl> realtime;
  std::vector<LogDecl> logs;
  std::vector<FigureDecl> figures;
  std::vector<LiveDecl> live;
  Attribute events; ///< of the top diagram: whether they are located; no name: not given
};

/// Every file that was read: their names (which Locations point to) and their bytes (which the log keeps).
class Sources {
public:
  struct File {
    std::string name;     ///< as shown to people
    std::string absolute; ///< where it was found
    std::string text;
  };
  /// The name lives as long as this object.
  const File& add(std::string name, std::string absolute, std::string text);
  const std::vector<std::unique_ptr<File>>& files() const { return files_; }

private:
  std::vector<std::unique_ptr<File>> files_;
};

} // namespace hilda::diagram
