// SPDX-License-Identifier: BSD-3-Clause
#include "tests/blocks/trial.h"

#include "engine/analysis/audit.h"
#include "engine/run/start.h"
#include "engine/session/summary_figures.h"
#include "tests/modules.h"
#include "tests/span_number.h"
#include "tests/standard_plugins.h"

#include <cmath>
#include <gtest/gtest.h>

namespace hilda::test {
namespace {

const Catalogue& catalogue() {
  return standard_plugins({"math", "discrete", "continuous", "routing", "sources", "sinks", "estimation"}).catalogue();
}

void note(const Runtime& runtime, Trial& trial) {
  for (const SystemSignal& signal : runtime.signals()) {
    Trace& trace = trial.traces[signal.path];
    trace.width = signal.span.count;
    for (std::size_t i = 0; i < signal.span.count; ++i) trace.values.push_back(number_at(signal.span, i));
  }
}

void execute(Runtime& runtime, double duration, Trial& trial) {
  const auto steps = static_cast<std::int64_t>(std::llround(
      duration * static_cast<double>(runtime.base().denominator()) / static_cast<double>(runtime.base().numerator())));
  while (trial.ticks < steps) {
    const bool whole = runtime.compute();
    note(runtime, trial);
    ++trial.ticks;
    if (!whole || !runtime.advance()) break;
  }
  trial.ending = runtime.ending();
}

Trial run(LoadedDiagram& diagram, const TrialOptions& options) {
  Trial trial;
  Diagnostics& problems = diagram.diagnostics();
  if (diagram.has_system()) {
    const AuditResult audited = audit(diagram.system(), options.duration, problems);
    for (const AuditFinding& finding : audited.findings) trial.audit += finding.text() + "\n";
    RuntimeOptions how;
    how.solver = options.solver;
    if (const std::unique_ptr<Runtime> runtime = start_runtime(diagram, how)) {
      for (const SystemSignal& signal : runtime->signals())
        trial.units[signal.path] = signal.type.unit ? signal.type.unit->text() : "?";
      execute(*runtime, options.duration, trial);
      runtime->stop();
      for (const SummaryFigure& figure : gather_figures(*runtime).figures)
        if (const double* number = std::get_if<double>(&figure.value)) trial.summary[figure.key] = *number;
    }
  }
  trial.errors = problems.ok() ? "" : problems.text();
  return trial;
}

} // namespace

Trial run_trial(const std::string& body, const TrialOptions& options) {
  LoadedDiagram diagram(catalogue(), DiagramText{options.file, "<diagram format=\"1\" name=\"trial\" period=\"" +
                                                                   options.period + "\">\n" + body + "</diagram>\n"});
  return run(diagram, options);
}

Trial run_file(const std::string& path, double duration) {
  LoadedDiagram diagram(catalogue(), path);
  return run(diagram, {.duration = duration});
}

std::vector<std::string> block_types() {
  std::vector<std::string> names = catalogue().names();
  std::erase(names, "estimation/AdaptiveKalmanFilter"); // of contacts: contact_test.cpp
  return names;
}

Trial sound_trial(const std::string& body, const TrialOptions& options) {
  Trial trial = run_trial(body, options);
  EXPECT_EQ(trial.errors, "") << body;
  EXPECT_EQ(trial.audit, "") << body;
  EXPECT_NE(trial.ending.kind, Ending::Kind::failed) << trial.ending.block << " " << trial.ending.text << "\n" << body;
  return trial;
}

std::string fed(const std::string& type, const std::string& attributes, const std::string& source,
                const std::string& port) {
  const std::string feeder = source.empty() ? "type=\"sources/Noise\" deviation=\"1 2 0.5\"" : source;
  return "<block name=\"u\" " + feeder + "/>\n<block name=\"b\" type=\"" + type + "\" " + attributes +
         "/>\n<connect from=\"u.y\" to=\"b." + port + "\"/>\n";
}

} // namespace hilda::test
