#pragma once

#include <vector>

namespace hilda {

/// Natural cubic spline through samples that lie `period` apart, from time 0; constant outside.
class Spline {
public:
  /// At least two samples.
  Spline(std::vector<double> samples, double period);

  double value(double time) const;
  /// Second derivative; 0 outside.
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

} // namespace hilda
