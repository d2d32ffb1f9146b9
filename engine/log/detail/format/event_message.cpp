// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/event_message.h"

#include "engine/quantity/value.h"

#include <array>
#include <cstring>

namespace hilda::log {
namespace {

constexpr std::size_t word = sizeof(std::uint64_t);

std::size_t aligned(std::size_t at, std::size_t to) { return (at + to - 1) / to * to; }

/// Goes through the inputs of an event in a frame: `visit(path, numbers)`.
template <typename Visit> void each_input(std::span<const std::byte> inputs, const Visit& visit) {
  while (!inputs.empty()) {
    std::array<std::uint32_t, 2> sizes{};
    std::memcpy(sizes.data(), inputs.data(), sizeof sizes);
    const std::string_view path(reinterpret_cast<const char*>(inputs.data()) + sizeof sizes, sizes[0]);
    inputs = inputs.subspan(sizeof sizes + aligned(sizes[0], word));
    visit(path, inputs.first(sizes[1] * word));
    inputs = inputs.subspan(sizes[1] * word);
  }
}

/// Lays out values in CDR, from a place on that is aligned to 8; without a target it only counts.
class CdrWriter {
public:
  explicit CdrWriter(std::byte* target) : target_(target) {}
  std::size_t bytes() const { return at_; }

  void size(std::size_t number) {
    const auto value = static_cast<std::uint32_t>(number);
    align(sizeof value);
    raw(&value, sizeof value);
  }
  /// Its length with the closing zero, the bytes, the zero.
  void text(std::string_view text) {
    size(text.size() + 1);
    raw(text.data(), text.size());
    raw("", 1);
  }
  void numbers(std::span<const std::byte> words) {
    size(words.size() / word);
    if (!words.empty()) align(word);
    raw(words.data(), words.size());
  }

private:
  void align(std::size_t to) {
    const std::array<std::byte, word> zeros{};
    raw(zeros.data(), aligned(at_, to) - at_);
  }
  void raw(const void* from, std::size_t bytes) {
    if (target_ != nullptr && bytes > 0) std::memcpy(target_ + at_, from, bytes);
    at_ += bytes;
  }

  std::byte* target_;
  std::size_t at_ = 0;
};

std::size_t lay_out(const EventParts& parts, std::byte* target) {
  CdrWriter writer(target);
  writer.text(parts.kind);
  writer.text(parts.text);
  std::size_t count = 0;
  each_input(parts.inputs, [&count](std::string_view, std::span<const std::byte>) { ++count; });
  writer.size(count);
  each_input(parts.inputs, [&writer](std::string_view path, std::span<const std::byte> numbers) {
    writer.text(path);
    writer.numbers(numbers);
  });
  return writer.bytes();
}

/// The same read from bytes of anyone: after the first value that is not there, nothing is.
class CdrReader {
public:
  explicit CdrReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  bool at_end() const { return at_ == bytes_.size(); }

  std::uint32_t size() {
    std::uint32_t value = 0;
    align(sizeof value);
    if (const auto from = raw(sizeof value); ok_) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }
  std::string text() {
    const std::uint32_t bytes = size();
    const auto from = raw(bytes);
    if (bytes == 0) ok_ = false;
    return ok_ ? std::string(reinterpret_cast<const char*>(from.data()), bytes - 1) : std::string();
  }
  std::vector<double> numbers() {
    const std::size_t count = size();
    if (count > 0) align(word);
    const auto from = raw(count * word);
    std::vector<double> all(ok_ ? count : 0);
    if (!all.empty()) std::memcpy(all.data(), from.data(), from.size());
    return all;
  }

private:
  void align(std::size_t to) { raw(aligned(at_, to) - at_); }
  std::span<const std::byte> raw(std::size_t bytes) {
    ok_ = ok_ && bytes <= bytes_.size() - at_;
    if (!ok_) return {};
    at_ += bytes;
    return bytes_.subspan(at_ - bytes, bytes);
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

} // namespace

EventParts event_parts(const FrameHeader& header, std::span<const std::byte> body) {
  if (header.kind == FrameHeader::Kind::numbers) return {numbers_kind, numbers_note, body};
  std::array<std::uint32_t, 2> sizes{};
  std::memcpy(sizes.data(), body.data(), sizeof sizes);
  const char* const texts = reinterpret_cast<const char*>(body.data()) + sizeof sizes;
  return {{texts, sizes[0]}, {texts + sizes[0], sizes[1]}, {}};
}

std::vector<std::uint64_t> input_head(std::string_view path, std::size_t numbers) {
  const std::array<std::uint32_t, 2> sizes{static_cast<std::uint32_t>(path.size()),
                                           static_cast<std::uint32_t>(numbers)};
  std::vector<std::uint64_t> head(1 + aligned(path.size(), word) / word);
  std::memcpy(head.data(), sizes.data(), sizeof sizes);
  if (!path.empty()) std::memcpy(head.data() + 1, path.data(), path.size());
  return head;
}

std::size_t event_bytes(const EventParts& parts) { return lay_out(parts, nullptr); }

void put_event(const EventParts& parts, std::byte* target) { lay_out(parts, target); }

std::optional<EventRead> read_event(std::span<const std::byte> body) {
  CdrReader reader(body);
  EventRead event;
  event.kind = reader.text();
  event.text = reader.text();
  if (!reader.ok()) return std::nullopt;
  if (reader.at_end()) return event; // of a log that has numbers in the text
  const std::uint32_t count = reader.size();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    std::string path = reader.text();
    event.inputs.push_back({std::move(path), reader.numbers()});
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return event;
}

std::string text_of_numbers(std::span<const WrittenNumbers> inputs) {
  std::string text;
  for (const WrittenNumbers& each : inputs) {
    text += (text.empty() ? "" : " ") + each.path + "=";
    for (std::size_t i = 0; i < each.numbers.size(); ++i) text += (i == 0 ? "" : ",") + decimal(each.numbers[i]);
  }
  return text;
}

std::vector<WrittenNumbers> written_numbers(const EventParts& parts) {
  std::vector<WrittenNumbers> all;
  each_input(parts.inputs, [&all](std::string_view path, std::span<const std::byte> words) {
    std::vector<double> numbers(words.size() / word);
    std::memcpy(numbers.data(), words.data(), words.size());
    all.push_back({std::string(path), std::move(numbers)});
  });
  return all;
}

} // namespace hilda::log
