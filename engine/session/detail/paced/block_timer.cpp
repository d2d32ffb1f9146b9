// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/paced/block_timer.h"

#include "engine/session/detail/machine/monotonic.h"

#include <algorithm>

namespace hilda::session {

void BlockTimer::bind(std::size_t blocks) {
  in_tick_.assign(blocks, 0);
  unpublished_.assign(blocks, 0);
  published_.assign(blocks, 0.0);
}

void BlockTimer::call(const Call& call, const hilda_tick* tick) {
  const std::int64_t before = monotonic_ns();
  call.single(call.first, tick);
  const std::int64_t took = monotonic_ns() - before;
  in_tick_[call.block] += took;
  unpublished_[call.block] += took;
  total_ += took;
  if (profile_ != nullptr) profile_->add(call.block, took);
}

void BlockTimer::minor_call(const Call& call, const hilda_tick* tick) {
  if (profile_ != nullptr)
    profile_->minor_call(call, tick);
  else
    call.single(call.first, tick);
}

void BlockTimer::mark(StepMark place) noexcept {
  if (profile_ != nullptr) profile_->mark(place);
}

void BlockTimer::begin_tick() noexcept {
  std::fill(in_tick_.begin(), in_tick_.end(), 0);
  total_ = 0;
}

void BlockTimer::publish() noexcept {
  for (const BlockIndex b : published_.indices()) published_[b] = seconds_of(unpublished_[b]);
  std::fill(unpublished_.begin(), unpublished_.end(), 0);
}

std::array<BlockTimer::Share, BlockTimer::shares> BlockTimer::slowest() const noexcept {
  std::array<Share, shares> found{};
  for (const BlockIndex b : in_tick_.indices()) {
    Share at{b, in_tick_[b]};
    for (Share& place : found)
      if (at.block.valid() && at.ns > place.ns) std::swap(at, place);
  }
  return found;
}

} // namespace hilda::session
