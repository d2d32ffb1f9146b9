#include "engine/live/timeline.h"

#include <algorithm>

namespace hilda {

Timeline::Timeline(Runtime& runtime, Tuning& tuning, std::size_t budget)
    : runtime_(runtime), tuning_(tuning), budget_(budget), due_(runtime.tick()) {
  const std::vector<std::string> outside = runtime.without_checkpoint();
  if (!outside.empty()) obstacle_ = "the state of '" + outside.front() + "' lies outside of the engine";
  note();
}

void Timeline::note() {
  if (!obstacle_.empty() || runtime_.tick() < due_ || runtime_.stopping()) return;
  past_.push_back({runtime_.checkpoint(), runtime_.solver().counts()});
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
  const std::vector<TakenChange> changes = tuning_.taken();
  tuning_.take_back_to(from.tick);
  if (!runtime_.go_back(from)) return false;
  runtime_.count_from(past_.back().counted);
  due_ = from.tick + interval_;
  const auto run_to = [this](std::int64_t until) {
    while (runtime_.tick() < until && runtime_.step()) {}
  };
  for (std::size_t i = tuning_.kept(); i < changes.size(); ++i) {
    const TakenChange& change = changes[i];
    if (change.tick < from.tick || change.tick >= tick) continue;
    run_to(change.tick);
    Diagnostics unheard; // it was taken before
    tuning_.set(change.settings, nullptr, unheard);
  }
  run_to(tick);
  return runtime_.tick() == tick;
}

} // namespace hilda
