// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <vector>

namespace hilda::analysis {

/// A curve through samples that lie `period` apart, from time 0; constant outside. Either the straight lines between
/// them or the natural cubic spline.
class Spline {
public:
  /// At least two samples.
  Spline(std::vector<double> samples, double period);

  /// Of the straight lines.
  double straight(double time) const;
  /// Of the spline.
  double value(double time) const;
  /// Second derivative of the spline; 0 outside.
  double curvature(double time) const;

private:
  struct Place {
    std::size_t left;
    double share; ///< 0 to 1 between left and left + 1
  };
  Place place(double time) const;
  double end() const;

  std::vector<double> samples_, curvature_;
  double period_;
};

} // namespace hilda::analysis
