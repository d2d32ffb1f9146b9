// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/name_pattern.h"

#include <array>

namespace hilda::diagram {
namespace {

/// Greedy matching with one point to go back to, so that many stars cost no more than product of the lengths.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++, retry = t;
    } else if (star != std::string_view::npos) {
      p = star + 1, t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

} // namespace

bool pattern_means(std::string_view pattern, std::string_view name) {
  if (glob(pattern, name)) return true;
  return !is_pattern(pattern) && name.size() > pattern.size() && name.starts_with(pattern) &&
         (name[pattern.size()] == '.' || name[pattern.size()] == '[');
}

bool is_pattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

std::vector<std::string> words_of_list(std::string_view list) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    const bool between = c == ' ' || c == '\t' || c == '\n' || c == '\r' || (c == ',' && depth <= 0);
    if (!between)
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

std::span<const std::string_view> element_names(std::string_view kind) {
  static constexpr std::array<std::string_view, 6> wrench{"force.x",  "force.y",  "force.z",
                                                          "torque.x", "torque.y", "torque.z"};
  static constexpr std::array<std::string_view, 6> twist{"linear.x",  "linear.y",  "linear.z",
                                                         "angular.x", "angular.y", "angular.z"};
  static constexpr std::array<std::string_view, 7> pose{
      "position.x", "position.y", "position.z", "orientation.w", "orientation.x", "orientation.y", "orientation.z"};
  static constexpr std::array<std::string_view, 4> quaternion{"w", "x", "y", "z"};
  if (kind == "wrench") return wrench;
  if (kind == "twist") return twist;
  if (kind == "pose") return pose;
  if (kind == "quaternion") return quaternion;
  return {};
}

} // namespace hilda::diagram
