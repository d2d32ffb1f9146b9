// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/past/saved_numbers.h"
#include "engine/run/detail/solve/variable_step.h"

#include <algorithm>

// What a run with a variable step leaves behind: who was to blame, and all that it takes to continue from here.

namespace hilda::run {
namespace {

std::vector<SolverCause> sorted(std::vector<SolverCause> causes) {
  std::stable_sort(causes.begin(), causes.end(),
                   [](const SolverCause& a, const SolverCause& b) { return a.count > b.count; });
  return causes;
}

std::vector<SolverCause> by_block(const System& system, const Indexed<BlockIndex, std::int64_t>& counts) {
  std::vector<SolverCause> made;
  for (const BlockIndex b : counts.indices())
    if (counts[b] > 0) made.push_back({system.blocks[b].path, counts[b]});
  return made;
}

} // namespace

std::string VariableStep::state_name(std::size_t state) const {
  for (const Integrated& s : f_.part().schedule().integrated) {
    if (state < s.count) {
      const SystemBlock& block = system_.blocks[s.block];
      std::string name = block.path + "." + block.type->slots[s.slot].name;
      return s.count > 1 ? name + "[" + std::to_string(state) + "]" : name;
    }
    state -= s.count;
  }
  return {};
}

std::vector<SolverCause> VariableStep::restart_causes() const {
  std::vector<SolverCause> made = by_block(system_, counts_.restarts_by);
  if (counts_.restarts_by_parameters > 0) made.push_back({"a live parameter", counts_.restarts_by_parameters});
  return sorted(std::move(made));
}

std::vector<SolverCause> VariableStep::limiting_states() const {
  std::vector<SolverCause> made;
  for (std::size_t i = 0; i < counts_.limited_by.size(); ++i)
    if (counts_.limited_by[i] > 0) made.push_back({state_name(i), counts_.limited_by[i]});
  return sorted(std::move(made));
}

SolverCounts VariableStep::counts() const {
  SolverCounts made = counts_;
  made.events_by = events_.counts();
  return made;
}

void VariableStep::count_from(const SolverCounts& counts) {
  events_.counts() = counts.events_by;
  counts_ = counts;
}

std::vector<std::span<double>> VariableStep::numbers() {
  std::vector<std::span<double>> list = method_->numbers();
  for (std::span<double> each :
       {std::span(given_), std::span(events_.search().sides()), std::span(&begun_, 1), std::span(&pending_, 1),
        std::span(&event_, 1), std::span(&events_.last_time(), 1), std::span(events_.search().last_sides()),
        std::span(events_.search().beyond()), std::span(events_.search().rests()),
        std::span(events_.search().written()), std::span(events_.search().levels())})
    list.push_back(each);
  if (method_->repeats())
    list.insert(list.end(), {events_.search().bounced(),
                             {&last_begin_.tick, 1},
                             last_begin_.sides,
                             last_begin_.last_sides,
                             last_begin_.beyond,
                             last_begin_.written,
                             last_begin_.bounced});
  return list;
}

void VariableStep::save(std::vector<unsigned char>& bytes) const {
  auto& self = const_cast<VariableStep&>(*this);
  self.events_.search().note_levels();
  for (const std::span<double>& each : self.numbers()) append_numbers(bytes, each);
  held_.save(bytes);
  past_.save(bytes);
  if (method_->repeats()) bytes.insert(bytes.end(), last_begin_.restless.begin(), last_begin_.restless.end());
}

bool VariableStep::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  for (const std::span<double>& each : numbers())
    if (!take_numbers(bytes, at, each)) return false;
  events_.search().put_levels();
  forgotten_ = false;
  if (!held_.load(bytes, at) || !past_.load(bytes, at)) return false;
  if (!method_->repeats()) return true;
  to_repeat_ = begun_ > 0;
  std::vector<unsigned char>& restless = last_begin_.restless;
  if (restless.size() > bytes.size() - at) return false;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), restless.size(), restless.begin());
  at += restless.size();
  return true;
}

} // namespace hilda::run
