// SPDX-License-Identifier: BSD-3-Clause
// Single mistakes in our own diagrams: each must be answered with a diagnostic that names the line, or belong to a kind
// of change of which nothing can tell that it is a mistake; those are listed with the reason.
#include "tests/errors/mutant.h"

#include "engine/compile/loaded_diagram.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>
#include <map>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

/// On hardware with the overlay of the simulated cell, which gives what the rig has no default for.
LoadOptions in_mode(const std::string& mode) {
  LoadOptions options;
  options.mode = mode;
  if (mode == "hardware") options.overlays = {"rigs/kuka_ati_loopback.xml"};
  return options;
}

LoadedDiagram check_file(const std::string& file, const std::string& mode = "sim") {
  return {all_plugins().catalogue(), file, in_mode(mode)};
}

bool has_hardware(const std::string& file) {
  const std::vector<std::string> modes = modes_of_file(file, {});
  return std::find(modes.begin(), modes.end(), "hardware") != modes.end();
}

/// Two systems that a run cannot tell apart but by numbers: the same blocks and wires.
bool same_structure(const System& a, const System& b) {
  const auto equal = [](const PortRef& x, const PortRef& y) {
    return x.block == y.block && x.slot == y.slot && x.item == y.item && x.part == y.part;
  };
  if (a.blocks.size() != b.blocks.size() || a.wires.size() != b.wires.size()) return false;
  for (const BlockIndex i : a.blocks.indices())
    if (a.blocks[i].type != b.blocks[i].type) return false;
  for (const WireIndex i : a.wires.indices())
    if (!equal(a.wires[i].from, b.wires[i].from) || !equal(a.wires[i].to, b.wires[i].to)) return false;
  return true;
}

bool names_line(const Diagnostics& diagnostics, const std::string& file, const std::vector<int>& lines) {
  const auto meant = [&](const std::string& where, int line) {
    return where == file && std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  for (const Diagnostic& one : diagnostics.all()) {
    if (meant(one.file, one.line)) return true;
    for (const Diagnostic::Line& note : one.notes)
      if (meant(note.file, note.line)) return true;
  }
  return false;
}

/// A removed element has no line: then its name must be in the message.
bool says_name(const Diagnostics& diagnostics, const std::string& name) {
  return !name.empty() && diagnostics.text().find(name) != std::string::npos;
}

bool names(const Diagnostics& diagnostics, const Mutant& mutant) {
  return names_line(diagnostics, mutant.file, mutant.lines) || says_name(diagnostics, mutant.gone) ||
         says_name(diagnostics, mutant.source);
}

constexpr const char* library_output = "an output of a library that this diagram does not read";

/// Why a mutant that is not diagnosed is a valid diagram, or empty.
std::string legitimate(const Mutant& mutant, const LoadedDiagram& before, const LoadedDiagram& after) {
  if (!after.has_system()) return "";
  const System& now = after.system();
  if (same_structure(before.system(), now)) {
    switch (mutant.kind) {
    case Mutant::Kind::misspelt:
      return now.parameters.size() == before.system().parameters.size()
                 ? "a name to which nothing in the diagram refers, such as that of a parameter which the program reads"
                 : "";
    case Mutant::Kind::unit: return "a value of zero has every unit, and a scale of a unit is a number like any other";
    case Mutant::Kind::number: return "another number";
    case Mutant::Kind::dropped:
      return "a value that has a default, a port of power, or a promise that is no longer made";
    case Mutant::Kind::cut: return library_output;
    case Mutant::Kind::crossed: return "wires that end at one place";
    default: return "";
    }
  }
  switch (mutant.kind) {
  case Mutant::Kind::cut:
  case Mutant::Kind::dropped:
    return now.wires.size() < before.system().wires.size()
               ? "an optional input is left open, or a block that nothing reads is gone"
               : "";
  case Mutant::Kind::crossed: return "signals of one shape, unit and rate: only a person knows which was meant";
  case Mutant::Kind::misspelt:
    return now.wires.size() < before.system().wires.size() ? ""
                                                           : "the name of another signal of the same shape and unit";
  default: return "";
  }
}

TEST(Mutations, OfOurDiagramsAreDiagnosedAtTheirLine) {
  constexpr int wanted = 300;
  const Workbench bench(fs::path(source_folder()) / "diagrams");
  std::vector<std::string> tops;
  for (const std::string& top : bench.tops())
    if (check_file(top).has_system()) tops.push_back(top);
  ASSERT_GE(tops.size(), 6u) << "our own diagrams no longer pass";
  std::map<std::string, int> reasons;
  int diagnosed = 0;
  int made = 0;
  for (unsigned seed = 0; made < wanted && seed < 20u * wanted; ++seed) {
    const std::string& top = tops[seed % tops.size()];
    const LoadedDiagram before = check_file(top);
    const std::optional<Mutant> mutant = bench.mutate(before.sources(), seed);
    if (!mutant) continue;
    ++made;
    const LoadedDiagram simulated = check_file(top);
    // What only the rig of the hardware holds is seen by who checks that mode.
    const bool both = simulated.diagnostics().all().empty() && has_hardware(top);
    LoadedDiagram after(all_plugins().catalogue());
    if (both) after.load(top, in_mode("hardware"));
    bench.restore(*mutant);
    const LoadedDiagram& last = both ? after : simulated;
    if (names(last.diagnostics(), *mutant)) {
      ++diagnosed;
      continue;
    }
    const bool silent = last.diagnostics().all().empty();
    std::string reason = silent ? legitimate(*mutant, before, simulated) : "";
    if (both && silent && reason == library_output) reason = legitimate(*mutant, check_file(top, "hardware"), after);
    if (!reason.empty())
      ++reasons[mutant->kind_name() + ": " + reason];
    else
      ADD_FAILURE() << "seed " << seed << ", " << top << ": " << mutant->text() << "\n" << last.diagnostics().text();
  }
  EXPECT_EQ(made, wanted);
  std::cout << diagnosed << " of " << made << " mutants are diagnosed at their line; the others are valid:\n";
  for (const auto& [reason, count] : reasons) std::cout << "  " << count << " " << reason << "\n";
  // Wires between signals of one type can be exchanged and numbers changed; more than that would be blindness.
  EXPECT_GE(diagnosed, wanted * 7 / 10);
}

} // namespace
} // namespace hilda::test
