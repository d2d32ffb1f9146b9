// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <string>
#include <vector>

namespace hilda::analysis {

/// One element of a block's output.
struct SignalElement {
  PortRef port;
  SignalType type; ///< of the whole output
  int element = 0;
  std::string name; ///< as logs call it: "arm.q[2]", "rig.sensor.wrench.force.x"
};

/// The elements that a text means, as plots have them: an output ("arm.q"), a port of a subsystem ("rig.wrench"), a
/// part or an element of one ("rig.wrench.force", "arm.q[2]", "matrix.y[0,1]"), all that lies under a path ("rig") or
/// fits a pattern ("*.force.x"; those with real numbers alone). Nothing where there is none.
std::vector<SignalElement> find_elements(const System& system, const std::string& text);

/// What could have been named: outputs and ports of subsystems, and their parts where `text` begins with one of these.
std::vector<std::string> signal_names(const System& system, const std::string& text);

} // namespace hilda::analysis
