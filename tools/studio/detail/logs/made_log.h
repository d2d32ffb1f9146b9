// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>

namespace hilda::studio {

/// A log (MCAP) of samples that a page has: a JSON object with `period` in s and `signals`
/// `[{"path","unit","times","values"}]`. It is written in a separate process with limits of time and memory.
/// @param path  of a file that is not there; it is gone afterwards
/// @return the bytes of the log; empty, and `error` with "\nhelp: ", where it cannot be made
std::string log_of_samples(const std::string& text, const std::string& path, std::string& error);

} // namespace hilda::studio
