// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/run/run.h"
#include "tools/modules.h"

namespace hilda::cli {

/// Runs a diagram in simulation, again whenever one of its files or a plugin changes, until Ctrl-C; an Exit.
///
/// Each run is its own process, so that it loads the plugins again, and one that crashes ends that run alone.
int run_watched(const RunArguments& arguments);

/// Why --watch and --keep-state do not go with what else was given; empty: they do.
std::string watch_misuse(const RunArguments& arguments);
/// "watch: TEXT", on stderr.
void tell_watch(const std::string& text);

} // namespace hilda::cli
