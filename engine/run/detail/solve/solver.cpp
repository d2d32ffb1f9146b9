// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/solver.h"

#include "engine/run/detail/solve/methods/rosenbrock.h"

#include <fmt/format.h>

namespace hilda::run {

bool Solver::bind(const System& system, const Memory& memory, const Schedule& schedule, GuardStates& guards,
                  const SolverSettings& settings, RunningCall& running, ModeWitness& modes, CallObserver* observer,
                  Diagnostics& diagnostics) {
  settings_ = settings;
  system_ = &system;
  part_.bind(schedule, guards, running, modes, observer);
  if (!has_variable_step(settings.kind)) {
    fixed_.bind(part_, settings.kind);
    if (!settings.located || part_.size() == 0) return true;
    located_ = std::make_unique<LocatedStep>();
    located_->bind(system, memory, part_, fixed_, guards);
    return true;
  }
  const std::size_t errors_before = diagnostics.errors();
  check_numbers(settings, 1e-12 * system.base.value(), diagnostics); // faults of states are reported with it
  const bool numbers = diagnostics.errors() == errors_before;
  if (part_.size() == 0) return numbers;
  if (settings.kind == SolverKind::rosenbrock && part_.size() > Rosenbrock::most_states) {
    diagnostics.error("solver-size", settings.where,
                      fmt::format("rosenbrock keeps a dense matrix, and {} states are more than its {}", part_.size(),
                                  Rosenbrock::most_states),
                      "take solver=\"dopri5\" where the equations are not stiff");
    return false;
  }
  variable_ = VariableStep::create(system, memory, part_, guards, settings, diagnostics);
  return numbers && variable_ != nullptr;
}

void Solver::look_at_step(const hilda_tick& now, std::int64_t tick) {
  if (variable_ != nullptr || part_.size() == 0 || !StepLength::due(tick)) return;
  if (watched_ == nullptr)
    watched_ = std::make_unique<StepLength>(*system_, part_, settings_.kind, system_->base.value());
  watched_->look(now, located_ != nullptr);
}

void Solver::watch_events(const std::vector<TickEvent>& events, const Memory& memory, const GuardStates& guards) {
  if (!takes_one_step_a_tick() || events.empty()) return;
  late_ = std::make_unique<LateEvents>(events, *system_, memory, guards, part_, fixed_);
}

SolverCounts Solver::counts() const {
  if (variable_ != nullptr) return variable_->counts();
  if (located_ != nullptr) return located_->counts();
  SolverCounts made;
  if (late_ != nullptr) made.late = late_->counts();
  return made;
}

void Solver::count_from(const SolverCounts& counts) {
  if (variable_ != nullptr) variable_->count_from(counts);
  if (located_ != nullptr) located_->count_from(counts);
  if (late_ != nullptr) late_->count_from(counts.late);
}

Solver::State Solver::find_state(std::size_t state) const {
  for (const Integrated& s : part_.schedule().integrated) {
    if (state < s.count) {
      const SystemBlock& block = system_->blocks[s.block];
      const std::string name = block.path + "." + block.type->slots[s.slot].name;
      return {s.block, s.count > 1 ? fmt::format("{}[{}]", name, state) : name};
    }
    state -= s.count;
  }
  return {};
}

} // namespace hilda::run
