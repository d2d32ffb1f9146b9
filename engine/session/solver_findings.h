// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <string>
#include <vector>

namespace hilda::session {

/// Where a fixed step has made of a run what its equations do not say: whose doing it is, by how much, and what would
/// do. Each kind is one warning. Codes: step-too-long, event-late.
Diagnostics solver_findings(const Runtime& runtime);

/// Reports each kind as soon as there is something, and once. Asking costs next to nothing where there is none.
class NewFindings {
public:
  void report(const Runtime& runtime, Diagnostics& diagnostics);
  /// Another diagram, or from the start again.
  void forget() { told_ = 0; }

private:
  unsigned told_ = 0; ///< kinds, a bit each
};

/// The events that acted late, and the block that switches or is set, or whose condition it is.
std::vector<LateEvents::Found> late_events(const Runtime& runtime);
const std::string& name_of(const Runtime& runtime, const TickEvent& event);

} // namespace hilda::session
