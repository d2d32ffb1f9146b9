// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/frame_layout.h"
#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::log {

/// Numbers that a program has written to an input before a tick, in SI; a matrix column by column.
struct WrittenNumbers {
  std::string path;
  std::vector<double> numbers;
  friend bool operator==(const WrittenNumbers&, const WrittenNumbers&) = default;
};

/// The event with all numbers that programs have written before one tick.
inline constexpr std::string_view numbers_kind = "numbers";
/// Its text in a log. A hilda that reads numbers from the text alone finds none here, and refuses to replay the log.
inline constexpr std::string_view numbers_note = "see inputs";

/// An event as it is in a frame.
struct EventParts {
  std::string_view kind, text;
  std::span<const std::byte> inputs; ///< of numbers_kind: for each input its input_head and its numbers
};
EventParts event_parts(const FrameHeader& header, std::span<const std::byte> body);

/// What precedes the numbers of an input in a frame: how long its path is, how many they are, and the path, in whole
/// words. The loop copies it as it is.
std::vector<std::uint64_t> input_head(std::string_view path, std::size_t numbers);

/// The body of an event's message, behind the tick: kind, text, and for each input its path and its numbers, in CDR.
std::size_t event_bytes(const EventParts& parts);
void put_event(const EventParts& parts, std::byte* target);

/// An event of a log, which may be of anyone. None where the bytes are something else, or are cut. Events of logs that
/// have their numbers in the text have no inputs.
struct EventRead {
  std::string kind, text;
  std::vector<WrittenNumbers> inputs;
};
std::optional<EventRead> read_event(std::span<const std::byte> body);

/// For people: "push=4 force=1,0.5".
std::string text_of_numbers(std::span<const WrittenNumbers> inputs);
/// The inputs of an event in a frame.
std::vector<WrittenNumbers> written_numbers(const EventParts& parts);

} // namespace hilda::log
