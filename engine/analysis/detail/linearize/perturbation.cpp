// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/perturbation.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hilda::analysis {
namespace {

/// The record of the adding block, in the form that its descriptor shows.
struct Adder {
  hilda_view u;
  hilda_array y, addend, cut;

  static void output(void* record, const hilda_tick*) {
    const Adder& a = *static_cast<const Adder*>(record);
    const int count = a.y.rows * a.y.cols;
    for (int i = 0; i < count; ++i) {
      const double signal = static_cast<const double*>(a.u.data)[i],
                   added = static_cast<const double*>(a.addend.data)[i];
      static_cast<double*>(a.y.data)[i] = static_cast<const double*>(a.cut.data)[i] != 0 ? added : signal + added;
    }
  }
};

hilda_slot slot(hilda_role role, const char* name, const char* doc, std::uint64_t offset) {
  hilda_slot s{};
  s.size = sizeof s;
  s.role = role;
  s.element = HILDA_F64;
  s.flags = HILDA_BOUND;
  s.name = name;
  s.shape = "*s";
  s.unit = "@u";
  s.doc = doc;
  s.minimum = -std::numeric_limits<double>::infinity();
  s.maximum = std::numeric_limits<double>::infinity();
  s.offset = offset;
  return s;
}

/// The block type, made once; it is in no catalogue.
const BlockType& adder_type() {
  static const std::unique_ptr<BlockType> type = [] {
    static const hilda_slot slots[] = {slot(HILDA_INPUT, "u", "Signal", offsetof(Adder, u)),
                                       slot(HILDA_OUTPUT, "y", "Sum", offsetof(Adder, y)),
                                       slot(HILDA_WORK, "addend", "Value that is added", offsetof(Adder, addend)),
                                       slot(HILDA_WORK, "cut", "Where the signal does not pass", offsetof(Adder, cut))};
    hilda_block_type t{};
    t.size = sizeof t;
    t.name = "Perturbation";
    t.doc = "Adds a number to each element of a signal.";
    t.record_size = sizeof(Adder);
    t.record_align = alignof(Adder);
    t.slots = slots;
    t.slot_count = 4;
    t.slot_stride = sizeof(hilda_slot);
    t.output = &Adder::output;
    std::vector<std::string> problems;
    return describe(t, "engine", "", problems);
  }();
  return *type;
}

} // namespace

Perturbation::Perturbation(System& system, const SignalElement& signal) {
  const SystemBlock& source = system.blocks[signal.port.block];
  SystemBlock adder;
  adder.path = source.path + "~" + source.type->slots[signal.port.slot].name;
  adder.type = &adder_type();
  adder.where = source.where;
  adder.guard = source.guard;
  adder.divider = source.divider;
  adder.continuous = source.continuous;
  adder.sample_time = source.sample_time;
  block_ = system.blocks.next();
  for (Wire& wire : system.wires)
    if (wire.from.block == signal.port.block && wire.from.slot == signal.port.slot &&
        wire.from.item == signal.port.item) {
      wire.from.block = block_;
      wire.from.slot = output_slot;
      wire.from.item = -1;
    }
  Wire in;
  in.from = signal.port;
  in.to.block = block_;
  in.to.slot = SlotIndex(0);
  in.where = source.where;
  in.type = signal.type;
  adder.ports = {{.slot = in.to.slot, .type = signal.type, .wire = system.wires.next()},
                 {.slot = output_slot, .type = signal.type}};
  adder.slot_types.assign(4, signal.type);
  system.wires.push_back(std::move(in));
  system.blocks.push_back(std::move(adder));
}

} // namespace hilda::analysis
