// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/quantity/rational.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// What one element of a recorded signal is; a boolean is one byte, 0 or 1.
enum class LogElement : std::uint8_t { f64, i64, u64, boolean };

/// 8 or 1
std::size_t element_bytes(LogElement element);
/// "f64", "i64", "u64", "bool"
const char* element_name(LogElement element);

/// One recorded signal: an output of a block.
struct LogField {
  std::string name; ///< the port: "wrench"
  LogElement element = LogElement::f64;
  std::int64_t rows = 1, cols = 1; ///< both at least 1; a matrix lies column by column
  std::string unit;                ///< as text, "N/m"; empty: a pure number
  std::string doc;
  std::string kind; ///< "wrench", "twist", "pose", "quaternion" (w x y z): its elements have names; empty: plain
  std::vector<std::string> names = {}; ///< of its values from 0 on, where they have some: "red", "moving.slow"

  std::size_t elements() const { return static_cast<std::size_t>(rows * cols); }
  std::size_t bytes() const { return elements() * element_bytes(element); }
  friend bool operator==(const LogField&, const LogField&) = default;
};

/// May a sample be lost? Observed signals follow from what came in and may be dropped on hardware, counted and
/// marked. Acquired ones (device data, operator commands) cannot be had again and are never dropped.
enum class RecordClass : std::uint8_t { observed, acquired };

/// The signals of one block that are sampled together. A block has one channel, or several where `<log>` samples some
/// of its signals more often than others.
struct LogChannel {
  std::string path; ///< of the block, "rig.sensor"; its topic is "/rig/sensor"
  std::string type; ///< of the block, "contact/PhaseLead"; names the message's schema
  RecordClass record_class = RecordClass::observed;
  std::int64_t divider = 1; ///< base ticks a sample: written where the tick is a multiple of it
  std::vector<LogField> fields = {};
  std::string when = {}; ///< boolean signal: only while it is true; empty: always
  bool held = false;     ///< a sample's value lasts until the next: each one of blocks that are not continuous

  friend bool operator==(const LogChannel&, const LogChannel&) = default;
};

/// A file that the run was made of: the diagram, a rig, an overlay.
struct LogFile {
  std::string name;
  std::string media_type = "application/xml";
  std::string text;
};

/// What a log holds. Written before the first sample, so that a log cut by a crash has it whole.
///
/// Metadata keys in use: "version", "git", "seed", "mode", "parameters" (JSON), "diagram" (name of the file among
/// `files`), "overlays" (JSON list), "plugins" (JSON: name to hash). Others are kept as they are.
struct LogSchema {
  Rational period{1, 1000}; ///< s, of the base tick
  std::vector<LogChannel> channels;
  std::map<std::string, std::string> metadata;
  std::map<std::string, std::string> aliases; ///< other name to signal: "rig.wrench" to "rig.sensor.wrench"
  std::vector<LogFile> files;                 ///< the diagram first
};

/// What keeps a schema from being recorded, in words: a name missing or given twice, a shape without elements, a
/// divider below 1, more channels than the file format numbers (65000); empty where it is sound.
std::string schema_fault(const LogSchema& schema);

/// Time of a tick in s, correctly rounded as long as tick * numerator is below 2^53.
double seconds_at(const Rational& period, std::int64_t tick);
/// Time of a tick in ns, rounded to nearest, up to 292 years.
std::int64_t nanoseconds_at(const Rational& period, std::int64_t tick);
/// Completes "the times of a log are ...", of a tick that has no log_time.
inline constexpr const char* log_time_range = "ns in 64 bits, which end after 584 years";
/// A message's log_time: the same in the 64 bits that MCAP has for it. None: the tick is later than 584 years.
std::optional<std::uint64_t> log_time_at(const Rational& period, std::int64_t tick);
/// Is it that? Of a period, a tick and a time of unknown origin.
bool is_time_of(const Rational& period, std::int64_t tick, std::uint64_t nanoseconds);
/// "1/1000" s, as it is in a log; none where the text is something else.
std::optional<Rational> period_from(const std::string& text);

/// Names of a field's elements, to be put behind its name: ".force.x", "[2]", "[1][2]" (row, column), or "" for a
/// scalar; `index` counts in memory order.
std::string element_suffix(const LogField& field, std::size_t index);

/// Elements of a field named by the text behind the field's name: "", ".force", ".force.x", "[2]", "[1][2]",
/// "[1,2]". Counted from 0. `count` 0: there is none of that name.
struct ElementRange {
  std::size_t first = 0, count = 0;
};
ElementRange elements_named(const LogField& field, const std::string& suffix);

} // namespace hilda::log
