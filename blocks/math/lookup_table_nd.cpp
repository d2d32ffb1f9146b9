// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/breakpoints.h"

#include <array>
#include <vector>

namespace {
using namespace hilda;

constexpr const char* grid_doc =
    "A function of one to four variables given on a grid, linear along each between its points (for two: bilinear), "
    "for "
    "each element. values are written as C lays out an array: the last variable's points follow each other.";

struct LookupTableND : Block {
  static constexpr std::size_t most = 4;

  Input<Elements<>> a{*this, "a", "*s", "@a", "First variable, any shape"};
  Input<Elements<>> b{*this,   "b", "*s", "@b", "Second variable, the same shape; where it is open the table has one",
                      optional};
  Input<Elements<>> c{*this, "c", "*s", "@c", "Third variable", optional};
  Input<Elements<>> d{*this, "d", "*s", "@d", "Fourth variable", optional};
  Output<Elements<>> y{*this, "y", "*s", "@y", "Interpolated value of each element"};
  Parameter<Vector> points_a{*this, "points_a", "na", "@a", "Breakpoints of a, rising"};
  Parameter<Vector> points_b{*this, "points_b", "nb", "@b", "Breakpoints of b, rising", by_default("0")};
  Parameter<Vector> points_c{*this, "points_c", "nc", "@c", "Breakpoints of c, rising", by_default("0")};
  Parameter<Vector> points_d{*this, "points_d", "nd", "@d", "Breakpoints of d, rising", by_default("0")};
  Parameter<Vector> values{*this, "values", "n", "@y", "Value at each point of the grid, the last variable first"};
  Parameter<Outside> outside{*this, "outside", "Beyond the table: its border, its last plane, or a failed run",
                             by_default("clip")};

  void configure(const Instance& self) override {
    const std::array<const Input<Elements<>>*, most> inputs{&a, &b, &c, &d};
    const std::array<const Parameter<Vector>*, most> points{&points_a, &points_b, &points_c, &points_d};
    const char* const names[] = {"points_a", "points_b", "points_c", "points_d"};
    const char* const ports[] = {"a", "b", "c", "d"};
    axes_.clear();
    std::size_t product = 1;
    for (std::size_t k = 0; k < most; ++k) {
      if (!inputs[k]->connected()) {
        if (points[k]->size() > 1)
          self.report(names[k], std::string("gives breakpoints of ") + ports[k] + ", which nothing drives; connect it");
        continue;
      }
      check_breakpoints(self, names[k], points[k]->data(), points[k]->size());
      axes_.push_back({inputs[k], points[k]->data(), points[k]->size(), 1});
      product *= static_cast<std::size_t>(points[k]->size());
    }
    Eigen::Index stride = 1;
    for (std::size_t k = axes_.size(); k-- > 0;) {
      axes_[k].stride = stride;
      stride *= axes_[k].count;
    }
    if (static_cast<std::size_t>(values.size()) != product)
      self.report("values", "are " + std::to_string(values.size()) +
                                ", but the grid of the variables that are wired has " + std::to_string(product) +
                                " points; give one for each");
  }
  void output(const Tick& t) override {
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = look_up(t, i);
  }

private:
  struct Axis {
    const Input<Elements<>>* input;
    const double* points;
    Eigen::Index count, stride;
  };

  double look_up(const Tick& t, Eigen::Index element) const {
    Eigen::Index corner = 0;
    double share[most]{};
    for (std::size_t k = 0; k < axes_.size(); ++k) {
      const Axis& axis = axes_[k];
      const double at = (**axis.input)[element];
      const Segment s = find_segment(axis.points, axis.count, at, *outside == Outside::extrapolate);
      if (*outside == Outside::refuse && s.beyond) t.fail("the input lies outside the table", at);
      corner += s.first * axis.stride;
      share[k] = s.share;
    }
    // All corners of the cell, then one variable after the other taken out, the last one first.
    double cell[1 << most];
    const std::size_t corners = std::size_t{1} << axes_.size();
    for (std::size_t bits = 0; bits < corners; ++bits) {
      Eigen::Index place = corner;
      for (std::size_t k = 0; k < axes_.size(); ++k)
        if ((bits >> (axes_.size() - 1 - k) & 1u) != 0) place += axes_[k].stride;
      cell[bits] = values.data()[place];
    }
    for (std::size_t k = axes_.size(), left = corners / 2; k-- > 0; left /= 2)
      for (std::size_t j = 0; j < left; ++j) cell[j] = cell[2 * j] + share[k] * (cell[2 * j + 1] - cell[2 * j]);
    return cell[0];
  }

  std::vector<Axis> axes_;
};

HILDA_BLOCK(LookupTableND, grid_doc)
} // namespace
