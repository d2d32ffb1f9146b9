#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/diagram.h"
#include "engine/model/system.h"
#include "tools/draw/layout/arrangement.h"
#include "tools/draw/sketch/sketch.h"
#include "tools/studio/clients/requests.h"

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
  };
  std::map<std::string, draw::Arrangement> places_; ///< by what is shown and which subsystems are open
  std::map<std::string, Drawn> drawn_;              ///< the last one of each
  std::vector<Diagnostic> problems_;
};

} // namespace hilda::studio
