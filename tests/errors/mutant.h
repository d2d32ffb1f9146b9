// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "tests/folder.h"
#include "tests/modules.h"

#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace hilda::test {

/// One mistake in one file.
struct Mutant {
  enum class Kind { misspelt, unit, number, cut, doubled, crossed, dropped, tag };
  Kind kind = Kind::misspelt;
  std::string file;          ///< as shown in diagnostics
  std::vector<int> lines;    ///< where the mistake is
  std::string gone;          ///< the name of what was taken away
  std::string source;        ///< of a wire that was taken away: the port that it began at
  std::string before, after; ///< the line
  std::string original;      ///< the whole file

  std::string kind_name() const;
  std::string text() const;
};

/// A copy of the diagrams to make mistakes in; the current folder is set to it.
class Workbench {
public:
  explicit Workbench(const std::filesystem::path& diagrams);
  ~Workbench();
  Workbench(const Workbench&) = delete;
  Workbench& operator=(const Workbench&) = delete;

  /// Diagrams that can be run, by file name, sorted.
  std::vector<std::string> tops() const;
  /// Writes one of the files with a mistake. None where the seed's choice does not apply.
  std::optional<Mutant> mutate(const Sources& files, unsigned seed) const;
  void restore(const Mutant& mutant) const;

private:
  std::filesystem::path before_;
  Folder folder_;
};

} // namespace hilda::test
