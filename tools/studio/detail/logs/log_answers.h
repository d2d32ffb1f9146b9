// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstddef>
#include <string>
#include <vector>

namespace hilda::studio {

/// The report about a log that someone has handed over: a JSON object, as docs/studio.md has it. A file that cannot
/// be read is a diagnostic in it.
///
/// The bytes may be anyone's. They are read in a separate process with limits of time and memory: what they make of
/// the reader ends there.
/// @param name  name of the log in messages, which do not have its path
std::string described_log(const std::string& path, const std::string& name);

/// Samples of single numbers of a log: for each name a binary message as docs/studio.md has it, one behind the other.
/// Empty, and `error`, where they cannot be had.
/// @param most  samples of a number, beyond which it is thinned
std::string samples_of_log(const std::string& path, const std::vector<std::string>& names, std::size_t most,
                           std::string& error);

} // namespace hilda::studio
