// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::catalogue {

/// The text of one end of a wire: names joined by dots, each followed by indices or not: "rig.wrench.force.x",
/// "mux.u[0]", "joints.y[2]", "inertia.y[1,2]".
class SignalPath {
public:
  static constexpr std::size_t longest = 1000; ///< bytes
  static constexpr int largest_index = 65535;

  /// None where the text is not a path.
  static std::optional<SignalPath> parse(std::string_view text);

  std::string_view text() const { return text_; }
  /// "rig"
  std::string_view first() const { return text_.substr(0, first_end_); }
  /// What follows the first name: "wrench.force.x"; empty where it is alone or is followed by an index.
  std::string_view rest() const {
    return first_end_ < text_.size() && text_[first_end_] == '.' ? text_.substr(first_end_ + 1) : std::string_view();
  }

private:
  std::string_view text_;
  std::size_t first_end_ = 0;
};

/// True where `text` is `name`, or `name` followed by a part or an index of it.
bool begins_with_name(std::string_view text, std::string_view name);

/// Longest beginning of `text` that ends at a dot, at an index or at the end, and for which `has` is true; npos where
/// there is none.
template <class Has> std::size_t longest_name(std::string_view text, Has has) {
  for (std::size_t end = text.size(); end > 0; --end) {
    const bool ends = end == text.size() || text[end] == '.' || text[end] == '[';
    if (ends && text[end - 1] != ']' && has(text.substr(0, end))) return end;
  }
  return std::string_view::npos;
}

/// Takes an index "[3]" from the beginning of `text`; none where there is none.
std::optional<int> take_index(std::string_view& text);

/// The parts in a text such as ".force.x" or "[2]", one after the other: "force", "x"; "[2]". An element of a
/// matrix, "[1,2]", is "[1]" and "[2]".
std::vector<std::string> parts_of(std::string_view text);

/// True for what can be a part of a signal: force, torque, linear, angular, position, orientation, x, y, z, w, "[2]".
bool is_part(std::string_view name);
/// All names of parts.
const std::vector<std::string>& part_names();

} // namespace hilda::catalogue
