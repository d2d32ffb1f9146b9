// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/breakpoints.h"

namespace {
using namespace hilda;

struct LookupTable2D : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Where to look along the rows, any shape"};
  Input<Elements<>> v{*this, "v", "*s", "@v", "Where to look along the columns, the same shape"};
  Output<Elements<>> y{*this, "y", "*s", "@y", "Interpolated value of each element"};
  Parameter<Vector> rows{*this, "rows", "n", "@u", "Breakpoints of u, rising: one for each row"};
  Parameter<Vector> cols{*this, "cols", "m", "@v", "Breakpoints of v, rising: one for each column"};
  Parameter<Matrix> values{*this, "values", "n m", "@y", "Value at each pair of breakpoints, rows ended by ';'"};
  Parameter<Outside> outside{*this, "outside", "Beyond the table: its border, its last plane, or a failed run",
                             by_default("clip")};

  void configure(const Instance& self) override {
    check_breakpoints(self, "rows", rows.data(), rows.size());
    check_breakpoints(self, "cols", cols.data(), cols.size());
  }
  void output(const Tick& t) override {
    const auto first = *u, second = *v;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const Segment r = find_segment(rows.data(), rows.size(), first[i], *outside == Outside::extrapolate);
      const Segment c = find_segment(cols.data(), cols.size(), second[i], *outside == Outside::extrapolate);
      if (*outside == Outside::refuse && (r.beyond || c.beyond))
        t.fail("the input lies outside the table", r.beyond ? first[i] : second[i]);
      const double left = along(r, c.first), right = along(r, c.first + 1);
      out[i] = left + c.share * (right - left);
    }
  }

private:
  double along(const Segment& r, Eigen::Index column) const {
    const auto table = *values;
    return table(r.first, column) + r.share * (table(r.first + 1, column) - table(r.first, column));
  }
};

HILDA_BLOCK(LookupTable2D,
            "A function of two variables given on a grid, bilinear between its points, for each element.")
} // namespace
