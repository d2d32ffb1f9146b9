// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hilda::session {

/// What was written to inputs, tick by tick, for the way back: within memory that is taken once. Where it is full the
/// oldest is forgotten, and the way back begins later.
class InputPast {
public:
  static constexpr std::size_t default_words = std::size_t{1} << 21; ///< 16 MB, taken as it fills

  struct Entry {
    std::int64_t tick = 0;
    std::uint64_t texts_before = 0; ///< so many requests of texts had been taken
    std::size_t input = 0;          ///< index among those of the runtime
    std::vector<std::uint64_t> words;
  };

  /// @param words  a power of two
  void make_room(std::size_t words = default_words);
  bool made() const { return words_ != nullptr; }
  /// [loop]
  void add(std::int64_t tick, std::uint64_t texts_before, std::size_t input,
           std::span<const std::uint64_t> words) noexcept;
  /// The first tick from which on nothing is forgotten.
  std::int64_t begin() const { return begin_; }
  /// Of ticks from `first` up to one before `end`.
  std::vector<Entry> between(std::int64_t first, std::int64_t end) const;
  /// Forgets what was written at `tick` and later.
  void cut(std::int64_t tick);
  /// Forgets all: the run continues from another past.
  void clear();

private:
  static constexpr std::size_t head = 4; ///< tick, texts, input, number of words
  std::uint64_t& at(std::size_t place) const { return words_[place & (room_ - 1)]; }
  std::int64_t tick_at(std::size_t place) const { return static_cast<std::int64_t>(at(place)); }
  std::size_t size_at(std::size_t place) const { return head + at(place + 3); }

  std::unique_ptr<std::uint64_t[]> words_;
  std::size_t room_ = 0;
  std::size_t first_ = 0, end_ = 0; ///< places only grow
  std::int64_t begin_ = 0;
};

} // namespace hilda::session
