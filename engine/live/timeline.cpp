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
  checkpoints_.push_back(runtime_.checkpoint());
  bytes_ += checkpoints_.back().bytes.size();
  due_ = runtime_.tick() + interval_;
  if (bytes_ > budget_) thin_out();
}

/// The first stays, and of the others every second.
void Timeline::thin_out() {
  if (checkpoints_.size() < 3) return;
  std::vector<Checkpoint> kept;
  for (std::size_t i = 0; i < checkpoints_.size(); i += 2) kept.push_back(std::move(checkpoints_[i]));
  checkpoints_ = std::move(kept);
  bytes_ = 0;
  for (const Checkpoint& each : checkpoints_) bytes_ += each.bytes.size();
  interval_ *= 2;
  due_ = checkpoints_.back().tick + interval_;
}

bool Timeline::go_to(std::int64_t tick) {
  if (!obstacle_.empty() || checkpoints_.empty() || tick < begin() || tick > runtime_.tick()) return false;
  while (checkpoints_.back().tick > tick) {
    bytes_ -= checkpoints_.back().bytes.size();
    checkpoints_.pop_back();
  }
  const Checkpoint& from = checkpoints_.back();
  const std::vector<TakenChange> changes = tuning_.taken();
  tuning_.take_back_to(from.tick);
  if (!runtime_.go_back(from)) return false;
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
