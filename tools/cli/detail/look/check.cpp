// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/audit.h"
#include "engine/base/left_behind.h"
#include "engine/compile/held_signals.h"
#include "engine/diagram/used_plugins.h"
#include "engine/run/runtime.h"
#include "engine/session/loop_clock.h"
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/duration.h"
#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/run/report.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace hilda::cli {
namespace {

struct CheckArguments {
  DiagramArguments diagram;
  bool audit = false, json = false;
  std::string duration;
};

/// What a check prints: at once as lines, or in the end as JSON.
class CheckReport {
public:
  explicit CheckReport(bool json) : json_(json) {}

  void say(const std::string& line) {
    if (json_)
      lines_.push_back(line);
    else
      std::printf("%s\n", line.c_str());
  }
  void note(const std::string& line) {
    if (json_)
      lines_.push_back("note: " + line);
    else
      print_note(line);
  }
  void found(const System& system, const AuditFinding& finding) {
    if (!json_)
      return void(std::fprintf(stderr, "%s %s\n", on_stderr(Ink::red, "audit:").c_str(), finding.text().c_str()));
    Json one{{"mode", system.mode},
             {"block", finding.block},
             {"type", finding.type},
             {"phase", finding.phase},
             {"what", finding.text()}};
    for (const SystemBlock& block : system.blocks)
      if (block.path == finding.block && block.where.file != nullptr)
        one["file"] = *block.where.file, one["line"] = block.where.line;
    findings_.push_back(std::move(one));
  }
  void not_compared(const std::string& block) {
    const std::string text = block + " keeps state that cannot be copied: a fresh instance was not compared";
    if (json_)
      lines_.push_back(text);
    else
      std::fprintf(stderr, "%s %s\n", on_stderr(Ink::yellow, "audit:").c_str(), text.c_str());
  }
  void failed(const Ending& ending) {
    if (json_)
      lines_.push_back(fmt::format("the run failed: {}: {}", ending.block, ending.text));
    else
      print_failure(ending);
  }
  /// In the end.
  void diagnostics(const Diagnostics& all) const {
    if (!json_) return print_diagnostics(all);
    Json found = Json::array();
    for (const Diagnostic& each : all.sorted())
      found.push_back({{"severity", each.severity == Diagnostic::Severity::error ? "error" : "warning"},
                       {"code", each.code},
                       {"file", each.file},
                       {"line", each.line},
                       {"what", each.what},
                       {"help", each.help}});
    const Json report{{"lines", lines_}, {"findings", findings_}, {"diagnostics", std::move(found)}};
    std::printf("%s\n", report.dump(1, ' ', false, Json::error_handler_t::replace).c_str());
  }

private:
  using Json = nlohmann::json;
  const bool json_;
  Json lines_ = Json::array(), findings_ = Json::array();
};

std::string mode_text(const System& system) { return system.mode.empty() ? "" : ", mode " + system.mode; }

/// Has no block changed before the loop what belongs to the whole process or to the diagram? (It was a warning.)
bool guests_behaved(const Diagnostics& diagnostics) {
  return std::none_of(diagnostics.all().begin(), diagnostics.all().end(), [](const Diagnostic& each) {
    return each.code == "block-process" || each.code == "block-parameter";
  });
}

/// Runs a checked system under audit and prints what was found; false where that is anything.
bool audit_run(CommandDiagram& loaded, const System& system, const CheckArguments& arguments, CheckReport& report) {
  const std::optional<double> limit = time_limit(system, arguments.duration, loaded.diagnostics());
  if (!loaded.diagnostics().ok()) return false;
  const AuditResult result = audit(system, limit.value_or(default_duration), loaded.diagnostics());
  for (const AuditFinding& finding : result.findings) report.found(system, finding);
  for (const std::string& block : result.not_compared) report.not_compared(block);
  report.say(fmt::format("{}{}: audited {} steps, {} calls, {} finding{}", system.name, mode_text(system), result.steps,
                         result.calls, result.findings.size(), result.findings.size() == 1 ? "" : "s"));
  const bool failed = result.ending.kind == Ending::Kind::failed;
  if (failed) report.failed(result.ending);
  return result.findings.empty() && !failed && guests_behaved(loaded.diagnostics());
}

/// One mode: read, checked, planned and configured, which touches no device. `late`: what to say of its events.
bool check_mode(CommandDiagram& loaded, const std::string& mode, const CheckArguments& arguments,
                std::set<std::string>& plugins, std::string& late, CheckReport& report) {
  if (!arguments.audit) loaded.take_times(); // an audit runs it, with the values of the first tick
  std::optional<System> flat = loaded.check(mode);
  if (!flat) return true; // the diagnostics tell
  RuntimeOptions options;
  options.simulated = !touches_world(*flat);
  options.fenced = arguments.audit; // who writes beyond its memory in configure is met here first
  options.hardware = moves_something(*flat);
  const std::unique_ptr<Runtime> runtime = Runtime::create(std::move(*flat), options, loaded.diagnostics());
  if (!runtime) return true;
  const System& system = runtime->system();
  plugins = used_plugins(system);
  late = unlocated_events_remark(system, touches_world(system));
  const std::size_t errors_before = loaded.diagnostics().errors();
  time_limit(system, arguments.duration, loaded.diagnostics()); // a run would refuse it
  find_pacing_block(*runtime, loaded.diagnostics());
  if (loaded.diagnostics().errors() != errors_before) return true;
  const auto counted = [](std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
  };
  report.say(fmt::format("{}{}: {}, {}, base period {}: sound", system.name, mode_text(system),
                         counted(system.blocks.size(), "block"), counted(system.wires.size(), "wire"),
                         time_text(system.base)));
  if (!arguments.audit) return true;
  if (touches_world(system)) {
    report.say(system.name + mode_text(system) + ": not audited, for it needs its devices");
    return true;
  }
  return audit_run(loaded, system, arguments, report);
}

/// How many values are missing that a cell or a laboratory gives.
std::size_t values_missing(const Diagnostics& found) {
  const auto& all = found.all();
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const Diagnostic& each) { return each.code == "parameter-without-value"; }));
}

/// Whether it is another mode's word for the same slip: they may tell a wire's period differently.
bool same_slip(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.file == b.file && a.line == b.line && a.help == b.help;
}

/// Adds what one mode has to what the modes before it have; without `values`, nothing that follows from missing values.
void add_findings(const Diagnostics& found, bool values, Diagnostics& all) {
  const std::vector<Diagnostic> before = all.all();
  for (const Diagnostic& each : found.all()) {
    if (!values && (each.code == "parameter-without-value" || each.code == "limits-missing")) continue;
    if (std::any_of(before.begin(), before.end(), [&](const Diagnostic& other) { return same_slip(each, other); }))
      continue;
    std::vector<Note> notes;
    for (const Diagnostic::Line& line : each.notes) notes.push_back({{&line.file, line.line}, line.text});
    const Location where{&each.file, each.line};
    if (each.severity == Diagnostic::Severity::error)
      all.error(each.code.c_str(), where, each.what, each.help, std::move(notes));
    else
      all.warning(each.code.c_str(), where, each.what, each.help, std::move(notes));
  }
}

int check(const CheckArguments& arguments) {
  CommandDiagram loaded(arguments.diagram);
  std::vector<std::string> modes{arguments.diagram.mode};
  if (arguments.diagram.mode.empty()) modes = loaded.modes();
  std::stable_partition(modes.begin(), modes.end(), [](const std::string& mode) { return mode == "sim"; });
  bool clean = true, late_told = false; // a run counts them: event-late
  CheckReport report(arguments.json);
  for (const std::string& mode : modes) {
    // No one asked for the hardware in particular: what only its overlay knows is not a mistake of the diagram.
    const LeftBehind behind;
    CommandDiagram apart(arguments.diagram);
    std::set<std::string> plugins;
    std::string late;
    bool sound = check_mode(apart, mode, arguments, plugins, late, report);
    if (arguments.audit && apart.diagnostics().ok())
      sound = behind.report({&arguments.diagram.file, 0}, plugins, apart.diagnostics()) && sound;
    const std::string in_mode = modes.size() > 1 ? "mode " + mode + ": " : "";
    for (const std::string& remark : apart.remarks()) report.note(in_mode + remark);
    if (!late.empty() && !std::exchange(late_told, true)) report.note(in_mode + late);
    const std::size_t missing =
        mode != arguments.diagram.mode && mode != "sim" ? values_missing(apart.diagnostics()) : 0;
    if (missing > 0)
      report.note(fmt::format("mode {} lacks {} value{}, which an overlay gives; --mode {} lists {}", mode, missing,
                              missing == 1 ? "" : "s", mode, missing == 1 ? "it" : "them"));
    add_findings(apart.diagnostics(), missing == 0, loaded.diagnostics());
    clean = sound && clean;
  }
  report.diagnostics(loaded.diagnostics());
  if (!loaded.diagnostics().ok()) return exit_bad_file;
  return clean ? exit_ok : exit_failed_run;
}

} // namespace

void add_check(Program& program) {
  Command command = program.command("check", "Checks a diagram in all its modes without running it");
  auto arguments = std::make_shared<CheckArguments>();
  add_diagram_arguments(command, arguments->diagram);
  command.flag("--audit", arguments->audit,
               "Run the simulation and prove what the blocks declare: inputs that do not feed through are not "
               "read, outputs leave the state alone, all memory is state");
  command.flag("--json", arguments->json, "Write the diagnostics as JSON");
  add_duration_option(command, arguments->duration, "Simulated time of the audit, instead of the diagram's duration");
  command.footer("Every error of every file is reported at once, with its line and what to do.\n"
                 "Without --mode all modes are checked; no device is touched.\n"
                 "Examples:\n"
                 "  hilda check diagrams/pida.xml\n"
                 "  hilda check diagrams/pida.xml --audit --for 20s");
  command.runs([arguments] { return check(*arguments); });
}

} // namespace hilda::cli
