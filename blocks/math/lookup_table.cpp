// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/breakpoints.h"
#include "blocks/math/cubic_spline.h"

#include <limits>
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

  State<Elements<>> piece{
      *this, "piece", "*s", "", "Between which kinks u was at the last event, where those are located", modal};

  Crossing<Elements<>> inside{*this, "inside", "*s", "@u", "How far u is from the kinks around that piece"};

  void configure(const Instance& self) override {
    check_breakpoints(self, "x", x.data(), x.size());
    if (x.size() < 2) return;
    find_kinks();
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
      out[i] = t.located() && holds(i, in[i])             ? on_piece(i, in[i])
               : *interpolation == Interpolation::linear  ? on_line(s)
               : *interpolation == Interpolation::nearest ? nearest(s)
                                                          : on_curve(s);
    }
  }
  void event(const Tick&, const Fired& fired) override {
    auto held = *piece;
    for (Eigen::Index i = 0; i < held.size(); ++i) {
      const double in = (*u)[i], now = piece_of(in);
      if (fired.none() || (fired.direction(inside, i) < 0 && now != held[i])) {
        held[i] = now;
      } else if (fired.direction(inside, i) < 0) { // at the very kink
        const std::size_t at = held_piece(i);
        held[i] = static_cast<double>(at) + (at < kinks_.size() && in >= kinks_[at] ? 1 : -1);
      }
    }
  }

private:
  /// Where the function has a kink or jumps; curves have them where they end alone.
  void find_kinks() {
    kinks_.clear();
    const Eigen::Index n = x.size();
    const bool clipped = *outside == Outside::clip, lines = *interpolation == Interpolation::linear;
    if (*interpolation == Interpolation::nearest) {
      for (Eigen::Index k = 1; k < n; ++k) kinks_.push_back(x.data()[k - 1] + 0.5 * (x.data()[k] - x.data()[k - 1]));
      return;
    }
    if (clipped) kinks_.push_back(x.data()[0]);
    for (Eigen::Index k = 1; lines && k + 1 < n; ++k) kinks_.push_back(x.data()[k]);
    if (clipped) kinks_.push_back(x.data()[n - 1]);
  }
  /// How many kinks lie at or below.
  double piece_of(double value) const {
    return static_cast<double>(std::upper_bound(kinks_.begin(), kinks_.end(), value) - kinks_.begin());
  }
  /// That of the last event. What a checkpoint of another hand says may be none: then it is that of the input.
  std::size_t held_piece(Eigen::Index i) const {
    const double at = (*piece)[i], last = static_cast<double>(kinks_.size());
    return static_cast<std::size_t>(at >= 0 && at <= last ? at : piece_of((*u)[i]));
  }
  /// Whether the piece of the last event counts.
  bool holds(Eigen::Index i, double value) {
    const std::size_t at = held_piece(i);
    double left = std::numeric_limits<double>::infinity();
    if (at > 0) left = value - kinks_[at - 1];
    if (at < kinks_.size()) left = std::min(left, kinks_[at] - value);
    inside.positive(left, i);
    return inside.side(i) > 0 && !std::isnan(value);
  }
  /// The function that this piece has, also a little beyond it.
  double on_piece(Eigen::Index i, double value) const {
    const auto at = static_cast<Eigen::Index>(held_piece(i)), last = x.size() - 1;
    if (*interpolation == Interpolation::nearest) return values.data()[at];
    const bool clipped = *outside == Outside::clip, lines = *interpolation == Interpolation::linear;
    if (clipped && at == 0) return values.data()[0];
    if (clipped && at == static_cast<Eigen::Index>(kinks_.size())) return values.data()[last];
    if (!lines) return on_curve(find_segment(x.data(), x.size(), value, true));
    const Eigen::Index first = clipped ? at - 1 : at;
    return on_line({first, (value - x.data()[first]) / (x.data()[first + 1] - x.data()[first]), false});
  }
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

  std::vector<double> slopes_, kinks_;
};

HILDA_BLOCK(LookupTable, table_doc)
} // namespace
