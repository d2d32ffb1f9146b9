// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_parts.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

namespace hilda::compile::inference {

std::optional<PartType> part_of(Inference& in, const PortRef& ref, Location where) {
  if (!ref.block.valid() || !ref.slot.valid() || in.blocks[ref.block].plan == nullptr) return std::nullopt;
  if (find_port(in.system.blocks[ref.block], ref) == nullptr) {
    report_missing_item(in, ref, where);
    return std::nullopt;
  }
  const SignalType whole = in.type(ref.block, ref.slot, ref.item);
  if (whole.rows < 0 || whole.cols < 0) return std::nullopt;
  std::string why, help;
  std::optional<PartType> part = find_part(whole, ref.part, why, help);
  if (part) return part;
  in.diagnostics.error("wire-part", where, port_name(in, ref) + " does not exist: " + why, help,
                       {{in.system.blocks[ref.block].where, "the source is " + describe(whole)}});
  return std::nullopt;
}

namespace {

std::optional<SignalType> type_of(Inference& in, const PortRef& ref, Location where) {
  const std::optional<PartType> part = part_of(in, ref, where);
  return part ? std::optional<SignalType>(part->type) : std::nullopt;
}

} // namespace

void check_condition(Inference& in, const std::string& owner, const PortRef& ref, const char* attribute,
                     Location where) {
  const std::optional<SignalType> type = type_of(in, ref, where);
  if (!type || (type->element == HILDA_U8 && type->rows == 1 && type->cols == 1)) return;
  in.diagnostics.error("condition-type", where,
                       owner + " has " + attribute + "=" + port_name(in, ref) + ", which is " + describe(*type) +
                           " and no single boolean",
                       "make it a boolean with math/Compare or math/Logic",
                       {{in.system.blocks[ref.block].where, "the signal comes from here"}});
}

namespace {

/// The content of a triggered subsystem is due in every tick in which an edge may come, and nothing of it runs between.
void check_triggered(Inference& in) {
  for (const SystemBlock& block : in.system.blocks)
    for (GuardIndex g = block.guard; g.valid(); g = in.system.guards[g].parent) {
      const Guard& guard = in.system.guards[g];
      if (guard.edge == Guard::Edge::none || !guard.trigger.block.valid()) continue;
      const std::vector<Note> notes = {{guard.where, in_quotes(guard.path) + " has its trigger here"}};
      const SystemBlock& source = in.system.blocks[guard.trigger.block];
      const std::int64_t edges = source.continuous ? 1 : source.divider;
      if (block.continuous)
        in.diagnostics.error("trigger-continuous", block.where,
                             in_quotes(block.path) + " runs in continuous time, but is in the triggered subsystem " +
                                 in_quotes(guard.path),
                             "a triggered subsystem runs at edges alone: take it out, make the subsystem an enabled "
                             "one (enable), or use a block that steps at ticks",
                             notes);
      else if (edges % block.divider != 0)
        in.diagnostics.error("trigger-rate", block.where,
                             in_quotes(block.path) + " runs every " +
                                 time_text(in.system.base * Rational(block.divider)) + ", but its trigger " +
                                 port_name(in, guard.trigger) + " may change every " +
                                 time_text(in.system.base * Rational(edges)) + ": edges between would be missed",
                             "leave its sample_time out: blocks in a triggered subsystem run at the edges", notes);
    }
}

} // namespace

void check_guards(Inference& in) {
  for (const Guard& guard : in.system.guards) {
    if (guard.has_enable) check_condition(in, in_quotes(guard.path), guard.signal, "enable", guard.where);
    if (guard.has_reset) check_condition(in, in_quotes(guard.path), guard.reset, "reset", guard.where);
    if (guard.edge != Guard::Edge::none)
      check_condition(in, in_quotes(guard.path), guard.trigger, "trigger", guard.where);
  }
  check_triggered(in);
}

void check_power_ports(Inference& in) {
  const Unit watt = Unit(Unit::Base::mass) * Unit(Unit::Base::length).pow(2) / Unit(Unit::Base::time).pow(3);
  for (PowerPort& port : in.system.power_ports) {
    const std::optional<PartType> effort_part = part_of(in, port.effort, port.where),
                                  flow_part = part_of(in, port.flow, port.where);
    if (!effort_part || !flow_part) continue;
    const SignalType *effort = &effort_part->type, *flow = &flow_part->type;
    port.effort_offset = effort_part->offset;
    port.flow_offset = flow_part->offset;
    port.count = effort->rows * effort->cols;
    const bool named = effort->kind == HILDA_WRENCH && flow->kind == HILDA_TWIST;
    const bool units = !effort->unit || !flow->unit || *effort->unit * *flow->unit == watt;
    const bool real = effort->element == HILDA_F64 && flow->element == HILDA_F64;
    if (real && effort->rows == flow->rows && effort->cols == flow->cols && (named || units)) continue;
    in.diagnostics.error("power-port", port.where,
                         "the product of " + port_name(in, port.effort) + " (" + describe(*effort) + ") and " +
                             port_name(in, port.flow) + " (" + describe(*flow) + ") is not a power",
                         "pair a wrench with a twist, or two signals of one shape the units of which make W");
  }
}

/// As parameters read it: N m is a torque, which is per rad, and not an energy; kg m2 is the inertia of either kind.
bool promised(const UnitReading& promise, const Unit& carried) {
  const bool torque = !promise.energy && promise.unit == parse_unit("J")->unit;
  return (carried == promise.unit && !torque) || (carried == promise.unit.rotational() && !promise.energy);
}

void check_promises(Inference& in) {
  for (const Promise& promise : in.system.promises) {
    if (promise.shape.empty() && promise.unit.empty()) continue;
    const std::optional<SignalType> type = type_of(in, promise.signal, promise.where);
    if (!type) continue;
    const auto refuse = [&](const std::string& what, const std::string& help) {
      const SystemBlock& block = in.system.blocks[promise.signal.block];
      in.diagnostics.error(
          "port-promise", promise.where, "the port " + in_quotes(promise.port) + " " + what, help,
          {{block.where, "its signal comes from " + port_name(in, promise.signal) + ", " + describe(*type)}});
    };
    if (promise.per_element && !has_shape(*type, promise.shape))
      in.diagnostics.error("for-each-length", promise.where,
                           "for_each says " + promise.shape + " element" + (promise.shape == "1" ? "" : "s") +
                               ", but the port " + in_quotes(promise.port) + " carries " + describe(*type),
                           "a signal that goes in has an element for each, and what goes out is a number of each: mend "
                           "for_each, or the signal",
                           {{in.system.blocks[promise.signal.block].where,
                             "its signal comes from " + port_name(in, promise.signal) + ", " + describe(*type)}});
    else if (!promise.shape.empty() && !has_shape(*type, promise.shape))
      refuse("promises the shape " + in_quotes(promise.shape) + ", but carries " + describe(*type),
             "mend the promise, or what the port is connected to; a shape is a number, two for a matrix, wrench, "
             "twist, pose or quaternion");
    if (promise.unit.empty() || !type->unit) continue;
    const Result<UnitReading> unit = parse_unit(promise.unit);
    if (!unit)
      refuse("promises the unit " + in_quotes(promise.unit) + ": " + unit.error().what, unit.error().help);
    else if (unit->factor() != 1.0 || unit->offset != 0.0)
      refuse("promises the unit " + in_quotes(promise.unit) + ", but signals are in SI",
             "promise " + in_quotes(unit->unit.text()) + "; a math/Gain takes a signal to another scale");
    else if (!promised(*unit, *type->unit))
      refuse("promises the unit " + in_quotes(promise.unit) + ", but carries " + type->unit->text(),
             *type->unit == unit->unit ? "a torque is not an energy: promise J, or mend what the port is connected to"
                                       : "mend the promise, or what the port is connected to");
  }
}

} // namespace hilda::compile::inference
