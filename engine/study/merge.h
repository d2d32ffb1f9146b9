// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::study {

struct Merged {
  std::int64_t rows = 0, missing = 0; ///< of the design
  bool misuse = false;                ///< the output is an input, or holds something else
  bool unwritten = false;             ///< the output could not be written; else what was given is wrong
};

/// Joins stores of one study into one file, rows by number: the same rows whatever they were divided into. False, and
/// `error`, where they are of different studies or programs, or where two have different rows of one run; nothing is
/// written then.
bool merge_stores(const std::vector<std::string>& stores, const std::string& into, Merged& merged, std::string& error);

} // namespace hilda::study
