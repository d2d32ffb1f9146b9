// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/graphics/chart_picture.h"
#include "tools/graphics/drawing.h"
#include "tools/graphics/loop_wires.h"
#include "tools/graphics/picture_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace hilda::cli {
namespace {

constexpr std::size_t most_of_a_picture = 16'000'000; ///< bytes

struct DrawArguments {
  DiagramArguments diagram;
  draw::SketchOptions options;
  draw::CompositionOptions composition;
  bool measure = false;
  std::string out, like;
  double resolution = 192;
};

bool known_subsystem(const System& system, const std::string& path) {
  const std::vector<std::string> paths = draw::subsystem_paths(system);
  if (path.empty() || std::find(paths.begin(), paths.end(), path) != paths.end()) return true;
  const std::string near = nearest(path, paths);
  print_error(fmt::format("the diagram has no subsystem '{}'{}", path,
                          near.empty() ? "" : "\nhelp: did you mean '" + near + "'?"));
  return false;
}

bool known_start(const draw::Sketch& sketch, const std::string& start) {
  std::vector<std::string> paths;
  for (const draw::Symbol& symbol : sketch.symbols) paths.push_back(symbol.path);
  if (start.empty() || std::find(paths.begin(), paths.end(), start) != paths.end()) return true;
  const std::string near = nearest(start, paths);
  print_error(fmt::format("the drawing has no block or subsystem '{}' to start with{}", start,
                          near.empty() ? "" : "\nhelp: did you mean '" + near + "'?"));
  return false;
}

/// The arrangement of the drawing that is to be kept. It may be the picture that is written again.
bool read_like(const std::string& file, draw::CompositionOptions& options) {
  if (file.empty()) return true;
  std::ifstream in(file, std::ios::binary);
  std::string text(most_of_a_picture, '\0'), error;
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.empty())
    error = "it cannot be read, or is empty";
  else
    options.like = draw::arrangement_in(text, error);
  if (options.like) return true;
  print_error("--like " + file + ": " + error + "\nhelp: name an SVG that hilda draw wrote of this diagram before");
  return false;
}

void print_quality(const draw::LayoutQuality& quality) {
  std::printf(
      "aspect %.2f  rows %d  crossings %d  bends %d  tags %d  shared %d  wires %.0f px  text %.1f px at 1600 x 900\n",
      quality.width / quality.height, quality.rows, quality.crossings, quality.bends, quality.tags, quality.shared,
      quality.length, quality.text_on_screen());
}

/// The state chart of that path, or null.
const SystemBlock* chart_at(const System& system, const std::string& path) {
  for (const SystemBlock& each : system.blocks)
    if (each.path == path && draw::is_chart(each)) return &each;
  return nullptr;
}

int draw_chart(const SystemBlock& block, const Sources& sources, OutputFile& file, double resolution) {
  const std::optional<draw::ChartSketch> chart = draw::chart_of(block, sources);
  std::string error = "the file of the chart '" + block.path + "' cannot be read any more";
  if (!chart || !svg::write_picture(draw::chart_picture(*chart), file, resolution / 96, error)) {
    print_error(error);
    return exit_failed_run;
  }
  tell_place(file);
  return exit_ok;
}

int draw_diagram(const DrawArguments& arguments) {
  const std::string out =
      arguments.out.empty()
          ? std::filesystem::path(arguments.diagram.file).filename().replace_extension(".svg").string()
          : arguments.out;
  if (const std::string fault = svg::fault_of_name(out); !fault.empty()) {
    print_error(fault);
    return exit_usage;
  }
  draw::CompositionOptions composition = arguments.composition;
  if (!read_like(arguments.like, composition)) return exit_bad_file;
  CommandDiagram loaded(arguments.diagram);
  const std::optional<System> system = loaded.check(arguments.diagram.mode);
  print_diagnostics(loaded.diagnostics());
  if (!system) return exit_bad_file;
  const SystemBlock* chart = chart_at(*system, arguments.options.inside);
  if (chart == nullptr && !known_subsystem(*system, arguments.options.inside)) return exit_usage;
  OutputFiles files;
  loaded.name_inputs(files, *system);
  const auto file = files.open(out, OutputKind::text, FileContent::picture);
  if (!file) return refused(files, "name another file with --out");
  if (chart != nullptr) return draw_chart(*chart, loaded.sources(), *file, arguments.resolution);
  const std::vector<WireIndex> loops = draw::loop_wires(*system);
  std::string error;
  draw::SketchOptions options = arguments.options;
  options.hints = draw::hints_of(*system, loaded.sources());
  for (const Diagnostic& problem : options.hints.problems) std::fprintf(stderr, "%s\n", problem.text().c_str());
  const draw::Sketch sketch = draw::sketch_of(*system, options, loops);
  if (!known_start(sketch, composition.start)) return exit_usage;
  const auto picture = draw::draw(sketch, composition, error);
  if (!picture || !svg::write_picture(picture->svg, *file, arguments.resolution / 96, error)) {
    print_error(error);
    return exit_failed_run;
  }
  if (!loops.empty())
    std::fprintf(stderr, "note: the diagram has an algebraic loop, drawn red; hilda plan explains it\n");
  if (arguments.measure) print_quality(picture->quality);
  tell_place(*file);
  return exit_ok;
}

} // namespace

void add_draw(Program& program) {
  Command command = program.command("draw", "Draws a diagram as SVG, PNG or PDF");
  auto arguments = std::make_shared<DrawArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.option("-o,--out", arguments->out, "Picture: .svg, .png or .pdf; NAME.svg in this folder if not given")
      .type_name("FILE");
  command.option("--depth", arguments->options.depth, "Levels of subsystems that are opened as frames").between(0, 100);
  command
      .option("--inside", arguments->options.inside, "Subsystem, or state chart, to draw instead of the whole diagram")
      .type_name("PATH");
  command.option("--rows", arguments->composition.rows, "Rows of blocks; as many as look best if not given")
      .between(1, 4);
  command
      .option("--start", arguments->composition.start,
              "Block or subsystem with which the first row begins; where the flow begins if not given")
      .type_name("PATH");
  command
      .option("--like", arguments->like,
              "SVG of the diagram before it was edited: blocks stay where they are unless another arrangement is 10 % "
              "better")
      .type_name("FILE");
  command.flag("--measure", arguments->measure, "Print how the drawing turned out: crossings, lengths, size of text");
  command.option("--resolution", arguments->resolution, "Of a PNG, pixels an inch").between(30.0, 1200.0);
  command.footer("Rows of blocks run to the right and back to the left, so that a loop closes. Neighbours are joined "
                 "by wires, others\n"
                 "by tags with the output's name. An algebraic loop is drawn red. In an SVG, pointing at a wire "
                 "shows all its\n"
                 "signals; at a flag it shows where the signal goes.\n"
                 "Examples:\n"
                 "  hilda draw diagrams/pida.xml -o pida.svg\n"
                 "  hilda draw diagrams/pida.xml --inside rig -o rig.png\n"
                 "  hilda draw diagrams/tdpa.xml --depth 1 -o tdpa.pdf\n"
                 "  hilda draw examples/models/traffic_light.xml --inside light -o light.svg\n"
                 "  hilda draw mine.xml --like mine.svg -o mine.svg");
  command.runs([arguments] { return draw_diagram(*arguments); });
}

} // namespace hilda::cli
