#include "tools/cli/loading/origin.h"

#include "tools/cli/loading/plugins.h"
#include "tools/cli/program/version.h"

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
  origin.plugins = &installation().host();
  return origin;
}

} // namespace hilda::cli
