// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Select : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape; a matrix counts column by column"};
  Output<Vector> y{*this, "y", "k", "@u", "The elements named, in that order"};
  Parameter<Integers> indices{*this, "indices", "k", "", "Which elements, counted from 0; one may come twice"};

  void configure(const Instance& self) override {
    for (Eigen::Index i = 0; i < indices.size(); ++i) {
      const std::int64_t index = indices.data()[i];
      if (index >= 0 && index < u.size()) continue;
      self.report("indices", "names element " + std::to_string(index) + ", but the input has " +
                                 std::to_string(u.size()) + " elements; choose from 0 to " +
                                 std::to_string(u.size() - 1));
      return;
    }
  }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = in[indices.data()[i]];
  }
};

HILDA_BLOCK(Select, "Picks and reorders elements: y_i = u[indices_i].")
} // namespace
