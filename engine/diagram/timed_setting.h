// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/diagram/attribute.h"
#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::diagram {

/// `<set path="lead.time_constant" value="4 ms" at="2.5 s"/>` of an overlay: a parameter that changes while the diagram
/// runs.
struct TimedSetting {
  Attribute setting; ///< its name is the path
  Attribute at;      ///< the time as written
  /// filled by check: the tick before which it is taken
  std::int64_t tick = 0;
};

/// `<play path="push" file="tuned.inputs.mcap" signal="push.y"/>` of an overlay: at the time of each sample of a
/// recorded signal an input gets its numbers, as if a program wrote them.
struct PlayedSetting {
  Attribute path; ///< its text
  Attribute file; ///< as written
  std::string signal;
  std::string time, unit; ///< of a MAT file: see sources/RecordedSignal
  // filled by load
  std::string found; ///< where the file is; empty: it is not there
  Error missing;     ///< why not
};

/// What overlays set while the diagram runs.
struct LateSettings {
  std::vector<TimedSetting> timed;
  std::vector<PlayedSetting> played; ///< each path once: later overlays win
};

} // namespace hilda::diagram
