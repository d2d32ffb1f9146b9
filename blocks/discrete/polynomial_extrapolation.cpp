// SPDX-License-Identifier: BSD-3-Clause
#include "lagrange_weights.h"

#include <array>
#include <hilda/block.h>
#include <hilda/whole_ticks.h>

namespace {
using namespace hilda;

constexpr const char* polynomial_extrapolation_doc =
    "Predicts a signal: y(t) = P(t + lead), element by element, where P is the polynomial of the given order through "
    "u(t), "
    "u(t - spacing), ..., u(t - order spacing). With a spacing of the lead itself (the default) it is the forward "
    "prediction of real-time hybrid simulation (Horiuchi, Inoue, Konno and Namita 1999): with order 3, y = 4 u(t) - 6 "
    "u(t - lead) + "
    "4 u(t - 2 lead) - u(t - 3 lead). Sent to a device that is late by lead, polynomials up to the order arrive in "
    "time. Noise and jumps "
    "grow by the sum of the coefficients' magnitudes (here 15), and high frequencies gain amplitude. At the start the "
    "order is as high as there are "
    "values: the first output is u.";

struct PolynomialExtrapolation : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u, lead later, as predicted"};
  Parameter<double> lead{*this, "lead", "s", "How far ahead; 0: y is u", at_least(0.0)};
  Parameter<std::int64_t> order{*this, "order", "Of the polynomial; 0: y is u", between(0, highest_order),
                                by_default("3")};
  Parameter<double> spacing{
      *this,
      "spacing",
      "s",
      "Between the points of the polynomial, a whole number of sample times; 0: the lead, rounded to one",
      at_least(0.0),
      by_default("0 s")};
  Ring<> line{*this, "line", "*s", "@u", "The samples before the newest"};
  State<std::int64_t> count{*this, "count", "How many samples have come before this one, of those that are kept"};

  void configure(const Instance& self) override {
    step_ = 0;
    line.resize(0);
    if (*lead == 0 || *order == 0) return;
    const bool own = *spacing > 0;
    const double apart = own ? *spacing : *lead;
    constexpr double longest = 1e7;
    if (apart * static_cast<double>(*order) > longest * self.period()) {
      self.report(own ? "spacing" : "lead",
                  "needs more than 10 million samples; give a shorter one, or a longer sample_time");
      return;
    }
    const double exact = apart / self.period(), nearest = std::max(1.0, std::round(exact));
    if (own && std::abs(exact - nearest) > 1e-9 * std::max(1.0, exact)) {
      self.report("spacing", "is " + std::to_string(exact) + " sample times of " + std::to_string(self.period() * 1e3) +
                                 " ms; give a whole number of them, or 0 s for the lead rounded to one");
      return;
    }
    step_ = static_cast<std::int64_t>(nearest);
    line.resize(step_ * *order);
    for (std::int64_t n = 0; n <= *order; ++n)
      lagrange_weights(n, *lead / (nearest * self.period()), weights_[static_cast<std::size_t>(n)]);
  }
  void initialize(const Instance&) override {
    line.fill(Eigen::ArrayXd::Zero((*u).size()));
    count = 0;
  }
  void output(const Tick&) override {
    auto out = *y;
    const std::int64_t held = std::clamp<std::int64_t>(*count, 0, line.size()); // a checkpoint may say anything
    const std::int64_t now = step_ == 0 ? 0 : std::min(*order, held / step_);
    if (now == 0) {
      out = *u;
      return;
    }
    const auto& weights = weights_[static_cast<std::size_t>(now)];
    out = weights[0] * *u;
    for (std::int64_t i = 1; i <= now; ++i) out += weights[static_cast<std::size_t>(i)] * line[line.size() - i * step_];
  }
  void update(const Tick&) override {
    line.push(*u);
    count = std::min(*count + 1, line.size());
  }

private:
  // from the parameters, by configure
  std::int64_t step_ = 0; ///< sample times between two points; 0: y is u
  std::array<std::array<double, highest_order + 1>, highest_order + 1> weights_{};
};

HILDA_BLOCK(PolynomialExtrapolation, polynomial_extrapolation_doc)
} // namespace
