#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct DeadZone : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "How far u lies outside the zone"};
  PerElement<Dynamic> lower{*this, "lower", "@u", "Lower end of the zone: one number, or one for each element", live};
  PerElement<Dynamic> upper{*this, "upper", "@u", "Upper end of the zone: one number, or one for each element", live};

  void configure(const Instance& self) override {
    lower.check(self, u.rows(), u.cols());
    upper.check(self, u.rows(), u.cols());
    check_order(self, lower, upper);
  }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) {
      if (in[i] >= lower[i] && in[i] <= upper[i])
        out[i] = 0;
      else
        out[i] = in[i] - (in[i] < lower[i] ? lower[i] : upper[i]);
    }
  }
};

HILDA_BLOCK(DeadZone,
            "Gives 0 within a zone and the distance from the zone outside: y = u - upper above, u - lower below.")
} // namespace
