// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Demux : Block {
  Input<Vector> u{*this, "u", "sum(n)", "@u", "Vector"};
  Outputs<Vector> y{*this, "y", "n", "@u", "Its parts, in order", as_many_as("parts")};
  Parameter<std::int64_t> parts{*this, "parts", "How many parts", at_least(1), by_default("2")};
  Parameter<Integers> sizes{
      *this,       "sizes",        "*sizes", "", "Elements of each part: one number for all, or one for each",
      at_least(1), by_default("1")};

  void infer(const Instance& self, const Inference& inference) override {
    const bool equal = sizes.size() == 1;
    if (!equal && sizes.size() != *parts) {
      self.report("sizes", "has " + std::to_string(sizes.size()) + " numbers for " + std::to_string(*parts) +
                               " parts; give one number for all parts, or one for each");
      return;
    }
    for (std::int64_t k = 0; k < *parts; ++k)
      inference.item_shape("y", static_cast<std::uint64_t>(k), sizes.data()[equal ? 0 : k], 1);
  }
  void output(const Tick&) override {
    const auto in = *u;
    const double* from = in.data();
    for (Eigen::Index k = 0; k < y.size(); ++k) {
      auto part = y[k];
      std::copy_n(from, part.size(), part.data());
      from += part.size();
    }
  }
};

HILDA_BLOCK(Demux, "Takes a vector apart: y[0] holds its first elements, y[1] the next ones. Single elements need no "
                   "block: \"u[2]\" at "
                   "the end of a wire's source does it.")
} // namespace
