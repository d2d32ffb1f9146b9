// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/block_search.h"
#include "tools/cli/block_text.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

namespace hilda::cli {
namespace {

struct BlocksArguments {
  std::vector<std::string> words; ///< a subject, or what to look for
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

int print_found(const Catalogue& catalogue, const std::vector<std::string>& words,
                const std::vector<std::string>& known) {
  constexpr std::size_t most = 15;
  std::vector<const BlockType*> found = search_blocks(catalogue, words);
  if (found.empty()) {
    std::string asked;
    for (const std::string& word : words) asked += (asked.empty() ? "" : " ") + word;
    std::vector<std::string> names = known;
    for (const BlockType* type : catalogue.all()) names.push_back(type->name.substr(type->name.rfind('/') + 1));
    std::string near = nearest(asked, names);
    if (near.empty() && !asked.empty()) {
      std::string capital = asked;
      capital.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(capital.front())));
      near = nearest(capital, names);
    }
    print_error(
        "no block has " + hilda::base::in_quotes(asked) + " in its name or description" +
        (near.empty() ? "; fewer words find more, and hilda blocks lists all" : "; did you mean '" + near + "'?"));
    return exit_usage;
  }
  const std::size_t left_out = found.size() - std::min(found.size(), most);
  found.resize(found.size() - left_out);
  std::size_t width = 0;
  for (const BlockType* type : found) width = std::max(width, type->name.size());
  for (const BlockType* type : found)
    std::printf("%s\n", fmt::format("{:<{}}  {}", type->name, width, first_sentence(type->doc)).c_str());
  if (left_out > 0) std::printf("and %zu more; another word narrows it down\n", left_out);
  return exit_ok;
}

int blocks(const BlocksArguments& arguments) {
  Diagnostics diagnostics;
  const Catalogue& catalogue = load_catalogue(arguments.plugins, diagnostics);
  const std::vector<std::string> known = subjects(catalogue);
  const std::vector<std::string>& words = arguments.words;
  const bool subject = words.size() == 1 && std::find(known.begin(), known.end(), words.front()) != known.end();
  if (!words.empty() && !subject) return print_found(catalogue, words, known);
  for (const std::string& each : known)
    if (!subject || each == words.front()) print_subject(catalogue, each);
  return diagnostics.ok() ? exit_ok : exit_bad_file;
}

} // namespace

void add_blocks(Program& program) {
  Command command = program.command("blocks", "Lists the blocks by subject, a sentence each, or finds some by words");
  auto arguments = std::make_shared<BlocksArguments>();
  command
      .option("WORD", arguments->words,
              "A subject, or words that name, documentation, equation or ports hold, best first")
      .option_text("WORD...");
  add_plugin_option(command, arguments->plugins);
  command.footer("Examples:\n"
                 "  hilda blocks\n"
                 "  hilda blocks contact\n"
                 "  hilda blocks low pass\n"
                 "  hilda blocks 'dead time'\n"
                 "  hilda blocks 'dy/dt = u'\n"
                 "  hilda blocks --plugins my_plugins/build");
  command.runs([arguments] { return blocks(*arguments); });
}

} // namespace hilda::cli
