// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recording.h"
#include "engine/modules.h"

namespace hilda::log {

/// Of a MAT file of version 5 or 7.3. Samples run along the first or the second dimension of a variable, or along the
/// third of matrices, whichever is as long as the times; the last fields of a path may be inside structures.
std::optional<Recording> recording_of_mat(const RecordingRequest& request, RecordingFault& fault);

} // namespace hilda::log
