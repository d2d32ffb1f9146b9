// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/swallowed_steps.h"

#include "engine/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace hilda::compile {
namespace {

const ParameterValue* given_to(const SystemBlock& block, std::string_view name) {
  const auto found = std::find_if(block.parameters.begin(), block.parameters.end(), [&](const ParameterValue& each) {
    return block.type->slots[each.slot].name == name;
  });
  return found == block.parameters.end() ? nullptr : &*found;
}

bool is_word(const SystemBlock& block, std::string_view name, std::string_view word) {
  const ParameterValue* const value = given_to(block, name);
  return value != nullptr && value->value.text == word;
}

/// Has one number, and it is at most 0.
bool begins_at_zero(const SystemBlock& block, std::string_view name) {
  const ParameterValue* const value = given_to(block, name);
  return value != nullptr && value->value.numbers.size() == 1 && value->value.numbers[0] <= 0;
}

/// A source that is at its other value at t = 0 already.
bool steps_at_start(const SystemBlock& block) {
  if (block.type->name == "sources/Step") return begins_at_zero(block, "time");
  return block.type->name == "sources/Pulse" && begins_at_zero(block, "first");
}

bool remembers(const SystemBlock& block) {
  return std::any_of(block.type->slots.begin(), block.type->slots.end(),
                     [](const Slot& slot) { return slot.role == HILDA_STATE; });
}

/// Whether an input of a block counts as at rest before the start, by no one's word.
bool takes_as_rest(const SystemBlock& block, SlotIndex input) {
  if (!is_word(block, "starts_at", "unsaid") || !block.type->slots[input].is(HILDA_PRIMES)) return false;
  const ParameterValue* const gain = given_to(block, "kd");
  if (gain == nullptr) return true;
  // of a controller: where it has a derivative, and that of this input
  const auto& gains = gain->value.numbers;
  const bool derives = std::any_of(gains.begin(), gains.end(), [](double each) { return each != 0; });
  return derives && !(block.type->slots[input].name == "setpoint" && is_word(block, "derivative_of", "measured"));
}

/// What a signal reaches at once, over blocks without states.
class Followers {
public:
  explicit Followers(const System& system) : system_(system), wires_(system.blocks.size()) {
    for (const Wire& wire : system.wires)
      if (wire.from.block.valid() && wire.to.block.valid()) wires_[wire.from.block].push_back(&wire);
  }

  /// The first input on the way that takes what comes as a state of rest; null: there is none.
  const Wire* rest_behind(BlockIndex source) const {
    std::vector<BlockIndex> seen{source};
    for (std::size_t i = 0; i < seen.size(); ++i)
      for (const Wire* wire : wires_[seen[i]]) {
        const SystemBlock& to = system_.blocks[wire->to.block];
        if (to.type == nullptr) continue;
        if (takes_as_rest(to, wire->to.slot)) return wire;
        if (!remembers(to) && std::find(seen.begin(), seen.end(), wire->to.block) == seen.end())
          seen.push_back(wire->to.block);
      }
    return nullptr;
  }

private:
  const System& system_;
  Indexed<BlockIndex, std::vector<const Wire*>> wires_;
};

} // namespace

void warn_of_swallowed_steps(const System& system, Diagnostics& diagnostics) {
  std::vector<BlockIndex> steps;
  for (const BlockIndex b : system.blocks.indices())
    if (system.blocks[b].type != nullptr && steps_at_start(system.blocks[b])) steps.push_back(b);
  if (steps.empty()) return;
  const Followers followers(system);
  for (const BlockIndex b : steps) {
    const Wire* const wire = followers.rest_behind(b);
    if (wire == nullptr) continue;
    const SystemBlock& block = system.blocks[wire->to.block];
    diagnostics.warning(
        "step-swallowed", block.where,
        fmt::format("{} ({}) takes its first input as a state of rest, so it does not see that {} steps at t = 0; "
                    "'hilda linearize --step-response' shows the answer to that step",
                    in_quotes(block.path), block.type->name, in_quotes(system.blocks[b].path)),
        "write starts_at=\"zero\" for an input that was 0 before, or starts_at=\"input\" where the rest is meant",
        {{system.blocks[b].where, "the step is here"}});
  }
}

} // namespace hilda::compile
