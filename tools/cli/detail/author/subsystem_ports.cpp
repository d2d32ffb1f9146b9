// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/author/subsystem_ports.h"

#include "engine/catalogue/signal_parts.h"
#include "engine/run/graph.h"
#include "engine/run/plan.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

namespace hilda::cli {
namespace {

/// An output of a block, whole.
using BlockOutput = std::tuple<BlockIndex, SlotIndex, int>;
BlockOutput output_of(const PortRef& port) { return {port.block, port.slot, port.item}; }

class PortFinder {
public:
  PortFinder(const System& system, const std::string& subsystem) : system_(system), inside_(subsystem + ".") {}

  SubsystemPorts result() {
    ports();
    for (const Wire& wire : system_.wires) cross(wire);
    for (SubsystemPort& input : ports_.inputs) follow(input);
    for (const NamedParameter& each : system_.parameters)
      if (own(each.path)) ports_.parameters.push_back(&each);
    ports_.divider = std::numeric_limits<std::int64_t>::max();
    for (const SystemBlock& block : system_.blocks)
      if (block.path.starts_with(inside_)) ports_.divider = std::min(ports_.divider, block.divider);
    return std::move(ports_);
  }

private:
  bool lies_inside(BlockIndex block) const { return block.valid() && system_.blocks[block].path.starts_with(inside_); }
  /// Of the subsystem and of none that it holds. Ports may have a dot: "command.pose".
  bool own(const std::string& path) const {
    if (!path.starts_with(inside_)) return false;
    const std::string group = path.substr(0, path.rfind('.') + 1);
    return group == inside_ ||
           std::none_of(system_.blocks.begin(), system_.blocks.end(),
                        [&group](const SystemBlock& block) { return block.path.starts_with(group); });
  }

  void ports() {
    for (const Promise& promise : system_.promises) {
      if (!own(promise.port) || !promise.signal.block.valid()) continue;
      add(lies_inside(promise.signal.block) ? ports_.outputs : ports_.inputs, promise.port.substr(inside_.size()),
          promise.signal);
    }
  }

  /// A wire that goes to or from what is inside, past the ports: its end's path is the name, "command_pose".
  void cross(const Wire& wire) {
    if (!wire.from.block.valid() || !wire.to.block.valid()) return;
    const bool in = lies_inside(wire.to.block);
    if (in == lies_inside(wire.from.block)) return;
    std::vector<SubsystemPort>& side = in ? ports_.inputs : ports_.outputs;
    PortRef signal = wire.from;
    if (!in) signal.part.clear();
    if (std::any_of(side.begin(), side.end(), [&](const SubsystemPort& each) {
          return output_of(each.signal) == output_of(signal) && (!in || each.signal.part == signal.part);
        }))
      return;
    add(side, port_text(system_, in ? wire.to : signal).substr(inside_.size()), signal);
  }

  void add(std::vector<SubsystemPort>& side, std::string name, const PortRef& signal) {
    for (char& c : name)
      if (c == '.' || c == '[' || c == ']') c = '_';
    const SystemBlock::Port* const found = find_port(system_.blocks[signal.block], signal);
    std::string why, help;
    const auto part = found == nullptr ? std::nullopt : find_part(found->type, signal.part, why, help);
    const bool twice = std::any_of(side.begin(), side.end(), [&](const auto& each) { return each.name == name; });
    // a part that is none is an error that check has reported
    if (part && !twice) side.push_back({std::move(name), signal, part->type, part->offset, false});
  }

  /// From an input along what feeds through, to the outputs that follow from it.
  void follow(SubsystemPort& input) {
    std::set<BlockOutput> reached{output_of(input.signal)};
    std::vector<BlockOutput> open(reached.begin(), reached.end());
    for (const Guard& guard : system_.guards)
      for (const PortRef* each : {&guard.signal, &guard.reset, &guard.trigger})
        if (each->block.valid() && output_of(*each) == output_of(input.signal) && guard.path.starts_with(inside_))
          input.now = true;
    while (!open.empty()) {
      const BlockOutput from = open.back();
      open.pop_back();
      for (const Wire& wire : system_.wires) {
        if (!wire.from.block.valid() || output_of(wire.from) != from || !lies_inside(wire.to.block)) continue;
        const SystemBlock& block = system_.blocks[wire.to.block];
        if (!feeds_through(block, block.type->slots[wire.to.slot])) continue;
        for (const SystemBlock::Port& port : block.ports) {
          const Slot& slot = block.type->slots[port.slot];
          if (slot.role != HILDA_OUTPUT || from_state(block, slot)) continue;
          const BlockOutput next{wire.to.block, port.slot, port.item};
          if (reached.insert(next).second) open.push_back(next);
        }
      }
    }
    for (SubsystemPort& output : ports_.outputs)
      if (input.now || reached.contains(output_of(output.signal))) output.now = input.now = true;
  }

  const System& system_;
  const std::string inside_;
  SubsystemPorts ports_;
};

} // namespace

SubsystemPorts ports_of(const System& system, const std::string& subsystem) {
  return PortFinder(system, subsystem).result();
}

} // namespace hilda::cli
