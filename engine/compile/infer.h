// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/parameter_questions.h"

#include <functional>
#include <string>
#include <vector>

namespace hilda::compile {

/// Runs the `infer` callback of one block on its own record, its parameters set. False after a report.
using InferenceHook = std::function<bool(const System& system, BlockIndex block, InferredShapes& says, Diagnostics&)>;

/// Finds out what a flattened system leaves open and checks that it goes together:
///   - SystemBlock::ports and slot_types, Wire::offset and type: shapes, units, elements and named kinds, unified over
///     the wires in both directions and around cycles;
///   - parameters in SI and in the shape of their slot;
///   - sample times: SystemBlock::divider and continuous, System::base.
/// All errors are reported, one for each cause. Blocks without a type and wires without an end (reported by who made
/// them) are passed over. Where there were errors, what could not be found out stays unknown (-1, no unit).
/// @param hook  for types with an `infer` callback; without it their callbacks are not asked
/// @return remarks: what was taken as a scalar because nothing else says its shape
std::vector<std::string> infer(System& system, Diagnostics& diagnostics, const InferenceHook& hook = {});

} // namespace hilda::compile
