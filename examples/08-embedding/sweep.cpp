// sweep DIAGRAM PARAMETER VALUE...: runs a contact diagram with each value, and prints the first contact's CoV and CoF.

#include "engine/plugin/library.h"
#include "engine/run/start.h"
#include "engine/session/simulation.h"
#include "engine/session/summary_figures.h"

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>

using namespace hilda::session; // and what that module uses

// All that was found wrong with the diagram; empty where it ran.
std::string run(const std::string& diagram, const std::string& setting, const Catalogue& blocks,
                SummaryFigures& figures) {
  LoadOptions options;
  options.settings = {setting};
  LoadedDiagram loaded(blocks, diagram, options); // and the files that were read, for as long as anything is used
  const std::unique_ptr<Runtime> runtime = start_runtime(loaded);
  if (!runtime) return loaded.diagnostics().text();

  SimulationOptions until;
  until.duration = 60; // s, or earlier by a block
  const SimulationResult result = simulate(*runtime, nullptr, until);
  runtime->stop();
  if (result.reason == SimulationResult::Reason::failed) return result.ending.signal + ": " + result.ending.text + "\n";
  figures = gather_figures(*runtime);
  return {};
}

double first(const SummaryFigures& figures, const std::string& key) {
  for (const SummaryFigure& figure : figures.rows.at(0).columns)
    if (figure.key == key) return std::get<double>(figure.value);
  return NAN;
}

int main(int count, char** words) {
  if (count < 4) return std::fprintf(stderr, "usage: sweep DIAGRAM PARAMETER VALUE...\n"), 64;
  Host host; // loads the plugins; objects made from its catalogue must go before it
  Diagnostics problems;
  host.load_folder(HILDA_PLUGINS, problems);
  std::fputs(problems.text().c_str(), stderr);

  std::printf("%-8s %6s %6s\n", words[2], "CoV", "CoF");
  for (int i = 3; i < count; ++i) {
    SummaryFigures figures;
    const std::string wrong = run(words[1], std::string(words[2]) + "=" + words[i], host.catalogue(), figures);
    if (!wrong.empty()) return std::fputs(wrong.c_str(), stderr), 2;
    if (figures.rows.empty()) return std::fputs("no contact\n", stderr), 3;
    std::printf("%-8s %6.3f %6.3f\n", words[i], first(figures, "cov"), first(figures, "cof"));
  }
}
