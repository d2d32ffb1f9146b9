// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What ideal runs of this process have come through: runs of a study that differ in delay, method or noise have the
// same ideal run, and it is computed once.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hilda {

/// The state of an ideal run, bit for bit.
using IdealState = std::array<std::uint64_t, 35>;

/// One way of an ideal run from its beginning, update by update. It never changes.
struct IdealPast {
  std::vector<std::uint64_t> given; ///< all that it depends on but the walls: parameters and period
  std::vector<std::uint64_t> walls;
  IdealState begin{};
  struct Step {
    std::int64_t wanted = 0; ///< the contact that was asked for
    IdealState state{};      ///< behind the update
  };
  std::vector<Step> steps;

  const IdealState& before(std::size_t step) const { return step == 0 ? begin : steps[step - 1].state; }
};

/// The pasts of a process, those used last first. Any thread.
class IdealPasts {
public:
  using Some = std::vector<std::shared_ptr<const IdealPast>>;

  /// Those with these parameters, whatever their walls.
  Some of(const std::vector<std::uint64_t>& given) {
    const std::lock_guard lock(mutex_);
    const auto others =
        std::stable_partition(all_.begin(), all_.end(), [&](const auto& past) { return past->given == given; });
    return {all_.begin(), others};
  }

  /// Instead of a shorter one of the same run. What has not been used for longest is forgotten.
  void keep(IdealPast past) {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(all_.begin(), all_.end(), [&](const auto& other) {
      return other->given == past.given && other->walls == past.walls && other->begin == past.begin;
    });
    if (known != all_.end()) {
      if ((*known)->steps.size() >= past.steps.size()) return;
      all_.erase(known);
    }
    all_.insert(all_.begin(), std::make_shared<const IdealPast>(std::move(past)));
    std::size_t steps = 0, kept = 0;
    while (kept < all_.size() && kept < most && (steps += all_[kept]->steps.size()) <= most_steps) ++kept;
    all_.resize(kept);
  }

private:
  static constexpr std::size_t most = 64, most_steps = 16384; // 290 bytes each
  std::mutex mutex_;
  Some all_;
};

inline IdealPasts& ideal_pasts() {
  static IdealPasts pasts;
  return pasts;
}

/// One ideal run's part in it: takes what is known, and leaves behind what it has found. Only `after` and `note` are
/// for the loop: they neither lock nor allocate.
class IdealMemory {
public:
  IdealMemory() = default;
  ~IdealMemory() { leave(); }
  IdealMemory(const IdealMemory&) = delete;
  IdealMemory& operator=(const IdealMemory&) = delete;

  /// Before the first update.
  void open(std::vector<std::uint64_t> given) {
    leave();
    found_ = {};
    known_ = ideal_pasts().of(given);
    found_.given = std::move(given);
    found_.steps.reserve(most_found);
    found_.walls.reserve(most_walls);
    past_ = nullptr;
    at_ = 0, started_ = lost_ = false;
  }

  /// The state behind an update that begins with `state` and asks for contact `wanted`; null: no one knows yet.
  template <typename Walls>
  const IdealState* after(const IdealState& state, std::int64_t wanted, const Walls& walls) noexcept {
    if (!started_) start(state, walls);
    lost_ = lost_ || !same(walls);
    if (lost_ || past_ == nullptr || at_ >= past_->steps.size()) return nullptr;
    const IdealPast::Step& step = past_->steps[at_];
    if (step.wanted != wanted || past_->before(at_) != state) return nullptr;
    ++at_;
    return &step.state;
  }

  /// What has been computed where no one knew it.
  void note(const IdealState& before, std::int64_t wanted, const IdealState& behind) noexcept {
    const std::size_t known = past_ != nullptr ? past_->steps.size() : 0;
    const IdealState& last =
        found_.steps.empty() ? (known > 0 ? past_->before(known) : found_.begin) : found_.steps.back().state;
    lost_ = lost_ || at_ != known + found_.steps.size() || last != before; // it was set back, or goes another way
    if (lost_ || found_.steps.size() == most_found) return;
    found_.steps.push_back({wanted, behind});
    ++at_;
  }

private:
  static constexpr std::size_t most_found = 256, most_walls = 64 * 11;

  template <typename Walls> void start(const IdealState& state, const Walls& walls) noexcept {
    started_ = true;
    lost_ = static_cast<std::size_t>(walls.size()) > found_.walls.capacity();
    if (lost_) return;
    found_.begin = state;
    for (const double number : walls.reshaped()) found_.walls.push_back(std::bit_cast<std::uint64_t>(number));
    for (const auto& past : known_)
      if (past->walls == found_.walls && past->begin == state) past_ = past.get();
  }

  template <typename Walls> bool same(const Walls& walls) const noexcept {
    const auto numbers = walls.reshaped();
    return std::equal(numbers.begin(), numbers.end(), found_.walls.begin(), found_.walls.end(),
                      [](double number, std::uint64_t word) { return std::bit_cast<std::uint64_t>(number) == word; });
  }

  void leave() {
    if (found_.steps.empty()) return;
    if (past_ != nullptr) found_.steps.insert(found_.steps.begin(), past_->steps.begin(), past_->steps.end());
    ideal_pasts().keep(std::move(found_));
  }

  IdealPasts::Some known_;
  const IdealPast* past_ = nullptr; ///< of those known, the one with these walls
  IdealPast found_;                 ///< its steps continue where those of `past_` end
  std::size_t at_ = 0;              ///< updates so far
  bool started_ = false, lost_ = false;
};

} // namespace hilda
