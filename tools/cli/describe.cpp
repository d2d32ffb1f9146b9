#include "tools/cli/block_text.h"
#include "tools/cli/command.h"
#include "tools/cli/plugins.h"
#include "tools/cli/terminal.h"

#include <cstdio>
#include <memory>

namespace hilda::cli {
namespace {

struct DescribeArguments {
  std::string block;
  std::vector<std::string> plugins;
};

/// The type of this name, with or without its subject; null, and what to print, where there is none or more than one.
const BlockType* find_block(const Catalogue& catalogue, const std::string& name, std::string& problem) {
  if (const BlockType* type = catalogue.find(name)) return type;
  std::vector<std::string> candidates = catalogue.names();
  const BlockType* found = nullptr;
  for (const BlockType* type : catalogue.all()) {
    const std::string bare = type->name.substr(type->name.find('/') + 1);
    candidates.push_back(bare);
    if (bare != name) continue;
    if (found != nullptr)
      problem += " " + type->name;
    else
      found = type;
  }
  if (found != nullptr && problem.empty()) return found;
  if (found != nullptr) {
    problem = hilda::quoted(name) + " may be one of: " + found->name + problem;
    return nullptr;
  }
  const std::string near = nearest(name, candidates);
  problem = "there is no block " + hilda::quoted(name) +
            (near.empty() ? "; hilda blocks lists all" : "; did you mean '" + near + "'?");
  return nullptr;
}

int describe(const DescribeArguments& arguments) {
  Diagnostics diagnostics;
  load_plugins(arguments.plugins, diagnostics);
  print_diagnostics(diagnostics);
  std::string problem;
  const BlockType* type = find_block(plugin_host().catalogue(), arguments.block, problem);
  if (type == nullptr) {
    print_error(problem);
    return exit_usage;
  }
  std::fputs(block_text(*type).c_str(), stdout);
  return exit_ok;
}

} // namespace

void add_describe(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("describe", "Shows a block's ports and parameters: what one needs to wire it");
  auto arguments = std::make_shared<DescribeArguments>();
  command->add_option("BLOCK", arguments->block, "Name of the block, as in a diagram's type attribute")
      ->required()
      ->option_text("NAME");
  add_plugin_option(*command, arguments->plugins);
  command->footer("Examples:\n"
                  "  hilda describe contact/PhaseLead\n"
                  "  hilda describe PhaseLead");
  command->callback([&action, arguments] { action = [arguments] { return describe(*arguments); }; });
}

} // namespace hilda::cli
