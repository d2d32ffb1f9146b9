// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/dynamics/second_order.h"
#include "lagrange_weights.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <hilda/block.h>

namespace {
using namespace hilda;

constexpr const char* predictive_tracking_doc =
    "Model predictive control that makes a late device follow: of the commands of the next horizon samples the first "
    "is "
    "sent, those with the least sum of (device - reference)^2 + weight (second difference of the command)^2. The "
    "device "
    "is a dead time and, with a natural_frequency, a second order. The reference continues u as the polynomial through "
    "u(t), u(t - spacing), ..., u(t - order spacing). The difference of measured from the model is a random walk, "
    "which a "
    "steady Kalman filter estimates for each element. There are no limits, so the best command is linear and computed "
    "before the run. It has the parts of Tsokanas, Wagg and Stojadinovic 2020 (10.3389/fbuil.2020.00127), of which the "
    "abstract alone was read: predictive control, extrapolation, a Kalman filter; the rest is a guess.";

struct PredictiveTracking : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Where the device should be; of any shape", primes};
  Input<Elements<>> measured{*this, "measured", "*s", "@u", "Where it is", in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u", "What to send to it"};
  Output<Elements<>> disturbance{*this,     "disturbance", "*s", "@u", "Measured beyond the model, as estimated",
                                 from_state};

  Parameter<double> dead_time{*this, "dead_time", "s", "Of the device; rounded to whole samples", at_least(0.0)};
  Parameter<double> natural_frequency{*this,         "natural_frequency", "Hz", "Of its second order; 0: none",
                                      at_least(0.0), by_default("0 Hz")};
  Parameter<double> damping_ratio{*this, "damping_ratio", "1", "Of its second order", above(0.0), by_default("0.7")};
  Parameter<std::int64_t> horizon{*this, "horizon", "Samples after the dead time that count", between(2, 500),
                                  by_default("10")};
  Parameter<double> weight{*this,         "weight",
                           "1",           "Of the command's second difference; 0: the device is inverted",
                           at_least(0.0), by_default("1")};
  Parameter<std::int64_t> order{*this, "order", "Of the reference's polynomial", between(0, highest_order),
                                by_default("3")};
  Parameter<double> spacing{*this,         "spacing",
                            "s",           "Between its points, rounded to whole samples; 0: the dead time",
                            at_least(0.0), by_default("0 s")};
  Parameter<double> walk{
      *this,         "walk",
      "1",           "Variance of the disturbance's step over that of the measurement's noise; 0: no estimate",
      at_least(0.0), by_default("1e-4")};

  Ring<> line{*this, "line", "*s", "@u", "u before the newest, for the polynomial"};
  Ring<> way{*this, "way", "*s", "@u", "What the model says for the next samples, or the commands on their way"};
  State<Elements<>> value{*this, "value", "*s", "@u", "The model's output a dead time from now"};
  State<Elements<>> slope{*this, "slope", "*s", "@u/s", "Its rate"};
  State<Elements<>> sent1{*this, "sent1", "*s", "@u", "y one sample ago"};
  State<Elements<>> sent2{*this, "sent2", "*s", "@u", "y two samples ago"};
  State<Elements<>> beyond{*this, "beyond", "*s", "@u", "disturbance"};
  State<std::int64_t> count{*this, "count", "Samples since the start"};

  void configure(const Instance& self) override {
    const double T = self.period();
    constexpr double longest = 1e7; // samples
    const double apart = *spacing > 0 ? *spacing : *dead_time;
    if (*dead_time > longest * T || apart * static_cast<double>(*order) > longest * T) {
      self.report(*dead_time > longest * T ? "dead_time" : "spacing",
                  "needs more than 10 million samples; give a shorter one, or a longer sample_time");
      return;
    }
    late_ = std::llround(*dead_time / T);
    step_ = std::max<std::int64_t>(1, std::llround(apart / T));
    line.resize(step_ * *order);
    way.resize(late_);
    if (filtered()) device_ = SecondOrder::discretised(*natural_frequency, *damping_ratio, T);
    plan();
    const double innovation = (*walk + std::sqrt(*walk * *walk + 4 * *walk)) / 2; // the Riccati equation of one state
    correction_ = innovation / (innovation + 1);
  }
  /// The device was at rest where u is.
  void prime(const Tick&) override {
    line.fill(*u);
    way.fill(*u);
    value = *u;
    (*slope).setZero();
    sent1 = *u;
    sent2 = *u;
    (*beyond).setZero();
    count = 0;
  }
  void state_output(const Tick&) override { disturbance = *beyond; }

  void output(const Tick&) override {
    auto out = *y;
    const std::int64_t held = std::clamp<std::int64_t>(*count, 0, line.size()); // a checkpoint may say anything
    const std::int64_t points = std::min(*order, held / step_);
    const auto& weights = of_points_[static_cast<std::size_t>(points)];
    out = weights[0] * *u;
    for (std::int64_t i = 1; i <= points; ++i)
      out += weights[static_cast<std::size_t>(i)] * line[line.size() - i * step_];
    out += of_value_ * *value + of_slope_ * *slope + of_sent1_ * *sent1 + of_sent2_ * *sent2 - of_beyond_ * *beyond;
  }

  void update(const Tick&) override {
    const bool counts = *count > late_; // before, the device does what it did before the run
    const auto is = *measured;
    auto sent = *y;
    auto estimate = *beyond, next = *value, rate = *slope, before = *sent2, last = *sent1;
    for (Eigen::Index i = 0; i < is.size(); ++i) {
      const double says = late_ > 0 ? way[0][i] : filtered() ? next[i] : sent[i];
      if (counts) estimate[i] += correction_ * (is[i] - says - estimate[i]);
      before[i] = last[i];
    }
    if (filtered())
      way.push(*value);
    else
      way.push(*y);
    for (Eigen::Index i = 0; filtered() && i < is.size(); ++i) {
      const double off = next[i] - sent[i], was = rate[i];
      next[i] = device_.transition(0, 0) * off + device_.transition(0, 1) * was + sent[i];
      rate[i] = device_.transition(1, 0) * off + device_.transition(1, 1) * was;
    }
    sent1 = *y;
    line.push(*u);
    count = std::min(*count + 1, std::max(line.size(), late_ + 1));
  }

private:
  bool filtered() const { return *natural_frequency > 0.0; }

  /// The first of the best commands U, as weights of what it depends on. Behind the dead time the device gives free +
  /// G U, and D U - past are the second differences: U is the solution of (G'G + weight D'D) U = G'(r - b - free) +
  /// weight D' past. Of that matrix's inverse only the first row counts.
  void plan() {
    const std::int64_t n = *horizon;
    Eigen::MatrixXd G = Eigen::MatrixXd::Identity(n, n), D = Eigen::MatrixXd::Zero(n, n),
                    free = Eigen::MatrixXd::Zero(n, 2);
    if (filtered()) respond(G, free);
    for (std::int64_t i = 0; i < n; ++i) {
      D(i, i) = 1;
      if (i > 0) D(i, i - 1) = -2;
      if (i > 1) D(i, i - 2) = 1;
    }
    const Eigen::MatrixXd normal = G.transpose() * G + *weight * D.transpose() * D;
    const Eigen::VectorXd first = normal.llt().solve(Eigen::VectorXd::Unit(n, 0));
    const Eigen::VectorXd gains = G * first, ends = *weight * (D * first);
    of_value_ = -gains.dot(free.col(0));
    of_slope_ = -gains.dot(free.col(1));
    of_beyond_ = gains.sum();
    of_sent1_ = 2 * ends[0] - ends[1];
    of_sent2_ = -ends[0];
    continue_reference(gains);
  }
  /// What a held command of 1 makes of the device, sample by sample, and what its state makes alone.
  void respond(Eigen::MatrixXd& G, Eigen::MatrixXd& free) const {
    Eigen::RowVector2d row(1, 0);
    for (std::int64_t i = 0; i < G.rows(); ++i) {
      const double by_command = row[0] - row.dot(device_.transition.col(0));
      for (std::int64_t k = i; k < G.rows(); ++k) G(k, k - i) = by_command;
      row = row * device_.transition;
      free.row(i) = row;
    }
  }
  void continue_reference(const Eigen::VectorXd& gains) {
    const std::int64_t ahead = late_ + (filtered() ? 1 : 0);
    std::array<double, highest_order + 1> each{};
    for (std::int64_t n = 0; n <= *order; ++n) {
      auto& weights = of_points_[static_cast<std::size_t>(n)];
      weights.fill(0);
      for (std::int64_t j = 0; j < *horizon; ++j) {
        lagrange_weights(n, static_cast<double>(ahead + j) / static_cast<double>(step_), each);
        for (std::size_t i = 0; i <= static_cast<std::size_t>(n); ++i) weights[i] += gains[j] * each[i];
      }
    }
  }

  // from the parameters, by configure
  std::int64_t late_ = 0, step_ = 1; ///< samples
  SecondOrder device_;
  std::array<std::array<double, highest_order + 1>, highest_order + 1> of_points_{};
  double of_value_ = 0, of_slope_ = 0, of_sent1_ = 0, of_sent2_ = 0, of_beyond_ = 0, correction_ = 0;
};

HILDA_BLOCK(PredictiveTracking, predictive_tracking_doc)
} // namespace
