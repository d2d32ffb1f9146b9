// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a bad network does to packets, on purpose and reproducibly: for simulated devices.

#include <hilda/random.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hilda::net {

/// Probabilities for each packet.
struct Faults {
  double drop = 0, duplicate = 0, reorder = 0, corrupt = 0, truncate = 0;
  double delay = 0, delay_probability = 0; ///< delay: as the time of `send`
  double spoil = 0;                        ///< by the function that `send` is given
  std::uint64_t most_bits = 1;             ///< that turn in a corrupt packet
};

/// Packets of up to `Bytes` bytes go in, and out through a function, damaged as asked. The damage is drawn from the
/// seed and the packet's number alone, and every packet draws the same numbers, so that one fault leaves the others
/// where they are. Where more than `Held` packets are on their way, the next is not delayed.
template <std::size_t Bytes, std::size_t Held = 256> class FaultyLine {
public:
  static constexpr std::size_t most_bytes = Bytes;
  struct Counts {
    std::int64_t dropped = 0, duplicated = 0, reordered = 0, corrupted = 0, truncated = 0, delayed = 0;
  };

  /// Takes the memory for packets on their way, and forgets those that were.
  void reset() {
    held_.assign(Held, {});
    swapped_.assign(1, {});
    counts_ = {};
  }
  void set(const Faults& faults, std::uint64_t seed) { faults_ = faults, seed_ = seed; }
  const Counts& counts() const { return counts_; }

  /// [loop] Packet `number`, to be sent at `time`: `out(bytes)` is called for each that leaves. `packet` may be
  /// changed.
  template <typename Send, typename Spoil>
  void send(std::span<std::uint8_t> packet, std::int64_t number, double time, Send&& out, Spoil&& spoil) {
    const Fate fate = draw(number);
    const bool waiting = swapped_[0].due != never;
    if (fate.drop)
      ++counts_.dropped;
    else
      pass(damaged(packet, fate, spoil), fate, time, out);
    if (waiting) let_go(swapped_[0], out); // its successor has overtaken it
  }
  template <typename Send> void send(std::span<std::uint8_t> packet, std::int64_t number, double time, Send&& out) {
    send(packet, number, time, out, [](std::span<std::uint8_t>) {});
  }

  /// [loop] Sends what was held until `time`.
  template <typename Send> void release(double time, Send&& out) {
    for (Packet& packet : held_)
      if (packet.due <= time) let_go(packet, out);
  }

private:
  static constexpr double never = 1e300;
  struct Fate {
    bool drop, twice, corrupt, truncate, spoil, swap, late;
    std::uint64_t bits;
  };
  struct Packet {
    std::array<std::uint8_t, Bytes> bytes{};
    std::size_t size = 0;
    double due = never;
  };

  Fate draw(std::int64_t number) const {
    Generator random(Generator::mix(seed_ + static_cast<std::uint64_t>(number)));
    const auto happens = [&](double probability) { return random.uniform() < probability; };
    Fate fate{};
    fate.drop = happens(faults_.drop);
    fate.twice = happens(faults_.duplicate);
    fate.corrupt = happens(faults_.corrupt);
    fate.truncate = happens(faults_.truncate);
    fate.spoil = happens(faults_.spoil);
    fate.swap = happens(faults_.reorder);
    fate.late = happens(faults_.delay_probability);
    fate.bits = random.bits();
    return fate;
  }

  template <typename Spoil>
  std::span<std::uint8_t> damaged(std::span<std::uint8_t> packet, const Fate& fate, Spoil& spoil) {
    if (fate.spoil) spoil(packet);
    if (fate.corrupt && !packet.empty()) {
      Generator random(fate.bits);
      for (std::uint64_t n = 1 + fate.bits % faults_.most_bits; n > 0; --n) {
        std::uint8_t& byte = packet[random.bits() % packet.size()];
        byte = static_cast<std::uint8_t>(byte ^ (1u << (random.bits() % 8)));
      }
      ++counts_.corrupted;
    }
    if (!fate.truncate || packet.empty()) return packet;
    ++counts_.truncated;
    return packet.first(fate.bits % packet.size());
  }

  template <typename Send> void pass(std::span<const std::uint8_t> packet, const Fate& fate, double time, Send& out) {
    if (fate.late && hold(packet, time + faults_.delay)) return;
    if (fate.swap && !fate.late && put(swapped_[0], packet, time)) {
      ++counts_.reordered;
      return;
    }
    out(packet);
    if (fate.twice) out(packet), ++counts_.duplicated;
  }

  bool hold(std::span<const std::uint8_t> packet, double due) {
    const auto holds = [&](Packet& place) { return put(place, packet, due); };
    if (std::none_of(held_.begin(), held_.end(), holds)) return false;
    ++counts_.delayed;
    return true;
  }
  /// False: there is another one, or no room for it.
  static bool put(Packet& place, std::span<const std::uint8_t> packet, double due) {
    if (place.due != never || packet.size() > Bytes) return false;
    std::copy(packet.begin(), packet.end(), place.bytes.begin());
    place.size = packet.size(), place.due = due;
    return true;
  }
  template <typename Send> static void let_go(Packet& place, Send& out) {
    place.due = never;
    out(std::span<const std::uint8_t>(place.bytes.data(), place.size));
  }

  Faults faults_;
  std::uint64_t seed_ = 0;
  Counts counts_;
  std::vector<Packet> held_, swapped_; ///< swapped_: one, next to the line for its size
};

} // namespace hilda::net
