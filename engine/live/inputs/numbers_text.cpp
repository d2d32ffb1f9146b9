#include "engine/live/inputs/numbers_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>

namespace hilda {
namespace {

/// Two digits of each byte.
constexpr auto digits = [] {
  std::array<char, 512> made{};
  constexpr std::string_view all = "0123456789abcdef";
  for (std::size_t i = 0; i < 256; ++i) made[2 * i] = all[i / 16], made[2 * i + 1] = all[i % 16];
  return made;
}();

/// The digits of four bytes at once, the first in the lowest byte.
constexpr std::uint64_t eight_digits(std::uint64_t x) {
  x = (x & 0xffff) << 32 | x >> 16;
  x = (x & 0x000000ff000000ff) << 16 | (x >> 8 & 0x000000ff000000ff);
  x = (x & 0x000f000f000f000f) << 8 | (x >> 4 & 0x000f000f000f000f);
  const std::uint64_t letters = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
  return x + 0x3030303030303030 + letters * ('a' - '0' - 10);
}

template <typename Number> bool whole(std::string_view text, Number& number, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::optional<NumbersOfInput> of_input(std::string_view text) {
  const std::size_t is = text.find('=');
  if (is == 0 || is == std::string_view::npos) return std::nullopt;
  std::string_view name = text.substr(0, is), words = text.substr(is + 1);
  NumbersOfInput input;
  if (const std::size_t at = name.find('@'); at != std::string_view::npos) {
    if (!whole(name.substr(at + 1), input.first, 10)) return std::nullopt;
    name = name.substr(0, at);
  }
  input.path = name;
  if (words.empty() || words.size() % digits_a_word != 0) return std::nullopt;
  for (; !words.empty(); words.remove_prefix(digits_a_word)) {
    std::uint64_t word = 0;
    if (!whole(words.substr(0, digits_a_word), word, 16)) return std::nullopt;
    input.words.push_back(word);
  }
  return input;
}

} // namespace

char* put_word(std::uint64_t word, char* to) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t both[2] = {eight_digits(word >> 32), eight_digits(word & 0xffffffff)};
    std::memcpy(to, both, sizeof both);
    return to + sizeof both;
  }
  for (int shift = 56; shift >= 0; shift -= 8) {
    const std::size_t byte = (word >> shift) & 0xff;
    *to++ = digits[2 * byte];
    *to++ = digits[2 * byte + 1];
  }
  return to;
}

std::optional<std::vector<NumbersOfInput>> numbers_from_text(std::string_view text) {
  std::vector<NumbersOfInput> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::optional<NumbersOfInput> input = of_input(text.substr(0, end));
    if (!input) return std::nullopt;
    all.push_back(*std::move(input));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

} // namespace hilda
