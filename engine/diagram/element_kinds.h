// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/detail/model/element_kind.h"
#include "engine/diagram/detail/model/quality_limits.h"
#include "engine/diagram/motion_limits.h"
#include "engine/modules.h"

#include <algorithm>
#include <array>

namespace hilda::diagram {

// The elements of a diagram's file and their attributes, each once. The reader, the schemas, the operations of
// `hilda edit` with their help, Python's docstrings and the studio's edits read them here; tests/schema holds
// docs/diagram.md and the files in other languages against them.

namespace attributes {

/// What every block and every subsystem may have next to its name.
inline constexpr std::array<AttributeKind, 6> shared{
    mode,
    {"sample_time", "sample_time", "inherited, continuous, or a time such as 2 ms"},
    AttributeKind{"enable", "signal", "Boolean signal: it runs while this is true"}.naming(Names::source),
    AttributeKind{"reset", "signal", "Boolean signal: its states are reset when this rises"}.naming(Names::source),
    {"outputs", "outputs", "While disabled: hold keeps them, reset zeroes them"},
    doc};

/// And every subsystem.
inline constexpr std::array<AttributeKind, 3> repeating{
    AttributeKind{"trigger", "signal", "Boolean signal: it runs in the ticks in which this changes"}.naming(
        Names::source),
    AttributeKind{"edge", "edge", "Which changes: rising if not given, falling or either"},
    AttributeKind{"for_each", "text", "It is there for each of so many elements of its inputs"}};

inline constexpr auto parameter = std::to_array<AttributeKind>(
    {AttributeKind{"name", "parameter_name", "What ${} calls it"}.required(),
     AttributeKind{"value", "text",
                   "Number with unit, list, boolean, text or ${}; left out: must be given from outside"}
         .empty_too(),
     {"group", "text", "Heading above it in the form of its subsystem"},
     doc,
     mode});

inline constexpr auto output = std::to_array<AttributeKind>(
    {AttributeKind{"name", "port_name", "Name of the port; dots may join several"}.required(),
     doc,
     mode,
     {"shape", "shape", "Promise about the signal, checked: 3, 3 3, wrench, twist, pose"},
     {"unit", "unit", "Promise about the signal, checked"}});

inline constexpr auto input =
    joined(output, std::to_array<AttributeKind>(
                       {{"optional", "flag", "Whether it may stay undriven"},
                        {"default", "text", "Of the top diagram: its value until another one is set from outside"}}));

inline constexpr auto block =
    joined(std::to_array<AttributeKind>({AttributeKind{"name", "name", "Of the block, for wires"}.required(),
                                         AttributeKind{"type", "", "What it does: plugin/Name"}.required()}),
           shared);

inline constexpr auto subsystem =
    joined(std::to_array<AttributeKind>({AttributeKind{"name", "name", "Of the subsystem, for wires"}.required(),
                                         {"src", "file", "The file of its diagram, instead of a body"}}),
           shared, repeating);

inline constexpr auto connect = std::to_array<AttributeKind>(
    {AttributeKind{"from", "signal", "Output, or a part of it: rig.wrench.force"}.required().naming(Names::source),
     AttributeKind{"to", "signal", "Input: robot.command"}.required().naming(Names::destination),
     mode,
     doc,
     {"shape", "shape", "Of the signal: 3, 3 3, wrench, twist, pose or quaternion"}});

inline constexpr auto power_port = std::to_array<AttributeKind>(
    {AttributeKind{"name", "name", "What the account calls it"}.required(),
     AttributeKind{"effort", "signal", "Force, torque or wrench"}.required().naming(Names::source),
     AttributeKind{"flow", "signal", "Velocity, angular velocity or twist"}.required().naming(Names::source),
     {"rule", "power_rule", "How the power is summed; backward if not given"},
     AttributeKind{"from", "element_path", "Block or subsystem that gives the power; . is the rest"}.naming(
         Names::side),
     AttributeKind{"to", "element_path", "Block or subsystem that takes it; . is the rest"}.naming(Names::side),
     mode,
     doc});

inline constexpr auto limits = [] {
  std::array<AttributeKind, MotionLimits::count> most{};
  for (std::size_t i = 0; i < most.size(); ++i)
    most[i] = {MotionLimits::names[i], "number.not_negative", "The most that is let through", MotionLimits::units[i]};
  return joined(std::to_array<AttributeKind>(
                    {AttributeKind{"on", "signal", "The input: block.port"}.required().naming(Names::destination),
                     mode,
                     doc,
                     {"stop_time", "number.not_negative", "Of the ramp to rest", "s"},
                     {"hold", "number.not_negative",
                      "What follows a twist continues with the last one so long while no new one comes", "s"}}),
                most);
}();

inline constexpr auto quality = std::to_array<AttributeKind>(
    {AttributeKind{"on", "signal", "The output: block.port"}.required().naming(Names::source),
     mode,
     doc,
     {QualityLimits::names[QualityLimits::resolution], "number.positive", "Coarsest step, in the signal's unit"},
     {QualityLimits::names[QualityLimits::noise], "number.positive",
      "Largest standard deviation at rest, in the signal's unit"},
     {QualityLimits::names[QualityLimits::delay], "number.positive", "Largest mean age of a sample", "s"},
     {QualityLimits::names[QualityLimits::rate], "number.not_negative", "Fewest fresh samples a second", "1/s"}});

inline constexpr auto realtime = std::to_array<AttributeKind>(
    {mode,
     doc,
     {"priority", "priority", "Of SCHED_FIFO, 1 to 99; 80 if not given"},
     {"processors", "processors", "Numbers from 0 of those it may use; any if not given"},
     {"lost_in_a_row", "count_of_lost",
      "More cycles of the timer in a row in which a device was sent nothing end the run; 5 if not given"}});

inline constexpr auto log = std::to_array<AttributeKind>(
    {AttributeKind{"signals", "signal_list", "Outputs, blocks or subsystems, with * and ?: lead.led rig.*"}
         .required()
         .naming(Names::list),
     {"every", "period", "Time between samples; each sample if not given"},
     AttributeKind{"when", "signal", "Boolean signal: samples are kept while it is true"}.naming(Names::source),
     mode,
     doc});

inline constexpr auto figure = std::to_array<AttributeKind>(
    {AttributeKind{"title", "text", "Above the figure"}.required(),
     AttributeKind{"signals", "signal_list", "Signals or parts of them, with * and ?: rig.wrench.force"}
         .required()
         .naming(Names::list),
     mode, doc});

inline constexpr auto live = std::to_array<AttributeKind>(
    {AttributeKind{"path", "signal", "A parameter, or that of a block: controller.kp"}.required().naming(
         Names::setting),
     AttributeKind{"rate", "number.positive", "The most per second, in the parameter's unit per s"}.required(), mode,
     doc});

inline constexpr auto note = std::to_array<AttributeKind>(
    {AttributeKind{"name", "name", "Of the note, for edits"}.required(),
     AttributeKind{"text", "text", "**bold**, [words](https://...), and lines that begin with '- '"}
         .required()
         .empty_too()});

inline constexpr auto area =
    std::to_array<AttributeKind>({AttributeKind{"name", "name", "Of the area, for edits"}.required(),
                                  AttributeKind{"title", "text", "Text above it"}.empty_too()});

inline constexpr auto diagram = std::to_array<AttributeKind>(
    {format,
     {"name", "name", "Of the diagram; the file's if not given"},
     {"period", "period", "Sample time of blocks without a sample_time; 1 ms if not given"},
     {"solver", "solver",
      "Of continuous states: rk4 (if not given) and euler make a step a tick, dopri5, adams, "
      "and rosenbrock and cvode (stiff) as long ones as the tolerances allow"},
     {"rtol", "text", "Error of a state that is allowed, as a share of its size; 1e-6 if not given"},
     {"atol", "text", "And in SI, with exceptions by state: 1e-9, swing.x=1 um; 1e-9 if not given"},
     {"max_step", "period", "Longest step; no limit if not given"},
     {"events", "events", "located: crossings are, with a fixed step too"},
     doc});

} // namespace attributes

/// The elements of a diagram.
namespace elements {

inline constexpr ElementKind parameter{"parameter", "A value that the diagram's blocks use as ${name}",
                                       attributes::parameter, 0, "name"};
inline constexpr ElementKind input{"input", "A port through which a signal comes in", attributes::input, 1, "name"};
inline constexpr ElementKind output{"output", "A port through which a signal goes out", attributes::output, 1, "name"};
inline constexpr ElementKind block{
    "block", "A block of some type; attributes that are not the same for all blocks are its parameters",
    attributes::block, 2, "name"};
inline constexpr ElementKind subsystem{"subsystem",
                                       "A diagram inside this one; attributes that are not reserved set its parameters",
                                       attributes::subsystem, 2, "name"};
inline constexpr ElementKind connect{"connect", "A wire from an output to an input", attributes::connect, 4, "to"};
inline constexpr ElementKind power_port{"power_port",
                                        "Two signals whose product is a power, the energy of which is accounted for",
                                        attributes::power_port, 5, "name"};
inline constexpr ElementKind limits{
    "limits", "What an input that moves something may be asked for; an attribute that is left out sets no limit",
    attributes::limits, 3, "on"};
inline constexpr ElementKind quality{
    "quality",
    "What a measured signal must be like before anything is armed; an attribute that is left out is not required",
    attributes::quality, 3, "on"};
inline constexpr ElementKind realtime{"realtime", "How a paced loop runs", attributes::realtime, 3, ""};
inline constexpr ElementKind log{
    "log",
    "Signals to record; where a diagram has one, only those that its elements name, and all that come from devices",
    attributes::log, 6, "signals"};
inline constexpr ElementKind figure{"figure", "What a report shows first", attributes::figure, 6, "title"};
inline constexpr ElementKind live{"live",
                                  "How fast a parameter may change while the diagram runs; others may change at once",
                                  attributes::live, 3, "path"};
inline constexpr ElementKind note{
    "note", "Words on the drawing, which runs never read", attributes::note, 7, "name", ElementKind::Read::by_drawings};
inline constexpr ElementKind area{"area",           "A rectangle behind symbols, which runs never read",
                                  attributes::area, 7,
                                  "name",           ElementKind::Read::by_drawings};

/// The file's own element.
inline constexpr ElementKind diagram{"diagram", "A block diagram", attributes::diagram};

/// In the order in which messages and schemas list them.
inline constexpr std::array<const ElementKind*, 15> all{&parameter, &input,      &output, &block,   &subsystem,
                                                        &connect,   &power_port, &limits, &quality, &realtime,
                                                        &log,       &figure,     &live,   &note,    &area};

/// Null if a diagram has no such element.
inline const ElementKind* find(std::string_view tag) {
  const auto at = std::find_if(all.begin(), all.end(), [tag](const ElementKind* each) { return each->tag == tag; });
  return at == all.end() ? nullptr : *at;
}

/// Its names are apart from those of blocks and subsystems: it belongs to what a diagram shows to others.
constexpr bool has_own_names(const ElementKind& kind) {
  return kind.has_name() && kind.read == ElementKind::Read::by_runs && &kind != &block && &kind != &subsystem;
}

/// Edits name it by its key: limits:robot.command_pose. Wires have separate operations.
constexpr bool is_nameless(const ElementKind& kind) { return !kind.has_name() && &kind != &connect; }

/// Attributes that mean something on a subsystem, and the period: no parameter has such a name.
constexpr bool reserves(std::string_view name) {
  return name == "period" || std::any_of(subsystem.attributes.begin(), subsystem.attributes.end(),
                                         [name](const AttributeKind& each) { return each.name == name; });
}

} // namespace elements

} // namespace hilda::diagram
