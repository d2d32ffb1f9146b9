// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/run_log.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/modules.h"

namespace hilda::cli {

/// What a log and a summary say of the program, the plugins and the files that were read.
RunOrigin origin_of(const CommandDiagram& loaded);

} // namespace hilda::cli
