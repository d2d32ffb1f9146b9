// SPDX-License-Identifier: BSD-3-Clause
// Differential equations of the IVP test set (Mazzia and Magherini, 2008) and others with known solutions.

#include <cmath>
#include <hilda/block.h>

namespace {
using namespace hilda;

/// High irradiance responses of photomorphogenesis: 8 states, stiff.
struct Hires : Block {
  using Vector8 = Eigen::Matrix<double, 8, 1>;
  Output<Vector> y{*this, "y", "8", "", "Concentrations", from_state};
  ContinuousState<Vector> x{*this, "x", "8", "", "The same"};
  void initialize(const Instance&) override {
    Vector8 start;
    start << 1, 0, 0, 0, 0, 0, 0, 0.0057;
    x = start;
  }
  void state_output(const Tick&) override { y = *x; }
  void derivative(const Tick&) override {
    const Vector8 s = *x;
    const double fast = 280 * s[5] * s[7], slow = 1.81 * s[6];
    Vector8 d;
    d << -1.71 * s[0] + 0.43 * s[1] + 8.32 * s[2] + 0.0007, 1.71 * s[0] - 8.75 * s[1],
        -10.03 * s[2] + 0.43 * s[3] + 0.035 * s[4], 8.32 * s[1] + 1.71 * s[2] - 1.12 * s[3],
        -1.745 * s[4] + 0.43 * s[5] + 0.43 * s[6], -fast + 0.69 * s[3] + 1.71 * s[4] - 0.43 * s[5] + 0.69 * s[6],
        fast - slow, -fast + slow;
    x.dot() = d;
  }
};

/// x'' = mu (1 - x^2) x' - x from x = 2.
struct VanDerPol : Block {
  Output<Vector> y{*this, "y", "2", "", "x and x'", from_state};
  Parameter<double> mu{*this, "mu", "", "How stiff it is"};
  ContinuousState<Vector> x{*this, "x", "2", "", "The same"};
  void initialize(const Instance&) override { x = Eigen::Vector2d(2, 0); }
  void state_output(const Tick&) override { y = *x; }
  void derivative(const Tick&) override {
    const Eigen::Vector2d s = *x;
    x.dot() = Eigen::Vector2d(s[1], *mu * (1 - s[0] * s[0]) * s[1] - s[0]);
  }
};

/// Robertson's chemical reaction: three rates of very different size.
struct Robertson : Block {
  Output<Vector> y{*this, "y", "3", "", "Concentrations", from_state};
  ContinuousState<Vector> x{*this, "x", "3", "", "The same"};
  void initialize(const Instance&) override { x = Eigen::Vector3d(1, 0, 0); }
  void state_output(const Tick&) override { y = *x; }
  void derivative(const Tick&) override {
    const Eigen::Vector3d s = *x;
    const double first = 0.04 * s[0], second = 1e4 * s[1] * s[2], third = 3e7 * s[1] * s[1];
    x.dot() = Eigen::Vector3d(-first + second, first - second - third, third);
  }
};

/// Objects wherever its input is above 1, at trials too.
struct Sensitive : Block {
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<double> y{*this, "y", "@u", "The same"};
  void output(const Tick& t) override {
    y = *u;
    if (*u > 1) t.fail("the signal is above 1", *u);
  }
};

HILDA_BLOCK(Hires, "A stiff equation.")
HILDA_BLOCK(VanDerPol, "A stiff oscillator.")
HILDA_BLOCK(Robertson, "A stiff reaction.")
HILDA_BLOCK(Sensitive, "Fails where its input is above 1.")
} // namespace
