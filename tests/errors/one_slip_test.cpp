// SPDX-License-Identifier: BSD-3-Clause
// One slip is one message: what follows from it is not reported as well. Slips are made by machine in our own
// diagrams: a name misspelt, a wire cut or doubled, a value broken, an element dropped.
#include "tests/errors/mutant.h"

#include "engine/compile/loaded_diagram.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

/// A library that is used twice has a slip twice, at one line. A power port and <log> name a block as a wire does.
std::vector<Diagnostic> errors_of(const LoadedDiagram& loaded) {
  std::vector<Diagnostic> found;
  for (const Diagnostic& each : loaded.diagnostics().sorted()) {
    const bool again = std::any_of(found.begin(), found.end(), [&each](const Diagnostic& one) {
      return one.file == each.file && one.line == each.line && one.code == each.code;
    });
    const bool names_a_block = each.code == "power-port-end" || each.code == "log-signal";
    if (each.severity == Diagnostic::Severity::error && !again && !(names_a_block && !found.empty()))
      found.push_back(each);
  }
  return found;
}

std::string text_of(const std::vector<Diagnostic>& errors) {
  std::string text;
  for (const Diagnostic& each : errors) text += each.text();
  return text;
}

/// Two wires crossed are two slips, a lost tag is another file, and ports and parameters are named by other files.
bool is_one_place(const Mutant& mutant) {
  const auto has = [&mutant](const char* tag) { return mutant.before.find(tag) != std::string::npos; };
  return mutant.kind != Mutant::Kind::crossed && mutant.kind != Mutant::Kind::tag && !has("<parameter ") &&
         !has("<input ") && !has("<output ");
}

TEST(OneSlip, InOurDiagramsIsOneMessage) {
  constexpr int wanted = 120;
  const Workbench bench(fs::path(source_folder()) / "diagrams");
  const std::vector<std::string> tops = bench.tops();
  std::map<std::size_t, int> counts;
  int made = 0, refused = 0;
  for (unsigned seed = 10'000; made < wanted && seed < 10'000 + 20u * wanted; ++seed) {
    const std::string& top = tops[seed % tops.size()];
    const LoadedDiagram before(all_plugins().catalogue(), top, {});
    if (!before.has_system()) continue;
    const std::optional<Mutant> mutant = bench.mutate(before.sources(), seed);
    if (!mutant) continue;
    if (is_one_place(*mutant)) {
      const LoadedDiagram after(all_plugins().catalogue(), top, {});
      const std::vector<Diagnostic> errors = errors_of(after);
      ++made, ++counts[errors.size()];
      if (!errors.empty()) ++refused;
      EXPECT_LE(errors.size(), 1u) << "seed " << seed << ", " << top << ": " << mutant->text() << "\n"
                                   << text_of(errors);
    }
    bench.restore(*mutant);
  }
  EXPECT_EQ(made, wanted);
  EXPECT_GT(refused, wanted / 2);
}

} // namespace
} // namespace hilda::test
