// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/live/inputs/numbers_text.h"

#include <algorithm>
#include <charconv>

namespace hilda::session {
namespace {

constexpr std::size_t digits_a_word = 16;

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

} // namespace hilda::session
