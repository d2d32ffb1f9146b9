#pragma once

#include "tools/cli/run/run.h"

namespace hilda::cli {

/// Runs a diagram in simulation, again whenever one of its files or a plugin changes, until Ctrl-C; an Exit.
///
/// Each run is a process of its own, so that it loads the plugins anew, and one that crashes ends that run alone.
int run_watched(const RunArguments& arguments);

} // namespace hilda::cli
