// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/settings/solver_check.h"

#include "engine/base/error.h"
#include "engine/base/word_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace hilda::run {
namespace {

/// The numbers of the run's choice, which a fixed step does not read.
void warn_of_choice(const SolverSettings& settings, const SolverChoice& choice, Diagnostics& diagnostics) {
  std::string names;
  if (choice.rtol) add_word(names, "--rtol");
  if (choice.atol) add_word(names, "--atol");
  if (choice.max_step) add_word(names, "--max-step");
  if (names.empty()) return;
  diagnostics.warning("tolerance-ignored", settings.where,
                      fmt::format("{}: the run's solver, {}, makes one step a tick and does not read such numbers",
                                  names, solver_name(settings.kind)),
                      "say --solver dopri5, rosenbrock, cvode or adams, or leave them out");
}

/// Its crossings have an event, and nothing that runs at ticks could do the same to its continuous states.
bool acts_at_events_alone(const BlockType& type) {
  if (type.abi->event == nullptr || type.abi->update != nullptr || type.abi->derivative == nullptr) return false;
  return std::any_of(type.slots.begin(), type.slots.end(), [](const Slot& slot) { return slot.is(HILDA_CROSSING); });
}

} // namespace

void warn_of_unlocated_events(const System& system, const Memory& memory, const SolverSettings& settings, bool clocked,
                              Diagnostics& diagnostics) {
  std::vector<const SystemBlock*> said;
  for (const BlockIndex b : system.blocks.indices()) {
    const SystemBlock& block = system.blocks[b];
    const auto same_type = [&](const SystemBlock* each) { return each->type->name == block.type->name; };
    if (!acts_at_events_alone(memory.layout(b)) || std::any_of(said.begin(), said.end(), same_type)) continue;
    said.push_back(&block);
    diagnostics.warning(
        "events-unlocated", block.where,
        fmt::format("{} ({}) acts where its crossings change their signs, and {} with one step a tick locates none: "
                    "what its event() does never happens",
                    in_quotes(block.path), block.type->name, solver_name(settings.kind)),
        clocked ? "on devices and with --realtime no crossing is located: give the type an update() that does the same "
                  "at ticks"
                : "say events=\"located\" or solver=\"dopri5\" in the diagram, or --solver dopri5");
  }
}

bool check_solver(const SolverSettings& settings, const SolverChoice& choice, bool clocked, Diagnostics& diagnostics) {
  const bool variable = has_variable_step(settings.kind);
  if (clocked && variable)
    diagnostics.error("solver-paced", settings.where,
                      fmt::format("the solver {} takes as many steps as the tolerances ask for, and ticks that are due "
                                  "at times of the clock do not wait",
                                  in_quotes(solver_name(settings.kind))),
                      "take solver=\"rk4\" (--solver rk4) where devices or --realtime pace the loop");
  else if (clocked && settings.located)
    diagnostics.error(
        "solver-paced", settings.where,
        "events=\"located\" makes as many steps a tick as there are events in it, and ticks that are due at "
        "times of the clock do not wait",
        "leave it out where devices or --realtime pace the loop");
  if (!variable) warn_of_choice(settings, choice, diagnostics);
  return !clocked || !(variable || settings.located);
}

} // namespace hilda::run
