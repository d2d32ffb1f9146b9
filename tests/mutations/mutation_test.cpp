// Slips in our own diagrams: each gives a diagnostic that names the line, or is listed with the reason why it is a
// legitimate diagram. Seeded, so the same 300 every time.
#include "engine/check/check.h"
#include "engine/plan/plan.h"
#include "plugins/host/library.h"
#include "tests/mutations/mutation.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <unistd.h>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

const fs::path project = HILDA_SOURCE_DIR;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void write(const fs::path& file, const std::vector<std::string>& lines) {
  std::ofstream out(file);
  for (const std::string& line : lines) out << line << '\n';
}

Host& host() {
  static Host* const made = [] {
    auto* h = new Host;
    Diagnostics diagnostics;
    h->load_folder(HILDA_BINARY_DIR "/lib/hilda/plugins", diagnostics);
    EXPECT_TRUE(diagnostics.ok()) << diagnostics.text();
    return h;
  }();
  return *made;
}

struct Verdict {
  Diagnostics diagnostics;
  Sources sources;
};

/// What `hilda check` says of a diagram.
void check_diagram(const fs::path& file, Verdict& v) {
  std::vector<std::string> remarks;
  LoadOptions options;
  options.mode = "sim";
  const std::optional<System> system = check(file.string(), options, host().catalogue(), v.sources, v.diagnostics, remarks);
  if (system) make_plan(*system, v.diagnostics);
}

/// Does some diagnostic, or a note of it, stand at one of these lines of the file?
bool names_line(const Diagnostics& diagnostics, const std::string& file, const std::vector<int>& lines) {
  const auto here = [&](const std::string& name, int line) {
    return fs::path(name).filename() == file && std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [&](const Diagnostic& d) {
    return here(d.file, d.line) || std::any_of(d.notes.begin(), d.notes.end(), [&](const Diagnostic::Line& n) { return here(n.file, n.line); });
  });
}

/// Where the mutated line is gone or is no line of its own, its neighbourhood or what it was about has to be named.
bool names_it(const Mutation& m, const std::string& file, const Verdict& v) {
  if (names_line(v.diagnostics, file, m.at)) return true;
  if (m.slip == Slip::cut_wire) {
    const std::size_t at = m.before.find("to=\"");
    const std::string to = m.before.substr(at + 4, m.before.find('"', at + 4) - at - 4);
    return v.diagnostics.text().find(to.substr(to.rfind('.') + 1)) != std::string::npos;
  }
  // an element that is not closed ends where the next one begins, and XML's own rules find it there
  if (m.slip == Slip::dropped_tag) return names_line(v.diagnostics, file, {m.at[0] - 1, m.at[0] + 1}) || v.diagnostics.text().find("xml-syntax") != std::string::npos;
  return false;
}

/// Why a diagram with this slip is a diagram all the same; empty where no reason is known.
std::string reason(const Mutation& m) {
  switch (m.slip) {
  case Slip::crossed_wires: return "both ends fit: same shape, unit and kind";
  case Slip::cut_wire: return "the input is optional, or nobody reads the output";
  case Slip::misspelt_name:
    // the second letter of a doubled one lost or swapped back
    return m.before == m.after ? "the slip makes the same word" : "";
  default: return "";
  }
}

TEST(Mutations, AreNamedByLineOrListedAsLegitimate) {
  const fs::path folder = fs::temp_directory_path() / ("hilda_mutations_" + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::copy(project / "diagrams", folder / "diagrams", fs::copy_options::recursive);
  struct Case {
    std::string diagram, file; ///< which to check, which to damage
  };
  std::vector<Case> cases;
  for (const char* diagram : {"uncompensated", "pic", "dac", "pida", "pida_oblique"}) {
    cases.push_back({std::string(diagram) + ".xml", std::string(diagram) + ".xml"});
    cases.push_back({std::string(diagram) + ".xml", "rigs/two_walls.xml"});
    cases.push_back({std::string(diagram) + ".xml", "libraries/two_satellites.xml"});
  }
  for (const char* diagram : {"tdpa", "tdpa_full"}) {
    cases.push_back({std::string(diagram) + ".xml", std::string(diagram) + ".xml"});
    cases.push_back({std::string(diagram) + ".xml", "rigs/room.xml"});
  }

  std::mt19937_64 random(20221);
  std::map<std::string, int> legitimate;
  std::map<Slip, int> silent, made;
  int count = 0;
  while (count < 300) {
    const Case& c = cases[static_cast<std::size_t>(random() % cases.size())];
    const auto slip = static_cast<Slip>(random() % slips);
    const fs::path file = folder / "diagrams" / c.file;
    const std::vector<std::string> original = lines_of(file);
    const std::optional<Mutation> m = mutate(original, slip, random);
    if (!m) continue;
    ++count;
    ++made[slip];
    write(file, m->lines);
    Verdict v;
    check_diagram(folder / "diagrams" / c.diagram, v);
    write(file, original);
    if (v.diagnostics.all().empty()) {
      ++silent[slip];
      const std::string why = reason(*m);
      EXPECT_FALSE(why.empty()) << c.diagram << ", " << c.file << ":" << m->at[0] << ": " << slip_name(slip)
                                << " is not noticed\n  " << m->before << "\n  " << m->after;
      ++legitimate[std::string(slip_name(slip)) + ": " + why];
    } else {
      EXPECT_TRUE(names_it(*m, file.filename().string(), v)) << c.file << ":" << m->at[0] << ": " << slip_name(slip) << "\n  "
                                                  << m->before << "\n  " << m->after << "\n" << v.diagnostics.text();
    }
  }
  fs::remove_all(folder);
  for (const auto& [why, times] : legitimate) std::printf("legitimate, %d times: %s\n", times, why.c_str());
  // what is always an error must never have passed in silence, and each kind of slip was tried
  EXPECT_EQ(made.size(), static_cast<std::size_t>(slips));
  for (const Slip slip : {Slip::other_unit, Slip::doubled_wire, Slip::broken_number, Slip::dropped_tag}) EXPECT_EQ(silent[slip], 0) << slip_name(slip);
  // most slips of the hand are caught: those two kinds that can be legitimate are not the rule
  EXPECT_LT(silent[Slip::cut_wire], made[Slip::cut_wire] / 2);
  EXPECT_LT(silent[Slip::crossed_wires], made[Slip::crossed_wires] / 2);
}

} // namespace
} // namespace hilda::test
