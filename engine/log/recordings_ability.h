// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <hilda/recordings.h>

namespace hilda::log {

/// "hilda.recordings/1", for plugins.
const hilda_recordings_1& recordings_ability();

} // namespace hilda::log
