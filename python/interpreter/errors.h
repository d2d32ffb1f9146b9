// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/session/simulation.h"
#include "python/interpreter/made.h"
#include "tools/modules.h"

#include <pybind11/pybind11.h>
#include <string>
#include <vector>

namespace hilda::python {

/// Throws hilda.Error.
[[noreturn]] void raise_error(const std::string& text);
/// From then on a BlockFault that comes out of the engine is a hilda.Error.
void translate_block_faults();
/// Throws KeyError, whose text says what was asked for and what is near.
[[noreturn]] void raise_unknown(const std::string& text);
/// Throws hilda.DiagramError with every diagnostic.
[[noreturn]] void raise_diagram_error(const Diagnostics& diagnostics);
[[noreturn]] void raise_diagram_error(const std::vector<Diagnostic>& diagnostics);
/// Throws hilda.RunError.
/// @param run  what was recorded up to there, or None
[[noreturn]] void raise_run_error(const Ending& ending, const pybind11::object& run);

/// RunError: a function that a run calls has raised `error`. `at`: the time, s, as texts have it.
[[noreturn]] void raise_call_error(const pybind11::object& error, const std::string& at, double time, std::int64_t tick,
                                   const pybind11::object& run);

} // namespace hilda::python
