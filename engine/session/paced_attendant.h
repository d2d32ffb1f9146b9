// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/session/executor.h"

namespace hilda::session {

/// Someone who attends a paced run, which waits for no one: changes of parameters come from here. All of it is for the
/// thread that has started the run.
class PacedAttendant {
public:
  virtual ~PacedAttendant() = default;
  virtual Tuning& tuning() = 0;
  /// Ten times a second.
  virtual void look(const PacedProgress& now) = 0;
  /// The run is over; its loop's thread has ended.
  virtual void end(const PacedResult& result) = 0;
};

} // namespace hilda::session
