// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/frame_layout.h"
#include "engine/log/frame_ring.h"
#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::log {

/// Where a recorded signal lies while the loop runs.
struct RecordSource {
  std::size_t channel = 0; ///< index into LogSchema::channels
  std::size_t field = 0;   ///< index into its fields
  const void* data = nullptr;
  std::size_t bytes = 0;              ///< must be the field's
  const std::uint8_t* when = nullptr; ///< of a channel with a condition: its signal, 0 or 1
};

/// What became of a tick.
enum class RecordStatus {
  recorded,
  observed_lost, ///< acquired samples are in the log, observed ones are not; counted and marked there
  no_room        ///< nothing is in the log. Simulation: wait and record again. Hardware: acquired data is lost
};

/// What to do where the log's thread is behind.
enum class WhenFull {
  wait,         ///< simulation: lose nothing, `record` answers no_room
  drop_observed ///< hardware: half of the ring is kept for acquired samples
};

/// The loop's side of a log: copies the recorded signals of a tick into the ring.
///
/// `record`, `event` and `has_room` are for the loop's thread: copies only, no allocation, lock or system call.
class Recorder {
public:
  /// Every field of every channel of `schema` needs one source; else none, and `error` says which and why.
  static std::optional<Recorder> create(const LogSchema& schema, const std::vector<RecordSource>& sources,
                                        FrameRing& ring, WhenFull when_full, std::string& error);

  /// Copies the samples due at `tick` (0, 1, 2, ... in base ticks).
  RecordStatus record(std::int64_t tick) noexcept;

  /// Notes something that has no fixed size: an operator's command, a changed parameter, a stop and its reason.
  /// Never dropped in favour of samples; false where there is no room or the texts exceed `largest_event`.
  bool event(std::int64_t tick, std::string_view kind, std::string_view text) noexcept;
  static constexpr std::size_t largest_event = 2048;

  /// What programs have written before `tick`: room for an event of so many bytes (see input_head), which the caller
  /// fills before it calls `end_numbers`; null: there is none.
  std::byte* begin_numbers(std::int64_t tick, std::size_t bytes) noexcept {
    std::byte* const target = ring_->reserve(sizeof(FrameHeader) + bytes);
    if (target == nullptr) return nullptr;
    const FrameHeader header{.tick = tick, .lost = lost_, .kind = FrameHeader::Kind::numbers};
    std::memcpy(target, &header, sizeof header);
    return target + sizeof header;
  }
  void end_numbers() noexcept { ring_->commit(); }

  /// Is there room for any tick? Where `record` then follows, it does not answer no_room.
  bool has_room() noexcept { return ring_->has_room(largest_); }
  /// Simulation, outside of the loop's trapped part: sleeps until `has_room`. It ends even if the disk is full, for
  /// the log's thread then empties the ring without writing.
  void wait_for_room() noexcept;

  /// Ticks whose observed samples were lost.
  std::uint64_t lost() const { return lost_; }

private:
  struct Copy {
    const void* source = nullptr;
    std::size_t offset = 0, bytes = 0; ///< offset from the group's first byte
  };
  struct Group {
    RecordClass record_class = RecordClass::observed;
    std::int64_t divider = 1;
    std::size_t bytes = 0;
    std::vector<Copy> copies = {};
    std::vector<std::size_t> padding = {}; ///< words that booleans fill in part: zeroed first
    const std::uint8_t* when = nullptr;    ///< null: always

    bool due(std::int64_t tick) const { return divider == 1 || tick % divider == 0; }
    bool wanted() const { return when == nullptr || *when != 0; }
    std::size_t presence() const { return when == nullptr ? 0 : FrameLayout::presence; }
  };

  Recorder(FrameRing& ring, WhenFull when_full, std::size_t largest);
  void join_neighbours();
  static void gather(const Group& group, std::byte* target) noexcept;
  static std::byte* put(const Group& group, std::byte* target) noexcept;
  std::byte* reserve(std::size_t all, std::size_t acquired, FrameHeader& header) noexcept;

  FrameRing* ring_;
  WhenFull when_full_;
  std::size_t largest_;
  std::uint64_t lost_ = 0;
  std::vector<Group> groups_;
};

} // namespace hilda::log
