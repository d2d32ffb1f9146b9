#include "blocks/discrete/zero_pole_gain.h"

namespace {
using namespace hilda;

struct DiscreteZeroPoleGain : Block {
  Input<Vector> u{*this, "u", "n", "@u", "One signal, or a vector of them", conditional};
  Output<Vector> y{*this, "y", "n", "@gain*@u", "Filtered signal", conditional};
  Parameter<Text> zeros{*this, "zeros", "In z: -0.5 0.2+0.3j 0.2-0.3j; none, or no more than poles",
                        by_default("none")};
  Parameter<Text> poles{*this, "poles", "In z; stable below 1 in absolute value"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1")};
  State<Matrix> x{*this, "x", "p n", "1", "States of the sections, in SI"};
  Work<Vector> next{*this, "next", "p", "1", "States at the next tick"};

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
    for (Eigen::Index j = 0; j < x.cols(); ++j) y.data()[j] = *gain * filter_.from_state(states(j));
  }
  void output(const Tick&) override {
    if (filter_.direct() == 0) return;
    for (Eigen::Index j = 0; j < x.cols(); ++j) y.data()[j] = *gain * filter_.output(states(j), (*u)[j]);
  }
  void update(const Tick&) override {
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      filter_.next(states(j), (*u)[j], next.data());
      std::copy_n(next.data(), x.rows(), states(j));
    }
  }

private:
  double* states(Eigen::Index j) { return x.data() + j * x.rows(); }

  ZeroPoleFilter filter_;
};

HILDA_BLOCK(
    DiscreteZeroPoleGain,
    "A filter by its zeros and poles in z, for each element of a vector: y = gain (z - z1) (z - z2) ... / ((z - p1) "
    "(z - p2) ...) u, at rest at the start. It is a chain of sections of order 1 and 2, whose rounding errors stay "
    "small where a polynomial of high order would lose its roots.")
} // namespace
