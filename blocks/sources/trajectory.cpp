// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/breakpoints.h"
#include "blocks/math/cubic_spline.h"

#include <hilda/per_element.h>

#include <algorithm>
#include <vector>

namespace {
using namespace hilda;

constexpr const char* trajectory_doc = "A motion through given points at given times, for each element, with its "
                                       "velocity and acceleration. Between two points: "
                                       "linear; minimum_jerk, 10 u^3 - 15 u^4 + 6 u^5 of the way, at rest at each "
                                       "point (Flash and Hogan 1985); trapezoid, at "
                                       "rest at each point, with even acceleration over blend of the time and as much "
                                       "deceleration; spline, cubics that are "
                                       "smooth to the acceleration, at rest at the first and last point; "
                                       "natural_spline, the same with acceleration 0 there. "
                                       "Before the first time and from the last one on it is at rest.";

enum class Kind { linear, minimum_jerk, trapezoid, spline, natural_spline };

struct Trajectory : Block {
  Output<Vector> position{*this, "position", "n", "@y", "One number a row of points", from_state};
  Output<Vector> velocity{*this, "velocity", "n", "@y/s", "Its first derivative", from_state};
  Output<Vector> acceleration{*this, "acceleration", "n", "@y/s^2", "Its second derivative", from_state};
  Output<bool> arrived{*this, "arrived", "Whether the last time has come", from_state};
  Parameter<Vector> times{*this, "times", "m", "s", "When each point is reached, rising; two or more"};
  Parameter<Matrix> points{*this, "points", "n m", "@y",
                           "A column for each time and a row for each element; a row ends with ';'"};
  Parameter<Kind> kind{*this, "kind", "What lies between two points", by_default("minimum_jerk")};
  Parameter<double> blend{*this,
                          "blend",
                          "1",
                          "Share of the time from point to point in which a trapezoid speeds up",
                          above(0.0),
                          at_most(0.5),
                          by_default("0.25")};

  void configure(const Instance& self) override {
    check_breakpoints(self, "times", times.data(), times.size());
    if (points.rows() > 1 && points.rows() == points.cols() && Matrix((*points).diagonal().asDiagonal()) == *points)
      self.warn("points", "is read as a diagonal, " + std::to_string(points.rows()) +
                              " elements that move once each: a row ends with ';', so one element through these "
                              "points is \"1 2; m\"");
    slopes_.clear();
    if (times.size() < 2 || (*kind != Kind::spline && *kind != Kind::natural_spline)) return;
    const SplineEnds ends = *kind == Kind::spline ? SplineEnds::clamped : SplineEnds::natural;
    std::vector<double> row(static_cast<std::size_t>(points.cols()));
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = (*points)(i, static_cast<Eigen::Index>(j));
      slopes_.push_back(spline_slopes(times.data(), row.data(), times.size(), ends));
    }
  }
  void state_output(const Tick& t) override {
    const double* when = times.data();
    const Eigen::Index last = times.size() - 1;
    // A time written in decimal and one counted in ticks may differ in their last digit.
    const double now = t.time(), slack = 5e-7 * t.period();
    const bool over = now - when[last] >= -slack, early = now - when[0] < -slack;
    arrived = over;
    const Segment s = find_segment(when, times.size(), std::min(std::max(now, when[0]), when[last]), false);
    for (Eigen::Index i = 0; i < points.rows(); ++i) {
      const CurvePoint at = over    ? CurvePoint{(*points)(i, last), 0, 0}
                            : early ? CurvePoint{(*points)(i, 0), 0, 0}
                                    : between(i, s);
      position.data()[i] = at.value;
      velocity.data()[i] = at.slope;
      acceleration.data()[i] = at.curvature;
    }
  }

private:
  CurvePoint between(Eigen::Index row, const Segment& s) const {
    const double h = times.data()[s.first + 1] - times.data()[s.first], u = s.share;
    const double from = (*points)(row, s.first), to = (*points)(row, s.first + 1), way = to - from;
    const auto of_way = [&](double share, double rate, double change) {
      return CurvePoint{from + way * share, way * rate / h, way * change / (h * h)};
    };
    switch (*kind) {
    case Kind::linear: return of_way(u, 1, 0);
    case Kind::minimum_jerk:
      return of_way(u * u * u * (10 + u * (-15 + 6 * u)), 30 * u * u * (1 - u) * (1 - u),
                    60 * u * (1 - u) * (1 - 2 * u));
    case Kind::trapezoid: {
      const double top = 1 / (1 - *blend), push = top / *blend; // speed and acceleration of the share
      if (u < *blend) return of_way(push * u * u / 2, push * u, push);
      if (u > 1 - *blend) return of_way(1 - push * (1 - u) * (1 - u) / 2, push * (1 - u), -push);
      return of_way(top * (u - *blend / 2), top, 0);
    }
    case Kind::spline:
    case Kind::natural_spline: break;
    }
    const std::vector<double>& slope = slopes_[static_cast<std::size_t>(row)];
    const auto at = static_cast<std::size_t>(s.first);
    return cubic_between(h, u, from, to, slope[at], slope[at + 1]);
  }

  std::vector<std::vector<double>> slopes_;
};

HILDA_BLOCK(Trajectory, trajectory_doc)
} // namespace
