// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/detail/written/figure_path.h"
#include "engine/study/detail/written/study.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// The columns of numbers before the figures of a run: axes and draws by name, with their units.
struct NamedNumber {
  std::string name;
  double number = 0;
  std::string unit;
};

/// The figures of a study, read once; any number of threads may ask.
class StudyFigures {
public:
  /// The study must have been read without errors, and must outlive it.
  explicit StudyFigures(const Study& study);

  struct Calculated {
    std::vector<double> numbers;    ///< one a figure; NaN: there is none
    std::vector<std::string> units; ///< as the run says them
    std::vector<bool> found;        ///< the run has something of this name
    /// An expression that cannot be calculated, a unit that is not as promised.
    struct Problem {
      std::size_t figure = 0; ///< behind the last: the condition of `<keep>`
      std::string what;       ///< behind the figure's name
    };
    std::vector<Problem> problems;
  };
  Calculated of(const Runtime& runtime, const SimulationResult& result, const SummaryFigures& figures,
                const std::vector<NamedNumber>& point) const;
  /// Of a run that gave none: what expressions make of that.
  Calculated without(const std::vector<NamedNumber>& point) const;

  /// Whether a condition holds; false where a figure in it is not a number. `problem`: why it cannot be calculated.
  static bool holds(const std::string& condition, const std::vector<NamedNumber>& numbers, std::string& problem);
  /// Why no one can read an expression, whatever the numbers of these names are.
  static std::optional<Error> malformed(const std::string& expression, const std::vector<std::string>& names);

private:
  bool known(const std::string& expression, const Calculated& result, std::size_t before) const;
  Calculated calculated(Calculated result, const std::vector<NamedNumber>& point) const;

  const Study& study_;
  std::vector<FigurePath> paths_; ///< by figure; of an expression an empty one
};

} // namespace hilda::study
