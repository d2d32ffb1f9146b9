// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be packets of numbers, several in one input: whatever they are, the reader keeps its promises.
// Corpus: tests/fuzz/corpus/udp_fuzz.
#include "drivers/udp/packet.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <zlib.h>

namespace {
using namespace hilda::udp;

void check(bool promise) {
  if (!promise) std::abort();
}

void one_packet(PacketStream& stream, std::span<const std::uint8_t> bytes, std::uint64_t sender, std::int64_t now) {
  const PacketView packet(bytes);
  const PacketStream::Counts before = stream.counts();
  const bool taken = stream.take(packet, sender, now);
  const PacketStream::Counts& after = stream.counts();
  check(after.received + after.late + after.foreign + after.malformed ==
        before.received + before.late + before.foreign + before.malformed + 1);
  check(taken == (after.received > before.received) && after.lost >= before.lost);
  if (packet.fault() != PacketView::Fault::none) return;
  std::vector<double> values;
  for (std::size_t i = 0; i < packet.count(); ++i) values.push_back(packet[i]);
  std::array<std::uint8_t, most_bytes> again{};
  const std::size_t length = encode(packet.sequence(), packet.time(), values, again);
  check(length == bytes.size() && std::memcmp(again.data(), bytes.data(), length) == 0);
}

void set_checksum(std::vector<std::uint8_t>& packet) {
  const std::size_t end = packet.size() - checksum_bytes;
  const auto sum = static_cast<std::uint32_t>(crc32(0, packet.data(), static_cast<uInt>(end)));
  for (std::size_t i = 0; i < checksum_bytes; ++i) packet[end + i] = static_cast<std::uint8_t>(sum >> (8 * i) & 0xFFu);
}

} // namespace

/// Each packet follows four bytes: its length (two), its sender, and the time since the one before. A packet's checksum
/// is set right where the sender's number is odd: no fuzzer finds it by itself.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  PacketStream stream(2);
  std::span<const std::uint8_t> left(data, size);
  std::int64_t now = 0;
  while (left.size() >= 4) {
    const std::size_t length = std::min<std::size_t>(left[0] | std::size_t{left[1]} << 8, left.size() - 4);
    const std::uint8_t sender = left[2];
    now += std::int64_t{left[3]} * 10'000'000;
    std::vector<std::uint8_t> packet(left.begin() + 4, left.begin() + 4 + static_cast<std::ptrdiff_t>(length));
    if (sender % 2 == 1 && length >= checksum_bytes) set_checksum(packet);
    one_packet(stream, packet, sender / 2, now);
    left = left.subspan(4 + length);
  }
  return 0;
}
