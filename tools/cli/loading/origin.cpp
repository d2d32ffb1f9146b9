#include "tools/cli/loading/origin.h"

#include "tools/cli/loading/plugins.h"
#include "tools/cli/program/version.h"

namespace hilda::cli {

RunOrigin origin_of(const CommandDiagram& loaded) {
  RunOrigin origin;
  origin.version = version;
  origin.git = revision;
  origin.diagram = loaded.arguments().file;
  origin.overlays = loaded.arguments().overlays;
  origin.settings = loaded.arguments().settings;
  origin.rig = loaded.arguments().rig;
  origin.sources = &loaded.sources();
  origin.plugins = &installation().host();
  return origin;
}

} // namespace hilda::cli
