// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct AssertRange : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  PerElement<Dynamic> lower{*this, "lower", "@u", "Smallest allowed value", live, by_default("-inf")};
  PerElement<Dynamic> upper{*this, "upper", "@u", "Largest allowed value", live, by_default("inf")};
  Parameter<double> from{*this, "from", "s", "Time from which on it must hold", by_default("0")};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
  }
  void prepare(const Instance& self) override { check_order(self, lower, upper); }
  void update(const Tick& t) override {
    if (t.time() < *from) return;
    const auto in = *u;
    for (Eigen::Index i = 0; i < in.size(); ++i)
      if (!(in[i] >= lower[i] && in[i] <= upper[i])) t.fail("a value lies outside its range", in[i]);
  }
};

HILDA_BLOCK(AssertRange, "Fails the run at the first tick at which an element lies outside a range, or is NaN.")
} // namespace
