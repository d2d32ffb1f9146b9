#pragma once

#include "engine/modes/sim/run_log.h"
#include "tools/cli/loading/diagram.h"

namespace hilda::cli {

/// What a log and a summary say of the program, the plugins and the files that were read.
RunOrigin origin_of(const CommandDiagram& loaded);

} // namespace hilda::cli
