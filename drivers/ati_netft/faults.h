#pragma once

// What a bad network does to packets, on purpose and reproducibly.

#include <hilda/random.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace hilda::netft {

/// Probabilities for each packet.
struct Faults {
  double drop = 0, duplicate = 0, reorder = 0, corrupt = 0, truncate = 0;
  double delay = 0, delay_probability = 0; ///< s
};

/// Packets of up to `Bytes` bytes go in, and out through a function, damaged as asked. Memory is taken at once: where
/// more than `Held` packets are on their way, the next is not delayed.
template <std::size_t Bytes, std::size_t Held = 256> class FaultyLine {
public:
  struct Counts {
    std::int64_t dropped = 0, duplicated = 0, reordered = 0, corrupted = 0, truncated = 0, delayed = 0;
  };

  void reset(const Faults& faults, std::uint64_t seed) {
    faults_ = faults, state_ = Generator::mix(seed), counts_ = {};
    swapped_.due = never;
    for (Packet& packet : held_) packet.due = never;
  }
  const Counts& counts() const { return counts_; }

  /// [loop] A packet to send at `time` (s).
  template <typename Send> void send(std::span<const std::uint8_t> bytes, double time, Send&& out) {
    Packet packet;
    packet.size = std::min(bytes.size(), Bytes);
    std::copy_n(bytes.begin(), packet.size, packet.bytes.begin());
    // Every packet draws the same numbers, so that one fault leaves the others where they are.
    Generator random(state_);
    const bool drop = random.uniform() < faults_.drop, twice = random.uniform() < faults_.duplicate,
               swap = random.uniform() < faults_.reorder, corrupt = random.uniform() < faults_.corrupt,
               truncate = random.uniform() < faults_.truncate, late = random.uniform() < faults_.delay_probability;
    const double place = random.uniform(), length = random.uniform();
    state_ = Generator::skip(state_, draws);

    if (drop) {
      ++counts_.dropped;
      return;
    }
    if (corrupt && packet.size > 0) {
      const auto bit = static_cast<std::size_t>(place * static_cast<double>(8 * packet.size));
      packet.bytes[bit / 8] = static_cast<std::uint8_t>(packet.bytes[bit / 8] ^ (1u << bit % 8));
      ++counts_.corrupted;
    }
    if (truncate)
      packet.size = static_cast<std::size_t>(length * static_cast<double>(packet.size)), ++counts_.truncated;
    if (late && hold(packet, time + faults_.delay)) return;
    if (swap && swapped_.due == never) {
      swapped_ = packet, swapped_.due = time, ++counts_.reordered;
      return;
    }
    out(std::span<const std::uint8_t>(packet.bytes.data(), packet.size));
    if (twice) out(std::span<const std::uint8_t>(packet.bytes.data(), packet.size)), ++counts_.duplicated;
    if (swapped_.due != never)
      swapped_.due = never, out(std::span<const std::uint8_t>(swapped_.bytes.data(), swapped_.size));
  }

  /// [loop] Sends what was held until `time`.
  template <typename Send> void release(double time, Send&& out) {
    for (Packet& packet : held_) {
      if (packet.due > time) continue;
      packet.due = never;
      out(std::span<const std::uint8_t>(packet.bytes.data(), packet.size));
    }
  }

private:
  static constexpr std::uint64_t draws = 8;
  static constexpr double never = 1e300;
  struct Packet {
    std::array<std::uint8_t, Bytes> bytes{};
    std::size_t size = 0;
    double due = never; ///< s
  };
  bool hold(const Packet& packet, double due) {
    for (Packet& place : held_) {
      if (place.due != never) continue;
      place = packet, place.due = due, ++counts_.delayed;
      return true;
    }
    return false;
  }

  Faults faults_;
  std::uint64_t state_ = 0;
  Counts counts_;
  Packet swapped_;
  std::array<Packet, Held> held_{};
};

} // namespace hilda::netft
