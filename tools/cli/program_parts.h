// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/fnv.h"
#include "tools/modules.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::cli {

/// bin/hilda has one, with zeros. `hilda compile` copies bin/hilda, appends the parts and their list, and writes into
/// the mark where the list is: that copy is a compiled program.
struct ProgramMark {
  static constexpr std::string_view text = "mark of compiled hilda\n"; // and an end: 24 bytes
  char name[24];
  std::uint64_t list, list_bytes, list_hash;
};

/// A file within a compiled program.
struct Part {
  std::string kind; ///< "library", "engine", "plugin", "data" (a file that a block reads) or "file"; with the C library
                    ///< in the program also "loader", "system" and "head"
  std::uint64_t at = 0, bytes = 0, hash = 0; ///< in the file
  std::uint64_t unpacked = 0;                ///< bytes once it is unpacked (LZ4, one block); 0: it is not packed
  std::string name;
};

inline std::uint64_t hash_of(std::string_view bytes) { return hilda::base::Fnv().text(bytes).value(); }

/// A line for each part; libraries come after those that they need.
std::string list_text(const std::vector<Part>& parts);
/// What `list_text` wrote.
std::vector<Part> parts_of(const std::string& text);

} // namespace hilda::cli
