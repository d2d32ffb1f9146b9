#include "blocks/math/breakpoints.h"

namespace {
using namespace hilda;

struct LookupTable : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Where to look, any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@y", "Interpolated value of each element"};
  Parameter<Vector> x{*this, "x", "n", "@u", "Breakpoints, rising"};
  Parameter<Vector> values{*this, "values", "n", "@y", "Value at each breakpoint"};
  Parameter<Outside> outside{*this, "outside", "Beyond the table: its end value, its last line, or a failed run",
                             by_default("clip")};

  void configure(const Instance& self) override { check_breakpoints(self, "x", x.data(), x.size()); }
  void output(const Tick& t) override {
    const auto in = *u;
    const double* v = values.data();
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const Segment s = find_segment(x.data(), x.size(), in[i], *outside == Outside::extrapolate);
      if (*outside == Outside::refuse && s.beyond) t.fail("the input lies outside the table", in[i]);
      out[i] = s.share == 0   ? v[s.first]
               : s.share == 1 ? v[s.first + 1]
                              : v[s.first] + s.share * (v[s.first + 1] - v[s.first]);
    }
  }
};

HILDA_BLOCK(LookupTable, "A function given by points, with straight lines between them, for each element.")
} // namespace
