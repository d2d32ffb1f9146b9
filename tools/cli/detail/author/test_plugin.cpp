// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/lanes.h"
#include "engine/compile/junctions.h"
#include "tools/cli/detail/author/captured_output.h"
#include "tools/cli/detail/author/child_trial.h"
#include "tools/cli/detail/author/trial_setup.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/crash.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

namespace fs = std::filesystem;
using testing::Finding;
using testing::Verdict;

struct TestPluginArguments {
  std::string file;
  std::vector<std::string> diagrams, plugins;
  double time_limit = 60;
};

/// One block type in one layout, and what came out.
struct Row {
  std::string name;
  std::vector<Finding> findings;
};

/// A Python file by the path under which the diagrams find it: types of one file under two paths are two types.
std::string path_of_script(const TestPluginArguments& arguments) {
  const fs::path file(arguments.file);
  std::vector<fs::path> folders(arguments.plugins.rbegin(), arguments.plugins.rend());
  for (const std::string& diagram : arguments.diagrams) folders.push_back(fs::path(diagram).parent_path());
  for (const fs::path& folder : folders) {
    const fs::path found = folder / file.filename();
    std::error_code failed;
    if (fs::equivalent(found, file, failed) && !failed) return found.string();
  }
  return arguments.file;
}

/// The plugin under test as the catalogue has it: among those of the standard folders, or loaded now. Empty: refused.
std::string load_under_test(const TestPluginArguments& arguments, Diagnostics& diagnostics) {
  if (is_script(arguments.file)) {
    const std::string file = path_of_script(arguments);
    return installation().host().scripts().in_file(file, diagnostics).empty() ? std::string() : file;
  }
  std::error_code failed;
  const fs::path wanted = fs::weakly_canonical(arguments.file, failed);
  if (!arguments.diagrams.empty()) {
    Diagnostics others; // whatever is wrong with other plugins shows where a diagram needs them
    installation().load_plugins(arguments.plugins, others);
  }
  const auto loaded = [&]() -> std::string {
    for (const auto& library : installation().host().libraries())
      if (fs::weakly_canonical(library->file, failed) == wanted) return library->file;
    return {};
  };
  if (loaded().empty()) installation().host().load(arguments.file, diagnostics);
  return loaded();
}

enum class Words { none, printed };

std::map<const BlockType*, TrialSetup> setups_from(const TestPluginArguments& arguments, const std::string& plugin,
                                                   bool& sound, Words words) {
  std::map<const BlockType*, TrialSetup> setups;
  for (const std::string& file : arguments.diagrams) {
    DiagramArguments diagram;
    diagram.file = file;
    diagram.plugins = arguments.plugins;
    CommandDiagram loaded(diagram);
    const std::optional<System> system = loaded.check("");
    if (words == Words::printed) print_diagnostics(loaded.diagnostics());
    if (system)
      add_setups(*system, plugin, setups);
    else
      sound = false;
  }
  return setups;
}

/// The fault of taking setups from the diagrams, in a separate process: their blocks may crash, hang or end it.
/// Empty: nothing.
std::string try_diagrams(const TestPluginArguments& arguments, const std::string& plugin) {
  if (arguments.diagrams.empty()) return {};
  const ChildTrial trial = in_child(
      "taking setups from the diagram",
      [&](const auto&) {
        tell_of_crashes();
        bool sound = true;
        setups_from(arguments, plugin, sound, Words::none);
      },
      arguments.time_limit);
  return trial.fault.empty() ? "" : "the diagram: " + trial.fault;
}

std::string layout_name(const BlockType& type, const BlockType& layout) {
  if (&type == &layout) return type.name;
  const hilda_lanes_1* const lanes = lanes_of(layout);
  const std::string side = lanes != nullptr ? fmt::format(", {} lanes", lanes->width) : "";
  for (const Slot& slot : layout.slots)
    if ((slot.role == HILDA_INPUT || slot.role == HILDA_OUTPUT) && slot.kind == HILDA_PLAIN && slot.shape.fixed())
      return fmt::format("{} ({}{})", type.name,
                         slot.shape.cols.constant == 1
                             ? fmt::format("{}", slot.shape.rows.constant)
                             : fmt::format("{}x{}", slot.shape.rows.constant, slot.shape.cols.constant),
                         side);
  return type.name + " (variant" + side + ")";
}

const Finding* find(const Row& row, const std::string& check) {
  for (const Finding& finding : row.findings)
    if (finding.check == check) return &finding;
  return nullptr;
}

/// Letters for the reasons why a check says nothing, in the order of their appearance.
class Footnotes {
public:
  std::string letter(const std::string& why) {
    for (std::size_t i = 0; i < reasons_.size(); ++i)
      if (reasons_[i] == why) return mark(i);
    reasons_.push_back(why);
    return mark(reasons_.size() - 1);
  }
  void print() const {
    for (std::size_t i = 0; i < reasons_.size(); ++i) std::printf("  %s  %s\n", mark(i).c_str(), reasons_[i].c_str());
  }

private:
  static std::string mark(std::size_t index) {
    std::string text;
    for (++index; index > 0; index = (index - 1) / 26)
      text.insert(text.begin(), static_cast<char>('a' + (index - 1) % 26));
    return "-" + text;
  }
  std::vector<std::string> reasons_;
};

std::string cell(const Finding* finding, Footnotes& footnotes) {
  if (finding == nullptr) return "";
  if (finding->verdict == Verdict::passed) return "ok";
  return finding->verdict == Verdict::failed ? "FAILED" : footnotes.letter(finding->why);
}

void print_table(const std::vector<Row>& rows) {
  std::size_t width = 5;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string head = fmt::format("{:<{}}", "block", width);
  for (const testing::Check& check : testing::all_checks()) head += fmt::format("  {}", check.name);
  std::printf("%s\n", on_stdout(Ink::bold, head).c_str());
  Footnotes footnotes;
  for (const Row& row : rows) {
    std::printf("%-*s", static_cast<int>(width), row.name.c_str());
    if (const Finding* setup = find(row, "setup"))
      std::printf("  %s", setup->verdict == Verdict::failed ? "FAILED" : ("not run: " + setup->why).c_str());
    else
      for (const testing::Check& check : testing::all_checks()) {
        const std::string text = cell(find(row, check.name), footnotes);
        const bool last = &check == &testing::all_checks().back();
        const std::string padded = last ? text : fmt::format("{:<{}}", text, std::string(check.name).size());
        std::printf("  %s", on_stdout(text == "FAILED" ? Ink::red : Ink::plain, padded).c_str());
      }
    std::printf("\n");
  }
  footnotes.print();
}

/// Every failure with its reason, and how many there are of what.
std::size_t print_summary(const std::vector<Row>& rows) {
  std::size_t passed = 0, failed = 0, silent = 0, not_run = 0;
  for (const Row& row : rows)
    for (const Finding& finding : row.findings) {
      if (finding.verdict == Verdict::passed) ++passed;
      if (finding.verdict == Verdict::not_applicable) ++(finding.check == "setup" ? not_run : silent);
      if (finding.verdict != Verdict::failed) continue;
      ++failed;
      std::printf("%s %s: %s: %s\n", on_stdout(Ink::red, "FAILED").c_str(), row.name.c_str(), finding.check.c_str(),
                  finding.why.c_str());
    }
  std::printf("%zu block%s: %zu checks passed, %zu failed, %zu do not apply", rows.size(), rows.size() == 1 ? "" : "s",
              passed, failed, silent);
  if (not_run > 0)
    std::printf("; %zu block%s not run: name a diagram that uses %s with --diagram", not_run, not_run == 1 ? "" : "s",
                not_run == 1 ? "it" : "them");
  std::printf("\n");
  return failed;
}

std::vector<const BlockType*> types_of(const std::string& plugin) {
  std::vector<const BlockType*> types;
  if (Diagnostics said; is_script(plugin)) return installation().host().scripts().in_file(plugin, said);
  for (const BlockType* type : installation().host().catalogue().all())
    // a piece of wire has nothing to run
    if (type->plugin == plugin && !junction_kind(type->name) && !reads_store(type->name)) types.push_back(type);
  return types;
}

int test_plugin(const TestPluginArguments& arguments) {
  Diagnostics diagnostics;
  CapturedOutput captured;
  if (const std::string fault = try_loading(arguments.file, arguments.time_limit); !fault.empty()) {
    captured.end();
    std::printf("%s %s: loading: %s\n", on_stdout(Ink::red, "FAILED").c_str(), arguments.file.c_str(), fault.c_str());
    return exit_failed_run;
  }
  const std::string plugin = load_under_test(arguments, diagnostics);
  print_diagnostics(diagnostics);
  if (plugin.empty()) return exit_bad_file;
  bool sound = diagnostics.ok(); // a block that was refused
  if (const std::string fault = try_diagrams(arguments, plugin); !fault.empty()) {
    captured.end();
    std::printf("%s %s\n", on_stdout(Ink::red, "FAILED").c_str(), fault.c_str());
    return exit_failed_run;
  }
  const auto setups = setups_from(arguments, plugin, sound, Words::printed);
  std::vector<Row> rows;
  for (const BlockType* type : types_of(plugin)) {
    std::vector<const BlockType*> layouts{type};
    for (const auto& variant : type->variants) layouts.push_back(variant.get());
    for (const BlockType* layout : layouts) {
      const auto given = setups.find(layout);
      rows.push_back({layout_name(*type, *layout),
                      try_block(*layout, given != setups.end() ? &given->second : nullptr, arguments.time_limit)});
    }
  }
  captured.end();
  print_table(rows);
  if (print_summary(rows) > 0) return exit_failed_run;
  return sound ? exit_ok : exit_bad_file;
}

} // namespace

void add_test_plugin(Program& program) {
  Command command = program.command("test-plugin", "Checks what every block of a plugin promises, without its source");
  auto arguments = std::make_shared<TestPluginArguments>();
  command.option("PLUGIN", arguments->file, "The plugin's library, or a Python file with blocks")
      .required()
      .option_text("FILE.so|FILE.py");
  command
      .option("--diagram", arguments->diagrams,
              "Diagram that uses the blocks: gives them parameters, shapes and signals; repeatable")
      .type_name("FILE")
      .repeated();
  command.option("--time-limit", arguments->time_limit, "For each check of a block, and for loading, s")
      .type_name("SECONDS")
      .positive();
  add_plugin_option(command, arguments->plugins);
  std::string checks = "Checks:\n";
  for (const testing::Check& check : testing::all_checks())
    checks += fmt::format("  {:<12} {}\n", check.name, check.question);
  command.footer(
      checks +
      "Without a diagram, parameters have their defaults, and what has none is guessed.\n"
      "Each check runs in its own process. Goto, From, Bundle and Unbundle, which vanish from a loaded diagram, "
      "are left out. Drivers are set up, reset and asked, and never started.\n"
      "Exit code 3 where a check fails.\n"
      "Examples:\n"
      "  hilda test-plugin build/lib/hilda/plugins/mine.so\n"
      "  hilda test-plugin build/lib/hilda/plugins/mine.so --diagram mine.xml\n"
      "  hilda test-plugin my_blocks.py");
  command.runs([arguments] { return test_plugin(*arguments); });
}

} // namespace hilda::cli
