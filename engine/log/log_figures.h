// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::log {

/// A `<figure>` of the diagram that a log was made with.
struct LogFigure {
  std::string title;
  std::vector<std::string> signals; ///< names and patterns
};

/// What a log's metadata say of them; none where they say nothing that can be read.
std::vector<LogFigure> figures_of(const LogSchema& schema);

} // namespace hilda::log
