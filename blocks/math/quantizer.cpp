#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Quantizer : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "The nearest multiple of the step"};
  PerElement<Dynamic> step{*this, "step", "@u", "Resolution: one number, or one for each element", above(0.0)};

  void configure(const Instance& self) override { step.check(self, u.rows(), u.cols()); }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    for (Eigen::Index i = 0; i < in.size(); ++i) out[i] = step[i] * std::round(in[i] / step[i]);
  }
};

HILDA_BLOCK(Quantizer, "Rounds each element to a whole number of steps, halves away from 0: y = step round(u / step).")
} // namespace
