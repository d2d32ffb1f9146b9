// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/loading/plugins.h"
#include "tools/cli/detail/look/diff_facts.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/terminal.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace hilda::cli {
namespace {

struct DiffArguments {
  DiagramArguments first; ///< what both sides take, with the file of A
  std::string second, modes;
  bool json = false;
};

/// One side of the comparison.
class Side {
public:
  /// `lenient`: overlays that set what this mode has not be left out, which is reported.
  Side(const DiagramArguments& arguments, const std::string& mode, bool lenient)
      : name_(arguments.file), loaded_(std::make_unique<CommandDiagram>(arguments)) {
    system_ = loaded_->check(mode);
    if (!system_ && lenient && !arguments.overlays.empty() && only_unknown_settings())
      without_overlays(arguments, mode);
    if (!system_) print_diagnostics(loaded_->diagnostics());
    if (system_ && !system_->mode.empty()) name_ += ", mode " + system_->mode;
  }
  const System* system() const { return system_ ? &*system_ : nullptr; }
  const std::string& name() const { return name_; }

private:
  bool only_unknown_settings() const {
    const auto& all = loaded_->diagnostics().all();
    return std::all_of(all.begin(), all.end(), [](const Diagnostic& each) {
      return each.severity == Diagnostic::Severity::warning || each.code == "unknown-setting";
    });
  }
  void without_overlays(DiagramArguments arguments, const std::string& mode) {
    arguments.overlays.clear();
    auto loaded = std::make_unique<CommandDiagram>(std::move(arguments));
    std::optional<System> system = loaded->check(mode);
    if (!system) return;
    std::fprintf(stderr, "note: mode %s is taken without the overlay, which sets what it has not\n", mode.c_str());
    system_ = std::move(system);
    loaded_ = std::move(loaded);
  }

  std::string name_;
  std::unique_ptr<CommandDiagram> loaded_; // the system points into its sources
  std::optional<System> system_;
};

/// Of a fact that changed in a place that its text does not show.
std::string first_changed(const Fact& a, const Fact& b) {
  if (a.text != b.text) return "";
  for (std::size_t i = 0; i < a.numbers.size() && i < b.numbers.size(); ++i)
    if (a.numbers[i] != b.numbers[i])
      return fmt::format(" (first at element {}: {} -> {})", i, decimal(a.numbers[i]), decimal(b.numbers[i]));
  return " (its content)";
}

std::string line_of(const DiagramDifference& each, std::size_t width) {
  const auto line = [&](Ink ink, char sign, const std::string& text) {
    return on_stdout(ink, fmt::format("  {} {:<{}}  {}", sign, each.name, width, text)) + "\n";
  };
  const std::string arrow = each.kind == Facts::wire ? "from " : "";
  if (each.a == nullptr) return line(Ink::green, '+', arrow + each.b->text);
  if (each.b == nullptr) return line(Ink::red, '-', arrow + each.a->text);
  return line(Ink::yellow, '~', arrow + each.a->text + " -> " + each.b->text + first_changed(*each.a, *each.b));
}

void print_text(const Side& a, const Side& b, const std::vector<DiagramDifference>& all) {
  if (all.empty()) {
    std::printf("%s and %s mean the same: %zu block%s, %zu wire%s\n", a.name().c_str(), b.name().c_str(),
                a.system()->blocks.size(), a.system()->blocks.size() == 1 ? "" : "s", a.system()->wires.size(),
                a.system()->wires.size() == 1 ? "" : "s");
    return;
  }
  std::printf("- %s\n+ %s\n", a.name().c_str(), b.name().c_str());
  for (int k = 0; k < Facts::kinds; ++k) {
    std::size_t width = 0;
    for (const DiagramDifference& each : all)
      if (each.kind == k) width = std::max(width, each.name.size());
    if (width == 0) continue;
    std::printf("\n%s\n", on_stdout(Ink::bold, title_of(static_cast<Facts::Kind>(k))).c_str());
    for (const DiagramDifference& each : all)
      if (each.kind == k) std::fputs(line_of(each, width).c_str(), stdout);
  }
  std::printf("\n%zu difference%s\n", all.size(), all.size() == 1 ? "" : "s");
}

void print_json(const Side& a, const Side& b, const std::vector<DiagramDifference>& all) {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  const auto side = [](const Fact* fact) { return fact != nullptr ? Json(fact->text) : Json(nullptr); };
  for (const DiagramDifference& each : all)
    list.push_back({{"kind", name_of(each.kind)}, {"name", each.name}, {"a", side(each.a)}, {"b", side(each.b)}});
  const Json document = {{"a", a.name()}, {"b", b.name()}, {"equal", all.empty()}, {"differences", std::move(list)}};
  std::printf("%s\n", document.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

int diff(const DiffArguments& arguments) {
  const std::size_t comma = arguments.modes.find(',');
  const bool by_mode = !arguments.modes.empty();
  if (by_mode == !arguments.second.empty() || (by_mode && comma == std::string::npos)) {
    print_error(by_mode && arguments.second.empty() ? "--modes requires two modes: --modes sim,hardware"
                                                    : "name two diagrams, or one and --modes A,B");
    return exit_usage;
  }
  if (by_mode && !arguments.first.mode.empty()) {
    print_error("--mode and --modes are given: --modes names both");
    return exit_usage;
  }
  DiagramArguments second = arguments.first;
  if (!by_mode) second.file = arguments.second;
  const std::string& mode = arguments.first.mode;
  const Side a(arguments.first, by_mode ? arguments.modes.substr(0, comma) : mode, by_mode);
  const Side b(second, by_mode ? arguments.modes.substr(comma + 1) : mode, by_mode);
  if (a.system() == nullptr || b.system() == nullptr) return exit_bad_file;
  const Facts left = facts_of(*a.system()), right = facts_of(*b.system());
  const std::vector<DiagramDifference> all = differences(left, right);
  arguments.json ? print_json(a, b, all) : print_text(a, b, all);
  return all.empty() ? exit_ok : exit_different;
}

void add_list(Command command, const char* name, std::vector<std::string>& list, const char* type, const char* text) {
  command.option(name, list, text).type_name(type).repeated();
}

} // namespace

void add_diff(Program& program) {
  Command command = program.command("diff", "Compares two diagrams, or two modes of one, by what they mean");
  auto arguments = std::make_shared<DiffArguments>();
  command.option("A", arguments->first.file, "Diagram file").required().option_text("FILE");
  command.option("B", arguments->second, "The other").option_text("FILE");
  command.option("--mode", arguments->first.mode, "Variant of both, such as sim or hardware").type_name("MODE");
  command.option("--modes", arguments->modes, "Instead of B: two modes of A, such as sim,hardware")
      .type_name("MODE,MODE");
  command.option("--rig", arguments->first.rig, "File that takes the place of the subsystem 'rig' of both")
      .type_name("FILE");
  add_list(command, "--set", arguments->first.settings, "PATH=VALUE", "Value of a parameter of both");
  add_list(command, "--overlay", arguments->first.overlays, "FILE", "File with many such values");
  command.flag("--json", arguments->json, "The differences as JSON");
  add_plugin_option(command, arguments->first.plugins);
  command.footer(
      "Both are flattened and checked first: what counts is the blocks, their parameters in SI, wires, rates,\n"
      "conditions, power ports and limits, and not the order, the files, or how a value is written or forwarded.\n"
      "Exit code 0: they mean the same; 1: they do not.\n"
      "Examples:\n"
      "  hilda diff diagrams/dac.xml diagrams/pida.xml\n"
      "  hilda diff diagrams/pida.xml --modes sim,hardware --overlay mine.xml\n"
      "  hilda diff before.xml after.xml --json");
  command.runs([arguments] { return diff(*arguments); });
}

} // namespace hilda::cli
