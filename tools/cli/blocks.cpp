#include "tools/cli/block_text.h"
#include "tools/cli/command.h"
#include "tools/cli/plugins.h"
#include "tools/cli/terminal.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

struct BlocksArguments {
  std::string subject;
  std::vector<std::string> plugins;
};

std::vector<std::string> subjects(const Catalogue& catalogue) {
  std::vector<std::string> names; // sorted, for the types are
  for (const BlockType* type : catalogue.all())
    if (names.empty() || names.back() != subject_of(*type)) names.push_back(subject_of(*type));
  return names;
}

void print_subject(const Catalogue& catalogue, const std::string& subject) {
  std::size_t width = 0;
  for (const BlockType* type : catalogue.all())
    if (subject_of(*type) == subject) width = std::max(width, type->name.size());
  std::printf("%s\n", on_stdout(Ink::bold, subject).c_str());
  for (const BlockType* type : catalogue.all())
    if (subject_of(*type) == subject)
      std::printf("%s\n", fmt::format("  {:<{}}  {}", type->name, width, first_sentence(type->doc)).c_str());
}

int blocks(const BlocksArguments& arguments) {
  Diagnostics diagnostics;
  load_plugins(arguments.plugins, diagnostics);
  print_diagnostics(diagnostics);
  const std::vector<std::string> known = subjects(plugin_host().catalogue());
  if (!arguments.subject.empty() && std::find(known.begin(), known.end(), arguments.subject) == known.end()) {
    const std::string near = nearest(arguments.subject, known);
    print_error("there are no blocks of the subject " + hilda::quoted(arguments.subject) +
                (near.empty() ? "; hilda blocks lists all" : "; did you mean '" + near + "'?"));
    return exit_usage;
  }
  for (const std::string& subject : known)
    if (arguments.subject.empty() || subject == arguments.subject) print_subject(plugin_host().catalogue(), subject);
  return diagnostics.ok() ? exit_ok : exit_bad_file;
}

} // namespace

void add_blocks(CLI::App& program, Action& action) {
  CLI::App* command = program.add_subcommand("blocks", "Lists the blocks by subject, a sentence each");
  auto arguments = std::make_shared<BlocksArguments>();
  command->add_option("SUBJECT", arguments->subject, "Only the blocks of this subject")->option_text("NAME");
  add_plugin_option(*command, arguments->plugins);
  command->footer("Examples:\n"
                  "  hilda blocks\n"
                  "  hilda blocks contact\n"
                  "  hilda blocks --plugins my_plugins/build");
  command->callback([&action, arguments] { action = [arguments] { return blocks(*arguments); }; });
}

} // namespace hilda::cli
