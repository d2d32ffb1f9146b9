#pragma once

#include "engine/model/attribute.h"

#include <cstdint>

namespace hilda {

/// `<set path="lead.time_constant" value="4 ms" at="2.5 s"/>` of an overlay: a parameter that changes while the diagram
/// runs.
struct TimedSetting {
  Attribute setting; ///< its name is the path
  Attribute at;      ///< the time as written
  /// filled by check: the tick before which it is taken
  std::int64_t tick = 0;
};

} // namespace hilda
