// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/timeline.h"

#include <algorithm>

namespace hilda::session {

Timeline::Timeline(Runtime& runtime, Tuning& tuning, std::size_t budget)
    : runtime_(runtime), tuning_(tuning), budget_(budget), due_(runtime.tick()) {
  const std::vector<std::string> outside = runtime.without_checkpoint();
  if (!outside.empty()) obstacle_ = "the state of '" + outside.front() + "' lies outside of the engine";
  tuning.remember_numbers();
  note();
}

std::int64_t Timeline::begin() const {
  for (const Past& each : past_)
    if (each.tick() >= tuning_.numbers_begin()) return each.tick();
  return past_.empty() ? 0 : runtime_.tick();
}

void Timeline::note() {
  if (!obstacle_.empty() || runtime_.tick() < due_ || runtime_.stopping()) return;
  past_.push_back({runtime_.checkpoint(), runtime_.solver().counts(), tuning_.numbers()});
  bytes_ += past_.back().bytes();
  due_ = runtime_.tick() + interval_;
  if (bytes_ > budget_) thin_out();
}

/// The first stays, and of the others every second.
void Timeline::thin_out() {
  if (past_.size() < 3) return;
  std::vector<Past> kept;
  for (std::size_t i = 0; i < past_.size(); i += 2) kept.push_back(std::move(past_[i]));
  past_ = std::move(kept);
  bytes_ = 0;
  for (const Past& each : past_) bytes_ += each.bytes();
  interval_ *= 2;
  due_ = past_.back().tick() + interval_;
}

bool Timeline::go_to(std::int64_t tick) {
  if (!obstacle_.empty() || past_.empty() || tick < begin() || tick > runtime_.tick()) return false;
  while (past_.back().tick() > tick) {
    bytes_ -= past_.back().bytes();
    past_.pop_back();
  }
  const Checkpoint& from = past_.back().checkpoint;
  if (from.tick < tuning_.numbers_begin()) return false;
  const std::vector<TakenChange> changes = tuning_.taken();
  const std::vector<InputPast::Entry> numbers = tuning_.numbers_between(from.tick, tick);
  tuning_.take_back_to(from.tick);
  tuning_.put_numbers(past_.back().numbers); // before the solver is as it was
  if (!runtime_.go_back(from)) return false;
  runtime_.count_from(past_.back().counted);
  due_ = from.tick + interval_;
  return take_again(changes, numbers, from.tick, tick);
}

/// What came from outside from tick `from` on, in the order in which it came, and the ticks between.
bool Timeline::take_again(const std::vector<TakenChange>& changes, const std::vector<InputPast::Entry>& numbers,
                          std::int64_t from, std::int64_t until) {
  const auto run_to = [this](std::int64_t to) {
    if (runtime_.tick() < to) tuning_.take(nullptr);
    while (runtime_.tick() < to && runtime_.step()) {}
  };
  auto number = numbers.begin();
  const auto write_up_to = [&](std::size_t texts) {
    for (; number != numbers.end() && number->texts_before <= texts; ++number) {
      run_to(number->tick);
      tuning_.write_again(*number);
    }
  };
  std::size_t texts = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const TakenChange& change = changes[i];
    if (change.by_numbers) continue;
    if (i >= tuning_.kept() && change.tick >= from && change.tick < until) {
      write_up_to(texts);
      run_to(change.tick);
      Diagnostics unheard; // it was taken before
      tuning_.set(change.settings, nullptr, unheard);
    }
    ++texts;
  }
  write_up_to(texts);
  run_to(until);
  return runtime_.tick() == until;
}

} // namespace hilda::session
