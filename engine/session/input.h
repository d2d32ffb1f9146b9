// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/parameter_dependencies.h"
#include "engine/modules.h"
#include "engine/run/memory.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hilda::session {

class Inputs;
class LiveRequest;

/// What became of numbers that were given to an input.
enum class Written : std::uint8_t {
  taken,        ///< the next tick has them
  other_size,   ///< more or fewer numbers than it has
  not_finite,   ///< NaN or infinite
  out_of_range, ///< of the block's parameter
  not_whole,    ///< it takes whole numbers, or 0 and 1
  too_fast,     ///< <live> gives a rate to its parameter
  no_room,      ///< from another thread: too much waits for the loop
  gone,         ///< the diagram was loaded again, or its run is over
  other_run     ///< it is an input of another runtime
};

/// Where an input's numbers lie in the record of a block.
struct InputTarget {
  BlockParameter parameter;
  SlotIndex slot{};
  Span span;
  bool prepares = false; ///< its block computes something of them
};

/// A parameter that may change while the diagram runs, or an input of the diagram itself, to be written as numbers.
///
/// Path, unit and shape are settled once, when the handle is made (Tuning::input). A write looks at the range and at
/// nothing else, and copies. The loop takes what was written before its next tick. Numbers are in SI, a matrix column
/// by column.
class Input {
public:
  const std::string& path() const { return path_; }
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  std::size_t size() const { return staged_.size(); }
  /// "N s/m"; empty: a pure number.
  const std::string& unit() const { return unit_; }
  hilda_element element() const { return element_; }
  /// Among those of its runtime, in the order in which they were made.
  std::size_t index() const { return index_; }
  const std::vector<InputTarget>& targets() const { return targets_; }
  /// <live> limits how fast it changes.
  bool rated() const noexcept { return !rated_.empty(); }
  /// Can it still be written?
  bool open() const noexcept { return owner_.load(std::memory_order_acquire) != nullptr; }

  /// [loop] Of the loop's thread, between two ticks: the last of several writes before a tick counts. Nothing is
  /// changed where it is refused. Other threads take Tuning::post.
  Written write(std::span<const double> numbers) noexcept;
  Written write(double number) noexcept { return write(std::span(&number, 1)); }
  /// Would these numbers be taken?
  Written look(std::span<const double> numbers) const noexcept;
  /// Why they were not, in words with both sides.
  std::string refusal(Written why, std::span<const double> numbers) const;

private:
  friend class Inputs;
  Input() = default;
  Written refused(std::span<const double> numbers) const noexcept;

  std::string path_, unit_, range_;
  int rows_ = 1, cols_ = 1;
  std::size_t index_ = 0; ///< among those of its runtime
  hilda_element element_ = HILDA_F64;
  double least_ = 0, most_ = 0;    ///< both included
  std::vector<std::string> rated_; ///< see FoundInput
  double rate_ = 0;                ///< 1/s
  std::vector<InputTarget> targets_;
  std::atomic<Inputs*> owner_{nullptr};
  // the loop's own
  std::vector<std::uint64_t> staged_; ///< as records have them, a word each
  std::vector<std::uint64_t> head_;   ///< see input_head
  bool waiting_ = false;              ///< what is staged was not taken yet
  Input* next_ = nullptr;             ///< that waits
  // what the loop has taken, for everybody: read again where `version_` has changed meanwhile
  std::unique_ptr<std::atomic<std::uint64_t>[]> shown_;
  std::atomic<std::uint64_t> version_{0}; ///< odd while it changes
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::min();
  std::atomic<std::int64_t> since_{never}; ///< the first tick that the system's texts do not have yet
  std::atomic<std::int64_t> moved_{never}; ///< the tick before which its numbers changed last, by whomever
  std::uint64_t posts_staged_ = 0;         ///< [loop]
  std::atomic<std::uint64_t> posts_taken_{0};
  // under Tuning's lock
  std::uint64_t posts_ = 0;                 ///< of other threads
  std::uint64_t settled_ = 0;               ///< the version that the system's texts have
  std::shared_ptr<LiveRequest> settled_as_; ///< null: something else has been set since
};

/// Numbers for one of several inputs that are written together.
struct InputNumbers {
  Input* input = nullptr;
  std::span<const double> numbers;
};

} // namespace hilda::session
