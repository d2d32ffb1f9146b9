// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/ati_netft/rdt.h"

#include <bit>
#include <cmath>

namespace hilda::netft {
namespace {

void put16(std::uint8_t* to, std::uint16_t v) {
  to[0] = static_cast<std::uint8_t>(v >> 8);
  to[1] = static_cast<std::uint8_t>(v & 0xFFu);
}
void put32(std::uint8_t* to, std::uint32_t v) {
  put16(to, static_cast<std::uint16_t>(v >> 16));
  put16(to + 2, static_cast<std::uint16_t>(v & 0xFFFFu));
}
std::uint32_t get16(const std::uint8_t* from) { return std::uint32_t{from[0]} << 8 | std::uint32_t{from[1]}; }
std::uint32_t get32(const std::uint8_t* from) { return get16(from) << 16 | get16(from + 2); }

constexpr int any_error = 31;
#define HILDA_NETFT_ERROR(bit, name)                                                                                   \
  { bit, true, name, "the sensor reports an error: " name " (status bit " #bit ")" }
constexpr StatusBit known_bits[] = {
    HILDA_NETFT_ERROR(0, "temperature out of range"),
    HILDA_NETFT_ERROR(1, "supply voltage out of range"),
    HILDA_NETFT_ERROR(2, "broken strain gage"),
    HILDA_NETFT_ERROR(3, "busy, its samples are not measurements"),
    {16, false, "monitor condition latched", ""},
    HILDA_NETFT_ERROR(27, "strain gage out of range"),
    HILDA_NETFT_ERROR(28, "simulated samples"),
    HILDA_NETFT_ERROR(29, "calibration checksum wrong"),
    HILDA_NETFT_ERROR(30, "force or torque out of range"),
    HILDA_NETFT_ERROR(31, "any error"),
};
#undef HILDA_NETFT_ERROR

} // namespace

std::array<std::uint8_t, request_bytes> encode(Command command, std::uint32_t count) {
  std::array<std::uint8_t, request_bytes> bytes{};
  put16(bytes.data(), request_mark);
  put16(bytes.data() + 2, static_cast<std::uint16_t>(command));
  put32(bytes.data() + 4, count);
  return bytes;
}

std::optional<Request> parse_request(std::span<const std::uint8_t> packet) {
  if (packet.size() != request_bytes || get16(packet.data()) != request_mark) return std::nullopt;
  return Request{static_cast<std::uint16_t>(get16(packet.data() + 2)), get32(packet.data() + 4)};
}

std::array<std::uint8_t, record_bytes> encode(const Record& record) {
  std::array<std::uint8_t, record_bytes> bytes{};
  put32(bytes.data(), record.rdt_sequence);
  put32(bytes.data() + 4, record.ft_sequence);
  put32(bytes.data() + 8, record.status);
  for (std::size_t i = 0; i < 3; ++i) {
    put32(bytes.data() + 12 + 4 * i, std::bit_cast<std::uint32_t>(record.force[i]));
    put32(bytes.data() + 24 + 4 * i, std::bit_cast<std::uint32_t>(record.torque[i]));
  }
  return bytes;
}

std::optional<Record> parse_record(std::span<const std::uint8_t> packet) {
  if (packet.size() != record_bytes) return std::nullopt;
  Record record;
  record.rdt_sequence = get32(packet.data());
  record.ft_sequence = get32(packet.data() + 4);
  record.status = get32(packet.data() + 8);
  for (std::size_t i = 0; i < 3; ++i) {
    record.force[i] = std::bit_cast<std::int32_t>(get32(packet.data() + 12 + 4 * i));
    record.torque[i] = std::bit_cast<std::int32_t>(get32(packet.data() + 24 + 4 * i));
  }
  return record;
}

std::span<const StatusBit> status_bits() { return known_bits; }

const StatusBit* worst_error(std::uint32_t status) {
  const StatusBit* found = nullptr;
  for (const StatusBit& one : known_bits) {
    if (!one.error || (status >> one.bit & 1u) == 0) continue;
    if (found == nullptr || found->bit == any_error) found = &one;
  }
  return found;
}

std::string status_text(std::uint32_t status) {
  std::string text;
  for (int bit = 0; bit < 32; ++bit) {
    if ((status >> bit & 1u) == 0) continue;
    const char* name = "unknown";
    for (const StatusBit& one : known_bits)
      if (one.bit == bit) name = one.name;
    if (!text.empty()) text += ", ";
    text += std::string(name) + " (bit " + std::to_string(bit) + ")";
  }
  return text.empty() ? "none" : text;
}

bool RecordStream::plausible(const Record& record) const {
  // An error must come through, whatever the numbers next to it are.
  if (worst_error(record.status) != nullptr) return true;
  for (std::size_t i = 0; i < 3; ++i)
    if (std::abs(static_cast<double>(record.force[i])) > limits_.force ||
        std::abs(static_cast<double>(record.torque[i])) > limits_.torque)
      return false;
  return true;
}

bool RecordStream::stray_is_believed(std::uint32_t sequence) {
  const std::int32_t step = ahead(sequence, last_stray_);
  strays_ = strays_ > 0 && step >= 1 && step <= 4 ? strays_ + 1 : 1;
  last_stray_ = sequence;
  return strays_ >= 8;
}

bool RecordStream::take(std::span<const std::uint8_t> packet) {
  const std::optional<Record> record = parse_record(packet);
  if (!record) {
    ++counts_.malformed;
    return false;
  }
  const std::int32_t step = ahead(record->rdt_sequence, newest_.rdt_sequence);
  const bool follows = !known_ || (step > 0 && step <= 65536);
  if (!follows && (step == 0 || !stray_is_believed(record->rdt_sequence))) {
    ++counts_.disordered;
    return false;
  }
  if (!plausible(*record)) {
    ++counts_.implausible;
    return false;
  }
  if (!follows) ++counts_.resumed;
  if (follows && known_) counts_.gaps += step - 1;
  if (fresh_ > 0) ++counts_.dropped;
  ++fresh_, ++counts_.received;
  newest_ = *record, known_ = true, strays_ = 0;
  return true;
}

} // namespace hilda::netft
