// SPDX-License-Identifier: BSD-3-Clause
// Searches instead of a grid: the edge of what is true, and the best of what is a number.
#include "engine/study/search.h"
#include "engine/study/study_values.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/study_arguments.h"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

struct SearchArguments {
  StudyArguments study;
  std::string store, along, figure, minimise, maximise;
  std::vector<std::string> over, steps;
  int jobs = 0, evaluations = 100, coarse = 20;
  bool isolate = false;
};

/// A study, its store and what makes rows, for a search.
class SearchCommand {
public:
  explicit SearchCommand(const SearchArguments& arguments) : arguments_(arguments) {}

  Exit open() {
    study = load_study(arguments_.study);
    if (!study) return exit_bad_file;
    if (study->design().samples() > 1)
      return misuse("a search is over axes, and this study has samples of draws", "leave their count= away");
    path = arguments_.store.empty() ? own_store_path(study->study()) : arguments_.store;
    Exit refused = exit_ok;
    store = write_store(path, *study, refused);
    if (!store) return refused;
    options.jobs = arguments_.jobs, options.isolate = arguments_.isolate;
    options.interrupt = &interrupt.flag();
    evaluations.emplace(*study, *store, options);
    return exit_ok;
  }

  std::optional<std::size_t> axis(const std::string& name) const {
    const std::vector<StudyAxis>& axes = study->study().axes;
    for (std::size_t a = 0; a < axes.size(); ++a)
      if (axes[a].name == name && axes[a].from) return a;
    std::string names;
    for (const StudyAxis& each : axes)
      if (each.from) names += (names.empty() ? "" : ", ") + each.name;
    misuse("'" + name + "' is not an axis with two ends",
           names.empty() ? "write from= and to=" : "there are: " + names);
    return std::nullopt;
  }

  std::optional<std::size_t> figure(const std::string& name) const {
    const std::vector<StudyFigure>& figures = study->study().figures;
    std::string names;
    for (std::size_t f = 0; f < figures.size(); ++f) {
      if (figures[f].name == name) return f;
      names += (f > 0 ? ", " : "") + figures[f].name;
    }
    misuse("the study has no figure '" + name + "'", "there are: " + names);
    return std::nullopt;
  }

  /// Of "PATH=0.1ms"; as fine as an axis has values where it is not given.
  std::optional<double> step(std::size_t axis) const {
    const StudyAxis& along = study->study().axes[axis];
    for (const std::string& text : arguments_.steps) {
      const std::size_t equals = text.find('=');
      const std::string name = equals == std::string::npos ? along.name : text.substr(0, equals);
      if (name != along.name) continue;
      Diagnostics diagnostics;
      const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
      const auto read = read_number({"--step", number, {}}, diagnostics);
      if (read && read->unit == along.unit && read->number > 0) return read->number;
      misuse("--step " + text + " is not a step of " + along.name,
             "write a number above 0 in " + (along.unit.empty() ? std::string("no unit") : along.unit));
      return std::nullopt;
    }
    return 0.0;
  }

  /// After the search: what went wrong; exit_ok: nothing.
  Exit end() {
    for (const Diagnostic& each : evaluations->warnings().all()) std::fprintf(stderr, "%s\n", each.text().c_str());
    for (const Diagnostic& fault : evaluations->faults()) std::fprintf(stderr, "%s\n", fault.text().c_str());
    if (!evaluations->error().empty()) print_error(evaluations->error());
    if (!evaluations->faults().empty()) {
      close_store(store, path, true);
      return exit_bad_file;
    }
    if (!evaluations->error().empty()) return exit_failed_run;
    return interrupt.flag() ? exit_interrupted : exit_ok;
  }

  static Exit misuse(const std::string& what, const std::string& help) {
    print_error(what + "\nhelp: " + help);
    return exit_usage;
  }

  std::unique_ptr<LoadedStudy> study;
  std::unique_ptr<Store> store;
  std::optional<Evaluations> evaluations;
  Interrupt interrupt;

private:
  const SearchArguments& arguments_;
  SweepOptions options;
  std::string path; ///< of the store
};

std::string with_unit(double number, const StudyAxis& axis) { return setting_text(number, axis.unit); }

/// The values of the other axes, "pida, 176.3".
std::string others(const Study& study, const EdgePoint& edge, std::size_t along) {
  std::string text;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    const RunPoint::Coordinate& at = edge.coordinates[a];
    if (a == along || (study.axes[a].numeric && std::isnan(at.number))) continue;
    text +=
        (text.empty() ? "" : ", ") +
        (study.axes[a].numeric ? study.axes[a].name + " " + with_unit(rounded(at.number), study.axes[a]) : at.label);
  }
  return text;
}

/// "true up to 10 ms, false from 11 ms to 12 ms, true from 13 ms"
std::string changes_text(const EdgePoint& edge, const StudyAxis& along) {
  const auto at = [&](double number) { return with_unit(rounded(number), along); };
  bool now = edge.at_first;
  std::string text = now ? "true" : "false";
  for (std::size_t k = 0; k < edge.changes.size(); ++k) {
    text += (k == 0 ? " up to " : " to ") + at(edge.changes[k].before);
    now = !now;
    text += fmt::format(", {} from {}", now ? "true" : "false", at(edge.changes[k].behind));
  }
  return text;
}

int edge(const SearchArguments& arguments) {
  SearchCommand search(arguments);
  if (const Exit problem = search.open(); problem != exit_ok) return problem;
  const auto axis = search.axis(arguments.along);
  const auto figure = search.figure(arguments.figure);
  if (!axis || !figure) return exit_usage;
  const StudyAxis& along = search.study->study().axes[*axis];
  auto step = search.step(*axis);
  if (!step) return exit_usage;
  if (*step == 0)
    *step = std::abs(*along.to - *along.from) / static_cast<double>(std::max<std::size_t>(along.values.size(), 2) - 1);
  const EdgeQuery query{.axis = *axis, .figure = *figure, .step = *step, .coarse = arguments.coarse};
  const std::vector<EdgePoint> edges = find_edges(*search.study, *search.store, query, *search.evaluations);
  if (const Exit problem = search.end(); problem != exit_ok) return problem;
  for (const EdgePoint& each : edges) {
    const std::string where = others(search.study->study(), each, *axis);
    std::string what = "is not a number at an end";
    if (!each.changes.empty())
      what = changes_text(each, along);
    else if (each.known)
      what = fmt::format("{} at both ends and at the {} places between them that were looked at",
                         each.at_first ? "true" : "false", each.looked - 2);
    std::printf("%s%s%s %s\n", where.c_str(), where.empty() ? "" : ": ", arguments.figure.c_str(), what.c_str());
  }
  std::printf("runs     %lld made now\n", static_cast<long long>(search.evaluations->made()));
  return exit_ok;
}

int optimise(const SearchArguments& arguments) {
  if (arguments.minimise.empty() == arguments.maximise.empty())
    return SearchCommand::misuse("what is to be best?", "give --minimise FIGURE or --maximise FIGURE");
  SearchCommand search(arguments);
  if (const Exit problem = search.open(); problem != exit_ok) return problem;
  OptimumQuery query;
  query.greatest = arguments.minimise.empty(), query.evaluations = arguments.evaluations;
  const auto figure = search.figure(query.greatest ? arguments.maximise : arguments.minimise);
  if (!figure) return exit_usage;
  query.figure = *figure;
  for (std::size_t a = 0; a < search.study->study().axes.size(); ++a) {
    const StudyAxis& each = search.study->study().axes[a];
    if (arguments.over.empty() && each.from) query.axes.push_back(a);
  }
  for (const std::string& name : arguments.over) {
    const auto axis = search.axis(name);
    if (!axis) return exit_usage;
    query.axes.push_back(*axis);
  }
  if (query.axes.empty()) return SearchCommand::misuse("no axis of the study has two ends", "write from= and to=");
  for (const std::size_t axis : query.axes) {
    const auto step = search.step(axis);
    if (!step) return exit_usage;
    query.steps.push_back(*step);
  }
  const Optimum best = find_optimum(*search.study, *search.store, query, *search.evaluations);
  if (const Exit problem = search.end(); problem != exit_ok) return problem;
  if (!best.found) {
    print_error("no run gave the figure");
    return exit_failed_run;
  }
  for (std::size_t i = 0; i < query.axes.size(); ++i) {
    const StudyAxis& axis = search.study->study().axes[query.axes[i]];
    std::printf("%-20s %s\n", axis.name.c_str(), with_unit(best.at[i], axis).c_str());
  }
  std::printf("%-20s %s\n", search.study->study().figures[query.figure].name.c_str(), decimal(best.value).c_str());
  std::printf("run                  %lld (%d places looked at, %lld runs made now)\n", static_cast<long long>(best.run),
              best.evaluations, static_cast<long long>(search.evaluations->made()));
  return exit_ok;
}

void add_search_arguments(Command command, SearchArguments& arguments) {
  command.option("STUDY", arguments.study.file, "Study file").required().option_text("FILE");
  command.option("-o,--output", arguments.store, "File of results (SQLite); out/NAME.sqlite if not given")
      .type_name("FILE");
  command.option("-j,--jobs", arguments.jobs, "Runs at a time").type_name("N").between(1, 1024);
  command.flag("--isolate", arguments.isolate, "Worker processes instead of threads");
  command.option("--step", arguments.steps, "Grid of an axis, such as response_delay=1ms")
      .type_name("PATH=STEP")
      .repeated();
  add_plugin_option(command, arguments.study.plugins);
}

} // namespace

void add_sweep_edge(Command sweep) {
  Command command = sweep.command("edge", "Finds where a figure that is true or false changes along an axis");
  auto arguments = std::make_shared<SearchArguments>();
  add_search_arguments(command, *arguments);
  command.option("--along", arguments->along, "The axis").required().type_name("PATH");
  command.option("--figure", arguments->figure, "The figure; with repeats, what more than half of them say")
      .required()
      .type_name("NAME");
  command
      .option("--coarse", arguments->coarse,
              "Even parts of the axis, at whose ends is looked first; 1: both ends alone")
      .type_name("N")
      .between(1, 100000);
  command.footer(
      "For every combination of the other axes: places spread evenly first (--coarse), then halves where two of them\n"
      "differ. An island between two places that agree is not found.\n"
      "Without --step the axis's own values are the grid.\n"
      "Example:\n"
      "  hilda sweep edge diagrams/studies/stability.xml --along response_delay --figure stable --step 1ms");
  command.runs([arguments] { return edge(*arguments); });
}

void add_sweep_optimise(Command sweep) {
  Command command = sweep.command("optimise", "Finds where a figure is least or greatest");
  auto arguments = std::make_shared<SearchArguments>();
  add_search_arguments(command, *arguments);
  command.option("--minimise", arguments->minimise, "The figure").type_name("NAME");
  command.option("--maximise", arguments->maximise, "The figure").type_name("NAME");
  command.option("--over", arguments->over, "Axis with two ends; all that have them if not given")
      .type_name("PATH")
      .repeated();
  command.option("--evaluations", arguments->evaluations, "Places that are looked at, at most")
      .type_name("N")
      .between(2, 100000);
  command.footer(
      "Within the axes' ends, the other axes at their first values; with repeats, the mean of them, with the same\n"
      "draws at every place.");
  command.runs([arguments] { return optimise(*arguments); });
}

} // namespace hilda::cli
