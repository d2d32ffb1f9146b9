// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

struct Normalize : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Vector"};
  Output<Elements<>> y{*this, "y", "*s", "1", "u / |u|, or 0 where |u| is at most the threshold"};
  Parameter<double> threshold{*this,         "threshold",     "@u",      "Length up to which a vector has no direction",
                              at_least(0.0), by_default("0"), difference};

  void output(const Tick&) override {
    const auto in = *u;
    const double length = std::sqrt(in.square().sum());
    if (length <= *threshold)
      (*y).setZero();
    else
      y = in / length;
  }
};

HILDA_BLOCK(Normalize, "Direction of a vector: y = u / |u|; 0 for a vector that is no longer than the threshold.")
} // namespace
