// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::log {

/// How a channel's fields lie in its sample: those of 8 bytes first, then the booleans, so that nothing is padded
/// inside and the sample is also the body of the message as CDR aligns it.
struct SampleLayout {
  std::vector<std::size_t> offsets; ///< of each field, in the channel's order
  std::size_t bytes = 0;            ///< without padding at the end
};
SampleLayout sample_layout(const LogChannel& channel);

/// Where the samples of several channels lie in one message: one behind the other, as CDR aligns what each begins with.
struct MessageLayout {
  std::vector<std::size_t> offsets; ///< of each sample, from the byte behind the tick
  std::vector<std::size_t> sizes;   ///< of each sample
  std::size_t bytes = 0;            ///< without padding at the end
};
MessageLayout message_layout(std::span<const LogChannel> channels);

/// "rig" of "rig.sensor"; empty for what stands outermost.
std::string_view subsystem_of(std::string_view path);

/// The head of a frame, before its samples.
struct FrameHeader {
  enum class Kind : std::uint32_t { samples, event, numbers };
  std::int64_t tick = 0;
  std::uint64_t lost = 0; ///< ticks whose observed samples were lost up to this one, itself included
  Kind kind = Kind::samples;
  std::uint32_t observed = 1; ///< 0: the observed samples of this tick are missing
};

/// The channels of one class, rate, condition and subsystem. They lie in a frame as in their message, behind its tick.
struct FrameGroup {
  struct Sample {
    std::size_t channel = 0; ///< index into LogSchema::channels
    std::size_t offset = 0;  ///< from the group's first byte
    std::size_t bytes = 0;
  };
  std::string subsystem;
  RecordClass record_class = RecordClass::observed;
  std::int64_t divider = 1;
  bool conditional = false;      ///< a word precedes its samples: 0 where they are left out
  std::size_t message_bytes = 0; ///< up to the last sample's end
  std::size_t bytes = 0;         ///< in the frame: a multiple of 8
  std::vector<Sample> samples;   ///< in the order of their channels

  bool due(std::int64_t tick) const { return divider == 1 || tick % divider == 0; }
};

/// A frame is its header and then the groups due at its tick, acquired before observed, fast before slow. Both ends
/// of the ring know it from the schema, so a frame carries no description of itself.
struct FrameLayout {
  static constexpr std::size_t presence = sizeof(std::uint64_t); ///< bytes before a conditional group
  std::vector<FrameGroup> groups;
  std::size_t largest = sizeof(FrameHeader); ///< bytes of a frame in which all are due
};
FrameLayout frame_layout(const LogSchema& schema);

} // namespace hilda::log
