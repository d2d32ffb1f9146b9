#include "engine/check/signal_path.h"

#include "engine/model/characters.h"

#include <algorithm>
#include <charconv>

namespace hilda {
namespace {

bool in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

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
      std::string_view rest = text.substr(at);
      if (!take_index(rest)) return std::nullopt;
      at = text.size() - rest.size();
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
  const char* begin = text.data() + 1;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), index);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc() || index < 0 || index > SignalPath::largest_index || !is_digit(*begin) ||
      length >= text.size() || text[length] != ']')
    return std::nullopt;
  text.remove_prefix(length + 1);
  return index;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    if (text.front() == '.') text.remove_prefix(1);
    const bool index = text.front() == '[';
    std::size_t end = index ? text.find(']') + 1 : 0;
    while (!index && end < text.size() && text[end] != '.' && text[end] != '[') ++end;
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

} // namespace hilda
