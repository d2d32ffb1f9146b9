// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/schedule/located_guards.h"

namespace hilda::run {
namespace {

/// Nothing continuous runs in the ticks alone in which a trigger fires.
bool triggered(const System& system, GuardIndex guard) {
  for (; guard.valid(); guard = system.guards[guard].parent)
    if (system.guards[guard].edge != Guard::Edge::none) return true;
  return false;
}

bool is_continuous(const System& system, const PortRef& signal) {
  return signal.block.valid() && system.blocks[signal.block].continuous;
}

/// It, or one around it, changes between two ticks.
bool follows_continuous(const System& system, GuardIndex guard) {
  for (; guard.valid(); guard = system.guards[guard].parent) {
    const Guard& is = system.guards[guard];
    if ((is.has_enable && is_continuous(system, is.signal)) || (is.has_reset && is_continuous(system, is.reset)))
      return true;
  }
  return false;
}

} // namespace

void LocatedGuards::bind(const System& system, const Schedule& schedule, GuardStates& guards) {
  guards_ = &guards;
  Indexed<GuardIndex, bool> counts(system.guards.size(), false);
  for (const SystemBlock& block : system.blocks) {
    if (!block.continuous || triggered(system, block.guard)) continue;
    for (GuardIndex g = block.guard; g.valid(); g = system.guards[g].parent) counts[g] = follows_continuous(system, g);
  }
  for (const Call& call : schedule.outputs) {
    if (call.kind == Call::Kind::guard && counts[call.evaluated]) list_.push_back(call.evaluated);
    if (call.kind == Call::Kind::prime && call.guard.valid() && counts[call.guard] &&
        system.blocks[call.block].continuous)
      primes_.push_back(&call);
  }
}

bool LocatedGuards::evaluate() {
  bool changed = false;
  for (const GuardIndex guard : list_) changed = guards_->evaluate_changed(guard) || changed;
  return changed;
}

void LocatedGuards::prime(const hilda_tick& now, ModeWitness& modes) {
  for (const Call* call : primes_)
    if (guards_->active(call->guard) && guards_->take_prime(call->block))
      modes.watch(call->block, "prime", [&] { call->single(call->first, &now); });
}

} // namespace hilda::run
