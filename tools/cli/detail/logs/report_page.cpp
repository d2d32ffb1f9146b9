// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/logs/recorded_diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/graphics/drawing.h"
#include "tools/graphics/page.h"

#include <cstdio>
#include <filesystem>
#include <memory>

namespace hilda::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> logs, names, tolerances, plugins;
  std::string out;
  int depth = 0;
  std::size_t samples = 0; ///< 0: what a page can bear
};

/// Units of all parameters that have one, by path.
std::map<std::string, std::string> units_of(const System& system) {
  std::map<std::string, std::string> units;
  const auto add = [&units](const std::string& path, const Value& value) {
    const auto unit = value.kind == Value::Kind::number ? value.unit() : std::nullopt;
    if (unit && !unit->dimensionless()) units[path] = unit->text();
  };
  for (const NamedParameter& each : system.parameters) add(each.path, each.value);
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& each : block.parameters)
      add(block.path + "." + block.type->slots[each.slot].name, each.value);
  return units;
}

/// The diagram as the log holds it, drawn; what keeps it from being drawn goes to the options.
std::string drawn(Log& log, const ReportArguments& arguments, report::PageOptions& options) {
  const RecordedDiagram diagram = recorded_diagram(log, arguments.plugins);
  options.why_no_diagram = diagram.why;
  options.sinks = taken_by_sinks(diagram);
  if (!diagram.system) return {};
  options.units = units_of(*diagram.system);
  const draw::Sketch sketch = draw::sketch_of(
      *diagram.system, {arguments.depth, "", draw::hints_of(*diagram.system, diagram.loaded->sources())}, {});
  const auto drawing = draw::draw(sketch, {}, options.why_no_diagram);
  return drawing ? drawing->svg : "";
}

bool read_tolerances(const ReportArguments& arguments, report::PageOptions& options) {
  for (const std::string& text : arguments.tolerances) {
    std::string error;
    const auto tolerance = read_tolerance(text, error);
    if (!tolerance) print_error(error);
    if (!tolerance) return false;
    options.tolerances.push_back(*tolerance);
  }
  return true;
}

/// A file name with another kind's ending misleads its readers. Empty: this one does not.
std::string fault_of_page_name(const std::string& name) {
  const std::string extension = std::filesystem::path(name).extension().string();
  for (const char* other : {".svg", ".png", ".pdf", ".csv", ".mat", ".json", ".xml", ".mcap"})
    if (extension == other)
      return name + " would hold an HTML page, and its name says otherwise\nhelp: name it .html; hilda plot draws "
                    ".svg, .png and .pdf";
  return {};
}

int report_runs(const ReportArguments& arguments) {
  if (arguments.names.size() > arguments.logs.size()) {
    print_error("more names than logs");
    return exit_usage;
  }
  report::PageOptions options;
  if (arguments.samples > 0) options.limits = {arguments.samples, ~std::size_t{0}};
  if (!read_tolerances(arguments, options)) return exit_usage;
  std::vector<report::PageRun> runs;
  OutputFiles files;
  std::string error;
  for (std::size_t i = 0; i < arguments.logs.size(); ++i) {
    std::optional<Log> log = Log::open(arguments.logs[i], error);
    if (!log) {
      print_error(error + "\nhelp: hilda run DIAGRAM writes one, out/NAME.mcap unless --log names another");
      return exit_bad_file;
    }
    files.reads(log->path());
    const std::string name = i < arguments.names.size() ? arguments.names[i] : stem_of(arguments.logs[i]);
    runs.push_back({name, arguments.logs[i], std::move(*log)});
  }
  const std::string out = arguments.out.empty() ? beside(arguments.logs.front(), ".html") : arguments.out;
  const auto file = files.open(out, OutputKind::text, FileContent::page);
  if (!file) return refused(files, "name another file with --out");
  if (const std::string fault = fault_of_page_name(out); !fault.empty()) {
    print_error(fault);
    return exit_usage;
  }
  options.diagram = drawn(runs.front().log, arguments, options);
  const auto html = report::page_html(runs, options, error);
  if (!html) {
    print_error(error);
    return exit_usage;
  }
  if (const Exit problem = finish(*file, *html); problem != exit_ok) return problem;
  tell_place(*file, " (" + bytes_text(html->size()) + ")");
  if (const std::string lacks = report::page_lacks(); !lacks.empty())
    std::fprintf(stderr, "note: the page's plots are static: when hilda was built, %s\n", lacks.c_str());
  Exit problem = exit_ok;
  for (report::PageRun& run : runs)
    if (tell_problems(run.log, run.file) != exit_ok) problem = exit_bad_file;
  return problem;
}

} // namespace

void add_report(Program& program) {
  Command command = program.command("report", "Writes a page to look at one run, or at several over one another");
  auto arguments = std::make_shared<ReportArguments>();
  command.option("LOG", arguments->logs, "Logs of runs (MCAP); the others are compared with the first")
      .required()
      .option_text("FILE...");
  const auto add_list = [&command](const char* name, std::vector<std::string>& list, const char* type,
                                   const char* text) { command.option(name, list, text).type_name(type).repeated(); };
  command.option("-o,--out", arguments->out, "Page to write; the log's name with .html if not given").type_name("FILE");
  add_list("--name", arguments->names, "TEXT", "What the runs are called, in the order of the logs");
  add_list("--tolerance", arguments->tolerances, "[PATTERN=]ABS[,REL]", "Of the comparison, as in hilda compare");
  command.option("--depth", arguments->depth, "Levels of subsystems that the diagram shows opened").between(0, 100);
  command
      .option("--samples", arguments->samples,
              "Longest signal that is kept sample by sample; longer ones keep\n"
              "the least and greatest of each group")
      .between(std::size_t{64}, std::size_t{100'000'000});
  add_plugin_option(command, arguments->plugins);
  command.footer(
      "The page is one file and needs no network: plots to zoom and to read values from, any recorded signal,\n"
      "contacts, energy ledger, comparison, diagram, parameters.\n"
      "Examples:\n"
      "  hilda report out/pida.mcap\n"
      "  hilda report with.mcap without.mcap --name PIDA --name none -o both.html\n"
      "  hilda report sim.mcap robot.mcap --tolerance 'rig.wrench=0.5,1e-3'");
  command.runs([arguments] { return report_runs(*arguments); });
}

} // namespace hilda::cli
