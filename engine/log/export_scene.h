// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/log/log.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::log {

/// What was put into a scene, for the one who asked for it.
struct SceneContent {
  std::vector<std::string> frames, boxes, arrows; ///< signals of poses; blocks with mass and inertia; wrenches
  std::vector<std::string> unplaced;              ///< wrenches without a pose next to them
  double newtons_per_metre = 0;                   ///< of the arrows; 0: none has a length
};

/// Writes a log's motion as an MCAP file with two channels that Foxglove's 3D panel draws: `/tf` of
/// foxglove.FrameTransforms has every pose as a frame below `world`; `/scene` of foxglove.SceneUpdate has a box of the
/// same mass and inertia for each body, and an arrow for each wrench with a pose next to it (rig.wrench and rig.pose).
/// At most 100 messages a second of each. False and `error` where there is no pose or the file cannot be written.
bool export_scene(Log& log, std::unique_ptr<OutputFile> file, SceneContent& content, std::string& error);

} // namespace hilda::log
