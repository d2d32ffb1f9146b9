// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::authoring {

/// What differs between two texts, as `diff -u` writes it; empty where nothing does. `patch` takes it.
std::string unified_diff(const std::string& before, const std::string& after, const std::string& before_name,
                         const std::string& after_name);

/// The lines of a text, with their ends.
std::vector<std::string_view> text_lines(std::string_view text);

/// Lines of a text, from 0, that are others in another one.
struct ChangedLines {
  std::size_t begin = 0, end = 0; ///< `end` is not one of them; equal: something precedes `begin`
  std::string text;               ///< what is there
};
/// What makes the second text of the first, in order; between two there is a line that both have.
std::vector<ChangedLines> changed_lines(const std::string& before, const std::string& after);

} // namespace hilda::authoring
