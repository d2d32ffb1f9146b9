// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/system.h"
#include "tools/graphics/arrangement.h"
#include "tools/graphics/scene.h"
#include "tools/graphics/sketch.h"
#include "tools/modules.h"
#include "tools/studio/detail/clients/requests.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::studio {

/// Drawings of a diagram that is edited: a symbol stays where it was, whatever becomes of the others.
class Drawings {
public:
  /// The drawing of the diagram, or of a subsystem of it, as docs/studio.md has `scene`; null and `error` where there
  /// is none of that path.
  /// @param whole  false: nothing may be taken for granted of its wires, and none is drawn as that of an algebraic loop
  Json scene(const System& system, const Sources& sources, const Json& request, std::string& error, bool whole = true) {
    const Json* const drawn = last(system, sources, request, error, whole);
    return drawn != nullptr ? *drawn : Json(nullptr);
  }
  /// The same where it is kept, until the next one; null where there is none.
  const Json* last(const System& system, const Sources& sources, const Json& request, std::string& error, bool whole);

  /// Warnings about what the author says of places (`ui.x` ..), as of the last drawing.
  const std::vector<Diagnostic>& problems() const { return problems_; }

private:
  struct Drawn {
    draw::Sketch sketch;
    Json scene;
    draw::RouteMemories routes;
  };
  std::map<std::string, draw::Arrangement> places_; ///< by what is shown and which subsystems are open
  std::map<std::string, Drawn> drawn_;              ///< the last one of each
  std::vector<Diagnostic> problems_;
};

} // namespace hilda::studio
