// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/recording.h"
#include "engine/modules.h"

namespace hilda::log {

/// Of an MCAP file. Only a log of hilda says what its messages hold.
std::optional<Recording> recording_of_log(const RecordingRequest& request, RecordingFault& fault);

} // namespace hilda::log
