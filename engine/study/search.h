// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/sweep.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// Evaluations of a search: rows of the store next to those of the design. The draws of a search are those of the
/// design's first repeats, the same at every place, so that noise is not taken for a difference.
class Evaluations {
public:
  Evaluations(const LoadedStudy& study, Store& store, const SweepOptions& options)
      : study_(study), store_(store), options_(options) {}

  /// The mean of a figure over the repeats of a place; NaN where one has none. Rows that are there are taken.
  struct Place {
    std::int64_t first = 0; ///< number of its first row; one each repeat
    std::int64_t cell = 0;  ///< run of the design, without its repeat
    std::vector<Design::Override> overrides;
  };
  std::vector<double> of(const std::vector<Place>& places, std::size_t figure);

  bool stopped() const { return stopped_; }
  const std::string& error() const { return error_; }
  std::int64_t made() const { return made_; }
  const std::vector<Diagnostic>& faults() const { return faults_; }
  const RunWarnings& warnings() const { return warnings_; }

private:
  const LoadedStudy& study_;
  Store& store_;
  const SweepOptions& options_;
  bool stopped_ = false;
  std::string error_;
  std::int64_t made_ = 0;
  std::vector<Diagnostic> faults_;
  RunWarnings warnings_;
};

/// Where a figure that is true or false changes along an axis.
struct EdgePoint {
  std::int64_t cell = 0;                         ///< a run of the design with the other axes' values
  std::vector<RunPoint::Coordinate> coordinates; ///< of it
  /// The last place on the grid before the figure changes, and the first behind.
  struct Change {
    double before = 0, behind = 0;
  };
  std::vector<Change> changes; ///< in the axis's order; none where it is the same at every place that was looked at
  std::int64_t looked = 0;     ///< places, before those between which it changes were narrowed down
  bool at_first = false;       ///< what it is at the beginning
  bool known = true;           ///< false: it is not a number at an end
};

/// Where an axis with two ends is searched.
struct EdgeQuery {
  std::size_t axis = 0, figure = 0;
  double step = 0;         ///< of the grid
  std::int64_t coarse = 1; ///< parts at whose ends is looked first: an island within one of them is not found
};

/// For every combination of the other axes: looks at the ends of even parts of the axis, and bisects those parts whose
/// ends differ. A figure of several repeats is what more than half of them say.
std::vector<EdgePoint> find_edges(const LoadedStudy& study, Store& store, const EdgeQuery& query,
                                  Evaluations& evaluations);

struct OptimumQuery {
  std::size_t figure = 0;
  bool greatest = false; ///< it is maximised
  std::vector<std::size_t> axes;
  std::vector<double> steps; ///< by axis: the grid; 0: none
  int evaluations = 100;     ///< at most
};
struct Optimum {
  std::vector<double> at; ///< by axis of the query
  double value = 0;
  std::int64_t run = 0; ///< its first row
  int evaluations = 0;
  bool found = false;
};

/// The least value of a figure over axes within their ends, the others at their first: NLopt's DIRECT for half of the
/// evaluations, then its BOBYQA from there, which both keep the ends. A place without the figure counts as worse than
/// any.
Optimum find_optimum(const LoadedStudy& study, Store& store, const OptimumQuery& query, Evaluations& evaluations);

} // namespace hilda::study
