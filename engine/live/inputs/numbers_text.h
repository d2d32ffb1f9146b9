#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda {

/// Numbers that came from outside, as the event "numbers" of a log has them: "push=4014000000000000", for each input
/// its path and the bits of each of its elements in 16 hexadecimal digits, without a loss and at little cost. A blank
/// is between inputs. One that is longer than an event continues in the next: "push@120=...", from that element on.
/// All events of one tick are one change.
inline constexpr std::size_t digits_a_word = 16;

/// Writes the digits of a word; where they end.
char* put_word(std::uint64_t word, char* to) noexcept;

struct NumbersOfInput {
  std::string path;
  std::size_t first = 0; ///< element
  std::vector<std::uint64_t> words;
};
/// None where the text is something else.
std::optional<std::vector<NumbersOfInput>> numbers_from_text(std::string_view text);

} // namespace hilda
