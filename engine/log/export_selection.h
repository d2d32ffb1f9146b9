// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::log {

/// The signals that a user's words stand for, each once; all of the log where there are no words. None, and `error`
/// with the nearest name, where a word stands for nothing.
std::optional<std::vector<std::string>> selected_signals(const Log& log, const std::vector<std::string>& words,
                                                         std::string& error);

} // namespace hilda::log
