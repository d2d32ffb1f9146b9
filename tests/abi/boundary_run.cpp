#include "tests/abi/boundary_run.h"

#include "engine/check/check.h"

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
  Diagnostics diagnostics;
  Sources sources;
  std::vector<std::string> remarks;
  for (const char* standard : {"sources", "math"})
    host.load(std::string(HILDA_BINARY_DIR "/lib/hilda/plugins/") + standard + ".so", diagnostics);
  for (const std::string& file : plugins) host.load(file, diagnostics);
  const std::string text = "<diagram format=\"1\" name=\"test\" period=\"10 ms\">\n" + body + "</diagram>\n";
  std::optional<System> system = check_text("test.xml", text, {}, host.catalogue(), sources, diagnostics, remarks);
  RuntimeOptions options;
  options.separate = separate;
  const auto runtime = system && diagnostics.ok() ? Runtime::create(std::move(*system), options, diagnostics) : nullptr;
  if (runtime && runtime->start(diagnostics))
    for (int i = 0; i < ticks; ++i) {
      const bool going = runtime->compute();
      note(*runtime, result);
      if (!going || !runtime->advance()) break;
    }
  result.errors = diagnostics.text();
  return result;
}

} // namespace hilda::test
