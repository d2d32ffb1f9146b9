// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Raw Data Transfer (RDT), the UDP protocol of ATI's Net F/T and FTN-Axia boxes: requests of 8 bytes go to the box,
// records of 36 bytes come back; all numbers are big-endian (ATI 9105-05-1041, chapter on UDP interface using RDT).
// Pure: no sockets, no clocks, no allocation.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace hilda::netft {

/// What a request may ask for. On an FTN-Axia 1 and 2 are the same: one record in each packet, as it is sampled.
enum class Command : std::uint16_t {
  stop = 0x0000,
  start_single_block = 0x0001,
  start_real_time = 0x0002,
  start_buffered = 0x0003,
  start_multi_unit = 0x0004,
  reset_threshold_latch = 0x0041,
  set_software_bias = 0x0042
};

struct Request {
  std::uint16_t command = 0; ///< a Command, or what else a peer asks for
  std::uint32_t count = 0;   ///< records required; 0: without end
};
inline constexpr std::uint16_t request_mark = 0x1234;
inline constexpr std::size_t request_bytes = 8;

std::array<std::uint8_t, request_bytes> encode(Command command, std::uint32_t count);
/// Nothing for any other length or another mark.
std::optional<Request> parse_request(std::span<const std::uint8_t> packet);

/// One sample of the sensor, in counts and in sensor axes.
struct Record {
  std::uint32_t rdt_sequence = 0; ///< of the record in the stream; restarts with each start, and wraps
  std::uint32_t ft_sequence = 0;  ///< of the sample inside the box; wraps
  std::uint32_t status = 0;
  std::array<std::int32_t, 3> force{}, torque{};
};
inline constexpr std::size_t record_bytes = 36;

std::array<std::uint8_t, record_bytes> encode(const Record& record);
/// Nothing for any other length.
std::optional<Record> parse_record(std::span<const std::uint8_t> packet);

/// How far `number` lies ahead of `before` on counters of 32 bits that wrap; negative: it is older.
constexpr std::int32_t ahead(std::uint32_t number, std::uint32_t before) {
  return static_cast<std::int32_t>(number - before);
}

/// A bit of the status word (FTN-Axia manual, system status code).
struct StatusBit {
  int bit;
  bool error;          ///< the wrench must not be used
  const char* name;    ///< "force or torque out of range"
  const char* failure; ///< how a run that it ends says so
};
std::span<const StatusBit> status_bits();
/// The error bit that says most: the lowest named one, bit 31 (any error) only where it is alone. Null: no error.
const StatusBit* worst_error(std::uint32_t status);
/// All that is set, for people: "force or torque out of range (bit 30), any error (bit 31)"; "none".
std::string status_text(std::uint32_t status);

/// Follows a stream of records: keeps the newest, and counts what happened to the others.
///
/// A record is newer where its sequence number is ahead by 65536 at the most. A wrong number (RDT has no checksum), or
/// a stream that was started again, would make all that follow look old: eight strays that follow each other are
/// believed.
class RecordStream {
public:
  struct Limits {
    double force, torque; ///< counts: a component beyond them is not a measurement; infinite: not looked at
  };
  struct Counts {
    std::int64_t received = 0;    ///< records that were newer than all before them
    std::int64_t dropped = 0;     ///< read, and passed over since a newer one had come by then
    std::int64_t gaps = 0;        ///< sequence numbers that never came
    std::int64_t disordered = 0;  ///< came twice or behind a newer one: passed over
    std::int64_t malformed = 0;   ///< packets that are not records
    std::int64_t implausible = 0; ///< beyond the limits: passed over
    std::int64_t resumed = 0;     ///< times that the sequence continued elsewhere
  };

  void set_limits(const Limits& limits) { limits_ = limits; }
  /// Before the packets of a tick.
  void begin() { fresh_ = 0; }
  /// Takes a packet. True: it is the newest record now.
  bool take(std::span<const std::uint8_t> packet);

  bool known() const { return known_; }
  /// a record came since begin()
  bool fresh() const { return fresh_ > 0; }
  const Record& newest() const { return newest_; }
  const Counts& counts() const { return counts_; }
  /// Counts start from here; the newest record stays.
  void reset_counts() { counts_ = {}, fresh_ = 0; }

private:
  bool plausible(const Record& record) const;
  bool stray_is_believed(std::uint32_t sequence);

  Limits limits_{1e300, 1e300};
  Record newest_;
  Counts counts_;
  std::int64_t fresh_ = 0;
  bool known_ = false;
  std::uint32_t last_stray_ = 0;
  int strays_ = 0;
};

} // namespace hilda::netft
