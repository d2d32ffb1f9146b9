// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/mcap/mcap_records.h"

#include <algorithm>
#include <bit>
#include <libdeflate.h>

namespace hilda::log::mcap {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie in memory");

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t crc) {
  return ::libdeflate_crc32(crc, bytes.data(), bytes.size());
}

std::byte* RecordBuffer::grow(std::size_t bytes) {
  size_ += bytes;
  if (bytes_.size() < size_) bytes_.resize(std::max(size_, 2 * bytes_.size()));
  return bytes_.data() + size_ - bytes;
}

void RecordBuffer::raw(std::span<const std::byte> bytes) {
  if (!bytes.empty()) std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
}

void RecordBuffer::text(std::string_view text) {
  number(static_cast<std::uint32_t>(text.size()));
  raw(std::as_bytes(std::span(text)));
}

void RecordBuffer::map(const TextMap& map) {
  const std::size_t start = size();
  number(std::uint32_t{0});
  for (const auto& [key, value] : map) {
    text(key);
    text(value);
  }
  patch(start, static_cast<std::uint32_t>(size() - start - sizeof(std::uint32_t)));
}

void RecordBuffer::begin(Opcode opcode) {
  record_ = size();
  number(static_cast<std::uint8_t>(opcode));
  number(std::uint64_t{0});
}

void RecordBuffer::end() { patch(record_ + 1, static_cast<std::uint64_t>(size() - record_ - record_head)); }

std::span<const std::byte> RecordView::raw(std::uint64_t bytes) {
  if (!ok_ || bytes > bytes_.size()) {
    ok_ = false;
    bytes_ = {};
    return {};
  }
  const auto part = bytes_.first(static_cast<std::size_t>(bytes));
  bytes_ = bytes_.subspan(part.size());
  return part;
}

std::string_view RecordView::text() {
  const auto bytes = raw(number<std::uint32_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TextMap RecordView::map() {
  TextMap map;
  RecordView entries(raw(number<std::uint32_t>()));
  while (!entries.empty()) {
    const std::string_view key = entries.text();
    const std::string_view value = entries.text();
    if (!entries.ok()) {
      ok_ = false;
      return {};
    }
    map.emplace(key, value);
  }
  return map;
}

} // namespace hilda::log::mcap
