#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace hilda::kuka {

/// What a bad network does to packets, drawn from a seed and the packet's number alone.
class PacketFaults {
public:
  struct Rates {
    std::uint64_t seed = 0;
    double drop = 0, duplicate = 0, reorder = 0, corrupt = 0, truncate = 0, not_a_number = 0; ///< a packet
    double delay_probability = 0;
    std::int64_t delay = 0; ///< packets
  };
  static constexpr std::size_t most_bytes = 8192;

  /// Takes the memory for packets that are held back.
  void reserve();
  void set(const Rates& rates) { rates_ = rates; }

  /// [loop] Passes packet `number` on: never, once, twice, changed, or with a later one. `send(bytes)` is called for
  /// each that leaves now. `packet` may be changed.
  template <typename Send> void pass(std::span<char> packet, std::int64_t number, Send send) {
    const Fate fate = draw(number);
    if (fate.not_a_number) spoil_number(packet);
    if (fate.corrupt) flip_bits(packet, fate.bits);
    if (fate.truncate) packet = packet.first(fate.bits % (packet.size() + 1));
    const bool kept = !fate.drop && fate.hold > 0 && hold(packet, number + fate.hold);
    // A packet due now leaves behind the newer one: that is what makes it late.
    if (!fate.drop && !kept) {
      send(std::span<const char>(packet));
      if (fate.duplicate) send(std::span<const char>(packet));
    }
    for (Held& held : held_) {
      if (held.due < 0 || held.due > number) continue;
      send(std::span<const char>(held.bytes.data(), held.size));
      held.due = -1;
    }
  }

private:
  struct Fate {
    bool drop, duplicate, corrupt, truncate, not_a_number;
    std::int64_t hold;
    std::uint64_t bits;
  };
  struct Held {
    std::int64_t due = -1;
    std::size_t size = 0;
    std::array<char, most_bytes> bytes{};
  };
  Fate draw(std::int64_t number) const;
  bool hold(std::span<const char> packet, std::int64_t due);
  static void flip_bits(std::span<char> packet, std::uint64_t bits);
  static void spoil_number(std::span<char> packet);

  Rates rates_;
  std::vector<Held> held_;
};

} // namespace hilda::kuka
