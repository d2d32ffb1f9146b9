// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/loop_profile.h"

#include "engine/diagram/system.h"
#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace hilda::session {
namespace {

void do_nothing(void*, const hilda_tick*) {}

constexpr double ns = 1e-9;

} // namespace

void LoopProfile::bind(const System& system) {
  blocks_ = system.blocks.size();
  parts_.clear();
  names_.clear();
  of_type_.clear();
  std::map<std::string, std::vector<std::size_t>> types, subsystems;
  for (const SystemBlock& block : system.blocks) {
    const std::size_t number = names_.size();
    names_.push_back(block.path);
    of_type_.push_back(block.type->name);
    types[block.type->name].push_back(number);
    for (std::size_t dot = block.path.find('.'); dot != std::string::npos; dot = block.path.find('.', dot + 1))
      subsystems[block.path.substr(0, dot)].push_back(number);
  }
  std::vector<std::vector<std::size_t>> groups(blocks_);
  const auto add = [&](const auto& named) {
    for (const auto& [name, members] : named) {
      for (const std::size_t block : members) groups[block].push_back(names_.size());
      names_.push_back(name);
    }
  };
  add(types);
  types_end_ = names_.size();
  add(subsystems);
  groups_.clear();
  first_group_.assign(1, 0);
  for (const auto& of_block : groups) {
    groups_.insert(groups_.end(), of_block.begin(), of_block.end());
    first_group_.push_back(groups_.size());
  }
  parts_.resize(names_.size());
  ran_.assign(names_.size(), 0);
  measure_clock();
}

/// What a call costs that does nothing: what the two reads see of it, and all of it. The middle one of many tries, for
/// a try during which something else ran says nothing.
void LoopProfile::measure_clock() {
  constexpr std::size_t tries = 31, calls = 2000;
  std::array<double, tries> seen{}, whole{};
  Call nothing;
  nothing.single = &do_nothing;
  nothing.block = BlockIndex(std::size_t{0});
  if (blocks_ == 0) return;
  Part& part = parts_[0];
  for (std::size_t i = 0; i < tries; ++i) {
    in_step_ = true;
    const std::int64_t before = monotonic_ns();
    for (std::size_t j = 0; j < calls; ++j) measure(nothing, nullptr);
    const std::int64_t after = monotonic_ns();
    seen[i] = static_cast<double>(part.step_ns) / calls;
    whole[i] = static_cast<double>(after - before) / calls;
    part = Part();
    ran_count_ = 0;
  }
  in_step_ = false;
  std::nth_element(seen.begin(), seen.begin() + tries / 2, seen.end());
  std::nth_element(whole.begin(), whole.begin() + tries / 2, whole.end());
  inside_ = seen[tries / 2];
  outside_ = std::max(0.0, whole[tries / 2] - inside_);
}

void LoopProfile::measure(const Call& call, const hilda_tick* tick) {
  const std::int64_t before = monotonic_ns();
  call.single(call.first, tick);
  add(call.block, monotonic_ns() - before);
}

void LoopProfile::add(BlockIndex block, std::int64_t took) noexcept {
  if (!in_step_) return; // devices are held, before the first step
  Part& part = parts_[block.number()];
  if (part.step_calls++ == 0) ran_[ran_count_++] = block.number();
  part.step_ns += took;
}

void LoopProfile::mark(StepMark place) noexcept {
  const std::int64_t now = monotonic_ns();
  switch (place) {
  case StepMark::begins:
    for (; ran_count_ > 0; --ran_count_) { // of a step that was given up
      parts_[ran_[ran_count_ - 1]].step_ns = 0;
      parts_[ran_[ran_count_ - 1]].step_calls = 0;
    }
    in_step_ = true;
    begun_ = monotonic_ns();
    break;
  case StepMark::computed:
    first_half_ = now - begun_;
    computed_ = now;
    break;
  case StepMark::goes_on:
    others_in_step_ = now - computed_;
    begun_ = now;
    break;
  case StepMark::ends:
    if (in_step_) close_step(first_half_ + now - begun_, others_in_step_);
    in_step_ = false;
    break;
  }
}

std::int64_t LoopProfile::without_reads(const Part& part) const noexcept {
  return part.step_ns - std::llround(inside_ * static_cast<double>(part.step_calls));
}

void LoopProfile::close_part(Part& part) noexcept {
  part.steps.add(without_reads(part));
  part.ns += part.step_ns;
  part.calls += part.step_calls;
  part.step_ns = part.step_calls = 0;
}

/// @param took    ns of both halves
/// @param others  ns between them
void LoopProfile::close_step(std::int64_t took, std::int64_t others) noexcept {
  std::int64_t in_blocks = 0, calls = 0;
  const std::size_t ran = ran_count_;
  for (std::size_t i = 0; i < ran; ++i) {
    Part& block = parts_[ran_[i]];
    in_blocks += block.step_ns;
    calls += block.step_calls;
    for (std::size_t g = first_group_[ran_[i]]; g < first_group_[ran_[i] + 1]; ++g) {
      Part& group = parts_[groups_[g]];
      if (group.step_calls == 0) ran_[ran_count_++] = groups_[g];
      group.step_ns += block.step_ns;
      group.step_calls += block.step_calls;
    }
  }
  for (; ran_count_ > 0; --ran_count_) close_part(parts_[ran_[ran_count_ - 1]]);
  ++steps_;
  others_ += others;
  // each half begins and ends with a read, too
  loop_ += static_cast<double>(took - in_blocks) - outside_ * static_cast<double>(calls) - 2 * inside_;
  step_.add(took - std::llround((inside_ + outside_) * static_cast<double>(calls) + 2 * inside_));
}

ProfileShare LoopProfile::share(std::size_t number) const {
  const Part& part = parts_[number];
  const double net = static_cast<double>(part.ns) - inside_ * static_cast<double>(part.calls);
  return {names_[number], number < blocks_ ? of_type_[number] : "", part.calls, std::max(0.0, net) * ns, part.steps};
}

std::vector<ProfileShare> LoopProfile::shares(std::size_t from, std::size_t to) const {
  std::vector<ProfileShare> made;
  for (std::size_t i = from; i < to; ++i)
    if (parts_[i].calls > 0) made.push_back(share(i));
  std::stable_sort(made.begin(), made.end(),
                   [](const ProfileShare& a, const ProfileShare& b) { return a.time > b.time; });
  return made;
}

ProfileFigures LoopProfile::figures() const {
  ProfileFigures found;
  found.steps = steps_;
  found.step = step_;
  found.blocks = shares(0, blocks_);
  found.types = shares(blocks_, types_end_);
  found.subsystems = shares(types_end_, parts_.size());
  found.loop = std::max(0.0, loop_) * ns;
  found.others = std::max(0.0, static_cast<double>(others_) - inside_ * static_cast<double>(steps_)) * ns;
  found.total = found.loop + found.others;
  for (const ProfileShare& block : found.blocks) found.total += block.time, found.reads += block.calls;
  found.inside = inside_ * ns;
  found.outside = outside_ * ns;
  return found;
}

} // namespace hilda::session
