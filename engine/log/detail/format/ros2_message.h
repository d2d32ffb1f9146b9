// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hilda::log {

/// A message type in ROS 2's interface language, with all types that it refers to.
struct Ros2Type {
  std::string name; ///< "hilda_msgs/msg/PhaseLead"
  std::string text;
};

/// The type of the messages of a subsystem's channels: `int64 tick` and then a part for each block, in it the fields as
/// `sample_layout` orders them. A wrench, twist or pose is a part of named parts; other vectors and matrices are
/// arrays, matrices column by column. Names are bent to ROS 2's rules (lower case, single underscores); the true ones
/// are in the channel's metadata.
Ros2Type ros2_type(std::span<const LogChannel> channels);
/// Of the log's own channels: what an operator did, and how many ticks of observed signals are lost.
Ros2Type ros2_event_type();
Ros2Type ros2_lost_type();

/// "rig.arm" to "/rig/arm"
std::string ros2_topic(const std::string& path);

/// Of the blocks outside of all subsystems.
inline constexpr const char* outermost_topic = "/diagram";
inline constexpr const char* event_topic = "/hilda/events";
inline constexpr const char* lost_topic = "/hilda/lost_ticks";
/// Where a channel's description (JSON) is in its metadata.
inline constexpr const char* channel_key = "hilda";
/// Names of the file's metadata records: what the caller gave, what the log itself needs, what is known at the end.
inline constexpr const char* run_record = "hilda";
inline constexpr const char* log_record = "hilda.log";
inline constexpr const char* end_record = "hilda.end";

/// A message's first bytes: CDR, plain, little-endian; then the tick.
inline constexpr std::size_t cdr_head = 4;
inline constexpr std::size_t message_prefix = cdr_head + 8;

} // namespace hilda::log
