// SPDX-License-Identifier: BSD-3-Clause
#include "tests/diagrams/diagram_run.h"

#include "engine/run/start.h"
#include "engine/session/summary_figures.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/span_number.h"
#include "tests/standard_plugins.h"

#include <cstring>

namespace hilda::test {
namespace {

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
  LoadOptions options;
  options.mode = "sim";
  if (!settings.rig.empty()) options.rig = source_folder() + "/diagrams/rigs/" + settings.rig + ".xml";
  options.settings = settings.settings;
  LoadedDiagram diagram(all_plugins().catalogue());
  if (settings.diagram.starts_with('<'))
    diagram.load(DiagramText{"test.xml", settings.diagram}, options);
  else
    diagram.load(source_folder() + "/diagrams/" + settings.diagram + ".xml", options);
  const std::unique_ptr<Runtime> runtime = start_runtime(diagram);
  run.errors = diagram.diagnostics().text();
  if (runtime == nullptr) return run;

  const std::vector<Probe> watched = probes(*runtime, settings, run);
  const std::int64_t last = static_cast<std::int64_t>(settings.duration / runtime->base().value() + 0.5);
  bool going = true;
  while (going && runtime->tick() < last) {
    going = runtime->compute();
    for (const Probe& probe : watched)
      for (std::size_t i = 0; i < probe.span.count; ++i) probe.samples->push_back(number_at(probe.span, i));
    if (going) going = runtime->advance();
    ++run.steps;
  }
  run.ending = runtime->ending();
  runtime->stop();
  keep_figures(*runtime, run);
  return run;
}

} // namespace hilda::test
