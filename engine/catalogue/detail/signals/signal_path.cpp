// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/signal_path.h"

#include "engine/base/characters.h"

#include <algorithm>
#include <charconv>

namespace hilda::catalogue {
namespace {

bool in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Reads a number from 0 to the largest index; the place behind it, or 0.
std::size_t after_index(std::string_view text, std::size_t at, int& index) {
  if (at >= text.size() || !is_digit(text[at])) return 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), index);
  return error != std::errc() || index > SignalPath::largest_index ? 0 : static_cast<std::size_t>(end - text.data());
}

/// Length of "[2]" or "[1,2]" at the beginning of a text, or 0.
std::size_t bracket(std::string_view text) {
  int index = 0;
  std::size_t at = after_index(text, 1, index);
  if (at != 0 && at < text.size() && text[at] == ',') at = after_index(text, at + 1, index);
  return at != 0 && at < text.size() && text[at] == ']' ? at + 1 : 0;
}

} // namespace

std::optional<SignalPath> SignalPath::parse(std::string_view text) {
  if (text.size() > longest) return std::nullopt;
  SignalPath path;
  path.text_ = text;
  for (std::size_t at = 0;; ++at) {
    const std::size_t begin = at;
    while (at < text.size() && in_name(text[at])) ++at;
    if (at == begin || is_digit(text[begin])) return std::nullopt;
    if (begin == 0) path.first_end_ = at;
    while (at < text.size() && text[at] == '[') {
      const std::size_t length = bracket(text.substr(at));
      if (length == 0) return std::nullopt;
      at += length;
    }
    if (at == text.size()) return path;
    if (text[at] != '.') return std::nullopt;
  }
}

bool begins_with_name(std::string_view text, std::string_view name) {
  return text.substr(0, name.size()) == name &&
         (text.size() == name.size() || text[name.size()] == '.' || text[name.size()] == '[');
}

std::optional<int> take_index(std::string_view& text) {
  if (text.empty() || text.front() != '[') return std::nullopt;
  int index = 0;
  const std::size_t end = after_index(text, 1, index);
  if (end == 0 || end >= text.size() || text[end] != ']') return std::nullopt;
  text.remove_prefix(end + 1);
  return index;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    const bool index = text.front() == '[';
    std::size_t end = index ? text.find(']') + 1 : 0;
    while (!index && end < text.size() && text[end] != '.' && text[end] != '[') ++end;
    const std::size_t comma = index ? text.substr(0, end).find(',') : std::string_view::npos;
    if (comma != std::string_view::npos) {
      parts.push_back(std::string(text.substr(0, comma)) + "]");
      parts.push_back("[" + std::string(text.substr(comma + 1, end - comma - 1)));
    } else
      parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return parts;
}

const std::vector<std::string>& part_names() {
  static const std::vector<std::string> names = {"force",       "torque", "linear", "angular", "position",
                                                 "orientation", "x",      "y",      "z",       "w"};
  return names;
}

bool is_part(std::string_view name) {
  return name.front() == '[' || std::find(part_names().begin(), part_names().end(), name) != part_names().end();
}

} // namespace hilda::catalogue
