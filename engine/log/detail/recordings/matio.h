// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// A variable of a MAT file, or a field of a structure.
struct MatVariable {
  enum class Kind : std::uint8_t { numbers, text, other };
  Kind kind = Kind::other;
  std::string what; ///< "a structure", "complex numbers"
  std::vector<std::uint64_t> size;
  std::vector<double> numbers; ///< the first index runs fastest; none where only the head was asked for
  std::string text;
};

struct MatContent {
  std::map<std::string, MatVariable> found; ///< those required that are there: "plant.position"
  std::vector<std::string> names; ///< of what holds numbers, as far as a message has room; where one is missing
};

/// Reads variables by matio, which is opened for it, in its own process: what a broken file makes of that library,
/// or takes of time and memory, ends there. None, with a reason, where the file cannot be read.
/// @param names  to read: those that exist are read; if the first does not exist, the names of the file are listed
/// @param most_listed  of these names
std::optional<MatContent> read_mat(const std::string& file, const std::vector<std::string>& names, bool head_only,
                                   std::string& error, std::size_t most_listed = 40);

} // namespace hilda::log
