// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/sampled_response.h"
#include "engine/modules.h"

#include <vector>

namespace hilda::analysis {

/// The phase of a sampled response, rad, without jumps: one for each of its frequencies. It begins where the channel
/// has it at low frequencies: at -90 degrees for each integrator, 180 less where the gain there is below 0, and a dead
/// time counts with all of its turns.
std::vector<double> unwrapped_phase(const LinearModel& channel, const SampledResponse& sampled);

/// The same at any frequencies that rise.
std::vector<double> unwrapped_phase_at(const LinearModel& channel, const std::vector<double>& frequencies);

} // namespace hilda::analysis
