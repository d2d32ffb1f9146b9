// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// A port of a subsystem and where its signal lies.
struct SubsystemPort {
  std::string name;
  PortRef signal;
  SignalType type;  ///< of the part that passes
  int offset = 0;   ///< of that part in the signal
  bool now = false; ///< input: an output follows from it in the same tick; output: it follows from an input so
};

/// What a block has to be that replaces a subsystem.
struct SubsystemPorts {
  std::vector<SubsystemPort> inputs, outputs;
  std::vector<const NamedParameter*> parameters; ///< of the subsystem itself
  std::int64_t divider = 1;                      ///< base ticks of the fastest block in it
};

/// Empty lists where the subsystem has no ports, or there is none.
SubsystemPorts ports_of(const System& system, const std::string& subsystem);

} // namespace hilda::cli
