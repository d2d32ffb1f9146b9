#include "engine/check/held_signals.h"

#include "engine/catalogue/time_following.h"
#include "engine/diagnostics/complaint.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace hilda {
namespace {

bool any_slot(const SystemBlock& block, std::uint32_t flag) {
  return std::any_of(block.type->slots.begin(), block.type->slots.end(),
                     [flag](const Slot& slot) { return slot.is(flag); });
}

bool has_state(const SystemBlock& block) {
  return std::any_of(block.type->slots.begin(), block.type->slots.end(),
                     [](const Slot& slot) { return slot.role == HILDA_STATE; });
}

std::string port_name(const System& system, const PortRef& port) {
  const SystemBlock& block = system.blocks[port.block];
  const std::string name = block.path + "." + block.type->slots[port.slot].name;
  return port.item < 0 ? name : fmt::format("{}[{}]", name, port.item);
}

/// What continuous blocks hear of discrete ones between two ticks: it is as the last tick left it.
class HeldSignals {
public:
  explicit HeldSignals(const System& system)
      : system_(system), first_(system.blocks.size()), next_(system.wires.size()) {
    for (std::size_t left = system.wires.size(); left > 0; --left) {
      const WireIndex w(left - 1);
      const Wire& wire = system.wires[w];
      if (!wire.from.block.valid() || !wire.to.block.valid()) continue;
      next_[w] = first_[wire.from.block];
      first_[wire.from.block] = w;
    }
  }

  /// The first wire on the way from this discrete block to a continuous one, over blocks without states; or none.
  WireIndex way_to_continuous(BlockIndex from) const {
    std::vector<BlockIndex> seen{from};
    std::vector<WireIndex> began{WireIndex()};
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (WireIndex w = first_[seen[i]]; w.valid(); w = next_[w]) {
        const BlockIndex to = system_.wires[w].to.block;
        const WireIndex first = i == 0 ? w : began[i];
        if (system_.blocks[to].continuous) return first;
        if (has_state(system_.blocks[to]) || std::find(seen.begin(), seen.end(), to) != seen.end()) continue;
        seen.push_back(to), began.push_back(first);
      }
    return {};
  }

  bool hears_continuous(BlockIndex b) const {
    const auto& ports = system_.blocks[b].ports;
    return std::any_of(ports.begin(), ports.end(), [this](const SystemBlock::Port& port) {
      return port.wire.valid() && system_.wires[port.wire].from.block.valid() &&
             system_.blocks[system_.wires[port.wire].from.block].continuous;
    });
  }

private:
  const System& system_;
  Indexed<BlockIndex, WireIndex> first_; ///< of what the block puts out
  Indexed<WireIndex, WireIndex> next_;
};

bool is_inherited(const SystemBlock& block) {
  return block.type != nullptr && !block.continuous && block.sample_time.kind == SampleTime::Kind::inherited;
}

/// Without inputs, and of time. What changes in steps alone is as it should be between two ticks.
bool is_moving_source(const SystemBlock& block) {
  const auto driven = [](const SystemBlock::Port& port) { return port.wire.valid(); };
  return !has_state(block) && follows_time(*block.type) && std::none_of(block.ports.begin(), block.ports.end(), driven);
}

} // namespace

void warn_of_sampled_lines(const System& system, const SolverSettings& settings, Diagnostics& diagnostics) {
  if (!has_variable_step(settings.kind)) return;
  std::vector<BlockIndex> lines;
  for (const BlockIndex b : system.blocks.indices())
    if (is_inherited(system.blocks[b]) && any_slot(system.blocks[b], HILDA_RING)) lines.push_back(b);
  if (lines.empty()) return;
  const HeldSignals held(system);
  for (const BlockIndex b : lines) {
    const SystemBlock& block = system.blocks[b];
    if (!held.hears_continuous(b) || !held.way_to_continuous(b).valid()) continue;
    const std::string period = time_text(system.base * Rational(block.divider));
    diagnostics.warning(
        "delay-sampled", block.where,
        fmt::format(
            "{} ({}) takes samples of a continuous signal, one every {}, and continuous blocks continue with them: "
            "the error is that of such a tick, and not of the rtol of {}",
            in_quotes(block.path), block.type->name, period, solver_name(settings.kind)),
        fmt::format("continuous/TransportDelay remembers a signal between ticks, too; where samples are meant, say "
                    "sample_time={}",
                    in_quotes(period)));
  }
}

std::string held_sources_remark(const System& system) {
  if (system.solver.located || has_variable_step(system.solver.kind)) return {};
  std::string names;
  std::size_t count = 0;
  Rational longest;
  const HeldSignals held(system);
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    if (!is_inherited(block) || !is_moving_source(block)) continue;
    const WireIndex wire = held.way_to_continuous(b);
    if (!wire.valid()) continue;
    longest = std::max(longest, system.base * Rational(block.divider));
    if (++count <= 3)
      names += (names.empty() ? "" : ", ") + in_quotes(port_name(system, system.wires[wire].from) + " -> " +
                                                       port_name(system, system.wires[wire].to));
  }
  if (count == 0) return {};
  return fmt::format(
      "{}{}: with the fixed step of {} what continuous blocks hear is the value at the tick, half a tick "
      "({:.4g} ms) late in the mean; sample_time=\"continuous\" gives it at every time, and "
      "sample_time={} says that it is meant",
      names, count > 3 ? fmt::format(" and {} others", count - 3) : "", solver_name(system.solver.kind),
      500 * longest.value(), in_quotes(time_text(longest)));
}

} // namespace hilda
