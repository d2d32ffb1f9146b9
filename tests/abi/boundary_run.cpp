// SPDX-License-Identifier: BSD-3-Clause
#include "tests/abi/boundary_run.h"

#include "engine/run/start.h"
#include "tests/modules.h"
#include "tests/project_folders.h"

namespace hilda::test {
namespace {

void note(const Runtime& runtime, BoundaryRun& result) {
  for (const SystemSignal& signal : runtime.signals())
    if (signal.span.element == HILDA_F64 && signal.span.count > 0)
      result.traces[signal.path].push_back(*static_cast<const double*>(signal.span.data));
}

} // namespace

BoundaryRun run(const std::vector<std::string>& plugins, const std::string& body, int ticks, bool separate) {
  BoundaryRun result;
  Host host;
  LoadedDiagram diagram(host.catalogue());
  Diagnostics& diagnostics = diagram.diagnostics();
  for (const char* standard : {"sources", "math"})
    host.load(build_folder() + "/lib/hilda/plugins/" + standard + ".so", diagnostics);
  for (const std::string& file : plugins) host.load(file, diagnostics);
  diagram.load(
      DiagramText{"test.xml", "<diagram format=\"1\" name=\"test\" period=\"10 ms\">\n" + body + "</diagram>\n"}, {});
  RuntimeOptions options;
  options.separate = separate;
  if (const auto runtime = start_runtime(diagram, options))
    for (int i = 0; i < ticks; ++i) {
      const bool going = runtime->compute();
      note(*runtime, result);
      if (!going || !runtime->advance()) break;
    }
  result.errors = diagnostics.text();
  return result;
}

} // namespace hilda::test
