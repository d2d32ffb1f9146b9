// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <nlohmann/json.hpp>

namespace hilda::log {

/// Foxglove's schemas of messages in JSON, as its public documentation has them, without its texts.
nlohmann::json frame_transforms_schema(); ///< foxglove.FrameTransforms
nlohmann::json scene_update_schema();     ///< foxglove.SceneUpdate

} // namespace hilda::log
