// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/diagram_editor.h"
#include "engine/authoring/findings.h"
#include "engine/authoring/unified_diff.h"
#include "engine/diagram/document.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace hilda::cli {
namespace {

struct EditArguments {
  std::string file;
  std::vector<std::string> words, plugins;
  bool dry_run = false, force = false;
};

/// "set a=1 then remove b": two operations.
std::vector<Words> operations_of(const std::vector<std::string>& words) {
  std::vector<Words> all(1);
  for (const std::string& word : words) {
    if (word == "then")
      all.emplace_back();
    else
      all.back().push_back(word);
  }
  return all;
}

/// The last part of a file's path, under which it is in a difference.
std::string diff_of(const DiagramEditor& editor, const std::string& before) {
  std::string text = unified_diff(before, editor.text(), editor.name(), editor.name());
  for (const NewFile& each : editor.files()) text += unified_diff("", each.text, "/dev/null", each.path);
  return text;
}

/// False where the edit brings errors: they are reported.
bool acceptable(const DiagramEditor& editor, const std::string& before, const EditArguments& arguments) {
  Diagnostics problems;
  const Catalogue& catalogue = load_catalogue(arguments.plugins, problems);
  const EditFindings findings = new_findings(editor, before, catalogue, installation().library_path());
  for (const Diagnostic& each : findings.open)
    print_note(each.file + ":" + std::to_string(each.line) + ": now open: " + each.what);
  for (const Diagnostic& each : findings.wrong) std::fprintf(stderr, "%s\n", each.text().c_str());
  if (findings.wrong.empty()) return true;
  if (arguments.force) {
    print_warning("the edit causes the errors above; --force was given");
    return true;
  }
  print_error("the edit would cause the errors above, with the lines as they would be\nhelp: mend the edit; --force "
              "makes it even so");
  return false;
}

/// Where it is the usage that is wrong, and not the file.
Exit refused_edit(const Diagnostics& diagnostics) {
  print_diagnostics(diagnostics);
  for (const Diagnostic& each : diagnostics.all())
    if (each.code != "edit-usage") return exit_bad_file;
  return exit_usage;
}

int edit(const EditArguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  std::error_code error;
  const std::string absolute =
      std::filesystem::weakly_canonical(std::filesystem::absolute(arguments.file), error).string();
  const Sources::File* file =
      read_source(error ? arguments.file : absolute, arguments.file, XmlLimits::file_bytes, {}, sources, diagnostics);
  if (file == nullptr) return refused_edit(diagnostics);
  DiagramEditor editor(file->name, file->absolute, file->text);
  if (!editor.apply(operations_of(arguments.words), diagnostics)) return refused_edit(diagnostics);
  for (const std::string& remark : editor.remarks()) print_note(remark);
  const bool good = acceptable(editor, file->text, arguments);
  if (arguments.dry_run) {
    const std::string text = diff_of(editor, file->text);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
  if (!good) return exit_bad_file;
  if (arguments.dry_run || (editor.text() == file->text && editor.files().empty())) return exit_ok;
  std::string why;
  if (save_edited(editor, arguments.file, file->text, why)) return exit_ok;
  print_error(why);
  return exit_failed_run;
}

} // namespace

void add_edit(Program& program) {
  Command command = program.command("edit", "Changes a diagram file: just the bytes that the edit means");
  auto arguments = std::make_shared<EditArguments>();
  command.option("diagram", arguments->file, "Diagram file").type_name("FILE").required();
  command.option("operation", arguments->words, "What to do; see below").type_name("OPERATION").required();
  command.flag("--dry-run", arguments->dry_run, "Write nothing; print the difference");
  command.flag("--force", arguments->force, "Write even what check would call wrong");
  add_plugin_option(command, arguments->plugins);
  command.footer(
      "Operations; the word 'then' is between several, which are made all or not at all:\n"
      "  set lead.time_constant=4ms      unset lead.time_constant     period, parameters, attributes\n"
      "  add math/Gain g gain=2          add parameter gap value=3mm  also subsystem, input, output, log, ...\n"
      "  set limits:arm.command.speed=1  quality:, live:, log:, figure:KEY.ATTRIBUTE, realtime:ATTRIBUTE\n"
      "  remove g                        with its wires\n"
      "  connect a.y b.u                 disconnect a.y b.u           disconnect b.u\n"
      "  rename lead filter              with all that refers to it\n"
      "  group a b c as NAME             into a new subsystem\n"
      "  duplicate g as NAME             a copy, without wires\n"
      "  extract NAME to FILE            a subsystem's body into a file\n"
      "Examples:\n"
      "  hilda edit mine.xml set lead.time_constant=4ms --dry-run\n"
      "  hilda edit mine.xml add discrete/Delay late delay=5ms then disconnect b.u then connect a.y late.u \\\n"
      "    then connect late.y b.u");
  command.runs([arguments] { return edit(*arguments); });
}

} // namespace hilda::cli
