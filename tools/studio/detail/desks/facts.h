// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/session/executor.h"
#include "engine/session/tuning.h"
#include "tools/modules.h"
#include "tools/studio/detail/desks/drawings.h"
#include "tools/studio/hub.h"

#include <string>
#include <vector>

namespace hilda::studio {

/// A diagram that is loaded and can run.
struct ServedDiagram {
  const Runtime* runtime = nullptr;
  Tuning* tuning = nullptr;
  const Sources* sources = nullptr;
  std::string file;               ///< as named by the user
  std::vector<std::string> texts; ///< of its parameters when it was loaded, as texts_of gives them
};

/// What clients hear of it: its drawing, parameters, signals, blocks and figures. The loop is paused, or is another
/// thread's that changes no parameter meanwhile.
DiagramFacts facts_of(const ServedDiagram& diagram, Hub& hub, Drawings& drawings);

/// Texts of all parameters: the named ones, then those of each block.
std::vector<std::string> texts_of(const System& system);

/// Its parameters as they are now, in the order of `facts_of`.
/// `loaded`: their texts when the diagram was loaded.
std::vector<ParameterFact> parameters_of(const System& system, const std::vector<std::string>& loaded);

/// A signal as docs/studio.md has it.
Json signal_json(const LogChannel& channel, const LogField& field, const Rational& period);

/// As docs/studio.md has it.
Json diagnostic_json(const Diagnostic& diagnostic);
Json diagnostics_json(const std::vector<Diagnostic>& diagnostics);

/// The message `summary`: what blocks say of the run so far. The loop is paused.
Json summary_message(const Runtime& runtime);
/// Of a paced run: how it keeps its time; and, when it is over, what blocks say of it, too.
Json paced_summary(const PacedProgress& now);
Json paced_summary(const Runtime& runtime, const PacedResult& result);

} // namespace hilda::studio
