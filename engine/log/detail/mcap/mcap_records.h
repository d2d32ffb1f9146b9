// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::log::mcap {

/// The container's records (https://mcap.dev/spec). All numbers are little-endian.
enum class Opcode : std::uint8_t {
  header = 0x01,
  footer = 0x02,
  schema = 0x03,
  channel = 0x04,
  message = 0x05,
  chunk = 0x06,
  message_index = 0x07,
  chunk_index = 0x08,
  attachment = 0x09,
  attachment_index = 0x0A,
  statistics = 0x0B,
  metadata = 0x0C,
  metadata_index = 0x0D,
  summary_offset = 0x0E,
  data_end = 0x0F
};

inline constexpr std::string_view magic{"\x89MCAP0\r\n", 8};
inline constexpr std::size_t record_head = 1 + 8;          ///< opcode, length
inline constexpr std::size_t message_head = 2 + 4 + 8 + 8; ///< channel, sequence, log time, publish time
inline constexpr std::size_t footer_bytes = record_head + 8 + 8 + 4;

using TextMap = std::map<std::string, std::string>;

/// CRC-32 (IEEE 802.3, zlib) of `bytes`, continuing from `crc`.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc = 0);

/// A growing run of bytes into which records are written.
class RecordBuffer {
public:
  template <typename Number> void number(Number value) {
    static_assert(std::is_integral_v<Number>);
    std::memcpy(grow(sizeof value), &value, sizeof value);
  }
  void raw(std::span<const std::byte> bytes);
  void text(std::string_view text); ///< with a 4-byte length
  void map(const TextMap& map);

  /// Starts a record; `end` writes its length.
  void begin(Opcode opcode);
  void end();

  /// Room for `bytes` more; its content is undefined and must be overwritten.
  std::byte* grow(std::size_t bytes);
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return std::span<const std::byte>(bytes_).first(size_); }
  /// Writes over what is there.
  template <typename Number> void patch(std::size_t offset, Number value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

private:
  std::vector<std::byte> bytes_; ///< longer than what was written, so that growing writes nothing twice
  std::size_t size_ = 0, record_ = 0;
};

/// Reads records of unknown origin: every call is bounded by what is there; after the first that is not, `ok` is
/// false and all answers are empty or 0.
class RecordView {
public:
  explicit RecordView(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename Number> Number number() {
    Number value{};
    if (const auto part = raw(sizeof value); part.size() == sizeof value)
      std::memcpy(&value, part.data(), sizeof value);
    return value;
  }
  std::span<const std::byte> raw(std::uint64_t bytes);
  std::string_view text();
  TextMap map();

  bool ok() const { return ok_; }
  bool empty() const { return bytes_.empty(); }
  std::size_t left() const { return bytes_.size(); }

private:
  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

} // namespace hilda::log::mcap
