#include "blocks/discrete/zero_pole_gain.h"

namespace {
using namespace hilda;

struct ZeroPoleGain : Block {
  Input<Vector> u{*this, "u", "n", "@u", "One signal, or a vector of them", conditional};
  Output<Vector> y{*this, "y", "n", "@gain*@u", "Filtered signal", conditional};
  Parameter<Text> zeros{*this, "zeros", "In rad/s: -5 -1+2j -1-2j; none, or no more than poles", by_default("none")};
  Parameter<Text> poles{*this, "poles", "In rad/s; stable where the real part is below 0"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1")};
  ContinuousState<Matrix> x{*this, "x", "p n", "1", "States of the sections, in SI"};

  void infer(const Instance& self, const Inference& inference) override {
    if (filter_.read(self, *zeros, *poles)) inference.dimension("p", filter_.order());
  }
  bool feeds_through(const Instance& self) const override {
    ZeroPoleFilter filter;
    return filter.read(self, *zeros, *poles) && filter.direct() != 0;
  }
  void configure(const Instance& self) override { filter_.read(self, *zeros, *poles); }
  void state_output(const Tick&) override {
    if (filter_.direct() != 0) return;
    const auto state = *x;
    for (Eigen::Index j = 0; j < state.cols(); ++j) y.data()[j] = *gain * filter_.from_state(state.col(j).data());
  }
  void output(const Tick&) override {
    if (filter_.direct() == 0) return;
    const auto state = *x;
    for (Eigen::Index j = 0; j < state.cols(); ++j) y.data()[j] = *gain * filter_.output(state.col(j).data(), (*u)[j]);
  }
  void derivative(const Tick&) override {
    const auto state = *x;
    auto rate = *x.dot();
    for (Eigen::Index j = 0; j < state.cols(); ++j) filter_.next(state.col(j).data(), (*u)[j], rate.col(j).data());
  }

private:
  ZeroPoleFilter filter_;
};

HILDA_BLOCK(
    ZeroPoleGain,
    "A transfer function by its zeros and poles in s, for each element of a vector: y = gain (s - z1) (s - z2) ... / "
    "((s - p1) (s - p2) ...) u, at rest at the start. It is a chain of sections of order 1 and 2; where there are "
    "fewer zeros than poles it does not feed through.")
} // namespace
