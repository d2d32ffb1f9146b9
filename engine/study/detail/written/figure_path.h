// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/error.h"
#include "engine/modules.h"
#include "engine/run/runtime.h"
#include "engine/session/simulation.h"
#include "engine/session/summary_figures.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::study {

/// A number that a run has given, and its unit; NaN where there is none.
struct FoundFigure {
  double number = 0;
  std::string unit;
  bool found = false; ///< the run has something of this name
};

/// Where a figure of a study comes from: "identified.stiffness", "contacts[-1].cov", "max(contacts[].peak_force)",
/// "ports.contact.energy", "time". Rows count from 0, and from the end below 0. A key that several blocks have is that
/// of the first of them; blocks.PATH.KEY is that of one.
class FigurePath {
public:
  /// Code: study-path.
  static Result<FigurePath> read(const std::string& text);

  FoundFigure of(const Runtime& runtime, const SimulationResult& result, const SummaryFigures& figures) const;

  /// What a run offers, for near misses.
  static std::vector<std::string> offered(const Runtime& runtime, const SummaryFigures& figures);

private:
  FoundFigure of_table(const SummaryFigures& figures) const;
  FoundFigure of_engine(const Runtime& runtime, const SimulationResult& result) const;
  double folded(std::vector<double> numbers) const;

  std::string function_; ///< "max"; empty: none
  std::string key_;      ///< of a figure
  std::string table_, column_;
  std::optional<std::int64_t> row_; ///< none, with a table: all
};

} // namespace hilda::study
