// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/point_runner.h"

#include <set>
#include <string>
#include <vector>

namespace hilda::study {

/// Whether the figures of a study are those that its runs have. What no diagram's runs have is a slip of the study, as
/// is a unit that is not the promised one. Codes: study-unknown-figure, study-figure-unit.
class FigureWatch {
public:
  explicit FigureWatch(const LoadedStudy& study);

  void note(const PointRunner::Done& done);
  /// At the end: no more runs come.
  void close() { look_for_missing(true); }
  /// A row that is there already has it.
  void know(std::size_t figure) { found_[figure] = true; }
  /// None is missing: that is known from before.
  void settle() { told_ = true; }

  /// All that was found so far, each once.
  const Diagnostics& faults() const { return faults_; }
  /// Of figures, as runs reported them.
  const std::vector<std::string>& units() const { return units_; }

private:
  void look_for_missing(bool at_the_end);
  void report(const char* code, std::size_t figure, const std::string& what, const std::string& help);

  const LoadedStudy& study_;
  std::vector<std::size_t> diagrams_; ///< axes
  std::vector<bool> found_;
  std::vector<std::string> units_;
  std::set<std::string> seen_; ///< diagrams with a run that did not fail
  std::set<std::string> offered_;
  bool sound_ = false, told_ = false;
  std::set<std::size_t> faulty_; ///< figures that have been reported
  Diagnostics faults_;
};

} // namespace hilda::study
