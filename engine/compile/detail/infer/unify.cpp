// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_parts.h"
#include "engine/compile/detail/infer/explain.h"
#include "engine/compile/detail/infer/inference.h"

#include <algorithm>
#include <hilda/flags.h>
#include <optional>
#include <utility>

namespace hilda::compile::inference {
namespace {

class WireEquations {
public:
  explicit WireEquations(Inference& inference) : in_(inference) {}

  void connect(WireIndex w) {
    const Wire& wire = in_.system.wires[w];
    Inference::WireState& state = in_.wires[w];
    if (!state.active) return;
    check_elements(wire, state);
    if (!wire.from.part.empty()) {
      in_.pending.push_back(w);
      return;
    }
    state.rows = in_.rows(wire.from.block, wire.from.slot, wire.from.item);
    state.cols = in_.cols(wire.from.block, wire.from.slot, wire.from.item);
    state.unit = in_.unit(wire.from.block, wire.from.slot);
    state.kind = in_.slot(wire.from.block, wire.from.slot).kind;
    state.resolved = true;
    feed(w);
  }

  /// From the source to the destination; fixed destinations tell their sources later.
  void feed(WireIndex w) {
    const PortRef& to = in_.system.wires[w].to;
    const Inference::WireState& state = in_.wires[w];
    tie(in_.shapes, state.rows, in_.rows(to.block, to.slot, to.item), w);
    tie(in_.shapes, state.cols, in_.cols(to.block, to.slot, to.item), w);
    if (state.units) tie(in_.units, state.unit, in_.unit(to.block, to.slot), w);
  }

  void feed_back(WireIndex w) {
    const PortRef& to = in_.system.wires[w].to;
    const Inference::WireState& state = in_.wires[w];
    if (!state.resolved) return;
    back(in_.shapes, state.rows, in_.rows(to.block, to.slot, to.item), w);
    back(in_.shapes, state.cols, in_.cols(to.block, to.slot, to.item), w);
    if (state.units) back(in_.units, state.unit, in_.unit(to.block, to.slot), w);
  }

private:
  /// The block that makes the one of the other.
  static std::string converter(hilda_element from, hilda_element to) {
    const auto whole = [](hilda_element e) { return e == HILDA_I64 || e == HILDA_U64; };
    const std::string put = "put a block between them that converts: ";
    if (from == HILDA_U8) return put + "math/BoolToReal" + (whole(to) ? ", and math/RealToInteger behind it" : "");
    if (to == HILDA_U8)
      return put + (whole(from) ? "math/IntegerToReal, and behind it " : "") + "math/Compare or math/RealToBool";
    return put + (whole(from) ? "math/IntegerToReal" : "math/RealToInteger");
  }
  void check_elements(const Wire& wire, Inference::WireState& state) {
    const Slot &from = in_.slot(wire.from.block, wire.from.slot), &to = in_.slot(wire.to.block, wire.to.slot);
    state.units = from.element != HILDA_U8 && to.element != HILDA_U8 && !to.is(HILDA_ANY_UNIT);
    if (from.element == to.element) return;
    state.units = false;
    in_.diagnostics.error("wire-element", wire.where,
                          end_text(in_, wire.from) + " is " + element_name(from.element) + ", but " +
                              end_text(in_, wire.to) + " is " + element_name(to.element),
                          converter(from.element, to.element),
                          {{in_.system.blocks[wire.from.block].where, "the source is here"},
                           {in_.system.blocks[wire.to.block].where, "the destination is here"}});
  }
  template <class System> static void tie(System& system, Place from, Place to, WireIndex w) {
    if (to.variable < 0) return;
    if (from.variable < 0)
      system.give(to.variable, from.value, Inference::label(w));
    else
      system.tie(from.variable, to.variable, Inference::label(w));
  }
  template <class System> static void back(System& system, Place from, Place to, WireIndex w) {
    if (from.variable >= 0 && to.variable < 0) system.give(from.variable, to.value, Inference::label(w));
  }

  Inference& in_;
};

/// Until nothing more follows from what is known, parts of signals included.
void settle(Inference& in) {
  do {
    in.shapes.propagate();
    in.units.propagate();
  } while (resolve_parts(in));
}

} // namespace

void feed_wire(Inference& in, WireIndex wire) { WireEquations(in).feed(wire); }
void feed_wire_back(Inference& in, WireIndex wire) { WireEquations(in).feed_back(wire); }

namespace {

/// A wire into an element of a subsystem with for_each: that the signal is too short is reported once, at its port.
bool told_of_all(const Inference& in, const Wire& wire) {
  const std::string& reader = in.system.blocks[wire.to.block].path;
  return std::any_of(in.system.promises.begin(), in.system.promises.end(), [&](const Promise& each) {
    const PortRef& signal = each.signal;
    if (!each.per_element || signal.block != wire.from.block || signal.slot != wire.from.slot ||
        signal.item != wire.from.item || signal.part.size() + 1 != wire.from.part.size() ||
        !std::equal(signal.part.begin(), signal.part.end(), wire.from.part.begin()))
      return false;
    for (std::size_t dot = each.port.find('.'); dot != std::string::npos; dot = each.port.find('.', dot + 1))
      if (reader.starts_with(each.port.substr(0, dot) + ".each")) return true;
    return false;
  });
}

void resolve_part(Inference& in, WireIndex w, const SignalType& whole) {
  const Wire& wire = in.system.wires[w];
  Inference::WireState& state = in.wires[w];
  std::string why, help;
  const std::optional<PartType> part = find_part(whole, wire.from.part, why, help);
  if (!part) {
    PortRef source = wire.from;
    source.part.clear();
    const SystemBlock& block = in.system.blocks[wire.from.block];
    if (!told_of_all(in, wire))
      in.diagnostics.error("wire-part", wire.where, port_name(in, wire.from) + " does not exist: " + why, help,
                           {{block.where, "the source is " + end_text(in, source)}});
    in.blocks[wire.to.block].tainted = true;
    state.active = false;
    return;
  }
  in.system.wires[w].offset = part->offset;
  state.rows = {-1, part->type.rows};
  state.cols = {-1, part->type.cols};
  // Of a signal without a known unit all elements have the same.
  state.unit =
      part->type.unit ? Place{-1, in.unit_pool.number(*part->type.unit)} : in.unit(wire.from.block, wire.from.slot);
  state.kind = part->type.kind;
  state.resolved = true;
  feed_wire(in, w);
  if (in.backwards) feed_wire_back(in, w);
}

} // namespace

bool resolve_parts(Inference& in, bool last) {
  // Alternating, so that chains of parts in either direction of the file take few passes.
  in.parts_from_back = !in.parts_from_back;
  std::vector<WireIndex> rest;
  bool progress = false;
  const std::size_t count = in.pending.size();
  for (std::size_t i = 0; i < count; ++i) {
    const WireIndex w = in.pending[in.parts_from_back ? count - 1 - i : i];
    const Wire& wire = in.system.wires[w];
    const SignalType whole = in.type(wire.from.block, wire.from.slot, wire.from.item);
    const bool has_unit = whole.unit.has_value() || in.slot(wire.from.block, wire.from.slot).element != HILDA_F64;
    if (whole.rows < 0 || whole.cols < 0 || (!has_unit && !last)) {
      rest.push_back(w);
      continue;
    }
    progress = true;
    resolve_part(in, w, whole);
    in.shapes.propagate();
    in.units.propagate();
  }
  in.pending = std::move(rest);
  if (in.parts_from_back) std::reverse(in.pending.begin(), in.pending.end());
  return progress;
}

void unify(Inference& in) {
  WireEquations wiring(in);
  for (const WireIndex w : in.wires.indices()) wiring.connect(w);
  settle(in);
  in.backwards = true;
  for (const WireIndex w : in.wires.indices()) wiring.feed_back(w);
  in.shapes.open_backwards();
  in.units.open_backwards();
  settle(in);
  in.shapes.eliminate();
  in.units.eliminate();
  settle(in);
  tell_ambiguous_units(in);
  tell_wire_shapes(in);
  settle(in);
  assume_shapes(in);
  settle(in);
  while (resolve_parts(in, true)) settle(in);
  in.shapes.eliminate();
  in.units.eliminate();
  assume_scalars(in);
  settle(in);
}

} // namespace hilda::compile::inference
