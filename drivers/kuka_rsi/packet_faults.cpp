#include "drivers/kuka_rsi/packet_faults.h"

#include <hilda/random.h>

#include <algorithm>
#include <string_view>

namespace hilda::kuka {

void PacketFaults::reserve() { held_.assign(64, {}); }

PacketFaults::Fate PacketFaults::draw(std::int64_t number) const {
  Generator random(Generator::mix(rates_.seed + static_cast<std::uint64_t>(number)));
  const auto happens = [&](double probability) { return random.uniform() < probability; };
  Fate fate{};
  fate.drop = happens(rates_.drop);
  fate.duplicate = happens(rates_.duplicate);
  fate.corrupt = happens(rates_.corrupt);
  fate.truncate = happens(rates_.truncate);
  fate.not_a_number = happens(rates_.not_a_number);
  fate.hold = happens(rates_.reorder) ? 1 : 0;
  if (happens(rates_.delay_probability)) fate.hold = rates_.delay;
  fate.bits = random.bits();
  return fate;
}

bool PacketFaults::hold(std::span<const char> packet, std::int64_t due) {
  const auto free = std::find_if(held_.begin(), held_.end(), [](const Held& held) { return held.due < 0; });
  if (free == held_.end() || packet.size() > most_bytes) return false;
  std::copy(packet.begin(), packet.end(), free->bytes.begin());
  free->size = packet.size();
  free->due = due;
  return true;
}

void PacketFaults::flip_bits(std::span<char> packet, std::uint64_t bits) {
  if (packet.empty()) return;
  Generator random(bits);
  for (std::uint64_t n = 1 + bits % 8; n > 0; --n) {
    char& byte = packet[random.bits() % packet.size()];
    byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1u << (random.bits() % 8)));
  }
}

void PacketFaults::spoil_number(std::span<char> packet) {
  constexpr std::string_view before = " X=\"";
  const std::size_t at = std::string_view(packet.data(), packet.size()).find(before);
  if (at == std::string_view::npos || at + before.size() + 3 > packet.size()) return;
  constexpr std::string_view number = "NaN";
  std::copy(number.begin(), number.end(), packet.begin() + static_cast<std::ptrdiff_t>(at + before.size()));
}

} // namespace hilda::kuka
