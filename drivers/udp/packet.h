// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The packets of this folder's blocks: numbers with a sequence number, a time and a checksum,
// little-endian. The layout is in docs/udp.md. Pure: no sockets, no clocks, no allocation.

#include <cstddef>
#include <cstdint>
#include <span>

namespace hilda::udp {

inline constexpr std::uint16_t layout_version = 1;
inline constexpr std::size_t head_bytes = 24, checksum_bytes = 4;
/// As many as fit into one Ethernet frame.
inline constexpr std::size_t most_values = 180;
inline constexpr std::size_t most_bytes = head_bytes + 8 * most_values + checksum_bytes;

/// Writes a packet into `to` and returns its length. At most `most_values` values.
std::size_t encode(std::uint64_t sequence, double time, std::span<const double> values,
                   std::span<std::uint8_t, most_bytes> to);

/// A packet as it lies in memory, looked at without a copy.
class PacketView {
public:
  enum class Fault { none, length, magic, version, checksum };

  PacketView() = default;
  /// Looks at any bytes; see fault().
  explicit PacketView(std::span<const std::uint8_t> bytes);

  Fault fault() const { return fault_; }
  // The others only without a fault.
  std::uint64_t sequence() const { return sequence_; }
  double time() const { return time_; } ///< s, on the sender's clock
  std::size_t count() const { return count_; }
  double operator[](std::size_t i) const;

private:
  std::span<const std::uint8_t> bytes_;
  Fault fault_ = Fault::length;
  std::uint64_t sequence_ = 0;
  double time_ = 0;
  std::size_t count_ = 0;
};

/// Follows the packets of one sender: which is the newest, and what happened to the others.
///
/// Only one sender counts at a time, identified by its address and port, and its numbers must grow. After `handover`
/// without a packet that counts, the next sound one is a new beginning, from any sender.
class PacketStream {
public:
  static constexpr std::int64_t handover = 500'000'000; ///< ns
  struct Counts {
    std::int64_t received = 0;  ///< that counted
    std::int64_t lost = 0;      ///< sequence numbers that never came
    std::int64_t late = 0;      ///< came twice, or behind a newer one
    std::int64_t foreign = 0;   ///< of another sender
    std::int64_t malformed = 0; ///< no packets, or of another number of values
  };

  explicit PacketStream(std::size_t values = 0) : values_(values) {}
  /// `sender`: any number that distinguishes senders; `now`: ns on a clock that never goes back. True: it is the
  /// newest.
  bool take(const PacketView& packet, std::uint64_t sender, std::int64_t now);
  const Counts& counts() const { return counts_; }
  std::uint64_t sequence() const { return sequence_; }

private:
  std::size_t values_;
  Counts counts_;
  bool known_ = false;
  std::uint64_t sender_ = 0, sequence_ = 0;
  std::int64_t last_ = 0;
};

} // namespace hilda::udp
