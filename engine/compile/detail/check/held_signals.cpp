// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/held_signals.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"
#include "engine/catalogue/past.h"
#include "engine/catalogue/time_following.h"

#include <hilda/flags.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace hilda::compile {
namespace {

bool any_slot(const SystemBlock& block, std::uint32_t flag) {
  return std::any_of(block.type->slots.begin(), block.type->slots.end(),
                     [flag](const Slot& slot) { return slot.is(flag); });
}

/// A state of no numbers only says that its block follows time.
bool has_continuous_states(const System& system) {
  return std::any_of(system.blocks.begin(), system.blocks.end(), [](const SystemBlock& block) {
    return block.type != nullptr && block.continuous &&
           std::any_of(block.type->slots.begin(), block.type->slots.end(),
                       [](const Slot& slot) { return slot.is(HILDA_CONTINUOUS) && slot.shape_text != "0"; });
  });
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

/// Runs in the ticks alone in which a trigger fires.
bool is_triggered(const System& system, GuardIndex guard) {
  for (; guard.valid(); guard = system.guards[guard].parent)
    if (system.guards[guard].edge != Guard::Edge::none) return true;
  return false;
}

/// The conditions under which continuous blocks run, with those around them.
std::vector<GuardIndex> continuous_conditions(const System& system) {
  Indexed<GuardIndex, bool> counts(system.guards.size(), false);
  for (const SystemBlock& block : system.blocks)
    if (block.continuous && !is_triggered(system, block.guard))
      for (GuardIndex g = block.guard; g.valid(); g = system.guards[g].parent) counts[g] = true;
  std::vector<GuardIndex> found;
  for (const GuardIndex g : system.guards.indices())
    if (counts[g]) found.push_back(g);
  return found;
}

bool is_inherited(const SystemBlock& block) {
  return block.type != nullptr && !block.continuous && block.sample_time.kind == SampleTime::Kind::inherited;
}

bool is_driven(const SystemBlock& block) {
  return std::any_of(block.ports.begin(), block.ports.end(),
                     [](const SystemBlock::Port& port) { return port.wire.valid(); });
}

/// Without inputs, and of time. What changes in steps alone is as it should be between two ticks.
bool is_moving_source(const SystemBlock& block) {
  return !has_state(block) && follows_time(*block.type) && !is_driven(block);
}

/// A block with jumps between two ticks that nothing drives: a step.
bool is_step(const SystemBlock& block) {
  return !has_state(block) && !follows_time(*block.type) && any_slot(block, HILDA_CROSSING) && !is_driven(block);
}

/// A step at a time between two ticks.
bool steps_between_ticks(const System& system, const SystemBlock& block) {
  if (!is_step(block)) return false;
  for (const ParameterValue& each : block.parameters) {
    if (block.type->slots[each.slot].name != "time" || each.value.numbers.empty()) continue;
    const double ticks = each.value.numbers[0] / system.base.value();
    return std::abs(ticks - std::round(ticks)) > 1e-6;
  }
  return false;
}

bool is_device(const SystemBlock& block) {
  const hilda_block_type& abi = *block.type->abi;
  return abi.acquire != nullptr || abi.emit != nullptr || (abi.flags & HILDA_EXTERNAL_STATE) != 0;
}

/// Would be continuous where crossings are located and its inputs are.
bool may_be_either(const SystemBlock& block) {
  const hilda_block_type& abi = *block.type->abi;
  return is_inherited(block) && !is_device(block) && abi.event != nullptr && has_state(block) &&
         any_slot(block, HILDA_CROSSING);
}
/// Such a block that jumps: a relay.
bool is_switch(const SystemBlock& block) { return may_be_either(block) && !any_slot(block, HILDA_CROSSING_RATE); }
/// Such a block that follows its input: a rate limiter.
bool is_follower(const SystemBlock& block) { return may_be_either(block) && any_slot(block, HILDA_CROSSING_RATE); }

/// Jumps where a crossing is located, or at the next tick: a pulse, a comparison, a relay, friction. What has crossings
/// and no such output may bend and not jump: a limit.
bool jumps_at_crossings(const SystemBlock& block) {
  if (block.type == nullptr || !any_slot(block, HILDA_CROSSING) || any_slot(block, HILDA_CROSSING_RATE)) return false;
  const hilda_block_type& abi = *block.type->abi;
  const bool is_boolean = std::any_of(block.type->slots.begin(), block.type->slots.end(), [](const Slot& slot) {
    return slot.role == HILDA_OUTPUT && slot.element == HILDA_U8;
  });
  return !is_driven(block) || is_boolean || (has_state(block) && abi.event != nullptr && abi.derivative == nullptr);
}

/// What continuous blocks hear of discrete ones between two ticks: it is as the last tick left it.
class HeldSignals {
public:
  explicit HeldSignals(const System& system)
      : system_(system), first_(system.blocks.size()), next_(system.wires.size()),
        conditions_(system.blocks.size(), false) {
    for (std::size_t left = system.wires.size(); left > 0; --left) {
      const WireIndex w(left - 1);
      const Wire& wire = system.wires[w];
      if (!wire.from.block.valid() || !wire.to.block.valid()) continue;
      next_[w] = first_[wire.from.block];
      first_[wire.from.block] = w;
    }
    for (const GuardIndex g : continuous_conditions(system))
      for (const BlockIndex b : {system.guards[g].signal.block, system.guards[g].reset.block})
        if (b.valid()) conditions_[b] = true;
  }

  /// The first wire on the way from this discrete block to a continuous one, or none: over blocks without states and
  /// those that may be either.
  WireIndex way_to_continuous(BlockIndex from) const {
    std::vector<BlockIndex> seen{from};
    std::vector<WireIndex> began{WireIndex()};
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (WireIndex w = first_[seen[i]]; w.valid(); w = next_[w]) {
        const BlockIndex to = system_.wires[w].to.block;
        const WireIndex first = i == 0 ? w : began[i];
        if (system_.blocks[to].continuous) return first;
        const bool ends = has_state(system_.blocks[to]) && !may_be_either(system_.blocks[to]);
        if (ends || std::find(seen.begin(), seen.end(), to) != seen.end()) continue;
        seen.push_back(to), began.push_back(first);
      }
    return {};
  }

  /// A way to a continuous block, or to a condition under which one runs.
  bool reaches_continuous(BlockIndex from) const { return conditions_[from] || way_to_continuous(from).valid(); }

  bool hears_continuous(const SystemBlock::Port& port) const {
    return port.wire.valid() && system_.wires[port.wire].from.block.valid() &&
           system_.blocks[system_.wires[port.wire].from.block].continuous;
  }
  bool hears_condition(BlockIndex b) const {
    const SystemBlock& block = system_.blocks[b];
    return std::any_of(block.ports.begin(), block.ports.end(), [&](const SystemBlock::Port& port) {
      const Slot& slot = block.type->slots[port.slot];
      return slot.role == HILDA_INPUT && slot.element == HILDA_U8 && hears_continuous(port);
    });
  }
  bool hears_continuous(BlockIndex b) const {
    const auto& ports = system_.blocks[b].ports;
    return std::any_of(ports.begin(), ports.end(), [this](const auto& port) { return hears_continuous(port); });
  }

  /// A source before it, over blocks without states, changes between two ticks.
  bool hears_source(BlockIndex b) const {
    return hears(b, [this](const SystemBlock& block) {
      return is_inherited(block) && (is_moving_source(block) || steps_between_ticks(system_, block));
    });
  }
  /// A block before it jumps, also over blocks without states.
  bool hears_jumps(BlockIndex b) const {
    return hears(b, [](const SystemBlock& block) {
      const bool holds = has_state(block) || (is_driven(block) && block.sample_time.kind == SampleTime::Kind::periodic);
      return jumps_at_crossings(block) || (holds && !block.continuous);
    });
  }

private:
  template <typename Kind> bool hears(BlockIndex b, const Kind& is_kind) const {
    std::vector<BlockIndex> seen{b};
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (const SystemBlock::Port& port : system_.blocks[seen[i]].ports) {
        const BlockIndex from = port.wire.valid() ? system_.wires[port.wire].from.block : BlockIndex();
        if (!from.valid() || system_.blocks[from].type == nullptr) continue;
        if (is_kind(system_.blocks[from])) return true;
        if (!has_state(system_.blocks[from]) && std::find(seen.begin(), seen.end(), from) == seen.end())
          seen.push_back(from);
      }
    return false;
  }

  const System& system_;
  Indexed<BlockIndex, WireIndex> first_; ///< of what the block puts out
  Indexed<WireIndex, WireIndex> next_;
  Indexed<BlockIndex, bool> conditions_; ///< drives one under which a continuous block runs
};

/// A continuous block that a continuous signal sets: by a boolean, where it has such an input; or that sets itself at
/// its crossings.
bool is_set_between_ticks(const HeldSignals& held, const SystemBlock& block, BlockIndex b) {
  const hilda_block_type& abi = *block.type->abi;
  if (!block.continuous || abi.event == nullptr || abi.update == nullptr || !any_slot(block, HILDA_CONTINUOUS))
    return false;
  bool has_boolean = false, heard = false;
  for (const SystemBlock::Port& port : block.ports) {
    const Slot& slot = block.type->slots[port.slot];
    if (slot.role != HILDA_INPUT || slot.element != HILDA_U8) continue;
    has_boolean = true;
    heard = heard || held.hears_continuous(port);
  }
  const bool by_itself = abi.derivative != nullptr && any_slot(block, HILDA_CROSSING);
  return has_boolean ? heard : by_itself || held.hears_continuous(b);
}

/// It follows its inputs, and sticks or lets go at its events alone.
bool has_modes(const HeldSignals& held, const SystemBlock& block, BlockIndex b) {
  const hilda_block_type& abi = *block.type->abi;
  if (abi.event == nullptr || abi.update != nullptr || abi.derivative != nullptr || !any_slot(block, HILDA_MODE))
    return false;
  return block.sample_time.kind == SampleTime::Kind::inherited && held.hears_continuous(b) &&
         held.reaches_continuous(b);
}

bool acts_at_ticks(const System& system, const HeldSignals& held, BlockIndex b) {
  const SystemBlock& block = system.blocks[b];
  if (!is_inherited(block) || !held.reaches_continuous(b)) return false;
  return is_step(block) || (is_switch(block) && held.hears_continuous(b));
}

} // namespace

std::vector<TickEvent> events_at_ticks(const System& system) {
  using Kind = TickEvent::Kind;
  const HeldSignals held(system);
  std::vector<TickEvent> found;
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    if (block.type == nullptr || is_triggered(system, block.guard)) continue;
    if (is_set_between_ticks(held, block, b)) found.push_back({Kind::resets, b, {}});
    if (has_modes(held, block, b)) found.push_back({Kind::modes, b, {}});
    if (acts_at_ticks(system, held, b)) found.push_back({Kind::switches, b, {}});
  }
  const auto is_continuous = [&](bool has, const PortRef& signal) {
    return has && signal.block.valid() && system.blocks[signal.block].continuous;
  };
  for (const GuardIndex g : continuous_conditions(system)) {
    const Guard& guard = system.guards[g];
    if (is_continuous(guard.has_enable, guard.signal) || is_continuous(guard.has_reset, guard.reset))
      found.push_back({Kind::condition, guard.has_enable ? guard.signal.block : guard.reset.block, g});
  }
  return found;
}

void warn_of_sampled_lines(const System& system, const SolverSettings& settings, Diagnostics& diagnostics) {
  if (!has_variable_step(settings.kind)) return;
  std::vector<BlockIndex> lines;
  for (const BlockIndex b : system.blocks.indices())
    if (is_inherited(system.blocks[b]) && any_slot(system.blocks[b], HILDA_RING)) lines.push_back(b);
  if (lines.empty()) return;
  const HeldSignals held(system);
  for (const BlockIndex b : lines) {
    const SystemBlock& block = system.blocks[b];
    if (!(held.hears_continuous(b) || held.hears_source(b)) || !held.way_to_continuous(b).valid()) continue;
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

std::string unlocated_events_remark(const System& system, bool clocked) {
  if (system.solver.located || has_variable_step(system.solver.kind)) return {};
  const HeldSignals held(system);
  FewNames names(3, "more");
  for (const TickEvent& each : events_at_ticks(system)) {
    const SystemBlock& block = system.blocks[each.block];
    if (each.kind == TickEvent::Kind::condition || block.type->abi->event == nullptr ||
        block.type->abi->update == nullptr)
      continue;
    if (is_driven(block) && !held.hears_continuous(each.block)) continue; // what it hears changes at ticks
    names.add(in_quotes(block.path) + " (" + block.type->name + ")");
  }
  if (names.count() == 0) return {};
  const char* const help =
      clocked ? "on devices and with --realtime no crossing is located"
              : "events=\"located\" or solver=\"dopri5\" in the diagram, or --solver dopri5, acts at their very time";
  return fmt::format("{}: {} events, and the fixed step of {} locates none: update() acts at the next tick, up to {} "
                     "late; {}",
                     names.text(), names.count() == 1 ? "it declares" : "they declare", solver_name(system.solver.kind),
                     time_text(system.base), help);
}

std::string held_sources_remark(const System& system) {
  if (system.solver.located || has_variable_step(system.solver.kind)) return {};
  FewNames names;
  Rational longest;
  const HeldSignals held(system);
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    if (!is_inherited(block) || !is_moving_source(block)) continue;
    const WireIndex wire = held.way_to_continuous(b);
    if (!wire.valid()) continue;
    longest = std::max(longest, system.base * Rational(block.divider));
    names.add(
        in_quotes(port_name(system, system.wires[wire].from) + " -> " + port_name(system, system.wires[wire].to)));
  }
  if (names.count() == 0) return {};
  return fmt::format("{}: with the fixed step of {} what continuous blocks hear is the value at the tick, half a tick "
                     "({:.4g} ms) late in the mean; sample_time=\"continuous\" gives it at every time, and "
                     "sample_time={} says that it is meant",
                     names.text(), solver_name(system.solver.kind), 500 * longest.value(),
                     in_quotes(time_text(longest)));
}

std::string rates_at_ticks_remark(const System& system) {
  if (system.solver.located || has_variable_step(system.solver.kind)) return {};
  const HeldSignals held(system);
  FewNames names;
  Rational longest;
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    if (block.type == nullptr || !any_slot(block, HILDA_CROSSING_RATE)) continue;
    const bool follows = block.continuous || (is_follower(block) && held.hears_continuous(b));
    if (!follows || !held.way_to_continuous(b).valid()) continue;
    longest = std::max(longest, system.base * Rational(block.continuous ? 1 : block.divider));
    names.add(in_quotes(block.path));
  }
  if (names.count() == 0) return {};
  return fmt::format("{}: with the fixed step of {} a rate is compared with its limit at ticks, and continuous blocks "
                     "hear a signal that is up to a tick ({:.4g} ms) late or early; events=\"located\" or "
                     "solver=\"dopri5\" is right at every time, and sample_time={} says that ticks are meant",
                     names.text(), solver_name(system.solver.kind), 1000 * longest.value(),
                     in_quotes(time_text(longest)));
}

std::string sampled_conditions_remark(const System& system) {
  const bool located = system.solver.located && !has_variable_step(system.solver.kind);
  const HeldSignals held(system);
  FewNames names;
  Rational longest;
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    if (!is_inherited(block) || !has_state(block) || is_device(block) || is_triggered(system, block.guard)) continue;
    const bool samples = held.hears_condition(b) || (located && held.hears_continuous(b)); // else: restless_blocks()
    if (!samples || !held.reaches_continuous(b)) continue;
    longest = std::max(longest, system.base * Rational(block.divider));
    names.add(in_quotes(block.path));
  }
  if (names.count() == 0) return {};
  return fmt::format("{}: what this hears of continuous blocks it samples at ticks, and continuous blocks follow up to "
                     "a tick ({:.4g} ms) late, also where crossings are located; there discrete/Relay and Hysteresis, "
                     "and math/Equations with when=, act in time; sample_time={} says that ticks are meant",
                     names.text(), 1000 * longest.value(), in_quotes(time_text(longest)));
}

std::string delayed_jumps_remark(const System& system) {
  const bool varies = has_variable_step(system.solver.kind);
  if (varies && has_continuous_states(system)) return {};
  const HeldSignals held(system);
  FewNames names;
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    if (block.type == nullptr || !block.continuous || past_of(*block.type).ability == nullptr) continue;
    if (!held.hears_jumps(b)) continue;
    names.add(in_quotes(block.path));
  }
  if (names.count() == 0) return {};
  const std::string why = varies ? "without continuous states no solver runs:"
                                 : fmt::format("with the fixed step of {}", solver_name(system.solver.kind));
  const char* const remedy = varies ? "" : "solver=\"dopri5\" keeps the jump, and so does ";
  return fmt::format("{}: {} a delay keeps the values at ticks, and a jump arrives as a slope over a tick, half a tick "
                     "({:.4g} ms) early in the mean; {}discrete/Delay{} for a whole number of ticks",
                     names.text(), why, 500 * system.base.value(), remedy, varies ? " keeps it" : "");
}

} // namespace hilda::compile
