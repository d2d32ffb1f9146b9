// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/events.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hilda::run {

void Events::bind(const System& system, const Memory& memory, RightHandSide& f, GuardStates& guards) {
  conditions_.bind(system, f.part().schedule(), guards);
  system_ = &system, memory_ = &memory, f_ = &f;
  const Schedule& schedule = f.part().schedule();
  std::vector<Crossing> crossings = schedule.crossings;
  crossings.insert(crossings.end(), schedule.held_crossings.begin(), schedule.held_crossings.end());
  for (const Crossing& each : crossings) {
    const bool told = memory.layout(each.block).abi->event != nullptr;
    if (told && std::find(modal_.begin(), modal_.end(), each.block) == modal_.end()) modal_.push_back(each.block);
  }
  fired_.reserve(crossings.size());
  before_.assign(f.size(), 0.0);
  after_.assign(f.size(), 0.0);
  counts_ = Indexed<BlockIndex, std::int64_t>(system.blocks.size(), 0);
  search_.bind(std::move(crossings), f, system.base.value());
}

bool Events::begin(double t, const std::vector<double>& x) {
  if (search_.empty()) return true;
  search_.forget(t, x);
  fired_.clear();
  for (const BlockIndex block : modal_) call(block);
  if (!modal_.empty()) search_.compute(t);
  search_.take_sides();
  const std::vector<std::size_t>& leaving = search_.leave_zero(t);
  if (search_.turned() == 0) return true;
  if (!leaving.empty()) last_time_ = t;
  return tell_all(t, leaving) && take(t);
}

/// True where the rounds may continue.
bool Events::tell_all(double t, const std::vector<std::size_t>& fired) {
  f_->part().get_state(before_);
  for (std::size_t first = 0; first < fired.size();) first = tell_block(fired, first);
  f_->part().get_state(after_);
  indistinct_ = before_ != after_ && search_.note_written(t);
  search_.compute(t);
  return !indistinct_ && (in_tick_ += search_.turned()) <= most;
}

bool Events::take(double t) {
  search_.compute(t);
  for (int round = 0;; ++round) {
    const std::vector<std::size_t>& fired = search_.fire();
    if (search_.turned() == 0) return indistinct_ = !search_.settle(t), !indistinct_;
    last_time_ = t;
    if (!tell_all(t, fired) || round == most_rounds) return false;
  }
}

bool Events::take_conditions(double t) {
  if (conditions_.empty() || !conditions_.evaluate()) return false;
  ContinuousPart& part = f_->part();
  part.outputs_at(t); // a block that is primed may read one that has begun next to it
  conditions_.prime(part.tick(), part.modes());
  return true;
}

/// Those crossings that are of one block, from the one at `first` on; where the next block's begin.
std::size_t Events::tell_block(const std::vector<std::size_t>& fired, std::size_t first) {
  const BlockIndex block = search_.crossing(fired[first]).block;
  std::size_t end = first;
  fired_.clear();
  for (; end < fired.size() && search_.crossing(fired[end]).block == block; ++end)
    fired_.push_back({search_.crossing(fired[end]).value, search_.side(fired[end]) > 0 ? 1 : -1, 0});
  const auto count = static_cast<std::int64_t>(fired_.size());
  f_->statistics().events += count;
  counts_[block] += count;
  last_block_ = block;
  if (memory_->layout(block).abi->event != nullptr) call(block);
  return end;
}

void Events::call(BlockIndex block) {
  call_.block = block;
  RunningCall& running = f_->part().running();
  running.store(&call_, std::memory_order_relaxed);
  f_->part().modes().watch(block, "event", [&] {
    memory_->layout(block).abi->event(memory_->record(block), &f_->part().tick(), fired_.data(), fired_.size());
  });
  running.store(nullptr, std::memory_order_relaxed);
}

void Events::tell_chatter(std::span<char> problem, double t, const char* otherwise) const noexcept {
  std::snprintf(problem.data(), problem.size(),
                "chatters: since the last tick crossings have changed their signs %d times, now at t = %.9g s, as the "
                "equations on both sides of them lead back to each other; give the switch a hysteresis or a smooth "
                "transition, or %s",
                in_tick_, t, otherwise);
}

void Events::tell_zeno(std::span<char> problem, double t, const char* why) noexcept {
  std::snprintf(problem.data(), problem.size(),
                "its crossings follow each other ever faster, the last at t = %.12g s (Zeno): %s; let the run end "
                "before, or let what bounces come to rest",
                t, why);
}

std::vector<SolverCause> Events::causes() const {
  if (system_ == nullptr) return {};
  std::vector<SolverCause> made;
  for (const BlockIndex b : counts_.indices())
    if (counts_[b] > 0) made.push_back({system_->blocks[b].path, counts_[b]});
  std::stable_sort(made.begin(), made.end(),
                   [](const SolverCause& a, const SolverCause& b) { return a.count > b.count; });
  return made;
}

} // namespace hilda::run
