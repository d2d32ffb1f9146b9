// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/loaded_diagram.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <memory>

namespace hilda::run {

/// Takes the system of a diagram and plans, lays out and initialises it. Null after errors, those of the diagram among
/// them; all are in its diagnostics. The diagram must outlive it.
std::unique_ptr<Runtime> make_runtime(LoadedDiagram& diagram, const RuntimeOptions& options = {});

/// The same, and its blocks are started.
std::unique_ptr<Runtime> start_runtime(LoadedDiagram& diagram, const RuntimeOptions& options = {});

} // namespace hilda::run
