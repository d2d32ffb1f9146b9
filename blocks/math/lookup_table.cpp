#include "blocks/math/breakpoints.h"
#include "blocks/math/cubic_spline.h"

#include <vector>

namespace {
using namespace hilda;

constexpr const char* table_doc =
    "A function given by points, for each element: with straight lines between them, with the "
    "value of the nearest one, "
    "with a cubic spline (not-a-knot: smooth to its second derivative), or with cubics that "
    "rise and fall where the points "
    "do and nowhere else (monotone).";

enum class Interpolation { linear, nearest, spline, monotone };

struct LookupTable : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Where to look, any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@y", "Interpolated value of each element"};
  Parameter<Vector> x{*this, "x", "n", "@u", "Breakpoints, rising"};
  Parameter<Vector> values{*this, "values", "n", "@y", "Value at each breakpoint"};
  Parameter<Outside> outside{*this, "outside", "Beyond the table: its end value, its last line, or a failed run",
                             by_default("clip")};
  Parameter<Interpolation> interpolation{*this, "interpolation", "What lies between two points", by_default("linear")};

  void configure(const Instance& self) override {
    check_breakpoints(self, "x", x.data(), x.size());
    if (x.size() < 2) return;
    if (*interpolation == Interpolation::spline)
      slopes_ = spline_slopes(x.data(), values.data(), x.size(), SplineEnds::not_a_knot);
    if (*interpolation == Interpolation::monotone) slopes_ = monotone_slopes(x.data(), values.data(), x.size());
  }
  void output(const Tick& t) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const Segment s = find_segment(x.data(), x.size(), in[i], *outside == Outside::extrapolate);
      if (*outside == Outside::refuse && s.beyond) t.fail("the input lies outside the table", in[i]);
      out[i] = *interpolation == Interpolation::linear    ? on_line(s)
               : *interpolation == Interpolation::nearest ? nearest(s)
                                                          : on_curve(s);
    }
  }

private:
  double on_line(const Segment& s) const {
    const double* v = values.data();
    return s.share == 0   ? v[s.first]
           : s.share == 1 ? v[s.first + 1]
                          : v[s.first] + s.share * (v[s.first + 1] - v[s.first]);
  }
  double nearest(const Segment& s) const {
    if (std::isnan(s.share)) return s.share;
    return values.data()[s.share < 0.5 ? s.first : s.first + 1];
  }
  double on_curve(const Segment& s) const {
    const double* v = values.data();
    const double h = x.data()[s.first + 1] - x.data()[s.first];
    const auto at = static_cast<std::size_t>(s.first);
    if (s.share < 0) return v[s.first] + s.share * h * slopes_[at];
    if (s.share > 1) return v[s.first + 1] + (s.share - 1) * h * slopes_[at + 1];
    if (s.share == 1) return v[s.first + 1];
    return cubic_between(h, s.share, v[s.first], v[s.first + 1], slopes_[at], slopes_[at + 1]).value;
  }

  std::vector<double> slopes_;
};

HILDA_BLOCK(LookupTable, table_doc)
} // namespace
