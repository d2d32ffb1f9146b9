// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::diagram {

/// Does a pattern mean this signal or element? `*` stands for any text, `?` for one character; a name without them
/// also means all that lies under it: "rig" means "rig.sensor.wrench", "rig.sensor.wrench" means its elements.
bool pattern_means(std::string_view pattern, std::string_view name);

/// Does it hold a `*` or `?`?
bool is_pattern(std::string_view text);

/// The words of a list, separated by blanks or commas; a comma in brackets belongs to its word: "a.b, c[1,2]".
std::vector<std::string> words_of_list(std::string_view list);

/// Names of the elements of a signal of a kind, in the order in which they lie: "force.x" to "torque.z" of a "wrench".
/// Empty where the kind has none.
std::span<const std::string_view> element_names(std::string_view kind);

} // namespace hilda::diagram
