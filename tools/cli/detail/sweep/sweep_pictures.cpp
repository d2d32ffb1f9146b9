// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a store: a map for print, and the page.
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/study_arguments.h"
#include "tools/graphics/picture_file.h"
#include "tools/graphics/study_map.h"
#include "tools/graphics/study_page.h"

#include <cmath>
#include <cstdio>

namespace hilda::cli {
namespace {

struct PictureArguments {
  std::string store, into;
  graphics::MapQuery query;
  double limit = NAN, least = NAN, greatest = NAN;
  std::size_t columns = 3;
};

int plot(const PictureArguments& arguments) {
  const std::unique_ptr<Store> store = read_store(arguments.store);
  if (!store) return exit_bad_file;
  std::string error;
  OutputFiles files;
  files.reads(arguments.store);
  const std::string path = arguments.into.empty() ? beside(arguments.store, ".svg") : arguments.into;
  const std::unique_ptr<OutputFile> file = files.open(path, OutputKind::file, FileContent::picture);
  if (!file) return refused(files);
  const std::optional<graphics::StudyMap> map = graphics::study_map(*store, arguments.query, error);
  if (!map) {
    print_error(error);
    return store->ok() ? exit_usage : exit_bad_file;
  }
  graphics::MapStyle style;
  style.columns = arguments.columns;
  if (!std::isnan(arguments.limit)) style.limit = arguments.limit;
  if (!std::isnan(arguments.least)) style.least = arguments.least;
  if (!std::isnan(arguments.greatest)) style.greatest = arguments.greatest;
  if (!svg::write_picture(graphics::map_svg(*map, style), *file, 2, error)) {
    print_error(error);
    return exit_failed_run;
  }
  std::printf("map      %s\n", path.c_str());
  return exit_ok;
}

int report(const PictureArguments& arguments) {
  const std::unique_ptr<Store> store = read_store(arguments.store);
  if (!store) return exit_bad_file;
  std::string error;
  OutputFiles files;
  files.reads(arguments.store);
  const std::string path = arguments.into.empty() ? beside(arguments.store, ".html") : arguments.into;
  const std::unique_ptr<OutputFile> file = files.open(path, OutputKind::text, FileContent::page);
  if (!file) return refused(files);
  const std::optional<std::string> page = graphics::study_page(*store, arguments.store, error);
  if (!page) {
    print_error(error);
    return exit_bad_file;
  }
  if (const Exit problem = finish(*file, *page); problem != exit_ok) return problem;
  std::printf("page     %s\n", path.c_str());
  return exit_ok;
}

} // namespace

void add_sweep_plot(Command sweep) {
  Command command = sweep.command("plot", "Draws a figure of a study over two axes");
  auto arguments = std::make_shared<PictureArguments>();
  command.option("FILE", arguments->store, "Results of a study").required().option_text("FILE");
  command.option("-o,--output", arguments->into, "Picture: .svg, .png or .pdf; next to the results if not given")
      .type_name("FILE")
      .check([](const std::string& path) { return svg::fault_of_name(path); });
  command.option("--figure", arguments->query.figure, "Its colour; the study's last if not given").type_name("NAME");
  command.option("--across", arguments->query.across, "Axis or draw from left to right").type_name("NAME");
  command.option("--up", arguments->query.up, "Axis or draw from below").type_name("NAME");
  command.option("--limit", arguments->limit, "A line where the figure passes this").type_name("NUMBER");
  command.option("--least", arguments->least, "Where the colours begin; values below have the first")
      .type_name("NUMBER");
  command.option("--greatest", arguments->greatest, "Where they end").type_name("NUMBER");
  command.option("--columns", arguments->columns, "Panels in a row")
      .type_name("N")
      .between(std::size_t{1}, std::size_t{12});
  command.footer(
      "The other axes make a panel each; draws and repeated runs are averaged. A draw as an axis is divided into\n"
      "parts of equal width. A cell in which no run has the figure is crossed out, one in which runs failed has a "
      "dot.\n"
      "Example:\n"
      "  hilda sweep plot out/stability.sqlite --figure energy --limit 1.05 -o map.svg");
  command.runs([arguments] { return plot(*arguments); });
}

void add_sweep_report(Command sweep) {
  Command command =
      sweep.command("report", "Writes one page with maps, bands, correlations and every run behind a click");
  auto arguments = std::make_shared<PictureArguments>();
  command.option("FILE", arguments->store, "Results of a study").required().option_text("FILE");
  command.option("-o,--output", arguments->into, "Page (HTML); next to the results if not given").type_name("FILE");
  command.runs([arguments] { return report(*arguments); });
}

} // namespace hilda::cli
