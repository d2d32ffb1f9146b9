#include "tests/diagrams/diagram_run.h"

#include "engine/check/check.h"
#include "engine/host/library.h"

#include <cstring>

namespace hilda::test {
namespace {

/// The standard plugins, loaded once. What is wrong with one of them shows where a diagram misses its blocks.
const Host& standard_plugins() {
  static const std::unique_ptr<Host> host = [] {
    auto loaded = std::make_unique<Host>();
    Diagnostics diagnostics;
    loaded->load_folder(HILDA_BINARY_DIR "/lib/hilda/plugins", diagnostics);
    return loaded;
  }();
  return *host;
}

double number(const Span& span, std::size_t i) {
  switch (span.element) {
  case HILDA_U8: return static_cast<const std::uint8_t*>(span.data)[i];
  case HILDA_I64: return static_cast<double>(static_cast<const std::int64_t*>(span.data)[i]);
  case HILDA_U64: return static_cast<double>(static_cast<const std::uint64_t*>(span.data)[i]);
  default: return static_cast<const double*>(span.data)[i];
  }
}

struct Probe {
  Span span;
  std::vector<double>* samples;
};

std::vector<Probe> probes(const Runtime& runtime, const DiagramSettings& settings, DiagramRun& run) {
  std::vector<Probe> found;
  for (const std::string& path : settings.observed) {
    const SystemSignal* signal = runtime.find_signal(path);
    if (signal == nullptr)
      run.errors += "no signal " + path + "\n";
    else
      found.push_back({signal->span, &run.signals[path]});
  }
  return found;
}

void keep_figures(const Runtime& runtime, DiagramRun& run) {
  const SummaryFigures summary = gather_figures(runtime);
  for (const SummaryFigure& figure : summary.figures)
    if (const double* value = std::get_if<double>(&figure.value)) run.figures[figure.key] = *value;
  for (const SummaryTable& table : summary.tables) run.tables[table.name];
  for (const SummaryWarning& warning : summary.warnings) run.warnings.push_back(warning.text);
  for (const SummaryRow& row : summary.rows) {
    DiagramRun::Row& columns = run.tables[row.table].emplace_back();
    for (const SummaryFigure& column : row.columns)
      if (const double* value = std::get_if<double>(&column.value)) columns[column.key] = *value;
  }
}

} // namespace

DiagramRun run_diagram(const DiagramSettings& settings) {
  DiagramRun run;
  Diagnostics diagnostics;
  const Host& host = standard_plugins();
  Sources sources;
  LoadOptions options;
  options.mode = "sim";
  if (!settings.rig.empty()) options.rig = HILDA_SOURCE_DIR "/diagrams/rigs/" + settings.rig + ".xml";
  options.sets = read_settings(settings.settings, sources, diagnostics);
  std::vector<std::string> remarks;
  std::optional<System> system =
      settings.diagram.starts_with('<')
          ? check_text("test.xml", settings.diagram, options, host.catalogue(), sources, diagnostics, remarks)
          : check(HILDA_SOURCE_DIR "/diagrams/" + settings.diagram + ".xml", options, host.catalogue(), sources,
                  diagnostics, remarks);
  std::unique_ptr<Runtime> runtime;
  if (system && diagnostics.ok()) runtime = Runtime::create(std::move(*system), {}, diagnostics);
  if (runtime != nullptr && !runtime->start(diagnostics)) runtime = nullptr;
  run.errors = diagnostics.text();
  if (runtime == nullptr) return run;

  const std::vector<Probe> watched = probes(*runtime, settings, run);
  const std::int64_t last = static_cast<std::int64_t>(settings.duration / runtime->base().value() + 0.5);
  bool going = true;
  while (going && runtime->tick() < last) {
    going = runtime->compute();
    for (const Probe& probe : watched)
      for (std::size_t i = 0; i < probe.span.count; ++i) probe.samples->push_back(number(probe.span, i));
    if (going) going = runtime->advance();
    ++run.steps;
  }
  run.ending = runtime->ending();
  runtime->stop();
  keep_figures(*runtime, run);
  return run;
}

} // namespace hilda::test
