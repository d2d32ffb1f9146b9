// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct RealToInteger : Block {
  Input<Elements<>> u{*this, "u", "*s", "1", "Numbers of any shape"};
  Output<Integers> y{*this, "y", "*s", "", "The nearest integers; halves go away from 0"};

  void output(const Tick& t) override {
    constexpr double limit = 9223372036854775808.0; // 2^63
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      const double nearest = std::round(in[i]);
      if (nearest >= -limit && nearest < limit) {
        out[i] = static_cast<std::int64_t>(nearest);
        continue;
      }
      out[i] = 0;
      t.fail("the input is not a number that an integer can hold", in[i]);
    }
  }
};

HILDA_BLOCK(RealToInteger, "Rounds numbers to the nearest integers. NaN or a number beyond 2^63 fails the run.")
} // namespace
