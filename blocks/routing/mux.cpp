// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <hilda/block.h>
#include <hilda/flags.h>

namespace {
using namespace hilda;

void stack(const Inputs<Vector>& from, double* to) {
  for (Eigen::Index k = 0; k < from.size(); ++k) to = std::copy_n(from[k].data(), from[k].size(), to);
}

struct Mux : Block {
  Inputs<Vector> u{*this, "u", "n", "@u", "Scalars and vectors of one unit", as_many_as("inputs")};
  Output<Vector> y{*this, "y", "sum(n)", "@u", "All of them in one vector, in order"};
  Parameter<std::int64_t> inputs{*this, "inputs", "How many signals", at_least(1), by_default("2")};

  void output(const Tick&) override { stack(u, y.data()); }
};

HILDA_BLOCK(Mux, "Puts scalars and vectors together to one vector: y = [u[0]; u[1]; ...]. Of different units: FreeMux.")

struct FreeMux : Block {
  static constexpr Flag any_unit{HILDA_ANY_UNIT};

  Inputs<Vector> u{*this, "u", "n", "1", "Scalars and vectors, each in its unit", as_many_as("inputs"), any_unit};
  Output<Vector> y{*this, "y", "sum(n)", "1", "Their numbers in SI in one vector, in order"};
  Parameter<std::int64_t> inputs{*this, "inputs", "How many signals", at_least(1), by_default("2")};

  void output(const Tick&) override { stack(u, y.data()); }
};

HILDA_BLOCK(FreeMux,
            "Puts signals of different units together to one vector of bare numbers, in SI: what a state-space "
            "model or an LQR of mixed units takes. Behind it no unit is checked; a gain with a unit brings it "
            "back.")
} // namespace
