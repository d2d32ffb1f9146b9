// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/detail/flatten/variants.h"

#include "engine/base/error.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

namespace hilda::compile {
namespace {

/// Every diagram that is part of `top`, each once.
std::vector<const DiagramDecl*> all_diagrams(const DiagramDecl& top) {
  std::vector<const DiagramDecl*> found = {&top};
  std::set<const DiagramDecl*> seen = {&top};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const SubsystemDecl& subsystem : found[i]->subsystems)
      if (subsystem.body != nullptr && seen.insert(subsystem.body.get()).second) found.push_back(subsystem.body.get());
  return found;
}

/// Compares the ports of two variants of a subsystem.
class VariantComparison {
public:
  VariantComparison(const SubsystemDecl& first, const SubsystemDecl& second, Suggestions& suggestions,
                    Diagnostics& diagnostics)
      : first_(first), second_(second), suggestions_(suggestions), diagnostics_(diagnostics) {}

  void ports(const std::vector<PortDecl>& ours, const std::vector<PortDecl>& theirs, const char* kind) {
    std::unordered_map<std::string_view, const PortDecl*> by_name;
    for (const PortDecl& port : theirs) by_name.emplace(port.name, &port);
    for (const PortDecl& port : ours) {
      if (exempt(port)) continue;
      const auto found = by_name.find(port.name);
      if (found == by_name.end())
        missing(first_, second_, port, theirs, kind);
      else
        compare(port, *found->second, kind);
    }
    by_name.clear();
    for (const PortDecl& port : ours) by_name.emplace(port.name, &port);
    for (const PortDecl& port : theirs)
      if (!exempt(port) && by_name.find(port.name) == by_name.end()) missing(second_, first_, port, ours, kind);
  }

private:
  static bool exempt(const PortDecl& port) { return is_truth(port.name) || !port.mode.empty(); }

  /// `has` declares `port`, `lacks` does not.
  void missing(const SubsystemDecl& has, const SubsystemDecl& lacks, const PortDecl& port,
               const std::vector<PortDecl>& others, const char* kind) {
    std::vector<std::string> names;
    names.reserve(others.size());
    for (const PortDecl& other : others) names.push_back(other.name);
    const std::string near = suggestions_.near(port.name, names);
    diagnostics_.error("variants-differ", lacks.where,
                       label(lacks) + " has no " + kind + " " + hilda::base::in_quotes(port.name) + ", " + label(has) +
                           " has",
                       near.empty() ? std::string("all modes of a subsystem want equal interfaces; ports of simulation "
                                                  "alone are named truth...")
                                    : "is its " + std::string(kind) + " " + hilda::base::in_quotes(near) + " meant?",
                       {{port.where, std::string("the ") + kind + " is declared here"}});
  }

  void compare(const PortDecl& one, const PortDecl& other, const char* kind) {
    const auto differ = [&](const char* what, const std::string& ours, const std::string& theirs) {
      if (ours == theirs) return;
      diagnostics_.error("variants-differ", other.where,
                         std::string("the ") + kind + " " + hilda::base::in_quotes(other.name) + " of " +
                             label(second_) + " has the " + what + " " + hilda::base::in_quotes(theirs) + ", that of " +
                             label(first_) + " " + hilda::base::in_quotes(ours),
                         "all modes of a subsystem want equal interfaces", {{one.where, "the other is declared here"}});
    };
    differ("shape", one.shape, other.shape);
    differ("unit", one.unit, other.unit);
    differ("attribute optional", one.optional ? "true" : "false", other.optional ? "true" : "false");
  }

  static std::string label(const SubsystemDecl& subsystem) {
    return hilda::base::in_quotes(subsystem.name) + " of mode " + hilda::base::in_quotes(subsystem.mode);
  }

  const SubsystemDecl& first_;
  const SubsystemDecl& second_;
  Suggestions& suggestions_;
  Diagnostics& diagnostics_;
};

} // namespace

bool is_truth(const std::string& port) { return port.rfind("truth.", 0) == 0; }

std::vector<std::string> modes_of(const DiagramDecl& top) {
  std::set<std::string> modes;
  const auto collect = [&](const DiagramDecl& diagram) {
    for (const BlockDecl& block : diagram.blocks) modes.insert(*block.mode);
    for (const SubsystemDecl& subsystem : diagram.subsystems) modes.insert(subsystem.mode);
    modes.erase("");
  };
  collect(top);
  if (modes.empty())
    for (const DiagramDecl* diagram : all_diagrams(top)) collect(*diagram);
  return {modes.begin(), modes.end()};
}

void check_modes(const DiagramDecl& top, Suggestions& suggestions, Diagnostics& diagnostics) {
  struct Use {
    std::size_t elements = 0; ///< blocks and subsystems
    Location first;
  };
  std::map<std::string, Use> uses = {{"sim", {}}, {"hardware", {}}};
  const std::vector<const DiagramDecl*> diagrams = all_diagrams(top);
  const auto count = [&](const auto& elements) {
    for (const auto& element : elements) {
      const std::string& mode = element.mode;
      if (!mode.empty() && ++uses[mode].elements == 1) uses[mode].first = element.where;
    }
  };
  for (const DiagramDecl* diagram : diagrams) {
    count(diagram->blocks);
    count(diagram->subsystems);
  }
  std::vector<std::string> known;
  for (const auto& [mode, use] : uses) known.push_back(mode);
  const auto refuse_unknown = [&](const auto& elements) {
    for (const auto& element : elements) {
      const std::string& mode = element.mode;
      if (!mode.empty() && uses.find(mode) == uses.end())
        diagnostics.error("unknown-mode", element.where,
                          "no block and no subsystem has the mode " + hilda::base::in_quotes(mode),
                          suggestions.help(mode, known, "modes are"));
    }
  };
  for (const DiagramDecl* diagram : diagrams) {
    refuse_unknown(diagram->parameters);
    refuse_unknown(diagram->inputs);
    refuse_unknown(diagram->outputs);
    refuse_unknown(diagram->connects);
    refuse_unknown(diagram->power_ports);
    refuse_unknown(diagram->limits);
    refuse_unknown(diagram->realtime);
    refuse_unknown(diagram->logs);
    refuse_unknown(diagram->figures);
  }
  for (const auto& [mode, use] : uses) {
    if (use.elements != 1 || mode == "sim" || mode == "hardware") continue;
    std::vector<std::string> others = known;
    others.erase(std::find(others.begin(), others.end(), mode));
    const std::string near = suggestions.near(mode, others);
    if (!near.empty())
      diagnostics.warning("mode-slip", use.first, "this element alone has the mode " + hilda::base::in_quotes(mode),
                          "is " + hilda::base::in_quotes(near) + " meant?");
  }
}

namespace {

/// "sim" for "simulation" or "smi"; empty where nothing is near.
std::string meant_mode(const std::string& asked, const std::vector<std::string>& modes, Suggestions& suggestions) {
  for (const std::string& mode : modes)
    if (asked.starts_with(mode) || mode.starts_with(asked)) return mode;
  return suggestions.near(asked, modes);
}

} // namespace

std::string choose_mode(const DiagramDecl& top, const std::string& asked, Suggestions& suggestions,
                        Diagnostics& diagnostics) {
  const std::vector<std::string> modes = modes_of(top);
  const auto has = [&](const std::string& mode) { return std::find(modes.begin(), modes.end(), mode) != modes.end(); };
  if (!asked.empty()) {
    if (has(asked) || (asked == "sim" && modes.empty())) return asked;
    std::string meant = meant_mode(asked, modes, suggestions);
    diagnostics.error("unknown-mode", top.where, "the diagram has no mode " + hilda::base::in_quotes(asked),
                      modes.empty()   ? "none of its elements has a mode; leave --mode out"
                      : meant.empty() ? "it has " + listed(modes)
                                      : "did you mean " + hilda::base::in_quotes(meant) + "?");
    // Continues as if that had been asked for: one slip is one message.
    if (!meant.empty()) return meant;
  }
  if (modes.empty() || has("sim")) return "sim";
  if (modes.size() > 1 && asked.empty())
    diagnostics.error("mode-ambiguous", top.where, "the diagram has several modes and none of them is sim",
                      "choose one with --mode: " + listed(modes));
  return modes.front();
}

void check_variants(const DiagramDecl& top, Suggestions& suggestions, Diagnostics& diagnostics) {
  for (const DiagramDecl* diagram : all_diagrams(top)) {
    std::unordered_map<std::string_view, const SubsystemDecl*> first;
    for (const SubsystemDecl& subsystem : diagram->subsystems) {
      if (subsystem.mode.empty() || subsystem.body == nullptr) continue;
      const auto [found, fresh] = first.try_emplace(subsystem.name, &subsystem);
      if (fresh) continue;
      VariantComparison comparison(*found->second, subsystem, suggestions, diagnostics);
      comparison.ports(found->second->body->inputs, subsystem.body->inputs, "input");
      comparison.ports(found->second->body->outputs, subsystem.body->outputs, "output");
    }
  }
}

} // namespace hilda::compile
