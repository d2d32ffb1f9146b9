#include "engine/schema/schema_elements.h"

#include "engine/catalogue/driven_type.h"
#include "engine/diagnostics/word_list.h"
#include "engine/model/motion_limits.h"
#include "engine/model/quality_limits.h"
#include "engine/value/value.h"

#include <cmath>

namespace hilda::schema {
namespace {

AttributeRule attribute(const char* name, const char* value, const char* doc) {
  return {name, rule(value), false, doc};
}

AttributeRule required(const char* name, const char* value, const char* doc) { return {name, rule(value), true, doc}; }

/// A function, for what it needs is another file's and may not be there when this one's objects are made.
AttributeRule mode() { return attribute("mode", "mode", "The mode in which this exists, such as sim or hardware"); }
const AttributeRule doc = {"doc", {}, false, "What it is, for people"};

ElementRule port(const char* name, const char* what, bool input) {
  ElementRule made{name,
                   what,
                   {required("name", "port_name", "Name of the port; dots may join several"),
                    attribute("shape", "shape", "Promise about the signal, checked: 3, 3 3, wrench, twist, pose"),
                    attribute("unit", "unit", "Promise about the signal, checked"), mode(), doc}};
  if (!input) return made;
  made.attributes.push_back(attribute("optional", "flag", "Whether it may stay undriven"));
  made.attributes.push_back(
      attribute("default", "text", "Of the top diagram: its value until another one is set from outside"));
  return made;
}

ElementRule limits() {
  ElementRule made{"limits",
                   "What an input that moves something may be asked for; an attribute that is left out sets no limit",
                   {required("on", "signal", "The input: block.port"),
                    attribute("stop_time", "number.not_negative", "Of the ramp to rest [s]"),
                    attribute("hold", "number.not_negative",
                              "What follows a twist continues with the last one so long while no new one comes [s]"),
                    mode(), doc}};
  for (std::size_t i = 0; i < MotionLimits::names.size(); ++i) {
    const std::string unit = MotionLimits::units[i];
    made.attributes.push_back({MotionLimits::names[i], rule("number.not_negative"), false,
                               "The most that is let through" + (unit.empty() ? "" : " [" + unit + "]")});
  }
  return made;
}

ElementRule quality() {
  return {"quality",
          "What a measured signal must be like before anything is armed; an attribute that is left out is not required",
          {required("on", "signal", "The output: block.port"),
           attribute(QualityLimits::names[QualityLimits::resolution], "number.positive",
                     "Coarsest step, in the signal's unit"),
           attribute(QualityLimits::names[QualityLimits::noise], "number.positive",
                     "Largest standard deviation at rest, in the signal's unit"),
           attribute(QualityLimits::names[QualityLimits::delay], "number.positive", "Largest mean age of a sample [s]"),
           attribute(QualityLimits::names[QualityLimits::rate], "number.not_negative",
                     "Fewest fresh samples a second [1/s]"),
           mode(), doc}};
}

/// "[s, default 0 s, at least 0]"
std::string traits(const Slot& slot) {
  std::string text;
  const std::string kind = kind_name(slot.kind);
  if (!kind.empty())
    add_word(text, kind);
  else if (!slot.unit_text.empty() && slot.unit_text != "1")
    add_word(text, slot.unit_text);
  if (!slot.initial)
    add_word(text, "must be given");
  else if (!slot.initial->empty())
    add_word(text, "default " + *slot.initial);
  const bool number = slot.element == HILDA_F64 || slot.element == HILDA_I64 || slot.element == HILDA_U64;
  if (number && std::isfinite(slot.minimum))
    add_word(text, (slot.is(HILDA_ABOVE) ? "above " : "at least ") + decimal(slot.minimum));
  if (number && std::isfinite(slot.maximum))
    add_word(text, (slot.is(HILDA_BELOW) ? "below " : "at most ") + decimal(slot.maximum));
  return text.empty() ? "" : " [" + text + "]";
}

std::string ports(const BlockType& type, hilda_role role, const char* title) {
  std::string text;
  for (const Slot& slot : type.slots) {
    if (slot.role != role) continue;
    const std::string kind = slot.kind == HILDA_PLAIN ? slot.unit_text : kind_name(slot.kind);
    add_word(text, slot.name + (slot.is(HILDA_REPEATED) ? "[]" : "") + (kind.empty() ? "" : " (" + kind + ")"));
  }
  return text.empty() ? "" : std::string("\n") + title + text;
}

} // namespace

std::vector<ElementRule> plain_elements() {
  return {
      {"parameter",
       "A value that the diagram's blocks use as ${name}",
       {required("name", "parameter_name", "What ${} calls it"),
        attribute("value", "text",
                  "Number with unit, list, boolean, text or ${}; left out: must be given from outside"),
        mode(), doc}},
      port("input", "A port through which a signal comes in", true),
      port("output", "A port through which a signal goes out", false),
      {"connect",
       "A wire from an output to an input",
       {required("from", "signal", "Output, or a part of it: rig.wrench.force"),
        required("to", "signal", "Input: robot.command"),
        attribute("shape", "shape", "Of the signal: 3, 3 3, wrench, twist, pose or quaternion"), mode(), doc}},
      {"power_port",
       "Two signals whose product is a power, the energy of which is accounted for",
       {required("name", "name", "What the account calls it"), required("effort", "signal", "Force, torque or wrench"),
        required("flow", "signal", "Velocity, angular velocity or twist"),
        attribute("rule", "power_rule", "How the power is summed; backward if not given"),
        attribute("from", "element_path", "Block or subsystem that gives the power; . is the rest"),
        attribute("to", "element_path", "Block or subsystem that takes it; . is the rest"), mode(), doc}},
      limits(),
      quality(),
      {"realtime",
       "How a paced loop runs",
       {attribute("priority", "priority", "Of SCHED_FIFO, 1 to 99; 80 if not given"),
        attribute("processors", "processors", "Numbers from 0 of those it may use; any if not given"),
        attribute("lost_in_a_row", "count_of_lost",
                  "More cycles of the timer in a row in which a device was sent nothing end the run; 5 if not given"),
        mode(), doc}},
      {"log",
       "Signals to record; where a diagram has one, only those that its elements name, and all that come from devices",
       {required("signals", "signal_list", "Outputs, blocks or subsystems, with * and ?: lead.led rig.*"),
        attribute("every", "period", "Time between samples; each sample if not given"),
        attribute("when", "signal", "Boolean signal: samples are kept while it is true"), mode(), doc}},
      {"figure",
       "What a report shows first",
       {required("title", "text", "Above the figure"),
        required("signals", "signal_list", "Signals or parts of them, with * and ?: rig.wrench.force"), mode(), doc}},
      {"note",
       "Words on the drawing, which runs never read",
       {required("name", "name", "Of the note, for edits"),
        required("text", "text", "**bold**, [words](https://...), and lines that begin with '- '")}},
      {"area",
       "A rectangle behind symbols, which runs never read",
       {required("name", "name", "Of the area, for edits"), attribute("title", "text", "Text above it")}},
      {"live",
       "How fast a parameter may change while the diagram runs; others may change at once",
       {required("path", "signal", "A parameter, or that of a block: controller.kp"),
        required("rate", "number.positive", "The most per second, in the parameter's unit per s"), mode(), doc}},
  };
}

std::vector<ElementRule> inner_elements() {
  const AttributeRule name = required("name", "parameter_name", "What equations call it"),
                      initial = attribute("initial", "text", "At the start; 0 if not given"),
                      unit = attribute("unit", "unit", "SI; none if not given"),
                      shape = attribute("shape", "text", "3, or 3 3; one number if not given");
  return {{"input", "A signal that comes in", {name, unit, shape, doc}},
          {"output", "A signal that goes out; in a chart what actions give values", {name, initial, unit, shape, doc}},
          {"parameter",
           "A number that the block is given",
           {name, attribute("value", "text", "With its unit; left out: an attribute of the block"),
            attribute("unit", "unit", "That of its value if not given"), shape, doc}},
          {"state",
           "What equations remember; a state of a chart, which may hold states",
           {required("name", "name", "What equations or transitions call it"), initial, unit, shape,
            attribute("start", "flag", "Of a chart: it, or the state around it, begins with this one"),
            attribute("final", "flag", "Of a chart: it is not meant to be left"),
            attribute("entry", "text", "Of a chart: actions when it is entered: y = 1; n = n + 1"),
            attribute("during", "text", "Of a chart: actions at a sample without a transition"),
            attribute("exit", "text", "Of a chart: actions when it is left"), doc}},
          {"transition",
           "Of a chart: a way from one state to another",
           {required("from", "name", "The state that is left"), required("to", "name", "The state that is entered"),
            attribute("when", "text", "Condition: u > 0 && after(2 s); always if not given"),
            attribute("do", "text", "Actions on the way"), doc}},
          {"equation",
           "A line: x' = v, n+ = n + 1, y = k*x",
           {required("is", "text", "The line"),
            attribute("when", "text", "A condition: the next value is taken when it becomes true"), doc}}};
}

std::vector<AttributeRule> shared_attributes() {
  return {mode(),
          attribute("sample_time", "sample_time", "inherited, continuous, or a time such as 2 ms"),
          attribute("enable", "signal", "Boolean signal: it runs while this is true"),
          attribute("reset", "signal", "Boolean signal: its states are reset when this rises"),
          attribute("outputs", "outputs", "While disabled: hold keeps them, reset zeroes them"),
          doc};
}

std::vector<AttributeRule> repeating_attributes() {
  return {attribute("trigger", "signal", "Boolean signal: it runs in the ticks in which this changes"),
          attribute("edge", "edge", "Which changes: rising if not given, falling or either"),
          attribute("for_each", "text", "It is there for each of so many elements of its inputs")};
}

std::vector<AttributeRule> diagram_attributes() {
  return {required("format", "format", "Version of the format"),
          attribute("name", "name", "Of the diagram; the file's if not given"),
          attribute("period", "period", "Sample time of blocks without a sample_time; 1 ms if not given"),
          attribute("solver", "solver",
                    "Of continuous states: rk4 (if not given) and euler make a step a tick, dopri5, adams, "
                    "and rosenbrock and cvode (stiff) as long ones as the tolerances allow"),
          attribute("rtol", "text", "Error of a state that is allowed, as a share of its size; 1e-6 if not given"),
          attribute("atol", "text", "And in SI, with exceptions by state: 1e-9, swing.x=1 um; 1e-9 if not given"),
          attribute("max_step", "period", "Longest step; no limit if not given"),
          attribute("events", "events", "located: crossings are, with a fixed step too"),
          doc};
}

std::vector<AttributeRule> overlay_attributes() { return {required("format", "format", "Version of the format"), doc}; }

std::vector<AttributeRule> set_attributes() {
  return {required("path", "setting_path", "Parameter: response_delay, rig.stiffness, lead.time_constant"),
          required("value", "text", "What it is set to, before expressions"),
          attribute("at", "text", "When, while the diagram runs: 2.5 s; before the first tick if not given"), doc};
}

std::vector<AttributeRule> play_attributes() {
  return {required("path", "setting_path", "Parameter or input of the diagram that gets the numbers"),
          required("file", "file", "Log, or MAT file, next to the overlay"),
          required("signal", "text", "Its signal: push.y"),
          attribute("time", "text", "Of a MAT file: the variable with the times in s"),
          attribute("unit", "text", "Of the values, where the file does not say it"),
          doc};
}

std::vector<std::string> reserved_names() {
  std::vector<std::string> names = {"name", "src", "period"};
  for (const AttributeRule& each : shared_attributes()) names.push_back(each.name);
  for (const AttributeRule& each : repeating_attributes()) names.push_back(each.name);
  return names;
}

std::vector<AttributeRule> parameters_of(const BlockType& type) {
  std::vector<AttributeRule> made;
  for (const Slot& slot : type.slots)
    if (slot.role == HILDA_PARAMETER)
      made.push_back(
          {slot.name, rule_of(slot), !slot.initial.has_value() && !may_be_driven(type, slot), slot.doc + traits(slot)});
  return made;
}

std::string documentation_of(const BlockType& type) {
  return type.doc + ports(type, HILDA_INPUT, "Inputs: ") + ports(type, HILDA_OUTPUT, "Outputs: ");
}

} // namespace hilda::schema
