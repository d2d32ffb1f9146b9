// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_parts.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

namespace hilda::compile::inference {
namespace {

constexpr hilda_kind named_kinds[] = {HILDA_WRENCH, HILDA_TWIST, HILDA_POSE, HILDA_QUATERNION};

/// Gives one dimension, unless something else says it already.
void tell(Inference& in, Place place, std::int64_t value, const WireShape& shape) {
  if (in.known(in.shapes, place)) return;
  const auto wire = static_cast<int>(&shape - in.system.wire_shapes.data());
  const int label = in.origin(Origin::Kind::wire, shape.signal.block, {}, wire);
  in.shapes.give(place.variable, static_cast<int>(value), label);
  in.shapes.propagate();
}

/// What says another shape than the wire does.
std::vector<Note> reasons(const Inference& in, const PortRef& signal) {
  constexpr std::size_t most = 4;
  std::size_t budget = 10'000;
  std::vector<Note> notes;
  for (const Place place :
       {in.rows(signal.block, signal.slot, signal.item), in.cols(signal.block, signal.slot, signal.item)})
    if (place.variable >= 0)
      add_notes(notes, notes_on(in, evidence_of(in.shapes, place.variable, most, budget), false));
  return notes;
}

} // namespace

std::optional<std::pair<std::int64_t, std::int64_t>> dimensions_of(const std::string& text) {
  for (const hilda_kind kind : named_kinds)
    if (text == kind_name(kind))
      return std::pair<std::int64_t, std::int64_t>(kind == HILDA_POSE ? 7 : kind == HILDA_QUATERNION ? 4 : 6, 1);
  const std::optional<ShapePattern> shape = text.empty() ? std::nullopt : parse_shape(text == "scalar" ? "" : text);
  if (!shape || !shape->fixed() || shape->rows.constant < 1 || shape->cols.constant < 1) return std::nullopt;
  return std::pair(shape->rows.constant, shape->cols.constant);
}

bool has_shape(const SignalType& type, const std::string& text) {
  for (const hilda_kind kind : named_kinds)
    if (text == kind_name(kind))
      return type.kind == kind || (kind == HILDA_QUATERNION && type.rows == 4 && type.cols == 1);
  const auto wanted = dimensions_of(text);
  return wanted && wanted->first == type.rows && wanted->second == type.cols;
}

void tell_wire_shapes(Inference& in) {
  for (const WireShape& shape : in.system.wire_shapes) {
    const PortRef& signal = shape.signal;
    const auto wanted = dimensions_of(shape.text);
    // A part has the shape that its whole gives it.
    if (!wanted || !signal.part.empty() || in.blocks[signal.block].plan == nullptr ||
        find_port(in.system.blocks[signal.block], signal) == nullptr)
      continue;
    tell(in, in.rows(signal.block, signal.slot, signal.item), wanted->first, shape);
    tell(in, in.cols(signal.block, signal.slot, signal.item), wanted->second, shape);
  }
}

void check_wire_shapes(Inference& in) {
  for (const WireShape& shape : in.system.wire_shapes) {
    const std::string wire = "the wire " + in_quotes(shape.wire);
    if (!dimensions_of(shape.text)) {
      in.diagnostics.error("connect-shape", shape.where,
                           wire + " has the shape " + in_quotes(shape.text) + ", which is none",
                           "a shape is a number, two for a matrix, scalar, wrench, twist, pose or quaternion");
      continue;
    }
    const std::optional<PartType> part = part_of(in, shape.signal, shape.where);
    if (!part || has_shape(part->type, shape.text)) continue;
    std::vector<Note> notes{{in.system.blocks[shape.signal.block].where,
                             "its signal comes from " + port_name(in, shape.signal) + ", " + describe(part->type)}};
    add_notes(notes, reasons(in, shape.signal));
    in.diagnostics.error("connect-shape", shape.where,
                         wire + " has the shape " + in_quotes(shape.text) + ", but carries " + describe(part->type),
                         "mend the shape, or take it away: it is needed where nothing else says one", std::move(notes));
  }
}

} // namespace hilda::compile::inference
