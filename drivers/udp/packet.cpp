// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/udp/packet.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <zlib.h>

namespace hilda::udp {
namespace {

constexpr std::array<std::uint8_t, 4> magic{'h', 'U', 'D', 'P'};

void put(std::uint8_t* to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(value >> (8 * i) & 0xFFu);
}
std::uint64_t get(const std::uint8_t* from, std::size_t bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{from[i]} << (8 * i);
  return value;
}
std::uint32_t checksum(const std::uint8_t* bytes, std::size_t count) {
  return static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(count)));
}

} // namespace

std::size_t encode(std::uint64_t sequence, double time, std::span<const double> values,
                   std::span<std::uint8_t, most_bytes> to) {
  const std::size_t count = std::min(values.size(), most_values), end = head_bytes + 8 * count;
  std::copy(magic.begin(), magic.end(), to.begin());
  put(&to[4], layout_version, 2);
  put(&to[6], count, 2);
  put(&to[8], sequence, 8);
  put(&to[16], std::bit_cast<std::uint64_t>(time), 8);
  for (std::size_t i = 0; i < count; ++i) put(&to[head_bytes + 8 * i], std::bit_cast<std::uint64_t>(values[i]), 8);
  put(&to[end], checksum(to.data(), end), checksum_bytes);
  return end + checksum_bytes;
}

PacketView::PacketView(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
  if (bytes.size() < head_bytes + checksum_bytes || bytes.size() > most_bytes) return;
  if (!std::equal(magic.begin(), magic.end(), bytes.begin())) {
    fault_ = Fault::magic;
    return;
  }
  if (get(&bytes[4], 2) != layout_version) {
    fault_ = Fault::version;
    return;
  }
  count_ = static_cast<std::size_t>(get(&bytes[6], 2));
  const std::size_t end = head_bytes + 8 * count_;
  if (bytes.size() != end + checksum_bytes) return;
  if (get(&bytes[end], checksum_bytes) != checksum(bytes.data(), end)) {
    fault_ = Fault::checksum;
    return;
  }
  sequence_ = get(&bytes[8], 8);
  time_ = std::bit_cast<double>(get(&bytes[16], 8));
  fault_ = Fault::none;
}

double PacketView::operator[](std::size_t i) const {
  return std::bit_cast<double>(get(&bytes_[head_bytes + 8 * i], 8));
}

bool PacketStream::take(const PacketView& packet, std::uint64_t sender, std::int64_t now) {
  if (packet.fault() != PacketView::Fault::none || packet.count() != values_) {
    ++counts_.malformed;
    return false;
  }
  const bool anew = !known_ || now - last_ > handover;
  if (!anew && sender != sender_) {
    ++counts_.foreign;
    return false;
  }
  if (!anew && packet.sequence() <= sequence_) {
    ++counts_.late;
    return false;
  }
  if (!anew) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    counts_.lost += static_cast<std::int64_t>(std::min(packet.sequence() - sequence_ - 1, most));
  }
  ++counts_.received;
  known_ = true, sender_ = sender, sequence_ = packet.sequence(), last_ = now;
  return true;
}

} // namespace hilda::udp
