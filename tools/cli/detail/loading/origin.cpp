// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/origin.h"

#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/version.h"

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
  origin.plugins = &plugin_host();
  return origin;
}

} // namespace hilda::cli
