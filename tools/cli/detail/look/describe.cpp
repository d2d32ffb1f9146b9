// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/schema_elements.h"
#include "engine/diagram/reader.h"
#include "tools/cli/block_text.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/look/describe_html.h"
#include "tools/cli/detail/look/diagram_text.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/program/text_file.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

struct DescribeArguments {
  std::vector<std::string> blocks;
  bool html = false;
  std::string file;
  std::vector<std::string> plugins;
};

/// The blocks that are asked for, in this order; empty after an error.
std::vector<const BlockType*> find_blocks(const Catalogue& catalogue, const std::vector<std::string>& names) {
  std::vector<const BlockType*> types;
  for (const std::string& name : names) {
    std::string problem;
    const BlockType* type = find_block(catalogue, name, problem);
    if (type == nullptr) {
      print_error(problem);
      return {};
    }
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
  return types;
}

std::string bold(const std::string& title) { return on_stdout(Ink::bold, title); }

bool is_file(const std::string& name) { return name.ends_with(".xml"); }

/// Diagrams and rigs, those that came with hilda by their bare names too.
int describe_files(const DescribeArguments& arguments) {
  Diagnostics diagnostics;
  Sources sources;
  SearchRoots roots(installation().library_path());
  DiagramReader reader(roots, sources, diagnostics);
  std::string text;
  for (const std::string& name : arguments.blocks) {
    const std::string shipped = std::filesystem::exists(name) ? "" : installation().library_file(name);
    const std::shared_ptr<const DiagramDecl> diagram = reader.file(shipped.empty() ? name : shipped);
    if (diagram) text += (text.empty() ? "" : "\n") + diagram_text(*diagram, &bold);
  }
  print_diagnostics(diagnostics);
  if (!diagnostics.ok()) return exit_bad_file;
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

/// "log" or "<log>": an element of a diagram, with its attributes; empty: there is none of this name.
std::string element_text(std::string name) {
  if (name.starts_with("<") && name.ends_with(">")) name = name.substr(1, name.size() - 2);
  for (const schema::ElementRule& rule : schema::plain_elements()) {
    if (rule.name != name) continue;
    std::size_t width = 0;
    for (const schema::AttributeRule& each : rule.attributes) width = std::max(width, each.name.size());
    std::string text = on_stdout(Ink::bold, "<" + rule.name + ">") + "  an element of a diagram\n" + rule.doc +
                       ".\n\n" + on_stdout(Ink::bold, "Attributes") + "\n";
    for (const schema::AttributeRule& each : rule.attributes)
      text += fmt::format("  {:<{}}  {:<8}  {}\n", each.name, width, each.required ? "required" : "", each.doc);
    return text;
  }
  return {};
}

int describe(const DescribeArguments& arguments) {
  if (!arguments.html && !arguments.blocks.empty() && arguments.file.empty() &&
      std::all_of(arguments.blocks.begin(), arguments.blocks.end(), &is_file))
    return describe_files(arguments);
  if (!arguments.html && (arguments.blocks.empty() || !arguments.file.empty())) {
    print_error(arguments.blocks.empty() ? "name a block; hilda blocks lists all, and --html describes all"
                                         : "--output is for --html");
    return exit_usage;
  }
  TextOutput output(arguments.file, arguments.html ? FileContent::page : FileContent::text);
  if (output.problem() != exit_ok) return output.problem();
  Diagnostics diagnostics;
  const Catalogue& catalogue = load_catalogue(arguments.plugins, diagnostics);
  if (arguments.blocks.size() == 1 && !arguments.html)
    if (const std::string text = element_text(arguments.blocks.front()); !text.empty()) return output.write(text);
  std::vector<const BlockType*> types =
      arguments.blocks.empty() ? catalogue.all() : find_blocks(catalogue, arguments.blocks);
  if (types.empty() && !arguments.blocks.empty()) return exit_usage;
  if (arguments.html) {
    std::sort(types.begin(), types.end(), [](const BlockType* a, const BlockType* b) { return a->name < b->name; });
    return output.write(reference_page(types));
  }
  std::string text;
  for (const BlockType* type : types) text += (text.empty() ? "" : "\n") + block_text(*type, &bold);
  return output.write(text);
}

} // namespace

void add_describe(Program& program) {
  Command command = program.command(
      "describe", "Shows a block's ports and parameters, or those of a diagram or rig file: what one needs to wire it");
  auto arguments = std::make_shared<DescribeArguments>();
  command
      .option("BLOCK", arguments->blocks,
              "Names of blocks, as in a diagram's type attribute, or files, or an element of a diagram: log")
      .option_text("NAME...");
  command.flag("--html", arguments->html, "As a page for a browser or paper: of these blocks, or of all");
  command.option("-o,--output", arguments->file, "With --html: file to write; standard output if not given")
      .type_name("FILE");
  add_plugin_option(command, arguments->plugins);
  command.footer("Examples:\n"
                 "  hilda describe contact/PhaseLead\n"
                 "  hilda describe PhaseLead\n"
                 "  hilda describe rigs/kuka_ati.xml\n"
                 "  hilda describe '<figure>'\n"
                 "  hilda describe --html -o blocks.html");
  command.runs([arguments] { return describe(*arguments); });
}

} // namespace hilda::cli
