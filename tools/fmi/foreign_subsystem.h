// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/foreign_model.h"
#include "tools/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::fmi {

struct SubsystemOptions {
  std::string file; ///< the FMU, as the diagram names it
  std::string name; ///< of the diagram
  std::string step; ///< communication step; empty: the FMU's
};

/// The diagram that `hilda import-fmu` writes.
struct Subsystem {
  std::string text;
  std::string summary;              ///< on one line
  std::vector<std::string> remarks; ///< what is left out or converted, what feeds through
};

/// A diagram with an fmi/Fmu inside, whose ports and parameters are the variables of the FMU. None, and `fault`, where
/// the FMU has none that a diagram can have, or is not for co-simulation.
std::optional<Subsystem> subsystem_of(const ForeignModel& model, const SubsystemOptions& options, Fault& fault);

} // namespace hilda::fmi
