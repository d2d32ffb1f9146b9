// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/infer/explain.h"

#include <algorithm>
#include <utility>

namespace hilda::compile::inference {
namespace {

/// Shape or unit of one end of a wire.
std::string aspect(const SignalType& type, bool units) {
  if (type.kind != HILDA_PLAIN) return std::string("a ") + kind_name(type.kind);
  if (units) return "in " + (type.unit ? type.unit->text() : "an unknown unit");
  return type.rows < 0 || type.cols < 0 ? "of unknown shape" : shape_text(type.rows, type.cols);
}

Note wire_note(const Inference& in, WireIndex w, bool units) {
  const Wire& wire = in.system.wires[w];
  const Inference::WireState& state = in.wires[w];
  const bool from_source = (units ? state.unit.variable : std::min(state.rows.variable, state.cols.variable)) < 0;
  if (from_source) return {wire.where, port_name(in, wire.from) + " is " + aspect(in.wire_type(w), units)};
  const SignalType wanted = in.type(wire.to.block, wire.to.slot, wire.to.item);
  return {wire.where, port_name(in, wire.to) + " must be " + aspect(wanted, units)};
}

Note origin_note(const Inference& in, const Origin& origin, bool units) {
  if (origin.kind == Origin::Kind::wire) {
    const WireShape& shape = in.system.wire_shapes[Inference::at(origin.wire)];
    return {shape.where, "the wire " + in_quotes(shape.wire) + " says that its shape is " + in_quotes(shape.text)};
  }
  SystemBlock& block = in.system.blocks[origin.block];
  const ParameterValue* parameter = !origin.slot.valid() ? nullptr : parameter_of(block, origin.slot);
  const Location where = parameter != nullptr && parameter->where.file != nullptr ? parameter->where : block.where;
  if (origin.kind == Origin::Kind::callback && units && parameter != nullptr)
    return {where, in_quotes(block.path) + " gets its unit from what " +
                       in_quotes(in.slot(origin.block, origin.slot).name) +
                       " names: " + in_quotes(parameter->value.text)};
  if (origin.kind == Origin::Kind::callback)
    return {where, in_quotes(block.path) + " gets its shapes from what it reads (type " + block.type->name + ")"};
  const std::string name =
      "parameter " + in_quotes(in.slot(origin.block, origin.slot).name) + " of " + in_quotes(block.path);
  if (parameter == nullptr && origin.kind == Origin::Kind::assumption)
    return {where,
            port_name(in, {origin.block, origin.slot}) + " is taken as a scalar, for nothing else says its shape"};
  if (parameter == nullptr) return {where, name};
  if (units) {
    const bool written = parameter->value.unit().has_value();
    const Unit& declared = in.slot(origin.block, origin.slot).unit.constant.unit;
    const std::string text = written ? unit_as_written(parameter->value) : declared.text() + ", as no unit is written";
    const std::string hint = written ? "" : "; if it has one, write it behind the number";
    return {where, name + " is in " + text + ": " + in_quotes(parameter->value.text) + hint};
  }
  const std::string assumed = origin.kind == Origin::Kind::assumption ? ", and nothing else says how many" : "";
  const bool matrix = in.slot(origin.block, origin.slot).shape_text.find(' ') != std::string::npos;
  const std::string hint = matrix && parameter->value.extent.rank == 1 ? "; a matrix of one row ends with ';'" : "";
  return {where,
          name + " is " + parameter->value.extent.text() + ": " + in_quotes(parameter->value.text) + assumed + hint};
}

} // namespace

std::vector<Note> notes_on(const Inference& in, const Evidence& sources, bool units, WireIndex but_for) {
  std::vector<Note> notes;
  for (const int label : sources.labels) {
    if (label >= 0) {
      const WireIndex wire(label);
      if (wire != but_for) notes.push_back(wire_note(in, wire, units));
      continue;
    }
    const Origin& origin = in.origins[Inference::at(~label)];
    if (origin.kind == Origin::Kind::declaration) continue;
    notes.push_back(origin_note(in, origin, units));
    if (!origin.block.valid() || !origin.slot.valid()) continue;
    const ParameterValue* parameter = parameter_of(in.system.blocks[origin.block], origin.slot);
    if (parameter == nullptr) continue;
    for (Note& note : notes_through(in, *parameter)) notes.push_back(std::move(note));
  }
  return notes;
}

void add_notes(std::vector<Note>& to, std::vector<Note> notes) {
  for (Note& note : notes) {
    const bool there = std::any_of(to.begin(), to.end(), [&](const Note& other) {
      return other.text == note.text && other.where.line == note.where.line && other.where.file == note.where.file;
    });
    if (!there) to.push_back(std::move(note));
  }
}

std::string port_name(const Inference& in, const PortRef& ref) {
  const SystemBlock& block = in.system.blocks[ref.block];
  std::string name = block.path;
  if (block.type != nullptr && ref.slot.valid()) name += "." + in.slot(ref.block, ref.slot).name;
  if (ref.item >= 0) name += "[" + std::to_string(ref.item) + "]";
  for (const std::string& part : ref.part) name += (part.starts_with('[') ? "" : ".") + part;
  return "'" + name + "'";
}

std::string end_text(const Inference& in, const PortRef& ref) {
  const SignalType type = in.type(ref.block, ref.slot, ref.item);
  return port_name(in, ref) + " (" + describe(type) + ", " + rate_text(in.system, in.system.blocks[ref.block]) + ")";
}

std::string unit_as_written(const Value& value) {
  const UnitReading& reading = value.reading();
  const bool in_si = reading.scale == 1 && reading.decade == 0 && reading.offset == 0;
  return in_si && !value.unit_text().empty() ? value.unit_text() : value.unit()->text();
}

std::string unit_as_asked(const Inference& in, const Evidence& sources, const Unit& unit) {
  for (const int label : sources.labels) {
    if (label >= 0) continue;
    const Origin& origin = in.origins[Inference::at(~label)];
    if (!origin.block.valid() || !origin.slot.valid()) continue;
    const ParameterValue* parameter = parameter_of(in.system.blocks[origin.block], origin.slot);
    if (parameter != nullptr && parameter->value.unit() == unit) return unit_as_written(parameter->value);
  }
  return unit.written_text();
}

std::vector<Note> notes_through(const Inference& in, const ParameterValue& parameter) {
  constexpr std::size_t most = 3;
  std::vector<Note> notes;
  for (const Location& where : in.system.parameters.origins(*parameter.text, parameter.scope))
    if (notes.size() < most) notes.push_back({where, "its value comes from here"});
  return notes;
}

} // namespace hilda::compile::inference
