// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/run_desk.h"

#include "tools/cli/detail/compiled/compiled_program.h"
#include "tools/cli/detail/console/conversation.h"
#include "tools/cli/detail/loading/watch_files.h"
#include "tools/cli/detail/run/child_program.h"
#include "tools/studio/layout_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>

namespace hilda::cli {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string text_of_diagram(const std::string& name) {
  const CompiledProgram* const program = compiled_program();
  const std::string* const kept = program != nullptr ? program->diagram.files.text(name) : nullptr;
  return kept != nullptr ? *kept : text_of_file(name);
}

std::string quoted(const std::string& word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=+-") ==
                           std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

/// The line for a terminal that does a run again, with an overlay that holds all of its settings.
std::string command_again(const RunArguments& run, const std::string& overlay) {
  std::string line = "hilda run " + quoted(run.diagram.file);
  const auto add = [&line](const char* option, const std::string& value) {
    if (!value.empty()) line += fmt::format(" {} {}", option, quoted(value));
  };
  add("--mode", run.diagram.mode);
  add("--rig", run.diagram.rig);
  for (const std::string& each : run.diagram.plugins) add("--plugins", each);
  for (const std::string& each : run.diagram.overlays) add("--overlay", each);
  add("--overlay", overlay);
  add("--for", run.duration);
  add("--solver", run.solver.name);
  add("--rtol", run.solver.rtol);
  add("--atol", run.solver.atol);
  add("--max-step", run.solver.max_step);
  return line;
}

studio::Json save_experiment(const RunArguments& run, const OutputFiles& files, const std::string& log,
                             const std::string& wanted, const RepeatableRun& saved) {
  const std::string stem = std::filesystem::path(run.diagram.file).stem().string();
  const std::string name = wanted.empty() ? stem + ".experiment.xml" : wanted;
  const bool plain = name.size() <= 200 && name.front() != '.' && name.ends_with(".xml") &&
                     name.find_first_of(std::string("/\\\0", 3)) == std::string::npos;
  if (!plain) return {{"error", "a file's name ends with .xml, begins with no dot and holds no folder"}};
  const std::string path = (std::filesystem::path(log).parent_path() / name).string();
  std::string problem;
  OutputFiles once = files; // the next one of that name may take its place
  if (!save_run(path, saved, once, problem)) return {{"error", problem}};
  return {{"file", path}, {"command", command_again(run, path)}};
}

/// The options of the run that say which diagram it is.
void add_diagram_words(const RunArguments& run, std::vector<std::string>& words) {
  const auto add = [&words](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--mode", run.diagram.mode);
  for (const std::string& each : run.diagram.settings) add("--set", each);
  const auto add_file = [&add](const char* option, const std::string& path) {
    if (!path.empty()) add(option, std::filesystem::exists(path) ? std::filesystem::absolute(path).string() : path);
  };
  add_file("--rig", run.diagram.rig);
  for (const std::string& each : run.diagram.overlays) add_file("--overlay", each);
  for (const std::string& each : run.diagram.plugins) add_file("--plugins", each);
}

/// An error as the program prints it: the page writes a heading.
std::string without_word(const std::string& said) { return said.starts_with("error: ") ? said.substr(7) : said; }

/// A separate process: it loads and runs the diagram as it is on the disk.
studio::Json new_plugin(const RunArguments& run, const std::string& subsystem, const std::string& name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), fits))
    return {{"error", "a plugin's name holds letters, digits and _"}};
  const std::filesystem::path file = std::filesystem::absolute(run.diagram.file);
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"), "new-plugin", name, "--from",
                                 file.string() + ":" + subsystem};
  add_diagram_words(run, words);
  ChildProgram made(words, file.parent_path().string());
  made.wait();
  if (made.status() != 0) return {{"error", without_word(made.said())}};
  return {{"folder", (file.parent_path() / name).string()}, {"text", made.said()}};
}

/// Another process checks and runs the diagram as it is on the disk.
std::unique_ptr<ChildProgram> begin_audit(const RunArguments& run, double seconds) {
  const std::filesystem::path file = std::filesystem::absolute(run.diagram.file);
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe"),
                                 "check",
                                 file.string(),
                                 "--audit",
                                 "--json",
                                 "--for",
                                 fmt::format("{} s", seconds)};
  add_diagram_words(run, words);
  return std::make_unique<ChildProgram>(words, file.parent_path().string());
}

studio::Json audit_reply(const std::string& said) {
  const std::size_t begin = said.find("{\n \"diagnostics\": ["), end = said.rfind("\n}"); // blocks may print, too
  studio::Json reply;
  if (begin < end && end != std::string::npos)
    reply = studio::Json::parse(said.substr(begin, end + 2 - begin), nullptr, false);
  if (!reply.is_object() || !reply.contains("findings")) return {{"ok", false}, {"error", without_word(said)}};
  reply["ok"] = true;
  return reply;
}

/// One audit at a time.
studio::AuditHooks audit_hooks(const RunDesk& desk, const studio::Editing& editing) {
  const auto child = std::make_shared<std::unique_ptr<ChildProgram>>();
  studio::AuditHooks hooks;
  hooks.begin = [desk, &editing, child](double seconds) -> studio::Json {
    if (editing.unsaved())
      return {{"ok", false},
              {"error", "an audit runs the files as they are saved, and edits are not"},
              {"help", "save the diagram, and audit it once more"},
              {"unsaved", true}};
    *child = begin_audit(desk.run, seconds);
    return nullptr;
  };
  hooks.result = [child]() -> studio::Json {
    if (!(*child)->look()) return nullptr;
    return audit_reply((*child)->said());
  };
  hooks.end = [child] { child->reset(); };
  return hooks;
}

/// The file that was changed is as it runs already: it was edited here and saved.
bool runs_already(const CommandDiagram& loaded, const RecordedFiles& unsaved, const std::string& file) {
  std::error_code failed;
  for (const auto& each : loaded.sources().files()) {
    if (!std::filesystem::equivalent(each->absolute, file, failed)) continue;
    return unsaved.text(each->name) != nullptr || each->text == text_of_file(file);
  }
  return false;
}

} // namespace

studio::DeskHooks desk_hooks(const RunDesk& desk) {
  studio::DeskHooks hooks;
  hooks.check = [desk](const std::string& text) { return desk.loaded().check_text(text); };
  hooks.source = [desk] { return std::pair(desk.run.diagram.file, text_of_diagram(desk.run.diagram.file)); };
  hooks.save = [desk](const std::string& name, const RepeatableRun& saved) {
    return save_experiment(desk.run, desk.files, desk.log(), name, saved);
  };
  hooks.log_lost = desk.log_lost;
  hooks.layout_requests = {"layouts"};
  if (desk.run.serve.studio) hooks.layout_requests.insert(hooks.layout_requests.end(), {"keep_layout", "drop_layout"});
  hooks.layouts = [file = studio::LayoutFile(desk.run.diagram.file, desk.run.serve.studio)](
                      const std::string& op, const studio::Json& request) { return file.answer(op, request); };
  if (studio::Editing* const editing = desk.editing) {
    hooks.new_plugin = [desk, editing](const std::string& subsystem, const std::string& name) -> studio::Json {
      if (editing->unsaved())
        return {{"error", "the plugin and its test are written from the files as they are saved, and edits are not"},
                {"help", "save the diagram, and ask once more"},
                {"unsaved", true}};
      return new_plugin(desk.run, subsystem, name);
    };
    hooks.audit = audit_hooks(desk, *editing);
    hooks.edit_requests = studio::Editing::requests();
    hooks.edit_requests.insert(hooks.edit_requests.end(), {"new_plugin", "audit"});
    hooks.edit = [editing](const std::string& op, const studio::Json& request) { return editing->answer(op, request); };
  }
  return hooks;
}

void serve_simulation(LiveSimulation& simulation, Serving& serving, const RunDesk& desk,
                      const std::atomic<bool>& interrupt) {
  const RunArguments& run = desk.run;
  desk.loaded().name_inputs(desk.files, simulation.runtime().system());
  std::optional<WatchedFiles> watched;
  studio::SimulationDesk::Options options;
  options.running = !run.serve.studio;
  options.stays = run.serve.studio;
  options.speed = run.serve.studio ? 1 : 0;
  options.before = given_settings(run.diagram.settings);
  options.diagram = [&desk] { return std::pair(&desk.loaded().sources(), desk.run.diagram.file); };
  options.texts = desk.texts;
  if (run.serve.studio) {
    watched.emplace(run.diagram);
    watched->look_up();
    options.changed = [&watched, &desk] {
      std::string file = watched->settled();
      if (!file.empty()) watched->look_up();
      const bool known =
          !file.empty() && desk.editing != nullptr && runs_already(desk.loaded(), desk.editing->unsaved_texts(), file);
      return known ? std::string() : file;
    };
  }
  if (studio::Editing* const editing = desk.editing) {
    options.edited = [editing] {
      editing->look();
      return editing->sound();
    };
    options.unsaved = [editing] { return editing->unsaved(); };
  }
  studio::SimulationDesk at(simulation, serving.hub(), desk_hooks(desk), std::move(options));
  serving.show();
  at.work(interrupt);
}

std::unique_ptr<PacedAttendant> serve_paced(Runtime& runtime, Serving& serving, const RunDesk& desk, bool touches,
                                            bool runs) {
  std::string read_only = runs ? "" : "not armed: the diagram does not run";
  if (touches && !desk.run.serve.operate)
    read_only = "this run touches the world, and clients watch it: --operate lets them change parameters";
  serving.show();
  return std::make_unique<studio::PacedDesk>(
      runtime, serving.hub(), desk_hooks(desk),
      studio::ServedDiagram{nullptr, nullptr, &desk.loaded().sources(), desk.run.diagram.file, {}}, read_only);
}

} // namespace hilda::cli
