// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/limits.h"

#include "engine/base/error.h"
#include "engine/compile/detail/wires/bounds.h"

#include <algorithm>
#include <cmath>

namespace hilda::compile {
namespace {

using L = MotionLimits;

/// The limits that a signal of this kind can have: those that hardware is never without come first.
struct Possible {
  std::vector<L::Kind> needed, more;
};

Possible limits_for(hilda_kind kind) {
  switch (kind) {
  case HILDA_POSE:
    return {{L::position, L::rotation, L::speed, L::angular_speed, L::acceleration, L::angular_acceleration},
            {L::step, L::angular_step, L::jerk, L::angular_jerk}};
  case HILDA_TWIST:
    return {{L::speed, L::angular_speed, L::acceleration, L::angular_acceleration}, {L::jerk, L::angular_jerk}};
  case HILDA_WRENCH: return {{L::force, L::torque}, {}};
  case HILDA_PLAIN:
  case HILDA_QUATERNION: break;
  }
  return {{L::magnitude, L::rate, L::acceleration}, {L::jerk}};
}

std::vector<std::string> names_for(hilda_kind kind) {
  const Possible possible = limits_for(kind);
  std::vector<std::string> names;
  for (const L::Kind k : possible.needed) names.emplace_back(L::names[k]);
  for (const L::Kind k : possible.more) names.emplace_back(L::names[k]);
  names.emplace_back("stop_time");
  if (kind == HILDA_TWIST) names.emplace_back("hold");
  return names;
}

/// A time of the device, which is not a limit.
double* time_named(const std::string& name, MotionLimits& of) {
  return name == "stop_time" ? &of.stop_time : name == "hold" ? &of.hold : nullptr;
}

/// What a limit of that name is in. Of a plain signal it follows from the signal's own unit; none where its block does
/// not fix that.
std::optional<UnitReading> unit_of_limit(const Slot& slot, std::size_t kind) {
  if (kind == L::count) return *parse_unit("s"); // stop_time, hold
  if (slot.kind != HILDA_PLAIN && slot.kind != HILDA_QUATERNION) return *parse_unit(L::units[kind]);
  if (!slot.unit.fixed()) return std::nullopt;
  UnitReading unit;
  unit.unit = slot.unit.constant.unit;
  const Unit time = Unit(Unit::Base::time);
  if (kind == L::rate) unit.unit = unit.unit / time;
  if (kind == L::acceleration) unit.unit = unit.unit / time / time;
  if (kind == L::jerk) unit.unit = unit.unit / time / time / time;
  return unit;
}

bool knows_rest(const hilda_block_type& type) {
  return type.extension != nullptr && type.extension("hilda.actuation/1") != nullptr;
}

const Limits* limits_on(const System& system, const PortRef& input) {
  for (const Limits& each : system.limits)
    if (each.input.block == input.block && each.input.slot == input.slot && each.input.item == input.item) return &each;
  return nullptr;
}

void require_limits(const Limits* given, const SystemBlock& block, const Slot& slot, Diagnostics& diagnostics) {
  std::vector<std::string> missing;
  std::string example;
  for (const L::Kind kind : limits_for(slot.kind).needed) {
    if (given != nullptr && std::isfinite(given->limits[kind])) continue;
    missing.emplace_back(L::names[kind]);
    const std::optional<UnitReading> unit = unit_of_limit(slot, kind);
    const bool bare = !unit || unit->unit.dimensionless();
    example += std::string(" ") + L::names[kind] + "=\"..." + (bare ? "" : " " + unit->unit.text()) + "\"";
  }
  if (missing.empty()) return;
  const std::string name = block.path.substr(block.path.rfind('.') + 1) + "." + slot.name;
  diagnostics.error("limits-missing", given != nullptr ? given->where : block.where,
                    in_quotes(block.path + "." + slot.name) + " moves hardware and is not limited in " +
                        listed(missing),
                    (given != nullptr ? "add to its limits:" : "add <limits on=\"" + name + "\"") + example +
                        (given != nullptr ? "" : "/>") + "; on hardware no limit has a default");
}

class LimitsReader {
public:
  LimitsReader(Flattened& flat, WireEnds& ends, FlattenContext& context)
      : flat_(flat), ends_(ends), context_(context) {}

  void read(const Instance& at, const LimitsDecl& declared) {
    const WireEnd end = ends_.destination(at, declared.on, declared.where);
    if (end.kind == WireEnd::Kind::wrong || end.kind == WireEnd::Kind::absent) return;
    const Slot* slot = slot_of(flat_.system, end);
    if (slot == nullptr || !slot->is(HILDA_ACTUATION)) {
      context_.diagnostics.error(
          "limits-place", declared.where, in_quotes(declared.on) + " moves nothing: limits would not be looked at",
          "put the limits where the block that moves something is, on its input marked 'actuation'");
      return;
    }
    Limits made{{end.block, end.slot, end.item, {}}, {}, declared.where};
    for (const Limits& other : flat_.system.limits)
      if (other.input.block == end.block && other.input.slot == end.slot && other.input.item == end.item)
        context_.diagnostics.error("duplicate-limits", declared.where, in_quotes(declared.on) + " has limits already",
                                   "write all of an input's limits into one element",
                                   {{other.where, "the others are here"}});
    for (const Attribute& attribute : declared.values) value(at, *slot, attribute, made.limits);
    flat_.system.limits.push_back(std::move(made));
  }

private:
  void value(const Instance& at, const Slot& slot, const Attribute& attribute, MotionLimits& into) {
    const std::vector<std::string> allowed = names_for(slot.kind);
    if (std::find(allowed.begin(), allowed.end(), attribute.name) == allowed.end()) {
      context_.diagnostics.error("limits-kind", attribute.where,
                                 in_quotes(slot.name) + " cannot have the limit " + in_quotes(attribute.name),
                                 "it may have: " + listed(allowed));
      return;
    }
    const auto name = std::find(MotionLimits::names.begin(), MotionLimits::names.end(), attribute.name);
    const auto kind = static_cast<std::size_t>(name - MotionLimits::names.begin());
    Wanted wanted;
    wanted.extent = Extent::scalar();
    wanted.unit = unit_of_limit(slot, kind);
    if (wanted.unit) wanted.unit_text = wanted.unit->unit.text();
    wanted.rotational = slot.is(HILDA_ROTATIONAL) && kind != L::count;
    const auto refuse = [&](const std::string& what, const std::string& help) {
      std::vector<Note> notes;
      for (const Location& origin : flat_.system.parameters.origins(attribute.text, at.scope))
        notes.push_back({origin, "its value comes from here"});
      context_.diagnostics.error("limits-value", attribute.where, in_quotes(attribute.name) + what, help,
                                 std::move(notes));
    };
    const std::optional<double> bound = read_bound(flat_, at, attribute, wanted, refuse);
    if (!bound) return;
    const double number = *bound;
    if (attribute.name == "hold" ? !(number >= 0) : !(number > 0))
      return refuse(" is " + decimal(number) + ": a limit is above 0",
                    "leave the attribute out where nothing is to be limited");
    (kind < MotionLimits::count ? into.most[kind] : *time_named(attribute.name, into)) = number;
  }

  Flattened& flat_;
  WireEnds& ends_;
  FlattenContext& context_;
};

} // namespace

void require_limits(const System& system, Diagnostics& diagnostics) {
  for (const Wire& wire : system.wires) {
    if (!wire.to.block.valid() || !wire.to.slot.valid()) continue;
    const SystemBlock& block = system.blocks[wire.to.block];
    if (block.type == nullptr || block.type->abi->emit == nullptr) continue; // moves nothing outside
    const Slot& slot = block.type->slots[wire.to.slot];
    if (!slot.is(HILDA_ACTUATION) || slot.element != HILDA_F64) continue;
    require_limits(limits_on(system, wire.to), block, slot, diagnostics);
    if (slot.kind == HILDA_POSE && !knows_rest(*block.type->abi))
      diagnostics.error("rest-unknown", block.where,
                        in_quotes(block.path + "." + slot.name) +
                            " moves hardware, but its block cannot tell where it is at rest",
                        "its author gives it rest(), the value that keeps the device where it is");
  }
}

void bind_limits(Flattened& flat, WireEnds& ends, FlattenContext& context) {
  LimitsReader reader(flat, ends, context);
  each_declared(*flat.top, &DiagramDecl::limits, flat.system.mode,
                [&](const Instance& at, const LimitsDecl& declared) { reader.read(at, declared); });
  if (flat.system.mode == "hardware") require_limits(flat.system, context.diagnostics);
}

} // namespace hilda::compile
