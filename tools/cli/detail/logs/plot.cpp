// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/logs/recorded_diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/graphics/log_panels.h"
#include "tools/graphics/picture_file.h"
#include "tools/graphics/run_differences.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <limits>
#include <memory>

namespace hilda::cli {
namespace {

constexpr double px_a_mm = 96 / 25.4;

struct PlotArguments {
  std::vector<std::string> logs, signals, axes, names, plugins;
  std::string out, title;
  double from = 0, to = 0, width = 110, height = 38, resolution = 192;
  bool has_from = false, has_to = false, dark = false, difference = false;
};

/// A list as in --signals: a comma in brackets belongs to an element, "m[1,2]"; a label may hold blanks.
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  int depth = 0;
  std::string part;
  for (const char c : list) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) {
      parts.push_back(part);
      part.clear();
    } else {
      part += c;
    }
  }
  parts.push_back(part);
  std::erase(parts, "");
  return parts;
}

/// What was asked for, or else what a report of the first log opens on.
std::vector<plot::PanelWish> wishes_of(const PlotArguments& arguments, Log& log) {
  std::vector<plot::PanelWish> wishes;
  for (std::size_t i = 0; i < arguments.signals.size(); ++i)
    wishes.push_back({split(arguments.signals[i]), i < arguments.axes.size() ? arguments.axes[i] : ""});
  if (arguments.signals.empty())
    for (const report::PageFigure& figure : report::figures_of(
             report::measured_signals(log), log, taken_by_sinks(recorded_diagram(log, arguments.plugins))))
      wishes.push_back({figure.signals, figure.title});
  return wishes;
}

std::optional<std::vector<plot::NamedLog>> open_logs(const PlotArguments& arguments) {
  std::vector<plot::NamedLog> logs;
  for (std::size_t i = 0; i < arguments.logs.size(); ++i) {
    std::string error;
    std::optional<Log> log = Log::open(arguments.logs[i], error);
    if (!log) {
      print_error(error + "\nhelp: hilda run DIAGRAM writes one, out/NAME.mcap unless --log names another");
      return std::nullopt;
    }
    logs.push_back({i < arguments.names.size() ? arguments.names[i] : stem_of(arguments.logs[i]), std::move(*log)});
  }
  return logs;
}

/// That --from and --to leave nothing to draw; empty: they do not.
std::string empty_window(const PlotArguments& arguments, const std::vector<plot::Panel>& panels) {
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const plot::Panel& panel : panels)
    for (const plot::Curve& curve : panel.curves) {
      if (curve.time->empty()) continue;
      first = std::min(first, curve.time->front());
      last = std::max(last, curve.time->back());
    }
  if (arguments.has_from && arguments.from > last && last >= first)
    return fmt::format("--from {} s is behind all samples: the log ends at {} s", arguments.from, last);
  if (arguments.has_to && arguments.to < first && last >= first)
    return fmt::format("--to {} s is before all samples: the log begins at {} s", arguments.to, first);
  return {};
}

int plot_logs(const PlotArguments& arguments) {
  if (arguments.names.size() > arguments.logs.size() ||
      (arguments.axes.size() > arguments.signals.size() && !arguments.signals.empty())) {
    print_error("more names than logs, or more axes than panels");
    return exit_usage;
  }
  if (arguments.difference && arguments.logs.size() < 2) {
    print_error("--difference needs two logs or more\nhelp: name the log to compare with behind the first one");
    return exit_usage;
  }
  if (!std::isfinite(arguments.from) || !std::isfinite(arguments.to)) {
    print_error("--from and --to must be numbers of seconds");
    return exit_usage;
  }
  if (arguments.has_from && arguments.has_to && !(arguments.from < arguments.to)) {
    print_error("--from must lie before --to");
    return exit_usage;
  }
  auto logs = open_logs(arguments);
  if (!logs) return exit_bad_file;
  const std::string out = arguments.out.empty() ? beside(arguments.logs.front(), ".svg") : arguments.out;
  if (const std::string fault = svg::fault_of_name(out); !fault.empty()) {
    print_error(fault);
    return exit_usage;
  }
  OutputFiles files;
  for (const plot::NamedLog& each : *logs) files.reads(each.log.path());
  const auto file = files.open(out, OutputKind::text, FileContent::picture);
  if (!file) return refused(files, "name another file with --out");
  const std::vector<plot::PanelWish> wishes = wishes_of(arguments, logs->front().log);
  if (wishes.empty()) {
    print_error(
        "which signals? None changes in the log, and its diagram has no <figure> that says what to show\nhelp: name "
        "them with --signals block.port,...; hilda info " +
        arguments.logs.front() + " lists them");
    return exit_usage;
  }
  std::string error;
  auto panels = plot::panels_of(*logs, wishes, error);
  if (!panels) {
    print_error(error + "\nhelp: hilda info " + arguments.logs.front() + " lists the signals");
    return exit_usage;
  }
  if (const std::string fault = empty_window(arguments, *panels); !fault.empty()) {
    print_error(fault);
    return exit_usage;
  }
  plot::Figure figure;
  figure.title = arguments.title;
  if (arguments.dark) figure.theme = plot::Theme::dark;
  figure.width = arguments.width * px_a_mm, figure.panel_height = arguments.height * px_a_mm;
  for (const plot::NamedLog& each : *logs) figure.runs.push_back(each.name);
  plot::note_hidden_runs(*panels, figure.runs);
  figure.panels = arguments.difference ? plot::with_differences(std::move(*panels), figure.runs) : std::move(*panels);
  if (arguments.has_from) figure.from = arguments.from;
  if (arguments.has_to) figure.to = arguments.to;
  if (!svg::write_picture(plot::figure_svg(figure), *file, arguments.resolution / 96, error)) {
    print_error(error);
    return exit_failed_run;
  }
  tell_place(*file);
  Exit problem = exit_ok;
  for (std::size_t i = 0; i < logs->size(); ++i)
    if (tell_problems((*logs)[i].log, arguments.logs[i]) != exit_ok) problem = exit_bad_file;
  return problem;
}

} // namespace

void add_plot(Program& program) {
  Command command = program.command("plot", "Draws signals of one or several logs over time");
  auto arguments = std::make_shared<PlotArguments>();
  command.option("LOG", arguments->logs, "Logs of runs (MCAP); several are drawn over one another")
      .required()
      .option_text("FILE...");
  const auto add_list = [&command](const char* name, std::vector<std::string>& list, const char* type,
                                   const char* text) {
    return command.option(name, list, text).type_name(type).repeated();
  };
  add_list("--signals", arguments->signals, "NAME[=LABEL],...",
           "Signals of one panel: names, paths or elements, with * and ?; repeat for each panel;\n"
           "what hilda report opens on if not given: the diagram's <figure> elements, or what matters in the run");
  add_list("--axis", arguments->axes, "TEXT", "What the panels' vertical axes show, in the order of --signals");
  add_list("--name", arguments->names, "TEXT", "What the logs are called in the legends, in their order");
  add_plugin_option(command, arguments->plugins);
  command.option("-o,--out", arguments->out, "Picture: .svg, .png or .pdf; the log's name with .svg if not given")
      .type_name("FILE");
  command.option("--title", arguments->title, "Above the figure").type_name("TEXT");
  const Option from = command.option("--from", arguments->from, "Begin of the time axis, s");
  const Option to = command.option("--to", arguments->to, "End of the time axis, s");
  command.flag("--difference", arguments->difference,
               "Below each panel, the other logs less the first; of two logs or more");
  command.flag("--dark", arguments->dark, "For a dark page: light lines on a dark ground");
  command.option("--width", arguments->width, "Of the figure, mm").between(40.0, 2000.0);
  command.option("--height", arguments->height, "Of each panel, mm").between(10.0, 2000.0);
  command.option("--resolution", arguments->resolution, "Of a PNG, pixels an inch").between(30.0, 1200.0);
  command.footer(
      "Signals of one --signals that differ in unit get separate panels. Of several logs each has a colour, and "
      "each\n"
      "signal a dash. If a log hides the first one, the panel says by how much they differ. What a block holds from\n"
      "tick to tick is drawn as steps.\n"
      "Examples:\n"
      "  hilda plot out/pida.mcap\n"
      "  hilda plot out/pida.mcap --signals identification.stiffness,identification.damping\n"
      "  hilda plot out/pida.mcap --signals on_wall.on_wall.force.x=measured,clamp.clamped.force.x=applied \\\n"
      "      --axis 'Contact force' --from 0.7 --to 1 -o force.png\n"
      "  hilda plot with.mcap without.mcap --signals 'satellites.*.kinetic_energy' --difference");
  command.runs([arguments, from, to] {
    arguments->has_from = from.given();
    arguments->has_to = to.given();
    return plot_logs(*arguments);
  });
}

} // namespace hilda::cli
