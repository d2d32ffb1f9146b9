#include "tools/cli/origin.h"

#include "tools/cli/plugins.h"
#include "tools/cli/version.h"

namespace hilda::cli {

RunOrigin origin_of(const Bench& bench) {
  RunOrigin origin;
  origin.version = version;
  origin.git = revision;
  origin.diagram = bench.arguments().file;
  origin.overlays = bench.arguments().overlays;
  origin.settings = bench.arguments().settings;
  origin.rig = bench.arguments().rig;
  origin.sources = &bench.sources();
  for (const auto& library : plugin_host().libraries()) origin.plugins[library->name] = library->hash;
  return origin;
}

} // namespace hilda::cli
