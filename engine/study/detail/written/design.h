// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/detail/written/figures.h"
#include "engine/study/detail/written/study.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::study {

/// What a run is given: all that follows from a study and a run's number.
struct RunPoint {
  std::string diagram, rig;
  std::vector<std::string> overlays;
  std::vector<Attribute> settings; ///< each path once, with the place that gives it
  std::vector<Attribute> fixed;    ///< those of `<set>` alone: what a factor is a multiple with
  struct Factor {
    std::string path;
    double factor = 1;
    Location where;
  };
  std::vector<Factor> factors; ///< times the diagram's own value; the settings come after they are known
  /// A column each: of axes, then of draws. A word has NaN and its label; where an axis does not apply, NaN and "".
  struct Coordinate {
    double number = 0;
    std::string label;
  };
  std::vector<Coordinate> coordinates;
};

/// The runs of a study, by number from 0: the product of its axes, the first the slowest, then its samples, then its
/// repeats. Axes with `with` go along with another; those whose `when` is false are left out of the product.
class Design {
public:
  /// The study must outlive it. Codes: study-when, study-size.
  Design(const Study& study, Diagnostics& diagnostics);

  std::int64_t runs() const { return runs_; }
  RunPoint point(std::int64_t run) const;
  /// The same with other values on some axes of numbers, by place in Study::axes: those of a search.
  struct Override {
    std::size_t axis = 0;
    double number = 0;
  };
  RunPoint point(std::int64_t run, const std::vector<Override>& overrides) const;

  /// Of each column of coordinates.
  struct Column {
    std::string name, unit, doc;
    bool numeric = true, drawn = false;
  };
  std::vector<Column> columns() const;
  std::vector<NamedNumber> numbers(const RunPoint& point) const;

  /// Which value run `run` has on an axis; -1: it does not apply.
  std::int64_t digit(std::int64_t run, std::size_t axis) const;
  /// The first run with this value on an axis, or -1.
  std::int64_t first_with(std::size_t axis, std::int64_t value) const;
  std::int64_t repeats() const { return repeats_; }
  std::int64_t samples() const { return samples_; }
  /// Combinations of axes: runs without samples and repeats.
  std::int64_t cells() const { return cells_; }

private:
  using Digits = std::vector<std::int32_t>;
  void enumerate(Diagnostics& diagnostics);
  bool applies(const Attribute& when, const Digits& digits, std::size_t axes, std::string& problem) const;
  Digits digits_of(std::int64_t cell) const;
  double drawn(std::size_t draw, std::int64_t sample) const;
  double evenly(std::size_t draw, std::int64_t sample) const;
  void prepare_samples();

  const Study& study_;
  std::vector<std::int64_t> sizes_;    ///< by axis; 1 where it goes with another
  std::vector<std::ptrdiff_t> leader_; ///< by axis: with which it goes; -1: by itself
  std::vector<std::int32_t> listed_;   ///< digits of every cell, one after the other, where there are conditions
  bool conditional_ = false;
  std::int64_t cells_ = 1, samples_ = 1, repeats_ = 1, runs_ = 0;
  std::vector<std::vector<double>> even_; ///< by draw: latin and Sobol samples in (0, 1)
};

} // namespace hilda::study
